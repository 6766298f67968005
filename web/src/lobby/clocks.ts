/** Offer clocks in words, as one chooses them before a table is made. */

import * as t from "../speech/options";
import type { ClockRule } from "../net/wire";

const DAY = 86_400;

export interface Preset {
  id: string;
  label: string;
  rule: ClockRule | null;
}

const fischer = (minutes: number, increment: number): Preset => ({
  id: `${minutes}+${increment}`,
  label: t.minutesAndIncrement(minutes, increment),
  rule: { kind: "fischer", seconds: minutes * 60, increment },
});
const each = (seconds: number): Preset => ({
  id: `move-${seconds}`,
  label: seconds < 60 ? t.secondsPerMove(seconds) : t.minutesPerMove(seconds / 60),
  rule: { kind: "move", seconds, increment: 0 },
});
const days = (count: number): Preset => ({
  id: `days-${count}`,
  label: t.daysPerMove(count),
  rule: { kind: "days", seconds: count * DAY, increment: 0 },
});

export const NONE: Preset = { id: "none", label: t.noClock, rule: null };
export const PRESETS: readonly (readonly [string, readonly Preset[]])[] = [
  [t.wholeGame, [fischer(3, 2), fischer(5, 3), fischer(10, 5), fischer(15, 10), fischer(30, 20)]],
  [t.perMove, [each(30), each(60), each(180)]],
  [t.overDays, [days(1), days(3), days(7)]],
];

const ALL = [NONE, ...PRESETS.flatMap(([, presets]) => presets)];

export const presetOf = (id: string): Preset => ALL.find((preset) => preset.id === id) ?? NONE;

/** The offer that a clock is; null where it is none of them. */
export const presetFor = (rule: ClockRule | null | undefined): Preset | null =>
  rule
    ? (ALL.find(
        ({ rule: one }) =>
          one?.kind === rule.kind && one.seconds === rule.seconds && one.increment === rule.increment,
      ) ?? null)
    : NONE;

/** Return the clock with custom times, or null if the server wouldn't accept it. */
export function fischerOf(minutes: number, increment: number): ClockRule | null {
  const seconds = Math.round(minutes * 60);
  const fits =
    seconds >= 10 && seconds <= 10_800 && Number.isInteger(increment) && increment >= 0 && increment <= 180;
  return fits ? { kind: "fischer", seconds, increment } : null;
}
