// Hand-written scenes in the wire's form (defaults left out), one for each way of drawing.

type Any = Record<string, unknown>;

const RANKS: Record<string, string> = { T: "10", J: "J", Q: "Q", K: "K", A: "A" };
const NAMES: Record<string, string> = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };
const SUITS = {
  c: { name: "clubs", shape: "club", colour: "green" },
  d: { name: "diamonds", shape: "diamond", colour: "blue" },
  h: { name: "hearts", shape: "heart", colour: "red" },
  s: { name: "spades", shape: "spade", colour: "black" },
};
const spoken = (card: string): string =>
  `${NAMES[card[0] ?? ""] ?? card[0]} of ${SUITS[card[1] as keyof typeof SUITS].name}`;
export const card = (id: string, more: Any = {}): Any => ({ id, face: id, label: spoken(id), ...more });
const back = (id: string, more: Any = {}): Any => ({
  id,
  back: "bartizan",
  label: "face-down card",
  ...more,
});

export interface Cards {
  hand: string[];
  foes: Record<string, string>;
  tower: string[];
  discard: string[];
  deck: number;
  advantages: string[];
  ply: number;
  log: Any[];
}

export const start = (): Cards => ({
  hand: ["8d", "5h", "4d", "Jc", "6c"],
  foes: { "left.front": "8s", "left.rear": "Kd", "right.front": "Th", "top.front": "3c" },
  tower: ["7c", "?", "4h", "?", "?"],
  discard: ["9c", "2d", "Qs", "7h", "3s", "Ac"],
  deck: 31,
  advantages: ["Qh"],
  ply: 12,
  log: [
    { ply: 10, seat: 1, move: "repair with 6s", events: ["The six of spades goes under the keep."] },
    {
      ply: 11,
      seat: 1,
      move: "end",
      events: ["Reds attack with 10 against 7: the top is lost.", "The seven of clubs is turned up."],
    },
    {
      ply: 12,
      seat: 1,
      move: "defend top.rear with Tc",
      events: ["The four of hearts is beaten.", "A card is drawn."],
    },
  ],
});

const value = (c: string): number => ({ T: 10, J: 9, Q: 9, K: 9, A: 0 })[c[0] ?? ""] ?? Number(c[0]);
const worth = (c: string): number => ({ T: 10, J: 11, Q: 12, K: 13, A: 14 })[c[0] ?? ""] ?? Number(c[0]);
const red = (c: string): boolean => "dh".includes(c[1] ?? "");

export const cardsSetting: Any = {
  game: "cards",
  title: "Make-believe",
  seats: 1,
  seat_names: ["Player"],
  theme: { table: "green", accent: "#b98a22", suits: SUITS, ranks: RANKS },
  areas: {
    wide: ["piles top advantages", "left keep right", "hand hand hand"],
    narrow: ["piles top advantages", "left keep right", "hand hand hand"],
  },
};

export function cardsScene(s: Cards): Any {
  const army = (name: string, label: string, direction: string, order: string[]): Any => ({
    id: name,
    kind: "slots",
    label,
    layout: { area: name, direction },
    slots: order.map((rank) => ({ id: `${name}.${rank}`, label: rank })),
    items: order.flatMap((rank) => {
      const place = `${name}.${rank}`;
      const foe = s.foes[place];
      if (foe)
        return [
          card(foe, {
            at: place,
            badge: String(worth(foe) + (rank === "rear" ? 1 : 0)),
            ...(foe === "Kd" ? { flags: ["Warlord"], note: "All enemies count two more." } : {}),
          }),
        ];
      return place === "top.rear"
        ? []
        : [
            back(place === "right.rear" ? "hid:right" : `hid:${place}`, {
              at: place,
              ...(place === "right.rear" ? { peek: "9d", label: "face-down nine of diamonds" } : {}),
            }),
          ];
    }),
  });
  const choices: Any[] = [];
  let action = 1;
  for (const [place, foe] of Object.entries(s.foes)) {
    const able = s.hand.filter((c) => value(c) > 0 && red(c) !== red(foe));
    for (let bits = 1; bits < 1 << able.length; bits++) {
      const set = able.filter((_, n) => bits & (1 << n));
      if (set.reduce((sum, c) => sum + value(c), 0) < worth(foe)) continue;
      choices.push({
        action: action++,
        text: `defend ${place} with ${set.join(" ")}`,
        verb: "Defend",
        label: `Beat the ${spoken(foe)} with ${set.map(spoken).join(" and ")}`,
        items: [foe, ...set],
        target: foe,
        marks: Object.fromEntries([[foe, "beaten"], ...set.map((c) => [c, "spent"])]),
        note: "leaves 10 against 7",
      });
    }
  }
  for (const c of s.hand.filter((one) => one === "6c"))
    choices.push({
      action: action++,
      text: `repair with ${c}`,
      verb: "Repair",
      label: "Repair with the six of clubs",
      items: [c, "keep"],
      target: "keep",
      marks: { [c]: "under" },
    });
  if (s.hand.includes("Jc"))
    for (const taken of s.discard)
      for (const pay of s.hand.filter((one) => one !== "Jc" && !red(one)))
        choices.push({
          action: action++,
          text: `reinforce Jc taking ${taken} paying ${pay}`,
          verb: "Reinforce",
          label: `Take the ${spoken(taken)}, paying the ${spoken(pay)}`,
          items: ["Jc", taken, pay],
          marks: { [taken]: "taken", [pay]: "spent", Jc: "spent" },
        });
  choices.push({
    action,
    text: "end",
    verb: "End the turn",
    label: "End the turn",
    note: "the keep faces 10 against 7",
  });
  return {
    seat: 1,
    status: {
      ply: s.ply,
      seat: 1,
      phase: "action",
      round: 4,
      prompt: "Defend, repair, play a special card, or end the turn.",
      facts: [
        { label: "Attack", value: "10 against 7", note: "Reds ten, top seven" },
        { label: "Hand", value: `${s.hand.length} of 5` },
      ],
    },
    zones: [
      army("left", "Left army", "row", ["rear", "front"]),
      army("right", "Right army", "row", ["front", "rear"]),
      army("top", "Top army", "column", ["rear", "front"]),
      {
        id: "keep",
        kind: "pile",
        label: "Keep",
        layout: { area: "keep", size: "large" },
        count: s.tower.length,
        limit: 5,
        items: s.tower.map((c, n) => (n === 0 ? card(c) : back(`keep:${n}`, c === "?" ? {} : { peek: c }))),
      },
      {
        id: "deck",
        kind: "pile",
        label: "Deck",
        layout: { area: "piles" },
        count: s.deck,
        items: [back("deck:0")],
      },
      {
        id: "discard",
        kind: "pile",
        label: "Discard",
        layout: { area: "piles" },
        count: s.discard.length,
        items: s.discard.map((c) => card(c)),
      },
      {
        id: "advantages",
        kind: "row",
        label: "Advantages",
        layout: { area: "advantages" },
        count: s.advantages.length,
        limit: 2,
        items: s.advantages.map((c) => card(c, { note: "Repairs may be two away." })),
      },
      {
        id: "hand",
        kind: "fan",
        label: "Hand",
        owner: 1,
        layout: { area: "hand" },
        count: s.hand.length,
        limit: 5,
        items: s.hand.map((c) => card(c)),
      },
    ],
    choices,
    log: s.log,
  };
}

export const boardSetting: Any = {
  game: "board",
  title: "Make-believe board",
  seats: 2,
  seat_names: ["Blue", "Red"],
  theme: { table: "slate" },
  areas: { wide: ["board side"], narrow: ["board", "side"] },
};

export function boardScene(): Any {
  const rows = [
    ".w...k.",
    ".#...#.",
    ".......",
    "..c....",
    "~~~~~~~",
    "...x...",
    ".......",
    ".#...#.",
    ".K..BW.",
  ];
  const NAMES: Record<string, [string, string]> = {
    w: ["wizard", "W"],
    k: ["king", "K"],
    b: ["builder", "B"],
    c: ["cannon", "C"],
    "#": ["wall", "wall"],
    x: ["fire", "fire"],
  };
  const slots: Any[] = [];
  const items: Any[] = [];
  rows.forEach((row, r) =>
    [...row].forEach((sign, c) => {
      const id = `${"abcdefg"[c]}${9 - r}`;
      const kind =
        r === 4 ? "river" : r === 3 || r === 5 ? "sand" : id === "d1" || id === "d9" ? "portal" : "grass";
      slots.push({ id, label: id, kind });
      const known = NAMES[sign.toLowerCase()];
      if (!known) return;
      const owner = sign === "#" || sign === "x" ? "" : sign === sign.toUpperCase() ? "blue" : "red";
      items.push({
        id: `p${id}`,
        face: known[1],
        label: [owner, known[0]].filter(Boolean).join(" "),
        at: id,
        flags: owner ? [owner] : [],
      });
    }),
  );
  const steps = (from: string, ids: string[]): Any[] =>
    ids.map((to, n) => ({
      action: n + from.charCodeAt(0) * 20,
      text: `${from}-${to}`,
      verb: "Move",
      label: `Move from ${from} to ${to}`,
      items: [`p${from}`, to],
      target: to,
      marks: { [to]: "here" },
    }));
  return {
    seat: 1,
    status: {
      ply: 3,
      seat: 1,
      phase: "move",
      prompt: "Move, build or fire: 4 moves are left.",
      round: 2,
      facts: [{ label: "Moves", value: "4" }],
    },
    zones: [
      {
        id: "board",
        kind: "grid",
        label: "Board",
        layout: { area: "board", columns: 7, rows: 9 },
        slots,
        items,
      },
      { id: "moves", kind: "counter", label: "Moves left", layout: { area: "side" }, count: 4 },
    ],
    choices: [
      ...steps(
        "b1",
        ["a1", "c1", "a2", "c2", "b3"].filter((id) => id !== "b3"),
      ),
      ...steps("f1", ["g1", "g2", "e2"]),
      { action: 9, text: "end", verb: "End the turn" },
    ],
    log: [
      { ply: 1, seat: 1, move: "b1-b2" },
      { ply: 2, seat: 1, move: "end", events: ["It is the other side's turn."] },
    ],
  };
}

export const mapSetting: Any = {
  game: "map",
  title: "Make-believe land",
  seats: 3,
  seat_names: ["Blue", "Red", "Green"],
  theme: { table: "sand", suits: SUITS, ranks: RANKS },
  areas: { wide: ["land land", "hand supply"], narrow: ["land", "hand", "supply"] },
};

export function mapScene(): Any {
  const at: [string, string][] = [
    ["7h", "0,0"],
    ["Kd", "1,0"],
    ["9h", "0,1"],
    ["3s", "-1,0"],
    ["Th", "0,2"],
    ["2c", "2,0"],
  ];
  const free = ["1,1", "-1,1", "0,3", "1,2", "-1,2", "3,0", "2,1", "2,-1", "1,-1", "0,-1", "-1,-1", "-2,0"];
  const hand = ["2d", "9s", "Ah"];
  return {
    seat: 1,
    status: {
      ply: 9,
      seat: 1,
      phase: "play",
      prompt: "Play a card where it touches another.",
      facts: [{ label: "Score", value: "4 : 0 : 7" }],
    },
    zones: [
      {
        id: "land",
        kind: "map",
        label: "Land",
        layout: { area: "land" },
        items: [
          ...at.map(([c, place]) => card(c, { at: place })),
          { id: "t1", face: "token", label: "your token", at: "0,0", flags: ["blue"] },
          { id: "t2", face: "token", label: "seat 3's token", at: "1,0", flags: ["red"] },
        ],
      },
      {
        id: "hand",
        kind: "fan",
        label: "Hand",
        layout: { area: "hand" },
        count: 3,
        items: hand.map((c) => card(c)),
      },
      { id: "supply", kind: "counter", label: "Tokens", layout: { area: "supply" }, count: 6 },
    ],
    choices: hand.flatMap((c, n) =>
      free.map((place, m) => ({
        action: n * 20 + m,
        text: `play ${c} at ${place}`,
        verb: "Play",
        label: `Play the ${spoken(c)} at ${place}`,
        items: [c, place],
        target: place,
      })),
    ),
  };
}
