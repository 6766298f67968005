/** What someone chose for a game in the lobby: options and the players; and how a table is made of it. */

import { store, streaks } from "../net/store";
import type { GameInfo, OptionValue } from "../net/wire";
import { type Agreed, deal, proposed, today } from "./deal";
import { allowed, usual } from "./seating";

export class GameChoice {
  /** Only what differs from the defaults. */
  options = $state<Record<string, OptionValue>>({});
  sitters = $state.raw<string[]>([]);
  /** Clock, chat and series, at a table of several. */
  agreed = $state.raw<Agreed>({});
  fault = $state("");
  busy = $state(false);

  readonly several: boolean;
  /** What is proposed here is no one's change. */
  readonly changed = $derived.by(
    () =>
      this.game.options.filter(
        (option) => (this.options[option.key] ?? option.default) !== (option.proposed || option.default),
      ).length,
  );
  readonly results = $derived.by(() => store.results(this.game.name, this.options));
  readonly tally = $derived.by(() => streaks(this.results));
  /** How today's deal went, if it was played to its end. */
  readonly daily = $derived.by(() => {
    const outcome = this.results.find((one) => one.deal === "day" && one.date === today());
    return outcome ? (outcome.won ? "won" : "lost") : "";
  });

  constructor(readonly game: GameInfo) {
    this.several = game.max_seats > 1;
    const { options, seating } = store.settings();
    const known = new Set(game.options.map((option) => option.key));
    const last = options[game.name] ?? proposed(game.options);
    this.options = Object.fromEntries(Object.entries(last).filter(([key]) => known.has(key)));
    this.sitters = this.several ? allowed(seating[game.name], game) : [];
  }

  /** Make a table of new cards, of what `who` sits at it. */
  async play(who: readonly string[] = this.sitters): Promise<void> {
    const { options, seating } = store.settings();
    store.set({
      options: { ...options, [this.game.name]: this.options },
      seating: { ...seating, [this.game.name]: this.sitters },
    });
    await this.make("new", who);
  }

  /**
   * Play the deal of the day, by the usual rules and against the usual players, so that all who play it can
   * compare.
   */
  async playToday(): Promise<void> {
    this.options = proposed(this.game.options);
    await this.make("day", usual(Math.max(2, this.game.min_seats), this.game));
  }

  private async make(how: "new" | "day", who: readonly string[]): Promise<void> {
    const { game, options, several } = this;
    this.busy = true;
    this.fault = await deal({
      game: game.name,
      title: game.title,
      options,
      deal: how,
      ...(several ? { sitters: who, agreed: how === "new" ? this.agreed : {} } : {}),
    });
    this.busy = false;
  }
}
