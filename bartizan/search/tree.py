"""Think about a position: grow trees, spend a budget on them, and read what they found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bartizan.engine.game import Game, Live
from bartizan.engine.levels import Tuning
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import Network, blank_network
from bartizan.engine.record import Record
from bartizan.engine.rng import stream
from bartizan.search.node import ANY_ACTION, FIRST, NONE, ROOT, SCALE, SUMS, USED, Node, Settings

NODES = 1 << 18 if COMPILED else 1 << 12  # room in a tree; memory is touched as it is used
DEPTH = 512  # of a path in a tree
FEATURES = 1 << 9  # of a position, at most
CHUNK = 256  # iterations between two looks at what is settled, where no clock is looked at
SLICE = 0.01  # seconds between two looks at the clock


@dataclass(frozen=True)
class Budget:
    """How much thinking a decision is worth; the first limit that is reached ends it."""

    iterations: int = 0  # 0: no such limit
    milliseconds: int = 0


@dataclass(frozen=True)
class Line:
    """What a search thinks of one legal action."""

    action: int
    visits: int
    worth: float  # to the seat to move, from -1 to 1: the mean over the visits


def tuning_of(game: Game) -> Tuning:
    """Return how searches are set for a game."""
    return getattr(game.heuristics, "TUNING", Tuning())


def network_of(game: Game) -> Network:
    """Return what values a game's positions, a network without weights where the game has none."""
    found: Network | None = getattr(game.heuristics, "NETWORK", None)
    return found or blank_network()


def plain(network: Network) -> Network:
    """Return a network in the form on which this process runs searches."""
    return network if COMPILED else Network(*(weights.tolist() for weights in network))


def records(kind: type[Record], count: int) -> Any:
    """Return room for records, in the form on which this process runs searches."""
    return np.zeros(count, kind.dtype) if COMPILED else [kind() for _ in range(count)]


def numbers(count: int, kind: Any = np.int64) -> Any:
    """Return room for integers, in that form."""
    return np.zeros(count, kind) if COMPILED else [0] * count


def settings_of(tuning: Tuning, skill: int = 0) -> Any:
    """Return how a search is set, in that form."""
    settings = Settings()
    for name, value in (*asdict(tuning).items(), ("skill", skill)):
        setattr(settings, name, value)
    return settings.to_array() if COMPILED else [settings]


class Tree:
    """One tree with dice of its own.  Not for several threads at once."""

    def __init__(self, game: Game, seats: int, seed: int, tuning: Tuning, skill: int = 0) -> None:
        self._bound: Any = game.bind("bartizan.search.mcts")
        self._game = game
        self._nodes = records(Node, NODES)
        self._tally = numbers(SUMS + seats)
        self._tally[FIRST] = ANY_ACTION
        self._legal = numbers(game.max_legal, np.int32)
        self._tried = numbers(game.max_legal)
        self._found = numbers(game.max_legal)
        self._path = numbers(DEPTH)
        self._worth = numbers(seats)
        self._network = plain(network_of(game))
        self._features = numbers(FEATURES, np.int32)
        self._units = numbers(self._network.hidden, np.int32)
        self._opponents_as_chance = tuning.opponents_as_chance
        self._settings = settings_of(tuning, skill)
        self._seed = seed & 0xFFFF_FFFF_FFFF_FFFF
        self._dice = Live(game, game.state())
        self._dice.rekey(self._seed)
        self._states: Any = None
        self._seat = 0
        self.forget()

    def forget(self) -> None:
        """Begin a new tree."""
        self._tally[USED] = ROOT + 1
        root = self._nodes[ROOT]
        for name in ("first", "visits"):
            if COMPILED:
                root[name] = NONE
            else:
                setattr(root, name, NONE)

    def look_at(self, live: Live, seat: int) -> None:
        """Set the position that the root stands for, seen by `seat`."""
        if self._opponents_as_chance and seat != self._seat:
            self.forget()  # nodes stand for what another seat does
        self._states = live.stack(live, live)  # one to keep, one to play on
        self._seat = seat
        if self._game.chance:
            self._bound.prepare(self._states, seat)

    def follow(self, live: Live, action: int, seat: int) -> None:
        """Keep what is known of the game after an action of a seat at a position.

        A node with as many children as it may have is left: what came to light allows hardly any of them.
        """
        if self._opponents_as_chance and seat != self._seat:
            return
        child = int(self._bound.child_of(self._nodes, live.cells, action, seat))
        if child == NONE or self._bound.is_full(self._nodes, child, self._settings):
            self.forget()
        else:
            self._bound.grow_from(self._nodes, self._tally, child, numbers(len(self._nodes)))

    @property
    def visits(self) -> int:
        """How many iterations have gone through the root."""
        return int(self._nodes[ROOT]["visits"] if COMPILED else self._nodes[ROOT].visits)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return int(self._tally[USED])

    def run(self, iterations: int) -> None:
        """Spend iterations on the position."""
        self._bound.search(
            self._nodes,
            self._tally,
            self._states,
            self._dice.cells,
            self._legal,
            self._tried,
            self._path,
            self._worth,
            self._network,
            self._features,
            self._units,
            self._settings,
            self._seat,
            self._game.chance,
            iterations,
        )

    def estimate(self, live: Live, seat: int, action: int, iterations: int) -> list[float]:
        """Return what the game comes to for each seat, from -1 to 1, if it goes on with an action.

        Goes by what `seat` knows; `ANY_ACTION` leaves the choice to the search.  Tree and dice begin
        anew, so that actions are compared by the same luck.
        """
        self.forget()
        self._dice.rekey(self._seed)
        self.look_at(live, seat)
        seats = range(SUMS, SUMS + len(self._worth))
        for place in seats:
            self._tally[place] = 0
        self._tally[FIRST] = action
        self.run(iterations)
        self._tally[FIRST] = ANY_ACTION
        self.forget()
        return [int(self._tally[place]) / SCALE / iterations for place in seats]

    def is_thrown(self, live: Live, action: int) -> bool:
        """Say whether an action reports a throw, so that chance has a hand in what comes of it."""
        plain = action % self._game.actions.size  # without what is not listed of a variant
        return bool(self._bound.is_thrown(live.cells, self._dice.cells, self._settings, plain))

    def found(self, legal: Sequence[int]) -> list[tuple[int, int]]:
        """Return for each legal action its visits and the sum of their worths, in parts of `SCALE`."""
        for place, action in enumerate(legal):
            self._legal[place] = action
        self._bound.children_at(self._nodes, self._states, self._legal, len(legal), self._found)
        nodes = [int(node) for node in self._found[: len(legal)]]
        if COMPILED:
            return [
                (int(self._nodes[n]["visits"]), int(self._nodes[n]["total"])) if n else (0, 0) for n in nodes
            ]
        return [(self._nodes[n].visits, self._nodes[n].total) if n else (0, 0) for n in nodes]


class Search:
    """Think for one player through a game, with one tree for each thread (root parallel).

    The same seed, questions and budgets in iterations give the same answers, on any number of threads.
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
        """Begin anew."""
        for tree in self._trees:
            tree.forget()

    def follow(self, live: Live, action: int, seat: int) -> None:
        """Keep what is known of the game after an action of a seat at a position."""
        for tree in self._trees:
            tree.follow(live, action, seat)

    def think(
        self, live: Live, seat: int, legal: Sequence[int], budget: Budget, *, to_choose: bool = True
    ) -> list[Line]:
        """Return what the budget finds of every legal action, the best first.

        With `to_choose` thinking ends as soon as the rest of the budget cannot change which is the first.
        """
        for tree in self._trees:
            tree.look_at(live, seat)
        share = -(-budget.iterations // len(self._trees))
        until = time.perf_counter() + budget.milliseconds / 1_000 if budget.milliseconds else 0.0

        def work(tree: Tree) -> None:
            _spend(tree, legal, share, until, to_choose)

        if self._pool is None:
            work(self._trees[0])
        else:
            list(self._pool.map(work, self._trees))
        return self.lines(legal)

    def estimate(self, live: Live, seat: int, action: int, iterations: int) -> list[float]:
        """Return what the game comes to for each seat if it goes on with an action, and begin anew."""
        return self._trees[0].estimate(live, seat, action, iterations)

    def is_thrown(self, live: Live, action: int) -> bool:
        """Say whether an action reports a throw, so that chance has a hand in what comes of it."""
        return self._trees[0].is_thrown(live, action)

    def lines(self, legal: Sequence[int]) -> list[Line]:
        """Return what has been found of every legal action, the best first."""
        lines = []
        for action, found in zip(
            legal, zip(*(tree.found(legal) for tree in self._trees), strict=True), strict=True
        ):
            visits, total = (sum(column) for column in zip(*found, strict=True))
            lines.append(Line(action, visits, total / visits / SCALE if visits else -1.0))
        return sorted(lines, key=lambda line: (-line.visits, -line.worth, line.action))

    @property
    def iterations(self) -> int:
        """How many iterations the present trees hold."""
        return sum(tree.visits for tree in self._trees)


def _spend(tree: Tree, legal: Sequence[int], iterations: int, until: float, to_choose: bool) -> None:
    """Run a tree until its iterations or its time are used up, or nothing can change any more."""
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
    """Say whether the action visited most stays so whatever the iterations that are left bring."""
    visits = sorted(visits for visits, _ in tree.found(legal))
    return len(visits) < 2 or visits[-1] - visits[-2] > left
