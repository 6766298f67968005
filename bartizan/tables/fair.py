"""Share threads fairly: more urgent work goes first, and owners take turns."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from enum import IntEnum
from typing import Any

LOWER_EVERY = 8  # every Nth task is the least urgent one that waits, so nothing starves


class Urgency(IntEnum):
    """The priority of work; the lowest number goes first."""

    PEOPLE = 0  # someone is waiting for it to continue a game
    LOOKING_BACK = 1
    PROGRAMS = 2  # programs play each other, and someone watches


class FairQueue:
    """Threads for slow work.

    The most urgent work goes first. For equally urgent work, owners take turns, one piece each, however much
    each has queued.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._count = 0
        self._lock = threading.Lock()
        self._closed = False
        self._waiting: dict[Urgency, OrderedDict[str, deque[tuple[Future[Any], Callable[[], Any]]]]] = {
            urgency: OrderedDict() for urgency in Urgency
        }

    def waiting(self, urgency: Urgency) -> int:
        """Return how many pieces of work are waiting."""
        with self._lock:
            return sum(map(len, self._waiting[urgency].values()))

    def share(self, urgency: Urgency, owner: Callable[[], str]) -> Executor:
        """Return an executor for an owner's work; its urgency is asked each time."""
        return _Share(self, urgency, owner)

    def submit(self, urgency: Urgency, owner: str, work: Callable[[], Any]) -> Future[Any]:
        """Queue work."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("these threads have stopped")
            self._waiting[urgency].setdefault(owner, deque()).append((future, work))
        self._feed()
        return future

    def shutdown(self) -> None:
        """Finish the work in progress and cancel the rest."""
        with self._lock:
            self._closed = True
            left = [one for owners in self._waiting.values() for each in owners.values() for one in each]
            for owners in self._waiting.values():
                owners.clear()
        for future, _ in left:
            future.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _feed(self) -> None:
        while True:
            with self._lock:
                chosen = self._next() if self._free and not self._closed else None
                if chosen is None:
                    return
                self._free -= 1
            self._pool.submit(self._run, *chosen)

    def _next(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        some = [owners for _, owners in sorted(self._waiting.items()) if owners]
        if not some:
            return None
        self._count += 1
        owners = some[-1] if self._count % LOWER_EVERY == 0 else some[0]
        owner, works = owners.popitem(last=False)
        chosen = works.popleft()
        if works:
            owners[owner] = works  # behind all others
        return chosen

    def _run(self, future: Future[Any], work: Callable[[], Any]) -> None:
        try:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the work
                    future.set_exception(error)
        finally:
            with self._lock:
                self._free += 1
            self._feed()


class _Share(Executor):
    """A queue's threads as one owner sees them."""

    def __init__(self, queue: FairQueue, urgency: Urgency, owner: Callable[[], str]) -> None:
        self._queue = queue
        self._urgency = urgency
        self._owner = owner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue work."""
        return self._queue.submit(self._urgency, self._owner(), lambda: fn(*args, **kwargs))
