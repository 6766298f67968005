import { expect, it } from "vitest";
import { joined, keysOf } from "./tokens";

it("keeps several keys in one link", () => {
  expect(keysOf(joined(["a_-1", "b"]))).toEqual(["a_-1", "b"]);
  expect(keysOf("one")).toEqual(["one"]);
});
