"""Define Card Barrage's options: different readings of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from bartizan.engine.options import OptionSet, option


class TargetPer(IntEnum):
    """Who shares a score."""

    SIDE = 0
    SEAT = 1


class CastleHitEmpty(IntEnum):
    """What hitting a castle earns when its player has no card to give."""

    POINT = 0
    NOTHING = 1
    DECK_CARD = 2


class CastleTrigger(IntEnum):
    """Which walls must be gone for a hit castle to end the game."""

    SEAT = 0
    WHOLE_SIDE = 1
    OFF = 2


class OddPlayers(IntEnum):
    """What three or five people do."""

    TWO_SEATS = 0
    THIRD_SIDE = 1


class Tiebreak(IntEnum):
    """What breaks a tie between sides."""

    VALUE_DOMAINS = 0
    SHARED = 1


class Effects(IntEnum):
    """What every third scored card does."""

    HOUSE = 0
    OFF = 1
    TABLE = 2


class PerfectSlot(IntEnum):
    """Whether a perfectly hit wall may be rebuilt."""

    REBUILDABLE = 0
    LOST = 1


class WallSetup(IntEnum):
    """Where the first walls come from."""

    DEALT = 0
    CHOSEN_FROM_9 = 1


class Companion(IntEnum):
    """Whether cards are thrown at a real table, and if so, where hands and decks are."""

    OFF = 0
    ON_SCREEN = 1
    ON_TABLE = 2


class Throws(IntEnum):
    """Whether throws are reported from elsewhere or made on screen."""

    REPORTED = 0
    THROWN = 1


class Hand(IntEnum):
    """How much a person's hand trembles when throwing on screen."""

    HUMAN = 0
    STEADY = 1
    HONEST = 2


class Battlefield(IntEnum):
    """The distance in inches between the two sides' walls when cards are thrown on screen."""

    TWELVE = 0
    NINE = 1
    TEN = 2
    FOURTEEN = 3


class PathShown(IntEnum):
    """Whether people see where the card they are aiming would fly."""

    SHOWN = 0
    HIDDEN = 1


# By `Battlefield`; the skill of programs is measured for each.
INCHES = (12, 9, 10, 14)


class Options(OptionSet, frozen=True, kw_only=True):
    """The options of Card Barrage. The defaults follow the rulebook as we read it."""

    decks: Annotated[
        int,
        option(
            "How many Tech Decks to mix. 0 means one for 1 or 2 people, two for 3 or 4, three for 5 or 6.",
            low=0,
            high=4,
            compare=True,
        ),
    ] = 0
    target: Annotated[int, option("How many points trigger the end.", low=1, high=100, compare=True)] = 10
    target_per: Annotated[
        TargetPer,
        option("Whether a side or each seat has its own score.", "side", "seat", compare=True),
    ] = TargetPer.SIDE
    castle_hit_empty: Annotated[
        CastleHitEmpty,
        option(
            "What hitting a castle earns if the defender has no card: the point, nothing, or the point and "
            "the top card of the defender's deck.",
            "point",
            "nothing",
            "deck_card",
            compare=True,
        ),
    ] = CastleHitEmpty.POINT
    castle_trigger: Annotated[
        CastleTrigger,
        option(
            "Whose walls must be gone for a castle hit to trigger the end: the seat's, the side's, or off.",
            "seat",
            "whole_side",
            "off",
            compare=True,
        ),
    ] = CastleTrigger.SEAT
    castle_trigger_wins: Annotated[bool, option("Whether storming a castle wins, whatever the score.")] = (
        False
    )
    odd_players: Annotated[
        OddPlayers,
        option(
            "With 3 or 5 people: whether one person runs two seats or there is a third side.",
            "two_seats",
            "third_side",
            compare=True,
        ),
    ] = OddPlayers.TWO_SEATS
    tiebreak: Annotated[
        Tiebreak,
        option(
            "Whether the value, then the domains, of the scored cards break ties.",
            "value_domains",
            "shared",
            compare=True,
        ),
    ] = Tiebreak.VALUE_DOMAINS
    effects: Annotated[
        Effects,
        option(
            "What every third scored card does: house effects, nothing, or what your effects.toml says.",
            "house",
            "off",
            "table",
            compare=True,
        ),
    ] = Effects.HOUSE
    solo_hit_below: Annotated[
        int,
        option("Playing alone: a revealed card below this value hits.", low=2, high=14, compare=True),
    ] = 11
    perfect_slot: Annotated[
        PerfectSlot,
        option("Whether you can rebuild a perfectly hit wall later.", "rebuildable", "lost"),
    ] = PerfectSlot.REBUILDABLE
    wall_setup: Annotated[
        WallSetup,
        option(
            "Whether the first walls are dealt, or chosen from a hand with that many extra cards.",
            "dealt",
            "chosen_from_9",
        ),
    ] = WallSetup.DEALT
    upgrade_must_be_higher: Annotated[
        bool, option("Whether the card that upgrades a wall must have a higher value.")
    ] = False
    hand_limit: Annotated[
        int, option("The hand size above which you don't draw. 0 means no limit.", low=0, high=52)
    ] = 0
    turn_cap: Annotated[
        int, option("The round after which the game ends, whatever the score.", low=1, high=1000)
    ] = 60
    open_team_hands: Annotated[bool, option("Whether teammates see each other's hands.")] = False
    companion: Annotated[
        Companion,
        option(
            "Whether you throw at a real table: with hands and decks on screen, or real ones, "
            "where you report only the cards placed.",
            "off",
            "on_screen",
            "on_table",
        ),
    ] = Companion.OFF

    throws: Annotated[
        Throws,
        option(
            "Whether you report throws from a real table or throw on screen.",
            "reported",
            "thrown",
            compare=True,
            proposed="thrown",
        ),
    ] = Throws.REPORTED
    hand: Annotated[
        Hand,
        option(
            "On-screen throws: whether a person's hand trembles like an expert's or is steady. With honest, "
            "a blind pull counts exactly as made, and only throws set by numbers tremble.",
            "human",
            "steady",
            "honest",
        ),
    ] = Hand.HUMAN
    path: Annotated[
        PathShown,
        option(
            "On-screen throws: whether people see where the card would fly and may aim at a target by name.",
            "shown",
            "hidden",
        ),
    ] = PathShown.SHOWN
    battlefield: Annotated[
        Battlefield,
        option(
            "The distance in inches between the two sides' walls. A shorter distance is easier.",
            *INCHES,
            compare=True,
        ),
    ] = Battlefield.TWELVE
    grace: Annotated[
        int,
        option(
            "On-screen throws: how many milliseconds before its hit a card may touch the table.",
            low=0,
            high=50,
            compare=True,
        ),
    ] = 8

    def fault(self) -> str:
        """Say why cards can't be thrown both on screen and at a real table."""
        if self.throws == Throws.REPORTED or self.companion == Companion.OFF:
            return ""
        return (
            "throws = thrown doesn't work with a companion, which is for a real table."
            " Leave out one of the two."
        )

    def fault_for_programs(self) -> str:
        """Say why programs can't play with real cards: they can't see them (CB-41)."""
        if self.companion != Companion.ON_TABLE:
            return ""
        return (
            "A program can't play with companion = on_table, because it can't see real cards. "
            "Let people take all seats, or choose companion = on_screen."
        )
