"""List the variants of Card Barrage: the readings of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from bartizan.engine.options import OptionSet, option


class TargetPer(IntEnum):
    """Who counts points together."""

    SIDE = 0
    SEAT = 1


class CastleHitEmpty(IntEnum):
    """What a hit castle brings when its player has no card to give."""

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
    """What decides between sides with equal points."""

    VALUE_DOMAINS = 0
    SHARED = 1


class Effects(IntEnum):
    """What every third scored card does."""

    HOUSE = 0
    OFF = 1
    TABLE = 2


class PerfectSlot(IntEnum):
    """Whether a perfectly hit wall may ever be built again."""

    REBUILDABLE = 0
    LOST = 1


class WallSetup(IntEnum):
    """Where the first walls come from."""

    DEALT = 0
    CHOSEN_FROM_9 = 1


class Companion(IntEnum):
    """Whether cards are thrown at a real table, and where hands and decks are then."""

    OFF = 0
    ON_SCREEN = 1
    ON_TABLE = 2


class Throws(IntEnum):
    """Where cards are thrown: somewhere else, from where it is reported, or at this table."""

    REPORTED = 0
    THROWN = 1


class Hand(IntEnum):
    """How the hand trembles with which a person throws at this table."""

    HUMAN = 0
    STEADY = 1
    HONEST = 2


class Battlefield(IntEnum):
    """How many inches lie between the rows of walls of two sides, where cards are thrown here."""

    TWELVE = 0
    NINE = 1
    TEN = 2
    FOURTEEN = 3


class PathShown(IntEnum):
    """Whether people see where the card would fly that they aim."""

    SHOWN = 0
    HIDDEN = 1


# By `Battlefield`; the skill of programs is measured for each.
INCHES = (12, 9, 10, 14)


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Card Barrage; the defaults are the rulebook as we read it."""

    decks: Annotated[
        int,
        option(
            "How many Tech Decks are mixed; 0: one for 1 or 2 people, two for 3 or 4, three for 5 or 6.",
            low=0,
            high=4,
            compare=True,
        ),
    ] = 0
    target: Annotated[int, option("The points that trigger the end.", low=1, high=100, compare=True)] = 10
    target_per: Annotated[
        TargetPer,
        option("Whether a side or every seat counts points and keeps a pile.", "side", "seat", compare=True),
    ] = TargetPer.SIDE
    castle_hit_empty: Annotated[
        CastleHitEmpty,
        option(
            "What a castle hit brings when the defender has no card: the point, nothing, or the point and "
            "the defender's top deck card.",
            "point",
            "nothing",
            "deck_card",
            compare=True,
        ),
    ] = CastleHitEmpty.POINT
    castle_trigger: Annotated[
        CastleTrigger,
        option(
            "Whose walls must be gone for a castle hit to trigger the end: that seat's, its side's; or off.",
            "seat",
            "whole_side",
            "off",
            compare=True,
        ),
    ] = CastleTrigger.SEAT
    castle_trigger_wins: Annotated[
        bool, option("Whether a side that stormed a castle wins whatever the points are.")
    ] = False
    odd_players: Annotated[
        OddPlayers,
        option(
            "Whether, with 3 or 5 people, one runs two seats or a third side is formed.",
            "two_seats",
            "third_side",
            compare=True,
        ),
    ] = OddPlayers.TWO_SEATS
    tiebreak: Annotated[
        Tiebreak,
        option(
            "Whether equal points are decided by the value, then the domains, of the scored cards.",
            "value_domains",
            "shared",
            compare=True,
        ),
    ] = Tiebreak.VALUE_DOMAINS
    effects: Annotated[
        Effects,
        option(
            "What every third scored card does: house effects, nothing, or what your own effects.toml says.",
            "house",
            "off",
            "table",
            compare=True,
        ),
    ] = Effects.HOUSE
    solo_hit_below: Annotated[
        int,
        option("Solo: a revealed card below this value hits.", low=2, high=14, compare=True),
    ] = 11
    perfect_slot: Annotated[
        PerfectSlot,
        option("Whether a perfectly hit wall can be built again later.", "rebuildable", "lost"),
    ] = PerfectSlot.REBUILDABLE
    wall_setup: Annotated[
        WallSetup,
        option(
            "Whether the first walls are dealt, or chosen from a hand that holds as many cards more.",
            "dealt",
            "chosen_from_9",
        ),
    ] = WallSetup.DEALT
    upgrade_must_be_higher: Annotated[
        bool, option("Whether the card that upgrades a wall must be of a higher value.")
    ] = False
    hand_limit: Annotated[
        int, option("The hand above which no card is drawn; 0 for no limit.", low=0, high=52)
    ] = 0
    turn_cap: Annotated[
        int, option("The round after which the game ends whatever the points are.", low=1, high=1000)
    ] = 60
    open_team_hands: Annotated[bool, option("Whether team mates see each other's hands.")] = False
    companion: Annotated[
        Companion,
        option(
            "Whether the cards are thrown at a real table, with hands and decks on the screen, or real ones, "
            "of which only what is laid is told.",
            "off",
            "on_screen",
            "on_table",
        ),
    ] = Companion.OFF

    throws: Annotated[
        Throws,
        option(
            "Whether a throw is reported, as from a real table, or made at this one, where cards fly.",
            "reported",
            "thrown",
            compare=True,
            proposed="thrown",
        ),
    ] = Throws.REPORTED
    hand: Annotated[
        Hand,
        option(
            "Thrown here: whether a person's hand trembles like an expert's, or does what it means to; with "
            "honest a pull made blindly counts as it was, and what is set by figures trembles.",
            "human",
            "steady",
            "honest",
        ),
    ] = Hand.HUMAN
    path: Annotated[
        PathShown,
        option(
            "Thrown here: whether people see where the card would fly, and may aim at a target by its name.",
            "shown",
            "hidden",
        ),
    ] = PathShown.SHOWN
    battlefield: Annotated[
        Battlefield,
        option(
            "How many inches lie between the walls of two sides; nearer is easier, for weaker hands.",
            *INCHES,
            compare=True,
        ),
    ] = Battlefield.TWELVE
    grace: Annotated[
        int,
        option(
            "Thrown here: by how many milliseconds a card may touch the table before the card that it hits.",
            low=0,
            high=50,
            compare=True,
        ),
    ] = 8

    def fault(self) -> str:
        """Say why cards cannot be thrown here and at a real table both."""
        if self.throws == Throws.REPORTED or self.companion == Companion.OFF:
            return ""
        return (
            "throws = thrown does not go with a companion: cards are thrown here, or at a real table."
            " Leave one of the two out."
        )

    def fault_for_programs(self) -> str:
        """Say why no program plays with real cards: it cannot see them, and would make its own up (CB-41)."""
        if self.companion != Companion.ON_TABLE:
            return ""
        return (
            "No program can take a seat with companion = on_table: walls and throws are real there, and it "
            "would invent its own. Let people take all seats, or choose companion = on_screen."
        )
