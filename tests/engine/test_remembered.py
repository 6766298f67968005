"""What was drawn is drawn again where anything changed that it was drawn from, and only then."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from bartizan.engine.record import I8, Cells, Pile, Record, cells, field, pile, places_read, records
from bartizan.engine.remembered import remembered
from bartizan.match import Match
from tests.games.tables import GAMES


class Seat(Record):
    score: int = field(I8)
    hand: Pile = pile(3)


class Table(Record):
    turn: int = field(I8)
    board: Cells = cells(I8, 4)
    deck: Pile = pile(5)
    seats: Sequence[Seat] = records(Seat, 2)


def table(**fields: int) -> Table:
    """Return a record that is made from bytes."""
    record = Table()
    for name, value in fields.items():
        setattr(record, name, value)
    return Table.from_array(record.to_array())


def changed(record: Table) -> Table:
    return Table.from_array(record.to_array())


def test_it_is_drawn_again_only_where_what_it_read_has_changed() -> None:
    drawn = []

    @remembered
    def draw(state: Table, seat: int, word: str = "") -> str:
        drawn.append(seat)
        return f"{state.turn} {state.seats[seat].hand.count}{word}"

    record = table(turn=3)
    assert draw(record, 1) == draw(record, 1) == draw(table(turn=3), 1) == "3 0"
    assert drawn == [1]
    record.board[0] = record.deck.count = record.seats[0].hand.count = 2  # nothing of this was read
    assert draw(changed(record), 1) == "3 0"
    assert drawn == [1]
    assert draw(changed(record), 0) == "3 2"
    assert draw(changed(record), 1, word="!") == "3 0!"
    record.seats[1].hand.count = 1
    assert draw(changed(record), 1) == "3 1"
    record.turn = 4
    assert draw(changed(record), 1) == "4 1"
    assert drawn == [1, 0, 1, 1, 1]


def test_what_is_read_depends_on_what_was_read() -> None:
    @remembered
    def draw(state: Table) -> int:
        return state.board[1] if state.turn else state.deck.count

    record = table()
    assert draw(record) == 0
    record.board[1] = 7
    assert draw(changed(record)) == 0
    record.turn = 1
    assert draw(changed(record)) == 7
    record.turn, record.deck.count = 0, 5
    assert draw(changed(record)) == 5
    record.turn = 1
    assert draw(changed(record)) == 7


def test_a_copy_that_was_looked_at_counts_as_everything() -> None:
    @remembered
    def draw(state: Table) -> int:
        seat = state.seats[0].copy()
        seat.score = 9
        return int(seat.score + seat.hand.cards[0])

    record = table()
    assert draw(record) == 9
    record.seats[0].hand.cards[0] = 1
    assert draw(changed(record)) == 10


def test_a_twin_that_may_have_been_changed_is_drawn_as_it_is() -> None:
    @remembered
    def draw(state: Table) -> int:
        return state.turn

    made, copied = Table(), table(turn=1).copy()
    made.turn, copied.turn = 5, 6
    assert (draw(made), draw(table(turn=1)), draw(copied)) == (5, 1, 6)


def test_the_places_that_were_read() -> None:
    record = table()
    assert places_read(record) == ()
    assert record.seats[1].score == 0
    [(start, stop)] = places_read(record)
    assert stop - start == 1
    start_of_seats = Table.dtype.fields["seats"][1]  # type: ignore[index]
    assert start == start_of_seats + Seat.dtype.itemsize


@pytest.mark.parametrize("name", GAMES)
def test_scenes_are_what_they_are_without_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(7)
    match = Match(name, seed="5eed")
    seen = []
    for _ in range(40):
        if match.is_over:
            break
        match.play(dice.choice(match.legal()))
        seen.append([match.views.scene(seat) for seat in range(match.seats + 1)])
    module = match.game.scenes
    for each, call in list(vars(module).items()):
        if getattr(call, "__wrapped__", None) is not None and call.__module__ == module.__name__:  # type: ignore[attr-defined]
            monkeypatch.setattr(module, each, call.__wrapped__)
    match.go_to(0)
    for scenes in seen:
        match.redo()
        again = [match.views.scene(seat) for seat in range(match.seats + 1)]
        assert [msgspec.json.encode(scene) for scene in again] == [
            msgspec.json.encode(scene) for scene in scenes
        ]


def test_several_threads_may_draw_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one forgets, or comes to know, is nothing to another that is just looking."""
    monkeypatch.setattr("bartizan.engine.remembered.MOST", 2)
    monkeypatch.setattr("bartizan.engine.remembered.MOST_WAYS", 12)

    @remembered
    def draw(state: Table, parts: int) -> int:
        """Read something else for each `parts`, so that there are many ways to look through."""
        wanted: list[Callable[[], int]] = [
            lambda: state.seats[0].score,
            lambda: state.seats[1].score,
            lambda: state.board[0],
            lambda: state.deck.count,
        ]
        return int(state.turn + sum(part() for at, part in enumerate(wanted) if parts >> at & 1))

    records = [table(turn=turn) for turn in range(6)]

    def hammer(seed: int) -> bool:
        dice = random.Random(seed)
        return all(
            draw(records[turn], dice.randrange(16)) == turn for turn in dice.choices(range(6), k=4_000)
        )

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(hammer, range(4)))
    finally:
        sys.setswitchinterval(before)
