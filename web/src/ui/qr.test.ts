import { generate } from "lean-qr";
import { expect, test } from "vitest";
import { code } from "./qr";

const LINK = "https://table.example/t/0123456789ab#AbCdEfGhIjKlMnOpQrStUvWxYz";

/** The modules that a path's bars cover, as rows of "#" and ".". */
function covered(path: string, size: number): string[] {
  const rows = Array.from({ length: size }, () => Array<string>(size).fill("."));
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let at = 0; at < Number(run); at += 1) rows[Number(y)]![Number(x) + at] = "#";
  }
  return rows.map((row) => row.join(""));
}

test("the bars cover the dark modules and no others", () => {
  const { size, path } = code(LINK);
  const made = generate(LINK);
  const wanted = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (made.get(x, y) ? "#" : ".")).join(""),
  );
  expect(covered(path, size)).toEqual(wanted);
});

test("three corners have a finder, so that it is seen which way up it is", () => {
  const { size, path } = code(LINK);
  const rows = covered(path, size);
  const finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
  const corner = (x: number, y: number): string[] => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
  expect(corner(0, 0)).toEqual(finder);
  expect(corner(size - 7, 0)).toEqual(finder);
  expect(corner(0, size - 7)).toEqual(finder);
});

test("another link is another code", () => {
  expect(code(`${LINK}2`).path).not.toBe(code(LINK).path);
});
