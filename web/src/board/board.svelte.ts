/** Hold what one player sees of a table and has touched on it. What changes it is in `actions.ts`. */

import { getContext, setContext } from "svelte";
import type { Choice, Refusal, Scene, Setting, Theme } from "../net/wire";
import { taste } from "../ui/taste.svelte";
import { drawn, foreseen, meant } from "./contest";
import { answersOf, commonMarks, focusOf, threats } from "./course";
import { withDeck } from "./deck";
import { ahead, buttons, likely, narrow, usable } from "./narrow";
import { labelled, lastMove, lastTurn, NOWHERE, offeredOf, type Reach, startsOf, targetsOf } from "./views";

/** What a board tells its owner. */
export interface BoardEvents {
  /** The player makes this move. */
  play(choice: Choice): void;
  /** The player asks why these things make no move. */
  why(ids: readonly string[]): void;
  /** What is touched has changed. */
  touch(): void;
  /** The player makes these moves one after the other. */
  walk(actions: readonly number[]): void;
  /** A move needs a second press, as it gives something up; false where the player does not want to be asked. */
  confirm(choice: Choice, why: string): boolean;
  /** The animation of the latest move has ended. */
  rest(): void;
  /** The player wants to see the end of the animation. */
  skip(): void;
}

export class Board {
  /** Who is told what the player does; an event that no one takes does nothing. */
  readonly events: BoardEvents;

  // What is shown.

  /** What stays the same through the whole table; it is set before a scene is shown. */
  setting = $state.raw<Setting | null>(null);
  /** The position as this player sees it, with the moves that are possible. */
  scene = $state.raw<Scene | null>(null);
  /** True where nothing can be played: a replay, an earlier ply, a spectator. */
  readOnly = $state(false);
  /** Whether the game has a board of squares, where moves are seen rather than read. */
  readonly spatial = $derived(this.scene?.zones.some((zone) => zone.kind === "grid") ?? false);

  // What the player does.

  /** The ids that are touched, in order. */
  selection = $state.raw<readonly string[]>([]);
  /** The move whose marks are shown: the pointer is over it, or a hint names it. */
  preview = $state.raw<Choice | null>(null);
  /** The move shown by the first tap of a finger, which cannot point; a second tap plays it. */
  tapped = $state.raw<Choice | null>(null);
  /** The move that waits for its button to be pressed once more. */
  confirming = $state.raw<Choice | null>(null);
  /** Why what was touched last is not possible. */
  refusal = $state.raw<Refusal | null>(null);
  /** The ids that a hint lights. */
  hinted = $state.raw<ReadonlySet<string>>(new Set());
  /** The id of the pile that lies spread out, or "". */
  open = $state("");
  /** The id under the pointer, or that has the focus. */
  pointed = $state("");
  /** The id that is being dragged, or "". */
  dragged = $state("");
  /** The id under the dragged thing that it could be dropped on, or "". */
  over = $state("");
  /** While true, touching asks for reasons instead of playing. */
  asking = $state(false);
  /** The words to add to the text of the next move, by the group that offers them. */
  added = $state.raw<Readonly<Record<string, readonly string[]>>>({});

  /**
   * Takes what is let go after a drag, by its way in pixels and milliseconds and the ids beneath; false for
   * what is only dropped.
   */
  fling: (
    id: string,
    way: readonly (readonly [x: number, y: number, at: number])[],
    under: readonly string[],
  ) => boolean = () => false;

  // What is animated.

  /** True where the next scene is another position, not the outcome of a move: nothing moves to it. */
  jumps = false;
  /** True while a throw is shown: what goes on by itself waits for its end. */
  flying = $state(false);
  /** Ends the animation of the latest move at once; null while there is none. */
  performing = $state.raw<(() => void) | null>(null);

  // What follows: the moves.

  /** The moves that can be played. */
  readonly choices = $derived<readonly Choice[]>(this.readOnly ? [] : (this.scene?.choices ?? []));
  /** The moves that fit what is touched. */
  readonly narrowed = $derived(narrow(this.choices, this.selection));
  /** All ids that are part of a move. */
  readonly involved = $derived(new Set(this.choices.flatMap(usable)));
  /** The moves that need nothing touched. */
  readonly always = $derived(buttons(this.choices));
  /** The moves to offer as buttons for what is touched. */
  readonly offered = $derived(
    this.tapped ? [this.tapped] : this.selection.length ? offeredOf(this.narrowed, this.spatial) : [],
  );
  /** All buttons, in the order of their numbers. */
  readonly pickable = $derived([...this.offered, ...this.always]);
  /** What may be added to the moves that are ready. */
  readonly extras = $derived.by(() => {
    const ready = [...this.narrowed.exact, ...this.always];
    const groups = this.readOnly ? [] : (this.scene?.extras ?? []);
    return groups.filter((one) => ready.some((choice) => choice.extras.includes(one.id)));
  });

  // What follows: what is lit.

  /** The ids that are touched, or the one that is dragged at this moment. */
  readonly inHand = $derived(
    this.dragged && !this.selection.includes(this.dragged) ? [this.dragged] : this.selection,
  );
  /** What a move can begin with, while nothing is touched. */
  readonly starts = $derived(
    this.inHand.length || this.readOnly || this.asking || this.performing
      ? new Set<string>()
      : startsOf(this.choices),
  );
  /** What touching one thing more would do, by its id. */
  readonly ahead = $derived(this.spatial ? ahead(this.choices, this.inHand) : new Map<string, string>());
  /** Where the one thing in hand can get within this turn, beyond a single move. */
  readonly reach = $derived.by<Reach>(() => {
    const [only, second] = this.inHand;
    return (only && second === undefined && this.choices.length && this.scene?.paths[only]) || NOWHERE;
  });
  /** What the dragged thing may be dropped on. */
  readonly targets = $derived(
    this.dragged ? targetsOf(this.choices, this.selection, this.dragged, this.reach) : new Set<string>(),
  );
  /** The ids that block the refused move. */
  readonly blockers = $derived(new Set(this.refusal?.blockers ?? []));
  /** The things in flight between seats. */
  readonly courses = $derived(
    this.scene?.zones.flatMap((zone) => zone.items.filter((item) => item.course)) ?? [],
  );
  /** The ids in focus: touched, pointed at, or else just arriving. */
  readonly focus = $derived(focusOf(this.courses, this.inHand, this.pointed));
  /** The answers to the things in flight in focus, and the other way round. */
  readonly answers = $derived(answersOf(this.courses, this.focus));
  /** What could become of things before it is certain which move is meant, by their ids. */
  private readonly outlook = $derived({
    ...(this.inHand.length
      ? commonMarks(narrow(this.choices, this.inHand).candidates, this.scene?.zones ?? [])
      : {}),
    ...threats(this.courses, this.focus),
  });
  /** What the move that is meant would do to things, by their ids. */
  readonly marks = $derived((this.preview ?? this.tapped ?? likely(this.narrowed))?.marks ?? this.outlook);
  /** The contests of the table, as they are or as the move that is meant would make them. */
  readonly contests = $derived.by(() => {
    const shown = this.preview ?? this.tapped;
    const moves = shown ? [shown] : meant(this.choices, this.inHand);
    return (this.scene?.contests ?? []).map((contest) => ({
      id: contest.id,
      contest,
      drawn: drawn(contest, foreseen(contest.id, moves)),
    }));
  });
  /** The ids that the latest move touched. */
  readonly last = $derived(lastMove(this.scene?.log ?? []));
  /** The ids that the moves of the latest turn touched. */
  readonly recent = $derived(lastTurn(this.scene?.log ?? []));

  // What follows: names and looks.

  /** Everything that has an id, by it. */
  readonly things = $derived(labelled(this.scene?.zones ?? []));
  /** The look of the game with the deck that the player likes. */
  private readonly painted = $derived(this.setting && withDeck(this.setting.theme, taste.deck));

  constructor(events: Partial<BoardEvents> = {}) {
    this.events = {
      play: () => undefined,
      why: () => undefined,
      touch: () => undefined,
      walk: () => undefined,
      confirm: () => false,
      rest: () => undefined,
      skip: () => this.performing?.(),
      ...events,
    };
  }

  /** The look of the game, for what is drawn of a scene. */
  get theme(): Theme {
    return this.painted!;
  }
}

const BOARD = Symbol("board");
export const provideBoard = (board: Board): Board => setContext(BOARD, board);
export const useBoard = (): Board => getContext<Board>(BOARD);
