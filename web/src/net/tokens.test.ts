import { expect, it } from "vitest";
import { drawKey, isInvitation, joinKeys, keysOf } from "./tokens";

it("keeps several keys in one link", () => {
  expect(keysOf(joinKeys(["a_-1", "b"]))).toEqual(["a_-1", "b"]);
  expect(keysOf("one")).toEqual(["one"]);
});

it("tells invitations from keys", () => {
  expect(isInvitation("join-AAAAAAAAAA-AAAAAAAAAA_")).toBe(true);
  expect(isInvitation(drawKey())).toBe(false);
  expect(drawKey()).toMatch(/^[\w-]{32}$/);
});
