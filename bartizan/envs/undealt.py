"""Make the tables that a batch deals from, one for each different mapping of options."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import GameState
from bartizan.engine.rng import stream
from bartizan.envs.arrays import Tables, new_tables
from bartizan.envs.settings import Settings
from bartizan.envs.variants import option_numbers


def tables_of(settings: Settings) -> Tables:
    """Return the arrays of undealt tables with these settings."""
    different, variant = different_options(settings)
    tables = new_tables(
        blanks_of(settings, different),
        settings.n,
        stream(settings.seed, "batch"),
        skill=settings.skill_level,
        max_plies=settings.max_plies,
        mask=settings.mask,
    )
    tables.variant[:] = variant
    return tables


def option_rows(settings: Settings) -> NDArray[np.int8]:
    """Return the numbers that end an observation, for each different mapping of options: (k, numbers)."""
    game = settings.game
    different, _ = different_options(settings)
    if not settings.observe_options:
        return np.zeros((len(different), 0), np.int8)
    return np.stack(
        [
            option_numbers(game, game.blank(game.option_set.read(each), settings.seats, 0))
            for each in different
        ]
    )


def blanks_of(settings: Settings, different: list[dict[str, object]]) -> list[GameState]:
    """Return an undealt table for each mapping of options."""
    game = settings.game
    return [game.blank(game.option_set.read(each), settings.seats, 0) for each in different]


def different_options(settings: Settings) -> tuple[list[dict[str, object]], list[int]]:
    """Return the different mappings of options, and which of them each table has."""
    places = dict[str, int]()
    different: list[dict[str, object]] = []
    variant = []
    for options in settings.variants or (settings.options,):
        place = places.setdefault(repr(options), len(different))
        if place == len(different):
            different.append(options)
        variant.append(place)
    return different, variant if settings.variants else variant * settings.n
