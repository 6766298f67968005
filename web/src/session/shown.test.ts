import { describe, expect, it } from "vitest";

import { clockFace, named, written } from "./shown";

describe("names in the game's words", () => {
  const seats = ["Blue", "Red"];
  it("takes the place of a seat's, as whole words alone", () => {
    expect(named("Blue resigns.", seats, ["Ada", ""])).toBe("Ada resigns.");
    expect(named("Blues and Red’s, Redcoats", seats, ["Ada", "$& Bo"])).toBe("Blues and $& Bo’s, Redcoats");
    // All names at once, not one after the other.
    expect(named("Red wins, Blue loses", seats, ["Red", "Blue"])).toBe("Blue wins, Red loses");
    expect(named("Seat 1 and Seat 12", ["Seat 1", "Seat 12"], ["Ada", "Bo"])).toBe("Ada and Bo");
  });
});

it("shows time as a clock does", () => {
  expect([-5, 0, 9_949, 10_000, 61_500, 3_600_000, 90_000_000].map(clockFace)).toEqual([
    "0:00.0",
    "0:00.0",
    "0:09.9",
    "0:10",
    "1:01",
    "1:00:00",
    "1 d 1 h",
  ]);
});

it("writes points with halves", () => {
  expect([0, 0.5, 1, 2.5].map(written)).toEqual(["0", "½", "1", "2½"]);
});
