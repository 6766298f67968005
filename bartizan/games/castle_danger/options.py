"""Define Castle Danger's options: different readings of what the rulebook leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

import msgspec

from bartizan.engine.options import OptionSet, option

SETUP_FILES = ("a", "b", "c", "e", "f", "g")  # the Portal's file stays free


class SetupFile(IntEnum):
    """A column where a unit may start."""

    A = 0
    B = 1
    C = 2
    E = 3
    F = 4
    G = 5


class Symmetry(IntEnum):
    """How Red's set-up is derived from Blue's."""

    ROTATE = 0
    MIRROR = 1


class AddTiming(IntEnum):
    """When a new piece may be added."""

    STEP3 = 0
    ANYTIME_IF_OPEN_AT_START = 1


class FriendlyFire(IntEnum):
    """What a ball may hit on the shooter's own side."""

    ALL = 0
    WALLS_ONLY = 1
    NONE = 2


class Repetition(IntEnum):
    """Whether the third occurrence of a position is a draw."""

    THIRD = 0
    OFF = 1


class PieceLimits(IntEnum):
    """Whether pieces are limited to those in the box."""

    NONE = 0
    TABLETOP = 1


class Setup(OptionSet, frozen=True, kw_only=True):
    """Where the pieces start. The walls are in front of the King and the Wizard."""

    king_file: Annotated[
        SetupFile, option("The column where Blue's King starts.", *SETUP_FILES, compare=True)
    ] = SetupFile.B
    wizard_file: Annotated[
        SetupFile, option("The column where Blue's Wizard starts.", *SETUP_FILES, compare=True)
    ] = SetupFile.F
    symmetry: Annotated[
        Symmetry,
        option(
            "Whether Red's set-up is Blue's rotated or mirrored.",
            "rotate",
            "mirror",
            compare=True,
        ),
    ] = Symmetry.ROTATE

    def fault(self) -> str:
        """Say that two units can't start on one square."""
        if self.king_file != self.wizard_file:
            return ""
        both = SETUP_FILES[self.king_file]
        return (
            f"The King and the Wizard can't both start in column {both}. "
            f"Choose two different columns from {', '.join(SETUP_FILES)}."
        )


class Options(OptionSet, frozen=True, kw_only=True):
    """The options of Castle Danger. The defaults follow the rulebook as we read it."""

    setup: Setup = msgspec.field(default_factory=Setup)
    add_cost: Annotated[
        int,
        option(
            "What a new piece costs if you have at least as many units as the other player.",
            low=0,
            high=3,
            compare=True,
        ),
    ] = 2
    add_timing: Annotated[
        AddTiming,
        option(
            "Whether you add a new piece before moving, or at any time if the Portal was open at the start.",
            "step3",
            "anytime_if_open_at_start",
        ),
    ] = AddTiming.STEP3
    build_on_fire: Annotated[
        bool, option("Whether you may build a wall on Fire, which puts it out.", compare=True)
    ] = False
    friendly_fire: Annotated[
        FriendlyFire,
        option("What a ball may hit on the shooter's own side.", "all", "walls_only", "none", compare=True),
    ] = FriendlyFire.ALL
    turn_limit: Annotated[
        int,
        option(
            "The number of turns each player takes before the game is a draw. 0 means no limit.",
            low=0,
            high=30000,
            compare=True,
        ),
    ] = 50
    repetition: Annotated[
        Repetition,
        option(
            "How often a position must occur for a draw; 0 means never. The game remembers the last 1,024 "
            "turns, so without a turn limit it forgets the oldest.",
            3,
            0,
            compare=True,
        ),
    ] = Repetition.THIRD
    piece_limits: Annotated[
        PieceLimits,
        option(
            "Whether pieces are unlimited, or 8 Wizards, 3 Builders, 5 Cannons each and 20 walls in total.",
            "none",
            "tabletop",
            compare=True,
        ),
    ] = PieceLimits.NONE
    wall_on_portal: Annotated[bool, option("Whether you may build a wall on your own Portal.")] = True
    builder_diagonal: Annotated[bool, option("Whether Builders also reach diagonally adjacent squares.")] = (
        False
    )
