"""Run one table: its log folded in memory, its sockets, and the programs at its seats."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from bartizan.engine.errors import BartizanError, GameOver, IllegalMove, NothingToUndo, NotYourTurn, StalePly
from bartizan.engine.scene import Hint, Refusal, Scene
from bartizan.server.schema import (
    Analysed,
    Error,
    Preparation,
    Preparing,
    Present,
    Sync,
    Thinking,
    Tick,
    encoder,
)
from bartizan.tables.analysis import AnalysisJob
from bartizan.tables.errors import Conflict, NotAllowed, StorageError, TooMany
from bartizan.tables.jobs import ReplayWorker, ThinkingPool
from bartizan.tables.limits import Limits
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.state import LONGEST_LOG, Follower, TableState
from bartizan.tables.store import Entry, Kind, MoveLog, TableRow
from bartizan.tables.waiting import shared

if TYPE_CHECKING:
    from bartizan.compile.targets import Target

log = logging.getLogger("bartizan.server")
T = TypeVar("T")

SECRET = re.compile(r"[0-9A-Za-z_-]{14,}")


def report(error: BaseException) -> None:
    """Log an error nobody expected: where it came from, without anything that could be a key."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    text = " ".join(SECRET.sub("…", str(error)).split())[:300]
    log.error("unexpected %s: %s (%s)", type(error).__name__, text, places)


class Refusing(BartizanError):
    """A move that is not possible, with the clause and what stands in the way."""

    code = "illegal_move"

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class _Deserted(Exception):
    """Nobody is at the table any more for whom a program would move."""


class Listener(Protocol):
    """A socket as a table sees it."""

    seat: int
    greeted: bool

    def send(self, data: bytes) -> None:
        """Queue a message; never waits."""


class TableSession:
    """One table in memory.  All methods are for the event loop; slow work goes to `pool`."""

    def __init__(
        self,
        row: TableRow,
        host: GameProvider,
        moves: MoveLog,
        pool: Executor,
        minds: ThinkingPool,
        limits: Limits,
        deal_again: Callable[[TableRow], Awaitable[str]],
    ) -> None:
        self.row = row
        self._host = host
        self._moves = moves
        self._pool = pool
        self._limits = limits
        self._deal_again = deal_again
        self._lock = asyncio.Lock()  # held by whoever changes the log or reads the fold
        self._state: TableState | None = None
        self._listeners: set[Listener] = set()
        self._told: dict[int, Sync] = {}  # by seat: what its listeners were told last
        self._present: tuple[int, ...] = ()  # seats that somebody looks from, as told last
        self._tasks: set[asyncio.Task[object]] = set()
        self._program: asyncio.Task[None] | None = None
        self._thinking = 0  # the seat whose program was said to think
        self._preparing: dict[Target, asyncio.Future[None]] = {}
        self._minds = minds
        self._mind = minds.new(host, row)  # thinks for programs and hints
        self._past = ReplayWorker(host, row, pool)  # looks back
        self._study: AnalysisJob | None = None  # looks back on the whole game

    # Coming and going ------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether somebody is here or something is under way."""
        return bool(self._listeners or self._tasks) or self._lock.locked()

    def unload(self) -> None:
        """Forget what can be had again from the log."""
        if not self._lock.locked():
            self._state = None
        self._mind.forget()
        self._past.forget()

    def subscribe(self, listener: Listener) -> None:
        """Let a socket hear of changes, once `greet` has told it the present; raises `TooMany`."""
        if len(self._listeners) >= self._limits.sockets_per_table:
            raise TooMany("This table has as many onlookers as it takes.")
        self._listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        """Stop telling a socket."""
        self._listeners.discard(listener)
        self._tell_present()

    async def greet(self, listener: Listener, last: int | None = None) -> None:
        """Tell a socket the table as it is, or only its ply if it has seen `last` and nothing since."""
        async with self._opened() as state:
            listener.greeted = True
            if last == state.ply:
                listener.send(encoder.encode(Tick(ply=last)))
            else:
                listener.send(encoder.encode(self._sync(state, listener.seat)))
            self._tell_present(listener)
            if self._thinking:
                listener.send(encoder.encode(Thinking(seat=self._thinking)))
        self._wake()

    def _tell_present(self, newcomer: Listener | None = None) -> None:
        """Tell everybody who is here if that has changed, and in any case a newcomer.

        Only this process's sockets are known: who plays through another one counts as away.
        """
        if self.row.seats == 1:
            return
        greeted = [listener for listener in self._listeners if listener.greeted]
        present = tuple(sorted({listener.seat for listener in greeted} - {0}))
        if present == self._present:
            greeted = [newcomer] if newcomer else []
        self._present = present
        data = encoder.encode(Present(seats=present))
        for listener in greeted:
            listener.send(data)

    async def catch_up(self) -> None:
        """Take in what another process wrote to the log."""
        async with self._lock:
            if self._state is not None:
                await self._take_in_rest(self._state)
        self._wake()

    # Changes ---------------------------------------------------------------------------------------------

    async def change(self, seat: int, kind: Kind, id_: str, ply: int, move: str | int = "") -> int:
        """Add an entry to the log for a seat; return its ply once it is durable.

        A message id that is in the log already is acknowledged again and
        nothing happens.  Raises `StalePly`, `NotYourTurn`, `GameOver`,
        `Refusing` and what parsing raises; then nothing happened.
        """
        # A task of its own: what was begun is finished even if the socket goes away meanwhile.
        return await self._finish(self._change(seat, kind, id_, ply, move))

    async def _finish(self, work: Awaitable[T]) -> T:
        task: asyncio.Task[T] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _change(self, seat: int, kind: Kind, id_: str, ply: int, move: str | int) -> int:
        async with self._opened() as state:
            done = state.acknowledged.get((seat, id_))
            if done is None:
                self._check_asked(state, seat, kind, ply)
                text = self._checked_move(state, seat, move) if kind == "move" else ""
                if kind == "rematch" and state.all_want_rematch(seat):
                    text = await self._deal_again(self.row)
                done = await self._append(state, Entry(kind, seat, text, id_))
        self._wake()
        return done

    def _check_asked(self, state: TableState, seat: int, kind: Kind, ply: int) -> None:
        if not seat:
            raise NotAllowed("Spectators watch; a move needs the link of a seat.")
        if state.players[seat] != PERSON and kind != "rematch":  # who resigned may still want another game
            raise NotAllowed(f"Seat {seat} is played by {state.players[seat]!r}.")
        if not state.changed <= ply <= state.ply:
            raise StalePly(f"That was meant for ply {ply}; the table is at ply {state.ply}.")
        state.check_room()
        if kind == "undo" and not state.can_undo(seat):
            if state.match.ply and state.row.seats > 1:
                raise NothingToUndo(
                    "Only your own moves of this turn can be taken back, until one shows you something new."
                )
            raise NothingToUndo("Nothing has been played yet.")
        if kind == "redo" and not state.can_redo(seat):
            raise NothingToUndo("Nothing has been taken back.")
        if kind == "resign":
            if state.row.seats == 1:
                raise NotAllowed("There is nobody to resign to: take moves back, or deal anew.")
            if state.is_over:
                raise GameOver("The game is over.")
        if kind in ("offer", "agree", "decline"):
            self._check_draw(state, seat, kind)
        if kind == "rematch" and not state.can_rematch(seat):
            raise NotAllowed(_why_no_rematch(state, seat))

    def _check_draw(self, state: TableState, seat: int, kind: Kind) -> None:
        if state.is_over:
            raise GameOver("The game is over.")
        if state.row.players != (PERSON, PERSON):
            raise NotAllowed("A draw can be agreed upon between two persons only.")
        if kind == "offer":
            if state.draw_offer == seat:
                raise NotAllowed("Your offer stands; the other decides.")
            if state.draw_offer:
                raise NotAllowed("The other offers a draw already: accept or decline it.")
            if not state.can_offer_draw(seat):
                raise NotAllowed("Your offer was declined; play on before you offer again.")
        elif not state.draw_offer or state.draw_offer == seat:
            raise NotAllowed("Nobody offers you a draw.")

    def _check_turn(self, state: TableState, seat: int) -> None:
        asked = state.seat_to_move
        if not asked:
            raise GameOver("The game is over.")
        if asked != seat:
            raise NotYourTurn(f"It is seat {asked}'s turn." if seat else "Spectators only watch.")

    def _checked_move(self, state: TableState, seat: int, move: str | int) -> str:
        self._check_turn(state, seat)
        try:
            action = state.match.parse(move) if isinstance(move, str) else move
            refusal = state.match.why_not(action)
        except IllegalMove as error:
            raise Refusing(_refusal(error)) from error
        if refusal is not None:
            raise Refusing(refusal)
        return state.match.text(action)

    async def _append(self, state: TableState, entry: Entry) -> int:
        """Make an entry durable, then take it in and tell everybody."""
        try:
            await self._moves.append(self.row.table, state.ply + 1, entry)
        except Conflict as error:
            await self._take_in_rest(state)
            raise StalePly(f"Something else happened first; the table is at ply {state.ply}.") from error
        except StorageError:
            self._state = None  # the log may hold it all the same: read it again
            raise
        self._take_in(state, [entry])
        return state.ply

    def _take_in(self, state: TableState, entries: Sequence[Entry]) -> None:
        try:
            for entry in entries:
                state.apply(entry)
        except BaseException:
            self._state = None
            raise
        self._tell(state)

    async def _take_in_rest(self, state: TableState) -> None:
        entries = await self._moves.read(self.row.table, state.ply)
        if entries:
            self._take_in(state, entries)

    def _tell(self, state: TableState) -> None:
        """Send each seat what it may see; those for whom nothing changed get the bare ply."""
        said: dict[int, bytes] = {}
        before, self._told = self._told, {}
        for listener in tuple(self._listeners):
            if not listener.greeted:
                continue
            data = said.get(listener.seat)
            if data is None:
                data = said[listener.seat] = self._news(state, listener.seat, before.get(listener.seat))
            listener.send(data)

    def _news(self, state: TableState, seat: int, before: Sync | None) -> bytes:
        try:
            now = self._sync(state, seat)
        except Exception as error:  # noqa: BLE001 - what cannot be drawn has happened all the same
            report(error)
            sentence = (
                f"The table is at ply {state.ply}, but it cannot be drawn; taking the move back may help."
            )
            return encoder.encode(Error(code="internal", sentence=sentence))
        same = before is not None and msgspec.structs.replace(before, ply=now.ply) == now
        return encoder.encode(Tick(ply=now.ply) if same else now)

    def _sync(self, state: TableState, seat: int) -> Sync:
        told = self._told.get(seat)
        if told is None or told.ply != state.ply:
            told = self._told[seat] = state.sync(seat)
        return told

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[TableState]:
        """Hold the lock and give the fold, read from the log if need be, once the game can be played."""
        await self._prepared("table")  # without the lock: this may take a minute
        async with self._lock:
            if self._state is None:
                entries = await self._moves.read(self.row.table)
                self._told = {}
                loop = asyncio.get_running_loop()
                self._state = await loop.run_in_executor(
                    self._pool, lambda: TableState.begin(self._host, self.row, entries)
                )
            yield self._state

    async def _prepared(self, target: Target) -> None:
        """Wait until a stage of the game is compiled and loaded; those who are here see how far it is."""
        preparing = self._preparing.get(target)
        if preparing is None or (preparing.done() and preparing.exception()):
            preparing = self._preparing[target] = asyncio.ensure_future(self._prepare(target))
        await shared(preparing)

    async def _prepare(self, target: Target) -> None:
        ready = asyncio.ensure_future(self._host.prepare(self.row.game, target))
        told = False
        while not (await asyncio.wait([ready], timeout=self._limits.preparing_told))[0]:
            told = True
            self._tell_preparing(target, self._host.preparation(self.row.game, target) or Preparation())
        if told:
            self._tell_preparing(target, None)
        ready.result()

    def _tell_preparing(self, target: Target, preparation: Preparation | None) -> None:
        self._tell_all(Preparing(what="game" if target == "table" else "player", preparation=preparation))

    def _tell_all(self, message: Preparing | Thinking) -> None:
        """Tell something to everybody here that needs no table to be understood."""
        data = encoder.encode(message)
        for listener in tuple(self._listeners):
            listener.send(data)

    # Questions -------------------------------------------------------------------------------------------

    async def why(self, seat: int, items: Sequence[str] | None, move: str | int | None) -> Refusal:
        """Explain why a move, or touching these ids, is not possible now."""
        async with self._opened() as state:
            self._check_turn(state, seat)
            if move is None:
                return state.match.why_not_items(items or [])
            try:
                self._checked_move(state, seat, move)
            except Refusing as refusing:
                return refusing.refusal
            return Refusal(clause="", sentence="Nothing forbids this move: it can be played now.")

    async def hint(self, seat: int, id_: str) -> list[Hint]:
        """Advise a seat whose turn it is, and count it."""
        async with self._opened() as state:
            self._check_asked(state, seat, "hint", state.ply)
            self._check_turn(state, seat)
            ply = state.changed
            line, count = state.stop(state.ply)
        await self._prepared("search")
        hints = await self._mind.work(lambda mind: mind.follow(line, count).hints())
        await self.change(seat, "hint", id_, ply)
        return hints

    async def view(self, seat: int, ply: int) -> Scene:
        """Draw an earlier ply of the table as this seat saw it then; raises `StalePly`."""
        async with self._opened() as state:
            if not 0 <= ply <= state.ply:
                raise StalePly(f"There is no ply {ply} yet; the table is at ply {state.ply}.")
            if ply == state.ply:
                return msgspec.structs.replace(state.scene(seat), choices=())
            line, count = state.stop(ply)
        return await self._past.work(lambda past: past.follow(line, count).scene(seat, choices=False))

    async def record(self, seat: int) -> str:
        """Return the game as a record; before its end without the seed, and only what the seat has seen."""
        async with self._opened() as state:
            record = state.match.record(secret_seed=state.is_over)
            if not state.is_over:
                seen = [line.move for line in state.match.log(seat, state.match.ply)]
                if seen != state.match.moves or record.position is not None:
                    raise NotAllowed("The record of this game can be had once it is over.")
            return str(record.text())

    async def analysis(self) -> Analysed:
        """Tell how far the look back on the finished game is; raises `NotAllowed` before its end."""
        async with self._opened() as state:
            if not state.is_over:
                raise NotAllowed("The game can be looked back on once it is over.")
            if self._study is None or self._study.ply != state.changed:
                self._study = AnalysisJob(self._host, state, self._minds.pool)
            study = self._study
        await self._prepared("search")
        return await study.report()

    async def deal(self, seat: int) -> str:
        """Return the seed, for dealing the same again, if this seat may cause that; raises `NotAllowed`."""
        async with self._opened() as state:
            if not state.is_over and (state.row.seats > 1 or not seat):
                raise NotAllowed("This deal can be played again once the game is over.")
            return state.row.seed

    # Programs --------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Let a program move if one is asked and somebody is there to see it."""
        state = self._state
        if state is None or not state.program_to_move or not self._listeners:
            return
        if self._program is None or self._program.done():
            self._program = asyncio.ensure_future(self._play_programs())
            self._tasks.add(self._program)
            self._program.add_done_callback(self._tasks.discard)

    async def _play_programs(self) -> None:
        try:
            while self._listeners:
                async with self._opened() as state:
                    player, seat, ply = state.program_to_move, state.seat_to_move, state.ply
                    if not player or ply >= LONGEST_LOG:
                        return
                    line, count = state.stop(ply)
                with contextlib.suppress(_Deserted):
                    text = await self._thought(seat, player, line, count)
                    async with self._opened() as state:
                        if state.ply == ply:
                            await self._append(state, Entry("move", seat, text))
        except StalePly:
            pass  # another process moved; the next change wakes the program again
        except BartizanError as error:
            log.error("a program could not move: %s", SECRET.sub("…", str(error)))
        except Exception as error:  # noqa: BLE001 - the table stays usable for the others
            report(error)

    async def _thought(self, seat: int, player: str, line: list[str], count: int) -> str:
        """Return the move of a program, and say that it thinks if that takes a while.

        Raises `_Deserted` where its turn to think comes when everybody has left.
        """
        await self._prepared(self._host.target_for(self.row.game, player))

        def think(mind: Follower) -> str:
            if not self._listeners:
                raise _Deserted
            return mind.choose(line, count, player)

        self._minds.use(self._mind)
        told = asyncio.get_running_loop().call_later(self._limits.thinking_told, self._tell_thinking, seat)
        try:
            text, _ = await asyncio.gather(self._mind.work(think), asyncio.sleep(self._limits.program_pause))
        finally:
            told.cancel()
            if self._thinking:
                self._tell_thinking(0)
        return text

    def _tell_thinking(self, seat: int) -> None:
        self._thinking = seat
        self._tell_all(Thinking(seat=seat))


def _why_no_rematch(state: TableState, seat: int) -> str:
    if state.row.seats == 1:
        return "A game for one has no rematch: deal anew."
    if not state.is_over:
        return "A rematch can be asked for once the game is over."
    if state.rematch.table:
        return "The rematch has begun already."
    if seat in state.rematch.asked:
        return "You have asked for a rematch; the others have not yet."
    return f"Seat {seat} is played by {state.row.players[seat - 1]!r}."


def _refusal(error: IllegalMove) -> Refusal:
    return Refusal(clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers)
