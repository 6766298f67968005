"""Weigh the moves of one position by search, as the seat to move can know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.search.node import ANY_ACTION
from bartizan.search.players import skill_of
from bartizan.search.tree import Budget, TreeSearch
from bartizan.search.workspace import tuning_of

CLOSER = 3  # moves that are weighed against each other after a first look at all
WELL = 32  # of so many legal actions the best by the game's advice is taken where chances are told
HINT_ITERATIONS = 4_000 if COMPILED else 40  # of a first look; about a third of a second with what follows


@dataclass(frozen=True)
class MoveEstimate:
    """What is thought of one legal action."""

    action: int
    visits: int  # games that were tried with it
    chances: tuple[float, ...] = ()  # of each seat to win with it; empty where it was not weighed


def chance(value: float) -> float:
    """Return a value from -1 to 1 as a chance to win, from 0 to 1; a draw counts half."""
    return min(max((1 + value) / 2, 0.0), 1.0)


class MoveEvaluator:
    """Think about one position for the seat to move.

    A first look finds the moves that may be best.  These are then weighed: each is tried as often as
    the others and by the same luck, because a tree search visits, and so knows, good moves more than others.
    Weighing plays on well: quick playouts find good moves, but they lose games that people win.
    The same position and iterations give the same answers, whatever lies hidden from the seat.
    """

    def __init__(
        self, game: Game, game_state: GameState, legal: Sequence[int], iterations: int, seed: int
    ) -> None:
        """Take a position; who knows the seed could try guesses at what is hidden by it."""
        self._seed = seed
        self._game_state = game_state
        self._legal = legal
        self._iterations = iterations
        self._seat = int(game.array_rules.turn_of(game_state.cells))
        self._game = game
        self._skill = skill_of(game, "greedy")
        self._search = TreeSearch(game, game_state.seats, self._seed, skill=self._skill)
        self._weighed: dict[int, tuple[float, ...]] = {}

    @cached_property
    def _scales(self) -> TreeSearch:
        tuning = replace(tuning_of(self._game), sample=WELL)
        return TreeSearch(self._game, self._game_state.seats, self._seed, skill=self._skill, tuning=tuning)

    def estimates(self) -> list[MoveEstimate]:
        """Return all legal actions, the best first; only the first few are weighed."""
        budget = Budget(iterations=self._iterations)
        lines = self._search.think(self._game_state, self._seat, self._legal, budget, to_choose=False)
        closer = [MoveEstimate(line.action, line.visits, self.weigh(line.action)) for line in lines[:CLOSER]]
        closer.sort(key=lambda estimate: -estimate.chances[self._seat - 1])  # equals stay as they are
        return closer + [MoveEstimate(line.action, line.visits) for line in lines[CLOSER:]]

    def best(self) -> int:
        """Return the best action that was found; a forced one needs no search."""
        return self._legal[0] if len(self._legal) == 1 else self.estimates()[0].action

    def weigh(self, action: int) -> tuple[float, ...]:
        """Return each seat's chance of winning after an action."""
        if action not in self._weighed:
            self._weighed[action] = self._estimate(self._game_state, action)
        return self._weighed[action]

    def weigh_outcome(self, after: GameState) -> tuple[float, ...]:
        """Return each seat's chance of winning after the position's action, as far as this seat can tell."""
        return self._estimate(after, ANY_ACTION)

    def is_thrown(self, action: int) -> bool:
        """Say whether an action reports a throw, whose result depends on chance."""
        return self._search.is_thrown(self._game_state, action)

    def _estimate(self, game_state: GameState, action: int) -> tuple[float, ...]:
        values = self._scales.estimate(game_state, self._seat, action, max(1, self._iterations // 2))
        return tuple(map(chance, values))
