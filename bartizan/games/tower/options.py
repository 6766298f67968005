"""Define Tower's options: different interpretations of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Self

import msgspec

from bartizan.engine.options import OptionSet, option

SEATS_OF_ONE_DECK = 4  # TWR-1
MOST_PLAYS = 3  # as many cards as a turn can draw (TWR-53)


class DefenceWindow(IntEnum):
    """When you can deflect an attack."""

    OWN_TURN = 0
    ANY_TIME = 1


class Jokers(IntEnum):
    """How many Jokers to shuffle in."""

    NONE = 0
    TWO = 1


class Decks(IntEnum):
    """How many decks to shuffle together."""

    BY_SEATS = 0
    ONE = 1
    TWO = 2


class ForcedLeftovers(IntEnum):
    """What happens to the leftover cards of a forced tower."""

    DISCARD = 0
    KEEP = 1


class LayDown(IntEnum):
    """What happens on the turn you lay your tower."""

    OWN_TURN = 0
    ANY_TIME = 1


class ThirdCard(IntEnum):
    """Who may draw a third card."""

    LIMIT = 0
    MOAT = 1


class MoatLossNoDraw(IntEnum):
    """How losing the Moat limits drawing."""

    LIMIT = 0
    STRICT = 1


class LastTurn(IntEnum):
    """Whether the last player gets an extra turn before the attacks of players who are out arrive."""

    WINDOW = 0
    EXTRA = 1


class CapResult(IntEnum):
    """How a game that reaches the turn limit is decided."""

    DRAW = 0
    LEVELS = 1


class Options(OptionSet, frozen=True, kw_only=True):
    """The options of Tower. The defaults follow the rulebook as we read it."""

    redraw_own_cards: Annotated[
        bool,
        option(
            "Whether you can draw back cards you put down this turn.",
            compare=True,
        ),
    ] = False
    defence_window: Annotated[
        DefenceWindow,
        option(
            "Whether you deflect attacks only on your own turn, or also just before they arrive.",
            "own_turn",
            "any_time",
            compare=True,
        ),
    ] = DefenceWindow.OWN_TURN
    deflect_for_others: Annotated[
        bool, option("Whether you can deflect attacks on other players' towers.", compare=True)
    ] = True
    jokers: Annotated[Jokers, option("How many Jokers to shuffle in.", 0, 2, compare=True)] = Jokers.NONE
    decks: Annotated[
        Decks,
        option(
            "How many decks to shuffle together. By seats means one deck, or two for 5 or more players.",
            "by_seats",
            1,
            2,
            compare=True,
        ),
    ] = Decks.BY_SEATS
    forced_leftovers: Annotated[
        ForcedLeftovers,
        option("What happens to the leftover cards when you are forced to lay a tower.", "discard", "keep"),
    ] = ForcedLeftovers.DISCARD
    lay_down: Annotated[
        LayDown,
        option(
            "Whether laying your tower ends the turn, or a full turn follows if you didn't exchange.",
            "own_turn",
            "any_time",
        ),
    ] = LayDown.OWN_TURN
    third_card: Annotated[
        ThirdCard,
        option(
            "Whether you may draw a third card whenever your hand has room, or only with an undamaged Moat.",
            "limit",
            "moat",
        ),
    ] = ThirdCard.LIMIT
    moat_loss_no_draw: Annotated[
        MoatLossNoDraw,
        option(
            "After losing the Moat: draw up to three cards, or none if you began the turn with more.",
            "limit",
            "strict",
        ),
    ] = MoatLossNoDraw.LIMIT
    hand: Annotated[int, option("How many cards you may hold; two more with the Moat.", low=2, high=6)] = 3
    plays: Annotated[int, option("How many plays a turn has.", low=1, high=MOST_PLAYS)] = 2
    min_plays: Annotated[int, option("How many of a turn's plays you must make.", low=0, high=MOST_PLAYS)] = 2
    last_turn: Annotated[
        LastTurn,
        option(
            "Whether the last player gets an extra turn if attacks would arrive before their next one.",
            "window",
            "extra",
        ),
    ] = LastTurn.WINDOW
    build_cap: Annotated[
        int, option("The turn at the end of which you must lay the best tower you can.", low=1, high=1000)
    ] = 40
    turn_cap: Annotated[
        int, option("How many turns each player takes before the game stops.", low=1, high=1000)
    ] = 150
    cap_result: Annotated[
        CapResult,
        option(
            "Whether a stopped game is a draw or goes to the player with the most levels standing.",
            "draw",
            "levels",
        ),
    ] = CapResult.DRAW

    def settled(self, seats: int) -> Self:
        """Return the options with the number of decks for this number of seats (TWR-1, TWR-Q1)."""
        if self.decks != Decks.BY_SEATS:
            return self
        decks = Decks.ONE if seats <= SEATS_OF_ONE_DECK else Decks.TWO
        return msgspec.structs.replace(self, decks=decks)
