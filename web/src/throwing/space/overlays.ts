/** Draw in space what is no thing: the path that a card would take, and the verdict on one that was thrown. */

import {
  CatmullRomCurve3,
  CircleGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  LineLoop,
  BufferGeometry,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  Shape,
  ShapeGeometry,
  TubeGeometry,
  Vector3,
  type ColorRepresentation,
} from "three";
import type { Drawing } from "../verdict";
import type { Point } from "../geometry";

/** Just over what lies on the table. */
const OVER = 0.0022;

/** A group that gives back what it held when it is drawn again. */
export class Overlay extends Group {
  private held: { dispose(): void }[] = [];

  wipe(): void {
    for (const one of this.held) one.dispose();
    this.held = [];
    this.clear();
  }

  private mesh(
    geometry: BufferGeometry,
    color: ColorRepresentation,
    opacity: number,
    seeThrough = false,
  ): Mesh {
    const material = new MeshBasicMaterial({
      color,
      opacity,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      depthTest: !seeThrough,
    });
    this.held.push(geometry, material);
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = seeThrough ? 6 : 4;
    this.add(mesh);
    return mesh;
  }

  private area(outline: readonly Point[], color: ColorRepresentation, opacity: number, z: number): void {
    const shape = new Shape();
    outline.forEach(([x, y], n) => (n ? shape.lineTo(x, y) : shape.moveTo(x, y)));
    this.mesh(new ShapeGeometry(shape), color, opacity, true).position.z = z;
  }

  /** A line of some thickness along points. */
  private rope(
    points: readonly Vector3[],
    color: ColorRepresentation,
    radius: number,
    opacity: number,
    closed = false,
    seeThrough = false,
  ): void {
    if (points.length < 2) return;
    const curve = new CatmullRomCurve3([...points], closed, "centripetal");
    this.mesh(
      new TubeGeometry(curve, Math.min(160, points.length * 4), radius, 6, closed),
      color,
      opacity,
      seeThrough,
    );
  }

  /** A line as thin as the screen has it around an outline. */
  private thread(outline: readonly Point[], color: ColorRepresentation, z: number): void {
    const geometry = new BufferGeometry().setFromPoints(outline.map(([x, y]) => new Vector3(x, y, z)));
    const material = new LineBasicMaterial({ color, depthTest: false, transparent: true });
    this.held.push(geometry, material);
    const line = new LineLoop(geometry, material);
    line.renderOrder = 7;
    this.add(line);
  }

  private border(outline: readonly Point[], color: ColorRepresentation, radius: number, z: number): void {
    const edge = outline.flatMap(([x, y], n): Vector3[] => {
      const [nx, ny] = outline[(n + 1) % outline.length] as Point;
      // Near its corners a smooth curve would cut them: points close to them keep it there.
      return [0.02, 0.5, 0.98].map((share) => new Vector3(x + (nx - x) * share, y + (ny - y) * share, z));
    });
    this.rope(edge, color, radius, 1, true, true);
  }

  /** The undisturbed flight, its shadow on the table, and where it first comes down. */
  path(points: readonly (readonly [number, number, number, number])[]): void {
    this.wipe();
    if (points.length < 2) return;
    const step = Math.max(1, Math.floor(points.length / 40));
    const thin = points
      .filter((_, n) => n % step === 0 || n === points.length - 1)
      .map(([, x, y, z]) => new Vector3(x, y, Math.max(z, 0.001)));
    this.rope(thin, "#fff3cf", 0.0011, 0.95);
    const ground = new BufferGeometry().setFromPoints(thin.map(({ x, y }) => new Vector3(x, y, 0.0009)));
    const material = new LineBasicMaterial({ color: "#000000", transparent: true, opacity: 0.35 });
    this.held.push(ground, material);
    this.add(new Line(ground, material));
    const end = thin.at(-1) as Vector3;
    for (const [inner, outer, opacity] of [
      [0.011, 0.0125, 0.95],
      [0, 0.003, 0.95],
    ] as const) {
      const mark = this.mesh(
        inner ? new RingGeometry(inner, outer, 40) : new CircleGeometry(outer, 24),
        "#fff3cf",
        opacity,
        true,
      );
      mark.position.set(end.x, end.y, OVER);
    }
  }

  /** The verdict: what was touched first, what of which wall is covered, its corners. */
  verdict(
    { contact, overlaps, corners }: Drawing,
    way: readonly (readonly [number, number, number])[],
  ): void {
    this.wipe();
    this.rope(
      way.map(([x, y, z]) => new Vector3(x, y, z)),
      "#fff3cf",
      0.0008,
      0.45,
    );
    for (const { outline } of overlaps) {
      this.area(outline, "#f4c95d", 0.3, OVER + 0.001);
      this.border(outline, "#f4c95d", 0.0009, OVER + 0.0012);
    }
    for (const { outline, enough } of corners) {
      const colour = enough ? "#57d88d" : "#ff8a6b";
      this.area(outline, colour, 0.45, OVER + 0.0014);
      this.thread(outline, colour, OVER + 0.0016);
    }
    if (!contact) return;
    const colour = contact.clean ? "#57d88d" : "#ff6b5e";
    const [x, y, z] = contact.at;
    for (const [inner, outer] of [
      [0, 0.0028],
      [0.0065, 0.0078],
    ] as const) {
      const mark = this.mesh(
        inner ? new RingGeometry(inner, outer, 32) : new CircleGeometry(outer, 20),
        colour,
        1,
        true,
      );
      mark.position.set(x, y, Math.max(z, 0) + OVER);
    }
  }
}
