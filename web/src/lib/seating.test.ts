import { describe, expect, it } from "vitest";
import { against, allowed, held, hotSeat, invitation, players, resized, seated, usual } from "./seating";

const PROGRAMS = ["random", "greedy"];
const links = { table: "t", seats: ["a", "b", "c"], spectator: "s", seed_hash: "" };

describe("who sits where", () => {
  it("begins with me against the strongest program, or somebody by link where there is none", () => {
    expect(usual(3, PROGRAMS)).toEqual(["me", "greedy", "greedy"]);
    expect(usual(2, [])).toEqual(["me", "link"]);
    expect(hotSeat(3)).toEqual(["me", "here", "here"]);
    expect(invitation(2)).toEqual(["me", "link"]);
  });

  it("has me in one place only", () => {
    expect(seated(["me", "greedy"], 1, "me")).toEqual(["greedy", "me"]);
    expect(seated(["me", "greedy"], 0, "random")).toEqual(["random", "greedy"]);
    expect(seated(["greedy", "random"], 1, "me")).toEqual(["greedy", "me"]);
  });

  it("keeps the others while the number changes, and me among them", () => {
    expect(resized(["me", "link"], 3, PROGRAMS)).toEqual(["me", "link", "greedy"]);
    expect(resized(["link", "here", "me"], 2, PROGRAMS)).toEqual(["me", "here"]);
    expect(resized(["greedy", "random", "greedy"], 2, PROGRAMS)).toEqual(["greedy", "random"]);
  });

  it("takes what was set last only as far as the game still has it", () => {
    expect(allowed(["link", "me"], 2, 2, PROGRAMS)).toEqual(["link", "me"]);
    expect(allowed(["me", "gone"], 2, 2, PROGRAMS)).toEqual(["me", "greedy"]);
    expect(allowed(["me", "here", "here"], 2, 2, PROGRAMS)).toEqual(["me", "greedy"]);
    expect(allowed(undefined, 1, 4, PROGRAMS)).toEqual(["me", "greedy"]);
  });

  it("asks the server for persons and programs", () => {
    expect(players(["me", "here", "link", "random"])).toEqual(["person", "person", "person", "random"]);
  });
});

describe("held", () => {
  it("is the keys of the seats at this screen", () => {
    expect(held(["link", "me", "here"], links)).toBe("b.c");
    expect(held(["me", "greedy"], { ...links, seats: ["a", ""] })).toBe("a");
  });

  it("watches where nobody sits here", () => {
    expect(held(["link", "link"], links)).toBe("s");
    expect(held(["random", "greedy"], links)).toBe("a"); // programs alone may be looked at from a seat
  });
});

describe("against", () => {
  it("says what the button begins", () => {
    expect(against(["me", "greedy"])).toBe("Play against greedy");
    expect(against(["greedy", "me", "link"])).toBe("Play against greedy and somebody by link");
    expect(against(["me", "here"])).toBe("Play at this screen");
    expect(against(["greedy", "random"])).toBe("Watch them play");
    expect(against(["link", "greedy"])).toBe("Open the table");
  });
});
