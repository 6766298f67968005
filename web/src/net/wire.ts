/**
 * What travels between server and client: the types generated from openapi.json, under short names.
 *
 * Every field is there: the server leaves out those that have their default, complete.ts puts them back from
 * defaults.ts.
 */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Scene = Schemas["Scene"];
export type Zone = Schemas["Zone"];
export type Item = Schemas["Item"];
export type Slot = Schemas["Slot"];
export type Course = Schemas["Course"];
export type Region = Schemas["Region"];
export type Choice = Schemas["Choice"];
export type Contest = Schemas["Contest"];
export type Race = Schemas["Race"];
export type Line = Schemas["Line"];
export type Extras = Schemas["Extras"];
export type Status = Schemas["Status"];
export type Fact = Schemas["Fact"];
export type LogLine = Schemas["LogLine"];
export type Motion = Schemas["Motion"];
export type Result = Schemas["Result"];
export type ResultLine = Schemas["ResultLine"];
export type Layout = Schemas["Layout"];
export type Theme = Schemas["Theme"];
export type Livery = Schemas["Livery"];
export type Aid = Schemas["Aid"];
export type Setting = Schemas["Setting"];
export type VoidRound = Schemas["VoidRound"];
export type Outcome = Schemas["Outcome"];
export type Suit = Schemas["Suit"];
export type Refusal = Schemas["Refusal"];
export type Hint = Schemas["Hint"];
export type Verdict = Schemas["Verdict"];
export type Analysis = Schemas["Analysis"];
export type Analysed = Schemas["Analysed"];

export type Spot = Schemas["Spot"];
/** A card that stands or lies on a table at which cards are thrown. */
export type Standing = Schemas["Piece"];
export type Chair = Schemas["Chair"];
export type TableLayout = Schemas["TableLayout"];
export type Landing = Schemas["Landing"];
export type Flown = Schemas["Flown"];

/** One number of a throw's form, a way of throwing with all of its numbers, and how one may throw at all. */
export type ThrowField = Schemas["ThrowFieldInfo"];
export type HitRate = Schemas["HitRate"];
export type HitRates = Schemas["HitRates"];
export type ThrowingAids = Schemas["ThrowingAids"];
export type ThrowMethod = Schemas["ThrowMethodInfo"];
export type Throws = Schemas["ThrowForm"];
export type ThrowPath = Schemas["PathRequest"];
export type RangeThrow = Schemas["PracticeThrow"];

export type GameFault = Schemas["GameFault"];
export type GameList = Schemas["GameList"];
export type GameInfo = Schemas["GameInfo"];
export type OptionInfo = Schemas["OptionInfo"];
export type OptionValue = OptionInfo["default"];
export type ClauseInfo = Schemas["ClauseInfo"];
export type Preparation = Schemas["Preparation"];
export type Preparing = Schemas["Preparing"];
export type Rules = Schemas["Rules"];
export type TableLinks = Schemas["TableLinks"];
export type Replay = Schemas["Replay"];
/** A wish for a table; what is left out is as usual. */
export type NewTable = Partial<Schemas["NewTable"]> & Pick<Schemas["NewTable"], "game">;

export type LessonList = Schemas["LessonList"];
export type LessonInfo = Schemas["LessonInfo"];
export type LessonAnswer = Schemas["LessonAnswer"];
export type PuzzleList = Schemas["PuzzleList"];
/** A question of a learner; what is left out is as usual. */
export type LessonTry = Partial<Schemas["LessonTry"]>;

export type LabShelf = Schemas["LabShelf"];
export type LabAnswers = Schemas["LabAnswers"];
export type LabExperiment = Schemas["LabExperiment"];
/** A wish for an experiment; what is left out is as usual. */
export type LabRequest = Partial<Schemas["LabRequest"]> & Pick<Schemas["LabRequest"], "game" | "players">;

export type Agreement = Schemas["Agreement"];
export type ClockRule = Schemas["ClockRule"];
export type Person = Schemas["Person"];
export type ChatLine = Schemas["ChatLine"];
export type Emote = NonNullable<Schemas["Say"]["emote"]>;

export type Sync = Schemas["Sync"];
/** How a deal comes about, as far as it is told. */
export type Fair = Schemas["Fair"];
export type ServerMessage = Schemas["ServerMessage"];

/** A message without its id: the socket adds that. */
type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;

/** What may be asked of a table. Of what a message may leave out, it names only what it means. */
export type Request =
  | WithoutId<Exclude<Schemas["ClientMessage"], { type: "enter" | "hello" | "ping" | "why" }>>
  | (Pick<Schemas["Why"], "type"> & Partial<Pick<Schemas["Why"], "items" | "move">>);

export type ClientMessage =
  | Schemas["Enter"]
  | (Request & { id: string })
  | (Pick<Schemas["Hello"], "type"> & Partial<Schemas["Hello"]>)
  | Schemas["Ping"];
