import { expect, test } from "vitest";
import { checkValue, courseOf, firstHead, headsOf, readCheckValue } from "./chain";

test("the hashes are what the server makes", async () => {
  // The same values stand in tests/match/test_forgeries.py.
  const begins = await firstHead({
    table: "t",
    game: "tower",
    rules: 3,
    options: { "b.c": true, a: 7, z: 'any ü "x"' },
    players: ["person", "hard"],
    commitment: "1a".repeat(32),
    persons: [1, 2],
    commitments: { 1: "2b".repeat(32) },
    shares: { 1: "01".repeat(16) },
  });
  const heads = await headsOf(begins, "ab".repeat(32), ["1 move 1 attack 2 with 9l", "1 resign 2"]);
  expect(heads.map(checkValue)).toEqual(VECTOR);
});

const VECTOR = ["5478 e97b c897 0fbb 9aa5", "9a92 8840 f073 ad92 d9c4", "e0a6 7ac1 1dd4 6505 55bd"];

test("a course follows what was taken back and played again", () => {
  const entries = [
    "1 move 1 a",
    "2 move 2 b",
    "1 undo 2",
    "2 redo 2",
    "1 undo 2",
    "2 move 2 c",
    "2 resign 1",
  ];
  expect(courseOf(entries, 2)).toEqual({ moves: ["a", "c"], settled: { reason: "resignation", loser: 1 } });
  expect(courseOf([...entries, "3 move 2 d"], 2)).toBe(8);
  expect(courseOf([...entries.slice(0, 3), "3 redo 2"], 2)).toBe(4);
  expect(courseOf(["0 flag 1", "1 move 2 a"], 3)).toEqual({ moves: ["a"], settled: null });
  expect(courseOf(["0 flag 1"], 3)).toEqual({ moves: [], settled: { reason: "time", loser: 1 } });
  expect(courseOf(["0 flag 4"], 3)).toBe(1);
});

test("a check value is read as people write it", () => {
  expect(readCheckValue(" 3F2A 91c0 77be 0d12 5e9a\n")).toBe("3f2a91c077be0d125e9a");
  expect(readCheckValue("3f2a")).toBe("");
});
