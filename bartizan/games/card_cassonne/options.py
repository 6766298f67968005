"""Define Card-cassonne's options: the author's own, and different readings of what he leaves open."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Annotated, Self

import msgspec

from bartizan.engine.options import OptionSet, option

CARDS = 104  # two decks (CC-3)
HAND = 3  # CC-6, and the most that actions can number
USUAL_REMOVED = {2: 11, 3: 13, 4: 11}  # by seats (CC-Q1)
BY_SEATS = -1  # stands for the usual number until the seats are known
SMALLEST, LARGEST = 3, 62  # sides of a bounded table
UNBOUNDED, BOARD_RADIX = 0, 64


class SameSuit(IntEnum):
    """Which suit the touched cards must share so that any card can be played next to them."""

    TOUCHED = 0
    PLACED = 1


class Ace(IntEnum):
    """What an Ace counts."""

    HIGH = 0
    LOW = 1


class Count(IntEnum):
    """How the empty spaces of an area are counted."""

    CELLS = 0
    EDGES = 1


class PartialScoring(IntEnum):
    """Which partially complete areas a player may score."""

    ANY = 0
    TOUCHED = 1
    OWN_TOKEN = 2


class End(IntEnum):
    """When the game ends."""

    HANDS_EMPTY = 0
    DECK_EMPTY_ROUND = 1


class RescoreGrowth(IntEnum):
    """What slows down scoring one area again and again."""

    NONE = 0
    MUST_HAVE_GROWN_BY_2 = 1
    TOKEN_WAITS_A_TURN = 2


class BoardSize:
    """Write the size of the table: ``unbounded`` is 0, ``9x7`` is 9 x 64 + 7."""

    def read(self, word: str) -> int:
        """Return the number of a size; raises `ValueError` for another text or a side out of range."""
        if word == "unbounded":
            return UNBOUNDED
        match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", word, re.ASCII)
        width, height = (int(match[1]), int(match[2])) if match else (0, 0)
        if min(width, height) < SMALLEST or max(width, height) > LARGEST:
            raise ValueError(
                f"it must be unbounded, or a width and a height from {SMALLEST} to {LARGEST}, such as 9x7"
            )
        return width * BOARD_RADIX + height

    def write(self, number: int) -> str:
        """Return the text of a size."""
        return f"{number // BOARD_RADIX}x{number % BOARD_RADIX}" if number else "unbounded"


class Options(OptionSet, frozen=True, kw_only=True):
    """The options of Card-cassonne. The defaults follow the author's text as we read it."""

    removed: Annotated[
        int,
        option(
            "How many cards are set aside unseen: usually 11, with 3 players 13. "
            "The rest must give each player the same number of turns.",
            low=0,
            high=CARDS - 1,
            usual="usual",
        ),
    ] = BY_SEATS
    tokens: Annotated[int, option("How many tokens each player has.", low=1, high=20)] = 7
    same_suit: Annotated[
        SameSuit,
        option(
            "Where all touched cards share a suit: whether you can play any card, or only that suit.",
            "touched",
            "placed",
            compare=True,
        ),
    ] = SameSuit.TOUCHED
    ace: Annotated[
        Ace,
        option("Whether an Ace counts 14 or 1. It is a face card either way.", "high", "low", compare=True),
    ] = Ace.HIGH
    count: Annotated[
        Count,
        option(
            "Whether an empty place that touches several cards of an area counts once or once for each.",
            "cells",
            "edges",
            compare=True,
        ),
    ] = Count.CELLS
    partial_scoring: Annotated[
        PartialScoring,
        option(
            "Which partially complete areas you may score: any, those your card touches, "
            "or those with your own token.",
            "any",
            "touched",
            "own_token",
            compare=True,
        ),
    ] = PartialScoring.ANY
    end: Annotated[
        End,
        option(
            "Whether you play until all hands are empty, or only until the round when the deck runs out.",
            "hands_empty",
            "deck_empty_round",
            compare=True,
        ),
    ] = End.HANDS_EMPTY
    complete_bonus: Annotated[
        int, option("How many points you get for completing an area.", low=0, high=5, compare=True)
    ] = 3
    rescore_growth: Annotated[
        RescoreGrowth,
        option(
            "The limit on scoring one area every turn: none, two more cards since it was last scored, "
            "or a token that must wait a turn.",
            "none",
            "must_have_grown_by_2",
            "token_waits_a_turn",
            compare=True,
        ),
    ] = RescoreGrowth.NONE
    final_partial_scoring: Annotated[
        bool, option("Whether all partially complete areas are scored at the end of the game.")
    ] = False
    token_before_score: Annotated[
        bool, option("Whether you place the token before you score areas, or after.")
    ] = True
    hand: Annotated[int, option("How many cards each player holds.", low=1, high=HAND)] = HAND
    board: Annotated[
        int,
        option(
            "Whether the table has no edge, or a width and height in cards.",
            "unbounded",
            "9x9",
            "5x4",
            form=BoardSize(),
        ),
    ] = UNBOUNDED

    def settled(self, seats: int) -> Self:
        """Return the options with the number of removed cards for this many seats (CC-Q1)."""
        usual = self.removed == BY_SEATS
        return msgspec.structs.replace(self, removed=USUAL_REMOVED[seats]) if usual else self

    def fault_for(self, seats: int) -> str:
        """Say that the remaining cards can't be divided evenly (CC-5)."""
        return why_not_removed(self.settled(seats).removed, seats, self.hand)


def why_not_removed(removed: int, seats: int, hand: int) -> str:
    """Say why this number of cards can't be set aside (CC-5); ``""`` if it can."""
    left = CARDS - 1 - removed
    if left >= hand * seats and left % seats == 0:
        return ""
    fitting = [n for n in range(1, CARDS - hand * seats) if (CARDS - 1 - n) % seats == 0]
    close = min(fitting, key=lambda n: (abs(n - removed), n))
    return (
        f"removed is {removed}, which leaves {left} cards for {seats} players. Each must get the same "
        f"number, at least {hand}. The nearest that works is {close}."
    )
