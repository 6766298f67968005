import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { carried } from "./carried";

const link = (text: string): string => `#record=${deflateRawSync(text).toString("base64url")}`;

describe("a record in a link", () => {
  it("is read as it was", async () => {
    for (const text of ["game = \"one\"\n\n1. move\n", "é ☃ <b>", ""]) expect(await carried(link(text))).toBe(text);
    expect(carried("")).toBeNull();
    expect(carried("#ply=3")).toBeNull();
  });

  it("is refused where it is none, or longer than a record", async () => {
    for (const hash of ["#record=!!", "#record=AAAA", link("x".repeat(400_001)), `${link("abc").slice(0, -3)}`]) await expect(carried(hash)).rejects.toThrow();
  });
});
