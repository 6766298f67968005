/** Make a picture of a scene's table: what stands where, with which face, whose it is. Pure. */

import type { Item, Spot, TableLayout, Theme, Zone } from "../net/wire";
import { between, type Turn } from "./frames";
import type { Release } from "./form";
import type { Pose } from "./frames";
import { atChair, type Vacancy, vacancies } from "./geometry";
import type { Chair } from "../net/wire";

export interface StandingCard {
  readonly id: string;
  readonly name: string;
  readonly spot: Spot;
  /** What lies up; none for a card that lies face down. */
  readonly face: string;
  /** The name of its owner's colour. */
  readonly colour: string;
}

/** A pile beside what is thrown at: how many cards, and what lies up; no face where they lie face down. */
export interface PileOfCards {
  readonly id: string;
  readonly spot: Spot;
  readonly face: string;
  readonly colour: string;
  readonly count: number;
}

export interface Picture {
  readonly layout: TableLayout;
  readonly standing: readonly StandingCard[];
  readonly gaps: readonly Vacancy[];
  readonly piles: readonly PileOfCards[];
  /** The colour and the name of each seat. */
  readonly colours: ReadonlyMap<number, string>;
  readonly names: ReadonlyMap<number, string>;
}

/** The zones that stand on the table: those with things that the layout places. */
export function standingZones(layout: TableLayout, zones: readonly Zone[]): Zone[] {
  const ids = new Set(layout.pieces.map((piece) => piece.item));
  return zones.filter((zone) => zone.items.some((item) => item.id && ids.has(item.id)));
}

export function picture(
  layout: TableLayout,
  zones: readonly Zone[],
  theme: Theme,
  name: (seat: number) => string,
  beside: readonly Zone[] = [],
): Picture {
  const items = new Map<string, Item>(zones.flatMap((zone) => zone.items.map((item) => [item.id, item])));
  const colourOf = (seat: number): string => theme.liveries[seat - 1]?.colour ?? "";
  const standing = layout.pieces.map((piece): StandingCard => {
    const item = items.get(piece.item);
    const face = piece.fixed ? "" : (item?.face ?? (/\d+$/.exec(piece.name)?.[0] || ""));
    return {
      id: piece.item || piece.name,
      name: piece.name,
      spot: piece.spot,
      face,
      colour: colourOf(item?.owner || piece.seat),
    };
  });
  const seats = layout.chairs.map((chair) => chair.seat);
  const owners = new Map(
    seats.map((seat) => [
      seat,
      colourOf(items.get(layout.pieces.find((piece) => piece.seat === seat)?.item ?? "")?.owner || seat),
    ]),
  );
  const piles = layout.stacks.flatMap(({ zone, spot }): PileOfCards[] => {
    const pile = beside.find((one) => one.id === zone);
    return pile?.count
      ? [{ id: zone, spot, face: pile.items[0]?.face ?? "", colour: colourOf(pile.owner), count: pile.count }]
      : [];
  });
  return {
    layout,
    piles,
    standing,
    gaps: vacancies(layout, zones),
    colours: owners,
    names: new Map(seats.map((seat) => [seat, name(seat)])),
  };
}

const multiplied = ([a, b, c, d]: Turn, [w, x, y, z]: Turn): Turn => [
  a * w - b * x - c * y - d * z,
  a * x + b * w + c * z - d * y,
  a * y - b * z + c * w + d * x,
  a * z + b * y - c * x + d * w,
];
const about = (axis: 1 | 2 | 3, angle: number): Turn =>
  [Math.cos(angle / 2), ...[1, 2, 3].map((n) => (n === axis ? Math.sin(angle / 2) : 0))] as unknown as Turn;
const DEGREE = Math.PI / 180;

/** The card in the hand before it is thrown, drawn back by a share of a hand's breadth. */
export function inHand(chair: Chair, release: Release, back = 0): Pose {
  const azimuth = (release.azimuth ?? 0) * DEGREE;
  const [x, y] = atChair(chair, [
    (release.offset ?? 0) - back * 0.06 * Math.sin(azimuth),
    chair.line - back * 0.06 * Math.cos(azimuth),
  ]);
  const turn = multiplied(
    multiplied(about(3, chair.castle.yaw - azimuth), about(1, (release.nose ?? 0) * DEGREE)),
    about(2, (release.roll ?? 0) * DEGREE),
  );
  return { x, y, z: release.height ?? 0.12, turn: between(turn, turn, 0) };
}
