/** Sum up what a browser keeps of its games: by game, rules and who sat opposite. */

import { playerTitle } from "../speech/players";
import { aided, type KeptResult, type Streaks, streaks } from "../net/store";

export interface Line extends Streaks {
  /** The options that differ from the usual rules: "jokers 2". */
  readonly rules: string;
  /** Who sat opposite; empty for a game for one. */
  readonly against: string;
  readonly drawn: number;
  readonly lost: number;
  readonly last: number;
}

export interface Tally extends Streaks {
  readonly game: string;
  readonly drawn: number;
  readonly lines: readonly Line[];
  /** The latest results, oldest first, as a row of marks. */
  readonly latest: readonly ("won" | "aided" | "drawn" | "lost")[];
}

const LATEST = 40;

export const markOf = (one: KeptResult): Tally["latest"][number] =>
  one.won && !one.drawn ? (aided(one) ? "aided" : "won") : one.drawn ? "drawn" : "lost";

/** Tell a game and its options apart in the name under which results are kept. */
export function rulesOf(key: string): { game: string; rules: string } {
  const [game = "", ...options] = key.split(" ");
  return {
    game,
    rules: options.map((one) => one.replace(/^.*?([^.=]+)=(.*)$/, "$1 $2").replaceAll("_", " ")).join(", "),
  };
}

export function opponents({ against = [] }: KeptResult): string {
  const counts = new Map<string, number>();
  for (const one of against) counts.set(playerTitle(one), (counts.get(playerTitle(one)) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${times} × ${name}` : name)).join(", ");
}

const byTime = (one: KeptResult, other: KeptResult): number => one.when - other.when;
const drawn = (results: readonly KeptResult[]): number => results.filter((one) => one.drawn).length;

/** Return every game that was played, the latest first. */
export function tallies(all: Readonly<Record<string, readonly KeptResult[]>>): Tally[] {
  const games = new Map<string, { results: KeptResult[]; lines: Line[] }>();
  for (const [key, results] of Object.entries(all)) {
    const { game, rules } = rulesOf(key);
    const found = games.get(game) ?? { results: [], lines: [] };
    games.set(game, found);
    found.results.push(...results);
    const parted = new Map<string, KeptResult[]>();
    for (const one of results) parted.set(opponents(one), [...(parted.get(opponents(one)) ?? []), one]);
    for (const [against, own] of parted) {
      const sum = streaks([...own].sort(byTime));
      const even = drawn(own);
      found.lines.push({
        ...sum,
        rules,
        against,
        drawn: even,
        lost: sum.played - sum.won - even,
        last: Math.max(...own.map((one) => one.when)),
      });
    }
  }
  return [...games]
    .map(([game, { results, lines }]) => {
      const sorted = [...results].sort(byTime);
      return {
        game,
        ...streaks(sorted),
        drawn: drawn(sorted),
        lines: lines.sort((one, other) => other.last - one.last),
        latest: sorted.slice(-LATEST).map(markOf),
      };
    })
    .sort((one, other) => (other.lines[0]?.last ?? 0) - (one.lines[0]?.last ?? 0));
}
