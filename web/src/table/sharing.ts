/** What is passed on of a finished game: a few lines of text, a link to the same deal, a picture. */

import * as t from "../speech/dialogs";
import type { TableEntry } from "../net/store";
import type { Result, Setting } from "../net/wire";
import { dealWords } from "../lobby/known";
import { ME } from "../lobby/seating";
import { PERSON } from "../session/seats";
import { href } from "../ui/route";

export interface Told {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly string[];
  /** Empty where the deal cannot be passed on. */
  readonly link: string;
}

/** The seed that a record tells. */
export const seedOf = (record: string): string => /^seed = "([0-9a-f]{1,32})"$/m.exec(record)?.[1] ?? "";

/** A link to the same deal, for a game that one person played alone or against programs. */
export function dealLink(
  entry: TableEntry,
  players: readonly string[],
  seed: string,
  origin: string,
): string {
  if (players.filter((one) => one === PERSON).length > 1 || (!seed && !entry.date)) return "";
  const sitters = players.map((one, at) => (at + 1 === entry.seat || one === PERSON ? ME : one));
  const own = entry.date ? { options: {}, sitters: [] } : { options: entry.options, sitters };
  const deal = dealWords({ date: entry.date, seed, ...own });
  return origin + href({ page: "play", game: entry.game, deal });
}

export const lines = ({ title, headline, facts, link }: Told): string =>
  [t.bartizanTitle(title), headline, facts.join(" · "), link].filter(Boolean).join("\n");

const WIDE = 1200;
const HIGH = 630;

async function loaded(address: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = address;
  return image.decode().then(
    () => image,
    () => null,
  );
}

/** Draw a card with the game's picture above and the result below, 1200 × 630. */
export async function drawn(told: Told, picture: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = HIGH;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = "#1d372e";
  pen.fillRect(0, 0, WIDE, HIGH);
  const image = picture ? await loaded(picture) : null;
  if (image) pen.drawImage(image, 560, 0, 860, 430);
  const fade = pen.createLinearGradient(560, 0, 860, 0);
  fade.addColorStop(0, "#1d372e");
  fade.addColorStop(1, "#1d372e00");
  pen.fillStyle = fade;
  pen.fillRect(558, 0, 302, 430);
  await document.fonts.load('600 84px "Grenze"').catch(() => undefined);
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif") || "serif";
  const write = (text: string, y: number, size: number, colour: string, weight = 600, face = serif): void => {
    pen.fillStyle = colour;
    for (let fits = size; ; fits -= 4) {
      pen.font = `${weight} ${fits}px ${face}`;
      if (pen.measureText(text).width <= WIDE - 144 || fits <= 24) break;
    }
    pen.fillText(text, 72, y);
  };
  write("Bartizan", 116, 44, "#f3e7c9b0");
  write(told.title, 210, 88, "#f3e7c9");
  write(told.headline, 500, 76, "#ffffff");
  write(told.facts.join("  ·  "), 566, 34, "#f3e7c9", 400, "system-ui, sans-serif");
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The facts about a result, in addition to its headline. */
export function factsOf(
  setting: Setting,
  result: Result,
  { round, plies, hints, undos }: { round: number; plies: number; hints: number; undos: number },
  opponents: string,
): string[] {
  const points =
    result.outcome.points.length > 1 && setting.seats > 1 ? result.outcome.points.join(" : ") : "";
  const aids = [hints ? t.hintsUsed(hints) : t.noHints, undos ? t.undone(undos) : ""];
  return [opponents, points, round ? t.roundsPlayed(round) : "", t.decisionsTaken(plies), ...aids].filter(
    Boolean,
  );
}
