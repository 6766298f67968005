"""Let player programs take seats at a terminal table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bartizan.engine.rng import stream

if TYPE_CHECKING:
    from bartizan.match import CheckedMove, Match
    from bartizan.search.players import Player


def chooser(match: Match) -> Callable[[Match, str], CheckedMove]:
    """Return what asks the program of a name for its move at the present ply.

    Every seat has a program of its own, which goes on from what it thought before.
    Its dice follow from the match's seed: the same seed and the same moves of
    people give the same game, unless a program goes by the clock.
    """
    sitting: dict[tuple[int, str], Player] = {}

    def choose(here: Match, name: str) -> CheckedMove:
        from bartizan.search.players import Player

        key = (here.seat_to_move, name)
        if key not in sitting:
            sitting[key] = Player.named(here.game, name, stream(match.seed, "player", here.seat_to_move))
        return here.throws.choose(sitting[key])

    return choose
