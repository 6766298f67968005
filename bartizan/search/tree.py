"""Search a position: grow trees within a budget, and read their results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from bartizan.engine.game import Game, GameState
from bartizan.engine.levels import Tuning
from bartizan.engine.mode import COMPILED
from bartizan.engine.rng import stream
from bartizan.search.node import ANY_ACTION, FIRST, NONE, ROOT, SCALE, SUMS, USED
from bartizan.search.workspace import (
    Workspace,
    integer_array,
    new_workspace,
    rekey_dice,
    tuning_of,
)

CHUNK = 256  # iterations between two checks whether the choice is settled, if no clock is used
SLICE = 0.01  # seconds between two looks at the clock


@dataclass(frozen=True)
class Budget:
    """How much to think about a decision; the first limit reached ends the search."""

    iterations: int = 0  # 0: no limit
    milliseconds: int = 0


@dataclass(frozen=True)
class SearchLine:
    """The result of a search for one legal action."""

    action: int
    visits: int
    value: float  # for the seat to move, from -1 to 1: the mean over the visits


class Tree:
    """One search tree with its own random numbers. Not thread-safe."""

    def __init__(self, game: Game, seats: int, seed: int, tuning: Tuning, skill: int = 0) -> None:
        self._bound: Any = game.bind("bartizan.search.mcts")
        self._game = game
        self._workspace = new_workspace(game, seats, tuning, skill=skill)
        self._children = integer_array(game.max_legal)
        self._opponents_as_chance = tuning.opponents_as_chance
        self._seed = seed & 0xFFFF_FFFF_FFFF_FFFF
        rekey_dice(self._workspace, self._seed)
        self._seat = 0
        self.forget()

    @property
    def workspace(self) -> Workspace:
        """The arrays that hold the tree."""
        return self._workspace

    def forget(self) -> None:
        """Start a new tree."""
        self._workspace.tally[USED] = ROOT + 1
        root = self._workspace.nodes[ROOT]
        for name in ("first", "visits"):
            if COMPILED:
                root[name] = NONE
            else:
                setattr(root, name, NONE)

    def look_at(self, game_state: GameState, seat: int) -> None:
        """Set the position of the root, as seen by `seat`."""
        if self._opponents_as_chance and seat != self._seat:
            self.forget()  # nodes are for another seat's actions
        self._workspace = self._workspace._replace(states=game_state.stack(game_state, game_state))
        self._seat = seat
        if self._game.chance:
            self._bound.prepare(self._workspace.states, seat)

    def follow(self, game_state: GameState, action: int, seat: int) -> None:
        """Move the root to the position after a seat's action, keeping its subtree.

        A node with its maximum number of children is dropped: new information rules out most of them.
        """
        if self._opponents_as_chance and seat != self._seat:
            return
        child = int(self._bound.child_of(self._workspace.nodes, game_state.cells, action, seat))
        if child == NONE or self._bound.is_full(self._workspace, child):
            self.forget()
        else:
            self._bound.grow_from(self._workspace, child, integer_array(len(self._workspace.nodes)))

    @property
    def visits(self) -> int:
        """The number of iterations through the root."""
        root = self._workspace.nodes[ROOT]
        return int(root["visits"] if COMPILED else root.visits)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(self._workspace.tally[USED])

    def run(self, iterations: int) -> None:
        """Run iterations on the position."""
        self._bound.search(self._workspace, self._seat, self._game.chance, iterations)

    def estimate(self, game_state: GameState, seat: int, action: int, iterations: int) -> list[float]:
        """Return the value of the game to each seat, from -1 to 1, after an action.

        Uses only what `seat` knows; `ANY_ACTION` leaves the choice to the search.  Tree and dice are
        reset, so that actions are compared with the same luck.
        """
        tally = self._workspace.tally
        self.forget()
        rekey_dice(self._workspace, self._seed)
        self.look_at(game_state, seat)
        sums = range(SUMS, len(tally))
        for place in sums:
            tally[place] = 0
        tally[FIRST] = action
        self.run(iterations)
        tally[FIRST] = ANY_ACTION
        self.forget()
        return [int(tally[place]) / SCALE / iterations for place in sums]

    def is_thrown(self, game_state: GameState, action: int) -> bool:
        """Say whether an action reports a throw, whose result depends on chance."""
        plain = action % self._game.actions.size  # without what is not listed of a variant
        return bool(self._bound.is_thrown(self._workspace, game_state.cells, plain))

    def statistics(self, legal: Sequence[int]) -> list[tuple[int, int]]:
        """Return the visits and the sum of values, in units of 1 / `SCALE`, of each legal action."""
        for place, action in enumerate(legal):
            self._workspace.legal[place] = action
        self._bound.children_at(self._workspace, len(legal), self._children)
        nodes = self._workspace.nodes
        children = [int(child) for child in self._children[: len(legal)]]
        if COMPILED:
            return [(int(nodes[n]["visits"]), int(nodes[n]["value_sum"])) if n else (0, 0) for n in children]
        return [(nodes[n].visits, nodes[n].value_sum) if n else (0, 0) for n in children]


class TreeSearch:
    """Search for one player through a game, with one tree for each thread (root parallelization).

    The same seed, positions and budgets in iterations give the same results. The number of threads doesn't
    matter.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int,
        *,
        threads: int = 1,
        skill: int = 0,
        tuning: Tuning | None = None,
    ) -> None:
        tuned = tuning or tuning_of(game)
        self._trees = [
            Tree(game, seats, stream(f"{seed:x}", "tree", number), tuned, skill) for number in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def forget(self) -> None:
        """Discard the trees."""
        for tree in self._trees:
            tree.forget()

    def follow(self, game_state: GameState, action: int, seat: int) -> None:
        """Move the root to the position after a seat's action, keeping its subtree."""
        for tree in self._trees:
            tree.follow(game_state, action, seat)

    def think(
        self,
        game_state: GameState,
        seat: int,
        legal: Sequence[int],
        budget: Budget,
        *,
        to_choose: bool = True,
    ) -> list[SearchLine]:
        """Return what the budget finds for every legal action, the best first.

        With `to_choose`, the search ends as soon as the rest of the budget can't change which action is best.
        """
        for tree in self._trees:
            tree.look_at(game_state, seat)
        share = -(-budget.iterations // len(self._trees))
        until = time.perf_counter() + budget.milliseconds / 1_000 if budget.milliseconds else 0.0

        def work(tree: Tree) -> None:
            _spend(tree, legal, share, until, to_choose)

        if self._pool is None:
            work(self._trees[0])
        else:
            list(self._pool.map(work, self._trees))
        return self.lines(legal)

    def estimate(self, game_state: GameState, seat: int, action: int, iterations: int) -> list[float]:
        """Return the value of the game to each seat after an action, and discard the first tree."""
        return self._trees[0].estimate(game_state, seat, action, iterations)

    def is_thrown(self, game_state: GameState, action: int) -> bool:
        """Say whether an action reports a throw, whose result depends on chance."""
        return self._trees[0].is_thrown(game_state, action)

    def lines(self, legal: Sequence[int]) -> list[SearchLine]:
        """Return the search's findings for every legal action, the best first."""
        lines = []
        by_action = zip(*(tree.statistics(legal) for tree in self._trees), strict=True)
        for action, by_tree in zip(legal, by_action, strict=True):
            visits, value_sum = (sum(column) for column in zip(*by_tree, strict=True))
            lines.append(SearchLine(action, visits, value_sum / visits / SCALE if visits else -1.0))
        return sorted(lines, key=lambda line: (-line.visits, -line.value, line.action))

    @property
    def iterations(self) -> int:
        """The number of iterations in the current trees."""
        return sum(tree.visits for tree in self._trees)


def _spend(tree: Tree, legal: Sequence[int], iterations: int, until: float, to_choose: bool) -> None:
    """Run a tree until its iterations or time run out, or the choice is settled."""
    done, chunk, started = 0, CHUNK, time.perf_counter()
    while True:
        run = min(chunk, iterations - done) if iterations else chunk
        if run <= 0:
            return
        tree.run(run)
        done += run
        now = time.perf_counter()
        if until and now >= until:
            return
        rate = done / max(now - started, 1e-9)
        left = float(iterations - done) if iterations else float("inf")
        if until:
            left = min(left, rate * (until - now))
        if to_choose and _is_settled(tree, legal, left):
            return
        if until:
            chunk = max(1, int(rate * min(SLICE, until - now)))


def _is_settled(tree: Tree, legal: Sequence[int], left: float) -> bool:
    """Say whether the most visited action stays so whatever the remaining iterations find."""
    visits = sorted(visits for visits, _ in tree.statistics(legal))
    return len(visits) < 2 or visits[-1] - visits[-2] > left
