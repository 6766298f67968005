"""Describe what a program observes of a table, and the tokens of an action: numbers in named groups.

A game that programs may learn has a module ``observe.py`` with four names::

    OBSERVATION = ObservationLayout(hand=group(7, 18, private=True, meaning="…"), deck=group(1, …))
    TOKENS = TokenLayout(width=4, verb=13, place=6, card=54)

    @rule
    def observe(s, seat, out): ...          # writes every group of a state that `blank` has been at
    # writes what an action is about: its verb, then what the rules of the verbs add from out[1] on
    tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

Both are rules that read a *blanked* state, so they can't reveal what a seat can't know.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

from bartizan.engine.record import Array
from bartizan.engine.rule import rule

MOST = 127  # larger numbers are clipped to this and its negative


class Group(NamedTuple):
    """Some numbers of an observation that belong together."""

    shape: tuple[int, ...]  # for reshaping, the last index varying fastest
    low: int  # bounds of each number
    high: int
    private: bool  # only its own seat observes it
    meaning: str  # a line for the documentation
    name: str = ""
    first: int = 0  # where it begins

    @property
    def size(self) -> int:
        """The number of its numbers."""
        return prod(self.shape)

    @property
    def end(self) -> int:
        """Where it ends and the next group begins."""
        return self.first + self.size


def group(*shape: int, meaning: str, low: int = 0, high: int = 1, private: bool = False) -> Group:
    """Describe a group of numbers from `low` to `high`, within ±127; `private` ones a spectator lacks."""
    if not -MOST <= low <= high <= MOST or not shape or min(shape) < 1:
        raise ValueError(f"a group of shape {shape} with numbers from {low} to {high} is none")
    return Group(shape, low, high, private, meaning)


class ObservationLayout:
    """Lay out named groups in a flat vector of int8."""

    def __init__(self, **groups: Group) -> None:
        placed, first = [], 0
        for name, each in groups.items():
            placed.append(each._replace(name=name, first=first))
            first += each.size
        self.groups = tuple(placed)
        self._named = {each.name: each for each in placed}
        self.size = first

    def __getitem__(self, name: str) -> Group:
        """Return a group by its name; raises `KeyError`."""
        return self._named[name]

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the groups, in order."""
        return tuple(each.name for each in self.groups)

    def first(self, name: str) -> int:
        """Return where a group begins; raises `KeyError`."""
        return self[name].first


class TokenLayout:
    """Number what actions are about, in named families: a verb, a place, a card. 0 means nothing.

    An action is a row of `width` such numbers, padded with 0; their order has no meaning. A family of verbs
    comes first, and `put_verb` writes it.
    """

    def __init__(self, width: int, **families: int) -> None:
        self.width = width
        self.families = families
        firsts = itertools.accumulate(families.values(), initial=1)
        self._first = dict(zip(families, firsts, strict=False))
        self.size = 1 + sum(families.values())  # the number of tokens, including 0

    def first(self, family: str) -> int:
        """Return the number of a family's first token; raises `KeyError`."""
        return self._first[family]


@rule
def put_figure(out: Array, at: int, value: int) -> None:
    """Write a number to `out` (int8), clipped to its range."""
    out[at] = -127 if value < -127 else (127 if value > 127 else value)


@rule
def put_bit(out: Array, at: int, value: bool) -> None:
    """Write 1 to `out` if a condition holds."""
    if value:
        out[at] = 1


@rule
def put_cards(out: Array, first: int, kinds: int, cards: Any, count: int) -> None:
    """Count the first `count` of `cards` into `out` by kind; unknown cards aren't counted."""
    for place in range(count):
        card = cards[place]
        if 0 <= card < kinds:
            out[first + card] += 1


@rule
def put_verb(s: Any, verb: int, out: Array) -> None:
    """Write an action's verb as its first token; a game's dispatch of tokens calls this first."""
    out[0] = 1 + verb


@rule
def put_no_more(s: Any, out: Array) -> None:
    """Add nothing: the verb alone describes the action."""
