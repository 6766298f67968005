/**
 * Draw the faces and backs of cards on canvases, in the look of things/Card.svelte, to be laid on cards in
 * space.
 */

import type { Theme } from "../../net/wire";
import { type Face, readFace } from "../../speech/faces";
import { shapeOf } from "../../things/shapes";
import { CARD } from "../geometry";

/** Units of a drawing: a card is 100 wide. */
const WIDE = 100;
const HIGH = (WIDE * CARD.height) / CARD.width;
const PIXELS = 4.6;
const ROUND = 5;
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif';

/** The width of a card's drawing in pixels, and its height. */
export const SIZE = [Math.round(WIDE * PIXELS), Math.round(HIGH * PIXELS)] as const;

export interface Paper {
  readonly ground: string;
  readonly edge: string;
}

/** A path of the page's sprite, which holds every shape once, in a square of 24. */
function pathsOf(id: string): { path: Path2D; rule: CanvasFillRule }[] {
  return [...document.querySelectorAll<SVGPathElement>(`symbol#${CSS.escape(id)} path`)].map((one) => ({
    path: new Path2D(one.getAttribute("d") ?? ""),
    rule: one.getAttribute("fill-rule") === "evenodd" ? "evenodd" : "nonzero",
  }));
}

function shape(pen: CanvasRenderingContext2D, id: string, x: number, y: number, size: number): void {
  pen.save();
  pen.translate(x - size / 2, y - size / 2);
  pen.scale(size / 24, size / 24);
  for (const { path, rule } of pathsOf(id)) pen.fill(path, rule);
  pen.restore();
}

/** The colour in which a suit is printed: the page's styles hold it. */
export function inkOf(colour: string): string {
  const probe = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  probe.setAttribute("class", "card");
  probe.dataset.colour = colour;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The colour of a seat: the page's styles hold it too. */
export function toneOf(colour: string | undefined): string {
  const probe = document.createElement("i");
  if (colour) probe.dataset.colour = colour;
  probe.style.color = "var(--tone, #2e4a6b)";
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function sheet(): { canvas: HTMLCanvasElement; pen: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = SIZE;
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  pen.scale(PIXELS, PIXELS);
  return { canvas, pen };
}

/** An index in a corner, where a perfect hit has to cover it: rank above suit, 3 mm in from the edges. */
function index(pen: CanvasRenderingContext2D, rank: string, suit: string): void {
  const [x, y] = [11.2, 6];
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  if (rank) {
    pen.font = `700 ${rank.length > 1 ? 15 : 18}px ${SERIF}`;
    pen.fillText(rank, x, y + 12.5);
  }
  if (suit) shape(pen, suit, x, rank ? y + 20 : y + 9, rank ? 10.5 : 14);
}

/** Draw a face: an index in each corner, and in the middle what is read from across the table. */
export function paintFace(face: string, theme: Theme, paper: Paper): HTMLCanvasElement {
  const { canvas, pen } = sheet();
  const read: Face = readFace(face, theme);
  pen.fillStyle = paper.ground;
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.strokeStyle = paper.edge;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(0.5, 0.5, WIDE - 1, HIGH - 1, ROUND);
  pen.stroke();
  const suit = read.kind === "tile" ? null : read.suit;
  const ink = suit ? inkOf(suit.colour) : "#23262b";
  const [rank, sign] =
    read.kind === "card"
      ? [read.rank, `shape-${shapeOf(read.suit)}`]
      : read.kind === "joker"
        ? ["★", suit ? `shape-${shapeOf(suit)}` : ""]
        : [read.text.length < 3 ? read.text : "", ""];
  pen.fillStyle = ink;
  for (const [mirror, flip] of [
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
  ] as const) {
    pen.save();
    // The lower two stand on their heads, as on every card; the right ones are moved, not mirrored.
    if (flip < 0) {
      pen.translate(WIDE, HIGH);
      pen.rotate(Math.PI);
    }
    if (mirror < 0) pen.translate(WIDE - 22.4, 0);
    index(pen, rank, sign);
    pen.restore();
  }
  pen.globalAlpha = 0.07;
  pen.beginPath();
  pen.roundRect(24, 30, 52, HIGH - 60, 6);
  pen.fill();
  pen.globalAlpha = 0.35;
  pen.strokeStyle = ink;
  pen.lineWidth = 0.8;
  pen.stroke();
  pen.globalAlpha = 1;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  if (read.kind === "tile") {
    pen.font = `700 ${read.text.length > 4 ? 20 : 32}px ${SERIF}`;
    pen.fillText(read.text, WIDE / 2, HIGH / 2 + 10, 48);
  } else if (rank) {
    pen.font = `700 ${rank.length > 1 ? 42 : 54}px ${SERIF}`;
    pen.fillText(rank, WIDE / 2, HIGH / 2 - 2);
    if (sign) shape(pen, sign, WIDE / 2, HIGH / 2 + 22, 34);
  } else shape(pen, sign, WIDE / 2, HIGH / 2, 44);
  return canvas;
}

/** Draw a back in its owner's colour, with the house's tower. */
export function paintBack(tone: string): HTMLCanvasElement {
  const { canvas, pen } = sheet();
  pen.fillStyle = "#fbf7ec";
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.fillStyle = tone;
  pen.beginPath();
  pen.roundRect(5, 5, WIDE - 10, HIGH - 10, 4);
  pen.fill();
  pen.save();
  pen.clip();
  pen.fillStyle = "#fff";
  pen.globalAlpha = 0.17;
  const tile = new Path2D("M1.5 12V4h2v2h1.6V4h1.8v2h1.6V4h2v8z");
  for (let x = 0; x < WIDE; x += 12)
    for (let y = 0; y < HIGH; y += 14) {
      pen.save();
      pen.translate(x, y);
      pen.fill(tile);
      pen.restore();
    }
  pen.restore();
  pen.strokeStyle = "rgb(255 255 255 / 0.45)";
  pen.lineWidth = 1;
  pen.beginPath();
  pen.roundRect(9.5, 9.5, WIDE - 19, HIGH - 19, 3);
  pen.stroke();
  pen.translate(0, (HIGH - 140) / 2);
  pen.fillStyle = tone;
  pen.strokeStyle = "rgb(255 255 255 / 0.55)";
  pen.beginPath();
  pen.arc(50, 70, 21, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.fillStyle = "rgb(255 255 255 / 0.88)";
  pen.fill(new Path2D("M38.5 58h5v4.5h4.2V58h4.6v4.5h4.2V58h5v11l-4 3.7v6.5l-3 5.8h-9l-3-5.8v-6.5l-4-3.7z"));
  return canvas;
}

/** How a card on the table is marked. */
export type Mark = "selected" | "live" | "target" | "over" | "hinted" | "blocker" | "dim";

/** The same colours as things/Thing.svelte has. */
const MARKS: Record<Mark, { stroke: string; glow: string; dash?: number[]; fill?: string }> = {
  selected: { stroke: "#ffffff", glow: "#1f5fd0" },
  live: { stroke: "#f4c95d", glow: "#f4c95d" },
  target: { stroke: "#f4c95d", glow: "#f4c95d", dash: [9, 6] },
  over: { stroke: "#ffffff", glow: "#f4c95d" },
  hinted: { stroke: "#7fe0ff", glow: "#7fe0ff" },
  blocker: { stroke: "#ff6b5e", glow: "#ff5a50", dash: [9, 6] },
  dim: { stroke: "transparent", glow: "transparent", fill: "rgb(20 24 22 / 0.35)" },
};

/** How much wider than the card a mark's drawing is, in units of the card on each side. */
export const MARGIN = 16;

/** Draw the mark of a card: a line around it that glows. */
export function paintMark(kind: Mark): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const scale = 2;
  canvas.width = (WIDE + 2 * MARGIN) * scale;
  canvas.height = (HIGH + 2 * MARGIN) * scale;
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  pen.scale(scale, scale);
  pen.translate(MARGIN, MARGIN);
  const { stroke, glow, dash, fill } = MARKS[kind];
  pen.beginPath();
  pen.roundRect(-3.5, -3.5, WIDE + 7, HIGH + 7, ROUND + 3);
  if (fill) {
    pen.fillStyle = fill;
    pen.fill();
    return canvas;
  }
  pen.shadowColor = glow;
  pen.shadowBlur = 12 * scale;
  pen.strokeStyle = kind === "selected" ? glow : stroke;
  pen.lineWidth = kind === "selected" ? 7 : 4.5;
  pen.setLineDash(dash ?? []);
  pen.stroke();
  pen.stroke();
  if (kind === "selected") {
    pen.shadowBlur = 0;
    pen.strokeStyle = stroke;
    pen.lineWidth = 3.5;
    pen.stroke();
  }
  return canvas;
}

/** Draw the shade that a lying card has around it. */
export function paintShade(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [132, 182];
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  pen.shadowColor = "rgb(0 0 0 / 0.9)";
  pen.shadowBlur = 14;
  pen.shadowOffsetX = 1000; // the shadow alone, not what casts it
  pen.fillRect(16 - 1000, 16, 100, 150);
  return canvas;
}
