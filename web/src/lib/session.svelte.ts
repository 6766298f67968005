/** Milliseconds between the moves of one gesture, so that each can be seen. */
const STRIDE_MS = 170;

/** Sit at one table: what the server says becomes a Board; what the player wants becomes requests. */

import { calm } from "./anim";
import { Board } from "./board.svelte";
import { asked, happened, mergeLog, options, reachable, sentence, title } from "./speak";
import { type Connection, TableSocket } from "./socket";
import { socketUrl } from "./route";
import { play as sound } from "./sound";
import { hasWon, type Outcome, store } from "./store";
import type { Choice, Hint, LogLine, Refusal, Request, Scene, ServerMessage, Sync } from "./wire";

export class Session {
  readonly board: Board;
  scene = $state.raw<Scene | null>(null);
  connection = $state<Connection>("connecting");
  /** All that was told of this line of play since the page was opened. */
  log = $state.raw<LogLine[]>([]);
  /** The table's ply: how many entries its log has. */
  ply = $state(0);
  canUndo = $state(false);
  canRedo = $state(false);
  hintsUsed = $state(0);
  undosUsed = $state(0);
  seedHash = $state("");
  hint = $state.raw<Hint | null>(null);
  /** What the one live region says. */
  said = $state("");
  /** A sentence about something that went wrong, no rule of the game. */
  fault = $state("");
  busy = $state(false);
  /** The earlier ply that is looked at. */
  looking = $state.raw<{ ply: number; scene: Scene } | null>(null);
  /** True once the game ended while one was looking on. */
  ended = $state(false);

  /** The scene before a gesture of several moves, while they are played. */
  private setOff: Scene | null = null;
  private readonly socket: TableSocket;
  private readonly views = new Map<number, Scene>();

  constructor(
    readonly table: string,
    readonly token: string,
  ) {
    this.board = new Board(
      (choice) => void this.play(choice),
      (ids) => void this.why({ items: ids }),
      () => this.tellSelection(),
      (actions) => void this.walk(actions),
      (choice) => this.askAgain(choice),
    );
    this.socket = new TableSocket({
      url: socketUrl(window.location, table, token),
      onmessage: (message) => this.hear(message),
      onconnection: (state) => {
        this.connection = state;
      },
    });
  }

  close(): void {
    this.socket.close();
  }

  retry(): void {
    this.socket.retry();
  }

  async play(choice: Choice): Promise<void> {
    await this.change({ type: "move", ply: this.ply, move: choice.action });
  }

  /** Play moves one by one, each acknowledged before the next; the first refusal ends it. */
  async walk(actions: readonly number[]): Promise<void> {
    if (this.setOff || !this.scene) return;
    const before = this.scene;
    this.setOff = before;
    let done = 0;
    try {
      for (const action of actions) {
        if (done && !calm()) await new Promise((resume) => setTimeout(resume, STRIDE_MS));
        if (!(await this.change({ type: "move", ply: this.ply, move: action }))) break;
        done++;
      }
    } finally {
      this.setOff = null;
    }
    const why = done < actions.length ? `Stopped after ${done} of ${actions.length} moves. ${this.said}` : "";
    if (done && this.scene) this.tell(before, this.scene);
    if (why) this.say(why);
  }

  async type(text: string): Promise<boolean> {
    return this.change({ type: "move", ply: this.ply, move: text });
  }

  async undo(): Promise<void> {
    if (this.canUndo) await this.change({ type: "undo", ply: this.ply });
  }

  async redo(): Promise<void> {
    if (this.canRedo) await this.change({ type: "redo", ply: this.ply });
  }

  async resign(): Promise<void> {
    await this.change({ type: "resign", ply: this.ply });
  }

  async why(about: { items?: string[]; move?: string }): Promise<void> {
    const answer = await this.socket.request({ type: "why", ...about });
    if (answer.type === "refused") this.refuse(answer.refusal, about.items ?? []);
    else if (answer.type === "error") this.fail(answer.sentence);
  }

  async askHint(): Promise<void> {
    if (this.board.still) return;
    const answer = await this.socket.request({ type: "hint" });
    if (answer.type === "error") return this.fail(answer.sentence);
    const hint = answer.type === "hint" ? answer.hints[0] : undefined;
    if (!hint) return;
    this.hint = hint;
    const choice = this.choiceOf(hint);
    this.board.refusal = null;
    this.board.touched = [];
    this.board.hinted = new Set(choice?.items ?? []);
    this.board.preview = choice ?? null;
    this.board.uncover(choice?.items ?? []);
    this.say(`Hint: ${hint.text}. ${hint.reason ? sentence(hint.reason) : ""}`);
  }

  choiceOf(hint: Hint): Choice | undefined {
    return this.scene?.choices.find((choice) => choice.action === hint.action);
  }

  /** Whether others have moved since this seat's last move, so that there is a turn to see again. */
  get canReplayTurn(): boolean {
    return (this.scene?.seat ?? 0) > 0 && this.othersMoves() > 0;
  }

  /** Look at the table as it was after this seat's own last move; the scrubber goes on from there. */
  async lookAtLastTurn(): Promise<void> {
    const others = this.othersMoves();
    if (!others) return;
    const { ply } = this.scene!.status;
    let at = this.ply - others;
    await this.look(at);
    // Moves taken back, hints and the like have entries of their own in the table's log: go back over them.
    for (let over = 1; over > 0 && at > 0; ) {
      over = (this.looking?.scene.status.ply ?? 0) - (ply - others);
      if (over <= 0) break;
      at = Math.max(0, at - over);
      await this.look(at);
    }
  }

  /** How many moves of other seats end the log. */
  private othersMoves(): number {
    const own = this.log.findLastIndex((line) => line.seat === this.scene?.seat);
    return this.log.length - 1 - own;
  }

  /** Look at an earlier ply of this table, or, at its last, be back at the table. */
  async look(ply: number): Promise<void> {
    if (ply >= this.ply) return this.back();
    const known = this.views.get(ply);
    if (known) return this.lookAt(ply, known);
    const answer = await this.socket.request({ type: "at", ply });
    if (answer.type === "view") {
      this.views.set(ply, answer.scene);
      this.lookAt(ply, answer.scene);
    } else if (answer.type === "error") this.fail(answer.sentence);
  }

  back(): void {
    this.looking = null;
    this.present();
  }

  say(text: string): void {
    // The same sentence twice has to differ for a screen reader to say it twice.
    this.said = text === this.said ? `${text}\u00a0` : text;
  }

  fail(text: string): void {
    this.fault = text;
    this.say(text);
  }

  private lookAt(ply: number, scene: Scene): void {
    this.looking = { ply, scene };
    this.board.show(scene, true);
    this.say(`Ply ${ply} of ${this.ply}. ${happened(scene.log, scene.status.ply - 1, scene.theme.liveries)}`);
  }

  private present(): void {
    if (this.scene) this.board.show(this.scene, this.scene.seat === 0);
  }

  private async change(asked: Request): Promise<boolean> {
    if (this.busy || this.looking) return false;
    this.busy = true;
    this.fault = "";
    try {
      const answer = await this.socket.request(asked);
      if (answer.type === "refused") this.refuse(answer.refusal, []);
      else if (answer.type === "error") {
        this.board.touched = [];
        this.fail(answer.sentence);
      }
      return answer.type === "ack";
    } finally {
      this.busy = false;
    }
  }

  private refuse(refusal: Refusal, ids: string[]): void {
    this.board.refusal = refusal;
    this.board.uncover(refusal.blockers);
    this.hint = null;
    this.board.hinted = new Set();
    sound("refused");
    const named = refusal.blockers.map((id) => this.board.things.get(id)?.label).filter(Boolean);
    const blocked = named.length ? ` In the way: ${named.join("; ")}.` : "";
    const touched = ids.length ? "" : "Not possible. ";
    this.say(`${touched}${sentence(refusal.sentence)}${refusal.clause ? ` Clause ${refusal.clause}.` : ""}${blocked}`);
  }

  private hear(message: ServerMessage): void {
    if (message.type === "sync") this.sync(message);
    else if (message.type === "tick") this.ply = message.ply;
    else if (message.type === "error") this.fail(message.sentence);
  }

  private sync(told: Sync): void {
    const before = this.scene;
    const { scene } = told;
    this.ply = told.ply;
    this.canUndo = told.can_undo;
    this.canRedo = told.can_redo;
    this.hintsUsed = told.hints_used;
    this.undosUsed = told.undos_used;
    this.seedHash = told.seed_hash;
    this.scene = scene;
    this.log = mergeLog(this.log, scene.log, scene.status.ply);
    this.fault = "";
    if (before?.status.ply !== scene.status.ply) this.hint = null;
    if (!this.looking) this.present();
    this.keep(scene);
    // A sync may tell of no more than a hint that was counted.
    const news = before?.status.ply !== scene.status.ply || !before.result !== !scene.result;
    if (news && !this.setOff) this.tell(before, scene);
    else if (news) sound("move");
    if (scene.result && !before?.result) {
      this.finish(scene);
      if (before) this.ended = true;
    }
  }

  private keep(scene: Scene): void {
    store.remember({
      table: this.table,
      token: this.token,
      game: scene.game,
      title: scene.title,
      seat: scene.seat,
      used: Date.now(),
      round: scene.status.round,
      ply: scene.status.ply,
      headline: scene.result?.headline ?? "",
    });
  }

  /** Say what happened and what may be done, in one go. */
  private tell(before: Scene | null, scene: Scene): void {
    const ply = scene.status.ply;
    const back = before !== null && ply < before.status.ply;
    const news = back ? "Taken back." : happened(scene.log, before ? before.status.ply : ply - 1, scene.theme.liveries);
    const { always } = this.board;
    const yours = scene.seat > 0 && scene.choices.length > 0;
    const can = yours ? options([], always, scene.choices.filter((choice) => choice.items.length > 0)) : "";
    this.say([news, asked(scene), can].filter(Boolean).join(" "));
    if (!before) return;
    if (scene.result && !before.result) sound(hasWon(scene.result, scene.seat) ? "won" : "lost");
    else if (back) sound("back");
    else if (ply > before.status.ply) sound(scene.status.round > before.status.round ? "round" : "move");
  }

  private tellSelection(): void {
    const { board } = this;
    this.hint = null;
    sound("touch");
    if (!board.touched.length) {
      this.say(`Nothing selected. ${this.scene ? asked(this.scene) : ""}`);
      return;
    }
    const names = board.touched.map((id) => board.things.get(id)?.label ?? id);
    const { exact, candidates } = board.narrowed;
    const ready = exact.length === 1 && exact[0] && !exact[0].careful ? ` Enter plays: ${exact[0].label || exact[0].text}.` : "";
    const far = reachable(board.reach, (id) => board.things.get(id)?.label ?? id);
    const can = options(board.offered, board.always, candidates);
    this.say([`Selected: ${names.join("; ")}.${ready}`, far, can].filter(Boolean).join(" "));
  }

  /** Ask once more before a move that gives something up, where the player wants to be asked. */
  private askAgain(choice: Choice): boolean {
    if (!store.settings().confirm) return false;
    this.say(`${sentence(choice.confirm)} Press again: ${title(choice)}.`);
    return true;
  }

  private finish(scene: Scene): void {
    const { result, seat } = scene;
    if (!result || seat === 0) return;
    const known = store.table(this.table, this.token);
    const outcome: Outcome = {
      table: this.table,
      won: hasWon(result, seat),
      headline: result.headline,
      score: result.scores[seat - 1] ?? null,
      deal: known?.deal ?? "new",
      date: known?.date ?? "",
      hints: this.hintsUsed,
      undos: this.undosUsed,
      plies: scene.status.ply,
      when: Date.now(),
    };
    store.finish(scene.game, known?.options ?? {}, outcome);
  }
}
