import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import {
  against,
  allowed,
  ownKeys,
  hotSeat,
  invitation,
  players,
  programName,
  resized,
  seated,
  usual,
} from "./seating";

const game = (more: object = {}) =>
  complete("GameInfo", {
    name: "g",
    title: "G",
    min_seats: 2,
    max_seats: 2,
    players: ["random", "greedy", "knight", "top", "knight:deft"],
    opponent: "greedy",
    levels: [{ name: "knight", about: "looks ahead" }],
    ...more,
  });
const links = { table: "t", seats: ["a", "b", "c"], spectator: "s", seed_hash: "" };

describe("the players", () => {
  it("begins with me against the game's choice of a program, or a friend by link where there is none", () => {
    expect(usual(3, game())).toEqual(["me", "greedy", "greedy"]);
    expect(usual(2, game({ opponent: "" }))).toEqual(["me", "link"]);
    expect(hotSeat(3)).toEqual(["me", "here", "here"]);
    expect(invitation(2)).toEqual(["me", "link"]);
  });

  it("has me in one place only", () => {
    expect(seated(["me", "greedy"], 1, "me")).toEqual(["greedy", "me"]);
    expect(seated(["me", "greedy"], 0, "random")).toEqual(["random", "greedy"]);
    expect(seated(["greedy", "random"], 1, "me")).toEqual(["greedy", "me"]);
  });

  it("keeps the others while the number changes, and me among them", () => {
    expect(resized(["me", "link"], 3, game())).toEqual(["me", "link", "greedy"]);
    expect(resized(["link", "here", "me"], 2, game())).toEqual(["me", "here"]);
    expect(resized(["greedy", "random", "greedy"], 2, game())).toEqual(["greedy", "random"]);
  });

  it("takes what was set last only as far as the game still has it", () => {
    expect(allowed(["link", "me"], game())).toEqual(["link", "me"]);
    expect(allowed(["me", "gone"], game())).toEqual(["me", "greedy"]);
    expect(allowed(["me", "here", "here"], game())).toEqual(["me", "greedy"]);
    expect(allowed(undefined, game({ min_seats: 1, max_seats: 4 }))).toEqual(["me", "greedy"]);
  });

  it("says how a program plays, whatever its skill", () => {
    expect(["random", "knight", "knight:deft"].map((player) => programName(player, game()))).toEqual([
      "Random: plays any legal move",
      "Medium: looks ahead",
      "Medium (deft)",
    ]);
  });

  it("asks the server for persons and programs", () => {
    expect(players(["me", "here", "link", "random"])).toEqual(["person", "person", "person", "random"]);
  });
});

describe("held", () => {
  it("is the keys of the seats at this screen", () => {
    expect(ownKeys(["link", "me", "here"], links)).toBe("b.c");
    expect(ownKeys(["me", "greedy"], { ...links, seats: ["a", ""] })).toBe("a");
  });

  it("watches where no one sits here", () => {
    expect(ownKeys(["link", "link"], links)).toBe("s");
    expect(ownKeys(["random", "greedy"], links)).toBe("a"); // programs alone may be looked at from a seat
  });
});

describe("against", () => {
  it("says what the button begins", () => {
    expect(against(["me", "greedy"])).toBe("Play against the computer (greedy)");
    expect(against(["greedy", "me", "link"])).toBe("Play against the computer (greedy) and a friend by link");
    expect(against(["me", "link", "link"])).toBe("Play against friends by link");
    expect(against(["me", "here", "here", "link"])).toBe(
      "Play against others on this device and a friend by link",
    );
    expect(against(["me", "here"])).toBe("Play on this device");
    expect(against(["greedy", "random"])).toBe("Watch them play");
    expect(against(["link", "greedy"])).toBe("Open the table");
  });
});
