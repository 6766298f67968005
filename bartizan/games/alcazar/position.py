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
    ARMIES,
    FRONT,
    HAND_SIZE,
    HAND_SLOTS,
    JOKER,
    QUEEN,
    REAR,
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
MOST_ACTIONS = 100  # the state counts them in bytes; as each costs a card, no turn comes near


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


def read_position(position: Mapping[str, Any], options: Options, seats: int, seed: str) -> State:
    """Make a state from a position; cards named nowhere are dealt by the seed.

    Raises `UnknownCard` for a text that is no card, and `BadPosition` with
    every fault and its clause.
    """
    reader = PositionReader(position, KEYS)
    state = State()
    options.put_into(state.options)
    cards = _Cards(reader, state, options, seed)
    cards.place()
    _read_figures(reader, state, options)
    _check_table(reader, state, cards.counts)
    _check_phase(reader, state)
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
    state.passes = reader.integer("passes", 0, 0, 2 if options.endless_night else 1, "ALC-67")
    state.still = reader.integer("still", 0, 0, 2, "ALC-67")
    state.changed = int(reader.truth("changed"))
    state.traded = int(reader.truth("traded"))
    done = reader.texts("done")
    for kind in dict.fromkeys(done):
        if kind not in DONE:
            reader.fault("ALC-17", f"done names {kind!r}; the kinds are {', '.join(DONE)}")
    limit = {ActionsPerTurn.THREE: 3, ActionsPerTurn.ONE_OF_EACH: len(set(done))}.get(
        options.actions_per_turn, MOST_ACTIONS
    )
    if len(done) > limit:
        reader.fault("ALC-17", f"done has {len(done)} actions; the turn allows {limit}")
        done = []
    state.defences, state.repairs, state.specials = (done.count(kind) for kind in DONE)
    if (state.phase == Phase.OVER) != (state.winner != Winner.NONE):
        reader.fault("ALC-67", "a finished game has phase 'over' and a winner, a running one has neither")


SMALL_PILES = ("tower", "hand", "advantages")  # the state has room for SMALL_ROOM cards in each
SMALL_ROOM = 8
LARGE_PILES = ("deck", "discard", "aside")  # the state has room for each card once

Entry = tuple[int | None, bool]  # a card (None for ``?``, EMPTY for none) and whether it lies face down


class _Cards:
    """Place the cards that a position names, then deal the others.

    A fault ends nothing: what can be placed is placed, so that the faults of the table come to light too.
    """

    def __init__(self, reader: PositionReader, state: State, options: Options, seed: str) -> None:
        self.reader = reader
        self.state = state
        self.jokers = [JOKER, JOKER + 1] if options.havoc else []
        self.named: set[int] = set()
        self.counts: dict[str, int] = {}  # how many cards are written under each key that is a list
        self.dice = random.Random(stream(seed, "position"))

    def place(self) -> None:
        """Fill every pile and place of the state."""
        lists = {
            key: self.entries(key)
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
                lay(pile, self.known(card))
        self.borrowed()
        aside = self.reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        listed = [self.deal(card) for card, _ in lists["deck"][::-1]]
        for dealt in ([] if aside else self.rest) + listed:
            lay(state.deck, dealt)
        for dealt in self.rest if aside else []:
            lay(state.aside, self.known(dealt))

    def entries(self, key: str) -> list[Entry]:
        """Return the cards under a key, as many as the state has room for."""
        faults = len(self.reader.faults)
        texts = self.reader.texts(key)
        if key in self.reader.given and len(self.reader.faults) == faults:
            self.counts[key] = len(texts)
        room = 54 if key in LARGE_PILES else SMALL_ROOM
        limit = {"advantages": ADVANTAGES, **dict.fromkeys(ARMY_NAMES, 2)}.get(key, room)
        if len(texts) > limit and key not in ("tower", "hand"):
            clause = "ALC-32" if key == "advantages" else "ALC-6"
            self.reader.fault(clause, f"{key} has {len(texts)} cards; there is room for {limit}")
        entries: list[Entry] = []
        for text in texts[: room if key in SMALL_PILES else limit]:
            word = text.strip()
            if word == UNKNOWN:
                entries.append((None, True))
            elif word == NOTHING and key in ARMY_NAMES:
                entries.append((EMPTY, False))
            else:
                card = self.claim(key, POKER.parse(word.removeprefix(HIDDEN)))
                entries.append((card, word.startswith(HIDDEN)))
        return entries

    def claim(self, key: str, card: int) -> int:
        """Take a named card out of those left, or note a fault.

        A card that is there already lies in the small piles once more, where their number counts; it has no
        room in the large ones.
        """
        taken = card in self.named
        if card >= JOKER:
            free = [joker for joker in self.jokers if joker not in self.named]
            taken = not free
            card = free[0] if free else JOKER
        if taken and card >= JOKER:
            self.fault("ALC-70" if not self.jokers else "ALC-2", f"{key} has a Joker too many")
        elif taken:
            self.fault("ALC-2", f"the {POKER.name(card)} is there twice, the second time under {key}")
        self.named.add(card)
        return EMPTY if taken and key in LARGE_PILES else card

    def fault(self, clause: str, sentence: str) -> None:
        """Note a fault that may come up for card after card, once."""
        if (clause, sentence) not in self.reader.faults:
            self.reader.fault(clause, sentence)

    def deal(self, card: int | None) -> int:
        """Return a card, an unknown one being drawn by lot."""
        return self.drawn(-1) if card is None else card

    def drawn(self, index: int) -> int:
        """Take one of the cards left, or note that none is and return EMPTY."""
        if self.rest:
            return self.rest.pop(index)
        self.fault("ALC-2", "the position asks for more cards than the deck has")
        return EMPTY

    def known(self, card: int | None) -> int:
        """Return a card that lies face up from now on."""
        dealt = self.deal(card)
        if dealt != EMPTY:
            self.state.known[dealt] = 1
        return dealt

    def quiet(self) -> int:
        """Take one of the cards left that has no effect when it is turned up or held."""
        return self.drawn(
            next((i for i, card in enumerate(self.rest) if not plain.is_special(card) and card < JOKER), 0)
        )

    def tower(self, entries: list[Entry]) -> None:
        """Build the tower; left out, five cards are dealt."""
        if "tower" not in self.counts:
            entries = [(self.quiet(), True) for _ in range(TOWER_SIZE)]
        for card, _ in entries[::-1]:
            lay(self.state.tower, self.deal(card))
        if self.state.tower.count:
            self.known(plain_piles.top(self.state.tower))

    def army(self, army: int, name: str, entries: list[Entry]) -> None:
        """Set an army up; left out, a front face up and a rear face down are dealt."""
        if name not in self.counts:
            entries = [(self.quiet(), False), (self.quiet(), True)]
        entries = entries + [(EMPTY, False)] * (2 - len(entries))
        for rank, (card, down) in enumerate(entries):
            place = 2 * army + rank
            self.state.enemy[place] = self.deal(card) if down else self.known(card)
            if not down and card != EMPTY:
                plain_table.face_up_enemy(self.state, place)
            if self.state.face_up[place] and self.state.enemy[place] >= JOKER:
                self.reader.fault(
                    "ALC-71", f"{PLACE_NAMES[place]} is a face-up Joker; it would have left the game"
                )

    def hand(self, entries: list[Entry]) -> None:
        """Fill the hand; left out, as many cards as it may hold are dealt."""
        if "hand" not in self.counts:
            entries = [(self.quiet(), False) for _ in range(min(plain.hand_limit(self.state), HAND_SIZE))]
        for card, _ in entries:
            dealt = self.known(card)
            if dealt >= JOKER:
                self.reader.fault("ALC-73", "the hand holds a Joker; it would have left the game")
            if dealt != EMPTY:
                plain_piles.insert_sorted(self.state.hand, dealt)

    def borrowed(self) -> None:
        """Mark the hand's cards that a Reinforcement fetched."""
        for text in self.reader.texts("borrowed"):
            card = POKER.parse(text)
            if plain_piles.find(self.state.hand, card) == EMPTY:
                self.reader.fault(
                    "ALC-46", f"borrowed names the {POKER.name(card)}, which is not in the hand"
                )
            elif plain_piles.find(self.state.borrowed, card) != EMPTY:
                self.reader.fault("ALC-46", f"borrowed names the {POKER.name(card)} twice")
            else:
                plain_piles.push(self.state.borrowed, card)


def lay(pile: Pile, card: int) -> None:
    """Put a card, if it is one, on a pile."""
    if card != EMPTY:
        plain_piles.push(pile, card)


def _check_table(reader: PositionReader, state: State, counts: Mapping[str, int]) -> None:
    """Note every rule that the cards on the table break; `counts` are those written, room or not."""
    running = state.phase != Phase.OVER
    for card in state.advantages.listed():
        if not plain.is_special(card):
            reader.fault("ALC-28", f"the {POKER.name(card)} lies as an Advantage and is no special")
    kinds = [plain.value(card) for card in state.advantages.listed()]
    if len(set(kinds)) < len(kinds):
        reader.fault("ALC-33", "two Advantages of one kind lie in play")
    height = counts.get("tower", state.tower.count)
    if height > plain.tower_limit(state):
        rule = "ALC-52" if height == TOWER_SIZE + 1 or QUEEN in kinds else "ALC-5"
        reader.fault(rule, f"the tower has {height} cards; it may hold {plain.tower_limit(state)}")
    if height == 0 and running:
        reader.fault("ALC-68", "the tower has no card left, so the game is over")
    if state.tower.count and plain_piles.top(state.tower) >= JOKER:
        reader.fault("ALC-72", "the tower's top is a Joker; it would have left the game")
    if any(card >= JOKER for card in state.discard.listed()):
        reader.fault("ALC-70", "a Joker lies in the discard; it leaves the game when it acts")
    held = counts.get("hand", state.hand.count)
    # a forced discard, or the end, may come while the hand is still that of a Bard now gone
    limit = HAND_SLOTS if state.phase in (Phase.THIEF, Phase.OVER) else plain.hand_limit(state)
    if held > limit:
        rule = "ALC-64" if limit < HAND_SIZE else "ALC-9"
        reader.fault(rule, f"the hand has {held} cards; it may hold {limit}")
    if running and state.phase != Phase.NECROMANCER and kinds and plain.necromancers(state) > 0:
        reader.fault("ALC-59", "Advantages lie in play before a Necromancer")


def _check_phase(reader: PositionReader, state: State) -> None:
    """Note what keeps the table from waiting where the position says that it waits."""
    if state.phase != Phase.OVER and state.still > 1:
        reader.fault("ALC-68", f"still is {state.still}, so the game is over; two unchanged rounds lose it")
    if state.phase == Phase.DRAW:
        _check_second_card(reader, state)
    if state.phase in (Phase.THIEF, Phase.NECROMANCER):
        _check_resume(reader, state)


def _check_second_card(reader: PositionReader, state: State) -> None:
    """Note why no Bard offers a second card here (ALC-57)."""
    if not plain.bard_sings(state):
        thief = plain.tower_top_is(state, QUEEN)
        why = "a Thief suspends the Bard" if thief else "no Bard is the tower's top"
        reader.fault("ALC-57", f"phase is 'draw', but {why}")
    if state.deck.count == 0:
        reader.fault("ALC-57", "phase is 'draw', but the deck is empty")
    if state.hand.count >= plain.hand_limit(state):
        reader.fault("ALC-57", "phase is 'draw', but the hand is full")
    if state.options.endless_night:
        reader.fault("ALC-74", "phase is 'draw', but in Endless Night the hand is filled without a question")
    elif state.hand.count < 3:
        reader.fault("ALC-16", "phase is 'draw', but below three in hand a card is drawn without a question")


def _check_resume(reader: PositionReader, state: State) -> None:
    """Note where an interrupted step cannot go on: fronts to open are closed, new cards have a place."""
    if state.step < Step.MOVEMENT:
        _check_set_up(reader, state)
    for army, name in enumerate(ARMY_NAMES):
        if state.step == Step.MOVEMENT + 2 * army + 1 and state.enemy[2 * army + REAR] != EMPTY:
            reader.fault("ALC-14", f"resume is 'movement {name}.rear', but a card stands there")


def _check_set_up(reader: PositionReader, state: State) -> None:
    """Note what contradicts that the fronts are being opened, one army after the other (ALC-8)."""
    first = state.step - Step.SETUP
    resume = f"resume is 'setup {ARMY_NAMES[first]}'"
    if state.round != 1:
        reader.fault("ALC-8", f"{resume}, but the round is {state.round}; the set-up comes before round 1")
    for army in range(ARMIES):
        place = 2 * army + FRONT
        closed = state.enemy[place] != EMPTY and not state.face_up[place]
        if closed and army < first:
            reader.fault("ALC-8", f"{resume}, but {PLACE_NAMES[place]} is still face down")
        elif not closed and army >= first:
            reader.fault("ALC-8", f"{resume}, but {PLACE_NAMES[place]} has no face-down card to open")
