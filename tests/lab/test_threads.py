"""Tasks on threads: in which order they are yielded, and what ends them."""

from __future__ import annotations

import threading
import time

from bartizan.lab.threads import in_threads


def test_one_thread_does_tasks_in_their_order() -> None:
    """Several that are done when somebody looks must not come in the order of a set."""
    for _ in range(20):
        found = []
        for task, _ in in_threads(lambda task: task, range(30), 1):
            found.append(task)
            time.sleep(0.0002)  # meanwhile the next ones are done
        assert found == list(range(30))


def test_tasks_come_in_their_order_where_that_is_asked() -> None:
    def work(task: int) -> int:
        time.sleep(0.02 if task % 4 == 0 else 0)
        return task * task

    found = list(in_threads(work, range(20), 3, in_order=True))
    assert found == [(task, task * task) for task in range(20)]


def test_no_more_tasks_are_under_way_than_two_a_thread() -> None:
    begun: list[int] = []
    stop = threading.Event()
    tasks = in_threads(begun.append, range(100), 2, stop, in_order=True)
    next(tasks)
    time.sleep(0.05)
    assert len(begun) <= 4
    tasks.close()
    assert stop.is_set()
