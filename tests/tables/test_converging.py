"""Processes that stall, die, lose messages and return agree again within 2 seconds, whatever happened.

Time and the bus are simulated; heartbeats, presence and leadership are the real ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any
from unittest import mock

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bartizan.tables.agreement import USUAL
from bartizan.tables.bus import BusMessage
from bartizan.tables.limits import Limits
from bartizan.tables.peers import DEAD_SECONDS, Peers
from bartizan.tables.presence import Presence
from bartizan.tables.processes import OtherProcesses
from bartizan.tables.provider import PERSON
from bartizan.tables.store import TableRow

TABLES = ("a", "b")
SEATS = (1, 2)
PROCESSES = (0, 1, 2)
CALM = 2.0  # seconds after which all agree
STEP = 0.05  # seconds that a message travels, and between two looks of a process
THINKS = 0.4  # seconds that a program takes over a move
PLACES = st.tuples(st.sampled_from(PROCESSES), st.sampled_from(TABLES), st.sampled_from((0, *SEATS)))

LIMITS = Limits(claim_after=1.0)  # a seat that is empty for long is listed as left


def row(table: str) -> TableRow:
    return TableRow(table, "duel", 1, {}, 2, (PERSON, PERSON), "", (b"", b"", b""))


class Socket:
    """One open socket."""

    address = ""
    browser = ""
    patches = False

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.present: dict[str, Any] = {}

    def send(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        if message["type"] == "present":
            self.present = message

    def dismiss(self) -> None:
        pass


class Table:
    """A table in one process, with a program that any of them could move."""

    def __init__(self, name: str, process: Process) -> None:
        self.name = name
        self.process = process
        self.presence = Presence(row(name), LIMITS, process.peers)
        self.presence._remind = lambda: None  # type: ignore[method-assign]  # needs a loop; looked at in `act`
        self.thought: tuple[int, float] | None = None  # the version for which it thinks, and until when

    def hear_change(self, change: Any) -> None:
        self.presence.hear_change(change)

    def repeat_thinking(self) -> None:
        self.presence.repeat_thinking()

    def wake(self) -> None:
        pass

    def tell(self, _: object) -> None:
        pass

    async def hear_talk(self) -> None:
        pass

    def play(self, now: float) -> None:
        """Let the program think and move, as `Programs` does."""
        presence, moves = self.presence, self.process.world.moves[self.name]
        if self.thought is None:
            if not presence.is_empty and presence.leads:
                self.thought = (len(moves), now + THINKS)
        elif now >= self.thought[1]:
            version, self.thought = self.thought[0], None
            if presence.is_current and len(moves) == version:  # the store appends at an expected version
                moves.append(self.process.name)


class Process:
    """One server process."""

    def __init__(self, world: World, number: int, start: int) -> None:
        self.world = world
        self.name = self.process = f"host/{number}{start}/1"
        self.inbox: deque[tuple[str, str]] = deque()
        self.is_stalled = False
        self.is_cut_off = False
        self.sockets: list[tuple[Table, Socket]] = []
        self.peers = Peers(self, lambda: world.now)  # type: ignore[arg-type]
        self.tables = {name: Table(name, self) for name in TABLES}
        find: Callable[[str], Any] = self.tables.get
        every: Callable[[], Iterable[Any]] = self.tables.values
        self.others = OtherProcesses(mock.Mock(), self.peers, find, every, lambda _: None)
        self.others.on_written = lambda: None  # type: ignore[method-assign]
        self.others._begin = _drop  # type: ignore[method-assign]
        self.peers.introduce()

    def publish(self, message: BusMessage) -> None:
        self.world.carry(self, msgspec.json.encode(message).decode())

    def come(self, table: str, seat: int) -> None:
        socket = Socket(seat)
        at = self.tables[table]
        at.presence.join(socket)
        row = mock.Mock(table=table, agreement=USUAL)
        state = mock.Mock(version=0, head="", row=row, setting={}, seed_hash="")
        state.exchange.told.return_value = None
        at.presence.greet(socket, state, 0)
        self.sockets.append((at, socket))

    def go(self, index: int) -> None:
        if self.sockets:
            table, socket = self.sockets.pop(index % len(self.sockets))
            table.presence.leave(socket)

    def act(self) -> None:
        """Read what came, send heartbeats, let programs play."""
        while self.inbox:
            self.others.on_message(*self.inbox.popleft())
        self.others.look_around()
        for table in self.tables.values():
            table.presence.tell_present()
            table.play(self.world.now)


def _drop(work: Coroutine[Any, Any, None]) -> None:
    work.close()


class World(RuleBasedStateMachine):
    """Several processes that share a store and a bus."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.starts = 0
        self.alive: dict[int, Process] = {}
        self.moves: dict[str, list[str]] = {name: [] for name in TABLES}
        self.losing = 0  # of the next messages, so many are lost
        self.asked = 0  # so many questions for a census

    @initialize(count=st.sampled_from((2, 3)), people=st.lists(PLACES, min_size=3, max_size=8))
    def begin(self, count: int, people: list[tuple[int, str, int]]) -> None:
        for number in PROCESSES[:count]:
            self.start(number)
        for place in people:
            self.come(*place)

    def carry(self, sender: Process, text: str) -> None:
        self.asked += '"who"' in text
        for process in self.alive.values():
            if process is sender or sender.is_cut_off or process.is_cut_off:
                continue
            if self.losing:
                self.losing -= 1
            else:
                process.inbox.append((sender.name, text))

    def played_by(self, process: Process) -> int:
        return sum(moves.count(process.name) for moves in self.moves.values())

    def start(self, number: int) -> None:
        self.starts += 1
        self.alive[number] = Process(self, number, self.starts)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            for process in list(self.alive.values()):
                if not process.is_stalled:
                    process.act()

    def come(self, number: int, table: str, seat: int) -> None:
        process = self.alive.get(number)
        if process and not process.is_stalled:
            process.come(table, seat)

    # What happens ----------------------------------------------------------------------------------------

    @rule(people=st.lists(PLACES, min_size=1, max_size=3))
    def some_come(self, people: list[tuple[int, str, int]]) -> None:
        for place in people:
            self.come(*place)

    @rule(number=st.sampled_from(PROCESSES), index=st.integers(0, 9), lost=st.integers(0, 2))
    def someone_goes(self, number: int, index: int, lost: int) -> None:
        process = self.alive.get(number)
        if process and not process.is_stalled:
            self.losing += lost
            process.go(index)

    @rule(seconds=st.sampled_from((0.1, 0.6, 1.4, 1.6, 9.0)))
    def time_passes(self, seconds: float) -> None:
        self.run(seconds)

    @rule(number=st.sampled_from(PROCESSES), seconds=st.sampled_from((0.3, 1.4, 1.6, 9.0)))
    def one_stalls(self, number: int, seconds: float) -> None:
        if process := self.alive.get(number):
            process.is_stalled = True
            self.run(seconds)
            process.is_stalled = False
            if seconds > DEAD_SECONDS:  # another has taken over: it must not play what it thought of before
                played = self.played_by(process)
                self.run(2 * STEP)
                assert self.played_by(process) == played

    @rule(number=st.sampled_from(PROCESSES))
    def one_stalls_for_longer(self, number: int) -> None:
        if process := self.alive.get(number):
            process.is_stalled = True

    @rule(number=st.sampled_from(PROCESSES))
    def one_dies_or_starts(self, number: int) -> None:
        if self.alive.pop(number, None) is None:
            self.start(number)

    @rule(count=st.integers(1, 12))
    def messages_get_lost(self, count: int) -> None:
        self.losing += count

    @rule(number=st.sampled_from(PROCESSES), knows=st.booleans())
    def one_is_cut_off(self, number: int, knows: bool) -> None:
        """Cut a process off from the bus, which it may notice, or connect it again."""
        process = self.alive.get(number)
        if process and not process.is_stalled:
            process.is_cut_off = not process.is_cut_off
            if knows or not process.is_cut_off:
                process.others.on_reached(reached=not process.is_cut_off)

    # What must be true -----------------------------------------------------------------------------------

    @invariant()
    def no_one_with_a_socket_here_has_left(self) -> None:
        for process in self.alive.values():
            for table, socket in process.sockets:
                if socket.seat:
                    assert socket.seat not in table.presence._left()

    @rule()
    def things_calm_down(self) -> None:
        """All agree then."""
        self.losing = 0
        for process in self.alive.values():
            process.is_stalled = False
        for process in self.alive.values():
            if process.is_cut_off:
                process.is_cut_off = False
                process.others.on_reached(reached=True)
        self.run(CALM)
        for name in TABLES:
            self._check(name)
        self._check_programs()

    def _check(self, name: str) -> None:
        everyone = [(each, at, socket) for each in self.alive.values() for at, socket in each.sockets]
        open_ = [(process, socket) for process, at, socket in everyone if at.name == name]
        seats = sorted({socket.seat for _, socket in open_} - {0})
        for process, socket in open_:
            assert list(process.tables[name].presence.here) == seats
            assert socket.present.get("seats", []) == seats
            assert not set(socket.present.get("left", [])) & set(seats)
        watched = {process.name for process, _ in open_}
        leaders = {process.name for process, _ in open_ if process.tables[name].presence.leads}
        assert leaders == ({min(watched)} if watched else set())

    def _check_programs(self) -> None:
        """Programs go on, and only the leader's move."""
        before, self.asked = {name: len(moves) for name, moves in self.moves.items()}, 0
        self.run(2 * THINKS + 4 * STEP)
        assert not self.asked  # all know all, so no one has anything to ask
        for name, moves in self.moves.items():
            watched = {each.name for each in self.alive.values() for at, _ in each.sockets if at.name == name}
            later = moves[before[name] :]
            assert bool(later) == bool(watched)
            assert set(later[1:]) <= ({min(watched)} if watched else set())


World.TestCase.settings = settings(max_examples=200, stateful_step_count=30, deadline=None, derandomize=True)
TestProcessesAgree = World.TestCase
