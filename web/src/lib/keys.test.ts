import { describe, expect, it } from "vitest";
import { HELP } from "../components/Keys.svelte";
import { type Box, command, neighbour } from "./keys";

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
    for (const key of ["u", "r", "h", "n", "m", "w", "l", "a", "t", "?", "/", "Escape"]) expect(listed).toContain(key);
  });
});

describe("neighbour", () => {
  const box = (left: number, top: number): Box => ({ left, top, width: 10, height: 14 });
  const grid = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => box(column * 12, row * 16)));

  it("walks a grid in four directions and stops at its edge", () => {
    expect(neighbour(grid, 4, "ArrowLeft")).toBe(3);
    expect(neighbour(grid, 4, "ArrowRight")).toBe(5);
    expect(neighbour(grid, 4, "ArrowUp")).toBe(1);
    expect(neighbour(grid, 4, "ArrowDown")).toBe(7);
    expect(neighbour(grid, 0, "ArrowLeft")).toBe(-1);
  });

  it("walks a fan whose cards overlap and lie askew", () => {
    const fan = [0, 1, 2, 3].map((n) => box(n * 4, Math.abs(n - 1.5)));
    expect(neighbour(fan, 1, "ArrowRight")).toBe(2);
    expect(neighbour(fan, 1, "ArrowLeft")).toBe(0);
  });

  it("finds its way over a map with holes", () => {
    const map = [box(0, 0), box(36, 0), box(12, 32)];
    expect(neighbour(map, 0, "ArrowRight")).toBe(1);
    expect(neighbour(map, 0, "ArrowDown")).toBe(2);
  });

  it("jumps to the ends", () => {
    expect(neighbour(grid, 4, "Home")).toBe(0);
    expect(neighbour(grid, 4, "End")).toBe(8);
    expect(neighbour([], 0, "Home")).toBe(-1);
    expect(neighbour(grid, 4, "q")).toBe(-1);
  });
});
