/** Read a gesture as a throw: pulled back like a sling, let go. Pure: points on the screen in, a release out. */

import type { ThrowMethod } from "../net/wire";
import { allowed, type Release, turningField } from "./form";
import type { Point } from "./geometry";

/** Pixels that a finger may wander before anything is meant. */
export const SLACK = 18;
/** How far one turns the pull for a degree of aim: slower than the hand, so that a degree can be hit. */
const FINENESS = 0.5;
/** A bow of less than this share of the pull's length is an unsteady hand, no curve. */
const STRAIGHT = 0.09;
/** The bow that means as much spin as there is. */
const FULL = 0.4;

export interface Pull {
  /** From 0 to 1. */
  readonly power: number;
  /** Degrees to the right. */
  readonly azimuth: number;
  /**
   * How far the way bows, as a share of its length and beyond an unsteady hand, from -1 to 1; positive to the
   * right.
   */
  readonly curve: number;
}

/**
 * Read the way of a pointer, y downwards; `reach` is the pull in pixels that means full power.
 *
 * Null where it is no throw: not pulled back at all, or taken back to where it began.
 */
export function pulled(way: readonly Point[], reach: number): Pull | null {
  const [first, last] = [way[0], way.at(-1)];
  if (!first || !last) return null;
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy);
  if (length < SLACK || dy <= 0) return null;
  const aside = way.map(([x, y]) => ((x - first[0]) * dy - (y - first[1]) * dx) / length);
  const bow = aside.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0) / length;
  const bent = Math.max(0, Math.abs(bow) - STRAIGHT) / (FULL - STRAIGHT);
  return {
    power: Math.min(1, (length - SLACK) / Math.max(1, reach - SLACK)),
    azimuth: (Math.atan2(-dx, dy) * 180 * FINENESS) / Math.PI,
    curve: Math.sign(bow) * Math.min(1, bent),
  };
}

/** A point of a way, with the time in milliseconds at which it was reached. */
export type Timed = readonly [x: number, y: number, at: number];

/** What counts of a way that is flung: its last moments, in milliseconds. */
const FLUNG_MS = 120;
/** Pixels a second: slower than the first is put down, the second is thrown with full power. */
const [SLOWEST, FASTEST] = [350, 2600];

/**
 * Read the way of a card that is flung forward, y downwards: it flies where it was going, the faster the farther.
 *
 * Null where it is put down: it stood still at the end, or did not go forward.
 */
export function flung(way: readonly Timed[], now: number): Pull | null {
  const recent = way.filter(([, , at]) => now - at <= FLUNG_MS);
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || last[2] <= first[2]) return null;
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const speed = (Math.hypot(dx, dy) / (now - first[2])) * 1000;
  if (dy >= 0 || Math.hypot(dx, dy) < SLACK || speed < SLOWEST) return null;
  return {
    power: Math.min(1, (speed - SLOWEST) / (FASTEST - SLOWEST)),
    azimuth: (Math.atan2(dx, -dy) * 180 * FINENESS) / Math.PI,
    curve: 0,
  };
}

/** The release that a pull means, everything else as it was set. */
export function released(method: ThrowMethod, before: Release, { power, azimuth, curve }: Pull): Release {
  const release: Record<string, number> = { ...before };
  const turning = turningField(method);
  for (const field of method.fields) {
    if (field.name === "speed")
      release.speed = allowed(field, rounded(field.low + power * (field.high - field.low), 100));
    if (field.name === "azimuth") release.azimuth = allowed(field, rounded(azimuth, 10));
    if (field === turning && curve !== 0)
      release[field.name] = allowed(field, rounded(turned(field.default, field.low, field.high, curve), 10));
  }
  return release;
}

/** No finer than a hand is: a pull has more pixels than anybody feels. */
const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;

/**
 * How fast a card turns for a curve: from the usual towards the most, the other way round where the range has
 * one.
 */
function turned(usual: number, low: number, high: number, curve: number): number {
  const strength = Math.abs(curve);
  if (low >= 0) return usual + (curve > 0 ? high - usual : low - usual) * strength;
  const most = curve > 0 ? high : -low;
  return Math.sign(curve) * (Math.abs(usual) + (most - Math.abs(usual)) * strength);
}
