"""List the variants of Castle Danger: the readings of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import msgspec

from bartizan.engine.options import OptionSet, option

SETUP_FILES = ("a", "b", "c", "e", "f", "g")  # the Portal's file stays free


class SetupFile(IntEnum):
    """A column on which a unit may begin."""

    A = 0
    B = 1
    C = 2
    E = 3
    F = 4
    G = 5


class Symmetry(IntEnum):
    """How Red's set-up follows from Blue's."""

    ROTATE = 0
    MIRROR = 1


class AddTiming(IntEnum):
    """When a new piece may be brought."""

    STEP3 = 0
    ANYTIME_IF_OPEN_AT_START = 1


class FriendlyFire(IntEnum):
    """What a ball may hit on the shooter's own side."""

    ALL = 0
    WALLS_ONLY = 1
    NONE = 2


class Repetition(IntEnum):
    """Whether the third occurrence of a position draws."""

    THIRD = 0
    OFF = 1


class PieceLimits(IntEnum):
    """Whether the pieces in the box are all there are."""

    NONE = 0
    TABLETOP = 1


class Setup(OptionSet, frozen=True, kw_only=True):
    """Where the pieces begin; the walls stand in front of the King and the Wizard."""

    king_file: Annotated[
        SetupFile, option("The column on which Blue's King begins.", *SETUP_FILES, compare=True)
    ] = SetupFile.B
    wizard_file: Annotated[
        SetupFile, option("The column on which Blue's Wizard begins.", *SETUP_FILES, compare=True)
    ] = SetupFile.F
    symmetry: Annotated[
        Symmetry,
        option(
            "Whether Red sees the same picture as Blue or stands in the same columns.",
            "rotate",
            "mirror",
            compare=True,
        ),
    ] = Symmetry.ROTATE

    def fault(self) -> str:
        """Say that two units cannot begin on one square."""
        if self.king_file != self.wizard_file:
            return ""
        both = SETUP_FILES[self.king_file]
        return (
            f"setup: the King and the Wizard cannot both begin on column {both}; "
            f"choose two different ones of {', '.join(SETUP_FILES)}."
        )


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Castle Danger; the defaults are the rulebook as we read it."""

    setup: Setup = msgspec.field(default_factory=Setup)
    add_cost: Annotated[
        int,
        option(
            "What a new piece costs a player who has at least as many units as the other.",
            low=0,
            high=3,
            compare=True,
        ),
    ] = 2
    add_timing: Annotated[
        AddTiming,
        option(
            "Whether a new piece comes before all moves, or any time if the Portal was open at the start.",
            "step3",
            "anytime_if_open_at_start",
        ),
    ] = AddTiming.STEP3
    build_on_fire: Annotated[
        bool, option("Whether a wall may be built on Fire, which it puts out.", compare=True)
    ] = False
    friendly_fire: Annotated[
        FriendlyFire,
        option("What a ball may hit on the shooter's own side.", "all", "walls_only", "none", compare=True),
    ] = FriendlyFire.ALL
    turn_limit: Annotated[
        int,
        option(
            "The turns of each player after which the game is drawn; 0 for no limit.",
            low=0,
            high=30000,
            compare=True,
        ),
    ] = 50
    repetition: Annotated[
        Repetition,
        option(
            "The occurrence of a position that draws, 0 for none. The last 1,024 turns begun are remembered: "
            "in a game without a turn limit the oldest are forgotten.",
            3,
            0,
            compare=True,
        ),
    ] = Repetition.THIRD
    piece_limits: Annotated[
        PieceLimits,
        option(
            "Whether pieces are unlimited, or 8 Wizards, 3 Builders and 5 Cannons each and 20 walls in all.",
            "none",
            "tabletop",
            compare=True,
        ),
    ] = PieceLimits.NONE
    wall_on_portal: Annotated[bool, option("Whether a wall may be built on one's own Portal.")] = True
    builder_diagonal: Annotated[bool, option("Whether Builders reach diagonally adjacent squares too.")] = (
        False
    )
