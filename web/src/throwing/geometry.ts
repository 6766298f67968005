/** Measure a table at which cards are thrown: metres and radians, as bartizan/engine/layout.py has them. Pure. */

import type { Chair, Flown, Spot, Standing, TableLayout, Zone } from "../net/wire";

export type Point = readonly [x: number, y: number];

/** A card, in metres. */
export const CARD = { width: 0.0635, height: 0.095, thickness: 0.0003 } as const;
/** From the middle of one wall to the next: its width and a card's length. Used where no two walls tell it. */
const PITCH = CARD.width + CARD.height;
/** How far before the middle of its castle a wall's middle lies: half of each, and 3 inches between. */
const AHEAD = CARD.width / 2 + 0.0762 + CARD.height / 2;

/** Turn a vector anticlockwise. */
export const rotated = ([x, y]: Point, angle: number): Point => [
  x * Math.cos(angle) - y * Math.sin(angle),
  x * Math.sin(angle) + y * Math.cos(angle),
];

/** The corners of a rectangle around the middle of a spot, anticlockwise from its lower left. */
export function corners(spot: Spot, width: number = CARD.width, height: number = CARD.height): Point[] {
  const [w, h] = [width / 2, height / 2];
  const around: Point[] = [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ];
  return around.map((corner) => {
    const [x, y] = rotated(corner, spot.yaw);
    return [spot.x + x, spot.y + y];
  });
}

/** A point as the one who throws from a chair sees it: how far to the right and how far ahead of its castle. */
export function fromChair({ castle }: Chair, [x, y]: Point): Point {
  return rotated([x - castle.x, y - castle.y], -castle.yaw);
}

/** The point of the table that lies so far to the right and ahead of a chair's castle. */
export function atChair({ castle }: Chair, place: Point): Point {
  const [x, y] = rotated(place, castle.yaw);
  return [castle.x + x, castle.y + y];
}

/** The chair of a seat; a spectator looks from the first. */
export const chairOf = (layout: TableLayout, seat: number): Chair | null =>
  layout.chairs.find((chair) => chair.seat === seat) ?? layout.chairs[0] ?? null;

/** What a seat may hit: all that stands for another side. */
export const targetsOf = (layout: TableLayout, { side }: Chair): Standing[] =>
  layout.pieces.filter((piece) => piece.side !== side);

/** Whether a point lies on a card at a spot. */
export function covers(spot: Spot, [x, y]: Point): boolean {
  const [a, b] = rotated([x - spot.x, y - spot.y], -spot.yaw);
  return Math.abs(a) <= CARD.width / 2 && Math.abs(b) <= CARD.height / 2;
}

/** Whether a point lies inside the play area. */
export const isInside = ({ width, depth }: TableLayout, [x, y]: Point): boolean =>
  Math.abs(x) <= width / 2 && Math.abs(y) <= depth / 2;

/** A place where a wall would stand and none does: the slot's id, whose it is, and where. */
export interface Vacancy {
  readonly id: string;
  readonly label: string;
  readonly seat: number;
  readonly spot: Spot;
}

const middle = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;

/**
 * Find where the empty slots of forts are: a layout tells only of what stands.
 *
 * All forts are alike as their own seats see them, so a slot is where the same slot of another fort has its
 * wall; else its neighbours tell it, and else the rules' measures do.
 */
export function vacancies(layout: TableLayout, zones: readonly Zone[]): Vacancy[] {
  const pieces = new Map(layout.pieces.map((piece) => [piece.item, piece]));
  const forts = zones.flatMap((zone) => {
    const own = zone.items.flatMap((item) => pieces.get(item.id) ?? []);
    const chair = layout.chairs.find((one) => one.seat === own[0]?.seat);
    return zone.kind === "slots" && chair ? [{ zone, chair }] : [];
  });
  const homes = new Map<number, { aside: number[]; ahead: number[]; yaw: number[] }>();
  for (const { zone, chair } of forts)
    zone.slots.forEach((slot, n) => {
      const item = zone.items.find((one) => one.at === slot.id && !one.flags.includes("moved"));
      const piece = item && pieces.get(item.id);
      if (!piece || piece.fixed) return;
      const [aside, ahead] = fromChair(chair, [piece.spot.x, piece.spot.y]);
      const home = homes.get(n) ?? { aside: [], ahead: [], yaw: [] };
      homes.set(n, {
        aside: [...home.aside, aside],
        ahead: [...home.ahead, ahead],
        yaw: [...home.yaw, piece.spot.yaw - chair.castle.yaw],
      });
    });
  return forts.flatMap(({ zone, chair }) => {
    const walls = zone.slots.filter(
      (slot) => !zone.items.some((item) => item.at === slot.id && pieces.get(item.id)?.fixed),
    );
    return walls.flatMap((slot, n): Vacancy[] => {
      if (zone.items.some((item) => item.at === slot.id)) return [];
      const home = homes.get(zone.slots.indexOf(slot));
      const [x, y] = atChair(
        chair,
        home ? [middle(home.aside), middle(home.ahead)] : [(n - (walls.length - 1) / 2) * PITCH, AHEAD],
      );
      return [
        {
          id: slot.id,
          label: slot.label,
          seat: chair.seat,
          spot: { x, y, yaw: chair.castle.yaw + (home ? middle(home.yaw) : 0) },
        },
      ];
    });
  });
}

/**
 * Points that a view of the whole table must show: the corners of all that stands, and of where one throws
 * from.
 */
export function extent(layout: TableLayout): Point[] {
  const castles = layout.chairs.map((chair) => chair.castle);
  return [...layout.pieces.map((piece) => piece.spot), ...castles].flatMap((spot) => corners(spot));
}

/** Where a throw pushed what stood there, by the name of the piece; what turns nothing leaves its turn out. */
export const pushed = (flown: Flown): Map<string, Spot> =>
  new Map(flown.moved.map(([name, { x, y, yaw }]) => [name, { x, y, yaw: yaw ?? 0 }]));

/** How high a lob goes. */
const LOFTY = 0.42;

/**
 * Points that one who aims from a chair must see: what may be hit, where the card leaves the hand, the height
 * of its way.
 */
export function inSight(layout: TableLayout, chair: Chair): (Point | readonly [number, number, number])[] {
  const hand = atChair(chair, [0, chair.line]);
  const targets = targetsOf(layout, chair).map((piece) => piece.spot);
  const [x, y] = targets.length
    ? [middle(targets.map((spot) => spot.x)), middle(targets.map((spot) => spot.y))]
    : hand;
  return [...targets.flatMap((spot) => corners(spot)), hand, [(x + hand[0]) / 2, (y + hand[1]) / 2, LOFTY]];
}
