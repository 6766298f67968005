import { describe, expect, it } from "vitest";
import type { Flown, TableLayout, ThrowField, ThrowMethod } from "../net/wire";
import { encode } from "./frames";
import { allowed, carried, keyStep, moveText, spoken, standard, stepped, turningField } from "./form";
import { flung, pulled, released } from "./gesture";
import { aimed, distance, ownerIn, pieceName, whereabouts } from "./landing";
import { coverage, drawing, holds, indices } from "./verdict";

const field = (
  name: string,
  low: number,
  high: number,
  usual: number,
  step: number,
  unit = "°",
  least = 0,
): ThrowField => ({ name, label: name, unit, low, high, default: usual, step, sentence: "", least });
const lob: ThrowMethod = {
  name: "lob",
  label: "Lob",
  sentence: "",
  fields: [
    field("speed", 1.8, 3.2, 2.4, 0.05, "m/s"),
    field("azimuth", -50, 50, 0, 0.5),
    field("elevation", 40, 75, 55, 1),
    field("nose", -30, 60, 0, 1),
    field("offset", -0.14, 0.14, 0, 0.01, "m"),
    field("spin", -20, 20, 0, 1, "rad/s"),
  ],
};
const frisbee: ThrowMethod = {
  name: "frisbee",
  label: "Frisbee",
  sentence: "",
  fields: [
    field("speed", 1.4, 3.5, 2.2, 0.05, "m/s"),
    field("azimuth", -50, 50, 0, 0.5),
    field("spin", 30, 80, 60, 1, "rad/s"),
  ],
};
const flip: ThrowMethod = {
  name: "flip",
  label: "Flip",
  sentence: "",
  fields: [
    field("speed", 1.6, 3, 2.2, 0.05, "m/s"),
    field("tumble", -30, 30, 20, 0.5, "rad/s", 12),
    field("spin", -20, 20, 0, 1, "rad/s"),
  ],
};

describe("a form", () => {
  it("steps on its own grid, and stays within its range", () => {
    const [speed, azimuth] = lob.fields as [ThrowField, ThrowField];
    expect(stepped(speed, 2.4, 1)).toBe(2.45);
    expect(stepped(speed, 3.2, 5)).toBe(3.2);
    expect(stepped(azimuth, 3.7, 1)).toBe(4);
    expect(allowed(speed, Number.NaN)).toBe(2.4);
    expect(allowed(speed, 99)).toBe(3.2);
  });

  it("goes over what is too small either way", () => {
    const tumble = flip.fields[1]!;
    expect([stepped(tumble, 12, -1), stepped(tumble, -12, 1), stepped(tumble, -12, -1)]).toEqual([
      -12, 12, -12.5,
    ]);
    expect([allowed(tumble, 3), allowed(tumble, -3), allowed(tumble, -40)]).toEqual([12, -12, -30]);
  });

  it("is written as a move with at most three decimals", () => {
    expect(moveText("throw 6v", frisbee, { ...standard(frisbee), speed: 2.123456, azimuth: -1.5 })).toBe(
      "throw 6v frisbee speed 2.123 azimuth -1.5 spin 60",
    );
    expect(moveText("throw 6v", frisbee, standard(frisbee), true)).toBe(
      "throw 6v frisbee by pull speed 2.2 azimuth 0 spin 60",
    );
  });

  it("keeps the aim from method to method, not what means another thing there", () => {
    expect(carried({ speed: 3, azimuth: 7, spin: 9 }, frisbee)).toEqual({ speed: 2.2, azimuth: 7, spin: 60 });
  });

  it("says figures with their units", () => {
    const [speed, azimuth, , , offset, spin] = lob.fields as [
      ThrowField,
      ThrowField,
      ThrowField,
      ThrowField,
      ThrowField,
      ThrowField,
    ];
    expect([spoken(speed, 2.456), spoken(azimuth, -3.5), spoken(offset, -0.02), spoken(spin, -4)]).toEqual([
      "2.46 m/s",
      "−3.5°",
      "−2 cm",
      "−4 rad/s",
    ]);
  });

  it("knows what a key changes", () => {
    expect(keyStep(lob, "ArrowLeft", false)).toMatchObject({ field: { name: "azimuth" }, steps: -1 });
    expect(keyStep(lob, "ArrowUp", true)).toMatchObject({ field: { name: "speed" }, steps: 5 });
    expect(keyStep(flip, "PageDown", false)).toMatchObject({ field: { name: "tumble" }, steps: -1 });
    expect(keyStep(lob, "[", false)).toMatchObject({ field: { name: "nose" }, steps: -1 });
    expect(keyStep(frisbee, "[", false)).toBeNull();
    expect(keyStep(lob, "x", false)).toBeNull();
    expect(keyStep(lob, "constructor", false)).toBeNull();
  });

  it("turns what the method turns", () => {
    expect([turningField(lob)?.name, turningField(frisbee)?.name, turningField(flip)?.name]).toEqual([
      "spin",
      "spin",
      "tumble",
    ]);
  });
});

describe("a pull", () => {
  const straight = (dx: number, dy: number): [number, number][] =>
    [0, 0.25, 0.5, 0.75, 1].map((share) => [100 + share * dx, 200 + share * dy]);

  it("back to the left aims to the right, and its length is power", () => {
    const pull = pulled(straight(-100, 100), 200)!;
    expect(pull.azimuth).toBeCloseTo(22.5, 6);
    expect(pull.power).toBeCloseTo((Math.SQRT2 * 100 - 18) / 182, 6);
    expect(pull.curve).toBeCloseTo(0, 9);
    expect(pulled(straight(0, 900), 200)?.power).toBe(1);
  });

  it("is none when it is short, goes forward, or has come back", () => {
    expect(pulled(straight(3, 9), 200)).toBeNull();
    expect(pulled(straight(0, -80), 200)).toBeNull();
    expect(pulled([...straight(0, 120), [101, 203]], 200)).toBeNull();
    expect(pulled([], 200)).toBeNull();
  });

  it("bows to either side, and an unsteady hand bows not at all", () => {
    const bowed = (by: number): [number, number][] => [
      [0, 0],
      [by, 50],
      [0, 100],
    ];
    expect(pulled(bowed(5), 200)?.curve).toBe(0);
    expect(pulled(bowed(30), 200)!.curve).toBeGreaterThan(0.5);
    expect(pulled(bowed(-40), 200)?.curve).toBe(-1);
  });

  it("is a fling where the card was going forward, the faster the stronger", () => {
    const forward = (dx: number, dy: number): [number, number, number][] =>
      [0, 20, 40, 60, 80].map((ms) => [dx * ms, dy * ms, 1000 + ms]);
    const fling = flung(forward(1, -1), 1080)!;
    expect(fling.azimuth).toBeCloseTo(22.5, 6);
    expect(fling.curve).toBe(0);
    expect(fling.power).toBeGreaterThan(flung(forward(0.5, -0.5), 1080)!.power);
    expect(flung(forward(0, -9), 1080)?.power).toBe(1);
    expect(flung(forward(0, 1), 1080)).toBeNull(); // backwards
    expect(flung(forward(0, -0.1), 1080)).toBeNull(); // put down
    expect(flung(forward(0, -1), 1600)).toBeNull(); // held still at the end
    expect(flung([], 0)).toBeNull();
  });

  it("becomes a release within the method's ranges", () => {
    const release = released(lob, { ...standard(lob), elevation: 60 }, { power: 0.5, azimuth: 80, curve: 0 });
    expect(release).toEqual({ speed: 2.5, azimuth: 50, elevation: 60, nose: 0, offset: 0, spin: 0 });
  });

  it("turns more, less, or the other way round by its bow", () => {
    const turned = (method: ThrowMethod, curve: number): number =>
      released(method, standard(method), { power: 0, azimuth: 0, curve })[turningField(method)!.name]!;
    expect([turned(frisbee, 1), turned(frisbee, -1), turned(frisbee, 0)]).toEqual([80, 30, 60]);
    expect([turned(flip, 1), turned(flip, -0.5)]).toEqual([30, -25]);
    expect(turned(lob, -1)).toBe(-20);
  });
});

const layout: TableLayout = {
  pieces: [
    {
      name: "2.wall1",
      spot: { x: 0.1, y: 0.2, yaw: Math.PI },
      seat: 2,
      side: 2,
      item: "a",
      fixed: false,
      label: "the simulacrum's wall 1",
    },
    {
      name: "2.castle",
      spot: { x: 0, y: 0.35, yaw: Math.PI / 2 },
      seat: 2,
      side: 2,
      item: "b",
      fixed: true,
      label: "",
    },
    {
      name: "1.wall1",
      spot: { x: 0.1, y: -0.2, yaw: 0 },
      seat: 1,
      side: 1,
      item: "c",
      fixed: false,
      label: "",
    },
  ],
  chairs: [
    { seat: 1, side: 1, castle: { x: 0, y: -0.35, yaw: 0 }, line: 0.09 },
    { seat: 2, side: 2, castle: { x: 0, y: 0.35, yaw: Math.PI }, line: 0.09 },
  ],
  width: 1.2,
  depth: 1.3,
  stacks: [],
};
const owner = (seat: number): string => (seat === 2 ? "Blue" : "Red");

it("knows whose a seat's pieces are", () => {
  expect(ownerIn(layout, 2)).toBe("the simulacrum");
  expect(ownerIn(layout, 1)).toBe("");
  expect(ownerIn(null, 2)).toBe("");
});

describe("where a card comes down", () => {
  const from = (seat: number, x: number, y: number): string =>
    whereabouts(layout, layout.chairs[seat - 1]!, [x, y], owner);

  it("is told from the thrower's side", () => {
    expect(from(1, 0.1, 0.21)).toBe("on Blue’s wall 1");
    expect(from(1, 0.1, 0.2875)).toBe("4 cm behind Blue’s wall 1");
    expect(from(1, 0.1, 0.1465)).toBe("6 mm short of Blue’s wall 1");
    expect(from(1, 0.2, 0.2)).toBe("7 cm right of Blue’s wall 1");
    expect(from(2, 0.2, -0.2)).toBe("7 cm left of Red’s wall 1");
    expect(from(1, 0, 0.36)).toBe("on Blue’s castle");
    expect(from(1, 0.7, 0)).toBe("off the play area");
  });

  it("names pieces, and what has no owner", () => {
    expect(pieceName("3.wall5", () => "")).toBe("wall 5");
    expect(pieceName("something", owner)).toBe("something");
    expect([distance(0.0042), distance(-0.0951)]).toEqual(["4 mm", "10 cm"]);
  });

  it("is said with the aim", () => {
    expect(aimed(lob, { ...standard(lob), azimuth: 3 })).toBe("aimed 3° right, 2.4 m/s");
    expect(aimed(lob, { ...standard(lob), azimuth: -0.5, speed: 2.05 })).toBe("aimed 0.5° left, 2.05 m/s");
    expect(aimed(lob, standard(lob))).toBe("aimed straight ahead, 2.4 m/s");
  });
});

describe("a verdict", () => {
  const outline: [number, number][] = [
    [0.06, 0.15],
    [0.14, 0.15],
    [0.14, 0.2],
    [0.06, 0.2],
  ];

  it("measures how much of a corner index is covered", () => {
    const boxes = indices({ x: 0.1, y: 0.2, yaw: 0 });
    expect(boxes.map((box) => coverage(box, outline))).toEqual([1, 1, 0, 0]);
    const [box] = boxes as [[number, number][]];
    const xs = box.map(([x]) => x);
    const half = (Math.min(...xs) + Math.max(...xs)) / 2;
    expect(
      coverage(box, [
        [half, 0],
        [1, 0],
        [1, 1],
        [half, 1],
      ]),
    ).toBeCloseTo(0.5, 9);
    expect(Math.min(...xs)).toBeCloseTo(0.1 - 0.0635 / 2 + 0.003, 9);
    expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(0.008, 9);
  });

  it("knows inside from outside, also where an outline is bent inwards", () => {
    const bent: [number, number][] = [
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 1],
      [0, 4],
    ];
    expect([holds(bent, [2, 0.5]), holds(bent, [2, 3]), holds(bent, [0.5, 2])]).toEqual([true, false, true]);
  });

  const flown = (more: Partial<Flown>): Flown => ({
    card: "6v",
    seat: 1,
    method: "lob",
    release: {},
    verdict: "hit",
    sentence: "",
    moved: [],
    landings: [],
    pulled: false,
    contact_with: "2.wall1",
    contact_at: 0.1,
    frames: encode({
      times: [0, 0.1, 0.2],
      poses: [
        [0.1, 0],
        [0.1, 0.2],
        [0.1, 0.21],
      ].map(([x = 0, y = 0], n) => ({
        x,
        y,
        z: n ? 0.02 : 0.3,
        turn: n === 1 ? [Math.cos(0.2), Math.sin(0.2), 0, 0] : [1, 0, 0, 0],
      })),
    }),
    ...more,
  });

  it("marks the corner that touched first, and the corners of the wall beneath", () => {
    const seen = drawing(
      flown({ landings: [{ target: "2.wall1", overlap: 4000, corners: [], perfect: false, outline }] }),
      layout,
    );
    expect(seen.contact?.clean).toBe(true);
    // Tipped back by 0.4: the near edge is the lower one.
    expect(seen.contact!.at[1]).toBeCloseTo(0.2 - 0.0475 * Math.cos(0.4), 3);
    expect(seen.contact!.at[2]).toBeCloseTo(0.02 - 0.0475 * Math.sin(0.4), 3);
    expect(seen.corners.map((one) => one.enough).sort()).toEqual([false, false, true, true]);
    expect(seen.overlaps).toHaveLength(1);
  });

  it("draws no corners of a castle, and no contact of a card that touched nothing", () => {
    const seen = drawing(
      flown({
        landings: [{ target: "2.castle", overlap: 900, corners: [], perfect: false, outline }],
        contact_with: "",
      }),
      layout,
    );
    expect(seen.corners).toEqual([]);
    expect(seen.contact).toBeNull();
    expect(drawing(flown({ contact_with: "table", frames: "*" }), layout).contact).toBeNull();
  });

  it("follows a wall that was pushed", () => {
    const landing = { target: "2.wall1", overlap: 4000, corners: [], perfect: false, outline };
    const away = drawing(
      flown({ landings: [landing], moved: [["2.wall1", { x: 0.5, y: 0.5, yaw: 0 }]] }),
      layout,
    );
    expect(away.corners.every((one) => one.covered === 0)).toBe(true);
  });
});
