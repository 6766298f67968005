"""Write and read whole positions of Alcazar as tables (see the notation of positions)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import HIDDEN, NOTHING, POKER, UNKNOWN
from bartizan.engine.errors import BadPosition
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.games.alcazar.options import ActionsPerTurn, Options
from bartizan.games.alcazar.state import (
    ADVANTAGES,
    JACK,
    JOKER,
    QUEEN,
    TOWER_SIZE,
    Phase,
    State,
    Step,
    Winner,
)

if TYPE_CHECKING:
    from bartizan.engine import piles as plain_piles
    from bartizan.games.alcazar import rules as plain_rules
    from bartizan.games.alcazar import table as plain_table
    from bartizan.games.alcazar import values as plain
else:
    from bartizan.engine import piles
    from bartizan.games.alcazar import rules, table, values

    plain, plain_rules, plain_table = interpreted(values), interpreted(rules), interpreted(table)
    plain_piles = interpreted(piles)

ARMY_NAMES = ("right", "left", "top")
RANK_NAMES = ("front", "rear")
PLACE_NAMES = tuple(f"{army}.{rank}" for army in ARMY_NAMES for rank in RANK_NAMES)

KEYS = (
    "round",
    "phase",
    "tower",
    "right",
    "left",
    "top",
    "hand",
    "advantages",
    "deck",
    "discard",
    "aside",
    "borrowed",
    "done",
    "traded",
    "passes",
    "still",
    "changed",
    "resume",
    "winner",
    "rest",
)
UNORDERED_KEYS = ("hand", "borrowed", "done", "aside")
FACELESS_KEYS = ("tower", "deck")
PHASES = {
    "draw": Phase.DRAW,
    "action": Phase.ACTION,
    "thief": Phase.THIEF,
    "necromancer": Phase.NECROMANCER,
    "movement": Phase.RUNNING,
    "over": Phase.OVER,
}
STEPS = {
    **{f"setup {army}": Step.SETUP + number for number, army in enumerate(ARMY_NAMES)},
    **{f"movement {army}": Step.MOVEMENT + 2 * number for number, army in enumerate(ARMY_NAMES)},
    **{f"movement {army}.rear": Step.MOVEMENT + 2 * number + 1 for number, army in enumerate(ARMY_NAMES)},
    "draw": Step.DRAW,
    "action": Step.ACTION,
    "round end": Step.ROUND_END,
}
WINNERS = {"none": Winner.NONE, "player": Winner.PLAYER, "loss": Winner.LOSS}
DONE = ("defend", "repair", "special")


def phase_name(phase: int) -> str:
    """Return the name of a phase in a position."""
    return next(name for name, number in PHASES.items() if number == phase)


# --- Writing -----------------------------------------------------------------


def write_position(view: State) -> dict[str, Any]:
    """Return the whole state as a position, hidden cards and the deck's order included."""

    def texts(pile: Pile) -> list[str]:
        return [POKER.text(card) for card in pile.listed()]

    tower = texts(view.tower)
    asked = view.phase in (Phase.THIEF, Phase.NECROMANCER)
    step = next(name for name, number in STEPS.items() if number == view.step)
    counts = (view.defences, view.repairs, view.specials)
    return {
        "round": view.round,
        "phase": phase_name(view.phase),
        "tower": tower[:1] + [HIDDEN + card for card in tower[1:]],
        **{army: _army(view, number) for number, army in enumerate(ARMY_NAMES)},
        "hand": texts(view.hand)[::-1],
        "advantages": texts(view.advantages)[::-1],
        "deck": texts(view.deck),
        "discard": texts(view.discard),
        "aside": texts(view.aside)[::-1],
        "borrowed": texts(view.borrowed)[::-1],
        "done": [kind for kind, count in zip(DONE, counts, strict=True) for _ in range(count)],
        "traded": bool(view.traded),
        "passes": view.passes,
        "still": view.still,
        "changed": bool(view.changed),
        "resume": step if asked else "action",
        "winner": winner_of(view),
    }


def winner_of(view: State) -> str:
    """Return who has won: ``none``, ``player``, or ``loss``."""
    return next(name for name, number in WINNERS.items() if number == view.winner)


def _army(view: State, army: int) -> list[str]:
    return [
        NOTHING
        if view.enemy[place] == EMPTY
        else ("" if view.face_up[place] else HIDDEN) + POKER.text(view.enemy[place])
        for place in (2 * army, 2 * army + 1)
    ]


# --- Reading -----------------------------------------------------------------


def read_position(given: Mapping[str, Any], options: Options, seats: int, seed: str) -> State:
    """Make a state from a position; cards named nowhere are dealt by the seed.

    Raises `UnknownCard` for a text that is no card, and `BadPosition` with
    every fault and its clause.
    """
    reader = PositionReader(given, KEYS)
    state = State()
    options.put_into(state.options)
    _Cards(reader, state, options, seed).place()
    _read_figures(reader, state, options)
    if not reader.faults:
        _check_table(reader, state)
    if reader.faults:
        raise BadPosition(reader.faults)
    return state


def _read_figures(reader: PositionReader, state: State, options: Options) -> None:
    state.round = reader.integer("round", 1, 1, options.round_cap, "ALC-10")
    state.phase = PHASES[reader.word("phase", "action", list(PHASES))]
    state.step = STEPS[reader.word("resume", "action", list(STEPS))]
    if state.phase == Phase.RUNNING:
        state.step = plain_rules.opening_step(state)
    state.winner = WINNERS[reader.word("winner", "none", list(WINNERS))]
    run_out = plain_table.passes_needed(state) if state.winner == Winner.PLAYER else 0
    state.passes = reader.integer("passes", run_out, 0, 2 if options.endless_night else 1, "ALC-67")
    state.still = reader.integer("still", 0, 0, 2, "ALC-67")
    state.changed = int(reader.truth("changed"))
    state.traded = int(reader.truth("traded"))
    for kind in reader.texts("done"):
        if kind not in DONE:
            reader.fault("ALC-17", f"done names {kind!r}; the kinds are {', '.join(DONE)}")
    done = reader.texts("done")
    state.defences, state.repairs, state.specials = (min(done.count(kind), 100) for kind in DONE)
    limit = {ActionsPerTurn.THREE: 3, ActionsPerTurn.ONE_OF_EACH: len(set(done))}.get(
        options.actions_per_turn, len(done)
    )
    if len(done) > limit:
        reader.fault("ALC-17", f"done has {len(done)} actions; the turn allows {limit}")
    over, is_told = state.phase == Phase.OVER, "winner" in reader.given
    if over != (state.winner != Winner.NONE) and (is_told or not over):
        reader.fault("ALC-67", "a finished game has phase 'over' and a winner, a running one has neither")


class _Cards:
    """Place the cards that a position names, then deal the others."""

    def __init__(self, reader: PositionReader, state: State, options: Options, seed: str) -> None:
        self.reader = reader
        self.state = state
        self.jokers = [JOKER, JOKER + 1] if options.havoc else []
        self.named: set[int] = set()
        self.dice = random.Random(stream(seed, "position"))

    def place(self) -> None:
        """Fill every pile and place of the state."""
        lists = {
            key: self.cards(key)
            for key in ("tower", *ARMY_NAMES, "hand", "advantages", "deck", "discard", "aside")
        }
        self.rest = [card for card in [*range(JOKER), *self.jokers] if card not in self.named]
        self.dice.shuffle(self.rest)
        self.tower(lists["tower"])
        for army, name in enumerate(ARMY_NAMES):
            self.army(army, name, lists[name])
        self.hand(lists["hand"])
        state = self.state
        for key, pile in (
            ("advantages", state.advantages),
            ("aside", state.aside),
            ("discard", state.discard),
        ):
            order = lists[key] if key != "discard" else lists[key][::-1]
            for card, _ in order:
                plain_piles.push(pile, self.known(card))
        self.borrowed()
        aside = self.reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        under = [] if aside else self.rest
        for card in under + [self.deal(card) for card, _ in lists["deck"][::-1]]:
            plain_piles.push(state.deck, card)
        for card in self.rest if aside else []:
            plain_piles.push(state.aside, self.known(card))

    def cards(self, key: str) -> list[tuple[int | None, bool]]:
        """Return the cards under a key as (id, face down); None stands for ``?``, EMPTY for ``-``."""
        found: list[tuple[int | None, bool]] = []
        room = {"tower": 8, "hand": 7, "advantages": ADVANTAGES, "right": 2, "left": 2, "top": 2}.get(key, 54)
        clause = {"tower": "ALC-52", "hand": "ALC-9", "advantages": "ALC-32"}.get(key, "ALC-6")
        texts = self.reader.texts(key)
        if len(texts) > room:
            self.reader.fault(clause, f"{key} has {len(texts)} cards; there is room for {room}")
        for text in texts[:room]:
            word = text.strip()
            if word == UNKNOWN:
                found.append((None, True))
            elif word == NOTHING and key in ARMY_NAMES:
                found.append((EMPTY, False))
            else:
                found.append(
                    (self.claim(key, POKER.parse(word.removeprefix(HIDDEN))), word.startswith(HIDDEN))
                )
        return found

    def claim(self, key: str, card: int) -> int:
        """Take a named card out of those left, or note a fault."""
        if card >= JOKER:
            free = [joker for joker in self.jokers if joker not in self.named]
            if not free:
                self.reader.fault("ALC-70" if not self.jokers else "ALC-2", f"{key} has a Joker too many")
            card = free[0] if free else JOKER
        elif card in self.named:
            self.reader.fault("ALC-2", f"the {POKER.name(card)} is there twice, the second time under {key}")
        self.named.add(card)
        return card

    def deal(self, card: int | None) -> int:
        """Return a card, an unknown one being drawn by lot."""
        return self.rest.pop() if card is None else card

    def known(self, card: int | None) -> int:
        """Return a card that lies face up from now on."""
        dealt = self.deal(card)
        if dealt != EMPTY:
            self.state.known[dealt] = 1
        return dealt

    def quiet(self) -> int:
        """Take one of the cards left that has no effect when it is turned up or held."""
        index = next(
            (i for i, card in enumerate(self.rest) if not plain.is_special(card) and card < JOKER), 0
        )
        return self.rest.pop(index)

    def tower(self, given: list[tuple[int | None, bool]]) -> None:
        """Build the tower; left out, five cards are dealt."""
        if "tower" not in self.reader.given:
            given = [(self.quiet(), True) for _ in range(TOWER_SIZE)]
        for card, _ in given[::-1]:
            plain_piles.push(self.state.tower, self.deal(card))
        if given:
            self.known(plain_piles.top(self.state.tower))

    def army(self, army: int, name: str, given: list[tuple[int | None, bool]]) -> None:
        """Set an army up; left out, a front face up and a rear face down are dealt."""
        if name not in self.reader.given:
            given = [(self.quiet(), False), (self.quiet(), True)]
        given = given + [(EMPTY, False)] * (2 - len(given))
        for rank, (card, down) in enumerate(given):
            place = 2 * army + rank
            self.state.enemy[place] = self.deal(card) if down else self.known(card)
            if not down and card != EMPTY:
                plain_table.face_up_enemy(self.state, place)
            if self.state.face_up[place] and self.state.enemy[place] >= JOKER:
                self.reader.fault(
                    "ALC-71", f"{PLACE_NAMES[place]} is a face-up Joker; it would have left the game"
                )

    def hand(self, given: list[tuple[int | None, bool]]) -> None:
        """Fill the hand; left out, as many cards as it may hold are dealt."""
        if "hand" not in self.reader.given:
            given = [(self.quiet(), False) for _ in range(min(plain.hand_limit(self.state), TOWER_SIZE))]
        for card, _ in given:
            dealt = self.known(card)
            if dealt >= JOKER:
                self.reader.fault("ALC-73", "the hand holds a Joker; it would have left the game")
            plain_piles.insert_sorted(self.state.hand, dealt)

    def borrowed(self) -> None:
        """Mark the hand's cards that a Reinforcement fetched."""
        for text in self.reader.texts("borrowed")[:7]:
            card = POKER.parse(text)
            if plain_piles.find(self.state.hand, card) == EMPTY:
                self.reader.fault(
                    "ALC-46", f"borrowed names the {POKER.name(card)}, which is not in the hand"
                )
            plain_piles.push(self.state.borrowed, card)


def _check_end(reader: PositionReader, state: State) -> None:
    """Check that a game that is over has ended as the rules end it; a winner left out is found by them."""
    is_through = plain_table.deck_is_through(state)
    has_stalled = state.still >= 2 or state.round >= state.options.round_cap
    if "winner" not in reader.given:
        if state.tower.count and not is_through and not has_stalled:
            reader.fault("ALC-67", "the tower stands and the deck has not run out, so the game is not over")
        state.winner = Winner.PLAYER if state.tower.count and is_through else Winner.LOSS
    elif state.winner == Winner.LOSS:
        if state.tower.count and not has_stalled:
            reader.fault("ALC-68", "winner is 'loss', but the tower stands and rounds are left")
    elif not state.tower.count:
        reader.fault("ALC-68", "winner is 'player', but the tower has no card left")
    elif not is_through:
        reader.fault("ALC-67", f"winner is 'player', but passes is {state.passes}: the deck has not run out")
    elif state.options.total_victory and any(
        state.enemy[place] != EMPTY and state.face_up[place] for place in range(len(PLACE_NAMES))
    ):
        reader.fault("ALC-75", "winner is 'player', but an enemy stands face up")


def _check_table(reader: PositionReader, state: State) -> None:
    """Note every rule that the cards on the table break."""
    running = state.phase != Phase.OVER
    for card in state.advantages.listed():
        if not plain.is_special(card):
            reader.fault("ALC-28", f"the {POKER.name(card)} lies as an Advantage and is no special")
    kinds = [plain.value(card) for card in state.advantages.listed()]
    if len(set(kinds)) < len(kinds):
        reader.fault("ALC-33", "two Advantages of one kind lie in play")
    if state.tower.count > plain.tower_limit(state):
        rule = "ALC-52" if state.tower.count == TOWER_SIZE + 1 or QUEEN in kinds else "ALC-5"
        reader.fault(rule, f"the tower has {state.tower.count} cards; it may hold {plain.tower_limit(state)}")
    if not running:
        _check_end(reader, state)
    if state.tower.count == 0 and running:
        reader.fault("ALC-68", "the tower has no card left, so the game is over")
    if state.tower.count and plain_piles.top(state.tower) >= JOKER:
        reader.fault("ALC-72", "the tower's top is a Joker; it would have left the game")
    if any(card >= JOKER for card in state.discard.listed()):
        reader.fault("ALC-70", "a Joker lies in the discard; it leaves the game when it acts")
    if not running or reader.faults:
        return
    if state.phase != Phase.NECROMANCER and kinds and plain.necromancers(state) > 0:
        reader.fault("ALC-59", "Advantages lie in play before a Necromancer")
    limit = plain.hand_limit(state)
    if state.phase != Phase.THIEF and state.hand.count > limit:
        rule = "ALC-64" if plain.count_enemies(state, JACK) else "ALC-9"
        reader.fault(rule, f"the hand has {state.hand.count} cards; it may hold {limit}")
