"""Count the deals of a solitaire that can be won at all (see `bartizan.search.solver`).

The solver sees everything, including the deck and future dice.  So "won" means that someone who knew the deal
could win it, "lost" that no one could, and "unknown" that the search was stopped before it found out.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Literal

import msgspec

from bartizan.engine.errors import Unsolvable
from bartizan.engine.game import Game, GameState
from bartizan.engine.options import OptionSet
from bartizan.engine.rng import stream
from bartizan.lab.intervals import wilson
from bartizan.lab.threads import in_threads
from bartizan.match import Match
from bartizan.match.progress import check_seed

POSITIONS = 10_000_000  # how many a search may enter, unless it is told otherwise
SLICE = 50_000  # positions between two looks at the clock and at what was asked in the meantime
TRIES = 1_000  # deals among which a winnable one is looked for

Verdict = Literal["won", "lost", "unknown"]
Progress = Callable[[int, int], None]


class Solution(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of one deal."""

    seed: str
    verdict: Verdict
    positions: int  # how many the search entered
    line: tuple[int, ...] = ()  # the codes of the moves that win
    too_deep: bool = False  # unknown because lines are longer than there is room, not for want of time

    def is_final(self, positions: int) -> bool:
        """Say whether a search of so many positions could not tell more."""
        return self.verdict != "unknown" or self.too_deep or self.positions >= positions


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """How many of some deals can be won.

    `interval` is a 95 % interval (Wilson) of the share of winnable deals that holds however the unknown ones
    would turn out: its lower end takes them all for lost, its upper end for won.
    """

    deals: int
    known_before: int  # how many of them an earlier count had solved
    won: int
    lost: int
    unknown: int
    interval: tuple[float, float]
    positions: int
    longest: int  # plies of the longest line that wins
    seconds: float  # without those of an earlier count
    threads: int
    lost_seeds: tuple[str, ...]
    unknown_seeds: tuple[str, ...]


def check_solvable(game: Game) -> None:
    """Raise `Unsolvable` for a game that is not for one."""
    if game.max_seats > 1:
        fewest = f"{game.min_seats} to " if game.min_seats < game.max_seats else ""
        raise Unsolvable(
            f"{game.title} is for {fewest}{game.max_seats} seats, and only a deal for one can be solved; "
            f"`bartizan simulate {game.name}` shows how often each seat wins."
        )


def deals(seed: str) -> Iterator[str]:
    """Yield the seeds of endlessly many deals: `seed` itself, then others that follow from it."""
    seed = check_seed(seed)
    yield seed
    for number in itertools.count(1):
        yield f"{stream(seed, 'deals', number):x}"


class Solver:
    """Solve deals of one game, one after the other; every thread has its own."""

    def __init__(self, game: Game) -> None:
        """Raise `Unsolvable` for a game that is not for one."""
        check_solvable(game)
        self._module: Any = game.bind("bartizan.search.solver")
        self._table: Any = None

    def solve(
        self,
        game_state: GameState,
        seed: str,
        ply: int = 0,
        *,
        positions: int = POSITIONS,
        progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> Solution:
        """Search the state after `ply` plies of a match with this seed; `stop` ends it early, as unknown.

        `progress` gets the number of positions searched and the maximum.
        """
        module = self._module
        search = module.DiscrepancySearch(game_state, seed, ply, table=self._table)
        self._table = search.workspace.table
        while search.status == module.OPEN and search.positions < positions:
            if stop is not None and stop.is_set():
                break
            search.run(min(search.positions + SLICE, positions))
            if progress is not None:
                progress(search.positions, positions)
        verdicts: dict[int, Verdict] = {module.WON: "won", module.LOST: "lost"}
        return Solution(
            seed=seed,
            verdict=verdicts.get(search.status, "unknown"),
            positions=search.positions,
            line=tuple(search.line()),
            too_deep=search.status == module.TOO_DEEP,
        )


def solve(match: Match, positions: int = POSITIONS, progress: Progress | None = None) -> Solution:
    """Find out whether a match can be won from where it stands; raises `Unsolvable`."""
    return Solver(match.game).solve(
        match.game_state(), match.seed, match.ply, positions=positions, progress=progress
    )


def play_line(match: Match, solution: Solution) -> None:
    """Play the moves that win; raises `IllegalMove` should one not be legal."""
    for code in solution.line:
        match.play(code)


def find_winnable(
    game: Game,
    options: Mapping[str, object],
    seed: str,
    positions: int = POSITIONS,
    progress: Progress | None = None,
) -> list[Solution]:
    """Solve deals, starting from `seed`, until one can be won, at most `TRIES`; that one comes last.

    `progress` gets the number of deals tried and the maximum.
    Raises `Unsolvable`, `BadSeed`, `UnknownOption`.
    """
    solver = Solver(game)
    chosen = game.read_options(options, 1)
    tried: list[Solution] = []
    for each in itertools.islice(deals(seed), TRIES):
        tried.append(solver.solve(_deal(game, chosen, each), each, positions=positions))
        if progress is not None:
            progress(len(tried), TRIES)
        if tried[-1].verdict == "won":
            break
    return tried


def _deal(game: Game, options: OptionSet, seed: str) -> GameState:
    """Return the state that a match with this seed begins with."""
    game_state = game.blank(options, 1, stream(seed, "deal"))
    game.array_rules.setup(game_state.cells)
    return game_state


def about(game: Game, options: Mapping[str, object]) -> dict[str, Any]:
    """Return what a journal of solutions is about: the game, its rules and its options."""
    written = game.read_options(options, 1).write()
    return {"game": game.name, "rules": game.rules_version, "options": written}


class Counting:
    """Solve many deals in threads; what has been found so far can be asked for at any time."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object],
        seed: str,
        count: int,
        positions: int = POSITIONS,
        threads: int = 1,
    ) -> None:
        """Choose the first `count` deals from `seed` on.

        Raises `Unsolvable`, `BadSeed`, `UnknownOption`.
        """
        check_solvable(game)
        self.game = game
        self.seeds = list(itertools.islice(deals(seed), count))
        self.positions = positions
        self.threads = threads
        self.solutions: dict[str, Solution] = {}
        self.seconds = 0.0
        self.known_before = 0
        self._options = game.read_options(options, 1)
        self._stop = threading.Event()
        self._own = threading.local()

    def know(self, solutions: Sequence[Solution]) -> None:
        """Take over what an earlier count found, as far as this one could not find more."""
        wanted = set(self.seeds)
        self.solutions.update(
            {each.seed: each for each in solutions if each.seed in wanted and each.is_final(self.positions)}
        )
        self.known_before = len(self.solutions)

    def run(self, keep: Callable[[Solution], None]) -> None:
        """Solve the remaining deals and yield each when it is solved.

        Ctrl-C stops the running searches; their deals stay unsolved, and `KeyboardInterrupt` is re-raised.
        """
        started = time.perf_counter()
        todo = [seed for seed in self.seeds if seed not in self.solutions]
        try:
            with closing(in_threads(self._solve, todo, self.threads, self._stop)) as solved:
                for seed, solution in solved:
                    self.solutions[seed] = solution
                    keep(solution)
        finally:
            self.seconds = time.perf_counter() - started

    def _solve(self, seed: str) -> Solution:
        """Solve one deal in a thread that has its own solver."""
        if not hasattr(self._own, "solver"):
            self._own.solver = Solver(self.game)
        solver: Solver = self._own.solver
        game_state = _deal(self.game, self._options, seed)
        return solver.solve(game_state, seed, positions=self.positions, stop=self._stop)

    def count(self) -> Count:
        """Return what has been found so far."""
        known = [self.solutions[seed] for seed in self.seeds if seed in self.solutions]
        by = {
            verdict: [each for each in known if each.verdict == verdict]
            for verdict in ("won", "lost", "unknown")
        }
        won, unknown = len(by["won"]), len(by["unknown"])
        return Count(
            deals=len(known),
            known_before=self.known_before,
            won=won,
            lost=len(by["lost"]),
            unknown=unknown,
            interval=(wilson(won, len(known))[0], wilson(won + unknown, len(known))[1]),
            positions=sum(each.positions for each in known),
            longest=max((len(each.line) for each in by["won"]), default=0),
            seconds=self.seconds,
            threads=self.threads,
            lost_seeds=tuple(each.seed for each in by["lost"]),
            unknown_seeds=tuple(each.seed for each in by["unknown"]),
        )
