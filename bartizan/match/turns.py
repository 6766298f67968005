"""Look at every line of play of one turn: what is the most that its seat can reach in it, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.game import Game, GameState
from bartizan.match.tutor import matches

WIN, POINTS = (
    "win",
    "points",
)  # measures of any game; any other is a path in its state, "-" before it: the less


class TooManyLines(Exception):
    """A turn in which more can be done than was to be looked at."""


class BestLine(NamedTuple):
    """The best result reachable in the rest of a turn, and the shortest way there."""

    value: float
    actions: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[float, int]:
        """What lines are compared by: the value, then the fewest decisions."""
        return self.value, -len(self.actions)


class TurnSearch:
    """All lines of play of the turn that a seat has, from one state.

    A turn ends where another is asked, the round changes or the game is over. Chance plays on in the state's
    own random stream, so what is measured must not hang on it.
    """

    def __init__(
        self, game: Game, measure: str, leaves_out: Sequence[str] = (), most: int = 20_000, depth: int = 100
    ) -> None:
        """Say what to look for and how far.

        Args:
            game: the game.
            measure: what to maximise: `WIN`, `POINTS` or a path in the state.
            leaves_out: patterns of moves to skip.
            most: the maximum number of states to visit in one turn.
            depth: the maximum number of decisions in a line.
        """
        self.game = game
        self._array_rules = game.array_rules
        self._sign = -1.0 if measure.startswith("-") else 1.0
        self._path = measure.removeprefix("-")
        self._leaves_out = tuple(leaves_out)
        self._most, self._depth = most, depth
        self._seat = self._round = 0
        self._known: dict[tuple[bytes, int], BestLine] = {}

    def lines(self, game_state: GameState) -> dict[int, BestLine]:
        """Return the best line that begins with each action; raises `TooManyLines`."""
        self._seat, self._round = self._mover(game_state), self._rounds(game_state)
        self._known.clear()
        return {
            action: self._after(game_state, action, self._depth - 1) for action in self._actions(game_state)
        }

    def value(self, game_state: GameState) -> float:
        """Return what a state is worth to the seat by the measure."""
        if self._path in (WIN, POINTS):
            table = np.zeros((game_state.seats, 3))
            self._array_rules.outcome(game_state.cells, table)
            return float(table[self._seat - 1, 0 if self._path == WIN else 2])
        value: Any = game_state.view()
        for name in self._path.split("."):
            value = getattr(value, name)
        return self._sign * float(value)

    def is_over(self, game_state: GameState) -> bool:
        """Say whether the turn is."""
        return self._mover(game_state) != self._seat or self._rounds(game_state) != self._round

    def _mover(self, game_state: GameState) -> int:
        return int(self._array_rules.turn_of(game_state.cells))

    def _rounds(self, game_state: GameState) -> int:
        return int(self._array_rules.rounds(game_state.cells))

    def _actions(self, game_state: GameState) -> list[int]:
        legal = game_state.legal()
        if not self._leaves_out:
            return legal
        view, write = game_state.view(), self.game.vocabulary.print_move
        return [action for action in legal if not matches(self._leaves_out, write(view, action))]

    def _after(self, game_state: GameState, action: int, left: int) -> BestLine:
        """Return the best line that an action begins, itself its first, with `left` decisions after it."""
        after = game_state.copy()
        self._array_rules.apply(after.cells, action)
        rest = self._best(after, left)
        return BestLine(rest.value, (action, *rest.actions))

    def _best(self, game_state: GameState, left: int) -> BestLine:
        if left == 0 or self.is_over(game_state):
            return BestLine(self.value(game_state))
        key = game_state.to_bytes(), left
        if key not in self._known:
            if len(self._known) >= self._most:
                raise TooManyLines
            self._known[key] = BestLine(float("-inf"))  # what comes back to itself gains nothing
            lines = [self._after(game_state, action, left - 1) for action in self._actions(game_state)]
            self._known[key] = max(lines, key=lambda line: line.rank, default=BestLine(float("-inf")))
        return self._known[key]
