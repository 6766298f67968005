"""Run one table: its log and state, who is there, what they ask, and the programs at its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bartizan.engine.layout import is_throw
from bartizan.engine.scene import Hint
from bartizan.tables.checks import check_change, check_turn
from bartizan.tables.errors import TooMany
from bartizan.tables.limits import Bucket
from bartizan.tables.live import LiveTable
from bartizan.tables.presence import Listener
from bartizan.tables.programs import Programs
from bartizan.tables.questions import Questions
from bartizan.tables.services import Services
from bartizan.tables.state import TableState, entry_of
from bartizan.tables.store import Entry, Kind, TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove


class TableSession:
    """One table in memory, as sockets and requests see it.

    All methods are for the event loop; slow work goes to the pools of `services`.
    """

    def __init__(
        self, row: TableRow, services: Services, deal_again: Callable[[TableRow], Awaitable[str]]
    ) -> None:
        self.row = row
        self._deal_again = deal_again
        self._table = LiveTable(row, services)
        self._pool = services.throwing
        limits = services.limits
        self._throws = Bucket(limits.table_throws_per_second, limits.table_throw_burst)
        self._worker = services.thinking.worker(services.games, row)  # for programs and hints
        self._programs = Programs(self._table, services, self._worker)
        self.questions = Questions(self._table, services)
        self._changes: set[asyncio.Task[int]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether somebody is here or something is under way."""
        idle = self._table.presence.is_empty and not self._changes
        return not idle or self._programs.is_busy or self._table.is_busy

    def unload(self) -> None:
        """Forget what can be had again from the log."""
        self._table.forget()
        self._worker.forget()
        self.questions.forget()

    # Coming and going ------------------------------------------------------------------------------------

    def subscribe(self, listener: Listener) -> None:
        """Let a socket hear of changes, once `greet` has told it the present; raises `TooMany`."""
        self._table.presence.join(listener)

    def leave(self, listener: Listener) -> None:
        """Stop telling a socket."""
        self._table.presence.leave(listener)

    async def greet(self, listener: Listener, version: int | None = None) -> None:
        """Tell a socket the table as it is, or that it is still at the `version` which the client has."""
        async with self._table.open() as state:
            self._table.presence.greet(listener, state, version)
        self._programs.wake()

    async def catch_up(self) -> None:
        """Take in what another process wrote to the log."""
        await self._table.catch_up()
        self._programs.wake()

    # Changes ---------------------------------------------------------------------------------------------

    async def change(self, seat: int, kind: Kind, id_: str, version: int, move: str | int = "") -> int:
        """Add an entry to the log for a seat; return the version that it made once it is durable.

        A message id that is in the log already is acknowledged again and nothing happens.  Raises
        `StaleVersion`, `NotAllowed`, `NothingToUndo`, `NotYourTurn`, `GameOver`, and what `Match.check`
        raises of a move: `IllegalMove`, `UnknownMove` and the like; then nothing happened.
        """
        # A task of its own: what was begun is finished even if the socket goes away meanwhile.
        change = asyncio.ensure_future(self._change(seat, kind, id_, version, move))
        self._changes.add(change)
        change.add_done_callback(self._changes.discard)
        return await asyncio.shield(change)

    async def _change(self, seat: int, kind: Kind, id_: str, version: int, move: str | int) -> int:
        async with self._table.open() as state:
            made = state.acknowledged.get((seat, id_))
            if made is None:
                check_change(state, seat, kind, version)
                checked, entry = None, Entry(kind, seat, "", id_)
                if kind == "move":
                    check_turn(state, seat)
                    checked = await self._check(state, seat, move)
                    entry = entry_of(checked, seat, id_)
                elif kind == "rematch" and state.all_want_rematch(seat):
                    entry = Entry(kind, seat, await self._deal_again(self.row), id_)
                made = await self._table.append(state, entry, checked)
        self._programs.wake()
        return made

    async def _check(self, state: TableState, seat: int, move: str | int) -> CheckedMove:
        """Check a move; a throw is made, beside the loop: then the move is what the card did."""
        if not is_throw(move):
            return state.match.check_by_hand(move, seat)
        if not self._throws.take():
            raise TooMany("Cards are thrown too fast at this table; throw again in a moment.")
        aim = state.match.read_throw(str(move), seat)
        flown = await asyncio.get_running_loop().run_in_executor(self._pool, aim.fly)
        return state.match.check_throw(flown)

    async def hint(self, seat: int, id_: str) -> list[Hint]:
        """Advise a seat whose turn it is, and count it."""
        async with self._table.open() as state:
            check_change(state, seat, "hint", state.version)
            check_turn(state, seat)
            version, moves = state.changed_at, state.moves_at(state.version)
        await self._table.preparations.ready("search")
        hints = await self._worker.run(lambda replayed: replayed.at(moves).hints())
        await self.change(seat, "hint", id_, version)
        return hints
