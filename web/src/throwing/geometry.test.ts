import { describe, expect, it } from "vitest";
import type { Chair, Item, Spot, Standing, TableLayout, Zone } from "../net/wire";
import {
  atChair,
  CARD,
  chairOf,
  corners,
  covers,
  fromChair,
  isInside,
  pushed,
  targetsOf,
  vacancies,
} from "./geometry";

const chair = (seat: number, x: number, y: number, yaw: number): Chair => ({
  seat,
  side: seat,
  castle: { x, y, yaw },
  line: 0.09,
});
const piece = (name: string, spot: Spot, item = "", fixed = false): Standing => ({
  name,
  spot,
  seat: Number(name[0]),
  side: Number(name[0]),
  item,
  fixed,
  label: "",
});
const PITCH = 0.1585;

/** Two seats with three walls each, but for those that are missing. */
function duel(missing: readonly string[] = []): TableLayout {
  const seats = [1, 2].flatMap((seat) => {
    const way = seat === 1 ? -1 : 1;
    const yaw = seat === 1 ? 0 : Math.PI;
    return [
      ...[1, 2, 3].map((n) =>
        piece(`${seat}.wall${n}`, { x: -way * (n - 2) * PITCH, y: way * 0.2, yaw }, `${seat}-${n}`),
      ),
      piece(`${seat}.castle`, { x: 0, y: way * 0.355, yaw: yaw + Math.PI / 2 }, `${seat}.castle`, true),
    ].filter((one) => !missing.includes(one.name));
  });
  return {
    pieces: seats,
    chairs: [chair(1, 0, -0.355, 0), chair(2, 0, 0.355, Math.PI)],
    width: 1.2,
    depth: 1.3,
    stacks: [],
  };
}

const item = (id: string, at: string, flags: string[] = []): Item => ({
  id,
  face: id,
  back: "",
  peek: "",
  label: "",
  at,
  owner: 0,
  flags,
  badge: "",
  note: "",
  course: null,
});
const slot = (id: string) => ({ id, label: id, kind: "", suit: "", bonus: "", works: false });
function fort(seat: number, layout: TableLayout, moved: readonly string[] = []): Zone {
  const own = layout.pieces.filter((one) => one.seat === seat);
  return {
    id: `fort:${seat}`,
    kind: "slots",
    label: `Seat ${seat}`,
    brief: "",
    owner: seat,
    layout: { area: "", direction: "row", size: "normal", columns: 0, rows: 0 },
    slots: [...[1, 2, 3].map((n) => slot(`${seat}.${n}`)), slot(`keep${seat}`)],
    items: own.map((one) =>
      item(
        one.item,
        one.fixed ? `keep${seat}` : `${seat}.${one.name.at(-1)}`,
        moved.includes(one.name) ? ["moved"] : [],
      ),
    ),
    regions: [],
    edge: [],
    count: own.length,
    limit: 3,
    note: "",
    backdrop: "",
  };
}

describe("corners", () => {
  it("go around a card as it is turned", () => {
    const [low] = corners({ x: 0.1, y: 0.2, yaw: Math.PI / 2 });
    // The lower left corner of an upright card is the lower right one of a card turned a quarter
    // anticlockwise.
    expect(low![0]).toBeCloseTo(0.1 + CARD.height / 2, 9);
    expect(low![1]).toBeCloseTo(0.2 - CARD.width / 2, 9);
  });
});

describe("a chair's view", () => {
  it("has the right hand on the right for both sides of the table", () => {
    const { chairs } = duel();
    expect(fromChair(chairs[0]!, [0.1, 0])).toEqual([0.1, 0.355]);
    const other = fromChair(chairs[1]!, [0.1, 0]);
    expect(other[0]).toBeCloseTo(-0.1, 9);
    expect(other[1]).toBeCloseTo(0.355, 9);
  });

  it("goes there and back", () => {
    const one = chair(3, 0.3, -0.2, 2.1);
    const [x, y] = fromChair(one, atChair(one, [0.07, 0.4]));
    expect(x).toBeCloseTo(0.07, 9);
    expect(y).toBeCloseTo(0.4, 9);
  });

  it("is the first one's for a spectator", () => {
    expect(chairOf(duel(), 0)?.seat).toBe(1);
    expect(chairOf(duel(), 2)?.seat).toBe(2);
    expect(targetsOf(duel(), duel().chairs[1]!).every((one) => one.side === 1)).toBe(true);
  });
});

describe("where a point is", () => {
  it("is on a card, or off the play area", () => {
    const spot = { x: 0, y: 0, yaw: Math.PI / 2 };
    expect(covers(spot, [0.04, 0])).toBe(true);
    expect(covers(spot, [0, 0.04])).toBe(false);
    expect(isInside(duel(), [0.59, 0.64])).toBe(true);
    expect(isInside(duel(), [0.61, 0])).toBe(false);
  });
});

describe("vacancies", () => {
  it("lie where the same slot of another fort has its wall", () => {
    const layout = duel(["2.wall3"]);
    const [gap, second] = vacancies(layout, [fort(1, layout), fort(2, layout)]);
    expect(second).toBeUndefined();
    expect(gap).toMatchObject({ id: "2.3", seat: 2 });
    expect(gap!.spot.x).toBeCloseTo(-PITCH, 9);
    expect(gap!.spot.y).toBeCloseTo(0.2, 9);
  });

  it("are not misled by a wall that was pushed", () => {
    const layout = duel(["2.wall3"]);
    const stray = layout.pieces.find((one) => one.name === "1.wall3")!;
    stray.spot = { x: 0.4, y: 0, yaw: 1 };
    const [gap] = vacancies(layout, [fort(1, layout, ["1.wall3"]), fort(2, layout)]);
    // No fort tells it: the rules' measures do, to some millimetres.
    expect(gap!.spot.x).toBeCloseTo(-PITCH, 3);
    expect(gap!.spot.y).toBeCloseTo(0.2, 2);
  });

  it("are none where all walls stand", () => {
    const layout = duel();
    expect(vacancies(layout, [fort(1, layout), fort(2, layout)])).toEqual([]);
  });
});

it("pushed walls without a turn are not turned", () => {
  const flown = { moved: [["2.wall1", { x: 1, y: 2 }]] } as never;
  expect(pushed(flown).get("2.wall1")).toEqual({ x: 1, y: 2, yaw: 0 });
});
