"""Review a table's finished game off the loop, one decision at a time, so that others have a turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from bartizan.engine.scene import Analysis, Verdict
from bartizan.tables.messages import Analysed
from bartizan.tables.provider import GameProvider
from bartizan.tables.state import TableState

if TYPE_CHECKING:
    from bartizan.match import Match

ANSWER_AFTER = 1.0  # seconds that a request waits for the end before it gets a progress report
WANTED_FOR = 20.0  # seconds that it continues after the last request


class AnalysisJob:
    """The analysis of one finished game.  It starts with the first request and pauses when requests stop."""

    def __init__(self, games: GameProvider, state: TableState, pool: Executor) -> None:
        self.version = state.changed_at  # the table
        self._games = games
        self._pool = pool
        self._row = state.row
        self._seed = state.exchange.seed
        self._moves = state.moves_at(state.version)
        self._settlement = state.outcome if state.is_settled else None
        self._versions = state.versions_of_line()
        self._verdicts: list[Verdict] = []
        self._analysis: Analysis | None = None
        self._match: Match | None = None
        self._coming: Iterator[Verdict] = iter(())
        self._work: asyncio.Task[None] | None = None
        self._last_asked = 0.0

    async def report(self) -> Analysed:
        """Return the progress, after at most a second; raises the analysis's error."""
        self._last_asked = time.monotonic()
        if self._analysis is None:
            if self._work is None or self._work.done():
                self._work = asyncio.ensure_future(self._go_on())
            done, _ = await asyncio.wait([self._work], timeout=ANSWER_AFTER)
            for work in done:
                work.result()
        return Analysed(
            done=len(self._verdicts),
            total=len(self._moves),
            versions=self._versions,
            analysis=self._analysis,
        )

    async def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        while self._analysis is None and time.monotonic() - self._last_asked < WANTED_FOR:
            await loop.run_in_executor(self._pool, self._step)

    def _step(self) -> None:
        """Judge the next decision, or sum up after the last one."""
        if self._match is None:
            row = self._row
            match = self._games.match(row.game, row.options, row.seats, self._seed)
            for move in self._moves:
                match.push(move)
            self._verdicts.clear()  # after an error the next request starts over
            self._match, self._coming = match, self._games.verdicts(match)
        try:
            verdict = next(self._coming, None)
        except BaseException:
            self._match = None
            raise
        if verdict is not None:
            self._verdicts.append(verdict)
        else:
            self._analysis = self._games.conclude(self._match, self._verdicts, self._settlement)
            self._match = None
