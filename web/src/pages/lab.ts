/** What the Lab's form makes of an option of a game. */

import type { OptionInfo, OptionValue } from "../net/wire";

export const MOST_GAMES = 1_000_000;
const MOST_VALUES = 16;

/** The values of an option that can be ticked; none where they are typed. */
export function choices(option: OptionInfo): OptionValue[] {
  if (option.kind === "bool") return [false, true];
  if (option.kind === "choice") return [...option.values];
  const { low, high } = option;
  if (option.kind === "int" && low !== null && high !== null && high - low < MOST_VALUES)
    return Array.from({ length: high - low + 1 }, (_, n) => low + n);
  return [];
}

/** The values in a typed list; of a number's option what is no whole number is left out. */
export function read(typed: string, option: OptionInfo): OptionValue[] {
  const words = [...new Set(typed.split(",").map((word) => word.trim()))].filter(Boolean);
  return option.kind === "int" ? words.filter((word) => /^-?\d{1,9}$/.test(word)).map(Number) : words;
}
