/**
 * Know the people of a table: names and arms, what they say and ask for, their clocks. Fetched once a table
 * of several is seen.
 */

import * as t from "../speech/people";
import { store } from "../net/store";
import { joinKeys, keysOf } from "../net/tokens";
import type { ChatLine, Emote, Person, ServerMessage, Sync } from "../net/wire";
import { seatName } from "../speech/names";
import { go } from "../ui/navigate.svelte";
import { play as sound } from "../ui/sound";
import type { TableClient } from "./client.svelte";
import { Calls } from "./calls";
import { EMOTES, named } from "./shown";
import type { Session } from "./session.svelte";
import { PERSON } from "./seats";

/** How long an emote stays at its seat, and a notice where it can be read. */
const EMOTE_MS = 5_000;
const NOTICE_MS = 9_000;
/** How often clocks are drawn again. */
const TICK_MS = 200;
/** What is left when a clock turns red. */
export const LOW_MS = 20_000;
const NOBODY: Omit<Person, "seat"> = { name: "", arms: "", deaf: false };

export class People {
  persons = $state.raw<ReadonlyMap<number, Person>>(new Map());
  /** Seats that were left for long. */
  left = $state.raw<readonly number[]>([]);
  /** Seats that the host has blocked. */
  blocked = $state.raw<readonly number[]>([]);
  lines = $state.raw<readonly ChatLine[]>([]);
  unread = $state(0);
  /** Whether the chat is looked at. */
  reading = $state(false);
  /** What was sent last from each seat, as long as it is shown there. */
  emotes = $state.raw<ReadonlyMap<number, Emote>>(new Map());
  /** Something to be read by everyone, no rule of the game; and whether asking for a takeback would help. */
  notice = $state.raw<{ text: string; takeback: boolean } | null>(null);
  silenced = $state.raw<readonly string[]>(store.settings().silenced ?? []);
  private times = $state.raw<{ left: readonly number[]; running: number; at: number } | null>(null);
  private now = $state(0);
  private readonly ticking = setInterval(() => this.tick(), TICK_MS);
  private readonly calls = new Calls();
  private fading: ReturnType<typeof setTimeout> | undefined;
  /** The name that was given last, so that one that is refused is not given again and again. */
  private given = "";

  readonly agreement = $derived.by(() => this.session.front?.agreement ?? null);
  readonly sync = $derived.by<Sync | null>(() => this.session.sync);
  readonly count = $derived.by(
    () => (this.session.sync?.players ?? []).filter((player) => player === PERSON).length,
  );
  /** Whether someone else can be talked to. */
  readonly talks = $derived.by(() => this.count > 1 && this.agreement?.chat !== "closed");
  readonly own = $derived.by(() => this.session.ownSeats[0] ?? 0);
  readonly deaf = $derived.by(() => this.persons.get(this.own)?.deaf ?? false);
  readonly heard = $derived.by(() => this.lines.filter((line) => !this.isSilenced(line.seat)));
  /** Whether there is anything to read or answer apart from the moves. */
  readonly speaks = $derived.by(() => {
    const { sync } = this;
    return (
      !!sync &&
      !sync.scene.result &&
      !!(
        this.notice ||
        sync.proposal ||
        sync.adjourned ||
        this.session.may("return") ||
        this.claimable.length
      )
    );
  });
  /** Seats about which one may decide here. */
  readonly claimable = $derived.by(() => {
    const { sync } = this;
    const waits = sync && !sync.scene.result && !sync.adjourned;
    return waits
      ? this.left.filter((seat) => sync.players[seat - 1] === PERSON && !this.session.ownSeats.includes(seat))
      : [];
  });

  constructor(
    private readonly session: Session,
    heard: readonly ServerMessage[],
  ) {
    for (const message of heard) this.hear(message, true);
    if (session.sync) this.see(null, session.sync);
    void this.introduce();
  }

  close(): void {
    clearInterval(this.ticking);
    clearTimeout(this.fading);
    this.calls.rest();
  }

  name(seat: number): string {
    return this.persons.get(seat)?.name || seatName(this.session.setting, seat);
  }

  /** A text of the game's in which the seats have the names of their people. */
  named(text: string): string {
    const names = this.session.setting?.seat_names ?? [];
    return named(
      text,
      names,
      names.map((_, at) => this.persons.get(at + 1)?.name ?? ""),
    );
  }

  /** The milliseconds that a seat has left; null where there are no clocks. */
  time(seat: number): number | null {
    const { times } = this;
    if (!times) return null;
    const left = times.left[seat - 1] ?? 0;
    return times.running === seat ? Math.max(0, left - (this.now - times.at)) : left;
  }

  get running(): number {
    return this.times?.running ?? 0;
  }

  /** Let the running clock run, and warn whose it is. */
  private tick(): void {
    const { running, session } = this;
    if (!running) return;
    const before = this.time(running) ?? 0;
    this.now = performance.now();
    const isLow = before >= LOW_MS && (this.time(running) ?? 0) < LOW_MS;
    if (!isLow || !session.ownSeats.includes(running)) return;
    session.voice.say(t.twentySecondsLeft);
    sound("turn");
  }

  hear(message: ServerMessage, late = false): void {
    if (message.type === "present") {
      this.persons = new Map(message.persons.map((person) => [person.seat, person]));
      this.left = message.left;
      this.blocked = message.blocked;
    } else if (message.type === "clock") {
      this.now = performance.now();
      this.times = { left: message.left, running: message.running, at: this.now };
    } else if (message.type === "chat") this.listen(message.lines, late);
  }

  private listen(lines: readonly ChatLine[], late: boolean): void {
    const last = this.lines.at(-1)?.number ?? 0;
    const fresh = lines.filter((line) => line.number > last);
    this.lines = [...this.lines, ...fresh].slice(-200);
    const [line] = fresh;
    if (
      late ||
      fresh.length !== 1 ||
      !line ||
      this.session.ownSeats.includes(line.seat) ||
      this.isSilenced(line.seat)
    ) {
      if (line?.emote && fresh.length === 1) this.wave(line.seat, line.emote as Emote);
      return;
    }
    if (line.emote) this.wave(line.seat, line.emote as Emote);
    else if (!this.reading) this.unread++;
    this.session.voice.say(`${this.name(line.seat)}: ${line.text || EMOTES[line.emote as Emote]}`);
    sound("touch");
  }

  private wave(seat: number, emote: Emote): void {
    this.emotes = new Map([...this.emotes, [seat, emote]]);
    setTimeout(() => {
      if (this.emotes.get(seat) === emote)
        this.emotes = new Map([...this.emotes].filter(([other]) => other !== seat));
    }, EMOTE_MS);
  }

  /** Take in what is new of the table. */
  see(before: Sync | null, sync: Sync): void {
    const said = this.session.news(before, sync);
    if (said && (sync.draw_offer || sync.proposal))
      this.notice = null; // it can be read beside its answers
    else if (said) this.show(said);
    this.seeOthers(before, sync);
    const asker = sync.proposal?.seat ?? 0;
    if (before && asker && asker !== before.proposal?.seat && !this.session.ownSeats.includes(asker))
      sound("round");
    const mine =
      this.session.ownSeats.includes(sync.scene.status.seat) && !sync.scene.result && !sync.adjourned;
    const was = before
      ? this.session.ownSeats.includes(before.scene.status.seat) && !before.scene.result
      : mine;
    this.calls.call(
      mine && this.session.ownSeats.length < (this.session.setting?.seats ?? 0),
      mine && !was,
      this.session.setting?.title ?? "",
    );
  }

  /** Tell of hints that others took, and that one's own seat was opened in another browser. */
  private seeOthers(before: Sync | null, sync: Sync): void {
    const { ownSeats, table, token } = this.session;
    const advised = sync.hints.findIndex((used, at) => before && used > (before.hints[at] ?? 0)) + 1;
    if (advised && this.count > 1 && !ownSeats.includes(advised)) this.tell(t.tookAHint(this.name(advised)));
    if (ownSeats.length !== 1) return;
    const entry = store.entry(table, token);
    if (entry.elsewhere >= 0 && sync.elsewhere > entry.elsewhere)
      this.tell(t.yourSeatWasOpenedElsewhere, false, true);
    if (sync.elsewhere !== entry.elsewhere) store.remember({ ...entry, elsewhere: sync.elsewhere });
  }

  /** Show something until it is closed, or for a while. */
  private show(text: string, takeback = false, stays = false): void {
    clearTimeout(this.fading);
    this.notice = { text, takeback };
    if (!stays) this.fading = setTimeout(() => (this.notice = null), NOTICE_MS);
  }

  /** Show and say something. */
  tell(text: string, takeback = false, stays = false): void {
    this.show(text, takeback, stays);
    this.session.voice.say(text);
  }

  /** Say why nothing can be taken back here, and offer to ask for it. */
  whyNoUndo(): void {
    const { undo, "ask takeback": asking } = this.sync?.allowed ?? {};
    if (undo) this.tell(asking || undo, asking === "");
  }

  // What one does oneself
  // --------------------------------------------------------------------------------------

  private get client(): TableClient | null {
    const { front, clients } = this.session;
    return front?.seat ? front : (clients.find((client) => client.seat) ?? front);
  }

  /** Say to the table who sits here, where that is known and the table knows it otherwise. */
  private async introduce(): Promise<void> {
    const person = store.settings().person;
    const alone = this.session.ownSeats.length === 1; // several at one screen are not one person
    if (alone && person && (person.name || person.arms)) await this.call(person.name, person.arms, true);
  }

  /**
   * Give your seat a name and arms, and keep them for the next table; returns what was wrong with them, or
   * "".
   */
  async call(name: string, arms: string, quiet = false): Promise<string> {
    const { client } = this;
    if (!client?.seat || this.count < 1) return "";
    const known = this.persons.get(client.seat) ?? NOBODY;
    const wish = `${name}\n${arms}`;
    if ((known.name === name && known.arms === arms) || (quiet && this.given === wish)) return "";
    this.given = wish;
    const answer = await client.ask({ type: "introduce", name, arms });
    if (answer.type === "error") return answer.sentence;
    if (!quiet) store.set({ person: { name: this.persons.get(client.seat)?.name ?? name, arms } });
    return "";
  }

  async say(text: string, emote: Emote | null = null): Promise<string> {
    const answer = await this.client?.ask({ type: "say", text, emote });
    return answer?.type === "error" ? answer.sentence : "";
  }

  async closeChat(closed: boolean): Promise<void> {
    const answer = await this.client?.ask({ type: "close_chat", closed });
    if (answer?.type === "error") this.session.voice.fail(answer.sentence);
  }

  /** Report a person to the host, or with its number one line of theirs; returns what was wrong, or "". */
  async report(seat: number, reason: string, line: number): Promise<string> {
    const answer = await this.client?.ask({ type: "report", seat, reason, line: line || null });
    return answer?.type === "error" ? answer.sentence : "";
  }

  read(open: boolean): void {
    this.reading = open;
    if (open) this.unread = 0;
  }

  /** Who is silenced is known by their name, or by their seat at this table where they have none. */
  private key(seat: number): string {
    const name = this.persons.get(seat)?.name;
    return name ? `name ${name}` : `seat ${this.session.table} ${seat}`;
  }

  isSilenced(seat: number): boolean {
    return this.silenced.includes(this.key(seat));
  }

  silence(seat: number, silent: boolean): void {
    const key = this.key(seat);
    const others = this.silenced.filter((one) => one !== key);
    this.silenced = silent ? [...others, key].slice(-200) : others;
    store.set({ silenced: [...this.silenced] });
  }

  /** Decide about a seat that was left; who takes the place goes on with its key. */
  async claim(seat: number, how: "program" | "key" | "adjourn"): Promise<void> {
    const { client, session } = this;
    if (!client) return;
    const answer = await client.ask({ type: "claim", version: session.version, seat, how });
    if (answer.type === "error") session.voice.fail(answer.sentence);
    if (answer.type !== "given") return;
    const token = joinKeys(client.seat ? [...keysOf(session.token), answer.token] : [answer.token]);
    store.remember({ ...store.entry(session.table, session.token), token, used: Date.now() });
    go({ page: "table", table: session.table, token });
  }
}
