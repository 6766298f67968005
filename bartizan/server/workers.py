"""Run several worker processes on one listening socket, and replace those that die."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple

from bartizan.engine.errors import BartizanError
from bartizan.server.affinity import Hands
from bartizan.tables.errors import StartError

log = logging.getLogger("bartizan.server")

BAD_INPUT = 2  # the exit code of a worker that can't start
MOST_WORKERS = 64
STOP_SECONDS = 8.0  # seconds that workers get to stop properly
SHORT_LIFE = 2.0  # seconds: a worker that dies sooner is replaced after a pause
PAUSES = (0.0, 0.0, 0.0, 0.5, 1.0, 2.0, 5.0)  # seconds, by the number of early deaths in a row


class Processes(NamedTuple):
    """How many processes serve, where tables are stored, and what each does before it serves."""

    workers: int = 1
    database: str = ""  # the address of a PostgreSQL database; without one, a file in the data folder is used
    prepare: Callable[[], None] | None = None


ONE = Processes()


class Worker(NamedTuple):
    """One of several processes that serve the same tables."""

    slot: int
    hands: Hands
    is_first: bool  # the very first process, which prints the server's address
    replaces: str = ""  # the process that died in this slot: host and number


class Supervisor:
    """The process that starts the others; it serves nothing itself, so that nothing can stop it."""

    def __init__(self, count: int, work: Callable[[Worker], int]) -> None:
        self._work = work
        self._hands = Hands(count)
        self._first = 0  # the process that was started first
        self._slots: dict[int, int] = {}  # by process number
        self._begun: dict[int, float] = {}  # by slot
        self._short_lives = [0] * count
        # Readers of this pipe notice when the supervisor is gone, however it ended.
        self._lifeline = os.pipe()

    def run(self) -> int:
        """Start the workers, and replace them until SIGINT or SIGTERM."""
        try:
            for slot in range(self._hands.workers):
                self._start(slot, is_first=slot == 0)
            while True:
                pid, status = os.wait()
                slot = self._slots.pop(pid, -1)
                if slot >= 0 and not self._is_hopeless(pid, status):
                    self._replace(slot, pid, status)
                elif slot >= 0:
                    return BAD_INPUT
        except KeyboardInterrupt:
            return 0
        finally:
            self._stop()

    def _is_hopeless(self, pid: int, status: int) -> bool:
        """Say whether the very first worker couldn't start, for a reason that it has printed."""
        return pid == self._first and os.waitstatus_to_exitcode(status) == BAD_INPUT

    def _replace(self, slot: int, pid: int, status: int) -> None:
        lived = time.monotonic() - self._begun[slot]
        self._short_lives[slot] = self._short_lives[slot] + 1 if lived < SHORT_LIFE else 0
        code = os.waitstatus_to_exitcode(status)
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        log.error("worker %d (process %d) ended %s; another takes its place", slot + 1, pid, how)
        time.sleep(PAUSES[min(self._short_lives[slot], len(PAUSES) - 1)])
        self._start(slot, replaces=f"{socket.gethostname()}/{pid}")

    def _start(self, slot: int, *, is_first: bool = False, replaces: str = "") -> None:
        self._begun[slot] = time.monotonic()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            self._slots[pid] = slot
            self._first = self._first or pid
            return
        code = 70
        try:
            os.close(self._lifeline[1])
            threading.Thread(target=self._end_with_supervisor, daemon=True).start()
            code = self._work(Worker(slot, self._hands, is_first, replaces))
        except KeyboardInterrupt:
            code = 0
        except BartizanError as error:
            log.error("worker %d cannot serve: %s", slot + 1, error)
            code = BAD_INPUT
        except BaseException:  # noqa: BLE001 - it ends here: what called fork must not go on twice
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _end_with_supervisor(self) -> None:
        os.read(self._lifeline[0], 1)  # returns when no one can write any more
        os.kill(os.getpid(), signal.SIGTERM)

    def _stop(self) -> None:
        with contextlib.suppress(ValueError):  # not in the main thread
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
        for pid in self._slots:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self._slots:
            with contextlib.suppress(ChildProcessError):
                pid, _ = os.waitpid(-1, os.WNOHANG)
                self._slots.pop(pid, None)
            if time.monotonic() > deadline:
                for pid in self._slots:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                deadline = float("inf")
            time.sleep(0.02)
        self._hands.close()
        for end in self._lifeline:
            os.close(end)


def check_workers(count: int) -> None:
    """Raise `StartError` if this many processes aren't possible."""
    if not 1 <= count <= MOST_WORKERS:
        raise StartError(f"There can be 1 to {MOST_WORKERS} workers, not {count}.")
    if count > 1 and not (hasattr(os, "fork") and hasattr(socket, "send_fds")):
        raise StartError("Several workers need a system with fork, such as Linux.")
