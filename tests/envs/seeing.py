"""See tables with the eyes of programs, for the tests of observations and environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import Game, GameState
from bartizan.engine.rule import interpreted
from bartizan.envs.arrays import scratch_state


def observed(game: Game, game_state: GameState, seat: int) -> NDArray[np.int8]:
    """Return what a seat, or a spectator (0), observes of a state, by the entry that batches use."""
    assert game.observer is not None
    out = np.zeros((1, game.observer.OBSERVATION.size), np.int8)
    seats, chosen = np.array([seat], np.int8), np.ones(1, np.bool_)
    observing = game.bind("bartizan.envs.observing")
    observing.observe_range(game_state.cells, scratch_state(game), seats, chosen, out, 0, 1)
    return np.array(out[0])


def plainly_observed(game: Game, view: Any, seat: int) -> NDArray[np.int8]:
    """Return the same by the rules as plain Python, on a record."""
    out = np.zeros(game.observer.OBSERVATION.size, np.int8)
    observer: Any = game.observer
    interpreted(observer).observe(game.observe(view, seat), seat, out)
    return out
