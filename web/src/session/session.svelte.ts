/**
 * Sit at one table, at one seat or at several: what the server shows becomes a Board, what the player wants
 * requests.
 */

import * as t from "../speech/session";
import { animated } from "../board/anim";
import { cancel, showScene } from "../board/actions";
import { Board } from "../board/board.svelte";
import type { Connection } from "../net/socket";
import { store } from "../net/store";
import { keysOf } from "../net/tokens";
import type { Choice, Fair, LogLine, Scene, ServerMessage, Setting, Sync } from "../net/wire";
import { movers, seatName, title } from "../speech/names";
import { sentence } from "../speech/sentences";
import { play as sound } from "../ui/sound";
import { TableClient } from "./client.svelte";
import { flightBetween, Flights, leftAfter } from "./flights.svelte";
import { Hints } from "./hints.svelte";
import { countResult, rememberRematch, rememberTable } from "./memory";
import { hasWon } from "./outcome";
import { Past } from "./past.svelte";
import type { People } from "./people.svelte";
import { Presence } from "./presence.svelte";
import { Requests } from "./requests.svelte";
import { differ, PERSON, type SeatView, seatViews, told } from "./seats";
import { RESULT_DELAY_MS, SceneQueue } from "./scenes.svelte";
import { Voice } from "./voice.svelte";
import { selectionWords, turnWords } from "./words";

/** From the worst to the best: a table is connected as well as the worst of its seats. */
const CONNECTIONS: Connection[] = ["closed", "waiting", "connecting", "open"];

export class Session {
  readonly board: Board;
  readonly queue: SceneQueue;
  readonly voice = new Voice();
  readonly presence = new Presence(this.voice);
  readonly hints: Hints;
  readonly past: Past;
  readonly flights = new Flights(() => this.lay());
  readonly requests: Requests;
  readonly clients: readonly TableClient[] = [];
  /** The seat that this page looks from and speaks for; null before it is known whose turn to look it is. */
  front = $state.raw<TableClient | null>(null);
  /** Who is to take the screen; nothing is shown until they say that they have. */
  next = $state.raw<TableClient | null>(null);
  /** True once a seat here was shown what another may not know. */
  secret = $state(false);
  turning = $state(store.settings().turning);
  readonly setting = $derived<Setting | null>(this.clients[0]?.setting ?? null);
  readonly sync = $derived<Sync | null>(this.front?.sync ?? null);
  readonly scene = $derived<Scene | null>(this.sync?.scene ?? null);
  readonly log = $derived<LogLine[]>(this.front?.log ?? []);
  readonly version = $derived(this.front?.version ?? 0);
  readonly canUndo = $derived(!this.next && this.may("undo"));
  readonly canRedo = $derived(!this.next && this.may("redo"));
  readonly hintsUsed = $derived(this.sync?.hints_used ?? 0);
  readonly undosUsed = $derived(this.sync?.undos_used ?? 0);
  readonly connection = $derived(
    CONNECTIONS.find((state) => this.clients.some((client) => client.connection === state)) ?? "open",
  );
  /** How the deal comes about, and why it is not to be trusted. */
  readonly fair = $derived<Fair | null>((this.front ?? this.clients[0])?.fair ?? null);
  misdealt = $state("");
  /** Why the record of the finished game is not to be trusted, or "". */
  misended = $state("");
  /** Seats that this page plays. */
  readonly ownSeats = $derived(this.clients.map((client) => client.seat).filter(Boolean));
  /** Those that people still play: a program has the seat of who resigned or left. */
  readonly held = $derived(this.ownSeats.filter((seat) => this.sync?.players[seat - 1] === PERSON));
  /** Whether someone who plays here has won. */
  readonly won = $derived.by(() => {
    const outcome = this.scene?.result?.outcome;
    return !!outcome && this.held.some((seat) => hasWon(outcome, seat));
  });
  readonly seats = $derived.by<SeatView[]>(() => {
    const { setting, sync, ownSeats: own } = this;
    const scene = this.flights.now?.held ?? this.scene; // whoever threw is still shown to move
    const { here, arrivals, thinking } = this.presence;
    return setting && scene && sync
      ? seatViews({ setting, scene, players: sync.players, own, here, arrivals, thinking })
      : [];
  });
  /** Whether a move is asked of who sits here. */
  readonly myTurn = $derived(
    !this.next && (this.scene?.seat ?? 0) > 0 && (this.scene?.choices.length ?? 0) > 0,
  );
  /** True while the last move is looked at, before its result is told. */
  ending = $state(false);
  /** True once the game ended while one was looking on. */
  ended = $state(false);
  /** The choice whose card is in the hand, to be thrown. */
  aiming = $state.raw<Choice | null>(null);
  /** The people of a table of several: fetched once it is seen. */
  people = $state.raw<People | null>(null);
  /** The rematch, once it began while one was looking on. */
  rematch = $state("");

  /** The check values that this browser was shown, in order; the first is from an earlier visit. */
  private readonly heads = new Set<string>();
  /** Whether the next move follows a throw by itself, so that the throw can still be seen again. */
  private forced = false;
  /** What its people are still to hear. */
  private heard: ServerMessage[] = [];
  /** Whether they are being fetched, or the page is left. */
  private meeting = false;
  private closed = false;
  /** What was put into words last. */
  private reported: Sync | null = null;

  constructor(
    readonly table: string,
    readonly token: string,
  ) {
    this.board = new Board({
      play: (choice) => {
        if (choice.throw) this.aiming = choice;
        else void this.requests.play(choice);
      },
      why: (ids) => void this.requests.why({ items: [...ids] }),
      touch: () => this.reportSelection(),
      walk: (actions) => void this.requests.walk(actions),
      // Ask once more before a move that gives something up, where the player wants to be asked.
      confirm: (choice, why) => {
        if (!store.settings().confirm) return false;
        this.voice.say(t.pressAgain(sentence(why), title(choice)));
        return true;
      },
    });
    this.queue = new SceneQueue(this.board);
    this.hints = new Hints(this.board, this.voice);
    this.past = new Past(this, this.board, this.voice);
    this.requests = new Requests(this, this.board, this.hints, this.voice);
    const { head } = store.entry(table, token);
    if (head) this.heads.add(head);
    this.clients = keysOf(token).map(
      (key) => new TableClient(table, key, (message, client) => this.hear(message, client)),
    );
  }

  /** What the log's lines are said to be of. */
  get movers(): readonly string[] {
    return movers(this.setting).map((name, at) => this.people?.persons.get(at + 1)?.name || name);
  }

  get blocked(): boolean {
    return this.past.view !== null || this.next !== null;
  }

  /** Whether the seat in front may ask for something now, named as in `Sync.allowed`. */
  may(request: string): boolean {
    return this.sync?.allowed[request] === "";
  }

  /** A seat's name: its person's, where that is known. */
  name(seat: number): string {
    return this.people?.name(seat) ?? seatName(this.setting, seat);
  }

  /** A text of the game's in which the seats have the names of their people. */
  named(text: string): string {
    return this.people?.named(text) ?? text;
  }

  /** A sentence of the server's about seats, with their names. */
  told(text: string): string {
    return told(text, this.ownSeats, (seat) => this.name(seat));
  }

  /** What was said at the table since then, apart from moves. */
  news(before: Sync | null, { news }: Sync): string {
    return before && news && news.version > before.version ? this.told(news.text) : "";
  }

  /** Throw the card that is in the hand; it stays there where the throw is refused. */
  async throw(text: string): Promise<void> {
    await this.requests.type(text);
  }

  /** Put the card that is in the hand back. */
  putBack(): void {
    this.aiming = null;
    cancel(this.board);
  }

  /** Show no throw any more, and put back a card that is in the hand. */
  rest(): void {
    this.flights.rest();
    this.queue.forget();
    this.aiming = null;
  }

  close(): void {
    this.closed = true;
    this.people?.close();
    for (const client of this.clients) client.close();
  }

  retry(): void {
    for (const client of this.clients) client.retry();
  }

  /** Show the table to the player who takes the screen. */
  take(): void {
    if (this.next) this.step(this.next);
  }

  turn(turning: boolean): void {
    this.turning = turning;
    store.set({ turning });
    this.lay();
  }

  async askHint(): Promise<void> {
    const asking = this.sync?.allowed["ask hints"];
    if (asking) this.voice.fail(asking);
    else if (asking === "") await this.requests.ask("ask hints");
    else if (!this.board.readOnly && this.front) await this.hints.ask(this.front);
  }

  /** Remember the rematch, for who goes there. */
  keepRematch(): void {
    if (this.sync) rememberRematch(this, this.sync);
  }

  /** Whose side the table is drawn from: at one screen always the same, unless it turns or eyes must part. */
  eyes(): TableClient | null {
    if (this.secret || this.turning || this.clients.length < 2) return this.front;
    return this.clients.reduce((first, client) => (client.seat < first.seat ? client : first));
  }

  /** Lay the table as it is now. */
  lay(): void {
    const { scene, setting } = this;
    const drawn = this.eyes()?.scene;
    if (!scene || !setting || !drawn || this.next) return;
    const { seat, status, choices, paths, extras } = scene;
    this.board.setting = setting;
    if (this.flights.now) {
      this.board.selection = [];
      return showScene(this.board, this.flights.now.held ?? drawn, true);
    }
    this.queue.show(drawn === scene ? scene : { ...drawn, seat, status, choices, paths, extras }, seat === 0);
  }

  /** Say what happened between two scenes, and let it be heard. */
  report(before: Scene | null, scene: Scene): void {
    if (!this.setting) return;
    this.voice.say(turnWords(before, scene, this.setting, this.board));
    if (!before) return;
    const { result, status } = scene;
    if (result && !before.result) return; // it is heard when it is seen
    if (status.ply < before.status.ply) sound("back");
    else if (status.ply > before.status.ply && status.round > before.status.round) sound("round");
    else if (status.ply > before.status.ply && !animated()) sound("move"); // else what moves is heard
  }

  private reportSelection(): void {
    this.hints.current = null;
    sound("touch");
    this.voice.say(selectionWords(this.board));
  }

  private hear(message: ServerMessage, client: TableClient): void {
    if (message.type === "error") {
      this.voice.fail(message.sentence);
      const { invitation } = store.entry(this.table, this.token);
      if (message.code === "bad_token" && !client.setting && invitation) {
        store.forget(this.table, this.token);
        // Loaded again, the page gives the same reason.
        window.history.replaceState(null, "", `#${invitation}`);
      }
    } else if (message.type === "fair") void this.give(message, client);
    else if (message.type === "sync" || message.type === "tick") {
      if (message.head) this.heads.add(message.head);
      this.arrange();
    } else {
      this.presence.hear(message);
      if (this.people) this.people.hear(message);
      else this.heard.push(message);
    }
  }

  /** Fetch what is known of the people; where the server is away it is tried again at the next version. */
  private meet(): void {
    if (this.meeting || (this.setting?.seats ?? 1) < 2) return;
    this.meeting = true;
    import("./people.svelte").then(
      ({ People }) => {
        if (!this.closed) this.people = new People(this, this.heard);
        this.heard = [];
      },
      () => (this.meeting = false),
    );
  }

  /** Add to the deal what it waits for from here. */
  private async give(fair: Fair, client: TableClient): Promise<void> {
    if (fair.manner !== "shares" || this.closed) return;
    try {
      const { contribute, wrongWith } = await import("./dealing");
      this.misdealt ||= wrongWith(this.table, fair);
      const fault = await contribute(client, fair);
      if (fault) this.voice.fail(fault);
    } catch {
      this.voice.fail(t.thisBrowserCouldNotAddIts);
    }
  }

  /** Ask for everyone here that the deal goes on without a seat. */
  async giveUp(seat: number): Promise<void> {
    this.voice.fault = "";
    for (const client of this.clients) {
      if (!client.fair?.asked.includes(client.seat)) continue;
      const answer = await client.ask({ type: "give_up", version: client.fair.version, seat });
      if (answer.type === "error") return this.voice.fail(answer.sentence);
    }
  }

  /** Decide whose eyes the page has, once all seats here know the same version. */
  private arrange(): void {
    const { clients } = this;
    const scenes = clients.flatMap((client) => client.scene ?? []);
    if (scenes.length < clients.length || new Set(clients.map((client) => client.version)).size > 1) return;
    this.secret ||= differ(scenes);
    const toMove = clients.find((client) => client.seat > 0 && client.scene?.status.seat === client.seat);
    const client = toMove ?? this.next ?? this.front ?? clients[0] ?? null;
    if (client && this.secret && client !== this.front && client.scene?.result === null) this.pass(client);
    else if (client) this.step(client);
  }

  /** Cover the table until the next one has the screen. */
  private pass(client: TableClient): void {
    if (this.next === client) return;
    this.next = client;
    this.hints.forget();
    this.past.view = null;
    this.voice.say(t.passTheDeviceToTheTable(seatName(client.setting, client.seat)));
  }

  /** Look from a seat, and speak for it from now on. */
  private step(client: TableClient): void {
    const { sync, setting } = client;
    if (!sync || !setting) return;
    const before = this.reported;
    const passed = this.next !== null;
    this.reported = sync;
    this.front = client;
    this.next = null;
    const { scene } = sync;
    const played = before?.scene.status.ply !== scene.status.ply;
    if (played) this.aiming = null;
    this.fly(before, sync);
    if (!this.past.view && !this.flights.now) this.lay();
    if (sync === before && !passed) return;
    this.voice.fault = "";
    this.presence.arrive(scene.log.map((line) => line.seat));
    const ended = !!scene.result && !before?.scene.result;
    if (played) this.requests.busy = false; // the acknowledgement comes after this
    if (played || ended) this.hints.forget();
    rememberTable(this, setting, sync);
    if (this.people) this.people.see(before, sync);
    else this.meet();
    this.flights.then(() => {
      this.reportSync(before, sync, played);
      if (ended && before) this.finish();
      else this.goOn(before, sync);
    });
    if (ended) countResult(this, setting, sync);
    if (ended && setting.seats > 1 && !setting.real_table && client.seat) void this.checkEnd(client);
    if (before && sync.rematch.table && !before.rematch.table) this.rematch = sync.rematch.table;
  }

  /** End the turn after a throw where nothing else can be done. */
  private goOn(before: Sync | null, sync: Sync): void {
    const left = leftAfter(before?.scene ?? null, sync.scene);
    if (!left || this.sync !== sync || this.blocked) return;
    this.forced = true;
    void this.requests.play(left);
  }

  /** Compare the record with what was shown here. */
  private async checkEnd(client: TableClient): Promise<void> {
    try {
      const { wrongWithEnd } = await import("./ending");
      this.misended = await wrongWithEnd(this.table, client.key, [...this.heads]);
    } catch {
      return; // the record can't be had now; it can be checked later
    }
    if (this.misended) this.voice.fail(this.misended);
  }

  /** Let the last move be seen and looked at before the result covers it. */
  private finish(): void {
    const tell = (): void => {
      this.ending = false;
      if (!this.scene?.result) return; // taken back meanwhile
      sound(this.won ? "won" : "lost");
      this.ended = true;
    };
    if (!animated()) return tell();
    this.ending = true;
    this.queue.then(() => setTimeout(tell, RESULT_DELAY_MS));
  }

  /** Show the throw that led here, if any, before its result. */
  private fly(before: Sync | null, { scene }: Sync): void {
    if (before && scene.status.ply < before.scene.status.ply) this.flights.forget();
    const flight = this.past.view
      ? null
      : flightBetween(before?.scene ?? null, scene, before?.scene.seat === scene.seat);
    if (flight) this.flights.show(flight);
    else if (before && scene.status.ply > before.scene.status.ply && !this.flights.now) {
      if (!this.forced) this.flights.last = null;
      this.forced = false;
    }
  }

  /** Announce the news, if any; a sync may only count a hint. */
  private reportSync(before: Sync | null, sync: Sync, played: boolean): void {
    const { scene } = sync;
    const news = played || !before?.scene.result !== !scene.result || before?.scene.seat !== scene.seat;
    if (news && !this.requests.start) this.report(before?.scene ?? null, scene);
    else if (news) sound("move");
    const said = this.news(before, sync);
    if (said) this.voice.say(played ? `${this.voice.text} ${said}` : said);
  }
}
