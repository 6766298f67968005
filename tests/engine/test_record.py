"""States as fixed blocks of memory, and the records that check what compiled code does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.record import (
    I8,
    I16,
    I32,
    U64,
    Cells,
    Pile,
    Record,
    bounds,
    cells,
    field,
    nested,
    pile,
    pile_type,
    records,
)


class Seat(Record):
    score: int = field(I16)
    hand: Pile = pile(3)


class Table(Record):
    rng: int = field(U64)
    small: int = field(I8)
    wide: int = field(I32)
    board: Cells = cells(I8, 4)
    deck: Pile = pile(5)
    owner: Seat = nested(Seat)
    seats: Sequence[Seat] = records(Seat, 2)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("small", -128, 127), ("wide", -(2**31), 2**31 - 1), ("rng", 0, 2**64 - 1)],
)
def test_scalars_keep_their_range(name: str, low: int, high: int) -> None:
    record = Table()
    for value in (low, high, 0):
        setattr(record, name, value)
        assert getattr(record, name) == value
    for value in (low - 1, high + 1):
        with pytest.raises(OverflowError, match=rf"{name} = {value} does not fit {low}\.\.{high}"):
            setattr(record, name, value)
    assert getattr(record, name) == 0


def test_a_twin_holds_plain_integers_however_deep() -> None:
    """NumPy's own integers overflow silently and cannot be written as JSON."""
    found = Table.from_array(Table().to_array()).numbers()
    assert len(found) == 1 + 1 + 1 + 4 + 6 + 3 * 5
    assert {type(value) for value in found} == {int}


def test_arrays_keep_their_range_and_length() -> None:
    board = Table().board
    board[0], board[3] = -128, 127
    assert list(board) == [-128, 0, 0, 127]
    for value in (-129, 128):
        with pytest.raises(OverflowError, match=r"-128\.\.127"):
            board[1] = value
    for index in (-1, -4):
        with pytest.raises(IndexError, match=f"read index {index}"):
            board[index]
        with pytest.raises(IndexError, match=f"wrote index {index}"):
            board[index] = 1
    with pytest.raises(IndexError):
        board[4]
    with pytest.raises(IndexError):
        board[4] = 1
    changes: list[Callable[[], Any]] = [
        lambda: board.append(1),
        lambda: board.extend([1]),
        lambda: board.insert(0, 1),
        lambda: board.remove(0),
        lambda: board.__delitem__(0),
        lambda: board.__iadd__([1]),
        board.pop,
        board.clear,
    ]
    for change in changes:
        with pytest.raises(TypeError, match="fixed length"):
            change()
    assert len(board) == 4


def test_what_is_nested_is_not_replaced() -> None:
    record = Table()
    for name in ("deck", "board", "owner", "seats"):
        with pytest.raises(TypeError, match=f"{name} is changed in place"):
            setattr(record, name, getattr(record, name))
    with pytest.raises(AttributeError):
        record.mistyped = 1


def test_a_pile_cannot_grow_beyond_its_room() -> None:
    deck = Table().deck
    with pytest.raises(IndexError):
        deck.cards[5] = 1
    deck.count = 2
    deck.cards[0], deck.cards[1] = 7, 8
    assert deck.listed() == [8, 7]
    assert pile_type(5) is type(deck)
    assert pile_type(5) is not pile_type(6)
    assert isinstance(deck, Pile)


def test_bounds() -> None:
    assert bounds(I8) == (-128, 127)
    assert bounds(I16) == (-32768, 32767)
    assert bounds(U64) == (0, 2**64 - 1)


def test_the_layout_is_one_aligned_block() -> None:
    assert Table.dtype.names == ("rng", "small", "wide", "board", "deck", "owner", "seats")
    assert Table.dtype.isalignedstruct
    fields = Table.dtype.fields
    assert fields is not None
    assert fields["seats"][0].shape == (2,)
    assert fields["deck"][0] == pile_type(5).dtype
    assert fields["board"][0].shape == (4,)


def ranges(kind: type[Record]) -> Iterator[tuple[int, int]]:
    """Yield the range of each number of a record."""
    for spec in kind._specs.values():
        for _ in range(spec.shape[0] if spec.shape else 1):
            if spec.nested is not None:
                yield from ranges(spec.nested)
            else:
                yield spec.low, spec.high


@given(values=st.tuples(*(st.integers(*each) for each in ranges(Table))))
def test_twins_and_arrays_hold_the_same(values: tuple[int, ...]) -> None:
    record = Table.from_bytes(Table._struct.pack(*values))
    assert record.numbers() == list(values)
    array = record.to_array()
    assert array.dtype == Table.dtype
    assert array.shape == (1,)
    again = Table.from_array(array)
    assert again == record
    assert again.copy() == record
    again.copy().seats[1].hand.cards[0] = 0
    assert again.numbers() == record.numbers()
    assert again.to_array().tobytes() == array.tobytes()
    bare = np.frombuffer(array.tobytes(), dtype=Table.dtype)
    assert Table.from_array(bare) == record
    assert array["rng"][0] == record.rng
    assert list(array["board"][0]) == list(record.board)
    assert [int(seat["score"]) for seat in array["seats"][0]] == [seat.score for seat in record.seats]


def test_a_copy_shares_nothing() -> None:
    record = Table()
    copy = record.copy()
    assert copy == record
    copy.board[0] = 1
    copy.deck.cards[0] = 1
    copy.owner.score = 1
    copy.seats[1].hand.count = 1
    assert record == Table()
    assert copy != record
    assert Table() != Seat()
    assert (Table() == 5) is False
    with pytest.raises(TypeError):
        hash(record)


def test_a_fresh_twin_is_all_zeros() -> None:
    assert not any(Table().to_array().tobytes())


def test_equal_twins_have_equal_bytes_in_the_gaps_too() -> None:
    assert Table.dtype.itemsize > sum(  # the layout does have gaps
        field_type.itemsize for field_type, *_ in (Table.dtype.fields or {}).values()
    )
    one, two = Table(), Table()
    one.small = two.small = 5
    assert one.to_array().tobytes() == two.to_array().tobytes()


def test_a_twin_holds_plain_numbers() -> None:
    record = Table.from_array(Table().to_array())
    for numbers in (
        record.board,
        record.deck.cards,
        record.owner.hand.cards,
        [record.small, record.deck.count],
    ):
        assert {type(number) for number in numbers} == {int}
