/**
 * Keep one table's connection: reconnects, notices silence, and sends again what was not answered.
 *
 * A request keeps its id when it is sent again, so that the server plays it once.
 */

import { at } from "./base";
import { message, read } from "./complete";
import { type Given, patched } from "./patch";
import type { ClientMessage, Request, ServerMessage } from "./wire";

export type Connection = "connecting" | "open" | "waiting" | "closed";

export const PING_MS = 2_500;
export const DEAD_MS = 9_000;
export const FIRST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 8_000;

/** The part of WebSocket that is used, so that a test can stand in for it. */
export interface Wire {
  readyState: number;
  onopen: ((event: never) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export interface SocketOptions {
  url: string;
  /** What opens the seat: said first on every connection, and in no address. */
  key: string;
  /** What gives the key its seat, where no one has used it. */
  invitation?: string;
  /** By which the table knows this browser again. */
  browser?: string;
  onmessage: (message: ServerMessage) => void;
  onconnection: (state: Connection) => void;
  open?: (url: string) => Wire;
  /** 0–1; spreads reconnections out. */
  jitter?: () => number;
}

interface Waiting {
  message: Request & { id: string };
  answer: (message: ServerMessage) => void;
}

const OPEN = 1;
const ANSWERS = new Set(["ack", "refused", "error", "hint", "view", "done", "given"]);
/** Closed by the server for good: going on would not help (4xxx codes: no such table, wrong token, abuse). */
const isFinal = (code: number): boolean => code >= 4000 && code < 4500;

/** Milliseconds to wait before the n-th attempt (from 0), doubling up to the longest. */
export const backoff = (attempt: number, jitter: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + 0.5 * jitter);

/** The address of a table's socket beside this page's own. */
export function socketUrl(page: { protocol: string; host: string }, table: string): string {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}${at(`/ws/${encodeURIComponent(table)}`)}`;
}

export class TableSocket {
  private wire: Wire | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private readonly prefix = Math.random().toString(36).slice(2, 8);
  private count = 0;
  private attempt = 0;
  /** When there was the last sign of life, in milliseconds since 1970. */
  private alive = 0;
  /** The table as it was shown last, as it came. */
  private last: Given | null = null;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private retrying: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(private readonly options: SocketOptions) {
    this.connect();
  }

  /** Send a request; resolves with its answer, however often the connection breaks meanwhile. */
  request(request: Request): Promise<ServerMessage> {
    const id = `${this.prefix}-${++this.count}`;
    return new Promise((answer) => {
      const waiting = { message: { ...request, id }, answer };
      this.waiting.set(id, waiting);
      this.send(waiting.message);
    });
  }

  /** Try at once instead of waiting for the next attempt. */
  retry(): void {
    if (this.ended || this.wire) return;
    clearTimeout(this.retrying);
    this.attempt = 0;
    this.connect();
  }

  close(): void {
    this.ended = true;
    clearInterval(this.pinging);
    clearTimeout(this.retrying);
    this.drop();
    this.options.onconnection("closed");
  }

  private connect(): void {
    this.options.onconnection("connecting");
    const wire = (this.options.open ?? ((url) => new WebSocket(url) as unknown as Wire))(this.options.url);
    this.wire = wire;
    this.alive = Date.now();
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.beat(), PING_MS);
    wire.onopen = () => {
      this.alive = Date.now();
      const { browser = "", invitation = "", key } = this.options;
      this.send({ type: "enter", key, invitation, browser, patches: true });
      this.send(this.last ? { type: "hello", version: this.last.version as number } : { type: "hello" });
      for (const { message: unanswered } of this.waiting.values()) this.send(unanswered);
      this.options.onconnection("open");
    };
    wire.onmessage = (event) => this.receive(event.data);
    wire.onclose = (event) => {
      if (this.wire === wire) this.lost(event.code);
    };
    wire.onerror = () => undefined; // a close follows
  }

  private receive(data: unknown): void {
    this.alive = Date.now();
    this.attempt = 0;
    const given = this.whole(read(data));
    if (!given || given.type === "pong") return;
    const news = message(given);
    if (ANSWERS.has(news.type) && "id" in news && news.id !== undefined) {
      const waiting = this.waiting.get(news.id);
      this.waiting.delete(news.id);
      waiting?.answer(news);
    } else this.options.onmessage(news);
  }

  /** Return a message with the whole table where only what changed came; null to ask for all of it. */
  private whole(given: Given | null): Given | null {
    const { last } = this;
    if (given?.type === "patch") {
      if (last?.version === given.base) return (this.last = patched(last as Given, given));
      this.send({ type: "hello" });
      return null;
    }
    if (given?.type === "sync") this.last = given;
    if (given?.type === "tick") this.last = last && { ...last, version: given.version, head: given.head };
    return given;
  }

  private beat(): void {
    if (!this.wire) return;
    if (Date.now() - this.alive > DEAD_MS) {
      this.lost(0);
    } else {
      this.send({ type: "ping", id: `${this.prefix}-p${++this.count}` });
    }
  }

  private lost(code: number): void {
    this.drop();
    clearInterval(this.pinging);
    if (this.ended) return;
    if (isFinal(code)) {
      this.ended = true;
      this.options.onconnection("closed");
      return;
    }
    this.options.onconnection("waiting");
    const pause = backoff(this.attempt++, (this.options.jitter ?? Math.random)());
    this.retrying = setTimeout(() => this.connect(), pause);
  }

  /** Let go of the present connection without hearing from it again. */
  private drop(): void {
    const wire = this.wire;
    this.wire = null;
    if (!wire) return;
    wire.onopen = wire.onclose = wire.onmessage = wire.onerror = null;
    try {
      wire.close();
    } catch {
      // It was never open.
    }
  }

  private send(message: ClientMessage): void {
    if (this.wire?.readyState === OPEN) this.wire.send(JSON.stringify(message));
  }
}
