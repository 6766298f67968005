/** Write and read a deal that someone else may play: a day's, or a seed with players and unusual options. */

import type { OptionInfo, OptionValue } from "../net/wire";

export interface KnownDeal {
  date: string;
  seed: string;
  options: Record<string, OptionValue>;
  /** Who sat there, as the lobby names them; none where the game begins as usual. */
  sitters: readonly string[];
}

const OPTION = "o.";

export function dealWords({ date, seed, options, sitters }: KnownDeal): string {
  const words = new URLSearchParams(date ? { day: date } : { seed });
  if (sitters.length > 1) words.set("players", sitters.join());
  for (const [key, value] of Object.entries(options)) words.set(OPTION + key, String(value));
  return words.toString();
}

/** Read what stands in a link; what no game knows is left out, and null is returned where no deal is named. */
export function dealOf(words: string, infos: readonly OptionInfo[]): KnownDeal | null {
  const found = new URLSearchParams(words);
  const date = found.get("day") ?? "";
  const seed = found.get("seed") ?? "";
  if (!/^\d{4}-\d\d-\d\d$/.test(date) && !/^[0-9a-f]{1,32}$/.test(seed)) return null;
  const options: Record<string, OptionValue> = {};
  for (const info of infos) {
    const text = found.get(OPTION + info.key);
    if (text === null) continue;
    const is = typeof info.default;
    options[info.key] = is === "boolean" ? text === "true" : is === "number" ? Number(text) : text;
  }
  const sitters = (found.get("players") ?? "").split(",").filter(Boolean);
  return { date, seed: date ? "" : seed, options, sitters: date ? [] : sitters };
}
