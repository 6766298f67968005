"""Have games compiled beside this process, the stages that somebody waits for first."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING

import msgspec

from bartizan.compiling.worker import Progress
from bartizan.engine.errors import BartizanError
from bartizan.engine.rule import PACKAGE

if TYPE_CHECKING:
    from bartizan.compiling.stages import Stage

WORKER = "bartizan.compiling.worker"
RANK: dict[Stage, int] = {"table": 0, "search": 1, "batches": 2}  # what is compiled first
TELLING = 0.1  # of a stage: how much must be done before its rate says when it will be


class CompileError(BartizanError):
    """Rules that could not be compiled, or a workshop that closed before they were."""

    code = "cannot_compile"


class Job:
    """One stage of one game on its way."""

    def __init__(self, name: str, stage: Stage, order: int) -> None:
        self.name = name
        self.stage = stage
        self.order = order
        self.wanted = False  # somebody waits for it
        self.began = 0.0
        self.progress = Progress()
        self.ready: Future[None] = Future()

    @property
    def rank(self) -> tuple[bool, int, int]:
        """By which jobs are taken up."""
        return not self.wanted, RANK[self.stage], self.order

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.began if self.began else 0.0

    @property
    def seconds_left(self) -> int | None:
        """About how long it will still take; None while that cannot be told."""
        done, total = self.progress.done, self.progress.total
        if not total or done < TELLING * total:
            return None
        return max(1, round(self.seconds * (total - done) / done))


class Workshop:
    """A process for each game that is being compiled, as many at once as there are cores.

    All methods may be called from any thread.
    """

    def __init__(self, workers: int | None = None, niceness: int = 0) -> None:
        """Take `workers` processes at once, all cores' worth by default; those nobody waits for are nice."""
        self._workers = workers or os.cpu_count() or 1
        self._niceness = niceness
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, Stage], Job] = {}  # those that are neither done nor failed
        self._crews: dict[str, _Crew] = {}
        self._closed = False
        self._numbers = itertools.count()

    def begin(self, names: Iterable[str], *stages: Stage) -> list[Job]:
        """Have stages of games compiled, each stage in the order of the names; return what is to be done."""
        with self._lock:
            jobs = [self._job(name, stage) for stage in stages for name in names]
            self._take_up()
        return [job for job in jobs if not job.ready.done()]

    def ready(self, name: str, stage: Stage) -> Future[None]:
        """Return what is done when a stage is compiled; who asks waits for it, so it is taken up at once.

        It fails with `CompileError`.
        """
        with self._lock:
            job = self._job(name, stage)
            job.wanted = True
            self._take_up()
        return job.ready

    def job(self, name: str, stage: Stage) -> Job | None:
        """Return a stage on its way, None if nobody has asked for it or it is done."""
        return self._jobs.get((name, stage))

    def close(self) -> None:
        """End all processes; what they were to compile has failed."""
        with self._lock:
            self._closed = True
            jobs, self._jobs = list(self._jobs.values()), {}
            crews, self._crews = list(self._crews.values()), {}
        for crew in crews:
            crew.end()
        for job in jobs:
            _fail(job, "it was interrupted")
        for crew in crews:
            crew.wait()

    def _job(self, name: str, stage: Stage) -> Job:
        from bartizan.compiling.stages import is_compiled

        job = self._jobs.get((name, stage))
        if job is None:
            job = Job(name, stage, next(self._numbers))
            if self._closed:
                _fail(job, "it was interrupted")
            elif is_compiled(name, stage):
                job.ready.set_result(None)
            else:
                self._jobs[name, stage] = job
        return job

    def _take_up(self) -> None:
        """Start what there is room for; what somebody waits for needs no room."""
        busy = {crew.job.name for crew in self._crews.values() if crew.job is not None}
        for job in sorted(self._jobs.values(), key=lambda job: job.rank):
            if job.name in busy or (len(busy) >= self._workers and not job.wanted):
                continue
            busy.add(job.name)
            crew = self._crews.get(job.name)
            if crew is None:
                crew = self._crews[job.name] = _Crew(
                    job.name, 0 if job.wanted else self._niceness, self._heard
                )
            crew.begin(job)
        for name in set(self._crews) - {job.name for job in self._jobs.values()}:
            self._crews.pop(name).end()

    def _heard(self, crew: _Crew, fault: str) -> None:
        """Go on after a stage is done, or, with a fault, after a process has ended."""
        with self._lock:
            job, crew.job = crew.job, None
            if job is not None:
                self._jobs.pop((job.name, job.stage), None)
            if fault and self._crews.get(crew.name) is crew:
                del self._crews[crew.name]
            if not self._closed:
                self._take_up()
        if job is not None and fault:
            _fail(job, fault)
        elif job is not None and not job.ready.done():
            job.ready.set_result(None)


def _fail(job: Job, why: str) -> None:
    if not job.ready.done():
        job.ready.set_exception(CompileError(f"{job.name} could not be compiled: {why}."))


class _Crew:
    """One process that compiles stages of one game, and the thread that hears it."""

    def __init__(self, name: str, niceness: int, heard: Callable[[_Crew, str], None]) -> None:
        self.name = name
        self.job: Job | None = None
        self._heard = heard
        paths = [str(PACKAGE.parent), *filter(None, sys.path)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", WORKER, name, str(niceness)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C at a terminal is for this process, which ends that one
        )
        threading.Thread(target=self._listen, name=f"bartizan-compile-{name}", daemon=True).start()

    def begin(self, job: Job) -> None:
        """Have a stage compiled; it is the only one at a time."""
        self.job = job
        job.began = time.monotonic()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # where it has ended, the listener hears of that
            self._process.stdin.write(f"{job.stage}\n")
            self._process.stdin.flush()

    def end(self) -> None:
        """Kill the process: nothing is lost but what is half compiled."""
        self._process.kill()

    def wait(self) -> None:
        """Wait until the process has ended."""
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        fault = ""
        for line in self._process.stdout:
            told = msgspec.json.decode(line, type=Progress)
            fault = told.fault
            if fault:
                break
            if told.finished:
                self._heard(self, "")
            elif self.job is not None:
                self.job.progress = told
        if fault:
            self.end()
        code = self._process.wait()
        self._process.stdout.close()
        self._heard(self, fault or f"its process ended with status {code}")
