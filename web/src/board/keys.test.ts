import { describe, expect, it } from "vitest";
import { type Box, neighbour } from "./keys";

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
