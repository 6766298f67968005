"""Let a game's network learn from games that it plays against itself.

Games come in batches.  One batch is played with the network as it is, every decision searched; then the
network is shown each position of the batch, in random order, with what the position proved to be worth.  All
depends on the course and its seed alone, not on the number of threads, and goes on from a file as if it had
never stopped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import CorruptRecord, UnknownOption, Unteachable
from bartizan.engine.files import replacing
from bartizan.engine.game import Game, Live
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import Network, rounded, save_network
from bartizan.engine.rng import stream
from bartizan.match.match import check_seed
from bartizan.search import teaching
from bartizan.search.node import SCALE, SUMS, Node
from bartizan.search.tree import DEPTH, FEATURES, numbers, records, settings_of, tuning_of

MOST_PLIES = 512  # noted of a game


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How a network is revealed_information; the defaults are those of the one that comes with Alcazar."""

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


class Weights:
    """A network's weights while it learns, as fractions."""

    def __init__(self, features: int, hidden: int, seed: str) -> None:
        """Begin with small weights, drawn by lot."""
        dice = np.random.default_rng(stream(seed, "weights"))
        self.inputs = (dice.normal(size=(features, hidden)) * 0.05).astype(np.float32)
        self.offsets = np.zeros(hidden, np.float32)
        self.outputs = (dice.normal(size=hidden) * 0.2).astype(np.float32)
        self._units = np.zeros(hidden, np.float32)

    def network(self) -> Network:
        """Return the network that searches play with."""
        return rounded(self.inputs, self.offsets, self.outputs)

    def learn(self, positions: Positions, rate: float, seed: int) -> float:
        """Learn from positions in random order; return the mean squared error before."""
        order = np.random.default_rng(seed).permutation(len(positions.counts))
        return float(
            teaching.teach(
                self.inputs,
                self.offsets,
                self.outputs,
                self._units,
                positions.noted,
                positions.counts,
                positions.values,
                order,
                rate,
            )
        )

    def save(self, path: Path, course: Course, lessons: list[Lesson]) -> None:
        """Write down how far a course is; the file is the old one or the new one, never half of it."""
        with replacing(path) as part, part.open("wb") as file:
            np.savez(
                file,
                course=np.frombuffer(msgspec.json.encode(course), np.uint8),
                lessons=np.frombuffer(msgspec.json.encode(lessons), np.uint8),
                inputs=self.inputs,
                offsets=self.offsets,
                outputs=self.outputs,
            )

    def load(self, path: Path, course: Course) -> list[Lesson]:
        """Go on from a file; return the lessons so far.  Raises `CorruptRecord`, also for another course."""
        try:
            with np.load(path, allow_pickle=False) as file:
                found = msgspec.json.decode(file["course"].tobytes(), type=Course)
                lessons = msgspec.json.decode(file["lessons"].tobytes(), type=list[Lesson])
                weights = [file[name] for name in ("inputs", "offsets", "outputs")]
        except (ValueError, KeyError, EOFError, OSError, msgspec.MsgspecError) as error:
            raise CorruptRecord(f"{path} is no course of learning: {error}.") from error
        if found != course or weights[0].shape != self.inputs.shape:
            raise CorruptRecord(
                f"{path} is of another course: {found}; this is {course}.  Take another file."
            )
        self.inputs, self.offsets, self.outputs = weights
        return lessons


@dataclass
class Positions:
    """Positions to learn from."""

    noted: NDArray[np.int32]  # a row of features each
    counts: NDArray[np.int64]  # how many there are of them
    values: NDArray[np.float64]  # what the positions proved to be worth to the seat that saw them
    points: float = 0.0  # of the first seat, in games with the usual options
    usual: int = 0  # how many such games there were


class _Table:
    """Room for one thread to play in."""

    def __init__(self, game: Game, seats: int, hidden: int) -> None:
        self._game = game
        self._bound: Any = game.bind("bartizan.search.learning")
        blank = game.blank(game.option_set(), seats, 0)
        self._work = blank.stack(blank, blank, blank)
        self._dice = Live(game, game.state())
        self._nodes = records(Node, 1 << 15)
        self._tally = numbers(SUMS + seats)
        self._legal = numbers(game.max_legal, np.int32)
        self._tried = numbers(game.max_legal)
        self._path = numbers(DEPTH)
        self._worth = numbers(seats)
        self._features = numbers(FEATURES, np.int32)
        self._units = numbers(hidden, np.int32)
        self._settings = settings_of(tuning_of(game))
        self._noted = np.zeros((MOST_PLIES, FEATURES), np.int32)
        self._counts = np.zeros(MOST_PLIES, np.int64)
        self._seats = np.zeros(MOST_PLIES, np.int64)
        self._values = np.zeros(MOST_PLIES)

    def play(
        self, blank: Live, key: Any, number: int, network: Network, iterations: int, trust: float
    ) -> Positions:
        """Play one game and return its positions."""
        plies = self._bound.play_noting(
            blank.cells,
            self._work,
            self._dice.cells,
            key,
            number,
            self._nodes,
            self._tally,
            self._legal,
            self._tried,
            self._path,
            self._worth,
            network,
            self._features,
            self._units,
            self._settings,
            self._game.chance,
            iterations,
            self._noted,
            self._counts,
            self._seats,
            self._values,
        )
        points = (1 + self._worth[0] / SCALE) / 2
        self._bound.mix(self._values, self._seats, self._worth, plies, trust)
        return Positions(
            self._noted[:plies].copy(),
            self._counts[:plies].copy(),
            self._values[:plies].copy(),
            float(points),
            1,
        )


class Learning:
    """A course under way."""

    def __init__(self, game: Game, course: Course, threads: int = 1) -> None:
        """Begin a course; raises `Unteachable` where the game has no features, `BadSeed`."""
        if not hasattr(game.heuristics, "features"):
            raise Unteachable(f"{game.title} has no features that a network could go by.")
        if not COMPILED:
            raise Unteachable("Networks learn from compiled games only: do without BARTIZAN_MODE=python.")
        self.course = course
        self.weights = Weights(game.heuristics.FEATURES.size, course.hidden, check_seed(course.seed))
        self.lessons: list[Lesson] = []
        self._game = game
        self._seats = game.min_seats
        self._key = np.uint64(stream(course.seed, "learn"))
        self._usual = self._blank({})
        self._tables = [_Table(game, self._seats, course.hidden) for _ in range(threads)]

    def resume(self, path: Path) -> None:
        """Go on from a file; raises `CorruptRecord`."""
        self.lessons = self.weights.load(path, self.course)

    def save(self, path: Path) -> None:
        """Write down how far the course is."""
        self.weights.save(path, self.course, self.lessons)

    def write(self, path: Path) -> None:
        """Write what has been learned as a game's `NETWORK`; the file is the old one or the new one."""
        with replacing(path) as part:
            save_network(self.weights.network(), part)

    def next_lesson(self, progress: Progress | None = None) -> Lesson:
        """Play a batch, learn from it, and return what came of it."""
        course, number = self.course, len(self.lessons)
        done = number / max(course.batches - 1, 1)
        iterations = round(course.first_iterations * (course.iterations / course.first_iterations) ** done)
        rate = course.rate * (course.last_rate / course.rate) ** max(0.0, 2 * done - 1)
        first = number * course.batch
        games = range(first, min(first + course.batch, course.games))
        positions = self._play(games, iterations, progress)
        lesson = Lesson(
            number=number + 1,
            games=len(games),
            iterations=iterations,
            points=positions.points / max(positions.usual, 1),
            positions=len(positions.counts),
            error=self.weights.learn(positions, rate, stream(course.seed, "order", number)),
            rate=rate,
        )
        self.lessons.append(lesson)
        return lesson

    def _play(self, games: range, iterations: int, progress: Progress | None) -> Positions:
        """Play games, each with the network as it is, and return their positions in the games' order."""
        network = self.weights.network()
        threads = len(self._tables)
        found: dict[int, Positions] = {}

        stopped = threading.Event()

        def work(thread: int) -> None:
            for number in games[thread::threads]:
                if stopped.is_set():
                    return
                blank = self._blank_for(number)
                played = self._tables[thread].play(
                    blank, self._key, number, network, iterations, self.course.trust
                )
                played.usual = int(blank is self._usual)
                found[number] = played
                if progress is not None:
                    progress(len(found), len(games))

        with ThreadPoolExecutor(threads) as pool:
            try:
                list(pool.map(work, range(threads)))
            finally:
                stopped.set()
        parts = [found[number] for number in games]
        return Positions(
            np.concatenate([part.noted for part in parts]),
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.values for part in parts]),
            sum(part.points for part in parts if part.usual),
            sum(part.usual for part in parts),
        )

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
