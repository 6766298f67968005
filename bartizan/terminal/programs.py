"""Let player programs take seats at a terminal table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bartizan.engine.rng import stream

if TYPE_CHECKING:
    from bartizan.match import CheckedMove, Match
    from bartizan.search.players import Player


def chooser(match: Match) -> Callable[[Match, str], CheckedMove]:
    """Return a function that asks the named program for its move at the current ply.

    Every seat has its own program, which reuses its earlier search tree.
    Its dice are derived from the match's seed: with the same seed and the same
    moves by people the game is the same, unless a program is limited by time.
    """
    sitting: dict[tuple[int, str], Player] = {}

    def choose(here: Match, name: str) -> CheckedMove:
        from bartizan.search.players import Player

        key = (here.seat_to_move, name)
        if key not in sitting:
            sitting[key] = Player.named(here.game, name, stream(match.seed, "player", here.seat_to_move))
        return here.throws.choose(sitting[key])

    return choose
