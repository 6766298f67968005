import { describe, expect, it } from "vitest";
import { href, parse, type Route } from "./route";

describe("route", () => {
  it("knows its pages", () => {
    expect(parse("/", "")).toEqual({ page: "lobby" });
    expect(parse("/t/abc", "#tok-1")).toEqual({ page: "table", table: "abc", token: "tok-1" });
    expect(parse("/rules/some-game", "#AB-1")).toEqual({ page: "rules", game: "some-game", clause: "AB-1" });
    expect(parse("/replay/", "")).toEqual({ page: "replay" });
    expect(parse("/range", "")).toEqual({ page: "range" });
    expect(parse("/lab", "")).toEqual({ page: "lab" });
  });

  it("knows what it does not know", () => {
    for (const path of [
      "/t",
      "/rules",
      "/t/a/b",
      "/nowhere",
      "/replay/x",
      "/range/x",
      "/lab/x",
      "/t/%E0%A4%A",
    ])
      expect(["unknown", "table"]).toContain(parse(path, "").page);
    expect(parse("/nowhere", "").page).toBe("unknown");
    expect(parse("/t/a/b", "").page).toBe("unknown");
  });

  it("reads what it writes", () => {
    const routes: Route[] = [
      { page: "lobby" },
      { page: "table", table: "a b/c", token: "x=/+y" },
      { page: "rules", game: "g", clause: "" },
      { page: "rules", game: "g", clause: "AB-1" },
      { page: "replay" },
      { page: "play", game: "g", deal: "seed=ab&o.setup.king_file=c" },
      { page: "you" },
      { page: "range" },
      { page: "lab" },
    ];
    for (const route of routes) {
      const [path = "", hash = ""] = href(route).split("#");
      expect(parse(path, hash)).toEqual(route);
    }
  });

  it("puts the token into no path", () => {
    expect(href({ page: "table", table: "t", token: "secret" }).split("#")[0]).not.toContain("secret");
  });
});
