import { describe, expect, it } from "vitest";
import { command } from "./commands";
import { HELP } from "./Keys.svelte";

describe("command", () => {
  it("knows the shortcuts", () => {
    const named = Object.fromEntries([..."urhnmwlt?/"].map((key) => [key, command({ key }, false)]));
    expect(named).toEqual({
      u: "undo",
      r: "redo",
      h: "hint",
      n: "new",
      m: "mute",
      w: "why",
      l: "rules",
      t: "turn",
      "?": "help",
      "/": "type",
    });
    expect(command({ key: "U" }, false)).toBe("undo");
    expect(command({ key: "3" }, false)).toEqual({ pick: 3 });
    expect(command({ key: "0" }, false)).toBeNull();
    expect(command({ key: "x" }, false)).toBeNull();
  });

  it("leaves keys to who types, and to the browser", () => {
    expect(command({ key: "u" }, true)).toBeNull();
    expect(command({ key: "Escape" }, true)).toBe("clear");
    expect(command({ key: "r", ctrlKey: true }, false)).toBeNull();
    expect(command({ key: "h", metaKey: true }, false)).toBeNull();
  });

  it("has a line of help for every key", () => {
    const listed = HELP.map(([keys]) => keys).join(" ");
    for (const key of ["u", "r", "h", "n", "m", "w", "l", "a", "t", "?", "/", "Escape"])
      expect(listed).toContain(key);
  });
});
