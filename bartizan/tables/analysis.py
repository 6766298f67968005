"""Look back on a table's finished game, off the loop and a decision at a time, so that others have a turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import Executor

from bartizan.engine.scene import Analysis, Verdict
from bartizan.server.schema import Analysed
from bartizan.tables.provider import GameProvider, Playable
from bartizan.tables.state import TableState

TOLD_AFTER = 1.0  # seconds that who asks waits for the end before it hears how far it is
WANTED_FOR = 20.0  # seconds that it goes on after somebody asked last


class AnalysisJob:
    """What is found of one finished game.  Begun by who asks for it; it rests while nobody does."""

    def __init__(self, host: GameProvider, state: TableState, pool: Executor) -> None:
        self.ply = state.changed  # of the table that it is about
        self._host = host
        self._pool = pool
        self._row = state.row
        self._line, self._count = state.stop(state.ply)
        self._scores = state.agreed_scores()
        self._plies = state.plies_of_line()
        self._found: list[Verdict] = []
        self._analysis: Analysis | None = None
        self._match: Playable | None = None
        self._verdicts: Iterator[Verdict] = iter(())
        self._work: asyncio.Task[None] | None = None
        self._asked = 0.0

    async def report(self) -> Analysed:
        """Tell what has been found, after a second at most; raises what went wrong."""
        self._asked = time.monotonic()
        if self._analysis is None:
            if self._work is None or self._work.done():
                self._work = asyncio.ensure_future(self._go_on())
            done, _ = await asyncio.wait([self._work], timeout=TOLD_AFTER)
            for work in done:
                work.result()
        return Analysed(done=len(self._found), total=self._count, plies=self._plies, analysis=self._analysis)

    async def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        while self._analysis is None and time.monotonic() - self._asked < WANTED_FOR:
            await loop.run_in_executor(self._pool, self._step)

    def _step(self) -> None:
        """Judge the next decision, or after the last one sum up."""
        if self._match is None:
            row = self._row
            match = self._host.match(row.game, row.options, row.seats, row.seed)
            for text in self._line[: self._count]:
                match.play(text)
            self._match, self._verdicts = match, self._host.verdicts(match)
        verdict = next(self._verdicts, None)
        if verdict is not None:
            self._found.append(verdict)
        else:
            self._analysis = self._host.conclude(self._match, self._found, self._scores)
            self._match = None
