import { expect, it } from "vitest";
import type { Zone } from "../net/wire";
import { isPlated } from "./parts.svelte";

it("puts on a seat's plate only what belongs to a seat", () => {
  const zone = (brief: string, owner: number): Zone => ({ brief, owner }) as Zone;
  expect([zone("points", 2), zone("cards", 0), zone("", 2)].map(isPlated)).toEqual([true, false, false]);
});
