/** Write and read the record that a link carries behind its #: deflated, and in base64 for addresses. */

import * as t from "../speech/pages";

const MARK = "#record=";
const LONGEST = 400_000; // signs of a record, as the server takes them

/**
 * The record in a link, or null where there is none; it fails for what is none, or longer than a record can
 * be.
 */
export function carried(hash: string): Promise<string> | null {
  return hash.startsWith(MARK) ? unpacked(hash.slice(MARK.length)) : null;
}

/** Pack a record for a link. */
export async function packed(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    ).arrayBuffer(),
  );
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_");
}

async function unpacked(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
    sign.charCodeAt(0),
  );
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
    .getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > LONGEST) {
      await reader.cancel();
      throw new Error(t.tooLong);
    }
  }
  return text;
}
