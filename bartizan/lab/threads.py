"""Do tasks that take long on threads, such as playing games."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def in_threads(
    work: Callable[[T], U],
    tasks: Iterable[T],
    threads: int,
    stop: threading.Event | None = None,
    *,
    in_order: bool = False,
) -> Generator[tuple[T, U]]:
    """Yield each task with its result, as they finish or in their original order.

    At most two tasks per thread are running or waiting to be yielded.  That keeps the threads busy,
    interruptions quick and memory small.  Any end of the iteration sets `stop` first, for tasks to check.
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
                asked = [next(iter(waiting))] if in_order else list(waiting)
                done = wait(asked, return_when=FIRST_COMPLETED).done
                for future in (each for each in asked if each in done):
                    yield waiting.pop(future), future.result()
        finally:
            if stop is not None:
                stop.set()
            for future in waiting:
                future.cancel()
