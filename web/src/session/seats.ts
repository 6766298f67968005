/** Speak of a table's seats: what they are called, who sits there, and whether one sees what another may not. */

import * as t from "../speech/session";
import type { Livery, Scene, Setting } from "../net/wire";
import { seatName } from "../speech/names";
import { playerTitle } from "../speech/players";

/** What the server calls a seat that no program plays. */
export const PERSON = "person";

export interface SeatView {
  seat: number;
  name: string;
  livery: Livery | undefined;
  /** Who sits there, in a word or two. */
  who: string;
  /** What they do just now: "to move", "thinking", "away" … */
  state: string;
  toMove: boolean;
  /** True for a person's seat that no one has come to yet. */
  waiting: boolean;
}

export interface Company {
  setting: Setting;
  scene: Scene;
  /** By seat: PERSON or the program. */
  players: readonly string[];
  /** Seats that this page plays. */
  own: readonly number[];
  /** Seats that someone looks from, and those whose people have ever come. */
  here: readonly number[];
  arrivals: ReadonlySet<number>;
  /** The seat whose program takes its time. */
  thinking: number;
}

/** List the seats in their order. */
export function seatViews({ setting, scene, players, own, here, arrivals, thinking }: Company): SeatView[] {
  return Array.from({ length: setting.seats }, (_, at) => {
    const seat = at + 1;
    const player = players[at] ?? PERSON;
    const mine = own.includes(seat);
    const program = player !== PERSON;
    const toMove = scene.status.seat === seat;
    const waiting = !program && !mine && !scene.result && !arrivals.has(seat) && !here.includes(seat);
    const yours = mine ? (own.length > 1 ? "here" : "you") : "";
    const there = mine || program || here.includes(seat);
    const doing = mine || (program && seat !== thinking) ? t.toMove : "thinking";
    return {
      seat,
      name: seatName(setting, seat),
      livery: setting.theme.liveries[at],
      who: [yours, program && playerTitle(player)].filter(Boolean).join(" · "),
      state: waiting ? t.notHereYet : !there ? "away" : toMove ? doing : mine || program ? "" : t.atTheTable,
      toMove,
      waiting,
    };
  });
}

/** Say who a seat is and what they do, for a screen reader and a tool tip. */
export const spoken = (view: SeatView): string =>
  [view.name, view.who, view.state].filter(Boolean).join(", ");

/** What there is to see in a scene, whatever the order and the words. */
function things(scene: Scene): string {
  const all = scene.zones.flatMap((zone) => [
    `${zone.id} ${zone.count}`,
    ...zone.items.map((item) => [zone.id, item.id, item.face, item.back, item.peek, item.at].join(" ")),
  ]);
  return all.sort().join("\n");
}

/**
 * Tell whether one of these seats sees something that another does not: then the screen is covered between
 * turns.
 */
export const differ = (scenes: readonly Scene[]): boolean => new Set(scenes.map(things)).size > 1;

/**
 * Lay what belongs to the seats here in the order of the next table; `seats` says which seat there each
 * takes.
 */
export function reseated<T>(here: readonly T[], seats: readonly number[]): T[] {
  const there = [...here];
  seats.forEach((seat, at) => {
    const one = here[at];
    if (one !== undefined) there[seat - 1] = one;
  });
  return there;
}

/** Put names in the place of "@2", the number of a seat; whoever has one of the `own` seats is "you". */
export function told(text: string, own: readonly number[], name: (seat: number) => string): string {
  return text.replace(/@(\d+)('s)?/g, (_, digits: string, whose: string | undefined, at: number) => {
    const seat = Number(digits);
    if (!own.includes(seat)) return `${name(seat)}${whose ? "’s" : ""}`;
    if (whose) return "your";
    return at && text[at - 2] !== "." ? "you" : t.you;
  });
}
