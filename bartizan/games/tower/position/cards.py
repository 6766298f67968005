"""Place the cards that a position of Tower names, then deal the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bartizan.engine import piles
from bartizan.engine.cards import HIDDEN, UNKNOWN
from bartizan.engine.errors import UnknownCard
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import Pile
from bartizan.engine.rng import stream
from bartizan.games.tower import rules, table
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import COPIES, JOKER, State
from bartizan.games.tower.words.names import card_of

HAND_ROOM = 8
SPENT_ROOM = 2
PILES = ("discard", "spent", "rubble", "aside")  # in the order in which their unknown cards are dealt

Named = int | None  # a card, or None for an unknown one


def copies_of(state: State) -> Counter[int]:
    """Return how many copies of each card are in the game (TWR-1, TWR-3)."""
    copies = Counter(dict.fromkeys(range(JOKER), rules.decks_of(state)))
    copies[JOKER] = rules.jokers_of(state)
    return copies


class CardReader(PositionReader):
    """Read the cards of a position; unknown ones are dealt once all keys have been read."""

    def __init__(self, given: Mapping[str, Any], keys: Sequence[str], seed: str = "") -> None:
        super().__init__(given, keys, seed)
        self.is_turn_readable = True  # the phase, and whose turn it is
        self.named: Counter[int] = Counter()
        self.hands: list[list[Named]] = []
        self.piles: dict[str, list[Named]] = {}

    # --- Named cards

    def pile(self, state: State, key: str) -> None:
        """Read a pile, top first."""
        words = self.texts(key)
        room, clause = (SPENT_ROOM, "TWR-13") if key == "spent" else (copies_of(state).total(), "TWR-3")
        if len(words) > room:
            self.fault(clause, f"{key} has {len(words)} cards; there is room for {room}")
        self.piles[key] = self.cards(state, words[:room], key)

    def cards(self, state: State, words: list[str], where: str) -> list[Named]:
        """Read cards; ``?`` is an unknown card."""
        return [
            None
            if word.strip() == UNKNOWN
            else self.claim(state, JANKEN.parse(word.strip().removeprefix(HIDDEN)), where)
            for word in words
        ]

    def face(self, state: State, word: str, where: str, level: int | None = None) -> int:
        """Read a card in play; a Joker has a suit, which may be left out if the Joker is a level."""
        if not word.startswith("*"):
            return self.claim(state, JANKEN.parse(word), where)
        self.claim(state, JOKER, where)
        suit = word[1:].lower()
        if len(suit) > 1 or suit not in JANKEN.suits:
            raise UnknownCard(f"{word!r} isn't a card in play: a Joker has a suit, such as '*r'.", word)
        if not suit and level is not None:
            return JOKER + level
        if not suit:
            self.fault("TWR-3", f"{where}: a Joker in flight has a suit, such as '*r'")
            return JOKER
        return JOKER + JANKEN.suits.index(suit)

    def claim(self, state: State, card: int, where: str) -> int:
        """Count a named card, and note a fault if there are too many copies."""
        self.named[card] += 1
        copies = copies_of(state)[card]
        if self.named[card] == copies + 1:
            name = JANKEN.name(card) if card_of(card) == JOKER else f"the {JANKEN.name(card)}"
            times = {0: "not in the game", 1: "there once", 2: "there twice"}[copies]
            self.fault("TWR-3", f"{where}: {name} is named once too often; it is {times}")
        return card

    # --- Dealt cards

    def deal_all(self, state: State) -> None:
        """Put every card in its place: first the named ones, then at random the unknown ones.

        A hand with more than a record holds is cut short in the state.
        """
        left = sorted((copies_of(state) - self.named).elements())
        random.Random(stream(self.seed, "position")).shuffle(left)
        for seat, hand in enumerate(self.hands):
            for card in hand[:HAND_ROOM]:
                table.into_hand(state.players[seat], self._deal(card, left), 0)
        for key in PILES:
            self._fill(getattr(state, key), self.piles[key], left)
        self._lay_deck(state, left)

    def _deal(self, card: Named, left: list[int]) -> int:
        """Return a card, drawn at random if it is unknown."""
        if card is not None:
            return card
        if not left:
            sentence = "there are more unknown cards (?) than cards left in the deck"
            if ("TWR-3", sentence) not in self.faults:
                self.fault("TWR-3", sentence)
            return 0
        return left.pop()

    def _fill(self, pile: Pile, cards: list[Named], left: list[int]) -> None:
        """Put cards, top first, on a pile."""
        for card in cards[::-1]:
            piles.push(pile, self._deal(card, left))

    def _lay_deck(self, state: State, left: list[int]) -> None:
        """Put the deck's named cards on top of the remaining ones, or set those aside."""
        named = [self._deal(card, left) for card in self.piles["deck"]]
        aside = self.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        pile, below = (state.aside, 0) if aside else (state.deck, len(named))
        for card in left[: COPIES - pile.count - below]:  # this happens only if cards are named too often
            piles.push(pile, card)
        for card in named[::-1]:
            piles.push(state.deck, card)
