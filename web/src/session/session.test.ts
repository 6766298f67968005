import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Session } from "./session.svelte";

type Sent = Record<string, unknown> & { id: string };

/** A server's end of a socket that answers what a test tells it to. */
class FakeServer {
  static all: FakeServer[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: unknown;
  onerror: unknown;
  requests: Sent[] = [];
  constructor(readonly url: string) {
    FakeServer.all.push(this);
  }
  send(text: string): void {
    this.requests.push(JSON.parse(text) as Sent);
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** Answer the latest request. */
  async answer(message: object): Promise<void> {
    this.say({ ...message, id: this.requests.at(-1)?.id });
    await Promise.resolve();
  }
}

const END = { action: 9, text: "end", verb: "End" };
const scene = (seat: number, more: object = {}, ply = 0, toMove = 1): object => ({
  seat,
  zones: [],
  choices: seat === toMove ? [END] : [],
  status: { ply, seat: toMove, phase: "p", prompt: "What now?" },
  ...more,
});
const hand = (face: string): object => ({
  zones: [
    {
      id: "hand",
      kind: "fan",
      label: "Hand",
      items: [{ id: "hand:1", ...(face ? { face } : { back: "b" }) }],
    },
  ],
});
const RESIGNED = {
  result: { outcome: { winners: [2], returns: [-1, 1] }, headline: "Blue resigns." },
  choices: [],
};

let session: Session;
function sit(token: string): FakeServer[] {
  FakeServer.all = [];
  session = new Session("t", token);
  for (const server of FakeServer.all) {
    server.onopen?.();
    server.say({
      type: "opened",
      table: "t",
      seed_hash: "h",
      setting: { game: "g", title: "G", seats: 2, seat_names: ["Blue", "Red"] },
    });
  }
  return FakeServer.all;
}
const show = (server: FakeServer | undefined, version: number, one: object): void =>
  server?.say({
    type: "sync",
    version,
    scene: one,
    allowed: { undo: "" },
    hints_used: 0,
    undos_used: 0,
    players: ["person", "person"],
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeServer);
  vi.stubGlobal("window", { location: { protocol: "http:", host: "h" } });
});
afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("one seat", () => {
  it("lays the table and says what is asked", () => {
    const [server] = sit("a");
    expect(session.scene).toBeNull();
    show(server, 0, scene(1));
    expect(session.board.setting?.title).toBe("G");
    expect(session.voice.text).toBe("You play Blue. What now? Keys: 1: end.");
    expect(session.myTurn).toBe(true);
    expect(session.seats.map((view) => view.who)).toEqual(["you", ""]);
  });

  it("asks for moves at the table's version, one after the other", () => {
    const [server] = sit("a");
    show(server, 3, scene(1));
    void session.requests.type("end");
    void session.requests.undo(); // it is busy
    expect(server?.requests.slice(2)).toMatchObject([{ type: "move", version: 3, move: "end" }]);
    show(server, 4, scene(1, {}, 1, 2));
    expect(session.requests.busy).toBe(false);
    void session.requests.undo();
    expect(server?.requests.at(-1)).toMatchObject({ type: "undo", version: 4 });
  });

  it("changes nothing while it looks back", async () => {
    const [server] = sit("a");
    show(server, 1, scene(1, {}, 1));
    const look = session.past.look(0);
    await server?.answer({ type: "view", version: 0, scene: scene(1) });
    await look;
    expect(session.past.view?.version).toBe(0);
    expect(session.board.readOnly).toBe(true);
    await session.requests.undo();
    expect(server?.requests.at(-1)?.type).toBe("at");
    session.past.leave();
    expect(session.board.readOnly).toBe(false);
  });

  it("announces the end and removes its hints if no move ended the game", async () => {
    const [server] = sit("a");
    show(server, 0, scene(1));
    const hint = session.askHint();
    await server?.answer({ type: "hint", hints: [{ action: 9, text: "end" }] });
    await hint;
    expect(session.hints.current?.text).toBe("end");
    show(server, 1, scene(1, RESIGNED, 0, 0));
    expect(session.ended).toBe(true);
    expect(session.voice.text).toContain("Blue resigns.");
    expect(session.hints.current).toBeNull();
  });
});

describe("a throw", () => {
  it("leaves its thrower to move until it has landed", () => {
    const [server] = sit("a");
    const layout = { cards: [], pieces: [] };
    show(server, 0, scene(1, { layout }));
    show(server, 1, scene(1, { layout, flown: { card: "6v" } }, 1, 2));
    const toMove = (): number[] => session.seats.filter((view) => view.toMove).map((view) => view.seat);
    expect(toMove()).toEqual([1]);
    session.flights.end();
    expect(toMove()).toEqual([2]);
  });
});

describe("two seats at one screen", () => {
  it("agree to what one of them asks", async () => {
    const [blue, red] = sit("a.b");
    show(blue, 0, scene(1));
    show(red, 0, scene(2));
    const asking = session.requests.ask("ask adjourn");
    expect(blue?.requests.at(-1)).toMatchObject({ type: "ask", what: "adjourn", version: 0 });
    await blue?.answer({ type: "ack", version: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(red?.requests.at(-1)).toMatchObject({ type: "grant", version: 1 });
    await red?.answer({ type: "ack", version: 2 });
    await asking;
    const resigning = session.requests.ask("resign");
    await blue?.answer({ type: "ack", version: 3 });
    await resigning;
    expect(red?.requests.at(-1)?.type).toBe("grant");
  });

  it("shows one side to both, and waits until both know a version", () => {
    const [blue, red] = sit("a.b");
    show(blue, 0, scene(1));
    expect(session.front).toBeNull();
    show(red, 0, scene(2));
    expect(session.front?.seat).toBe(1);
    show(blue, 1, scene(1, {}, 1, 2));
    expect(session.front?.seat).toBe(1);
    show(red, 1, scene(2, {}, 1, 2));
    expect(session.front?.seat).toBe(2);
    expect(session.next).toBeNull();
    expect(session.eyes()?.seat).toBe(1);
  });

  it("covers the table where one must not see what the other sees", () => {
    const [blue, red] = sit("a.b");
    show(blue, 0, scene(1, hand("7s")));
    show(red, 0, scene(2, hand("")));
    session.take();
    expect(session.front?.seat).toBe(1);
    show(blue, 1, scene(1, hand("7s"), 1, 2));
    show(red, 1, scene(2, hand(""), 1, 2));
    expect(session.next?.seat).toBe(2);
    expect(session.voice.text).toContain("Pass the device to Red.");
    expect(session.blocked).toBe(true);
    session.take();
    expect(session.front?.seat).toBe(2);
    expect(session.blocked).toBe(false);
  });
});
