"""Count how often each clause of a rulebook takes effect, by rules that note it (`bartizan.engine.counting`).

The games are replayed with these rules from their actions.  Only the set-up and played actions count, not
refused attempts or the listing of legal actions.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.bind import bind, register
from bartizan.engine.counting import CountingBuild
from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.lab.batch import GameBatch
from bartizan.search.batches import bytes_of, streams_of
from bartizan.search.clause_counts import Scripts
from bartizan.search.streams import WORDS
from bartizan.search.workspace import integer_array

CLAUSE_GAMES = 10_000  # of a cell that are counted
MOST_ACTIONS = 2_000_000  # in memory at once

Counts = NDArray[np.int32]
_building = Lock()


class ClauseCounter:
    """Count the clauses that take effect in games; for any number of threads."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def _build(self) -> CountingBuild:
        game = self.game
        return CountingBuild(game.package, game.clauses, game.actions, game.rule_modules, game.short)

    @property
    def told_apart(self) -> list[str]:
        """The clauses that some rule names, in order; of the others no one can say when they take effect."""
        return self._build.clauses

    @property
    def certain(self) -> frozenset[str]:
        """Those of which a count of 0 says that they never took effect; the others also permit or refuse."""
        return self._build.certain

    @cached_property
    def _count_batch(self) -> Any:
        """The entry that plays games and counts; compiled at its first call."""
        name, none = f"{self.game.name}+clauses", types.ModuleType("none")
        with _building:
            register(name, self._build.rules, none, none)
            return bind(name, "bartizan.search.clause_counts").count_batch

    def count(self, batch: GameBatch, seeds: Sequence[str], number: int, plies: Sequence[int]) -> Counts:
        """Count the actions of each game, including the set-up, at which each clause takes effect.

        Args:
            batch: who plays; `seeds` and `number` are as in `GameBatch.play`.
            seeds: of the games.
            number: tells games of one deal apart.
            plies: how many actions each of the games has.

        Returns:
            (games, clauses): a row a game, a column for each of `told_apart`.
        """
        counts = [self._count(batch, seeds[part], number, plies[part]) for part in _parts(plies)]
        return np.concatenate(counts)

    def _count(self, batch: GameBatch, seeds: Sequence[str], number: int, plies: Sequence[int]) -> Counts:
        lengths = np.array(plies, np.int64)
        scripts = batch.scripts(seeds, number, lengths)
        game_state = self.game.blank(self.game.option_set.read(batch.options), batch.seats, 0)
        return self.count_scripts(game_state, seeds, lengths, scripts)

    def count_scripts(
        self,
        game_state: GameState,
        seeds: Sequence[str],
        lengths: NDArray[np.int64],
        scripts: NDArray[np.int64],
    ) -> Counts:
        """Count in the same way in games with these actions (games, plies), from an undealt table."""
        streams = np.array([streams_of(seed, 0) for seed in seeds], np.uint64).reshape(len(seeds), 4)
        times = np.zeros((len(seeds), self._build.size), np.int32)
        table, words = game_state.stack(game_state), integer_array(WORDS, np.uint64)
        actions: Any = scripts if COMPILED else _Rows(scripts.tolist())
        noted = np.zeros(self._build.size, np.uint8)
        games = Scripts(streams, lengths, actions)
        self._count_batch(bytes_of(game_state.cells), table, bytes_of(table), words, games, noted, times)
        return times[:, [self._build.number_of(clause) for clause in self.told_apart]]


class _Rows(list):  # type: ignore[type-arg]
    """Rows of plain ints, which interpreted rules need, that are read as an array's are."""

    def __getitem__(self, at: Any) -> Any:
        row, column = at
        return list.__getitem__(self, row)[column]


def _parts(plies: Sequence[int]) -> list[slice]:
    """Return the games in parts that leave room in memory for the actions of each."""
    slices: list[slice] = []
    first, longest = 0, 0
    for at, length in enumerate(plies):
        longest = max(longest, length)
        if at > first and longest * (at - first + 1) > MOST_ACTIONS:
            slices.append(slice(first, at))
            first, longest = at, length
    return [*slices, slice(first, len(plies))]
