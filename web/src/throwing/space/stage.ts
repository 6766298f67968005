/**
 * The table in space: what stands there, a camera to look at it, a card that flies. Draws only when something
 * changed.
 */

import {
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Quaternion,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Spot, TableLayout, Theme } from "../../net/wire";
import type { Pose } from "../frames";
import { corners, type Vacancy } from "../geometry";
import { between, eye, fitted, type Seen, type Vector, type View } from "../orbit";
import type { Drawing } from "../verdict";
import { CardMesh, type Looks, PileMesh, Stock } from "./cards";
import { build, type Colours } from "./ground";
import { Overlay } from "./overlays";
import type { Mark, Paper } from "./paint";

const FIELD = 24; // degrees from the top of the picture to its bottom
const GLIDE_S = 0.55;
/** More pixels than these cost more than they show. */
const MOST_PIXELS = 2;

/** How much lower than the physics has it a card is drawn, and the lowest that its middle can be, in metres. */
const UNDER = 0.0003;
const LOWEST = 0.00025;

/** A card that stands on the table. */
export interface Standing3D extends Looks {
  readonly id: string;
  readonly name: string;
  readonly spot: Spot;
}

/** A pile that lies beside. */
export interface Pile3D extends Looks {
  readonly spot: Spot;
  readonly count: number;
}

/** All that the table looks like. */
export interface Look {
  readonly theme: Theme;
  readonly paper: Paper;
  readonly colours: Colours;
}

interface Glide {
  readonly from: View;
  readonly to: View;
  readonly start: number;
}

export class Stage {
  view: View | null = null;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(FIELD, 1, 0.03, 12);
  private readonly sun = new DirectionalLight("#fff6e8", 2.4);
  private readonly sky = new HemisphereLight("#ffffff", "#8d867b", 2);
  private readonly table = new Group();
  private readonly cards = new Group();
  private readonly path = new Overlay();
  private readonly verdict = new Overlay();
  private readonly byName = new Map<string, CardMesh>();
  private flyer: CardMesh | null = null;
  /** What cards and ground were made of, so that they are made again only where something is different. */
  private readonly printed = { cards: "", ground: "" };
  private grounds: { dispose(): void }[] = [];
  private stock: Stock | null = null;
  private glide: Glide | null = null;
  private asked = 0;
  /** The view that was drawn last, and whether the table was laid or resized since. */
  private drawn: View | null = null;
  private relaid = false;
  private readonly ids = new Map<CardMesh, string>();

  /**
   * Throws where there is no WebGL; `onlook` is called when the camera stands elsewhere, or what stands
   * there.
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly onlost: (lost: boolean) => void,
    private readonly onlook: () => void,
  ) {
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: true,
      alpha: true,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    // Shadows stay where they are while only the camera or a mark moves.
    this.renderer.shadowMap.autoUpdate = false;
    this.camera.up.set(0, 0, 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 5;
    this.scene.add(this.table, this.cards, this.path, this.verdict, this.sun, this.sun.target, this.sky);
    canvas.addEventListener("webglcontextlost", this.lost);
    canvas.addEventListener("webglcontextrestored", this.restored);
  }

  /** Lay the table again: its ground, and all that stands there. */
  lay(
    layout: TableLayout,
    standing: readonly Standing3D[],
    gaps: readonly Vacancy[],
    piles: readonly Pile3D[],
    look: Look,
    heading: number,
  ): void {
    this.clear();
    this.dye(look);
    this.spread(layout, gaps, look.colours, heading);
    for (const one of standing) {
      const card = this.put(one.id);
      card.dress(one);
      card.lie(one.spot);
      this.byName.set(one.name, card);
    }
    for (const pile of piles) this.cards.add(new PileMesh(this.stock as Stock, pile, pile.count, pile.spot));
    for (const gap of gaps) {
      // An empty place is touched like a card; nothing of it is drawn but its mark.
      const card = this.put(gap.id);
      card.lie(gap.spot, -0.0007);
      card.visible = card.shade.visible = false;
    }
    this.relaid = true;
    this.shade();
  }

  /** Mark what stands there, by item. */
  mark(marks: ReadonlyMap<string, Mark>): void {
    for (const [card, id] of this.ids) card.mark(marks.get(id) ?? null);
    this.paint();
  }

  /** Push what stands there to another place; all of it back where it stood with `lay`. */
  move(name: string, spot: Spot): void {
    this.byName.get(name)?.lie(spot);
    this.shade();
  }

  /** Show a card in the air, or at rest; null for none. */
  fly(looks: Looks | null, pose: Pose | null): void {
    const { stock } = this;
    if (!stock) return;
    const key = looks ? `${looks.face} ${looks.tone}` : "";
    if (this.flyer && (this.flyer.key !== key || !pose)) {
      this.cards.remove(this.flyer);
      this.flyer = null;
      this.shade();
    }
    if (looks && pose) {
      if (!this.flyer) {
        this.flyer = new CardMesh(stock);
        this.flyer.dress(looks);
        this.cards.add(this.flyer);
      }
      const [w, x, y, z] = pose.turn;
      // Cards are thinner here than for the physics: one on the table lies under the walls, one on a wall
      // over it.
      this.flyer.position.set(pose.x, pose.y, Math.max(pose.z - UNDER, LOWEST));
      this.flyer.quaternion.copy(new Quaternion(x, y, z, w));
      this.shade();
    }
    this.paint();
  }

  showPath(points: readonly (readonly [number, number, number, number])[]): void {
    this.path.path(points);
    this.paint();
  }

  showVerdict(drawing: Drawing | null, way: readonly Vector[] = []): void {
    if (drawing) this.verdict.verdict(drawing, way);
    else this.verdict.wipe();
    this.paint();
  }

  /** Look from another place; gliding there unless it has to be at once. */
  look(view: View, glide: boolean): void {
    this.glide = glide && this.view ? { from: this.view, to: view, start: performance.now() } : null;
    if (!this.glide) this.view = view;
    this.paint();
  }

  /** The same view so that all points of the table fit in, seen from as near as may be. */
  framed(view: View, points: readonly Seen[]): View {
    const upright = Math.tan((FIELD * Math.PI) / 360);
    return fitted(view, points, { upright, across: upright * this.camera.aspect });
  }

  /** Where all that may be touched stands in the picture: left, top, right and bottom as shares of it. */
  boxes(): Map<string, readonly [number, number, number, number]> {
    const boxes = new Map<string, readonly [number, number, number, number]>();
    for (const [card, id] of this.ids) {
      const { x, y } = card.position;
      const points = corners({ x, y, yaw: card.rotation.z }).map(([a, b]) =>
        new Vector3(a, b, 0).project(this.camera),
      );
      if (points.some(({ z }) => z > 1)) continue; // behind the eye
      const [xs, ys] = [points.map((point) => (point.x + 1) / 2), points.map((point) => (1 - point.y) / 2)];
      const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
      // What is out of the picture, or cut off by its edge, cannot be touched there.
      if (Math.min(box[0], box[1]) >= 0 && Math.max(box[2], box[3]) <= 1) boxes.set(id, box);
    }
    return boxes;
  }

  resize(width: number, height: number): void {
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(MOST_PIXELS, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.relaid = true;
    this.paint();
  }

  /** Ask for a picture; as many askers as there are before the next one share it. */
  paint(): void {
    this.asked ||= requestAnimationFrame(this.draw);
  }

  /** Ask for a picture in which the shadows are drawn again. */
  private shade(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.paint();
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.asked = -1; // nothing is drawn any more
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.canvas.removeEventListener("webglcontextrestored", this.restored);
    this.clear();
    for (const one of this.grounds) one.dispose();
    this.stock?.dispose();
    this.path.wipe();
    this.verdict.wipe();
    this.sun.dispose();
    this.sun.shadow.map?.dispose();
    this.renderer.dispose();
  }

  /** Print the cards again, where they look different. */
  private dye({ theme, paper }: Look): void {
    const print = JSON.stringify([theme, paper]);
    if (this.stock && print === this.printed.cards) return;
    this.stock?.dispose();
    this.stock = new Stock(theme, paper, this.renderer.capabilities.getMaxAnisotropy());
    this.printed.cards = print;
  }

  /** Spread the felt again, where it or what is printed on it is different. */
  private spread(layout: TableLayout, gaps: readonly Vacancy[], colours: Colours, heading: number): void {
    const { width, depth, chairs, pieces, stacks } = layout;
    const print = JSON.stringify([
      width,
      depth,
      chairs,
      stacks,
      pieces.map(({ seat, spot }) => [seat, spot]),
      gaps,
      { ...colours, tones: [...colours.tones], names: [...colours.names] },
      heading,
    ]);
    if (print === this.printed.ground) return;
    for (const one of this.grounds) one.dispose();
    this.table.clear();
    this.grounds = build(this.table, layout, gaps, colours, heading);
    this.light(layout, colours.dark, heading);
    this.printed.ground = print;
  }

  private put(id: string): CardMesh {
    const card = new CardMesh(this.stock as Stock);
    this.ids.set(card, id);
    this.cards.add(card, card.shade, card.ring);
    return card;
  }

  private clear(): void {
    this.cards.clear();
    this.byName.clear();
    this.ids.clear();
    this.flyer = null;
  }

  /** Light falls over the thrower's left shoulder; its shadows are as sharp as the table is small. */
  private light({ width, depth }: TableLayout, dark: boolean, heading: number): void {
    const reach = Math.hypot(width, depth) / 2 + 0.1;
    const [s, c] = [Math.sin(heading), Math.cos(heading)];
    const [x, y] = [-0.55, -0.35];
    this.sun.position.set((x * c - y * s) * reach * 2, (x * s + y * c) * reach * 2, reach * 2.2);
    Object.assign(this.sun.shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.1,
      far: reach * 5,
    });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.sun.intensity = dark ? 1.8 : 2.4;
    this.sky.intensity = dark ? 1.35 : 2;
    this.sky.groundColor = new Color(dark ? "#4a4741" : "#8d867b");
  }

  private readonly draw = (now: number): void => {
    this.asked = 0;
    if (this.glide) {
      const share = Math.min(1, Math.max(0, (now - this.glide.start) / 1000 / GLIDE_S));
      this.view = between(this.glide.from, this.glide.to, 1 - (1 - share) ** 3);
      if (share === 1) this.glide = null;
      else this.paint();
    }
    if (!this.view) return;
    this.camera.position.set(...(eye(this.view) as [number, number, number]));
    // Straight above, "up" in the picture is where one looks to, not the sky.
    this.camera.up.set(-Math.sin(this.view.heading), Math.cos(this.view.heading), 0);
    if (this.view.pitch < 1.2) this.camera.up.set(0, 0, 1);
    this.camera.lookAt(new Vector3(...this.view.target));
    this.camera.updateMatrixWorld();
    this.renderer.render(this.scene, this.camera);
    if (this.view === this.drawn && !this.relaid) return;
    this.drawn = this.view;
    this.relaid = false;
    this.onlook();
  };

  private readonly lost = (event: Event): void => {
    event.preventDefault(); // it may come back
    this.onlost(true);
  };

  private readonly restored = (): void => {
    this.onlost(false);
    this.shade();
  };
}
