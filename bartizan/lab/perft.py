"""Count the lines of play from a table, move by move (see `bartizan.search.perft`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bartizan.engine.errors import Uncountable
from bartizan.engine.game import GameState
from bartizan.engine.mode import COMPILED
from bartizan.match import Match
from bartizan.search.players import action_array

DEEPEST = 100


def divide(match: Match, depth: int, progress: Callable[[int, int], None] | None = None) -> dict[str, int]:
    """Count the lines of `depth` plies (1 to `DEEPEST`) that start with each legal move, in order.

    `progress` gets the number of first moves done and the total.
    Raises `Uncountable` for games with chance.
    """
    game = match.game
    if game.chance:
        raise Uncountable(
            f"{game.title} leaves something to chance, so its lines of play cannot be counted; "
            "`bartizan simulate` plays many games instead."
        )
    legal = match.legal()
    lines: dict[str, int] = {}
    for number, action in enumerate(legal, start=1):
        game_state = match.game_state()
        game.array_rules.apply(game_state.cells, action)
        lines[match.text(action)] = _count(game_state, depth - 1) if depth > 1 else 1
        if progress is not None:
            progress(number, len(legal))
    return lines


def _count(game_state: GameState, depth: int) -> int:
    """Return how many lines of `depth` plies begin at a state."""
    perft: Any = game_state.game.bind("bartizan.search.perft").perft
    length = game_state.game.max_legal
    legal = np.zeros((depth, length), np.int32) if COMPILED else [[0] * length for _ in range(depth)]
    states = game_state.stack(*[game_state] * depth)
    return int(perft(states, legal, action_array([0] * depth), action_array([0] * depth), depth))
