"""Compile beside this process: in order, once, and only as long as somebody wants it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from bartizan.compile import pool, targets
from bartizan.compile.pool import CompileError, CompilePool, Job
from bartizan.compile.process import Progress

ROOT = Path(__file__).resolve().parents[2]


class Crew:
    """Stands in for a process, and says that it is done when it is told to."""

    def __init__(self, name: str, niceness: int, heard: Callable[[Crew, str], None]) -> None:
        self.name = name
        self.job: Job | None = None
        self.ended = False
        self._heard = heard
        CREWS.append(self)

    def begin(self, job: Job) -> None:
        assert not self.ended
        self.job = job

    def end(self) -> None:
        self.ended = True

    def wait(self) -> None:
        assert self.ended

    def finish(self, fault: str = "") -> None:
        if not fault and self.job is not None:
            COMPILED.add((self.job.name, self.job.target))
        self._heard(self, fault)


CREWS: list[Crew] = []
COMPILED: set[tuple[str, str]] = set()


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> CompilePool:
    """A pool for two at a time whose processes are not real."""
    CREWS.clear()
    COMPILED.clear()
    monkeypatch.setattr(pool, "CompileProcess", Crew)
    monkeypatch.setattr(targets, "is_compiled", lambda name, target: (name, target) in COMPILED)
    return CompilePool(workers=2)


def under_way() -> list[str]:
    return [f"{process.name} {process.job.target}" for process in CREWS if process.job is not None]


def finish(name: str, fault: str = "") -> None:
    next(process for process in CREWS if process.name == name and process.job is not None).finish(fault)


def test_a_process_that_has_ended_leaves_no_pipe_open() -> None:
    ended: Future[str] = Future()
    process = pool.CompileProcess("castle-danger", 0, lambda _, fault: ended.set_result(fault))
    process.end()
    assert "ended with status" in ended.result(60)
    pipes = (process._process.stdin, process._process.stdout)
    until = time.monotonic() + 60
    while not all(pipe.closed for pipe in pipes if pipe) and time.monotonic() < until:
        time.sleep(0.01)
    assert all(pipe and pipe.closed for pipe in pipes)


def test_all_tables_come_before_searches_and_a_process_goes_on_with_its_game(shop: CompilePool) -> None:
    jobs = shop.begin(["a", "b", "c"], "table", "search")
    assert [(job.name, job.target) for job in jobs] == [
        *((name, "table") for name in "abc"),
        *((name, "search") for name in "abc"),
    ]
    assert under_way() == ["a table", "b table"]
    finish("a")
    assert under_way() == ["b table", "c table"]
    finish("b")
    assert under_way() == ["a search", "c table"]
    finish("c")
    finish("a")
    finish("b")
    finish("c")
    assert under_way() == []
    assert len(CREWS) == 3  # the rules of one stage help the next
    assert all(process.ended for process in CREWS)
    assert all(job.ready.done() and job.ready.exception() is None for job in jobs)
    assert shop.begin(["a"], "table") == []


def test_what_somebody_waits_for_needs_no_room(shop: CompilePool) -> None:
    shop.begin(["a", "b", "c", "d"], "table")
    ready = shop.ready("d", "table")
    assert under_way() == ["a table", "b table", "d table"]
    finish("a")
    assert under_way() == ["b table", "d table"]
    finish("d")
    assert ready.result(0) is None
    assert under_way() == ["b table", "c table"]


def test_a_fault_is_told_and_tried_again_when_it_is_wanted_again(shop: CompilePool) -> None:
    ready = shop.ready("a", "table")
    finish("a", "a rule is wrong")
    with pytest.raises(CompileError, match="a rule is wrong"):
        ready.result(0)
    again = shop.ready("a", "table")
    assert again is not ready
    finish("a")
    assert again.result(0) is None


def test_closing_ends_all_and_takes_nothing_up(shop: CompilePool) -> None:
    waiting: list[Future[None]] = [shop.ready("a", "table"), shop.ready("a", "search")]
    shop.close()
    CREWS[0].finish("killed")
    waiting.append(shop.ready("b", "table"))
    assert len(CREWS) == 1
    for ready in waiting:
        with pytest.raises(CompileError, match="interrupted"):
            ready.result(0)


def test_the_time_left_goes_by_what_is_done() -> None:
    job = Job("a", "table", 0)
    assert job.seconds_left is None
    job.began = time.monotonic() - 10
    job.progress = Progress(1, 100)
    assert job.seconds_left is None  # too early to tell
    job.progress = Progress(25, 100)
    assert job.seconds_left == 30


def children(parent: int) -> list[int]:
    """Return the processes that one has started, as the system knows them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "It did not happen."
        time.sleep(0.02)


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes where Linux shows them")
def test_a_process_ends_with_who_started_it(empty_cache: Path) -> None:
    """Closed in good order or killed: nothing goes on compiling."""
    others = children(os.getpid())
    with closing(CompilePool()) as shop:
        ready = shop.ready("castle-danger", "table")
        wait_until(lambda: len(children(os.getpid())) > len(others))
        (worker,) = set(children(os.getpid())) - set(others)
    wait_until(lambda: gone(worker))
    with pytest.raises(CompileError):
        ready.result(0)
    code = (
        "from bartizan.compile.pool import CompilePool\n"
        "shop = CompilePool()\n"
        "shop.ready('castle-danger', 'table').result()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    wait_until(lambda: bool(children(parent.pid)))
    (worker,) = children(parent.pid)
    parent.kill()
    parent.wait()
    wait_until(lambda: gone(worker))


def test_two_at_once_compile_the_same_once(empty_cache: Path) -> None:
    """The second waits for the first, and finds all that it made."""
    with closing(CompilePool()) as one, closing(CompilePool()) as other:
        first = one.ready("castle-danger", "table")
        job = one.job("castle-danger", "table")
        assert job is not None
        wait_until(lambda: job.progress.done > 0, 120)
        second = other.ready("castle-danger", "table")
        waiting = other.job("castle-danger", "table")
        assert waiting is not None
        first.result(300)
        second.result(300)
        assert job.progress.done > 50
        assert waiting.progress.done == 0  # it compiled nothing
    marks = list(empty_cache.rglob("table-*.done"))
    assert len(marks) == 1
    code = (
        "from bartizan.compile.targets import compile_target, is_compiled\n"
        "assert is_compiled('castle-danger', 'table')\n"
        "assert not is_compiled('castle-danger', 'search')\n"
        "told = []\n"
        "compile_target('castle-danger', 'table', lambda *done: told.append(done))\n"
        "from bartizan.engine import registry\n"
        "border = registry.get('castle-danger').array_rules\n"
        "assert sum(border.apply.stats.cache_misses.values()) == 0, border.apply.stats\n"
        "assert told == []\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
