"""Replay a table's moves on a separate match, for reviews and for thinking off the loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bartizan.tables.provider import GameProvider, Program
from bartizan.tables.store import TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove, Match


class ReplayedMatch:
    """A second match of a table's deal, which can move to any of the table's positions.

    It keeps the programs that played on it, so that they reuse their search trees.  Not thread-safe.
    """

    def __init__(self, games: GameProvider, row: TableRow, seed: str) -> None:
        self._games = games
        self._match = games.match(row.game, row.options, row.seats, seed)
        self._line: list[CheckedMove] = []
        self._programs: dict[tuple[int, str], Program] = {}  # by seat and name

    def at(self, moves: Sequence[CheckedMove]) -> Match:
        """Return the game after these moves, which were checked on the table's own match."""
        match = self._match
        shared = common_length(self._line, moves)
        if shared < len(moves):
            match.go_to(shared)
            del self._line[shared:]
            for move in moves[shared:]:
                match.push(move)
                self._line.append(move)
        match.go_to(len(moves))
        return match

    def choose(self, moves: Sequence[CheckedMove], program: str) -> CheckedMove:
        """Return the move of the program with this name after these moves; this may take long."""
        match = self.at(moves)
        key = match.seat_to_move, program
        if key not in self._programs:
            self._programs[key] = self._games.player(match.game.name, program)
        return self._programs[key].choose(match)


def common_length(one: Sequence[CheckedMove], other: Sequence[CheckedMove]) -> int:
    """Count the moves that two lines have in common at the beginning."""
    pairs = zip(one, other, strict=False)
    return next((ply for ply, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
