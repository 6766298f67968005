"""Observe many tables inside compiled code: a generic module, bound to each game.

A game's ``observe`` always reads a scratch copy that its ``blank`` has erased secrets from, so an observation
can't reveal what its seat can't know. Only games without hidden information skip the copy. This is separate
from stepping, whose entry would otherwise take minutes to compile.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_observer, bound_visibility
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import i64
from bartizan.engine.rule import entry, rule

observer: Any = bound_observer(__name__)
visibility: Any = bound_visibility(__name__)
PERFECT = bool(getattr(visibility, "PERFECT_INFORMATION", False))

if COMPILED:

    @rule
    def copy_blanked(scratch: Array, states: Array, place: int, seat: int) -> None:
        """Set the scratch copy to what a seat may see of a state."""
        scratch[0] = states[place]
        visibility.blank(scratch[0], seat)

else:

    def copy_blanked(scratch: Array, states: Array, place: int, seat: int) -> None:
        """Set the scratch copy to what a seat may see of a state."""
        scratch[0] = states[place].copy()
        visibility.blank(scratch[0], seat)


@rule
def observe_one(states: Array, place: int, scratch: Array, seat: int, row: Array) -> None:
    """Write what a seat observes of a state to `row`."""
    for at in range(len(row)):
        row[at] = 0
    if PERFECT:
        observer.observe(states[place], seat, row)
    else:
        copy_blanked(scratch, states, place, seat)
        observer.observe(scratch[0], seat, row)


@entry
def observe_range(
    states: Array, scratch: Array, seats: Array, chosen: Array, out: Array, first: int, last: int
) -> None:
    """Observe the `chosen` (n, bool) tables from `first` to `last` - 1, each as one seat.

    `scratch` (1,) is memory for a State; `seats` (n,) are from 1, 0 is a spectator; `out` is (n, size) int8.
    """
    for i in range(first, last):
        if chosen[i]:
            observe_one(states, i, scratch, i64(seats[i]), out[i])


@entry
def tokens_all(
    states: Array, scratch: Array, seats: Array, offsets: Array, actions: Array, out: Array
) -> None:
    """Write the tokens of legal actions: table *i*'s begin at ``offsets[i]`` in `actions` (int32).

    `out` is (actions, width) int16.
    """
    for i in range(len(seats)):
        if offsets[i] == offsets[i + 1]:
            continue
        copy_blanked(scratch, states, i, i64(seats[i]))
        for at in range(offsets[i], offsets[i + 1]):
            row = out[at]
            for place in range(len(row)):
                row[place] = 0
            observer.tokens(scratch[0], i64(actions[at]), row)
