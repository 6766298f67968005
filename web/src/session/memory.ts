/** Let this browser remember a table, its rematch and its result. */

import { type KeptResult, type TableEntry, store } from "../net/store";
import type { Setting, Sync } from "../net/wire";
import { record } from "../net/http";
import { keysOf } from "../net/tokens";
import { hasWon, headline, roundOf, share } from "./outcome";
import { PERSON, reseated } from "./seats";

type Keys = Pick<TableEntry, "table" | "token">;

export function rememberTable({ table, token }: Keys, setting: Setting, { head, scene }: Sync): void {
  const { options } = store.entry(table, token);
  store.remember({
    table,
    token,
    game: setting.game,
    title: setting.title,
    options: Object.keys(options).length ? options : setting.options, // a guest hears them from the table
    seat: scene.seat,
    used: Date.now(),
    round: roundOf(scene.status),
    ply: scene.status.ply,
    headline: scene.result?.headline ?? "",
    head,
    names: setting.seats > 1 ? [...setting.seat_names] : [],
  });
}

/** Know the next table before going there: who asked for it finds its seats changed. */
export function rememberRematch({ table, token }: Keys, { rematch }: Sync): void {
  if (!rematch.table) return;
  const entry = store.entry(table, token);
  store.remember({
    ...entry,
    table: rematch.table,
    used: Date.now(),
    seats: reseated(entry.seats, rematch.seats),
    invitation: "",
    elsewhere: -1,
    round: 0,
    ply: 0,
    headline: "",
    head: "",
  });
}

/** Count the result of who plays one seat here to the end; a screen that several share wins nothing. */
export function countResult(
  { table, token }: Keys,
  setting: Setting,
  { scene, players, hints_used, undos_used }: Sync,
): void {
  const { result, seat } = scene;
  if (!result || seat === 0 || keysOf(token).length > 1 || players[seat - 1] !== PERSON) return;
  const entry = store.table(table, token);
  const told = headline(result, [seat]);
  const kept: KeptResult = {
    table,
    won: hasWon(result.outcome, seat),
    headline: told,
    score: result.outcome.points[seat - 1] ?? null,
    deal: entry?.deal ?? "new",
    date: entry?.date ?? "",
    hints: hints_used,
    undos: undos_used,
    plies: scene.status.ply,
    when: Date.now(),
    ...(setting.seats > 1
      ? {
          seat,
          against: players.filter((_, at) => at + 1 !== seat),
          drawn: share(result.outcome, seat) === 0.5,
        }
      : {}),
  };
  if (!store.finish(setting.game, entry?.options ?? {}, kept)) return;
  record(table, keysOf(token)[0] ?? "").then(
    (text) => store.keepRecord({ table, game: setting.game, headline: told, when: kept.when, text }),
    () => undefined, // it can be had from the table as long as that is kept
  );
}
