import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { follow } from "./ui/navigate.svelte";
import { apply } from "./ui/scheme.svelte";
import { store } from "./net/store";

apply(store.settings().scheme);
follow();
mount(App, { target: document.getElementById("app")! });
