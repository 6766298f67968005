import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { at } from "./net/base";
import { follow } from "./ui/navigate.svelte";
import { apply } from "./ui/scheme.svelte";
import { store } from "./net/store";

apply(store.settings().scheme);
follow();
/** Kept for when the server is away; no one needs to wait for it, and not every browser or address can. */
if (import.meta.env.PROD && "serviceWorker" in navigator)
  window.addEventListener(
    "load",
    () => void navigator.serviceWorker.register(at("/sw.js")).catch(() => undefined),
  );

mount(App, { target: document.getElementById("app")! });
