"""Describe the outcome of a finished game: the winners, and its value to each seat."""

from __future__ import annotations

from typing import Literal

import msgspec

Reason = Literal["agreement", "resignation", "time"]  # how players, or their clocks, ended a game


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a game, by the rules or by agreement of its players."""

    winners: tuple[int, ...]  # seats from 1, ascending; several for a shared victory, none if no one has won
    returns: tuple[float, ...]  # the value to each seat, from -1 to 1
    points: tuple[int, ...] = ()  # of each seat, if the game counts points
    clause: str = ""  # the clause that ended it; empty if its players did
