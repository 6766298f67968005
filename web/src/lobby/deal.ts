/** Deal a table, remember it, and go there. */

import { newTable, Problem } from "../net/http";
import { type Deal, type TableEntry, store } from "../net/store";
import { keysOf } from "../net/tokens";
import type { NewTable, OptionInfo, OptionValue } from "../net/wire";
import { go } from "../ui/navigate.svelte";
import { ownKeys, players, seatsHere } from "./seating";

export interface Wanted {
  game: string;
  title: string;
  options: Record<string, OptionValue>;
  deal: Deal;
  /** Players, at a table of several. */
  sitters?: readonly string[];
  same?: TableEntry | { token: string };
  /** A deal that is known: the day whose it is, or its seed. */
  date?: string;
  seed?: string;
  /** Clock, chat and series, at a table of several. */
  agreed?: Agreed;
}

export type Agreed = Pick<NewTable, "clock" | "chat" | "best_of">;

/** What a lobby begins with where it is not the default. */
export const proposed = (options: readonly OptionInfo[]): Record<string, OptionValue> =>
  Object.fromEntries(options.flatMap(({ key, proposed }) => (proposed ? [[key, proposed]] : [])));

/** Today's date in UTC, which determines the deal of the day. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Create the table and open it; returns an error message, or "". */
export async function deal(wanted: Wanted): Promise<string> {
  const date = wanted.deal === "day" ? (wanted.date ?? today()) : "";
  const asked: NewTable = { game: wanted.game, options: wanted.options, deal: wanted.deal };
  const { sitters = [] } = wanted;
  if (sitters.length)
    Object.assign(asked, { seats: sitters.length, players: players(sitters), here: seatsHere(sitters) });
  if (sitters.length > 1 && wanted.agreed) Object.assign(asked, wanted.agreed);
  if (date) asked.date = date;
  if (wanted.seed) asked.seed = wanted.seed;
  if (wanted.same) asked.same_as = wanted.same.token;
  try {
    const links = await newTable(asked);
    const token = sitters.length ? ownKeys(sitters, links) : (links.seats[0] ?? links.spectator);
    store.remember({
      table: links.table,
      token,
      game: wanted.game,
      title: wanted.title,
      options: wanted.options,
      deal: wanted.deal,
      date,
      seat: links.seats.indexOf(keysOf(token)[0] ?? "") + 1,
      seats: links.seats,
      spectator: links.spectator,
      used: Date.now(),
    });
    go({ page: "table", table: links.table, token });
    return "";
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
