"""Say what a finished game came to: who has won, and what it is worth to each seat."""

from __future__ import annotations

import msgspec


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Hold what a game came to, by the rules or by what its players agreed upon."""

    winners: tuple[int, ...]  # seats from 1, ascending; several share the victory, none: nobody has won
    returns: tuple[float, ...]  # what it is worth to each seat, from -1 to 1
    points: tuple[int, ...] = ()  # of each seat, where the game counts points
    clause: str = ""  # the clause that ended it; empty where its players did
