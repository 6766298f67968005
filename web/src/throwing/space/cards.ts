/** Build cards in space: a thin body that casts a shadow, with a face on one side and a back on the other. */

import {
  CanvasTexture,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  ShapeGeometry,
  SRGBColorSpace,
  type Texture,
} from "three";
import type { Spot, Theme } from "../../net/wire";
import { CARD } from "../geometry";
import { roundedShape } from "./ground";
import { MARGIN, type Mark, paintBack, paintFace, paintMark, paintShade, type Paper, SIZE } from "./paint";

/** As thick as a card is for the physics' contacts; a real one would not be seen from the side. */
export const THICK = 0.0006;
const RADIUS = 0.0032;
/** Metres for each unit of a drawing. */
const UNIT = CARD.width / 100;

/** What a card looks like. */
export interface Looks {
  /** What lies up; none for a card that lies face down. */
  readonly face: string;
  readonly tone: string;
}

/** A card, and what lies beneath and around it. */
export class CardMesh extends Group {
  private readonly body: Mesh;
  private readonly faces: Mesh[];
  readonly shade: Mesh;
  readonly ring: Mesh;
  key = "";

  constructor(private readonly stock: Stock) {
    super();
    this.body = new Mesh(stock.body, stock.paper);
    this.body.castShadow = true;
    this.body.receiveShadow = true;
    this.faces = [1, -1].map((way) => {
      const mesh = new Mesh(stock.side, stock.paper);
      mesh.position.z = (way * THICK) / 2 + way * 0.00004;
      if (way < 0) mesh.rotation.y = Math.PI;
      mesh.receiveShadow = true;
      return mesh;
    });
    this.shade = new Mesh(stock.shadePlane, stock.shade);
    this.ring = new Mesh(stock.markPlane, stock.shade);
    this.ring.visible = false;
    this.ring.renderOrder = 2;
    this.add(this.body, ...this.faces);
  }

  /** Lay a face up, or the back. */
  dress({ face, tone }: Looks): void {
    this.key = `${face} ${tone}`;
    const [up, down] = this.faces as [Mesh, Mesh];
    up.material = face ? this.stock.face(face) : this.stock.back(tone);
    down.material = face ? this.stock.back(tone) : this.stock.blank;
  }

  /** Lie flat, so many cards high. */
  lie({ x, y, yaw }: Spot, height = 0): void {
    this.position.set(x, y, THICK / 2 + 0.0001 + height);
    this.rotation.set(0, 0, yaw);
    for (const [flat, z] of [
      [this.shade, 0.0001],
      [this.ring, 0.0012 + height],
    ] as const) {
      flat.position.set(x, y, z);
      flat.rotation.set(0, 0, yaw);
    }
  }

  mark(kind: Mark | null): void {
    this.ring.visible = kind !== null;
    if (kind) this.ring.material = this.stock.mark(kind);
  }
}

/** Each card of a pile is drawn so thick: a little more than a real one, so that a dozen are seen to be some. */
const THIN = 0.0004;
/** A pile is drawn in layers of so many cards; those that lie face up lie less neatly. */
const LAYER = 4;

/** Cards in a pile: layers that do not lie quite straight, and what lies on top. */
export class PileMesh extends Group {
  constructor(stock: Stock, { face, tone }: Looks, count: number, { x, y, yaw }: Spot) {
    super();
    const layers = Math.ceil(count / LAYER);
    for (let n = 0; n < layers; n++) {
      const height = Math.min(LAYER, count - n * LAYER) * THIN;
      const layer = new Mesh(stock.body, stock.paper);
      layer.scale.z = (height * 0.94) / THICK; // a line of shadow between the layers
      layer.position.z = n * LAYER * THIN + height / 2;
      layer.rotation.z = astray(n) * (face ? 0.07 : 0.012);
      layer.castShadow = layer.receiveShadow = true;
      this.add(layer);
    }
    const top = new Mesh(stock.side, face ? stock.face(face) : stock.back(tone));
    top.position.z = count * THIN + 0.00005;
    top.rotation.z = astray(layers - 1) * (face ? 0.07 : 0.012);
    top.receiveShadow = true;
    const shade = new Mesh(stock.shadePlane, stock.shade);
    shade.position.z = 0.0001;
    this.add(top, shade);
    this.position.set(x, y, 0);
    this.rotation.z = yaw;
  }
}

/** From -1 to 1, by the layer: a pile always lies as it lay. */
const astray = (layer: number): number => ((layer * 37 + 11) % 17) / 8 - 1;

/** What all cards share, made once and given back together. */
export class Stock {
  readonly body = new ExtrudeGeometry(roundedShape(CARD.width, CARD.height, RADIUS), {
    depth: THICK,
    bevelEnabled: false,
    curveSegments: 5,
  }).translate(0, 0, -THICK / 2);
  readonly side = mapped(
    new ShapeGeometry(roundedShape(CARD.width - 0.0002, CARD.height - 0.0002, RADIUS), 5),
  );
  readonly shadePlane = new PlaneGeometry((CARD.width * 132) / 100, (CARD.height * 182) / 150);
  readonly markPlane = new PlaneGeometry(CARD.width + 2 * MARGIN * UNIT, CARD.height + 2 * MARGIN * UNIT);
  readonly paper: MeshLambertMaterial;
  readonly blank: MeshLambertMaterial;
  readonly shade: MeshBasicMaterial;
  private readonly textures: Texture[] = [];
  private readonly materials = new Map<string, MeshLambertMaterial | MeshBasicMaterial>();

  constructor(
    private readonly theme: Theme,
    private readonly look: Paper,
    private readonly anisotropy: number,
  ) {
    this.paper = new MeshLambertMaterial({ color: look.ground });
    this.blank = new MeshLambertMaterial({ color: look.ground });
    this.shade = new MeshBasicMaterial({
      map: this.texture(paintShade()),
      transparent: true,
      opacity: 0.5,
      depthWrite: false,
    });
  }

  face(face: string): MeshLambertMaterial {
    return this.material(`face ${face}`, () => paintFace(face, this.theme, this.look));
  }

  back(tone: string): MeshLambertMaterial {
    return this.material(`back ${tone}`, () => paintBack(tone));
  }

  mark(kind: Mark): MeshBasicMaterial {
    const key = `mark ${kind}`;
    const known = this.materials.get(key) as MeshBasicMaterial | undefined;
    if (known) return known;
    const material = new MeshBasicMaterial({
      map: this.texture(paintMark(kind)),
      transparent: true,
      depthWrite: false,
    });
    this.materials.set(key, material);
    return material;
  }

  private material(key: string, paint: () => HTMLCanvasElement): MeshLambertMaterial {
    const known = this.materials.get(key) as MeshLambertMaterial | undefined;
    if (known) return known;
    const material = new MeshLambertMaterial({
      map: this.texture(paint()),
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -2,
    });
    this.materials.set(key, material);
    return material;
  }

  private texture(canvas: HTMLCanvasElement): Texture {
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    texture.anisotropy = this.anisotropy;
    this.textures.push(texture);
    return texture;
  }

  dispose(): void {
    for (const one of [
      this.body,
      this.side,
      this.shadePlane,
      this.markPlane,
      this.paper,
      this.blank,
      this.shade,
      ...this.textures,
      ...this.materials.values(),
    ])
      one.dispose();
  }
}

/** Spread a drawing over a card: from its lower left corner to its upper right. */
function mapped(geometry: ShapeGeometry): ShapeGeometry {
  const { position, uv } = geometry.attributes;
  if (position && uv)
    for (let n = 0; n < position.count; n++)
      uv.setXY(n, position.getX(n) / CARD.width + 0.5, position.getY(n) / CARD.height + 0.5);
  return geometry;
}

export { SIZE };
