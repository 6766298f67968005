"""Give tables the installed games, compiled in other processes and loaded before they are needed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Analysis, Verdict
from bartizan.tables.messages import Preparation
from bartizan.tables.provider import Program, Terms
from bartizan.tables.waiting import shared

if TYPE_CHECKING:
    from bartizan.compile.targets import Target
    from bartizan.engine.game import Game
    from bartizan.match import CheckedMove, Match
    from bartizan.search.players import Player

NICENESS = 5  # of the compiling processes, so that players come first


class Installed:
    """The installed games."""

    def __init__(self) -> None:
        from bartizan.compile.pool import CompilePool

        self._compile_pool = CompilePool(niceness=NICENESS)
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="bartizan-load")
        self._loaded: set[tuple[str, Target]] = set()
        self._loading: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Compile everything that isn't compiled yet, in the order of the games, and load it."""
        targets: tuple[Target, ...] = ("table", "search")
        jobs = self._compile_pool.begin(self.names(), *targets)
        waiting = {(job.name, job.target): job.ready for job in jobs}
        for target in targets:
            for name in self.names():
                loading = self._load_after(waiting.get((name, target)), name, target)
                self._loading.add(asyncio.ensure_future(loading))

    def close(self) -> None:
        """Stop compiling and loading."""
        for task in self._loading:
            task.cancel()
        self._compile_pool.close()
        self._loader.shutdown(wait=False, cancel_futures=True)

    async def _load_after(self, compiled: Future[None] | None, name: str, target: Target) -> None:
        """Load what no one is waiting for yet; errors are reported to the first who opens such a table."""
        from bartizan.compile.pool import CompileError

        with contextlib.suppress(CompileError):
            if compiled is not None:
                await shared(asyncio.wrap_future(compiled))
            await self._load(name, target)

    async def prepare(self, name: str, target: Target) -> None:
        """Compile a target of a game before those that no one is waiting for, and load it."""
        if target != "table":
            await self.prepare(name, "table")
        if (name, target) not in self._loaded:
            await shared(asyncio.wrap_future(self._compile_pool.ready(name, target)))
            await self._load(name, target)

    async def _load(self, name: str, target: Target) -> None:
        def load() -> None:
            from bartizan.compile.targets import compile_target

            if (name, target) not in self._loaded:
                compile_target(name, target)
                gc.freeze()  # its rules are never freed, so the garbage collector can skip them
                self._loaded.add((name, target))

        await shared(asyncio.wrap_future(self._loader.submit(load)))

    def preparation(self, name: str, target: Target) -> Preparation | None:
        """Return the progress of compiling a target; None when it is done."""
        job = self._compile_pool.job(name, target)
        if job is None:
            return None
        return Preparation(done=job.progress.done, total=job.progress.total, seconds=job.seconds_left)

    def target_for(self, game: str, player: str) -> Target:
        """Return the compile target that a player program of a game needs."""
        from bartizan.compile.targets import target_for
        from bartizan.engine import registry

        return target_for(registry.get(game), player)

    def names(self) -> Sequence[str]:
        """Return the names of the games."""
        from bartizan.engine import registry

        return registry.names()

    def broken(self) -> Mapping[str, str]:
        """Return a sentence on each installed game that cannot be loaded or failed its trial, by name."""
        from bartizan.engine import registry

        return registry.broken()

    def game(self, name: str) -> Game:
        """Return a game; raises `UnknownGame` with the nearest name."""
        from bartizan.engine import registry

        return registry.get(name)

    def terms(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Terms:
        """Fill in the defaults of a new table's terms; raises what `Match` raises."""
        from bartizan.engine import registry
        from bartizan.match.aim import require_physics
        from bartizan.match.progress import check_seed, hash_of_seed

        of_game = registry.get(game)
        count = of_game.check_seats(seats)
        values = of_game.read_options(options, count)
        of_game.blank(values, count, 0)  # options may not fit the number of seats
        require_physics(of_game, values)
        word = check_seed(seed) if seed is not None else secrets.token_hex(16)
        return Terms(values.write(), count, word, hash_of_seed(word))

    def match(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Match:
        """Deal a game."""
        from bartizan.match import Match

        return Match(game, options, seats=seats, seed=seed)

    def game_of(self, text: str) -> str:
        """Return the name of a record's game."""
        from bartizan.match import GameRecord

        return self.game(GameRecord.parse(text).game).name

    def plies_of(self, text: str) -> int:
        """Count the moves of a record without playing them."""
        from bartizan.match import GameRecord

        return len(GameRecord.parse(text).moves)

    def replay(self, text: str) -> Match:
        """Read a record and replay it."""
        from bartizan.match import GameRecord, Match

        return Match.of(GameRecord.parse(text))

    def player(self, game: str, name: str) -> Program:
        """Return a player program for one seat of one table."""
        from bartizan.engine import registry
        from bartizan.search.players import Player

        # Fresh dice: what a program throws must not follow from the seed, which is published at the end.
        return _Seated(Player.named(registry.get(game), name, secrets.randbits(64)))

    def verdicts(self, match: Match) -> Iterator[Verdict]:
        """Judge the decisions of a match one by one."""
        from bartizan.match.analysis import verdicts

        return verdicts(match)

    def conclude(self, match: Match, verdicts: Sequence[Verdict], settlement: Outcome | None) -> Analysis:
        """Sum up the verdicts on a match at its end."""
        from bartizan.match.analysis import conclude

        return conclude(match, verdicts, settlement.returns if settlement else None)


class _Seated:
    """One of our computer players at a table."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, match: Match) -> CheckedMove:
        """Return its move, using what it thought before."""
        return match.throws.choose(self._player)
