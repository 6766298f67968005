"""Make the tables that a batch deals from, one for each different mapping of options."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import GameState
from bartizan.engine.rng import stream
from bartizan.envs.arrays import Tables, new_tables
from bartizan.envs.settings import Settings
from bartizan.envs.variants import option_numbers


def undealt(settings: Settings) -> tuple[Tables, NDArray[np.int8]]:
    """Return the arrays of undealt tables, and the options of each kind as numbers (k, numbers)."""
    game = settings.game
    places = dict[str, int]()
    blanks: list[GameState] = []
    variant = []
    for options in settings.variants or (settings.options,):
        place = places.setdefault(repr(options), len(blanks))
        if place == len(blanks):
            blanks.append(game.blank(game.option_set.read(options), settings.seats, 0))
        variant.append(place)
    tables = new_tables(
        blanks,
        settings.n,
        stream(settings.seed, "batch"),
        skill=settings.skill_level,
        max_plies=settings.max_plies,
        mask=settings.mask,
    )
    tables.variant[:] = variant  # of each table, or the same for all
    if not settings.observe_options:
        return tables, np.zeros((len(blanks), 0), np.int8)
    return tables, np.stack([option_numbers(game, each) for each in blanks])
