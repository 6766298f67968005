"""Place the cards that a position of Alcazar names, then deal the others."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from bartizan.engine import piles
from bartizan.engine.cards import HIDDEN, NOTHING, POKER, UNKNOWN
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rng import stream
from bartizan.games.alcazar import table, values
from bartizan.games.alcazar.state import ADVANTAGES, HAND_SIZE, JOKER, TOWER_SIZE, State
from bartizan.games.alcazar.words.names import ARMY_NAMES, PLACE_NAMES

LARGE_PILES = ("deck", "discard", "aside")  # the state has room for each card once
SMALL_ROOM = 8  # the state has room for so many cards in the tower, the hand and the Advantages
LIMITS = {"advantages": ADVANTAGES, **dict.fromkeys(ARMY_NAMES, 2)}

Entry = tuple[int | None, bool]  # a card (None for ``?``, EMPTY for none) and whether it lies face down


class CardReader(PositionReader):
    """Read a position, and keep which cards it names until all are known and the others can be dealt.

    A fault doesn't stop the reading: all that can be placed is placed, to find faults of the table too.
    """

    def __init__(self, given: Mapping[str, Any], keys: Sequence[str], seed: str = "") -> None:
        super().__init__(given, keys, seed)
        self.counts: dict[str, int] = {}  # how many cards are written under each key that is a list
        self.entries: dict[str, list[Entry]] = {}  # and which, as many as the state has room for
        self.borrowed: list[int] = []
        self.is_rest_aside = False  # the cards named nowhere are out of the game
        self._named: set[int] = set()

    # --- What is named -------------------------------------------------------

    def name_cards(self, key: str, state: State) -> None:
        """Read the cards under a key."""
        faults = len(self.faults)
        texts = self.texts(key)
        if key in self.given and len(self.faults) == faults:
            self.counts[key] = len(texts)
        room = POKER.size if key in LARGE_PILES else SMALL_ROOM
        limit = LIMITS.get(key, room)
        if len(texts) > limit and key not in ("tower", "hand"):
            clause = "ALC-32" if key == "advantages" else "ALC-6"
            self.fault(clause, f"{key} has {len(texts)} cards; there is room for {limit}")
        taken = texts[: 2 if key in ARMY_NAMES else room]
        self.entries[key] = [self._entry(key, text.strip(), state) for text in taken]

    def _entry(self, key: str, word: str, state: State) -> Entry:
        if word == UNKNOWN:
            return None, True
        if word == NOTHING and key in ARMY_NAMES:
            return EMPTY, False
        card = POKER.parse(word.removeprefix(HIDDEN))
        return self._claim(key, card, state), word.startswith(HIDDEN)

    def _claim(self, key: str, card: int, state: State) -> int:
        """Take a named card out of those left, or note a fault.

        A card that is there already lies in the small piles once more, where their number counts; it has no
        room in the large ones.
        """
        taken = card in self._named
        if card >= JOKER:
            free = [joker for joker in _jokers(state) if joker not in self._named]
            taken = not free
            card = free[0] if free else JOKER
        if taken and card >= JOKER:
            self.fault_once("ALC-2" if state.options.havoc else "ALC-70", f"{key} has a Joker too many")
        elif taken:
            self.fault_once("ALC-2", f"the {POKER.name(card)} is there twice, the second time under {key}")
        self._named.add(card)
        return EMPTY if taken and key in LARGE_PILES else card

    def fault_once(self, clause: str, sentence: str) -> None:
        """Note a fault that may come up for card after card, once."""
        if (clause, sentence) not in self.faults:
            self.fault(clause, sentence)

    # --- What is dealt -------------------------------------------------------

    def deal(self, state: State) -> None:
        """Fill every pile and place of the state."""
        self.state = state
        self.rest = [card for card in [*range(JOKER), *_jokers(state)] if card not in self._named]
        random.Random(stream(self.seed, "position")).shuffle(self.rest)
        self._deal_tower()
        for army, name in enumerate(ARMY_NAMES):
            self._deal_army(army, name)
        self._deal_hand()
        for key, pile in (
            ("advantages", state.advantages),
            ("aside", state.aside),
            ("discard", state.discard),
        ):
            for card, _ in self.entries[key] if key != "discard" else self.entries[key][::-1]:
                _lay(pile, self._known(card))
        self._mark_borrowed()
        listed = [self._dealt(card) for card, _ in self.entries["deck"][::-1]]
        for card in ([] if self.is_rest_aside else self.rest) + listed:
            _lay(state.deck, card)
        for card in self.rest if self.is_rest_aside else []:
            _lay(state.aside, self._known(card))

    def _dealt(self, card: int | None) -> int:
        """Return a card, an unknown one being drawn at random."""
        return self._drawn(-1) if card is None else card

    def _drawn(self, index: int) -> int:
        """Take one of the cards left, or note that none is and return EMPTY."""
        if self.rest:
            return self.rest.pop(index)
        self.fault_once("ALC-2", "the position asks for more cards than the deck has")
        return EMPTY

    def _known(self, card: int | None) -> int:
        """Return a card that lies face up from now on."""
        dealt = self._dealt(card)
        if dealt != EMPTY:
            self.state.known[dealt] = 1
        return dealt

    def _quiet(self) -> int:
        """Take one of the cards left that has no effect when it is turned up or held."""
        quiet = (i for i, card in enumerate(self.rest) if not values.is_special(card) and card < JOKER)
        return self._drawn(next(quiet, 0))

    def _deal_tower(self) -> None:
        """Build the tower; left out, five cards are dealt."""
        entries = self.entries["tower"]
        if "tower" not in self.counts:
            entries = [(self._quiet(), True) for _ in range(TOWER_SIZE)]
        for card, _ in entries[::-1]:
            _lay(self.state.tower, self._dealt(card))
        if self.state.tower.count:
            self._known(piles.top(self.state.tower))

    def _deal_army(self, army: int, name: str) -> None:
        """Set an army up; left out, a front face up and a rear face down are dealt."""
        entries = self.entries[name]
        if name not in self.counts:
            entries = [(self._quiet(), False), (self._quiet(), True)]
        entries = entries + [(EMPTY, False)] * (2 - len(entries))
        for rank, (card, down) in enumerate(entries):
            place = 2 * army + rank
            self.state.enemy[place] = self._dealt(card) if down else self._known(card)
            if not down and card != EMPTY:
                table.face_up_enemy(self.state, place)
            if self.state.face_up[place] and self.state.enemy[place] >= JOKER:
                self.fault("ALC-71", f"{PLACE_NAMES[place]} is a face-up Joker; it would have left the game")

    def _deal_hand(self) -> None:
        """Fill the hand; left out, as many cards as it may hold are dealt."""
        entries = self.entries["hand"]
        if "hand" not in self.counts:
            entries = [(self._quiet(), False) for _ in range(min(values.hand_limit(self.state), HAND_SIZE))]
        for card, _ in entries:
            dealt = self._known(card)
            if dealt >= JOKER:
                self.fault("ALC-73", "the hand holds a Joker; it would have left the game")
            if dealt != EMPTY:
                piles.insert_sorted(self.state.hand, dealt)

    def _mark_borrowed(self) -> None:
        """Mark the hand's cards that a Reinforcement fetched."""
        for card in self.borrowed:
            if piles.find(self.state.hand, card) == EMPTY:
                self.fault("ALC-46", f"borrowed names the {POKER.name(card)}, which is not in the hand")
            elif piles.find(self.state.borrowed, card) != EMPTY:
                self.fault("ALC-46", f"borrowed names the {POKER.name(card)} twice")
            else:
                piles.push(self.state.borrowed, card)


def _jokers(state: State) -> list[int]:
    return [JOKER, JOKER + 1] if state.options.havoc else []


def _lay(pile: Pile, card: int) -> None:
    """Put a card, if it is one, on a pile."""
    if card != EMPTY:
        piles.push(pile, card)
