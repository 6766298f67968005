/** Say how many there are of something. */

const english = new Intl.PluralRules("en");

/** The form of a word that goes with a number. */
export const form = (count: number, one: string, other: string): string =>
  english.select(count) === "one" ? one : other;

/** A number with its noun: "1 move", "3 moves". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${form(count, noun, plural)}`;
