import { describe, expect, it } from "vitest";
import { carried, packed } from "./carried";

async function link(text: string): Promise<string> {
  const packed = await new Response(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  ).arrayBuffer();
  const base = btoa(String.fromCharCode(...new Uint8Array(packed)));
  return `#record=${base.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

describe("a record in a link", () => {
  it("is read as it was", async () => {
    for (const text of ['game = "one"\n\n1. move\n', "é ☃ <b>", ""])
      expect(await carried(await link(text))).toBe(text);
    expect(carried("")).toBeNull();
    expect(carried("#ply=3")).toBeNull();
  });

  it("is refused where it is none, or longer than a record", async () => {
    for (const hash of [
      "#record=!!",
      "#record=AAAA",
      await link("x".repeat(400_001)),
      (await link("abc")).slice(0, -3),
    ])
      await expect(carried(hash)).rejects.toThrow();
  });
});

it("packs what is then read", async () => {
  const record = 'game = "duel"\nseed = "ab"\n\n1. draw — ♠\n';
  expect(await carried(`#record=${await packed(record)}`)).toBe(record);
});
