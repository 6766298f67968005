"""Call every entry of a batch once, on throwaway tables: a generic module, bound to each game."""

from __future__ import annotations

from typing import Any

import numpy as np

from bartizan.engine.bind import bound_module
from bartizan.engine.game import Game
from bartizan.envs.arrays import new_tables, room_for_legal, scratch_state

stepping: Any = bound_module(__name__, "bartizan.envs.stepping")
observing: Any = bound_module(__name__, "bartizan.envs.observing")
rolling: Any = bound_module(__name__, "bartizan.envs.rolling")


def compile_entries(game: Game) -> None:
    """Compile everything that `bartizan.batch` calls, all in one process: the rules are the larger part."""
    blank = game.blank(game.option_set(), game.min_seats, 0)
    tables = new_tables([blank], 1, 1, skill=0, max_plies=1, mask=True)
    work, chosen, scratch = room_for_legal(game), np.ones(1, np.bool_), scratch_state(game)
    stepping.reset_range(tables, chosen, True, work, 0, 1)
    observations = np.zeros((1, game.observer.OBSERVATION.size), np.int8)
    observing.observe_range(tables.states, scratch, tables.viewer, chosen, observations, 0, 1)
    stepping.pick_all(tables.legal, tables.legal_count, tables.picks, tables.actions)
    stepping.first_illegal(tables)
    stepping.step_range(tables, work, 0, 1)
    if game.max_seats > 1:
        learners = np.full(game.min_seats, rolling.LEARNER, np.int64)
        rolling.play_against(tables, chosen, True, learners, work, 0, 1)
    offsets, actions, rows = np.zeros(2, np.int64), np.zeros(1, np.int32), np.zeros(1, np.int64)
    none = np.zeros(1, tables.legal_count.dtype)
    stepping.gather(tables.legal, none, offsets, actions, rows)
    tokens = np.zeros((1, game.observer.TOKENS.width), np.int16)
    observing.tokens_all(tables.states, scratch, tables.viewer, offsets, actions, tokens)
