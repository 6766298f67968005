import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  backoff,
  type Connection,
  DEAD_MS,
  LONGEST_WAIT_MS,
  PING_MS,
  socketUrl,
  TableSocket,
  type Wire,
} from "./socket";
import type { ServerMessage, Sync } from "./wire";

class FakeWire implements Wire {
  static all: FakeWire[] = [];
  readyState = 0;
  onopen: Wire["onopen"] = null;
  onclose: Wire["onclose"] = null;
  onerror: Wire["onerror"] = null;
  onmessage: Wire["onmessage"] = null;
  sent: Record<string, unknown>[] = [];
  constructor(readonly url: string) {
    FakeWire.all.push(this);
  }
  /** What was said first on this connection. */
  first: unknown;
  send(text: string): void {
    const said = JSON.parse(text) as Record<string, unknown>;
    if (this.first === undefined) this.first = said;
    else this.sent.push(said);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.(undefined as never);
  }
  say(message: unknown): void {
    this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) });
  }
  break(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: "" });
  }
}

const newest = (): FakeWire => FakeWire.all.at(-1)!;
const sync = (version: number) => ({
  type: "sync",
  version,
  scene: { seat: 1, status: { ply: version, seat: 1, phase: "p", prompt: "?" }, zones: [] },
});

let heard: ServerMessage[];
let states: Connection[];
let socket: TableSocket;

beforeEach(() => {
  vi.useFakeTimers();
  FakeWire.all = [];
  heard = [];
  states = [];
  socket = new TableSocket({
    url: "ws://here/ws/t",
    key: "x",
    onmessage: (message) => heard.push(message),
    onconnection: (state) => states.push(state),
    open: (url) => new FakeWire(url),
    jitter: () => 0.5,
  });
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
});

describe("TableSocket", () => {
  it("says hello, hands on syncs with every field, and remembers the version for the next hello", () => {
    newest().open();
    expect(newest().first).toEqual({ type: "enter", key: "x", invitation: "", browser: "", patches: true });
    expect(newest().sent).toEqual([{ type: "hello" }]);
    newest().say(sync(7));
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ version: 7, allowed: {}, scene: { choices: [], result: null } });
    newest().break();
    vi.advanceTimersByTime(300);
    newest().open();
    expect(newest().first).toEqual({ type: "enter", key: "x", invitation: "", browser: "", patches: true });
    expect(newest().sent[0]).toEqual({ type: "hello", version: 7 });
  });

  it("works out the table from what changed, and asks for all of it where it can't", () => {
    newest().open();
    newest().say({
      ...sync(7),
      draw_offer: 2,
      scene: {
        ...sync(7).scene,
        zones: [{ id: "hand", items: [{ id: "a" }, { id: "b", owner: 1 }] }, { id: "deck" }],
        choices: [{ action: 1 }],
        log: [6, 7].map((ply) => ({ ply, seat: 1, move: "x" })),
      },
    });
    const status = { ply: 8, seat: 2, phase: "p", prompt: "!" };
    const changes = { status, choices: [], zones: { 0: { items: { 1: { owner: 2 } } } } };
    const log = [{ ply: 8, seat: 1, move: "y" }];
    newest().say({ type: "patch", base: 7, version: 9, sync: { draw_offer: 0 }, scene: changes, log });
    expect(heard[1]).toMatchObject({ type: "sync", version: 9, draw_offer: 0, head: "" });
    const { scene } = heard[1] as Sync;
    expect(scene).toMatchObject({ status: { prompt: "!" }, choices: [] });
    expect(scene.zones.map((zone) => zone.id)).toEqual(["hand", "deck"]);
    expect(scene.zones[0]!.items.map((one) => [one.id, one.owner])).toEqual([
      ["a", 0],
      ["b", 2],
    ]);
    expect(scene.log.map((line) => line.move)).toEqual(["x", "x", "y"]);
    const undone = { status: { ...status, ply: 7 } };
    newest().say({ type: "patch", base: 9, version: 10, scene: undone });
    expect((heard[2] as Sync).scene.log).toHaveLength(2);
    newest().say({ type: "patch", base: 11, version: 12, scene: undone });
    expect(heard).toHaveLength(3);
    expect(newest().sent.at(-1)).toEqual({ type: "hello" });
  });

  it("sends an unanswered move again with the same id, and an answered one never", async () => {
    newest().open();
    const first = socket.request({ type: "move", version: 0, move: "end" });
    const id = newest().sent[1]!.id;
    newest().say({ type: "ack", id, version: 1 });
    await expect(first).resolves.toMatchObject({ type: "ack", version: 1 });
    const second = socket.request({ type: "move", version: 1, move: 4 });
    const lost = newest().sent[2]!;
    newest().break();
    vi.advanceTimersByTime(300);
    newest().open();
    expect(newest().sent.slice(1)).toEqual([lost]);
    newest().say({ type: "ack", id: lost.id, version: 2 });
    await expect(second).resolves.toMatchObject({ version: 2 });
  });

  it("keeps a request made while there is no connection", () => {
    void socket.request({ type: "undo", version: 3 });
    expect(newest().sent).toEqual([]);
    newest().open();
    expect(newest().sent[1]).toMatchObject({ type: "undo", version: 3 });
  });

  it("gives every request an id of its own", () => {
    newest().open();
    void socket.request({ type: "hint" });
    void socket.request({ type: "hint" });
    const [, one, two] = newest().sent;
    expect(one!.id).not.toBe(two!.id);
  });

  it("pings, and takes silence for a broken connection", () => {
    newest().open();
    vi.advanceTimersByTime(PING_MS);
    expect(newest().sent.at(-1)).toMatchObject({ type: "ping" });
    const silent = newest();
    vi.advanceTimersByTime(DEAD_MS + PING_MS);
    expect(silent.readyState).toBe(3);
    expect(states).toContain("waiting");
    vi.advanceTimersByTime(1000);
    expect(FakeWire.all.length).toBeGreaterThan(1);
  });

  it("stays while pongs come", () => {
    newest().open();
    for (let n = 0; n < 10; n++) {
      vi.advanceTimersByTime(PING_MS);
      newest().say({ type: "pong", id: "x" });
    }
    expect(FakeWire.all).toHaveLength(1);
  });

  it("waits longer after each failure, up to a limit", () => {
    expect([0, 1, 2].map((n) => backoff(n, 0.5))).toEqual([250, 500, 1000]);
    expect(backoff(30, 1)).toBe(LONGEST_WAIT_MS * 1.25);
    newest().break();
    newest().break();
    vi.advanceTimersByTime(249);
    expect(FakeWire.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeWire.all).toHaveLength(2);
    newest().break();
    vi.advanceTimersByTime(499);
    expect(FakeWire.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(FakeWire.all).toHaveLength(3);
  });

  it("tries at once when asked to", () => {
    newest().break();
    socket.retry();
    expect(FakeWire.all).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(FakeWire.all).toHaveLength(2);
  });

  it("gives up when the server closes for good", () => {
    newest().open();
    newest().break(4404);
    vi.advanceTimersByTime(60_000);
    expect(FakeWire.all).toHaveLength(1);
    expect(states.at(-1)).toBe("closed");
  });

  it("hands on errors that answer nothing, and leaves out what is no message", () => {
    newest().open();
    newest().say("{ nonsense");
    newest().say({ type: "unheard-of" });
    newest().say({ type: "error", code: "malformed", sentence: "That was no message." });
    expect(heard).toEqual([{ type: "error", code: "malformed", sentence: "That was no message." }]);
  });
});

it("asks for a safe socket on a safe page", () => {
  expect(socketUrl({ protocol: "https:", host: "h" }, "t/u")).toBe("wss://h/ws/t%2Fu");
  expect(socketUrl({ protocol: "http:", host: "h:1" }, "t")).toBe("ws://h:1/ws/t");
});
