// Open /dev/?at=/t/cards%23x (or /t/board%23x, /t/map%23x, /t/throw%23x, /range, /): the real client before a
// make-believe server.
import { install } from "./mock";

install();
window.history.replaceState(null, "", new URLSearchParams(window.location.search).get("at") ?? "/");
await import("../src/main");
