/** What the Lab's page says of experiments, and what its form makes of an option of a game. */

import type { LabAnswers, LabExperiment, OptionInfo, OptionValue } from "../net/wire";
import { words } from "../speech/groups";
import { isNoWholeNumber } from "../speech/lab";

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

/** The values that are ticked at first: those that go with the defaults of the other options. */
export const possible = (option: OptionInfo): OptionValue[] =>
  choices(option).filter((one) => !(option.refused as OptionValue[]).includes(one));

/** An option with its values, which the server writes as "setup.king_file: a, b". */
export const varied = (text: string): string => words(text.replace(/^(\w+)\./, "$1, "));

const WHOLE = /^-?\d{1,9}$/;

/** The values in a typed list. */
export function read(typed: string, option: OptionInfo): OptionValue[] {
  const words = [...new Set(typed.split(",").map((word) => word.trim()))].filter(Boolean);
  return option.kind === "int" ? words.map((word) => (WHOLE.test(word) ? Number(word) : word)) : words;
}

/** What is wrong with values: one that should be a whole number and isn't, nor the default's word. */
export function mistake(values: readonly OptionValue[], option: OptionInfo): string {
  const wrong = values.find((one) => typeof one === "string" && one !== option.default);
  return option.kind === "int" && wrong !== undefined ? isNoWholeNumber(String(wrong)) : "";
}

const whole = (count: number): string => count.toLocaleString("en-GB");

function left(seconds: number | null): string {
  if (seconds === null) return "";
  return seconds < 90
    ? `, about ${Math.ceil(seconds)} s left`
    : `, about ${Math.ceil(seconds / 60)} min left`;
}

function played({ games, checking }: LabExperiment): string {
  return `${whole(games - checking)} games${checking ? `, and ${whole(checking)} as a check` : ""}`;
}

/** How far an experiment is. */
export function stands(one: LabExperiment): string {
  if (one.phase === "reports" || (one.phase === "plays" && one.finished))
    return "All games played. Writing the report …";
  const percent = `${Math.floor(100 * one.share)}%`;
  if (one.phase === "plays")
    return one.games ? `${percent} of ${played(one)}${left(one.seconds_left)}` : "Compiling the rules …";
  return one.finished ? played(one) : `Stopped at ${percent} of ${played(one)}`;
}

/** What running an experiment again would do; nothing for one that is finished and has its report. */
export function again(one: LabExperiment): string {
  if (one.phase !== "rests" || !one.games) return "";
  if (!one.finished) return "Resume";
  return one.report ? "" : "Write report";
}

/** A share of games with its interval. */
export function share({ estimate, low, high }: LabAnswers["bars"][number]): string {
  const percent = (part: number): string => (100 * part).toFixed(high - low < 0.02 ? 1 : 0);
  return `${percent(estimate)}% (${percent(low)}–${percent(high)})`;
}
