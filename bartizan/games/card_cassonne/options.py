"""List the variants of Card-cassonne: the author's own, and the readings of what he leaves open."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Annotated, Self

import msgspec

from bartizan.engine.options import OptionSet, option

CARDS = 104  # two decks (CC-3)
HAND = 3  # CC-6
USUAL_REMOVED = {2: 11, 3: 13, 4: 11}  # by seats (CC-Q1)
BY_SEATS = -1  # stands for the usual number until the seats are known
SMALLEST, LARGEST = 3, 62  # sides of a bounded table
UNBOUNDED, BOARD_RADIX = 0, 64


class SameSuit(IntEnum):
    """Whose suit the touched cards must share for any card to go beside them."""

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
    """The variants of Card-cassonne; the defaults are the author's text as we read it."""

    removed: Annotated[
        int,
        option(
            "How many cards are set aside unseen; usually 11, at three seats 13. "
            "The rest must give every seat the same number of turns.",
            low=0,
            high=CARDS - 1,
            usual="usual",
        ),
    ] = BY_SEATS
    tokens: Annotated[int, option("How many tokens each player has.", low=1, high=20)] = 7
    same_suit: Annotated[
        SameSuit,
        option(
            "Whether any card goes where all touched cards are of one suit, or only a card of that suit.",
            "touched",
            "placed",
            compare=True,
        ),
    ] = SameSuit.TOUCHED
    ace: Annotated[
        Ace,
        option("Whether an Ace counts 14 or 1; it is a face card either way.", "high", "low", compare=True),
    ] = Ace.HIGH
    count: Annotated[
        Count,
        option(
            "Whether a space that borders several cards of an area counts once or for each of them.",
            "cells",
            "edges",
            compare=True,
        ),
    ] = Count.CELLS
    partial_scoring: Annotated[
        PartialScoring,
        option(
            "Which partially complete areas may be scored: all, those that the played card touches, "
            "or those with an own token.",
            "any",
            "touched",
            "own_token",
            compare=True,
        ),
    ] = PartialScoring.ANY
    end: Annotated[
        End,
        option(
            "Whether all hands are played out, or the game stops with the round in which the deck runs out.",
            "hands_empty",
            "deck_empty_round",
            compare=True,
        ),
    ] = End.HANDS_EMPTY
    complete_bonus: Annotated[
        int, option("The points for completing an area.", low=0, high=5, compare=True)
    ] = 3
    rescore_growth: Annotated[
        RescoreGrowth,
        option(
            "What slows down scoring one area every turn: nothing, two more cards since it was last scored, "
            "or a token that waits a turn.",
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
        bool, option("Whether the token is placed before areas are scored, or after.")
    ] = True
    board: Annotated[
        int,
        option(
            "Whether the table has no edge, or is so many cells wide and high.",
            "unbounded",
            "9x9",
            "5x4",
            form=BoardSize(),
        ),
    ] = UNBOUNDED

    def settled(self, seats: int) -> Self:
        """Return the options with the number of removed cards that the seats ask for (CC-Q1)."""
        usual = self.removed == BY_SEATS
        return msgspec.structs.replace(self, removed=USUAL_REMOVED[seats]) if usual else self

    def fault_for(self, seats: int) -> str:
        """Say that the cards left over cannot be shared out evenly (CC-5)."""
        return why_not_removed(self.settled(seats).removed, seats)


def why_not_removed(removed: int, seats: int) -> str:
    """Say why so many cards cannot be set aside (CC-5); ``""`` if they can."""
    left = CARDS - 1 - removed
    if left >= HAND * seats and left % seats == 0:
        return ""
    fitting = [n for n in range(1, CARDS - HAND * seats) if (CARDS - 1 - n) % seats == 0]
    close = min(fitting, key=lambda n: (abs(n - removed), n))
    return (
        f"removed is {removed}, which leaves {left} cards for {seats} seats; each must get the same "
        f"number, {HAND} or more. The nearest that fits is {close}."
    )
