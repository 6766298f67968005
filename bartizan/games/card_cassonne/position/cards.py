"""Read the cards of a position: each is claimed where it is named, and the others are left to be dealt."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bartizan.engine.cards import POKER
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import stream
from bartizan.games.card_cassonne.options import CARDS
from bartizan.games.card_cassonne.state import FACES, State

Place = tuple[int, int]  # x and y


class TableReader(PositionReader):
    """Read a position, and keep what its keys name until the layout can be laid."""

    def __init__(self, given: Mapping[str, Any], keys: Sequence[str], seed: str = "") -> None:
        super().__init__(given, keys, seed)
        self.board: dict[Place, int] = {}  # the layout as it is written, also one that cannot be
        self.tokens: dict[Place, int] = {}  # the seats of the tokens, on a card or not
        self.last: Place | None = None
        self.hands: list[list[int] | None] = []  # by seat; None: to be dealt
        self.piles: dict[str, list[int]] = {}  # deck and aside, top first
        self.sizes: dict[Place, Any] = {}  # of areas when last scored
        self.sure = True  # whether phase and points could be read, so that the winner can be checked
        self._left = [2] * FACES  # copies of each face that no key has named

    def claim(self, where: str, text: str) -> int:
        """Take a named card out of those left, or note a fault; raises `UnknownCard`."""
        face = POKER.parse(text)
        if face >= FACES:
            self.fault("CC-3", f"{where} has a Joker; they stay in the box")
            return 0
        if self._left[face] == 0:
            self.fault("CC-3", f"{where} has a third {POKER.name(face)}; there are two")
        else:
            self._left[face] -= 1
        return face

    def claim_pile(self, key: str) -> None:
        """Claim the cards of a pile."""
        self.piles[key] = [self.claim(key, text) for text in self.texts(key)[:CARDS]]

    def unnamed(self) -> list[int]:
        """Return all cards that no key has named, in the order that the seed gives them."""
        cards = [face for face in range(FACES) for _ in range(self._left[face])]
        random.Random(stream(self.seed, "position")).shuffle(cards)
        return cards

    def table(self, key: str) -> dict[Place, Any]:
        """Return a table from places to values."""
        value = self.given.get(key, {})
        if not isinstance(value, Mapping):
            self.fault("", f'{key} is {value!r}; it must be a table such as {{ "0,0" = … }}')
            return {}
        placed: dict[Place, Any] = {}
        for text, each in value.items():
            place = self.place(key, text)
            if place is None:
                continue
            if place in placed:
                self.fault("CC-12", f"{key} names the place {place[0]},{place[1]} twice")
            placed[place] = each
        return placed

    def place(self, key: str, text: object) -> Place | None:
        """Return the x and y of a place, None for a text that is none."""
        match = re.fullmatch(r"\s*([+-]?\d{1,4})\s*,\s*([+-]?\d{1,4})\s*", str(text), re.ASCII)
        if match is None:
            self.fault("", f"{key} names the place {text!r}; a place is written x,y, such as 1,-2")
            return None
        return int(match[1]), int(match[2])

    def number_at(self, state: State, key: str, place: Place, clause: str, what: str) -> int:
        """Return the number of the card laid at a place, else EMPTY, with a fault where none is written."""
        if place not in self.board:
            self.fault(clause, f"{key} has {what} at {place[0]},{place[1]}, where no card lies")
            return EMPTY
        return list(self.board).index(place) if state.laid else EMPTY
