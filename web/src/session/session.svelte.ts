/** Sit at one table, at one seat or at several: what the server says becomes a Board, what the player wants requests. */

import { calm } from "../board/anim";
import { Board } from "../board/board.svelte";
import type { Connection } from "../net/socket";
import { type Outcome, store } from "../net/store";
import { keysOf } from "../net/tokens";
import type { Choice, Hint, LogLine, Preparation, Preparing, Refusal, Request, Scene, ServerMessage, Sync } from "../net/wire";
import { happened } from "../speech/log";
import { seatName } from "../speech/names";
import { title } from "../speech/names";
import { prompt, options, percent, preparingFor, reachable, sentence } from "../speech/sentences";
import { play as sound } from "../ui/sound";
import { Chair } from "./chair.svelte";
import { points } from "./outcome";
import { hasWon } from "./outcome";
import { differ, moved, offers, seatViews } from "./seats";

/** Milliseconds between the moves of one gesture, so that each can be seen. */
const STRIDE_MS = 170;

/** From the worst to the best: a table is connected as well as the worst of its seats. */
const CONNECTIONS: Connection[] = ["closed", "waiting", "connecting", "open"];

export class Session {
  readonly board: Board;
  readonly chairs: readonly Chair[] = [];
  /** The seat that this page looks from and speaks for; null before it is known whose turn to look it is. */
  front = $state.raw<Chair | null>(null);
  /** Who is to take the screen; nothing is shown until they say that they have. */
  next = $state.raw<Chair | null>(null);
  /** True once a seat here was seen to know what another may not. */
  secret = $state(false);
  turning = $state(store.settings().turning);
  /** Seats that somebody looks from, as the server says, and those whose people have ever come. */
  present = $state.raw<readonly number[]>([]);
  come = $state.raw<ReadonlySet<number>>(new Set());
  /** What the table waits for before it can go on, and the seat whose program takes its time. */
  preparing = $state.raw<{ what: Preparing["what"]; preparation: Preparation } | null>(null);
  thinking = $state(0);
  readonly told = $derived<Sync | null>(this.front?.told ?? null);
  readonly scene = $derived<Scene | null>(this.told?.scene ?? null);
  readonly log = $derived<LogLine[]>(this.front?.log ?? []);
  readonly ply = $derived(this.front?.ply ?? 0);
  readonly canUndo = $derived(!this.next && (this.told?.can_undo ?? false));
  readonly canRedo = $derived(!this.next && (this.told?.can_redo ?? false));
  readonly hintsUsed = $derived(this.told?.hints_used ?? 0);
  readonly undosUsed = $derived(this.told?.undos_used ?? 0);
  readonly seedHash = $derived(this.told?.seed_hash ?? "");
  readonly connection = $derived(CONNECTIONS.find((state) => this.chairs.some((chair) => chair.connection === state)) ?? "open");
  /** Seats that this page plays. */
  readonly held = $derived(this.chairs.map((chair) => chair.seat).filter(Boolean));
  readonly seats = $derived(
    this.told
      ? seatViews({ scene: this.told.scene, players: this.told.players, held: this.held, present: this.present, come: this.come, thinking: this.thinking })
      : [],
  );
  /** The moves that were recommended here, the best first, and the one of them that is shown. */
  hints = $state.raw<readonly Hint[]>([]);
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
  /** The rematch, once it began while one was looking on. */
  rematch = $state("");

  /** The scene before a gesture of several moves, while they are played. */
  private setOff: Scene | null = null;
  /** The answer to the latest change that was asked for. */
  private asked: Promise<ServerMessage> | null = null;
  /** What was put into words last. */
  private heard: Sync | null = null;

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
    this.chairs = keysOf(token).map((key) => new Chair(table, key, (message) => this.hear(message)));
  }

  close(): void {
    for (const chair of this.chairs) chair.close();
  }

  retry(): void {
    for (const chair of this.chairs) chair.retry();
  }

  /** Show the table to the one whom the screen was passed to. */
  take(): void {
    const chair = this.next;
    if (!chair) return;
    this.next = null;
    this.step(chair);
  }

  turn(turning: boolean): void {
    this.turning = turning;
    store.set({ turning });
    this.lay();
  }

  async play(choice: Choice): Promise<void> {
    await this.change({ type: "move", ply: this.ply, move: this.board.sent(choice) });
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

  /** Play what is typed, once the move before it is done: quick fingers lose nothing. */
  async type(text: string): Promise<boolean> {
    while (this.busy) await this.asked;
    return (await this.change({ type: "move", ply: this.ply, move: text })) > 0;
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

  /** Offer a draw; where the other sits at this screen too, both have agreed to it. */
  async offerDraw(): Promise<void> {
    const other = this.chairs.find((chair) => chair !== this.front && chair.seat);
    const ply = await this.change({ type: "offer", ply: this.ply });
    if (ply && other) await other.ask({ type: "agree", ply });
  }

  async answerDraw(agree: boolean): Promise<void> {
    await this.change({ type: agree ? "agree" : "decline", ply: this.ply });
  }

  /** Ask for another game, for everybody at this screen. */
  async askRematch(): Promise<void> {
    let ply = this.ply;
    for (const chair of this.chairs) {
      if (!chair.told?.can_rematch) continue;
      const answer = await chair.ask({ type: "rematch", ply: Math.max(ply, chair.ply) });
      if (answer.type === "ack") ply = answer.ply;
      else if (answer.type === "error") return this.fail(answer.sentence);
    }
  }

  async why(about: { items?: string[]; move?: string }): Promise<void> {
    const { front, scene } = this;
    if (!front || !scene) return;
    const { seat } = scene.status;
    if (seat && seat !== scene.seat) return this.say(`${seatName(scene.theme, seat)} is to move.`);
    const answer = await front.ask({ type: "why", ...about });
    if (answer.type === "refused") this.refuse(answer.refusal, about.items ?? []);
    else if (answer.type === "error") this.fail(answer.sentence);
  }

  /** Ask for hints; once they are there, show one after the other. */
  async askHint(): Promise<void> {
    if (this.board.still || !this.front) return;
    if (!this.hints.length) {
      const answer = await this.front.ask({ type: "hint" });
      if (answer.type === "error") return this.fail(answer.sentence);
      this.hints = answer.type === "hint" ? answer.hints : [];
      this.hint = null;
    }
    const next = this.hints[(this.hint ? this.hints.indexOf(this.hint) + 1 : 0) % this.hints.length];
    if (next) this.showHint(next);
  }

  /** Mark on the table what a hint means. */
  showHint(hint: Hint): void {
    this.hint = hint;
    const choice = this.choiceOf(hint);
    this.board.refusal = null;
    this.board.touched = [];
    this.board.hinted = new Set(choice?.items ?? []);
    this.board.preview = choice ?? null;
    this.board.uncover(choice?.items ?? []);
    const chance = hint.chance === null ? "" : `${percent(hint.chance)} to win. `;
    this.say(`Hint: ${hint.text}. ${chance}${hint.reason ? sentence(hint.reason) : ""}`);
  }

  private forgetHints(): void {
    this.hints = [];
    this.hint = null;
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
    const view = await this.eyes()?.view(ply);
    if (typeof view === "string") this.fail(view);
    else if (view) this.lookAt(ply, view);
  }

  back(): void {
    this.looking = null;
    this.lay();
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

  /** Whose side the table is drawn from: at one screen always the same, unless it turns or eyes must part. */
  private eyes(): Chair | null {
    if (this.secret || this.turning || this.chairs.length < 2) return this.front;
    return this.chairs.reduce((first, chair) => (chair.seat < first.seat ? chair : first));
  }

  private lay(): void {
    const { scene } = this;
    const drawn = this.eyes()?.told?.scene;
    if (!scene || !drawn || this.next) return;
    const { seat, status, choices, paths, extras } = scene;
    this.board.show(drawn === scene ? scene : { ...drawn, seat, status, choices, paths, extras }, seat === 0);
  }

  /** Send a request from the seat in front; returns the ply that it made, 0 where it made none. */
  private async change(request: Request): Promise<number> {
    if (this.busy || this.looking || this.next || !this.front) return 0;
    const asked = this.front.ask(request);
    this.asked = asked;
    this.busy = true;
    this.fault = "";
    try {
      const answer = await asked;
      if (answer.type === "refused") this.refuse(answer.refusal, []);
      else if (answer.type === "error") {
        this.board.touched = [];
        this.fail(answer.sentence);
      }
      return answer.type === "ack" ? answer.ply : 0;
    } finally {
      if (this.asked === asked) this.busy = false;
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
    if (message.type === "error") this.fail(message.sentence);
    else if (message.type === "present") {
      this.present = message.seats;
      this.come = new Set([...this.come, ...message.seats]);
    } else if (message.type === "thinking") this.thinking = message.seat;
    else if (message.type === "preparing") this.wait(message);
    else if (message.type === "sync" || message.type === "tick") this.arrange();
  }

  private wait({ what, preparation }: Preparing): void {
    if (!this.preparing && preparation) this.say(preparingFor(what));
    this.preparing = preparation ? { what, preparation } : null;
  }

  /** Decide whose eyes the page has, once all seats here have been told of the same ply. */
  private arrange(): void {
    const { chairs } = this;
    const scenes = chairs.flatMap((chair) => chair.told?.scene ?? []);
    if (scenes.length < chairs.length || new Set(chairs.map((chair) => chair.ply)).size > 1) return;
    this.secret ||= differ(scenes);
    const asked = chairs.find((chair) => chair.told?.scene.status.seat === chair.seat && chair.seat > 0);
    const chair = asked ?? this.next ?? this.front ?? chairs[0] ?? null;
    if (chair && this.secret && chair !== this.front && chair.told?.scene.result === null) this.pass(chair);
    else if (chair) this.step(chair);
  }

  /** Cover the table until the next one has the screen. */
  private pass(chair: Chair): void {
    if (this.next === chair) return;
    this.next = chair;
    this.forgetHints();
    this.looking = null;
    this.say(`Pass the screen to ${seatName(chair.told?.scene.theme, chair.seat)}. The table is covered until they are ready.`);
  }

  /** Look from a seat, and speak for it from now on. */
  private step(chair: Chair): void {
    const { told } = chair;
    if (!told) return;
    const before = this.heard;
    const { scene } = told;
    const known = told === before && !this.next;
    this.heard = told;
    this.front = chair;
    this.next = null;
    if (!this.looking) this.lay();
    if (known) return;
    this.fault = "";
    this.come = new Set([...this.come, ...scene.log.map((line) => line.seat)]);
    const played = before?.scene.status.ply !== scene.status.ply;
    if (played) {
      this.busy = false; // the acknowledgement comes after this
      this.forgetHints();
    }
    this.keep(scene);
    // A sync may tell of no more than a hint that was counted.
    const news = played || !before.scene.result !== !scene.result || before.scene.seat !== scene.seat;
    if (news && !this.setOff) this.tell(before?.scene ?? null, scene);
    else if (news) sound("move");
    const aside = before ? offers(before, told, this.held) : "";
    if (aside) this.say(played ? `${this.said} ${aside}` : aside);
    if (scene.result && !before?.scene.result) {
      this.finish(scene);
      if (before) this.ended = true;
    }
    if (before && told.rematch.table && !before.rematch.table) this.rematch = told.rematch.table;
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
      names: scene.theme.liveries.map((livery) => livery.name),
    });
  }

  /** Know the next table before going there: who asked for it finds its seats changed and the points counted. */
  keepRematch(): void {
    const { told, token } = this;
    if (!told?.rematch.table) return;
    const known = store.known(this.table, token);
    const { result } = told.scene;
    const own = this.chairs[0]?.seat ?? 0;
    const [mine, theirs] = known.series;
    const gained = result && own ? points(result, own) : 0;
    store.remember({
      ...known,
      table: told.rematch.table,
      used: Date.now(),
      seats: moved(known.seats, told.rematch.seats),
      series: result && own && told.scene.seats === 2 ? [mine + gained, theirs + 1 - gained] : known.series,
      round: 0,
      ply: 0,
      headline: "",
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
    const who = !before && scene.seats > 1 && scene.seat ? `You play ${seatName(scene.theme, scene.seat)}.` : "";
    this.say([who, news, prompt(scene), can].filter(Boolean).join(" "));
    if (!before) return;
    if (scene.result && !before.result) sound(this.held.some((seat) => scene.result && hasWon(scene.result, seat)) ? "won" : "lost");
    else if (back) sound("back");
    else if (ply > before.status.ply) sound(scene.status.round > before.status.round ? "round" : "move");
  }

  private tellSelection(): void {
    const { board } = this;
    this.hint = null;
    sound("touch");
    const { poised } = board;
    if (poised) return this.say(`${title(poised)}${poised.note && `: ${poised.note}`}. Touch again to play.`);
    if (!board.touched.length) {
      this.say(`Nothing selected. ${this.scene ? prompt(this.scene) : ""}`);
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
    if (!result || seat === 0 || scene.seats > 1) return;
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
