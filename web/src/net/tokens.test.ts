import { expect, it } from "vitest";
import { joinKeys, keysOf } from "./tokens";

it("keeps several keys in one link", () => {
  expect(keysOf(joinKeys(["a_-1", "b"]))).toEqual(["a_-1", "b"]);
  expect(keysOf("one")).toEqual(["one"]);
});
