"""Train a game's network on games that it plays against itself.

Games come in batches.  Each batch is played with the current network, searching every decision.  Then the
network is trained on the positions of the batch, in random order, with the values that they turned out to
have.  The result depends on the plan and its seed alone, not on the number of threads, and training continues
from a file as if it had never stopped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bartizan.engine.errors import CorruptRecord, UnknownOption, Unteachable
from bartizan.engine.files import replacing
from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import Network, rounded, save_network
from bartizan.engine.rng import stream
from bartizan.match.progress import check_seed
from bartizan.search.learning import Episode
from bartizan.search.node import SCALE
from bartizan.search.teaching import Positions, Weights, teach
from bartizan.search.workspace import FEATURES, new_workspace, tuning_of

MOST_PLIES = 512  # noted of a game
NODES = 1 << 15  # capacity of a tree, which is cleared at every ply


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a training run; the defaults are those of the network that comes with Alcazar."""

    game: str
    seed: str = "0"
    games: int = 400_000
    batch: int = 2_000  # games in a round
    hidden: int = 128  # units
    first_iterations: int = 16  # of a search in the first batch
    iterations: int = 400  # in the last; between them it grows by the same factor from batch to batch
    rate: float = 0.01  # of learning, in the first half; then it falls
    last_rate: float = 0.0002  # to this
    trust: float = 0.8  # λ: the share of what came later in what a position is said to be worth
    varied: float = 0.5  # the share of games whose options are random
    unusual: float = 0.3  # of their options, those that are not as usual

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.games // self.batch)


class TrainingRound(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one batch."""

    number: int  # from 1
    games: int
    iterations: int
    points: float  # the first seat's mean share in games with the usual options, from 0 to 1
    positions: int
    error: float  # mean squared, of the network before the round
    rate: float


Progress = Callable[[int, int], None]


class Student:
    """A network that learns: its weights as fractions."""

    def __init__(self, features: int, hidden: int, seed: str) -> None:
        """Begin with small weights, random."""
        dice = np.random.default_rng(stream(seed, "weights"))
        self.weights = Weights(
            inputs=(dice.normal(size=(features, hidden)) * 0.05).astype(np.float32),
            offsets=np.zeros(hidden, np.float32),
            outputs=(dice.normal(size=hidden) * 0.2).astype(np.float32),
            units=np.zeros(hidden, np.float32),
        )

    def network(self) -> Network:
        """Return the network that searches play with."""
        return rounded(self.weights.inputs, self.weights.offsets, self.weights.outputs)

    def learn(self, positions: Positions, rate: float, seed: int) -> float:
        """Learn from positions in random order; return the mean squared error before."""
        order = np.random.default_rng(seed).permutation(len(positions.counts))
        return float(teach(self.weights, positions, order, rate))

    def save(self, path: Path, plan: TrainingPlan, rounds: list[TrainingRound]) -> None:
        """Write down how far training is; the file is the old one or the new one, never half of it."""
        with replacing(path) as part, part.open("wb") as file:
            np.savez(
                file,
                course=np.frombuffer(msgspec.json.encode(plan), np.uint8),
                lessons=np.frombuffer(msgspec.json.encode(rounds), np.uint8),
                inputs=self.weights.inputs,
                offsets=self.weights.offsets,
                outputs=self.weights.outputs,
            )

    def load(self, path: Path, plan: TrainingPlan) -> list[TrainingRound]:
        """Go on from a file; return the rounds so far.  Raises `CorruptRecord`, also for another plan."""
        try:
            with np.load(path, allow_pickle=False) as file:
                kept = msgspec.json.decode(file["course"].tobytes(), type=TrainingPlan)
                rounds = msgspec.json.decode(file["lessons"].tobytes(), type=list[TrainingRound])
                weights = {name: file[name] for name in ("inputs", "offsets", "outputs")}
        except (ValueError, KeyError, EOFError, OSError, msgspec.MsgspecError) as error:
            raise CorruptRecord(f"{path} isn't an unfinished training run: {error}.") from error
        if kept != plan or weights["inputs"].shape != self.weights.inputs.shape:
            raise CorruptRecord(
                f"{path} holds another training plan. Use another file, or pass the same flags."
            )
        self.weights = self.weights._replace(**weights)
        return rounds


@dataclass(frozen=True)
class TrainingGames:
    """The results of one or more games."""

    positions: Positions
    points: float = 0.0  # of the first seat, in games with the usual options, each from 0 to 1
    usual: int = 0  # how many such games there were

    @classmethod
    def of(cls, parts: Sequence[TrainingGames]) -> TrainingGames:
        """Concatenate batches, keeping the order of their positions."""
        columns = zip(*(part.positions for part in parts), strict=True)
        return cls(
            Positions(*map(np.concatenate, columns)),
            sum(part.points for part in parts),
            sum(part.usual for part in parts),
        )


class _Table:
    """Room for one thread to play in."""

    def __init__(self, game: Game, seats: int, hidden: int) -> None:
        self._game = game
        self._bound: Any = game.bind("bartizan.search.learning")
        self._workspace = new_workspace(game, seats, tuning_of(game), nodes=NODES, hidden=hidden)
        blank = game.blank(game.option_set(), seats, 0)
        self._episode = Episode(
            table=blank.stack(blank),
            features=np.zeros((MOST_PLIES, FEATURES), np.int32),
            counts=np.zeros(MOST_PLIES, np.int64),
            seats=np.zeros(MOST_PLIES, np.int64),
            values=np.zeros(MOST_PLIES),
        )

    def play(
        self, blank: GameState, key: Any, number: int, network: Network, iterations: int, trust: float
    ) -> tuple[Positions, float]:
        """Play one game and return its positions, and the points of the first seat, from 0 to 1."""
        episode, workspace = self._episode, self._workspace._replace(network=network)
        plies = self._bound.play_episode(
            episode, workspace, blank.cells, key, number, self._game.chance, iterations
        )
        points = (1 + workspace.values[0] / SCALE) / 2
        self._bound.mix(episode.values, episode.seats, workspace.values, plies, trust)
        columns = (episode.features, episode.counts, episode.values)
        return Positions(*(column[:plies].copy() for column in columns)), float(points)


class Training:
    """A training run that can be stopped and continued."""

    def __init__(self, game: Game, plan: TrainingPlan, threads: int = 1) -> None:
        """Start; raises `Unteachable` if the game has no features, and `BadSeed`."""
        if not hasattr(game.heuristics, "features"):
            raise Unteachable(f"{game.title} has no features for a network to learn from.")
        if not COMPILED:
            raise Unteachable("Networks learn from compiled games only: unset BARTIZAN_MODE=python.")
        self.plan = plan
        self.student = Student(game.heuristics.FEATURES.size, plan.hidden, check_seed(plan.seed))
        self.rounds: list[TrainingRound] = []
        self._game = game
        self._seats = game.min_seats
        self._key = np.uint64(stream(plan.seed, "learn"))
        self._usual = self._blank({})
        self._tables = [_Table(game, self._seats, plan.hidden) for _ in range(threads)]

    def resume(self, path: Path) -> None:
        """Go on from a file; raises `CorruptRecord`."""
        self.rounds = self.student.load(path, self.plan)

    def save(self, path: Path) -> None:
        """Write down how far training is."""
        self.student.save(path, self.plan, self.rounds)

    def write(self, path: Path) -> None:
        """Write the trained weights as a game's `NETWORK`, replacing the file atomically."""
        with replacing(path) as part:
            save_network(self.student.network(), part)

    def next_round(self, progress: Progress | None = None) -> TrainingRound:
        """Play a batch, learn from it, and return the result."""
        plan, number = self.plan, len(self.rounds)
        done = number / max(plan.batches - 1, 1)
        iterations = round(plan.first_iterations * (plan.iterations / plan.first_iterations) ** done)
        rate = plan.rate * (plan.last_rate / plan.rate) ** max(0.0, 2 * done - 1)
        first = number * plan.batch
        games = range(first, min(first + plan.batch, plan.games))
        batch = self._play(games, iterations, progress)
        finished = TrainingRound(
            number=number + 1,
            games=len(games),
            iterations=iterations,
            points=batch.points / max(batch.usual, 1),
            positions=len(batch.positions.counts),
            error=self.student.learn(batch.positions, rate, stream(plan.seed, "order", number)),
            rate=rate,
        )
        self.rounds.append(finished)
        return finished

    def _play(self, games: range, iterations: int, progress: Progress | None) -> TrainingGames:
        """Play games, each with the network as it is, and return their positions in the games' order."""
        network = self.student.network()
        threads = len(self._tables)
        played: dict[int, TrainingGames] = {}
        stopped = threading.Event()

        def work(thread: int) -> None:
            for number in games[thread::threads]:
                if stopped.is_set():
                    return
                blank = self._blank_for(number)
                positions, points = self._tables[thread].play(
                    blank, self._key, number, network, iterations, self.plan.trust
                )
                usual = blank is self._usual
                played[number] = TrainingGames(positions, points if usual else 0.0, int(usual))
                if progress is not None:
                    progress(len(played), len(games))

        with ThreadPoolExecutor(threads) as pool:
            try:
                list(pool.map(work, range(threads)))
            finally:
                stopped.set()
        return TrainingGames.of([played[number] for number in games])

    def _blank(self, options: Mapping[str, object]) -> GameState:
        return self._game.blank(self._game.option_set.read(options), self._seats, 0)

    def _blank_for(self, number: int) -> GameState:
        """Return the undealt table of a game; options that exclude each other give way to the usual ones."""
        options = self._options(number)
        try:
            return self._blank(options) if options else self._usual
        except UnknownOption:
            return self._usual

    def _options(self, number: int) -> Mapping[str, object]:
        """Return the options of a game: the usual ones, or some random."""
        dice = random.Random(stream(self.plan.seed, "options", number))
        given: dict[str, object] = {}
        if dice.random() < self.plan.varied:
            for spec in self._game.options:
                if dice.random() < self.plan.unusual and spec.kind in ("bool", "choice"):
                    given[spec.key] = dice.choice(spec.values or (False, True))
        return given
