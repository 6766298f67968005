/** Say where a card is aimed and where it would come down. Pure. */

import * as t from "../speech/throwing";
import type { Chair, TableLayout, ThrowMethod } from "../net/wire";
import { type Release, spoken } from "./form";
import { corners, fromChair, isInside, type Point, targetsOf } from "./geometry";

/**
 * A piece as one speaks of it: "2.wall3" is "Red’s wall 3", where `owner` tells the seat's name; no one's is
 * "wall 3".
 */
export function pieceName(name: string, owner: (seat: number) => string): string {
  const [, seat, kind, number] = /^(\d+)\.([a-z]+)(\d*)$/.exec(name) ?? [];
  if (!seat || !kind) return name;
  const whose = owner(Number(seat));
  const piece = number ? `${kind} ${number}` : kind;
  return whose ? t.whosePiece(whose, piece) : number ? piece : t.theKind(kind);
}

/** Whose pieces a layout says a seat's are: "the simulacrum"; empty where it does not say. */
export const ownerIn = (layout: TableLayout | null, seat: number): string =>
  /^(.+)'s /.exec(layout?.pieces.find((piece) => piece.seat === seat)?.label ?? "")?.[1] ?? "";

/** A distance in metres as one says it at a table: "4 cm", "6 mm". */
export const distance = (metres: number): string =>
  Math.abs(metres) < 0.0095
    ? t.roundMm(Math.round(Math.abs(metres) * 1000))
    : t.roundCm(Math.round(Math.abs(metres) * 100));

/** Where a point of the table lies for who throws: on a piece, or how far beside the nearest. */
export function whereabouts(
  layout: TableLayout,
  chair: Chair,
  point: Point,
  owner: (seat: number) => string,
): string {
  if (!isInside(layout, point)) return t.offThePlayArea;
  const [aside, ahead] = fromChair(chair, point);
  let nearest: { gap: number; text: string } | null = null;
  for (const piece of targetsOf(layout, chair)) {
    const around = corners(piece.spot).map((corner) => fromChair(chair, corner));
    const [left, right] = [Math.min(...around.map(([x]) => x)), Math.max(...around.map(([x]) => x))];
    const [near, far] = [Math.min(...around.map(([, y]) => y)), Math.max(...around.map(([, y]) => y))];
    const [beside, beyond] = [Math.max(left - aside, aside - right), Math.max(near - ahead, ahead - far)];
    const gap = Math.hypot(Math.max(0, beside), Math.max(0, beyond));
    if (nearest && gap >= nearest.gap) continue;
    const name = pieceName(piece.name, owner);
    if (gap === 0) nearest = { gap, text: t.onName(name) };
    else if (beyond >= beside)
      nearest = { gap, text: `${distance(beyond)} ${ahead > far ? "behind" : t.shortOf} ${name}` };
    else
      nearest = { gap, text: t.besideAsideOfName(distance(beside), aside > right ? "right" : "left", name) };
  }
  return nearest?.text ?? t.onTheTable;
}

/** Where one aims: "aimed 3° right, 2.4 m/s". */
export function aimed(method: ThrowMethod, release: Release): string {
  const azimuth = release.azimuth ?? 0;
  const way =
    azimuth === 0
      ? t.aimedStraightAhead
      : t.aimedNumberAzimuth(Number(Math.abs(azimuth).toFixed(1)), azimuth > 0 ? "right" : "left");
  const speed = method.fields.find((field) => field.name === "speed");
  return speed ? `${way}, ${spoken(speed, release.speed ?? speed.default)}` : way;
}
