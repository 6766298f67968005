"""Count the clauses that take effect in games whose actions are known: a generic module, bound to a game.

It is bound to rules that note clauses (`bartizan.engine.counting`), not to the usual rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bartizan.engine.bind import bound_rules
from bartizan.engine.record import Array
from bartizan.engine.rng import u64
from bartizan.engine.rule import entry, rule
from bartizan.search.batch import DEAL, HIGH, LOW, copy_table
from bartizan.search.streams import ply_stream

game: Any = bound_rules(__name__)


@rule
def take_in(noted: Array, times: Array) -> None:
    """Add the noted clauses to `times`, and reset them."""
    for clause in range(len(noted)):
        times[clause] += noted[clause]
        noted[clause] = 0


class Scripts(NamedTuple):
    """Some games: how each is dealt, and its actions."""

    streams: Array  # (games, 4) uint64, as in `bartizan.search.batch`
    lengths: Array  # (games,) int64: the number of each game's actions
    actions: Array  # (games, plies) int64: legal ones


@entry
def count_batch(
    blank: Array, table: Array, table_bytes: Array, words: Array, games: Scripts, noted: Array, times: Array
) -> None:
    """Play games again and count clauses.

    Args:
        blank: the bytes of the undealt State.
        table: (1,) the game's State.
        table_bytes: the same memory as bytes; interpreted, the same list.
        words: (WORDS,) uint64, scratch memory for hashes.
        games: what is played.
        noted: (clauses,) uint8 of zeros.
        times: (games, clauses) int32: at how many actions, the set-up included, each clause takes effect.
    """
    for index in range(len(games.streams)):
        copy_table(table_bytes, blank)
        table[0].rng = u64(games.streams[index, DEAL])
        game.setup(table[0], noted)
        take_in(noted, times[index])
        for ply in range(games.lengths[index]):
            low, high = u64(games.streams[index, LOW]), u64(games.streams[index, HIGH])
            table[0].rng = ply_stream(low, high, ply, words)
            game.apply(table[0], games.actions[index, ply], noted)
            take_in(noted, times[index])
