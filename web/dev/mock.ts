// A make-believe server in the page: enough of the contract to look at the client without a real one.
import {
  boardScene,
  boardSetting,
  type Cards,
  cardsScene,
  cardsSetting,
  mapScene,
  mapSetting,
  start,
} from "./scenes";
import { stretched } from "../src/throwing/range.svelte";
import { duel, fly, METHODS, path, ThrowTable, throwSetting } from "./throws";

type Any = Record<string, unknown>;

const GAMES = [
  {
    name: "cards",
    title: "Make-believe",
    author: "Nobody",
    summary: "Hold the keep against three armies until the deck has run out.",
    min_seats: 1,
    max_seats: 1,
    players: ["random", "greedy"],
    options: [
      {
        key: "havoc",
        default: false,
        kind: "bool",
        sentence: "Jokers are shuffled in and act at once, against you.",
        worth_comparing: true,
      },
      {
        key: "actions_per_turn",
        default: "unlimited",
        kind: "choice",
        values: ["unlimited", "3", "one_of_each"],
        sentence: "How many actions a turn has.",
        worth_comparing: true,
      },
      {
        key: "round_cap",
        default: 200,
        kind: "int",
        low: 1,
        high: 999,
        sentence: "After so many rounds the game is lost.",
      },
    ],
  },
  {
    name: "board",
    title: "Make-believe board",
    author: "Nobody",
    summary: "Two castles and a river.",
    min_seats: 2,
    max_seats: 4,
    players: ["random"],
    options: [],
  },
];
const CLAUSES = Array.from({ length: 24 }, (_, n) => ({
  id: `MB-${n + 1}`,
  title: n % 3 ? `Clause ${n + 1}` : "Defending",
  section: n < 12 ? "The frame" : "Playing",
  text: "Cards of the other colour, together worth at least as much as the enemy aimed at, beat it.",
  ...(n % 4 ? {} : { ruling: "Overpaying is allowed, since the text says at least." }),
}));

class MockSocket {
  readyState = 0;
  onopen: (() => void) | null = null;
  onclose: ((event: Any) => void) | null = null;
  onerror: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  private state: Cards = start();
  private past: Cards[] = [];
  private version = 12;
  private over = false;
  private readonly barrage = new ThrowTable();
  constructor(private readonly url: string) {
    setTimeout(() => {
      this.readyState = 1;
      this.onopen?.();
    }, 30);
  }
  close(): void {
    this.readyState = 3;
  }
  private say(message: Any): void {
    setTimeout(() => this.onmessage?.({ data: JSON.stringify(message) }), 20);
  }
  private scene(): Any {
    if (this.url.includes("/board")) return boardScene();
    if (this.url.includes("/map")) return mapScene();
    if (this.url.includes("/throw")) return this.barrage.scene();
    const scene = cardsScene(this.state);
    if (!this.over) return scene;
    return {
      ...scene,
      choices: [],
      result: {
        outcome: { winners: [1], returns: [1], clause: "MB-3" },
        headline: "The keep stands.",
        text: "The deck has run out before the walls did.",
      },
    };
  }
  private open(): void {
    const setting = this.url.includes("/board")
      ? boardSetting
      : this.url.includes("/map")
        ? mapSetting
        : this.url.includes("/throw")
          ? throwSetting
          : cardsSetting;
    this.say({ type: "opened", table: "t", seed_hash: "sha256:6d3f…", setting });
  }
  private sync(): void {
    this.say({
      type: "sync",
      version: this.version,
      scene: this.scene(),
      allowed: this.past.length ? { undo: "" } : {},
      hints_used: 0,
      undos_used: 0,
    });
  }
  send(text: string): void {
    const request = JSON.parse(text) as Any;
    const { id } = request;
    if (request.type === "hello") {
      this.open();
      this.sync();
    } else if (request.type === "ping") this.say({ type: "pong", id });
    else if (request.type === "why")
      this.say({
        type: "refused",
        id,
        refusal: {
          clause: "MB-4",
          sentence: "The ten of hearts is red: only black cards beat it.",
          rule: "To defend, discard cards of the other colour.",
          blockers: ["Th"],
        },
      });
    else if (request.type === "hint")
      this.say({
        type: "hint",
        id,
        hints: [
          {
            action: 1,
            text: "defend left.front with 8d",
            reason: "It beats the strongest front with one card.",
          },
        ],
      });
    else if (request.type === "at")
      this.say({ type: "view", id, version: request.version, scene: { ...this.scene(), choices: [] } });
    else if (request.type === "undo") {
      this.state = this.past.pop() ?? this.state;
      this.version++;
      this.sync();
      this.say({ type: "ack", id, version: this.version });
    } else if (request.type === "move" && this.url.includes("/throw")) {
      if (!String(request.move).startsWith("throw "))
        return this.say({ type: "error", id, code: "unknown_move", sentence: "Here one can only throw." });
      this.barrage.throw(String(request.move));
      this.version++;
      this.sync();
      this.say({ type: "ack", id, version: this.version });
    } else if (request.type === "move") {
      const choices = cardsScene(this.state).choices as Any[];
      const choice = choices.find((one) => one.action === request.move || one.text === request.move);
      if (!choice)
        return this.say({
          type: "error",
          id,
          code: "unknown_move",
          sentence: `${String(request.move)} is no move here. Did you mean 'end'?`,
        });
      this.past.push(this.state);
      this.state = this.play(choice);
      this.version++;
      if (choice.text === "end") this.over = true;
      this.sync();
      this.say({ type: "ack", id, version: this.version });
    }
  }
  private play(choice: Any): Cards {
    const s = structuredClone(this.state);
    const items = (choice.items as string[] | undefined) ?? [];
    s.ply++;
    s.log.push({ ply: s.ply, seat: 1, move: choice.text, events: ["It is done."] });
    for (const one of items) {
      if (s.hand.includes(one)) {
        s.hand = s.hand.filter((other) => other !== one);
        if (choice.verb === "Repair") s.tower.push(one);
        else s.discard.unshift(one);
      }
      for (const [place, foe] of Object.entries(s.foes))
        if (foe === one) {
          delete s.foes[place];
          s.discard.unshift(one);
        }
    }
    s.deck--;
    s.hand.push("2s");
    return s;
  }
}

export function install(): void {
  window.WebSocket = MockSocket as unknown as typeof WebSocket;
  const real = window.fetch;
  window.fetch = async (input, init) => {
    const path_ = String(input);
    const json = (value: unknown, status = 200): Response => new Response(JSON.stringify(value), { status });
    if (path_ === "/api/games") return json({ games: GAMES, broken: [] });
    if (path_.endsWith("/rules"))
      return json({ title: "Make-believe", author: "Nobody", clauses: CLAUSES, terms: [] });
    if (path_ === "/api/tables")
      return json({ table: "cards", seats: ["x"], spectator: "y", seed_hash: "sha256:0" });
    if (path_.includes("/record")) return new Response("game = 'cards'\n");
    if (path_ === "/api/replay") {
      const states = [start(), { ...start(), hand: ["8d", "5h"], ply: 13 }];
      return json({
        plies: 1,
        setting: cardsSetting,
        scenes: states.map((state) => ({ ...cardsScene(state), choices: [] })),
      });
    }
    const range = duel((name) => name);
    const body = (): Any => JSON.parse(String(init?.body ?? "{}")) as Any;
    if (path_ === "/api/throws" && !init) return json({ methods: METHODS, layout: range });
    if (path_ === "/api/throws/path") {
      const { release, chair } = body() as {
        release: Record<string, number>;
        chair: (typeof range.chairs)[number] | null;
      };
      return json({ points: path(release, chair ?? range.chairs[0]!) });
    }
    if (path_ === "/api/throws") {
      const { method, release, hand, distance } = body() as {
        method: string;
        release: Record<string, number>;
        hand: string;
        distance: number;
      };
      return json(fly("", method, release, 1, stretched(range, distance), hand === "steady"));
    }
    return real(input, init);
  };
}
