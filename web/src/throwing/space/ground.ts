/** Build the table itself: felt, what is printed on it, the wooden rim. */

import {
  CanvasTexture,
  ExtrudeGeometry,
  type Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Path,
  PlaneGeometry,
  RepeatWrapping,
  Shape,
  ShapeGeometry,
  SRGBColorSpace,
  type Texture,
} from "three";
import type { TableLayout } from "../../net/wire";
import { atChair, corners, fromChair, type Vacancy } from "../geometry";

/** Metres of felt around the play area, and of wood around that. */
const FELT = 0.05;
const RIM = 0.035;
const HEIGHT = 0.022;
/** Pixels of the printed sheet for each metre. */
const SHARPNESS = 1400;

export interface Colours {
  readonly dark: boolean;
  /** The felt, as CSS writes a colour. */
  readonly felt: string;
  readonly tones: ReadonlyMap<number, string>;
  readonly names: ReadonlyMap<number, string>;
}

function rounded<S extends Shape | Path>(shape: S, width: number, depth: number, radius: number): S {
  const [w, d] = [width / 2, depth / 2];
  shape.moveTo(-w + radius, -d);
  shape.lineTo(w - radius, -d);
  shape.absarc(w - radius, -d + radius, radius, -Math.PI / 2, 0, false);
  shape.lineTo(w, d - radius);
  shape.absarc(w - radius, d - radius, radius, 0, Math.PI / 2, false);
  shape.lineTo(-w + radius, d);
  shape.absarc(-w + radius, d - radius, radius, Math.PI / 2, Math.PI, false);
  shape.lineTo(-w, -d + radius);
  shape.absarc(-w + radius, -d + radius, radius, Math.PI, 1.5 * Math.PI, false);
  return shape;
}

export const roundedShape = (width: number, depth: number, radius: number): Shape =>
  rounded(new Shape(), width, depth, radius);

/**
 * A texture that repeats: fibres of felt, or the grain of wood. The same numbers every time, so that pictures
 * can be compared.
 */
function grain(wood: boolean): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  let seed = 7;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  pen.fillStyle = wood ? "#c9c1b6" : "#ececec";
  pen.fillRect(0, 0, 256, 256);
  for (let n = 0; n < (wood ? 420 : 15000); n++) {
    const [x, y, light] = [random() * 256, random() * 256, random()];
    pen.strokeStyle =
      light > 0.5 ? `rgb(255 255 255 / ${wood ? 0.12 : 0.16})` : `rgb(0 0 0 / ${wood ? 0.14 : 0.1})`;
    pen.lineWidth = wood ? 0.6 + random() * 1.4 : 0.8;
    const angle = random() * 2 * Math.PI;
    pen.beginPath();
    pen.moveTo(x, y);
    if (wood)
      pen.bezierCurveTo(
        x + 50,
        y + random() * 6 - 3,
        x + 90,
        y + random() * 6 - 3,
        x + 160,
        y + random() * 4 - 2,
      );
    else pen.lineTo(x + 3 * Math.cos(angle), y + 3 * Math.sin(angle));
    pen.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** What is printed on the felt: the play area, each fort's ground in its owner's colour, the empty places. */
function print(layout: TableLayout, gaps: readonly Vacancy[], colours: Colours, heading: number): Texture {
  const canvas = document.createElement("canvas");
  const scale = Math.min(SHARPNESS, 3000 / Math.max(layout.width, layout.depth));
  canvas.width = Math.round((layout.width + 2 * FELT) * scale);
  canvas.height = Math.round((layout.depth + 2 * FELT) * scale);
  const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
  // From metres, y away, to pixels, y downwards.
  pen.setTransform(scale, 0, 0, -scale, canvas.width / 2, canvas.height / 2);
  pen.lineJoin = "round";
  pen.strokeStyle = "rgb(255 255 255 / 0.32)";
  pen.lineWidth = 0.0022;
  pen.beginPath();
  pen.roundRect(-layout.width / 2, -layout.depth / 2, layout.width, layout.depth, 0.03);
  pen.stroke();
  pen.lineWidth = 0.0008;
  pen.beginPath();
  pen.roundRect(
    -layout.width / 2 + 0.006,
    -layout.depth / 2 + 0.006,
    layout.width - 0.012,
    layout.depth - 0.012,
    0.025,
  );
  pen.stroke();
  for (const chair of layout.chairs) {
    const own = [
      ...layout.pieces.filter((piece) => piece.seat === chair.seat),
      ...gaps.filter((gap) => gap.seat === chair.seat),
    ];
    const around = [chair.castle, ...own.map((one) => one.spot)]
      .flatMap((spot) => corners(spot))
      .map((corner) => fromChair(chair, corner));
    const pad = 0.02;
    const [left, right] = [
      Math.min(...around.map(([x]) => x)) - pad,
      Math.max(...around.map(([x]) => x)) + pad,
    ];
    const [near, far] = [
      Math.min(...around.map(([, y]) => y)) - pad,
      Math.max(...around.map(([, y]) => y)) + pad,
    ];
    const tone = colours.tones.get(chair.seat) ?? "#888";
    pen.save();
    pen.translate(chair.castle.x, chair.castle.y);
    pen.rotate(chair.castle.yaw);
    pen.beginPath();
    pen.roundRect(left, near, right - left, far - near, 0.018);
    pen.globalAlpha = 0.16;
    pen.fillStyle = tone;
    pen.fill();
    pen.globalAlpha = 0.75;
    pen.strokeStyle = tone;
    pen.lineWidth = 0.003;
    pen.stroke();
    pen.globalAlpha = 0.35;
    pen.strokeStyle = "#fff";
    pen.lineWidth = 0.0009;
    pen.stroke();
    pen.restore();
    const faces = Math.cos(heading - chair.castle.yaw) < 0;
    label(
      pen,
      colours.names.get(chair.seat) ?? "",
      atChair(chair, [(left + right) / 2, near + 0.022]),
      heading,
      faces,
    );
  }
  pen.globalAlpha = 1;
  for (const { spot } of layout.stacks) {
    pen.save();
    pen.translate(spot.x, spot.y);
    pen.rotate(spot.yaw);
    pen.strokeStyle = "rgb(255 255 255 / 0.3)";
    pen.lineWidth = 0.0009;
    pen.beginPath();
    pen.roundRect(-0.0635 / 2, -0.0475, 0.0635, 0.095, 0.004);
    pen.stroke();
    pen.restore();
  }
  for (const gap of gaps) {
    pen.save();
    pen.translate(gap.spot.x, gap.spot.y);
    pen.rotate(gap.spot.yaw);
    pen.strokeStyle = "rgb(255 255 255 / 0.42)";
    pen.lineWidth = 0.0014;
    pen.setLineDash([0.006, 0.0045]);
    pen.beginPath();
    pen.roundRect(-0.0635 / 2, -0.0475, 0.0635, 0.095, 0.004);
    pen.fillStyle = "rgb(0 0 0 / 0.1)";
    pen.fill();
    pen.stroke();
    pen.restore();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

/**
 * Write a name, legible to the viewer, on the right of its castle as its owner sees it. The owner may be
 * facing the viewer.
 */
function label(
  pen: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [number, number],
  heading: number,
  faces: boolean,
): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(heading);
  pen.scale(0.001, -0.001); // a millimetre a unit, and upright
  pen.font = '600 19px "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif';
  pen.textBaseline = "middle";
  pen.fillStyle = "#fff";
  pen.globalAlpha = 0.62;
  pen.letterSpacing = "3px";
  pen.textAlign = faces ? "right" : "left";
  pen.fillText(text.toUpperCase(), faces ? -74 : 74, 0, 240);
  pen.restore();
}

/** Put the table into a group; returns all that has to be given back. */
export function build(
  group: Group,
  layout: TableLayout,
  gaps: readonly Vacancy[],
  colours: Colours,
  heading: number,
): { dispose(): void }[] {
  const [width, depth] = [layout.width + 2 * FELT, layout.depth + 2 * FELT];
  const fibres = grain(false);
  fibres.repeat.set(9, 9);
  const veins = grain(true);
  veins.repeat.set(3, 12);
  const feltMaterial = new MeshLambertMaterial({
    color: colours.felt,
    map: fibres,
  });
  const cloth = new ShapeGeometry(roundedShape(width, depth, 0.05), 10);
  const felt = new Mesh(cloth, feltMaterial);
  felt.receiveShadow = true;
  const frame = roundedShape(width + 2 * RIM, depth + 2 * RIM, 0.05 + RIM);
  frame.holes.push(rounded(new Path(), width, depth, 0.05));
  const bevel = 0.006;
  const rim = new ExtrudeGeometry(frame, {
    depth: HEIGHT,
    bevelEnabled: true,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelSegments: 4,
    curveSegments: 12,
  });
  const wood = new MeshLambertMaterial({
    color: colours.dark ? "#4a3321" : "#7a5334",
    map: veins,
  });
  const ring = new Mesh(rim, wood);
  ring.position.z = -HEIGHT + 0.008;
  ring.castShadow = ring.receiveShadow = true;
  const printed = print(layout, gaps, colours, heading);
  const sheet = new PlaneGeometry(width, depth);
  const ink: Material = new MeshBasicMaterial({
    map: printed,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
    opacity: colours.dark ? 0.75 : 1,
  });
  const lines = new Mesh(sheet, ink);
  lines.position.z = 0.00005;
  group.add(felt, ring, lines);
  return [fibres, veins, feltMaterial, cloth, rim, wood, printed, sheet, ink];
}
