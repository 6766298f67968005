/** Send moves and agreements to the server, one request after the other. */

import * as t from "../speech/session";
import { moveOf, showRefusal } from "../board/actions";
import { calm } from "../board/anim";
import type { Board } from "../board/board.svelte";
import type { Choice, Refusal, Request, Scene, ServerMessage, Setting } from "../net/wire";
import { seatName } from "../speech/names";
import { play as sound } from "../ui/sound";
import type { TableClient } from "./client.svelte";
import type { Hints } from "./hints.svelte";
import type { Voice } from "./voice.svelte";
import { refusalWords } from "./words";

/** Milliseconds between the moves of one gesture, so that each can be seen. */
const STRIDE_MS = 170;

/** How one agrees to a request. */
const CONSENT: Readonly<Record<string, "agree" | "grant">> = { offer: "agree", ask: "grant", grant: "grant" };

/** A request without the table's version, which `change` adds. */
type WithoutVersion<R> = R extends { version: number } ? Omit<R, "version"> : never;
type Change = WithoutVersion<Request>;

/** Who asks. */
interface Speaker {
  readonly clients: readonly TableClient[];
  readonly front: TableClient | null;
  readonly setting: Setting | null;
  readonly scene: Scene | null;
  readonly version: number;
  /** Whether nothing can be changed now: the table is covered, or an earlier one is looked at. */
  readonly blocked: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Say what happened between two scenes. */
  report(before: Scene, scene: Scene): void;
}

export class Requests {
  busy = $state(false);
  /** The scene before a gesture of several moves, while they are played. */
  start: Scene | null = null;
  /** The answer to the latest change. */
  private answer: Promise<ServerMessage> | null = null;

  constructor(
    private readonly speaker: Speaker,
    private readonly board: Board,
    private readonly hints: Hints,
    private readonly voice: Voice,
  ) {}

  async play(choice: Choice): Promise<void> {
    await this.move(moveOf(this.board, choice));
  }

  /** Play moves one by one, each acknowledged before the next; the first refusal ends it. */
  async walk(actions: readonly number[]): Promise<void> {
    const before = this.speaker.scene;
    if (this.start || !before) return;
    this.start = before;
    let done = 0;
    try {
      for (const action of actions) {
        if (done && !calm()) await new Promise((resume) => setTimeout(resume, STRIDE_MS));
        if (!(await this.move(action))) break;
        done++;
      }
    } finally {
      this.start = null;
    }
    const why = done < actions.length ? t.stoppedAfterOfMoves(done, actions.length, this.voice.text) : "";
    if (done && this.speaker.scene) this.speaker.report(before, this.speaker.scene);
    if (why) this.voice.say(why);
  }

  /** Play what is typed, once the move before it is done: quick fingers lose nothing. */
  async type(text: string): Promise<boolean> {
    while (this.busy) await this.answer;
    return (await this.move(text)) > 0;
  }

  async undo(): Promise<void> {
    if (this.speaker.canUndo) await this.change({ type: "undo" });
  }

  async redo(): Promise<void> {
    if (this.speaker.canRedo) await this.change({ type: "redo" });
  }

  /**
   * Send a request that is named as in `Sync.allowed`: "resign", "ask takeback". Whoever sits here too agrees
   * to it.
   */
  async ask(request: string): Promise<void> {
    const [type = "", what] = request.split(" ");
    let version = await this.change({ type, ...(what && { what }) } as Change);
    const consent = CONSENT[type];
    if (!version || !consent) return;
    for (const client of this.speaker.clients) {
      if (client === this.speaker.front || !client.seat) continue;
      const answer = await client.ask({ type: consent, version });
      if (answer.type === "ack") version = answer.version;
    }
  }

  /** Ask for another game, or decline it, for everyone at this screen. */
  async askRematch(type: "rematch" | "no_rematch"): Promise<void> {
    let { version } = this.speaker;
    for (const client of this.speaker.clients) {
      if (client.sync?.allowed[type] !== "") continue;
      const answer = await client.ask({ type, version: Math.max(version, client.version) });
      if (answer.type === "ack") version = answer.version;
      else if (answer.type === "error") return this.voice.fail(answer.sentence);
    }
  }

  /** Ask why touching these things, or a typed move, is not possible. */
  async why(about: { items?: string[]; move?: string }): Promise<void> {
    const { front, scene, setting } = this.speaker;
    if (!front || !scene) return;
    const { seat } = scene.status;
    if (seat && seat !== scene.seat) return this.voice.say(t.settingSTurn(seatName(setting, seat)));
    const answer = await front.ask({ type: "why", ...about });
    if (answer.type === "refused") this.refuse(answer.refusal, about.items ?? []);
    else if (answer.type === "error") this.voice.fail(answer.sentence);
  }

  private move(move: string | number): Promise<number> {
    return this.change({ type: "move", move });
  }

  /** Send a request from the seat in front; returns the version that it made, 0 where it made none. */
  private async change(request: Change): Promise<number> {
    const { front } = this.speaker;
    if (this.busy || this.speaker.blocked || !front) return 0;
    const answering = front.ask({ ...request, version: this.speaker.version });
    this.answer = answering;
    this.busy = true;
    this.voice.fault = "";
    try {
      const answer = await answering;
      if (answer.type === "refused") this.refuse(answer.refusal, []);
      else if (answer.type === "error") {
        this.board.selection = [];
        this.voice.fail(answer.sentence);
      }
      return answer.type === "ack" ? answer.version : 0;
    } finally {
      if (this.answer === answering) this.busy = false;
    }
  }

  private refuse(refusal: Refusal, touched: readonly string[]): void {
    this.hints.current = null;
    showRefusal(this.board, refusal);
    sound("refused");
    this.voice.say(refusalWords(refusal, touched.length > 0, this.board));
  }
}
