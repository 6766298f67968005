"""Let a table's programs move while someone is watching."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from bartizan.engine.errors import BartizanError
from bartizan.tables.entries.moves import Played
from bartizan.tables.errors import Overtaken
from bartizan.tables.live import LiveTable
from bartizan.tables.replay import ReplayedMatch
from bartizan.tables.report import report, without_secrets
from bartizan.tables.services import Services
from bartizan.tables.state import LONGEST_LOG
from bartizan.tables.thinking import ReplayWorker

if TYPE_CHECKING:
    from bartizan.match import CheckedMove

log = logging.getLogger("bartizan.server")


class _Deserted(Exception):
    """No one is left at the table to watch a program move."""


class Programs:
    """The programs of one table."""

    def __init__(self, table: LiveTable, services: Services, worker: ReplayWorker) -> None:
        self._table = table
        self._services = services
        self._worker = worker
        self._playing: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a program is about to move."""
        return self._playing is not None and not self._playing.done()

    def wake(self) -> None:
        """Let a program move if it is its turn and someone is watching."""
        state = self._table.state
        if state is None or not state.program_to_move or not self._is_wanted:
            return
        if not self.is_busy:
            self._playing = asyncio.ensure_future(self._play())

    @property
    def _is_wanted(self) -> bool:
        """Whether someone watches through this process, and this process moves the programs."""
        return not self._table.presence.is_empty and self._table.presence.leads

    async def _play(self) -> None:
        try:
            while self._is_wanted:
                async with self._table.open() as state:
                    program, seat, version = state.program_to_move, state.seat_to_move, state.version
                    if not program or version >= LONGEST_LOG:
                        return
                    moves = state.moves_at(version)
                # If another process has moved in the meantime, check again whose turn it is.
                with contextlib.suppress(_Deserted, Overtaken):
                    move = await self._choose(seat, program, moves)
                    async with self._table.open() as state:
                        if state.version == version and self._table.presence.is_current:
                            await self._table.append(state, seat, Played.of(move))
        except BartizanError as error:
            log.error("a program could not move: %s", without_secrets(str(error)))
        except Exception as error:  # noqa: BLE001 - the table stays usable for the others
            report(error)

    async def _choose(self, seat: int, program: str, moves: list[CheckedMove]) -> CheckedMove:
        """Return a program's move, and report that it is thinking if that takes a while.

        Raises `_Deserted` if everyone has left when it gets its turn to think.
        """
        target = self._services.games.target_for(self._table.row.game, program)
        await self._table.preparations.ready(target)

        def think(replayed: ReplayedMatch) -> CheckedMove:
            if self._table.presence.is_empty:
                raise _Deserted
            return replayed.choose(moves, program)

        presence, limits = self._table.presence, self._services.limits
        self._services.thinking.touch(self._worker, self._table.row)
        loop = asyncio.get_running_loop()
        announcing = loop.call_later(limits.thinking_after, presence.tell_thinking, seat)
        try:
            move, _ = await asyncio.gather(self._worker.run(think), asyncio.sleep(limits.program_pause))
        finally:
            announcing.cancel()
            presence.tell_thinking(0)
        return move
