"""Compile games in separate processes, starting with the stages that someone is waiting for."""

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

from bartizan.compile.process import Progress
from bartizan.engine.errors import BartizanError
from bartizan.engine.rule import PACKAGE

if TYPE_CHECKING:
    from bartizan.compile.targets import Target

WORKER = "bartizan.compile.process"
RANK: dict[Target, int] = {"table": 0, "search": 1, "batches": 2, "envs": 3}  # what is compiled first
TELLING = 0.1  # of a stage: how much must be done before its rate says when it will be


class CompileError(BartizanError):
    """Rules that could not be compiled, or a pool that closed before they were."""

    code = "cannot_compile"


class Job:
    """The compilation of one stage of one game."""

    def __init__(self, name: str, target: Target, order: int) -> None:
        self.name = name
        self.target = target
        self.order = order
        self.wanted = False  # someone is waiting for it
        self.began = 0.0
        self.progress = Progress()
        self.ready: Future[None] = Future()

    @property
    def rank(self) -> tuple[bool, int, int]:
        """By which jobs are taken up."""
        return not self.wanted, RANK[self.target], self.order

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.began if self.began else 0.0

    @property
    def seconds_left(self) -> int | None:
        """The estimated time left; None while it is unknown."""
        done, total = self.progress.done, self.progress.total
        if not total or done < TELLING * total:
            return None
        return max(1, round(self.seconds * (total - done) / done))


class CompilePool:
    """A process for each game that is being compiled, as many at once as there are cores.

    All methods may be called from any thread.
    """

    def __init__(self, workers: int | None = None, niceness: int = 0) -> None:
        """Take `workers` processes at once, all cores' worth by default; those no one waits for are nice."""
        self._workers = workers or os.cpu_count() or 1
        self._niceness = niceness
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, Target], Job] = {}  # those that are neither done nor failed
        self._processes: dict[str, CompileProcess] = {}
        self._closed = False
        self._numbers = itertools.count()

    def begin(self, names: Iterable[str], *targets: Target) -> list[Job]:
        """Queue stages of games to compile, each stage in the order of the names; return the open jobs."""
        with self._lock:
            jobs = [self._job(name, target) for target in targets for name in names]
            self._take_up()
        return [job for job in jobs if not job.ready.done()]

    def ready(self, name: str, target: Target) -> Future[None]:
        """Return what is done when a stage is compiled; who asks waits for it, so it is taken up at once.

        It fails with `CompileError`.
        """
        with self._lock:
            job = self._job(name, target)
            job.wanted = True
            self._take_up()
        return job.ready

    def job(self, name: str, target: Target) -> Job | None:
        """Return a stage on its way, None if no one has asked for it or it is done."""
        return self._jobs.get((name, target))

    def close(self) -> None:
        """End all processes; what they were to compile has failed."""
        with self._lock:
            self._closed = True
            jobs, self._jobs = list(self._jobs.values()), {}
            processes, self._processes = list(self._processes.values()), {}
        for process in processes:
            process.end()
        for job in jobs:
            _fail(job, "it was interrupted")
        for process in processes:
            process.wait()

    def _job(self, name: str, target: Target) -> Job:
        from bartizan.compile.targets import is_compiled

        job = self._jobs.get((name, target))
        if job is None:
            job = Job(name, target, next(self._numbers))
            if self._closed:
                _fail(job, "it was interrupted")
            elif is_compiled(name, target):
                job.ready.set_result(None)
            else:
                self._jobs[name, target] = job
        return job

    def _take_up(self) -> None:
        """Start as many jobs as there are workers; jobs that someone is waiting for start regardless."""
        busy = {process.job.name for process in self._processes.values() if process.job is not None}
        for job in sorted(self._jobs.values(), key=lambda job: job.rank):
            if job.name in busy or (len(busy) >= self._workers and not job.wanted):
                continue
            busy.add(job.name)
            process = self._processes.get(job.name)
            if process is None:
                process = self._processes[job.name] = CompileProcess(
                    job.name, 0 if job.wanted else self._niceness, self._heard
                )
            process.begin(job)
        for name in set(self._processes) - {job.name for job in self._jobs.values()}:
            self._processes.pop(name).end()

    def _heard(self, process: CompileProcess, fault: str) -> None:
        """Go on after a stage is done, or, with a fault, after a process has ended."""
        with self._lock:
            job, process.job = process.job, None
            if job is not None:
                self._jobs.pop((job.name, job.target), None)
            if fault and self._processes.get(process.name) is process:
                del self._processes[process.name]
            if not self._closed:
                self._take_up()
        if job is not None and fault:
            _fail(job, fault)
        elif job is not None and not job.ready.done():
            job.ready.set_result(None)


def _fail(job: Job, why: str) -> None:
    if not job.ready.done():
        end = "" if why.endswith((".", "?")) else "."
        job.ready.set_exception(CompileError(f"{job.name} could not be compiled: {why}{end}"))


class CompileProcess:
    """One process that compiles stages of one game, and the thread that hears it."""

    def __init__(self, name: str, niceness: int, heard: Callable[[CompileProcess, str], None]) -> None:
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
        """Compile a stage; only one at a time."""
        self.job = job
        job.began = time.monotonic()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # where it has ended, the listener hears of that
            self._process.stdin.write(f"{job.target}\n")
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
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # for what it no longer read; from here on nothing is begun
            self._process.stdin.close()
