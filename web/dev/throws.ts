// Make-believe throws: a stone's flight with some air, and a verdict by where it comes down. Enough to look
// at the page.
import { encode } from "../src/throwing/frames";
import { atChair, chairOf, covers, targetsOf, type Point } from "../src/throwing/geometry";
import type { Chair, Flown, TableLayout, ThrowField, ThrowMethod } from "../src/net/wire";
import { inHand } from "../src/throwing/picture";

type Any = Record<string, unknown>;

const PITCH = 0.1585;

/** Two seats with five walls each; some may be missing. */
export function duel(
  items: (name: string) => string,
  missing: readonly string[] = [],
  moved: Record<string, { x: number; y: number; yaw: number }> = {},
): TableLayout {
  const seats = [1, 2].map((seat) => ({ seat, yaw: seat === 1 ? 0 : Math.PI, way: seat === 1 ? -1 : 1 }));
  const pieces = seats.flatMap(({ seat, yaw, way }) => [
    ...[1, 2, 3, 4, 5].flatMap((wall) => {
      const name = `${seat}.wall${wall}`;
      if (missing.includes(name)) return [];
      return [
        {
          name,
          seat,
          side: seat,
          fixed: false,
          item: items(name),
          label: "",
          spot: moved[name] ?? { x: -way * (wall - 3) * PITCH, y: way * 0.1999, yaw },
        },
      ];
    }),
    {
      name: `${seat}.castle`,
      seat,
      side: seat,
      fixed: true,
      item: items(`${seat}.castle`),
      label: "",
      spot: { x: 0, y: way * 0.3554, yaw: yaw + Math.PI / 2 },
    },
  ]);
  return {
    pieces,
    chairs: seats.map(({ seat, yaw, way }) => ({
      seat,
      side: seat,
      castle: { x: 0, y: way * 0.3554, yaw },
      line: 0.223,
    })),
    width: 1.229,
    depth: 1.306,
    stacks: [],
  };
}

const field = (
  name: string,
  label: string,
  unit: string,
  low: number,
  high: number,
  usual: number,
  step: number,
  sentence: string,
): ThrowField => ({ name, label, unit, low, high, default: usual, step, sentence, least: 0 });
const AIM = field("azimuth", "Aim", "°", -45, 45, 0, 0.5, "To the right of straight ahead.");
const HEIGHT = field("height", "Height", "m", 0.08, 0.25, 0.15, 0.01, "Of the hand over the table.");
const OFFSET = field("offset", "Aside", "m", -0.15, 0.15, 0, 0.01, "From the middle of the castle.");

export const METHODS: ThrowMethod[] = [
  {
    name: "lob",
    label: "Lob",
    sentence: "Tossed in an arc.",
    fields: [
      field("speed", "Speed", "m/s", 1.8, 3.2, 2.4, 0.05, "As it leaves the hand."),
      AIM,
      field("elevation", "Elevation", "°", 40, 75, 55, 1, "Of its way over the table."),
      HEIGHT,
      OFFSET,
      field("nose", "Nose", "°", -30, 60, 20, 1, "How far its front is up."),
      field("roll", "Roll", "°", -30, 30, 0, 1, "To its side."),
      field("spin", "Spin", "rad/s", -40, 40, 0, 1, "About its middle."),
      field("tumble", "Tumble", "rad/s", -10, 10, 0, 0.5, "End over end."),
    ],
  },
  {
    name: "frisbee",
    label: "Frisbee",
    sentence: "Flicked, spinning level.",
    fields: [
      field("speed", "Speed", "m/s", 1.4, 3.5, 2.4, 0.05, "As it leaves the hand."),
      AIM,
      field("elevation", "Elevation", "°", 0, 35, 15, 1, "Of its way over the table."),
      HEIGHT,
      OFFSET,
      field("nose", "Nose", "°", 10, 45, 20, 1, "How far its front is up."),
      field("spin", "Spin", "rad/s", 30, 80, 50, 1, "About its middle."),
    ],
  },
  {
    name: "flip",
    label: "Flip",
    sentence: "Turning end over end.",
    fields: [
      field("speed", "Speed", "m/s", 1.6, 3, 2.2, 0.05, "As it leaves the hand."),
      AIM,
      field("elevation", "Elevation", "°", 35, 65, 50, 1, "Of its way over the table."),
      HEIGHT,
      OFFSET,
      field("tumble", "Tumble", "rad/s", -30, 30, 20, 0.5, "End over end."),
    ],
  },
];

/** A stone with some air: points every 1/120 s until it comes down. */
export function path(release: Record<string, number>, chair: Chair): [number, number, number, number][] {
  const [speed, up, aside] = [
    release.speed ?? 2,
    ((release.elevation ?? 45) * Math.PI) / 180,
    ((release.azimuth ?? 0) * Math.PI) / 180,
  ];
  let [x, y, z] = [release.offset ?? 0, chair.line, release.height ?? 0.15];
  let [vx, vy, vz] = [
    speed * Math.cos(up) * Math.sin(aside),
    speed * Math.cos(up) * Math.cos(aside),
    speed * Math.sin(up),
  ];
  const points: [number, number, number, number][] = [];
  for (let n = 0; n < 400 && z > 0.0005; n++) {
    const [a, b] = atChair(chair, [x, y]);
    points.push([n / 120, a, b, z]);
    const drag = 1.3 / 120;
    [vx, vy, vz] = [vx * (1 - drag), vy * (1 - drag), vz * (1 - drag) - 9.81 / 120];
    [x, y, z] = [x + vx / 120, y + vy / 120, z + vz / 120];
  }
  const [a, b] = atChair(chair, [x, y]);
  return [...points, [points.length / 120, a, b, 0.0015]];
}

const trembling = (value: number, share: number): number =>
  value + (Math.random() + Math.random() + Math.random() - 1.5) * share;

/** "1.left2" as "left 2". */
const named = (piece: string): string => piece.replace(/^\d\./, "").replace(/(\d)$/, " $1");

/** Throw a card: it flies as the path says, turns as the method does, and slides a little. */
export function fly(
  card: string,
  method: string,
  asked: Record<string, number>,
  seat: number,
  layout: TableLayout,
  steady = false,
): Flown {
  const release = steady
    ? asked
    : {
        ...asked,
        speed: trembling(asked.speed ?? 2, 0.06),
        azimuth: trembling(asked.azimuth ?? 0, 1.5),
        elevation: trembling(asked.elevation ?? 45, 2),
      };
  const chair = chairOf(layout, seat)!;
  const way = path(release, chair);
  const last = way.at(-1)!;
  const down: Point = [last[1], last[2]];
  const held = inHand(chair, release);
  const poses = way.map(([t, x, y, z]) => {
    const [yaw, tip] =
      method === "frisbee"
        ? [(release.spin ?? 50) * t, 0.25]
        : method === "flip"
          ? [0, (release.tumble ?? 20) * t]
          : [0, 0.4 - t * 0.7];
    const [a, b] = [(chair.castle.yaw + yaw) / 2, tip / 2];
    const settle = Math.min(1, (way.length - 1) / 120 - t < 0.03 ? 1 : 0);
    const tilt = settle ? 0 : b;
    return {
      x,
      y,
      z,
      turn:
        t === 0
          ? held.turn
          : ([
              Math.cos(a) * Math.cos(tilt),
              Math.cos(a) * Math.sin(tilt),
              Math.sin(a) * Math.sin(tilt),
              Math.sin(a) * Math.cos(tilt),
            ] as const),
    };
  });
  const contact = last[0];
  const hit = targetsOf(layout, chair).find((piece) => covers(piece.spot, down));
  const slide: Point = hit ? [0.006, 0.009] : [0.01, 0.05];
  const [dx, dy] = [
    slide[0] * Math.cos(chair.castle.yaw) - slide[1] * Math.sin(chair.castle.yaw),
    slide[0] * Math.sin(chair.castle.yaw) + slide[1] * Math.cos(chair.castle.yaw),
  ];
  const times = way.map(([t]) => t);
  for (let n = 1; n <= 20; n++) {
    const share = 1 - (1 - n / 20) ** 2;
    times.push(contact + n / 120);
    poses.push({ ...poses.at(-1)!, x: down[0] + dx * share, y: down[1] + dy * share, z: 0.0015 });
  }
  const end = poses.at(-1)!;
  const near = targetsOf(layout, chair)
    .filter((piece) => !piece.fixed)
    .sort(
      (a, b) =>
        Math.hypot(a.spot.x - end.x, a.spot.y - end.y) - Math.hypot(b.spot.x - end.x, b.spot.y - end.y),
    )[0];
  const gap = near && Math.round(Math.hypot(near.spot.x - down[0], near.spot.y - down[1]) * 1000);
  const [w, h] = [0.0635, 0.095];
  const outline =
    hit &&
    ([
      [Math.max(end.x - w / 2, hit.spot.x - w / 2), Math.max(end.y - h / 2, hit.spot.y - h / 2)],
      [Math.min(end.x + w / 2, hit.spot.x + w / 2), Math.max(end.y - h / 2, hit.spot.y - h / 2)],
      [Math.min(end.x + w / 2, hit.spot.x + w / 2), Math.min(end.y + h / 2, hit.spot.y + h / 2)],
      [Math.max(end.x - w / 2, hit.spot.x - w / 2), Math.min(end.y + h / 2, hit.spot.y + h / 2)],
    ] as [number, number][]);
  return {
    card,
    seat,
    method,
    release,
    pulled: false,
    verdict: hit ? "hit" : "miss",
    sentence: hit
      ? `It lies on ${named(hit.name)}.`
      : `First the table${near ? `, ${gap} mm from the middle of ${named(near.name)}` : ""}.`,
    frames: encode({ times, poses }),
    contact_with: hit ? hit.name : "table",
    contact_at: contact,
    landings:
      hit && outline
        ? [{ target: hit.name, overlap: 3000, corners: [1, 1, 0.4, 0.6], perfect: false, outline }]
        : [],
    moved:
      hit && !hit.fixed
        ? [[hit.name, { x: hit.spot.x + dx / 2, y: hit.spot.y + dy / 2, yaw: hit.spot.yaw + 0.06 }]]
        : [],
  };
}

// --- A table of it ---------------------------------------------------------------

const SUITS = {
  k: { name: "knowledge", shape: "book", colour: "blue" },
  s: { name: "science", shape: "beaker", colour: "green" },
  t: { name: "technology", shape: "gear", colour: "orange" },
  v: { name: "services", shape: "globe", colour: "purple" },
};

export const throwSetting: Any = {
  game: "throw",
  title: "Make-believe barrage",
  seats: 2,
  seat_names: ["Red", "Blue"],
  theme: {
    accent: "#2c6e8f",
    table: "#3d4f5c",
    ranks: { "?": "" },
    suits: SUITS,
    liveries: [
      { name: "Red", colour: "red" },
      { name: "Blue", colour: "blue", shape: "square" },
    ],
  },
  areas: {
    wide: ["foe1", "piles1", "piles", "own1", "hand"],
    narrow: ["foe1", "own1", "hand", "piles1", "piles"],
  },
};

export class ThrowTable {
  ply = 7;
  hand = ["6v", "3t", "5k", "4s", "2k"];
  walls: Record<string, string> = {
    "1.1": "4k",
    "1.2": "6t",
    "1.4": "2s",
    "1.5": "5v",
    "2.1": "3k",
    "2.2": "6s",
    "2.3": "1t",
    "2.4": "4v",
    "2.5": "2t",
  };
  score: string[] = ["3v"];
  log: Any[] = [{ ply: 7, seat: 2, move: "end", events: ["Blue draws a card."] }];
  flown: Flown | null = null;
  moved: Record<string, { x: number; y: number; yaw: number }> = {
    "2.wall4": { x: -0.172, y: 0.218, yaw: Math.PI + 0.22 },
  };

  layout(): TableLayout {
    const missing = [1, 2].flatMap((seat) =>
      [1, 2, 3, 4, 5].filter((n) => !this.walls[`${seat}.${n}`]).map((n) => `${seat}.wall${n}`),
    );
    return duel(
      (name) => (name.endsWith("castle") ? name : (this.walls[name.replace("wall", "")] ?? "")),
      missing,
      this.moved,
    );
  }

  throw(text: string): string {
    const [, card = "", method = "lob", ...figures] = text.split(" ");
    const release: Record<string, number> = {};
    for (let n = 0; n < figures.length; n += 2) release[figures[n] ?? ""] = Number(figures[n + 1]);
    const layout = this.layout();
    this.flown = fly(card, method, release, 1, layout);
    this.hand = this.hand.filter((one) => one !== card);
    const hit = this.flown.landings[0]?.target.replace("wall", "");
    if (hit && this.walls[hit]) {
      this.score.unshift(this.walls[hit]);
      delete this.walls[hit];
      delete this.moved[`${hit.replace(".", ".wall")}`];
    }
    this.ply++;
    this.log.push({
      ply: this.ply,
      seat: 1,
      move: text,
      label: `Throws the ${card}`,
      events: [this.flown.sentence],
    });
    return "";
  }

  scene(): Any {
    const up = (id: string, more: Any = {}): Any => ({
      id,
      face: id,
      label: `${id[0]} of ${SUITS[id[1] as keyof typeof SUITS].name}`,
      ...more,
    });
    const fort = (seat: number, area: string): Any => ({
      id: `fort:${seat}`,
      kind: "slots",
      label: seat === 1 ? "Red" : "Blue",
      owner: seat,
      layout: { area },
      count: 5,
      limit: 5,
      slots: [
        ...[1, 2, 3, 4, 5].map((n) => ({ id: `${seat}.${n}`, label: `wall ${n}` })),
        { id: `keep${seat}`, label: "castle" },
      ],
      items: [
        ...[1, 2, 3, 4, 5].flatMap((n) =>
          this.walls[`${seat}.${n}`]
            ? [
                up(this.walls[`${seat}.${n}`]!, {
                  at: `${seat}.${n}`,
                  owner: seat,
                  flags: this.moved[`${seat}.wall${n}`] ? ["moved"] : [],
                }),
              ]
            : [],
        ),
        { id: `${seat}.castle`, back: "castle", peek: "6k", label: "castle", at: `keep${seat}`, owner: seat },
      ],
    });
    const pile = (id: string, label: string, area: string, items: Any[], count = items.length): Any => ({
      id,
      kind: "pile",
      label,
      layout: { area, size: "small" },
      items,
      count,
    });
    const back = (id: string): Any => ({ id, back: "card", label: "face-down card" });
    let action = 0;
    return {
      seat: 1,
      status: {
        ply: this.ply,
        seat: 1,
        phase: "attack",
        prompt: "Attack: throw a card of your hand at the enemy.",
        round: 4,
        facts: [
          { label: "Round", value: "4 of 30" },
          { label: "Red", value: `${this.score.length} of 7` },
          { label: "Blue", value: "2 of 7" },
        ],
        steps: ["Draw", "Build", "Attack", "End"],
        step: 2,
      },
      zones: [
        fort(2, "foe1"),
        fort(1, "own1"),
        pile(
          "hand:2",
          "Hand of Blue",
          "piles1",
          [0, 1, 2, 3].map((n) => back(`hand2:${n}`)),
        ),
        pile("pile:2", "Scored by Blue", "piles1", [up("1v"), up("6k~2")]),
        pile("deck:2", "Deck", "piles1", [back("deck2:0")], 19),
        pile("discard:2", "Discard", "piles1", [up("2v")]),
        pile(
          "pile:1",
          "Scored by Red",
          "piles",
          this.score.map((one) => up(one)),
        ),
        pile("deck:1", "Deck", "piles", [back("deck1:0")], 17),
        pile("discard:1", "Discard", "piles", []),
        {
          id: "hand:1",
          kind: "fan",
          label: "Your hand",
          owner: 1,
          layout: { area: "hand" },
          count: this.hand.length,
          limit: 6,
          items: this.hand.map((one) => up(one)),
        },
      ],
      choices: [
        ...this.hand.map((one) => ({
          action: action++,
          text: `throw ${one}`,
          verb: "Throw",
          label: `Throw the ${one}`,
          items: [one],
          throw: true,
        })),
        ...this.hand.flatMap((one) =>
          this.walls["1.3"]
            ? []
            : [
                {
                  action: action++,
                  text: `build 1.3 ${one}`,
                  verb: "Build",
                  label: `Build ${one} at wall 3`,
                  items: [one, "1.3"],
                  target: "1.3",
                  marks: { "1.3": "built" },
                },
              ],
        ),
        ...this.hand.map((one) => ({
          action: action++,
          text: `upgrade 1.1 ${one}`,
          verb: "Upgrade",
          label: `Upgrade wall 1 with ${one}`,
          items: [one, "4k"],
          target: "4k",
          marks: { "4k": "replaced" },
        })),
        { action: 99, text: "end", verb: "End the turn" },
      ],
      log: this.log,
      layout: this.layout(),
      ...(this.flown ? { flown: this.flown } : {}),
    };
  }
}
