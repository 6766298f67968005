/**
 * Commit to a share of a deal, and open commitments after the game: what bartizan/engine/fairness.py does, in
 * the browser.
 */

import type { OptionValue, VoidRound } from "./wire";

export const PROTOCOL = 1;
const SHARE_BYTES = 16;

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of a text, 64 hexadecimal digits. A page that did not come over HTTPS has no WebCrypto to ask. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle) return hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  const library = await import("@noble/hashes/sha2.js");
  return hex(library.sha256(bytes));
}

const hash = (purpose: string, ...lines: string[]): Promise<string> =>
  sha256([`bartizan fairness ${PROTOCOL} ${purpose}`, ...lines].join("\n"));

/** A new share: 128 bits that no one else knows. */
export const drawShare = (): string => hex(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)));

/** The lines that later hashes have of rounds that were void. */
const linesOf = (void_: readonly VoidRound[]): string[] =>
  void_.map(({ commitment, given_up, withheld }) =>
    [
      `void ${commitment}`,
      ...withheld.map((seat) => `withheld ${seat}`),
      ...given_up.map((seat) => `given up ${seat}`),
    ].join(" "),
  );

/** What a table publishes of its secret, and of its seed where one was chosen, after the rounds that were void. */
export const commitSecret = (
  table: string,
  secret: string,
  seed = "",
  void_: readonly VoidRound[] = [],
): Promise<string> => hash("secret", table, secret, seed, ...linesOf(void_));

/** What a browser publishes of its share before it shows it. */
export const commitShare = (table: string, seat: number, share: string): Promise<string> =>
  hash("share", table, String(seat), share);

export interface Dealt {
  table: string;
  game: string;
  rules: number;
  /** By their flat keys. */
  options: Readonly<Record<string, OptionValue>>;
  seats: number;
  secret: string;
  /** By seat. */
  shares: ReadonlyMap<number, string>;
  /** The rounds before, which were void. */
  void?: readonly VoidRound[];
}

/** The seed that a secret, all shares and what is played come to: 32 hexadecimal digits. */
export async function dealSeed({
  table,
  game,
  rules,
  options,
  seats,
  secret,
  shares,
  void: before = [],
}: Dealt): Promise<string> {
  const named = JSON.stringify(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)));
  const given = [...shares].sort(([one], [other]) => one - other).map(([seat, share]) => `${seat} ${share}`);
  const lines = [table, game, String(rules), named, String(seats), secret, ...linesOf(before), ...given];
  return (await hash("seed", ...lines)).slice(0, 32);
}
