/** The state of a table's page apart from the table itself, and the actions of its buttons and keys. */

import * as t from "../speech/table";
import { cancel, covered, playChoice, playReady } from "../board/actions";
import { tick } from "svelte";
import { record as readRecord } from "../net/http";
import { type TableEntry, store } from "../net/store";
import { isInvitation, keysOf } from "../net/tokens";
import type { Choice, Scene } from "../net/wire";
import type { Session } from "../session/session.svelte";
import { isMuted, mute } from "../ui/sound";
import { type Command, command } from "./commands";
import { save } from "../ui/save";

/** From this width on, in pixels, what is written stands beside the table, the log with it. */
const WIDE = 960;
/**
 * Under this height, in pixels, a table needs all of it: what is asked stands beside it where that is
 * possible.
 */
const LOW = 500;
const LOW_WIDTH = 560;

const isLow = (): boolean => window.innerHeight < LOW && window.innerWidth >= LOW_WIDTH;
const isWide = (): boolean => window.innerWidth >= WIDE && !isLow();

export type Sheet = "menu" | "aids" | "rules" | "help" | "log" | "result" | "resign";

export class Controls {
  /** The dialog that is open. */
  open = $state<Sheet | "">("");
  /** The clause at which the rules open. */
  clause = $state("");
  /** Whether that clause ended the game and was opened from its result. */
  private ruled = false;
  /** Whether looking back begins by itself. */
  running = $state(false);
  /** Whether the finished game's chances are shown. */
  analysing = $state(false);
  /** Whether the chat is open, beside the table or over it. */
  talking = $state(false);
  muted = $state(isMuted());
  wide = $state(isWide());
  /** A phone on its side. */
  low = $state(isLow());
  /** Whether moves are typed, and where; the line gets the focus when it is asked for. */
  typing = $state(false);
  #field = $state<HTMLInputElement>();
  #focusing = false;

  /** The scene that is looked at, an earlier one or the present. */
  readonly view = $derived.by<Scene | null>(
    () =>
      this.session.past.view?.scene ??
      this.session.flights.now?.held ??
      this.session.queue.held ??
      this.session.scene,
  );
  /** How many invitations were replaced here. */
  renewed = $state(0);
  /** What this browser knows of the table. */
  readonly entry = $derived.by((): TableEntry => {
    const { table, token, setting, scene } = this.session;
    void [this.session.version, this.renewed];
    const kept = store.entry(table, token);
    const entry = { ...kept, seats: this.given(kept.seats) };
    return entry.game
      ? entry
      : { ...entry, game: setting?.game ?? "", title: setting?.title ?? "", seat: scene?.seat ?? 0 };
  });
  /** Seats that wait for someone whose link is known here. */
  readonly waiting = $derived.by(() =>
    this.session.scene?.result
      ? []
      : this.session.seats.filter((view) => view.waiting && this.entry.seats[view.seat - 1]),
  );
  /** Whether the links to those seats have been put aside. */
  invited = $state(false);
  readonly inviting = $derived.by(() => this.waiting.length > 0 && !this.invited && !this.session.next);
  readonly drawOffer = $derived.by(() => this.session.sync?.draw_offer ?? 0);
  /** Whether it was made here. */
  readonly offering = $derived.by(() => this.session.ownSeats.includes(this.drawOffer));
  /** The others who want to play again. */
  readonly wishes = $derived.by(
    () => this.session.sync?.rematch.asked.filter((seat) => !this.session.ownSeats.includes(seat)) ?? [],
  );
  /** Whether others want to play again, or there is a rematch already. */
  readonly again = $derived.by(
    () => this.session.scene?.result && (this.wishes[0] ?? this.session.sync?.rematch.table),
  );
  /** Moves that are ready, and others that begin with what is touched. */
  readonly ready = $derived.by<Choice[]>(() => [
    ...this.session.board.narrowed.exact,
    ...this.session.board.always,
  ]);
  readonly others = $derived.by(() =>
    this.session.board.offered.filter((choice) => !this.session.board.narrowed.exact.includes(choice)),
  );

  constructor(readonly session: Session) {}

  /** The links of seats without those that someone has used: they are no one else's any more. */
  private given(seats: readonly string[]): string[] {
    const { ownSeats, seats: views, sync } = this.session;
    const isFree = (token: string, seat: number): boolean =>
      isInvitation(token) ? sync?.invited.includes(seat) !== false : views[seat - 1]?.waiting !== false;
    return seats.map((token, at) => (ownSeats.includes(at + 1) || isFree(token, at + 1) ? token : ""));
  }

  /** A dialog that closes late must not close the next one; from the rule that ended a game one goes back. */
  show(sheet: Sheet, open: boolean): void {
    if (open) this.open = sheet;
    else if (this.open === sheet) this.open = sheet === "rules" && this.ruled ? "result" : "";
  }

  /** Whether what is asked and what can be done stand beside the table instead of above and below it. */
  get railed(): boolean {
    return this.wide || this.low;
  }

  measure(): void {
    this.wide = isWide();
    this.low = isLow();
  }

  /** Close the menu and send a request that is named as in `Sync.allowed`. */
  request(request: string): void {
    this.open = "";
    void this.session.requests.ask(request);
  }

  /** Open or close the chat: beside the table, or on a phone over it. */
  talk(): void {
    this.talking = !this.talking;
  }

  openClause(id: string): void {
    this.clause = id;
    this.ruled = this.open === "result";
    this.open = "rules";
  }

  lookBack(): void {
    this.open = "";
    this.running = false;
    void this.session.past.look(Math.max(0, this.session.version - 1));
  }

  analyse(): void {
    this.open = "";
    this.analysing = true;
  }

  lastTurn(): void {
    const { past } = this.session;
    if (!past.canReplayTurn || past.view) return;
    this.running = true;
    void past.lookAtLastTurn();
  }

  toggleSound(): void {
    this.muted = !this.muted;
    mute(this.muted);
    this.session.voice.say(this.muted ? t.soundOff : t.soundOn);
  }

  /** Ask for reasons instead of playing, or play again. */
  ask(): void {
    const { board, requests, voice } = this.session;
    if (board.readOnly) return;
    board.asking = !board.asking;
    board.refusal = null;
    if (board.asking && board.selection.length) void requests.why({ items: [...board.selection] });
    voice.say(board.asking ? t.whyNotSelectWhatYouWant : t.backToTheGame2);
  }

  get field(): HTMLInputElement | undefined {
    return this.#field;
  }
  set field(field: HTMLInputElement | undefined) {
    this.#field = field;
    if (this.#focusing) field?.focus();
    this.#focusing &&= !field;
  }

  async typeMove(): Promise<void> {
    if (!this.wide) this.open = "log";
    this.#focusing = true;
    this.typing = true;
    await tick();
    this.field = this.#field; // where it was open already
  }

  async download(): Promise<void> {
    const { table, token, front, voice } = this.session;
    try {
      const text = await readRecord(table, front?.key ?? keysOf(token)[0] ?? "");
      save(new Blob([text], { type: "text/plain" }), `${this.entry.game || "table"}-${table}.txt`);
    } catch (error) {
      voice.fail((error as Error).message);
    }
  }

  /** Do what a key asks for. */
  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || covered()) return;
    const { board, requests } = this.session;
    if (board.performing && (event.key === " " || event.key === "Escape")) {
      event.preventDefault();
      return board.events.skip();
    }
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=range], [type=checkbox]), textarea, select");
    if (event.key === "Enter" && target === document.body && playReady(board)) return event.preventDefault();
    const wish = command(event, typing);
    if (!wish || (typing && wish === "clear")) return;
    event.preventDefault();
    if (typeof wish === "object") {
      const choice = board.pickable[wish.pick - 1];
      if (choice && !requests.busy) playChoice(board, choice);
      return;
    }
    this.obey(wish);
  }

  private obey(wish: Exclude<Command, object>): void {
    const { session } = this;
    const doing: Record<typeof wish, () => void> = {
      undo: () => void session.requests.undo(),
      redo: () => void session.requests.redo(),
      hint: () => void session.askHint(),
      why: () => this.ask(),
      help: () => (this.open = "help"),
      new: () => session.next || (this.open = "menu"),
      rules: () => this.openClause(""),
      aids: () => session.board.setting?.aids.length && (this.open = "aids"),
      turn: () => this.lastTurn(),
      mute: () => this.toggleSound(),
      type: () => void this.typeMove(),
      clear: () => (session.past.view ? session.past.leave() : cancel(session.board)),
    };
    doing[wish]();
  }
}
