/** Fill in what the server leaves out because it has its default. */

import type * as w from "./wire";

type Loose = Record<string, unknown>;

const list = <T>(value: unknown, each: (part: Loose) => T): T[] =>
  Array.isArray(value) ? value.map((part) => each(part as Loose)) : [];

/** Lay what was given over the defaults; the wire's shape is the server's promise. */
const fill = <T>(defaults: Loose, given: Loose): T => ({ ...defaults, ...given }) as T;

const part = (value: unknown): Loose => (value ?? {}) as Loose;

const slot = (given: Loose): w.Slot => fill({ kind: "", suit: "", bonus: "", works: false }, given);

const item = (given: Loose): w.Item =>
  fill(
    { face: "", back: "", peek: "", label: "", at: "", owner: 0, flags: [], badge: "", note: "", ...given },
    { course: given.course ? fill<w.Course>({ turns: 0, marks: {}, answers: [] }, part(given.course)) : null },
  );

const fact = (given: Loose): w.Fact => fill({ note: "" }, given);

const region = (given: Loose): w.Region => fill({ owners: [], label: "", ...given }, { figures: list(given.figures, fact) });

const layout = (given: Loose): w.Layout =>
  fill({ area: "", direction: "row", size: "normal", columns: 0, rows: 0 }, given);

const zone = (given: Loose): w.Zone =>
  fill(
    { brief: "", owner: 0, count: 0, limit: 0, note: "", edge: [], ...given },
    {
      layout: layout(part(given.layout)),
      items: list(given.items, item),
      slots: list(given.slots, slot),
      regions: list(given.regions, region),
    },
  );

const choice = (given: Loose): w.Choice =>
  fill(
    { label: "", items: [], target: "", marks: {}, note: "", instead: {}, careful: false, confirm: "", extras: [] },
    given,
  );

const line = (given: Loose): w.LogLine => fill({ who: "", label: "", items: [], events: [] }, given);

const status = (given: Loose): w.Status =>
  fill({ round: 0, steps: [], step: 0, ...given }, { facts: list(given.facts, fact) });

const result = (given: Loose): w.Result => fill({ text: "", scores: [], clause: "", items: [] }, given);

const theme = (given: Loose): w.Theme =>
  fill(
    { accent: "", table: "", suits: {}, ranks: {}, back: "bartizan", grounds: {}, art: {}, bare: [], ...given },
    { liveries: list(given.liveries, (one) => fill<w.Livery>({ shape: "round" }, one)) },
  );

/** Return the whole scene for one that came over the wire. */
export function scene(value: unknown): w.Scene {
  const given = part(value);
  return fill(
    { areas: {}, paths: {}, standing: false, ...given },
    {
      extras: list(given.extras, (one) => fill<w.Extras>({ before: "", one: false }, one)),
      aids: list(given.aids, (aid) => fill<w.Aid>({ text: "", table: [], wheel: {} }, aid)),
      status: status(part(given.status)),
      zones: list(given.zones, zone),
      choices: list(given.choices, choice),
      log: list(given.log, line),
      result: given.result ? result(part(given.result)) : null,
      theme: theme(part(given.theme)),
    },
  );
}

export function refusal(value: unknown): w.Refusal {
  return fill({ clause: "", sentence: "", rule: "", blockers: [] }, part(value));
}

export function hint(value: unknown): w.Hint {
  return fill({ reason: "", chance: null, visits: 0 }, part(value));
}

export function analysed(value: unknown): w.Analysed {
  const given = part(value);
  const verdict = (one: Loose): w.Verdict => fill({ loss: 0, best: "", reason: "", choices: 1, thrown: false }, one);
  const analysis = (one: Loose): w.Analysis =>
    fill({ turning: 0, sentence: "", ...one }, { verdicts: list(one.verdicts, verdict) });
  return fill(given, { analysis: given.analysis ? analysis(part(given.analysis)) : null });
}

const preparation = (value: unknown): w.Preparation | null =>
  value ? fill({ done: 0, total: 0, seconds: null }, part(value)) : null;

export function game(value: unknown): w.GameInfo {
  const given = part(value);
  const option = (one: Loose): w.OptionInfo =>
    fill({ sentence: "", values: [], low: null, high: null, worth_comparing: false }, one);
  const base = { author: "", summary: "", min_seats: 1, max_seats: 1, players: [], opponent: "", levels: [] };
  return fill({ ...base, ...given }, { options: list(given.options, option), preparation: preparation(given.preparation) });
}

export function rules(value: unknown): w.Rules {
  const given = part(value);
  const clause = (one: Loose): w.ClauseInfo => fill({ title: "", section: "", ruling: "" }, one);
  return fill({ title: "", author: "", ...given }, { clauses: list(given.clauses, clause) });
}

/** Return a server message with its scene, refusal or hints whole; null for what is no message. */
export function message(text: string): w.ServerMessage | null {
  let given: Loose;
  try {
    given = part(JSON.parse(text));
  } catch {
    return null;
  }
  switch (given.type) {
    case "sync":
      return fill<w.Sync>(
        {
          can_undo: false, can_redo: false, seed_hash: "", hints_used: 0, undos_used: 0, players: [],
          can_resign: false, can_offer_draw: false, draw_offer: 0, can_rematch: false, ...given,
        },
        { scene: scene(given.scene), rematch: fill({ asked: [], table: "", seats: [] }, part(given.rematch)) },
      );
    case "view":
      return fill(given, { scene: scene(given.scene) });
    case "refused":
      return fill(given, { refusal: refusal(given.refusal) });
    case "hint":
      return fill(given, { hints: list(given.hints, hint) });
    case "preparing":
      return fill(given, { preparation: preparation(given.preparation) });
    case "tick":
    case "present":
    case "thinking":
    case "ack":
    case "error":
    case "pong":
      return given as unknown as w.ServerMessage;
    default:
      return null;
  }
}
