"""List the variants of Tower: the readings of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Self

import msgspec

from bartizan.engine.options import OptionSet, option

SEATS_OF_ONE_DECK = 4  # TWR-1


class DefenceWindow(IntEnum):
    """When an attack can be deflected."""

    OWN_TURN = 0
    ANY_TIME = 1


class Jokers(IntEnum):
    """How many Jokers are shuffled in."""

    NONE = 0
    TWO = 1


class Decks(IntEnum):
    """How many decks are shuffled together."""

    BY_SEATS = 0
    ONE = 1
    TWO = 2


class ForcedLeftovers(IntEnum):
    """What becomes of the cards that a forced tower leaves over."""

    DISCARD = 0
    KEEP = 1


class LayDown(IntEnum):
    """What laying the tower leaves of the turn."""

    OWN_TURN = 0
    ANY_TIME = 1


class ThirdCard(IntEnum):
    """Who may draw a third card."""

    LIMIT = 0
    MOAT = 1


class MoatLossNoDraw(IntEnum):
    """Who draws nothing after losing the Moat."""

    LIMIT = 0
    STRICT = 1


class MinPlays(IntEnum):
    """Whether both plays of a turn must be made."""

    TWO = 0
    NONE = 1


class LastTurn(IntEnum):
    """Whether the last player gets an extra turn before the attacks of players who are out arrive."""

    WINDOW = 0
    EXTRA = 1


class CapResult(IntEnum):
    """How a game that reaches the last turn is decided."""

    DRAW = 0
    LEVELS = 1


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Tower; the defaults are the rulebook as we read it."""

    redraw_own_cards: Annotated[
        bool,
        option(
            "Whether the cards put down in a turn can be drawn again at its end by the same player.",
            compare=True,
        ),
    ] = False
    defence_window: Annotated[
        DefenceWindow,
        option(
            "Whether attacks are deflected in one's own turn only, or also just before they arrive.",
            "own_turn",
            "any_time",
            compare=True,
        ),
    ] = DefenceWindow.OWN_TURN
    deflect_for_others: Annotated[
        bool, option("Whether attacks on other players' towers can be deflected.", compare=True)
    ] = True
    jokers: Annotated[Jokers, option("How many Jokers are shuffled in.", 0, 2, compare=True)] = Jokers.NONE
    decks: Annotated[
        Decks,
        option(
            "How many decks are shuffled together; by seats means one, and two from five players on.",
            "by_seats",
            1,
            2,
            compare=True,
        ),
    ] = Decks.BY_SEATS
    forced_leftovers: Annotated[
        ForcedLeftovers,
        option("What becomes of the cards left over from a forced tower.", "discard", "keep"),
    ] = ForcedLeftovers.DISCARD
    lay_down: Annotated[
        LayDown,
        option(
            "Whether laying the tower ends the turn, or a full turn follows if nothing was exchanged before.",
            "own_turn",
            "any_time",
        ),
    ] = LayDown.OWN_TURN
    third_card: Annotated[
        ThirdCard,
        option(
            "Whether a third card can be drawn whenever the hand has room, or with an undamaged Moat only.",
            "limit",
            "moat",
        ),
    ] = ThirdCard.LIMIT
    moat_loss_no_draw: Annotated[
        MoatLossNoDraw,
        option(
            "Whether who lost the Moat still draws up to three, or nothing if the turn began with more.",
            "limit",
            "strict",
        ),
    ] = MoatLossNoDraw.LIMIT
    min_plays: Annotated[MinPlays, option("How many of the two plays of a turn must be made.", 2, 0)] = (
        MinPlays.TWO
    )
    last_turn: Annotated[
        LastTurn,
        option(
            "Whether attacks that would arrive before the last player's next turn wait for an extra one.",
            "window",
            "extra",
        ),
    ] = LastTurn.WINDOW
    build_cap: Annotated[
        int, option("The turn at whose end a tower must be laid as well as it can be.", low=1, high=1000)
    ] = 40
    turn_cap: Annotated[
        int, option("How many turns each player has before the game is broken off.", low=1, high=1000)
    ] = 150
    cap_result: Annotated[
        CapResult,
        option(
            "Whether a game that is broken off is drawn or goes to the most levels standing.",
            "draw",
            "levels",
        ),
    ] = CapResult.DRAW

    def settled(self, seats: int) -> Self:
        """Return the options with the number of decks that the seats ask for (TWR-1, TWR-Q1)."""
        if self.decks != Decks.BY_SEATS:
            return self
        decks = Decks.ONE if seats <= SEATS_OF_ONE_DECK else Decks.TWO
        return msgspec.structs.replace(self, decks=decks)
