/** Speak of a table's seats: what they are called, who sits there, and whether one sees what another may not. */

import type { Livery, Scene, Sync } from "../net/wire";
import { seatName } from "../speech/names";

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
  /** True for a person's seat that nobody has come to yet. */
  waiting: boolean;
}

export interface Company {
  scene: Scene;
  /** By seat: PERSON or the program. */
  players: readonly string[];
  /** Seats that this page plays. */
  held: readonly number[];
  /** Seats that somebody looks from, or has. */
  present: readonly number[];
  come: ReadonlySet<number>;
  /** The seat whose program takes its time. */
  thinking: number;
}

/** List the seats in their order. */
export function seatViews({ scene, players, held, present, come, thinking }: Company): SeatView[] {
  return Array.from({ length: scene.seats }, (_, at) => {
    const seat = at + 1;
    const player = players[at] ?? PERSON;
    const own = held.includes(seat);
    const program = player !== PERSON;
    const toMove = scene.status.seat === seat;
    const waiting = !program && !own && !scene.result && !come.has(seat) && !present.includes(seat);
    const here = own || program || present.includes(seat);
    const doing = own || (program && seat !== thinking) ? "to move" : "thinking";
    return {
      seat,
      name: seatName(scene.theme, seat),
      livery: scene.theme.liveries[at],
      who: program ? player : own ? (held.length > 1 ? "here" : "you") : "",
      state: waiting ? "not here yet" : !here ? "away" : toMove ? doing : own || program ? "" : "at the table",
      toMove,
      waiting,
    };
  });
}

/** Say who a seat is and what they do, for a screen reader and a tool tip. */
export const spoken = (view: SeatView): string => [view.name, view.who, view.state].filter(Boolean).join(", ");

/** What there is to see in a scene, whatever the order and the words. */
function things(scene: Scene): string {
  const all = scene.zones.flatMap((zone) => [
    `${zone.id} ${zone.count}`,
    ...zone.items.map((item) => [zone.id, item.id, item.face, item.back, item.peek, item.at].join(" ")),
  ]);
  return all.sort().join("\n");
}

/** Tell whether one of these seats sees something that another does not: then the screen is covered between turns. */
export const differ = (scenes: readonly Scene[]): boolean => new Set(scenes.map(things)).size > 1;

/** Lay what belongs to the seats here in the order of the next table; `seats` says which seat there each takes. */
export function moved<T>(here: readonly T[], seats: readonly number[]): T[] {
  const there = [...here];
  seats.forEach((seat, at) => {
    const one = here[at];
    if (one !== undefined) there[seat - 1] = one;
  });
  return there;
}

/** What was said besides the moves between two states of a table, to those who hold these seats. */
export function offers(before: Sync, now: Sync, held: readonly number[]): string {
  const name = (seat: number): string => (held.includes(seat) ? "You" : seatName(now.scene.theme, seat));
  const verb = (seat: number, own: string, other: string): string => `${name(seat)} ${held.includes(seat) ? own : other}`;
  const said: string[] = [];
  const [was, is] = [before.draw_offer, now.draw_offer];
  if (is && is !== was) said.push(`${verb(is, "offer", "offers")} a draw.`);
  if (was && !is && !now.scene.result) said.push("The offer of a draw is declined.");
  for (const seat of now.rematch.asked)
    if (!before.rematch.asked.includes(seat)) said.push(`${verb(seat, "want", "wants")} another game.`);
  if (now.rematch.table && !before.rematch.table) said.push("The rematch begins.");
  return said.join(" ");
}
