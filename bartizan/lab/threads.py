"""Do tasks that take long on threads, such as playing games."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def in_threads(
    work: Callable[[T], U], tasks: Iterable[T], threads: int, stop: threading.Event | None = None
) -> Iterator[tuple[T, U]]:
    """Yield each task with what came of it, as they are done.

    Two tasks a thread wait at a time: enough to keep it busy, and an interruption waits for little.
    Whatever ends the iteration sets `stop` first, which tasks may look at.
    """
    left = iter(tasks)
    waiting: dict[Future[U], T] = {}
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                for task in itertools.islice(left, 2 * threads - len(waiting)):
                    waiting[pool.submit(work, task)] = task
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            if stop is not None:
                stop.set()
            for future in waiting:
                future.cancel()
