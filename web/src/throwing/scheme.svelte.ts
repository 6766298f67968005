/** Whether the page is dark: what is painted on canvases has to be told. */

import { MediaQuery } from "svelte/reactivity";
import { look } from "../ui/scheme.svelte";

const system = new MediaQuery("(prefers-color-scheme: dark)");

export const isDark = (): boolean => (look.scheme === "auto" ? system.current : look.scheme === "dark");
