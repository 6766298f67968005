"""Let a game's network learn from games that it plays against itself.

Games come in batches.  One batch is played with the network as it is, every decision searched; then the
network is shown each position of the batch, in random order, with what the position proved to be worth.  All
depends on the course and its seed alone, not on the number of threads, and goes on from a file as if it had
never stopped.
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
from bartizan.engine.game import Game, Live
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import Network, rounded, save_network
from bartizan.engine.rng import stream
from bartizan.match.progress import check_seed
from bartizan.search.learning import Episode
from bartizan.search.node import SCALE
from bartizan.search.teaching import Positions, Weights, teach
from bartizan.search.workspace import FEATURES, new_workspace, tuning_of

MOST_PLIES = 512  # noted of a game
NODES = 1 << 15  # room in a tree, which begins anew at every ply


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How a network is taught; the defaults are those of the one that comes with Alcazar."""

    game: str
    seed: str = "0"
    games: int = 400_000
    batch: int = 2_000  # games between two lessons
    hidden: int = 128  # units
    first_iterations: int = 16  # of a search in the first batch
    iterations: int = 400  # in the last; between them it grows by the same factor from batch to batch
    rate: float = 0.01  # of learning, in the first half; then it falls
    last_rate: float = 0.0002  # to this
    trust: float = 0.8  # λ: the share of what came later in what a position is said to be worth
    varied: float = 0.5  # the share of games whose options are drawn by lot
    unusual: float = 0.3  # of their options, those that are not as usual

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.games // self.batch)


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one batch."""

    number: int  # from 1
    games: int
    iterations: int
    points: float  # the first seat's mean share in games with the usual options, from 0 to 1
    positions: int
    error: float  # mean squared, of the network before the lesson
    rate: float


Progress = Callable[[int, int], None]


class Student:
    """A network that learns: its weights as fractions."""

    def __init__(self, features: int, hidden: int, seed: str) -> None:
        """Begin with small weights, drawn by lot."""
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

    def save(self, path: Path, course: Course, lessons: list[Lesson]) -> None:
        """Write down how far a course is; the file is the old one or the new one, never half of it."""
        with replacing(path) as part, part.open("wb") as file:
            np.savez(
                file,
                course=np.frombuffer(msgspec.json.encode(course), np.uint8),
                lessons=np.frombuffer(msgspec.json.encode(lessons), np.uint8),
                inputs=self.weights.inputs,
                offsets=self.weights.offsets,
                outputs=self.weights.outputs,
            )

    def load(self, path: Path, course: Course) -> list[Lesson]:
        """Go on from a file; return the lessons so far.  Raises `CorruptRecord`, also for another course."""
        try:
            with np.load(path, allow_pickle=False) as file:
                kept = msgspec.json.decode(file["course"].tobytes(), type=Course)
                lessons = msgspec.json.decode(file["lessons"].tobytes(), type=list[Lesson])
                weights = {name: file[name] for name in ("inputs", "offsets", "outputs")}
        except (ValueError, KeyError, EOFError, OSError, msgspec.MsgspecError) as error:
            raise CorruptRecord(f"{path} is no course of learning: {error}.") from error
        if kept != course or weights["inputs"].shape != self.weights.inputs.shape:
            raise CorruptRecord(f"{path} is of another course: {kept}; this is {course}.  Take another file.")
        self.weights = self.weights._replace(**weights)
        return lessons


@dataclass(frozen=True)
class Batch:
    """What one or more games came to."""

    positions: Positions
    points: float = 0.0  # of the first seat, in games with the usual options, each from 0 to 1
    usual: int = 0  # how many such games there were

    @classmethod
    def of(cls, parts: Sequence[Batch]) -> Batch:
        """Return batches as one, their positions in the same order."""
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
        self, blank: Live, key: Any, number: int, network: Network, iterations: int, trust: float
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


class Learning:
    """A course under way."""

    def __init__(self, game: Game, course: Course, threads: int = 1) -> None:
        """Begin a course; raises `Unteachable` where the game has no features, `BadSeed`."""
        if not hasattr(game.heuristics, "features"):
            raise Unteachable(f"{game.title} has no features that a network could go by.")
        if not COMPILED:
            raise Unteachable("Networks learn from compiled games only: do without BARTIZAN_MODE=python.")
        self.course = course
        self.student = Student(game.heuristics.FEATURES.size, course.hidden, check_seed(course.seed))
        self.lessons: list[Lesson] = []
        self._game = game
        self._seats = game.min_seats
        self._key = np.uint64(stream(course.seed, "learn"))
        self._usual = self._blank({})
        self._tables = [_Table(game, self._seats, course.hidden) for _ in range(threads)]

    def resume(self, path: Path) -> None:
        """Go on from a file; raises `CorruptRecord`."""
        self.lessons = self.student.load(path, self.course)

    def save(self, path: Path) -> None:
        """Write down how far the course is."""
        self.student.save(path, self.course, self.lessons)

    def write(self, path: Path) -> None:
        """Write what has been learned as a game's `NETWORK`; the file is the old one or the new one."""
        with replacing(path) as part:
            save_network(self.student.network(), part)

    def next_lesson(self, progress: Progress | None = None) -> Lesson:
        """Play a batch, learn from it, and return what came of it."""
        course, number = self.course, len(self.lessons)
        done = number / max(course.batches - 1, 1)
        iterations = round(course.first_iterations * (course.iterations / course.first_iterations) ** done)
        rate = course.rate * (course.last_rate / course.rate) ** max(0.0, 2 * done - 1)
        first = number * course.batch
        games = range(first, min(first + course.batch, course.games))
        batch = self._play(games, iterations, progress)
        lesson = Lesson(
            number=number + 1,
            games=len(games),
            iterations=iterations,
            points=batch.points / max(batch.usual, 1),
            positions=len(batch.positions.counts),
            error=self.student.learn(batch.positions, rate, stream(course.seed, "order", number)),
            rate=rate,
        )
        self.lessons.append(lesson)
        return lesson

    def _play(self, games: range, iterations: int, progress: Progress | None) -> Batch:
        """Play games, each with the network as it is, and return their positions in the games' order."""
        network = self.student.network()
        threads = len(self._tables)
        played: dict[int, Batch] = {}
        stopped = threading.Event()

        def work(thread: int) -> None:
            for number in games[thread::threads]:
                if stopped.is_set():
                    return
                blank = self._blank_for(number)
                positions, points = self._tables[thread].play(
                    blank, self._key, number, network, iterations, self.course.trust
                )
                usual = blank is self._usual
                played[number] = Batch(positions, points if usual else 0.0, int(usual))
                if progress is not None:
                    progress(len(played), len(games))

        with ThreadPoolExecutor(threads) as pool:
            try:
                list(pool.map(work, range(threads)))
            finally:
                stopped.set()
        return Batch.of([played[number] for number in games])

    def _blank(self, options: Mapping[str, object]) -> Live:
        return self._game.blank(self._game.option_set.read(options), self._seats, 0)

    def _blank_for(self, number: int) -> Live:
        """Return the undealt table of a game; options that exclude each other give way to the usual ones."""
        options = self._options(number)
        try:
            return self._blank(options) if options else self._usual
        except UnknownOption:
            return self._usual

    def _options(self, number: int) -> Mapping[str, object]:
        """Return the options of a game: the usual ones, or some drawn by lot."""
        dice = random.Random(stream(self.course.seed, "options", number))
        given: dict[str, object] = {}
        if dice.random() < self.course.varied:
            for spec in self._game.options:
                if dice.random() < self.course.unusual and spec.kind in ("bool", "choice"):
                    given[spec.key] = dice.choice(spec.values or (False, True))
        return given
