"""Write and read cards.

Card ids of a ranked deck ascend in the order in which sets are written: the high rank
first, then the suits in the order of the deck (clubs, diamonds, hearts, spades); Jokers
last.  Those of the Tech Deck ascend by value, then by domain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from bartizan.engine.errors import UnknownCard, quoted

CARD = r"(?:10|[2-9TJQKA])[A-Z]|\*"  # a card's pattern, upper case, in any deck with ranks
HIDDEN = "~"
UNKNOWN = "?"
NOTHING = "-"


@dataclass(frozen=True)
class RankedDeck:
    """A deck of ranks 2 to Ace in some suits, followed by Jokers."""

    suits: str
    names: tuple[str, ...]
    jokers: int = 2

    RANKS = "AKQJT98765432"
    RANK_NAMES = (
        "ace",
        "king",
        "queen",
        "jack",
        "ten",
        "nine",
        "eight",
        "seven",
        "six",
        "five",
        "four",
        "three",
        "two",
    )

    @cached_property
    def plain(self) -> int:
        """The number of cards without Jokers; Joker ids begin here."""
        return len(self.RANKS) * len(self.suits)

    @property
    def size(self) -> int:
        """Return how many cards there are, Jokers included."""
        return self.plain + self.jokers

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(rank + suit for rank in self.RANKS for suit in self.suits)

    @cached_property
    def _spoken(self) -> tuple[str, ...]:
        return tuple(f"{rank} of {suit}" for rank in self.RANK_NAMES for suit in self.names)

    def text(self, card: int) -> str:
        """Return a card in notation: ``7c``, ``Td``, ``*``."""
        return self._texts[card] if card < self.plain else "*"

    def parse(self, text: str) -> int:
        """Return a card's id; a Joker's is the first Joker's.

        Raises `UnknownCard` naming the text and the nearest right form.
        """
        word = text.strip()
        if word == "*":
            return self.plain
        rank, suit = word[:-1].upper().replace("10", "T"), word[-1:].lower()
        if len(rank) == 1 and rank in self.RANKS and suit and suit in self.suits:
            return self.RANKS.index(rank) * len(self.suits) + self.suits.index(suit)
        suits = ", ".join(f"{letter} ({name})" for letter, name in zip(self.suits, self.names, strict=True))
        if len(rank) == 1 and rank in self.RANKS:
            reason = f"there is no suit {suit!r}: the suits are {suits}"
        elif suit and suit in self.suits:
            reason = f"there is no rank {word[:-1]!r}: the ranks are 2 to 9, T, J, Q, K, A"
        else:
            reason = f"a card is a rank (2 to 9, T, J, Q, K, A) and a suit: {suits}"
        raise UnknownCard(f"{quoted(text)} isn't a card: {reason}.", text)

    def name(self, card: int) -> str:
        """Return a card's spoken name: ``seven of clubs``."""
        return self._spoken[card] if card < self.plain else "Joker"

    def split(self, run: str) -> list[int]:
        """Split a text without spaces between its cards, such as ``5h4d``."""
        names = re.findall(r"10[a-z]|[^*]{2}|\*|.", run, re.IGNORECASE)
        return [self.parse(word) for word in names]


POKER = RankedDeck("cdhs", ("clubs", "diamonds", "hearts", "spades"))


@dataclass(frozen=True)
class ValuedDeck:
    """A deck of values 1 to 13 in some domains, with wild cards; several decks may be mixed.

    A card's id names its kind, not the copy. Ids ascend by value, then by domain. After the wild card's id
    comes that of an unknown card, written ``?``.
    """

    domains: str
    names: tuple[str, ...]

    HIGHEST = 13
    WILD_TEXT = "W"

    @property
    def plain(self) -> int:
        """The number of kinds without the wild card, whose id this is."""
        return self.HIGHEST * len(self.domains)

    def text(self, card: int) -> str:
        """Return a card in notation: ``7t``, ``13k``, ``W``, ``?``."""
        if card >= self.plain:
            return self.WILD_TEXT if card == self.plain else UNKNOWN
        return f"{card // len(self.domains) + 1}{self.domains[card % len(self.domains)]}"

    def parse(self, text: str) -> int:
        """Return a card's id; raises `UnknownCard` naming the text and the nearest right form."""
        word = text.strip()
        if word.upper() == self.WILD_TEXT:
            return self.plain
        value, domain = word[:-1], word[-1:].lower()
        domains = ", ".join(
            f"{letter} ({name})" for letter, name in zip(self.domains, self.names, strict=True)
        )
        fits = re.fullmatch(r"[1-9]|1[0-3]", value) is not None
        if fits and domain and domain in self.domains:
            return (int(value) - 1) * len(self.domains) + self.domains.index(domain)
        if fits:
            reason = f"there is no domain {domain!r}: the domains are {domains}"
        elif domain and domain in self.domains:
            reason = f"there is no value {value!r}: the values are 1 to {self.HIGHEST}"
        else:
            reason = f"a card is a value (1 to {self.HIGHEST}) and a domain: {domains}"
        raise UnknownCard(f"{quoted(text)} isn't a card: {reason}.", text)

    def name(self, card: int) -> str:
        """Return a card's spoken name: ``7 of technology``."""
        if card >= self.plain:
            return "wild card" if card == self.plain else "card"
        return f"{card // len(self.domains) + 1} of {self.names[card % len(self.domains)]}"
