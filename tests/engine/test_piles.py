"""Piles, compared with Python lists over random operations, interpreted and compiled alike."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine import piles
from bartizan.engine.mode import COMPILED
from bartizan.engine.piles import find, insert_sorted, move_all, pop, push, remove, take, top, tuck
from bartizan.engine.record import EMPTY, Pile, Record, pile
from bartizan.engine.rule import entry, interpreted

plain: Any = interpreted(piles)
ROOM = 12


class Table(Record):
    one: Pile = pile(ROOM)
    two: Pile = pile(ROOM)


PUSH, POP, TUCK, TAKE, FIND, REMOVE, TOP, MOVE_ALL = range(8)


@entry
def operate(states: Any, kind: int, number: int) -> int:
    s = states[0]
    if kind == PUSH:
        push(s.one, number)
    elif kind == POP:
        return pop(s.one)
    elif kind == TUCK:
        tuck(s.one, number)
    elif kind == TAKE:
        return take(s.one, number)
    elif kind == FIND:
        return find(s.one, number)
    elif kind == REMOVE:
        return 1 if remove(s.one, number) else 0
    elif kind == TOP:
        return top(s.one)
    else:
        move_all(s.one, s.two)
    return 0


@entry
def sort_in(states: Any, number: int) -> None:
    insert_sorted(states[0].two, number)


def plain_operate(s: Table, kind: int, number: int) -> Any:
    names = ("push", "pop", "tuck", "take", "find", "remove", "top", "move_all")
    if kind == MOVE_ALL:
        return plain.move_all(s.one, s.two)
    rest = () if kind in (POP, TOP) else (number,)
    return getattr(plain, names[kind])(s.one, *rest)


def listed_operate(one: list[int], two: list[int], kind: int, number: int) -> int:
    """Do the same on Python lists, the bottom card first."""
    if kind == PUSH:
        one.append(number)
    elif kind == POP:
        return one.pop()
    elif kind == TUCK:
        one.insert(0, number)
    elif kind == TAKE:
        return one.pop(number)
    elif kind == FIND:
        return one.index(number) if number in one else EMPTY
    elif kind == REMOVE:
        there = number in one
        if there:
            one.remove(number)
        return int(there)
    elif kind == TOP:
        return one[-1] if one else EMPTY
    else:
        two += one
        one.clear()
    return 0


@given(steps=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), max_size=40))
def test_piles_behave_like_lists(steps: list[tuple[int, int]]) -> None:
    record = Table()
    states: Any = record.to_array() if COMPILED else [record.copy()]
    one: list[int] = []
    two: list[int] = []
    for kind, number in steps:
        if kind in (POP, TAKE) and not one:
            continue
        if (kind in (PUSH, TUCK) and len(one) == ROOM) or (kind == MOVE_ALL and len(one) + len(two) > ROOM):
            continue
        if kind == TAKE:
            number %= len(one)
        wanted = listed_operate(one, two, kind, number)
        assert int(plain_operate(record, kind, number) or 0) == wanted
        assert int(operate(states, kind, number)) == wanted
        assert record.one.listed() == one[::-1]
        assert record.two.listed() == two[::-1]
        left = states.tobytes() if COMPILED else states[0].to_array().tobytes()
        assert left == record.to_array().tobytes()


@given(cards=st.lists(st.integers(-5, 60), max_size=ROOM))
def test_sorted_piles_stay_sorted(cards: list[int]) -> None:
    record = Table()
    states: Any = record.to_array() if COMPILED else [record.copy()]
    for card in cards:
        plain.insert_sorted(record.two, card)
        sort_in(states, card)
    assert record.two.listed()[::-1] == sorted(cards)
    left = states.tobytes() if COMPILED else states[0].to_array().tobytes()
    assert left == record.to_array().tobytes()
