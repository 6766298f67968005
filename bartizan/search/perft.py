"""Count the lines of play of a given length: a generic module, bound to each game.

Independent programs can compare the count, which makes it a sharp test of rules (chess programs call it
"performance test"). Every action is one ply.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_rules
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rule import entry, rule

game: Any = bound_rules(__name__)

if COMPILED:

    @rule
    def copy_down(states: Array, level: int) -> None:
        """Copy the state at `level` to the next level."""
        states[level + 1] = states[level]

else:

    def copy_down(states: Array, level: int) -> None:
        """Copy the state at `level` to the next level."""
        states[level + 1] = states[level].copy()


@entry
def perft(states: Array, legal: Array, counts: Array, tried: Array, depth: int) -> int:
    """Return how many lines of `depth` (1 or more) actions begin at the first state.

    Lines that end earlier don't count, and the last actions of the lines are counted, not played. There is
    memory for each level: `states` (depth,) State, `legal` (depth, max_legal) int32, `counts` (depth,) int32
    for how many are legal there, and `tried` (depth,) int32 for how many were tried.
    """
    level = 0
    total = 0
    tried[0] = 0
    counts[0] = game.legal_actions(states[0], legal[0])
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif tried[level] < counts[level]:
            action = legal[level][tried[level]]
            tried[level] += 1
            copy_down(states, level)
            level += 1
            game.apply(states[level], action)
            tried[level] = 0
            counts[level] = game.legal_actions(states[level], legal[level])
        else:
            level -= 1
    return total
