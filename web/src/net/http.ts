/** Ask the server over HTTP; what goes wrong becomes one sentence. */

import { at } from "./base";
import { complete } from "./complete";
import type { components } from "./schema";
import type {
  Analysed,
  Flown,
  HitRates,
  GameList,
  NewTable,
  RangeThrow,
  Replay,
  Rules,
  TableLinks,
  ThrowPath,
  Throws,
} from "./wire";

type Schemas = components["schemas"];

export class Problem extends Error {
  constructor(
    sentence: string,
    /** Whether the same would be done a moment later: too much was asked at once. */
    readonly later = false,
  ) {
    super(sentence);
  }
}

/** Ask the server; a key travels in a header, as addresses are written into the logs of proxies. */
export async function ask(path: string, body?: unknown, key = ""): Promise<Response> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  let answer: Response;
  try {
    answer = await fetch(
      at(path),
      body === undefined
        ? { headers }
        : {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
          },
    );
  } catch {
    throw new Problem("The server isn’t responding. Is it still running?");
  }
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { sentence?: string };
  throw new Problem(problem.sentence ?? `The server answered ${answer.status}.`, answer.status === 429);
}

/** The installed games; `kept` where the server did not answer and the browser remembers what it told last. */
export async function games(): Promise<GameList & { kept: boolean }> {
  const answer = await ask("/api/games");
  return { ...complete("GameList", await answer.json()), kept: answer.headers.has("x-kept") };
}

const rulebooks = new Map<string, Promise<Rules>>();

export function rules(game: string): Promise<Rules> {
  const known =
    rulebooks.get(game) ??
    ask(`/api/games/${encodeURIComponent(game)}/rules`).then(async (answer) =>
      complete("Rules", await answer.json()),
    );
  rulebooks.set(game, known);
  known.catch(() => rulebooks.delete(game));
  return known;
}

export async function newTable(wanted: NewTable): Promise<TableLinks> {
  return (await (await ask("/api/tables", wanted)).json()) as TableLinks;
}

export async function record(table: string, token: string): Promise<string> {
  return (await ask(`/api/tables/${encodeURIComponent(table)}/record`, undefined, token)).text();
}

/** Ask for the review of a finished game; answers with the progress after a second, or with the result. */
export async function analysis(table: string, token: string): Promise<Analysed> {
  return complete(
    "Analysed",
    await (await ask(`/api/tables/${encodeURIComponent(table)}/analysis`, undefined, token)).json(),
  );
}

export async function replay(record: string, seat = 0): Promise<Replay> {
  return complete("Replay", await (await ask("/api/replay", { record, seat })).json());
}

let forms: Promise<Throws> | undefined;

/** How cards can be thrown; the same for as long as the page is open. */
export function throws(): Promise<Throws> {
  forms ??= ask("/api/throws").then(async (answer) => complete("ThrowForm", await answer.json()));
  forms.catch(() => (forms = undefined));
  return forms;
}

/** The undisturbed flight of a throw: time in seconds, x, y, z in metres. */
export async function throwPath(thought: ThrowPath): Promise<Schemas["Path"]["points"]> {
  return ((await (await ask("/api/throws/path", thought)).json()) as Schemas["Path"]).points;
}

/** Throw a card at the range. */
export async function throwCard(wanted: RangeThrow): Promise<Flown> {
  return complete("Flown", await (await ask("/api/throws", wanted)).json());
}

/** How often hands hit, by their level and the distance. */
export async function hitRates(): Promise<HitRates> {
  return (await ask("/api/throws/rates")).json() as Promise<HitRates>;
}
