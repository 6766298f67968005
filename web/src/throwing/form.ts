/** The numbers of a throw: a form for each method, steps within its ranges, and the words of the move. Pure. */

import * as t from "../speech/throwing";
import type { ThrowField, ThrowMethod } from "../net/wire";

/** The figures of a release, by field. */
export type Release = Readonly<Record<string, number>>;

const ACCURACY = 3; // decimals in a move's text

/** A figure as one writes it: no more decimals than count. */
export const written = (value: number): string => String(Number(value.toFixed(ACCURACY)));

/** A figure with its unit, as one speaks of it: "2.4 m/s", "3°", "−40 rad/s"; no finer than a tenth of a step. */
export function spoken(field: ThrowField, value: number): string {
  const metres = field.unit === "m";
  const [shown, step] = metres ? [value * 100, field.step * 100] : [value, field.step];
  const figure = String(Number(shown.toFixed(step < 0.1 ? 2 : 1))).replace("-", "−");
  return /^(°|deg|degrees)$/.test(field.unit) ? `${figure}°` : `${figure} ${metres ? "cm" : field.unit}`;
}

/** The figures with which a method's form begins. */
export const standard = (method: ThrowMethod): Release =>
  Object.fromEntries(method.fields.map((field) => [field.name, field.default]));

/** The nearest value that a field allows; where it goes either way, none that is too small in size. */
export function allowed(field: ThrowField, value: number): number {
  const within = Math.min(field.high, Math.max(field.low, Number.isFinite(value) ? value : field.default));
  return Number(
    (Math.abs(within) < field.least ? (within < 0 ? -field.least : field.least) : within).toFixed(ACCURACY),
  );
}

/** A field's value some steps further, over what is too small in size. */
export function stepped(field: ThrowField, value: number, steps: number): number {
  const on = Math.round((value - field.low) / field.step) * field.step + field.low + steps * field.step;
  return allowed(field, Math.abs(on) < field.least ? Math.sign(steps) * field.least : on);
}

/** The same release for another method: what both have in common stays where the other's range allows it. */
export function carried(from: Release, to: ThrowMethod): Release {
  const shared = ["azimuth", "offset", "height"];
  return Object.fromEntries(
    to.fields.map((field) => {
      const held = from[field.name];
      return [
        field.name,
        shared.includes(field.name) && held !== undefined ? allowed(field, held) : field.default,
      ];
    }),
  );
}

/**
 * The move that throws a card so: "throw 6v lob speed 2.4 elevation 55"; a pull of an honest hand says that
 * it is one.
 */
export function moveText(choice: string, method: ThrowMethod, release: Release, isPulled = false): string {
  const figures = method.fields.map(
    (field) => `${field.name} ${written(release[field.name] ?? field.default)}`,
  );
  return [choice, method.name, ...(isPulled ? [t.byPull] : []), ...figures].join(" ");
}

/** The field that a curved gesture, or Page Up, turns: how fast the card spins or tumbles. */
export const turningField = (method: ThrowMethod): ThrowField | undefined =>
  method.fields
    .filter((field) => ["spin", "tumble"].includes(field.name))
    .sort((one, other) => Math.abs(other.default) - Math.abs(one.default))[0];

/** What a key changes, in steps of its field; null for a key that changes nothing. */
export function keyStep(
  method: ThrowMethod,
  key: string,
  large: boolean,
): { field: ThrowField; steps: number } | null {
  const of = (name: string): ThrowField | undefined => method.fields.find((field) => field.name === name);
  const keys: Record<string, [ThrowField | undefined, number]> = {
    ArrowLeft: [of("azimuth"), -1],
    ArrowRight: [of("azimuth"), 1],
    ArrowUp: [of("speed"), 1],
    ArrowDown: [of("speed"), -1],
    PageUp: [turningField(method), 1],
    PageDown: [turningField(method), -1],
    "[": [of("nose"), -1],
    "]": [of("nose"), 1],
    "{": [of("nose"), -1],
    "}": [of("nose"), 1],
    "-": [of("elevation"), -1],
    "+": [of("elevation"), 1],
    "=": [of("elevation"), 1],
  };
  const [field, way] = Object.hasOwn(keys, key) ? (keys[key] ?? []) : [];
  return field && way ? { field, steps: way * (large ? 5 : 1) } : null;
}
