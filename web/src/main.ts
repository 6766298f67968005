import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { follow } from "./lib/navigate.svelte";
import { apply } from "./lib/scheme.svelte";
import { store } from "./lib/store";

apply(store.settings().scheme);
follow();
mount(App, { target: document.getElementById("app")! });
