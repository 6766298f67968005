/** Name options and their values for people: "King file", in the group "Setup". */

import type { OptionInfo, OptionValue } from "../net/wire";
import { onOff } from "./options";

export const words = (key: string): string =>
  key.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

/** What stands behind the dot of "setup.king_file"; before it is the group. */
export const own = (key: string): string => key.slice(key.indexOf(".") + 1);

const group = (key: string): string => key.slice(0, Math.max(0, key.indexOf(".")));

export function grouped(given: readonly OptionInfo[]): [string, OptionInfo[]][] {
  return [...new Set(given.map((option) => group(option.key)))].map((name) => [
    name,
    given.filter((option) => group(option.key) === name),
  ]);
}

/** An option with its value in a list: "King file: e". */
export const chosen = (key: string, value: OptionValue): string =>
  `${words(own(key))}: ${typeof value === "boolean" ? onOff(value) : written(value, "")}`;

export const written = (value: OptionValue, usual: OptionValue): string =>
  `${String(value).replaceAll("_", " ")}${value === usual ? " (usual)" : ""}`;
