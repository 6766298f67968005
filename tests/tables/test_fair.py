"""Who waits for threads has them in turn; people before programs."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.tables.fair import LOWER_EVERY, FairQueue, Urgency


class Blocked:
    """A queue of one thread that is held until all work is asked for; notes in which order it is done."""

    def __init__(self) -> None:
        self.queue = FairQueue(1, "test")
        self.done: list[str] = []
        self._go = threading.Event()
        self._futures = [self.queue.submit(Urgency.PEOPLE, "first", lambda: self._go.wait(10))]

    def add(self, urgency: Urgency, owner: str, name: str) -> None:
        self._futures.append(self.queue.submit(urgency, owner, lambda: self.done.append(name)))

    def finish(self) -> list[str]:
        self._go.set()
        for future in self._futures:
            future.result(10)
        self.queue.shutdown()
        return self.done


def test_thirty_watched_tables_do_not_keep_a_person_waiting() -> None:
    blocked = Blocked()
    for table in range(30):
        blocked.add(Urgency.PROGRAMS, "watcher", f"watched {table}")
    blocked.add(Urgency.PEOPLE, "person", "person")
    assert blocked.finish()[0] == "person"


def test_one_owner_of_many_wishes_has_one_in_turn() -> None:
    blocked = Blocked()
    for wish in range(20):
        blocked.add(Urgency.PEOPLE, "greedy", f"greedy {wish}")
    blocked.add(Urgency.PEOPLE, "modest", "modest")
    assert blocked.finish().index("modest") == 1


@given(st.lists(st.tuples(st.sampled_from(list(Urgency)), st.sampled_from("abc")), max_size=40))
def test_all_is_done_once_and_nothing_starves(wishes: list[tuple[Urgency, str]]) -> None:
    blocked = Blocked()
    for number, (urgency, owner) in enumerate(wishes):
        blocked.add(urgency, owner, f"{urgency} {owner} {number}")
    done = blocked.finish()
    assert sorted(done) == sorted(f"{urgency} {owner} {n}" for n, (urgency, owner) in enumerate(wishes))
    least = max((urgency for urgency, _ in wishes), default=Urgency.PEOPLE)
    first = next((n for n, name in enumerate(done) if name.startswith(f"{least} ")), 0)
    assert first < LOWER_EVERY
    for owner in "abc":  # each owner's own in the order in which they were asked for
        numbers = [int(name.split()[2]) for name in done if f"{Urgency.PEOPLE} {owner} " in name]
        assert numbers == sorted(numbers)


def test_a_fault_is_its_owners_and_a_stopped_queue_takes_nothing() -> None:
    queue = FairQueue(1, "test")
    with pytest.raises(ZeroDivisionError):
        queue.share(Urgency.PEOPLE, lambda: "a").submit(lambda: 1 / 0).result(10)
    assert queue.share(Urgency.PEOPLE, lambda: "a").submit(divmod, 7, 2).result(10) == (3, 1)
    go = threading.Event()
    queue.submit(Urgency.PEOPLE, "a", lambda: go.wait(10))
    left = queue.submit(Urgency.PROGRAMS, "a", lambda: None)
    assert queue.waiting(Urgency.PROGRAMS) == 1
    queue.shutdown()
    with pytest.raises(CancelledError):
        left.result(10)
    with pytest.raises(RuntimeError):
        queue.submit(Urgency.PEOPLE, "a", lambda: None)
    go.set()
