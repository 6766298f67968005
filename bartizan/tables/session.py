"""Run one table: its log and state, who is there, what they ask, and the programs at its seats."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from bartizan.engine.errors import BartizanError, GameOver
from bartizan.engine.layout import is_throw
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Hint
from bartizan.tables.checks import check_change, check_claim, check_favour, check_turn
from bartizan.tables.company import Company
from bartizan.tables.errors import NotAllowed, Overtaken, StaleVersion, TooMany
from bartizan.tables.exchange import EXCHANGE, VERSION
from bartizan.tables.limits import Bucket
from bartizan.tables.live import LiveTable
from bartizan.tables.messages import Message, encoder
from bartizan.tables.presence import Listener
from bartizan.tables.programs import Programs
from bartizan.tables.questions import Questions
from bartizan.tables.report import report
from bartizan.tables.services import Services
from bartizan.tables.state import TableState, entry_of, favour
from bartizan.tables.store import Entry, Kind, TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove

# What could be asked for again and again without a move, until the log is full.
WISHES: frozenset[Kind] = frozenset({"ask", "resume", "return"})
TRIES = 3  # of a change that others are before
MOST_KEYS = 16  # of seats that were left, given to others


class TableSession:
    """One table in memory, as sockets and requests see it.

    All methods are for the event loop; slow work goes to the pools of `services`.
    """

    def __init__(
        self,
        row: TableRow,
        services: Services,
        deal_again: Callable[[TableRow, Outcome | None], Awaitable[str]],
    ) -> None:
        self._deal_again = deal_again
        self._log = services.log
        self._table = LiveTable(row, services)
        self._pool = services.throwing
        limits = services.limits
        self._wishes = Bucket(limits.wishes_per_second, limits.wish_burst)
        self._throws = Bucket(limits.table_throws_per_second, limits.table_throw_burst)
        self._worker = services.thinking.worker(  # for programs and hints
            services.games, row, lambda: self._table.seed, self._table.presence.owner
        )
        self._programs = Programs(self._table, services, self._worker)
        self.questions = Questions(self._table, services)
        self.company = Company(row, services, self._table.presence)
        self._changes: set[asyncio.Task[int]] = set()
        self._limits = limits
        self._short_work = services.pool
        self._came: dict[int, float] = {}  # by seat: when its person came before the deal, monotonic
        self._shares_due = 0.0  # when shares are waited for no longer, monotonic
        self._dealing: asyncio.TimerHandle | None = None
        self._looking: set[asyncio.Task[None]] = set()

    @property
    def row(self) -> TableRow:
        """What is known of the table before its first move."""
        return self._table.row

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
        self.company.forget()

    # Coming and going ------------------------------------------------------------------------------------

    def subscribe(self, listener: Listener) -> None:
        """Let a socket hear of changes, once `greet` has told it the present; raises `TooMany`."""
        self._table.presence.join(listener)

    def leave(self, listener: Listener) -> None:
        """Stop telling a socket."""
        self._table.presence.leave(listener)

    async def greet(self, listener: Listener, version: int | None = None) -> None:
        """Tell a socket the table as it is, or that it is still at the `version` which the client has."""
        await self.company.load()
        async with self._table.open() as state:
            await self._settle_time(state)
            if listener.seat and not state.is_dealt:
                self._came.setdefault(listener.seat, time.monotonic())
            self._table.presence.greet(listener, state, version)
            await self._deal_if_due(state)
            if times := self._table.times(state):
                listener.send(encoder.encode(times))
        self.company.greet(listener)
        self._programs.wake()

    async def introduce(self, seat: int, name: str, arms: str) -> None:
        """Keep and tell what a seat's person is called; raises `BadRequest`, `NotAllowed`, `TooMany`."""
        async with self._table.open() as state:
            names = state.setting.seat_names
        await self.company.introduce(seat, name, arms, names)

    # Other processes -------------------------------------------------------------------------------------

    async def catch_up(self, version: int) -> None:
        """Take in what another process wrote to the log, which is at this version now."""
        await self._table.catch_up(version)
        if self._table.state is not None and self._table.state.exchange.is_revealing:
            async with self._table.open() as state:
                await self._deal_if_due(state)
        self._programs.wake()

    def announce(self) -> None:
        """Tell other processes who is here."""
        self._table.presence.announce()

    def hear_here(self, process: str, seats: tuple[int, ...]) -> None:
        """Take in from which seats somebody looks at the table through another process."""
        if self._table.presence.hear_here(process, seats):
            self._programs.wake()

    def hear_thinking(self, process: str, seat: int) -> None:
        """Take in that a program thinks in another process, or with 0 that it has finished."""
        self._table.presence.hear_thinking(process, seat)

    async def hear_talk(self) -> None:
        """Take in what was said through another process."""
        try:
            await self.company.hear()
        except BartizanError as error:
            report(error)

    def dismiss(self, message: Message) -> None:
        """Tell everybody here a last message, and end the conversations."""
        self._table.presence.dismiss(message)

    def tell(self, message: Message) -> None:
        """Tell something to everybody here."""
        self._table.presence.tell_all(message)

    # Changes ---------------------------------------------------------------------------------------------

    async def change(
        self,
        seat: int,
        kind: Kind,
        id_: str,
        version: int,
        move: str | int = "",
        acknowledge: Callable[[int], None] | None = None,
    ) -> int:
        """Add an entry to the log for a seat; return the version that it made once it is durable.

        `move` is the move, of an ``ask`` what is asked for, of a ``commit`` or ``share`` what is given.
        `acknowledge` is called with the version as soon as everybody was told.
        A message id that is in the log already is acknowledged again and nothing happens.  Raises
        `StaleVersion`, `NotAllowed`, `NothingToUndo`, `NotYourTurn`, `GameOver`, and what `Match.check`
        raises of a move: `IllegalMove`, `UnknownMove` and the like; then nothing happened.
        """
        # A task of its own: what was begun is finished even if the socket goes away meanwhile.
        change = asyncio.ensure_future(self._change(seat, kind, id_, version, move, acknowledge))
        self._changes.add(change)
        change.add_done_callback(self._changes.discard)
        return await asyncio.shield(change)

    async def _change(
        self,
        seat: int,
        kind: Kind,
        id_: str,
        version: int,
        move: str | int,
        acknowledge: Callable[[int], None] | None,
    ) -> int:
        made = await self._change_at_last(seat, kind, id_, version, move)
        if acknowledge is not None:
            acknowledge(made)
        return made

    async def _change_at_last(self, seat: int, kind: Kind, id_: str, version: int, move: str | int) -> int:
        for _ in range(TRIES):
            try:
                return await self._change_once(seat, kind, id_, version, move)
            except Overtaken:  # by another process: it may be possible still, and is looked at anew
                continue
        return await self._change_once(seat, kind, id_, version, move)

    async def _change_once(self, seat: int, kind: Kind, id_: str, version: int, move: str | int) -> int:
        async with self._table.open() as state:
            made = state.acknowledged.get((seat, id_))
            if made is None:
                if await self._settle_time(state):
                    raise GameOver("The time ran out before this came.")
                check_change(state, seat, kind, version)
                if kind in WISHES and not self._wishes.take():
                    raise TooMany("Too much is asked for at this table; wait a moment.")
                checked, entry = None, Entry(kind, seat, "", id_)
                if kind == "move":
                    check_turn(state, seat)
                    checked = await self._check(state, seat, move)
                    entry = entry_of(checked, seat, id_)
                elif kind == "rematch" and state.all_want_rematch(seat):
                    entry = Entry(kind, seat, await self._deal_again(self.row, state.outcome), id_)
                elif kind in ("undo", "redo"):
                    entry = Entry(kind, seat, _far(state, seat, kind), id_)
                elif kind == "ask":
                    check_favour(state, seat, what := favour(str(move)))
                    entry = Entry(kind, seat, what, id_)
                elif kind == "resume":
                    self._check_company(state)
                elif kind in EXCHANGE:
                    state.exchange.check(kind, seat, str(move))
                    self._check_patience(state, kind)
                    entry = Entry(kind, seat, f"{VERSION}{move}", id_)
                made = await self._table.append(state, entry, checked)
                if kind in EXCHANGE:
                    await self._deal_if_due(state)
        self._programs.wake()
        return made

    # The deal --------------------------------------------------------------------------------------------

    def _check_patience(self, state: TableState, kind: Kind) -> None:
        """Raise `NotAllowed` where somebody has just come whose share would be left out."""
        latest = time.monotonic() - self._limits.share_seconds
        here = self._table.presence.here
        fresh = [s for s in state.exchange.missing if s in here and self._came.get(s, latest) > latest]
        if kind == "close" and fresh:
            raise NotAllowed(f"Seat {fresh[0]} has just come: give it a moment to add its share.")

    async def _deal_if_due(self, state: TableState) -> None:
        """Deal once all shares are there, or have been waited for long enough; else look again then."""
        exchange = state.exchange
        if not exchange.is_revealing:
            return
        now = time.monotonic()
        self._shares_due = self._shares_due or now + self._limits.share_seconds
        if not exchange.is_complete and now < self._shares_due:
            if self._dealing is None:
                loop = asyncio.get_running_loop()
                self._dealing = loop.call_later(self._shares_due - now + 0.01, self._look_again)
            return
        if self._dealing:
            self._dealing.cancel()
            self._dealing = None
        dealt = await asyncio.get_running_loop().run_in_executor(self._short_work, state.make_deal)
        with contextlib.suppress(StaleVersion):  # another process dealt: that was taken in
            await self._table.append(state, Entry("deal", 0, VERSION), dealt=dealt)

    def _look_again(self) -> None:
        self._dealing = None
        if not self._table.presence.is_empty:  # else it is looked at when somebody comes
            looking = asyncio.ensure_future(self._look())
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)

    async def _look(self) -> None:
        try:
            async with self._table.open() as state:
                await self._deal_if_due(state)
            self._programs.wake()
        except Exception as error:  # noqa: BLE001 - who comes next has it tried again
            report(error)

    # Seats that were left --------------------------------------------------------------------------------

    async def claim(
        self, seat: int, id_: str, version: int, left: int, how: Literal["program", "key", "adjourn"]
    ) -> tuple[int, str]:
        """Decide about the seat of somebody who has left; return the version, and a key if one is asked.

        Raises `NotAllowed`, `GameOver`, `StaleVersion`.
        """
        async with self._table.open() as state:
            await self._settle_time(state)
            if (made := state.acknowledged.get((seat, id_))) is not None and how != "key":
                return made, ""
            if not state.changed_at <= version <= state.version:
                raise StaleVersion(f"The table is at version {state.version}.")
            state.check_room()
            check_claim(state, seat, left, how, is_left=self._table.presence.is_left(left))
            token, key = "", None
            if how == "key":
                if len(self.row.more_keys) >= MOST_KEYS:
                    raise NotAllowed("This seat has been given away too often.")
                token = secrets.token_urlsafe(24)
                key = hashlib.sha256(token.encode()).digest(), left
            text = {"program": str(left), "key": f"key {left}", "adjourn": ""}[how]
            kind: Kind = "adjourn" if how == "adjourn" else "claim"
            made = await self._table.append(state, Entry(kind, seat, text, id_), key=key)
            if key is not None:
                more = (*self.row.more_keys, key)
                self._table.row = state.row = msgspec.structs.replace(self.row, more_keys=more)
        self._programs.wake()
        return made, token

    async def read_keys(self) -> None:
        """Take in keys of seats that another process has given."""
        row = await self._log.table(self.row.table)
        if row is not None:
            self._table.row = msgspec.structs.replace(self.row, more_keys=row.more_keys)

    async def let_flag_fall(self) -> None:
        """Have who is out of time lose, though nobody asks for it."""
        async with self._table.open() as state:
            await self._settle_time(state)
            if not self._table.is_out_of_time(state):
                self._table.watch_clock()
        self._programs.wake()

    async def _settle_time(self, state: TableState) -> bool:
        """Have who is out of time lose before anything else happens; return whether somebody was."""
        if not state.clocks or not self._table.is_out_of_time(state):
            return False
        await self._table.append(state, Entry("flag", state.clocks.running))
        return True

    def _check_company(self, state: TableState) -> None:
        """Raise `NotAllowed` where a game would go on by the clock while somebody is away."""
        rule = self.row.agreement.clock
        if rule is None or rule.kind == "days":
            return
        here = self._table.presence.here
        away = [seat for seat in state.others_asked(0) if seat not in here]
        if away:
            raise NotAllowed("The clocks go on when everybody is back; somebody is away.")

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


def _far(state: TableState, seat: int, kind: Kind) -> str:
    """Return the ply to which a seat goes back or forward, as an entry holds it: empty for one ply."""
    ply = state.match.ply
    target = state.undo_ply(seat) if kind == "undo" else state.redo_ply(seat)
    return "" if abs(target - ply) == 1 else str(target)
