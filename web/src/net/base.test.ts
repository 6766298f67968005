import { expect, it } from "vitest";
import { at, BASE, folderOf, within } from "./base";

it("finds the folder of the page by what lies beside it", () => {
  expect(BASE).toBe("/"); // without a page
  expect(folderOf("https://h/manifest.webmanifest")).toBe("/");
  expect(folderOf("https://h/games/here/manifest.webmanifest?x#y")).toBe("/games/here/");
});

it("goes from paths to addresses and back", () => {
  for (const base of ["/", "/games/", "/a/b/"])
    for (const path of ["/", "/t/abc", "/api/games"]) expect(within(at(path, base), base)).toBe(path);
  expect(at("/t/abc", "/games/")).toBe("/games/t/abc");
  expect(within("/t/abc", "/games/")).toBe("/t/abc"); // a proxy may have taken the folder off
  expect(within("/gamesome", "/games/")).toBe("/gamesome");
});
