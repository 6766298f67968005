"""Run one table: its log and state, its people, their requests, and its computer players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bartizan.engine.errors import BartizanError, GameOver
from bartizan.engine.scene import Hint
from bartizan.tables.dealing import Dealing
from bartizan.tables.entries.base import Entry, Request, check_request
from bartizan.tables.entries.clocks import Flag
from bartizan.tables.entries.invitations import Join, OpenedIn, is_elsewhere, seat_invited
from bartizan.tables.entries.moves import HintTaken
from bartizan.tables.errors import Overtaken, TooMany
from bartizan.tables.limits import Bucket
from bartizan.tables.live import LiveTable
from bartizan.tables.messages import Message, encoder
from bartizan.tables.peers import Change
from bartizan.tables.people import People
from bartizan.tables.presence import Listener
from bartizan.tables.programs import Programs
from bartizan.tables.provider import PERSON
from bartizan.tables.questions import Questions
from bartizan.tables.report import report
from bartizan.tables.services import Services
from bartizan.tables.state import TableState
from bartizan.tables.store import TableRow
from bartizan.tables.surroundings import DealAgain, TableSurroundings

TRIES = 3  # of a change that others overtook


class TableSession:
    """One table in memory, as sockets and requests see it.

    All methods are for the event loop; slow work goes to the pools of `services`.
    """

    def __init__(
        self,
        row: TableRow,
        services: Services,
        deal_again: DealAgain,
    ) -> None:
        self._log = services.log
        self._table = LiveTable(row, services)
        self._around = TableSurroundings(self._table, services, deal_again)
        limits = services.limits
        self._wishes = Bucket(limits.wishes_per_second, limits.wish_burst)
        self._worker = services.thinking.worker(  # for programs and hints
            services.games, row, lambda: self._table.seed, self._table.presence.owner
        )
        self._programs = Programs(self._table, services, self._worker)
        self.questions = Questions(self._table, services)
        self.people = People(row, services, self._table.presence)
        self._changes: set[asyncio.Task[int]] = set()
        self._dealing = Dealing(self._table, services, self._programs.wake)

    @property
    def row(self) -> TableRow:
        """What is known about the table before its first move."""
        return self._table.row

    @property
    def is_busy(self) -> bool:
        """Whether someone is here or work is in progress."""
        idle = self._table.presence.is_empty and not self._changes
        return not idle or self._programs.is_busy or self._table.is_busy

    def unload(self) -> None:
        """Free everything that can be rebuilt from the log."""
        self._table.forget()
        self._worker.forget()
        self.questions.forget()
        self.people.forget()

    # Coming and going -------------------------------------------------------------------------------------

    def subscribe(self, listener: Listener) -> None:
        """Add a socket, which gets changes once `greet` has sent it the table; raises `TooMany`."""
        self._table.presence.join(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a socket."""
        self._table.presence.leave(listener)

    async def greet(self, listener: Listener, version: int | None = None) -> None:
        """Send a socket the table, or only that it is still at the client's `version`."""
        await self.people.load()
        await self._note_browser(listener)
        async with self._table.open() as state:
            await self._settle_time(state)
            if listener.seat and not state.is_dealt:
                self._around.note_arrival(listener.seat)
            self._table.presence.greet(listener, state, version)
            await self._dealing.go_on(state)
            if times := self._table.times(state):
                listener.send(encoder.encode(times))
        self.people.greet(listener)
        self._programs.wake()

    async def introduce(self, seat: int, name: str, arms: str) -> None:
        """Store and announce a person's name; raises `BadRequest`, `NotAllowed`, `TooMany`."""
        async with self._table.open() as state:
            names = state.setting.seat_names
        await self.people.introduce(seat, name, arms, names)

    # Other processes -------------------------------------------------------------------------------------

    async def catch_up(self, version: int) -> None:
        """Apply the entries that another process wrote to the log, which is now at this version."""
        await self._table.catch_up(version)
        if self._table.state is not None and self._table.state.exchange.is_revealing:
            async with self._table.open() as state:
                await self._dealing.go_on(state)
        self._programs.wake()

    def repeat_thinking(self) -> None:
        """Tell other processes again if a program is thinking here."""
        self._table.presence.repeat_thinking()

    def hear_change(self, change: Change) -> None:
        """Handle that other seats are connected to the table through another process now."""
        self._table.presence.hear_change(change)
        self._dealing.look()
        self._programs.wake()

    def wake(self) -> None:
        """Let programs move and deals become void, if this process may decide that again."""
        self._dealing.look()
        self._programs.wake()

    def hear_thinking(self, process: str, seat: int) -> None:
        """Record that a program is thinking in another process, or with 0 that it has finished."""
        self._table.presence.hear_thinking(process, seat)

    async def hear_talk(self) -> None:
        """Pick up chat lines from another process."""
        try:
            await self.people.hear()
        except BartizanError as error:
            report(error)

    def dismiss(self, message: Message) -> None:
        """Send everyone here a last message, and close the connections."""
        self._table.presence.dismiss(message)

    def tell(self, message: Message) -> None:
        """Send something to everyone here."""
        self._table.presence.tell_all(message)

    # Changes ---------------------------------------------------------------------------------------------

    async def change(self, seat: int, request: Request, tell: Callable[[Message], None] | None = None) -> int:
        """Add the entry that a seat requests to the log; return its version once it is durable.

        `tell` is called with the answer as soon as everyone has been told. A message id that is already in
        the log is acknowledged again, and nothing happens. Raises the errors of `check_request` and
        `Request.settle`, and for a move those of `Match.check`; then nothing has happened.
        """
        # In its own task, so that it is finished even if the socket goes away.
        change = asyncio.ensure_future(self._change(seat, request, tell))
        self._changes.add(change)
        change.add_done_callback(self._note_done)
        return await asyncio.shield(change)

    def _note_done(self, change: asyncio.Task[int]) -> None:
        """Retrieve a change's error: whoever requested it may be gone."""
        self._changes.discard(change)
        if not change.cancelled() and (error := change.exception()) and not isinstance(error, BartizanError):
            report(error)

    async def _change(self, seat: int, request: Request, tell: Callable[[Message], None] | None) -> int:
        made, entry = await self._change_at_last(seat, request)
        if tell is not None:
            tell(entry.answer(made))
        return made

    async def _change_at_last(self, seat: int, request: Request) -> tuple[int, Entry]:
        for _ in range(TRIES):
            try:
                return await self._change_once(seat, request)
            except Overtaken:  # another process was first; the request may still be possible, so try again
                continue
        return await self._change_once(seat, request)

    async def _change_once(self, seat: int, request: Request) -> tuple[int, Entry]:
        entry: Entry = request
        async with self._table.open() as state:
            made = state.acknowledged.get((seat, request.id))
            if made is None or request.is_repeatable:
                if await self._settle_time(state):
                    raise GameOver("The time ran out before this came.")
                check_request(request, state, seat)
                if request.is_wish and not self._wishes.take():
                    raise TooMany("Too much is asked for at this table; wait a moment.")
                entry = await request.settle(state, seat, self._around)
                made = await self._table.append(state, seat, entry)
                await self._dealing.go_on(state)
        self._programs.wake()
        return made, entry

    async def join(self, code: str, key: str) -> int:
        """Exchange an invitation for a key, both hashed; return its seat once that is durable.

        Raises `BadToken` for an invitation that doesn't open a seat.
        """

        def wanted(state: TableState) -> tuple[int, Entry]:
            request = Join(id="", version=state.version, code=code, seat=seat_invited(state, code), opens=key)
            check_request(request, state, request.seat)
            return request.seat, request

        joining = asyncio.ensure_future(self._add(wanted))
        self._changes.add(joining)
        joining.add_done_callback(self._note_done)
        return await asyncio.shield(joining)

    async def _note_browser(self, listener: Listener) -> None:
        """Record that a browser has opened a seat for the first time, if others could open it too."""
        seat, browser = listener.seat, listener.browser
        if not seat or not browser or self.row.players.count(PERSON) < 2:
            return

        def wanted(state: TableState) -> tuple[int, Entry | None]:
            state.check_room()
            return seat, OpenedIn(browser=browser) if is_elsewhere(state, seat, browser) else None

        await self._add(wanted)

    async def _add(self, wanted: Callable[[TableState], tuple[int, Entry | None]]) -> int:
        """Add an entry outside the game, if one is still needed; return its seat."""
        while True:
            async with self._table.open() as state:
                seat, entry = wanted(state)
                if entry is None:
                    return seat
                try:
                    await self._table.append(state, seat, entry)
                except Overtaken:
                    continue
                return seat

    # Keys and clocks -----------------------------------------------------------------------------------

    async def read_keys(self) -> TableRow | None:
        """Load the keys to seats that another process has issued, and see which the host has blocked."""
        row = await self._log.table(self.row.table)
        if row is not None:
            self._table.note_keys(row)
        return row

    async def let_flag_fall(self) -> None:
        """Make a player who is out of time lose, without a request."""
        async with self._table.open() as state:
            await self._settle_time(state)
            if not self._table.is_out_of_time(state):
                self._table.watch_clock()
        self._programs.wake()

    async def _settle_time(self, state: TableState) -> bool:
        """Make a player who is out of time lose before anything else; return whether there was one."""
        if not state.clocks or not self._table.is_out_of_time(state):
            return False
        await self._table.append(state, state.clocks.running, Flag())
        return True

    async def hint(self, seat: int, id_: str) -> list[Hint]:
        """Give a hint to a seat whose turn it is, and count it."""
        async with self._table.open() as state:
            request = HintTaken(id=id_, version=state.changed_at)
            check_request(request, state, seat)
            moves = state.moves_at(state.version)
        await self._table.preparations.ready("search")
        hints = await self._worker.run(lambda replayed: replayed.at(moves).views.hints())
        await self.change(seat, request)
        return hints
