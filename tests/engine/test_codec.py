"""Positions by a codec: each key is written and read by one entry, and all faults are told together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.errors import BadPosition
from bartizan.engine.notation.codec import (
    Key,
    PositionCodec,
    PositionReader,
    choice,
    integer,
    integers,
    truth,
)
from bartizan.engine.record import I8, Cells, Record, cells, field


class Table(Record):
    """A table with a few figures."""

    turn: int = field(I8)
    left: int = field(I8)
    mover: int = field(I8)
    done: int = field(I8)
    mark: int = field(I8)
    houses: Cells = cells(I8, 4)


def _fresh(options: Any, seats: int, seed: str) -> Table:
    table = Table()
    table.turn, table.left = 1, seats
    table.houses[1] = 3
    return table


def _check(reader: PositionReader, table: Table) -> None:
    if table.left > table.turn + 3:
        reader.fault("TST-2", f"{table.left} are left in turn {table.turn}")


def _finish(table: Table) -> None:
    table.mark = table.turn


POSITION = PositionCodec(
    integer("turn", low=1, high=9, clause="TST-1"),
    integer("left", low=0, high=lambda table: 10 * table.turn, default=lambda table: table.turn + 1),
    choice("to_move", ("blue", "red"), field="mover"),
    truth("done", default=lambda table: bool(table.left == 0)),
    integers("near", field="houses", places=(0, 1), low=0, high=9, clause="TST-3"),
    integers("far", field="houses", places=(3, 2), low=0, high=lambda table: table.turn),
    Key("note", lambda table: "odd" if table.turn % 2 else None, lambda reader, table: None),
    start=_fresh,
    checks=(_check,),
    finish=_finish,
)


@given(
    turn=st.integers(1, 9),
    left=st.integers(0, 3),
    mover=st.integers(0, 1),
    done=st.booleans(),
    near=st.lists(st.integers(0, 9), min_size=2, max_size=2),
)
def test_a_position_reads_back(turn: int, left: int, mover: int, done: bool, near: list[int]) -> None:
    table = Table()
    table.turn, table.left, table.mover, table.done, table.mark = turn, left, mover, int(done), turn
    table.houses[0], table.houses[1] = near
    table.houses[3] = turn
    written = POSITION.write(table)
    assert written["to_move"] == ("blue", "red")[mover]
    assert (written["near"], written["far"]) == (near, [turn, 0])
    assert ("note" in written) == bool(turn % 2)
    assert POSITION.read(written, None, 2, "0") == table
    assert all(POSITION.value(table, name) == value for name, value in written.items())


def test_what_is_left_out_has_its_default() -> None:
    table = POSITION.read({"turn": 2}, None, 2, "0")
    assert (table.turn, table.left, table.mover, table.done, table.mark) == (2, 3, 0, 0, 2)
    assert POSITION.read({"left": 0}, None, 2, "0").done == 1


def test_all_faults_are_told_together() -> None:
    with pytest.raises(BadPosition) as caught:
        POSITION.read({"turn": 0, "left": 9, "to_move": "blau", "done": 1, "trun": True}, None, 2, "0")
    faults = [sentence for _, sentence in caught.value.faults]
    assert [clause for clause, _ in caught.value.faults] == ["", "TST-1", "", "", "TST-2"]
    assert "a position has no key 'trun'. Did you mean 'turn'?" in faults
    assert "turn is 0; it must be a whole number from 1 to 9" in faults
    assert "to_move is 'blau'; it can be blue, red. Did you mean 'blue'?" in faults


@pytest.mark.parametrize(
    "near", [[1], [1, 2, 3], [1, 10], [-1, 1], [True, 1], [1.0, 1], "12", {0: 1, 1: 1}, None]
)
def test_a_list_of_numbers_is_whole_or_refused(near: object) -> None:
    with pytest.raises(BadPosition, match=r"near is .*; it must be 2 whole numbers from 0 to 9") as caught:
        POSITION.read({"near": near}, None, 2, "0")
    assert [clause for clause, _ in caught.value.faults] == ["TST-3"]
    assert list(POSITION.read({"near": [4, 5], "far": [1, 0]}, None, 2, "0").houses) == [4, 5, 0, 1]


class Counter(PositionReader):
    """Keep what a key has until another needs it."""

    kept = 0


def _keep(reader: Counter, table: Table) -> None:
    reader.kept = reader.integer("kept", len(reader.seed), 0, 9)


def _use(reader: Counter, table: Table) -> None:
    table.left = reader.kept


def test_a_reader_of_its_own_keeps_what_other_keys_need() -> None:
    codec = PositionCodec(
        Key("kept", lambda table: table.left, _keep), start=_fresh, reader=Counter, checks=(_use,)
    )
    assert codec.read({"kept": 7}, None, 2, "0").left == 7
    assert codec.read({}, None, 2, "four").left == 4


def _pile(reader: PositionReader, table: Table) -> None:
    inside = reader.part(reader.given.get("pile", {}), ("cards", "open"), "the pile")
    table.left = inside.integer("cards", 0, 0, 9, "TST-3")


def _check_pile(reader: PositionReader, table: Table) -> None:
    if reader.is_sound("pile") and table.left > table.turn:
        reader.fault("TST-4", "the pile is too high")


PILES = PositionCodec(
    integer("turn", low=1, high=9, clause="TST-1"),
    Key("pile", lambda table: {"cards": table.left}, _pile),
    start=_fresh,
    checks=(_check_pile,),
)


def test_faults_of_a_table_inside_say_where() -> None:
    assert PILES.read({"turn": 4, "pile": {"cards": 3}}, None, 2, "0").left == 3
    with pytest.raises(BadPosition) as caught:
        PILES.read({"pile": {"cards": 12, "opem": True}}, None, 2, "0")
    assert list(caught.value.faults) == [
        ("", "the pile: a position has no key 'opem'. Did you mean 'open'?"),
        ("TST-3", "the pile: cards is 12; it must be a whole number from 0 to 9"),
    ]


@pytest.mark.parametrize(("cards", "clauses"), [(3, ["TST-4"]), (12, ["TST-3"])])
def test_what_leans_on_a_key_is_checked_where_that_was_read(cards: int, clauses: list[str]) -> None:
    with pytest.raises(BadPosition) as caught:
        PILES.read({"turn": 1, "pile": {"cards": cards}}, None, 2, "0")
    assert [clause for clause, _ in caught.value.faults] == clauses
