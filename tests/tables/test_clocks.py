"""Time runs out by the server's clock alone: whoever is there, and however often the server is started."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.errors import GameOver
from bartizan.engine.settlement import Settlement
from bartizan.match import GameRecord, Match
from bartizan.tables.agreement import ClockRule
from bartizan.tables.clock import LONGEST_TRIP, MS, SAMPLES, Clocks, Timekeeper
from bartizan.tables.entries import replay
from bartizan.tables.errors import BadRequest, NotAllowed
from bartizan.tables.messages import NewTable
from bartizan.tables.registry import TableRegistry
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear, change, opened, present
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.anyio

FISCHER = ClockRule(kind="fischer", seconds=60, increment=5)
EACH = ClockRule(kind="move", seconds=30)
T0 = 1_700_000_000_000


class Watch:
    """A clock on the wall that a test turns."""

    def __init__(self, now: int = T0) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    def turn(self, seconds: float) -> None:
        self.time += int(seconds * MS)

    async def measure(self, ask: Callable[[], Awaitable[int | None]]) -> None:
        """Stay as the test set it."""


@asynccontextmanager
async def timed(folder: Path, watch: Watch, **limits: Any) -> AsyncIterator[TableRegistry]:
    async with opened(folder, DuelProvider(), **limits) as tables:
        tables._watch._timekeeper = watch  # type: ignore[assignment]
        yield tables


async def play_turns(tables: TableRegistry, name: str, keys: tuple[str, ...], turns: int) -> int:
    """Play a card and end the turn, for each seat in its order; return the version."""
    version = 0
    for turn in range(turns):
        table, seat = await tables.open(name, keys[turn % len(keys)])
        sync = await present(table, seat)
        version = sync["version"]
        card = next(each for each in sync["scene"]["choices"] if each["verb"] == "play")["action"]
        version = await change(table, seat, "move", f"c{version}", version, card)
        version = await change(table, seat, "move", f"e{version}", version, "end")
    return version


async def times(tables: TableRegistry, name: str, key: str) -> dict[str, Any]:
    table, seat = await tables.open(name, key)
    ear = Ear(seat)
    table.subscribe(ear)
    await table.greet(ear)
    table.leave(ear)
    return dict(next(each for each in reversed(ear.aside) if each["type"] == "clock"))


async def test_time_is_taken_from_the_second_turn_on_and_given_back_by_the_increment(tmp_path: Path) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=FISCHER))
        watch.turn(1000)
        await play_turns(tables, links.table, links.seats, 2)
        assert await times(tables, links.table, links.seats[0]) == {
            "type": "clock", "left": [60_000, 60_000], "running": 1,
        }  # fmt: skip
        watch.turn(12.5)
        assert (await times(tables, links.table, links.spectator))["left"] == [47_500, 60_000]
        version = await play_turns(tables, links.table, links.seats[:1], 1)
        assert (await times(tables, links.table, links.seats[0]))["left"] == [52_500, 60_000]
        # What the table in memory knows is what its log says.
        session = await tables.get(links.table)
        entries = await tables._log.read(links.table)
        assert sum(each.spent for each in entries) == 12_500
        fresh = replay(DuelProvider(), session.row, entries)
        assert fresh.clocks is not None
        assert fresh.clocks.left[1:] == [52_500, 60_000]
        assert fresh.version == version


async def test_a_flag_falls_though_nobody_is_there_and_a_late_move_is_refused(tmp_path: Path) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=FISCHER))
        version = await play_turns(tables, links.table, links.seats, 2)
        table, _ = await tables.open(links.table, links.seats[0])
        watch.turn(59)
        await tables._let_flag_fall(links.table)  # too early: nothing happens
        assert (await present(table, 0))["version"] == version
        watch.turn(2)
        with pytest.raises(GameOver):
            await change(table, 1, "move", "late", version, "play 1")
        sync = await present(table, 1)
        assert sync["scene"]["result"]["headline"] == "Seat 1 is out of time."
        assert sync["scene"]["result"]["outcome"] == {"winners": [2], "returns": [-1.0, 1.0]}
        assert sync["scene"]["log"][-1]["events"] == ["Seat 1 is out of time."]
        assert (await tables._log.read(links.table))[-1].kind == "flag"
        assert await tables._log.clock(links.table) == (0, 0)
        assert sync["allowed"]["undo"]


async def test_a_timer_lets_the_flag_fall(tmp_path: Path) -> None:
    """With nothing but the timer: no request comes, and the table is not in memory."""
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=EACH))
        await play_turns(tables, links.table, links.seats, 2)
        (await tables.get(links.table)).unload()
        tables._sessions.clear()
        watch.turn(31)
        tables._watch.note(links.table, watch.time - 1000)
        async with asyncio.timeout(PATIENCE):
            while (await tables._log.read(links.table))[-1].kind != "flag":
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("down", [0.0, 3600.0])
async def test_time_in_which_no_server_runs_is_nobodys(tmp_path: Path, down: float) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=FISCHER))
        await play_turns(tables, links.table, links.seats, 2)
        watch.turn(20)
        await tables._log.beat(watch.now())
    watch.turn(down)
    async with timed(tmp_path, watch) as tables:
        assert (await times(tables, links.table, links.seats[0]))["left"] == [40_000, 60_000]
        watch.turn(39)
        await tables._let_flag_fall(links.table)
        table, _ = await tables.open(links.table, links.seats[0])
        assert "result" not in (await present(table, 1))["scene"]
        watch.turn(2)
        await tables._let_flag_fall(links.table)
        assert "result" in (await present(table, 1))["scene"]


async def test_a_clock_that_was_not_kept_is_set_anew_from_the_log(tmp_path: Path) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=FISCHER))
        version = await play_turns(tables, links.table, links.seats, 2)
        await tables._log.set_clock(links.table, version - 1, 1, watch.now())  # as of an entry before
        (await tables.get(links.table)).unload()
        assert (await times(tables, links.table, links.seats[0]))["left"] == [60_000, 60_000]
        assert await tables._log.clock(links.table) == (watch.now() + 60_000, version)


def running(ear: Ear) -> int:
    """Return whose clock runs, by what was told last; 0 where none does, -1 before anything is told."""
    told = [each for each in ear.aside if each["type"] == "clock"]
    return int(told[-1].get("running", 0)) if told else -1


async def test_a_program_thinks_on_nobodys_time(tmp_path: Path) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        made = NewTable(here="everyone", game="duel", clock=EACH, players=["greedy", "person"])
        links = await tables.create(made)
        table, seat = await tables.open(links.table, links.seats[1])
        ear = Ear(seat)
        table.subscribe(ear)
        await table.greet(ear)
        for turn in range(2):
            while ear.heard[-1]["scene"]["status"]["seat"] != 2:
                await asyncio.sleep(0.005)
            sync = ear.heard[-1]
            # The clocks are told once they are kept.
            await until(lambda: running(ear) == (2 if turn else 0))  # noqa: B023
            card = sync["scene"]["choices"][0]["action"]
            version = await change(table, 2, "move", f"c{turn}", sync["version"], card)
            await change(table, 2, "move", f"e{turn}", version, "end")
            watch.turn(1000)  # while the program is asked
        table.leave(ear)
        assert "result" not in (await present(table, 2))["scene"]


async def test_an_adjourned_game_takes_no_time_and_goes_on_when_all_are_back(tmp_path: Path) -> None:
    watch = Watch()
    async with timed(tmp_path, watch) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", clock=FISCHER))
        version = await play_turns(tables, links.table, links.seats, 2)
        table, _ = await tables.open(links.table, links.seats[0])
        watch.turn(10)
        version = await change(table, 1, "ask", "a", version, "adjourn")
        assert (await present(table, 2))["proposal"]["what"] == "adjourn"
        version = await change(table, 2, "grant", "g", version)
        sync = await present(table, 1)
        assert sync["adjourned"]
        assert "choices" not in sync["scene"]
        assert sync["scene"]["status"]["prompt"] == "The game is adjourned."
        watch.turn(1000)
        await tables._let_flag_fall(links.table)
        with pytest.raises(NotAllowed, match="adjourned"):
            await change(table, 1, "move", "m", version, "play 1")
        with pytest.raises(NotAllowed, match="everyone is back"):
            await change(table, 1, "resume", "r", version)
        ears = [Ear(1), Ear(2)]
        for ear in ears:
            table.subscribe(ear)
            await table.greet(ear)
        await change(table, 1, "resume", "r", version)
        assert (await times(tables, links.table, links.seats[0]))["left"] == [50_000, 60_000]
        watch.turn(5)
        assert (await times(tables, links.table, links.seats[0]))["left"] == [45_000, 60_000]


@pytest.mark.parametrize(
    ("rule", "seats", "word"),
    [
        (ClockRule(kind="fischer", seconds=5), 2, "10 to 10800"),
        (ClockRule(kind="move", seconds=4000), 2, "5 to 3600"),
        (ClockRule(kind="days", seconds=86_401), 2, "whole days"),
        (ClockRule(kind="days", seconds=100), 2, "86400 to"),
        (ClockRule(kind="move", seconds=30, increment=1), 2, "increment"),
    ],
)
async def test_a_clock_that_nobody_could_mean_is_refused(
    tmp_path: Path, rule: ClockRule, seats: int, word: str
) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        with pytest.raises(BadRequest, match=word):
            await tables.create(NewTable(here="everyone", game="duel", seats=seats, clock=rule))


turns = st.lists(st.tuples(st.integers(0, 90_000), st.integers(1, 3)), max_size=30)


@given(turns, st.sampled_from([FISCHER, EACH, ClockRule(kind="days", seconds=86_400)]))
def test_no_seat_gains_more_than_its_increments(spans: list[tuple[int, int]], rule: ClockRule) -> None:
    """Whatever is spent: time is never negative, never more than was given, and only one clock runs."""
    clocks, mover = Clocks(rule, 3), 1
    clocks.point(mover)
    most = [rule.seconds * MS] * 4
    for ply, (spent, following) in enumerate(spans, 1):
        before = list(clocks.left)
        running = clocks.running
        clocks.take(spent)
        assert [seat for seat in range(4) if clocks.left[seat] != before[seat]] in ([], [running])
        clocks.move(mover, ply, following)
        if following != mover:
            most[mover] += rule.increment * MS
        mover = following
        clocks.point(mover)
        assert all(0 <= left <= limit for left, limit in zip(clocks.left, most, strict=True))


def test_moves_that_are_played_again_earn_no_increment_twice() -> None:
    clocks = Clocks(FISCHER, 2)
    clocks.point(1)
    clocks.move(1, 1, 2)
    clocks.move(2, 2, 1)
    clocks.point(1)
    clocks.take(10_000)
    for _ in range(3):
        clocks.move(1, 3, 2)
    assert clocks.left[1] == 55_000
    clocks.go_back(2)  # all agreed to that
    clocks.move(1, 3, 2)
    assert clocks.left[1] == 60_000


def test_a_record_says_that_time_ran_out_and_shows_it() -> None:
    match = Match("castle-danger", {}, seed="5")
    match.play(match.legal()[0])
    record = match.record(secret_seed=True, settlement=Settlement(reason="time", loser=2))
    assert 'settled = { reason = "time", loser = 2 }' in record.text()
    again = GameRecord.parse(record.text())
    assert again == record
    assert again.returns == (1.0, -1.0)
    shown = Match.of(again).views.scene(0, choices=False)
    assert shown.result is not None
    assert shown.result.headline.endswith("is out of time.")
    assert shown.log[-1].events[-1] == shown.result.headline
    earlier = Match.of(again)
    earlier.go_to(0)
    assert earlier.views.scene(0).result is None


async def test_the_quickest_of_several_answers_tells_the_skew(monkeypatch: pytest.MonkeyPatch) -> None:
    now, trips = 1000.0, [0.9, 0.1, 0.5]

    class Time:
        time = staticmethod(lambda: T0 / MS + now)
        monotonic = staticmethod(lambda: now)

    async def ask() -> int:
        nonlocal now
        trip = trips.pop(0)
        now += trip * 0.2  # the way there is quicker than the way back
        told = int((T0 / MS + now) * MS) - 20_000  # this machine is 20 seconds ahead
        now += trip * 0.8
        return told

    monkeypatch.setattr("bartizan.tables.clock.time", Time)
    keeper = Timekeeper()
    await keeper.measure(ask)
    true = T0 + int(now * MS) - 20_000
    assert abs(keeper.now() - true) <= 50 + 1  # half the quickest round trip
    trips += [LONGEST_TRIP * 9] * SAMPLES  # too slow to tell anything
    await keeper.measure(ask)
    assert abs(keeper.now() - (T0 + int(now * MS) - 20_000)) <= 50 + 1

    async def here() -> None:
        return None

    plain = Timekeeper()
    await plain.measure(here)  # SQLite: all processes are on one machine
    assert abs(plain.now() - (T0 + int(now * MS))) <= 1
