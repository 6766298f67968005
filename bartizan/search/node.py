"""Store a search tree as records of integers, so that interpreted and compiled searches are the same."""

from __future__ import annotations

from bartizan.engine.record import I8, I16, I32, I64, Record, field

ROOT = 0
NONE = 0  # no child, no sibling: the root is neither
SCALE = 1 << 20  # the value 1 in a node's sum


class Node(Record):
    """One action after those that led to it; chance outcomes on the way aren't told apart (open loop)."""

    key: int = field(I64)  # the action's name in the game's heuristics
    value_sum: int = field(I64)  # over all visits, for the seat that chose it, in units of 1 / `SCALE`
    parent: int = field(I32)
    first: int = field(I32)  # its newest child
    next: int = field(I32)  # its next older sibling
    visits: int = field(I32)
    availability: int = field(I32)  # how often it could have been chosen
    prior: int = field(I16)  # by the heuristics, among its siblings, in thousandths
    seat: int = field(I8)  # the seat that chose it


class SearchSettings(Record):
    """A game's `Tuning`, and the skill with which cards are thrown."""

    exploration: int = field(I32)
    bias: int = field(I32)
    widening: int = field(I32)
    horizon: int = field(I32)
    patience: int = field(I32)
    children: int = field(I32)
    opponents_as_chance: int = field(I32)
    sample: int = field(I32)
    skill: int = field(I32)


# Indices in a search's tally.
USED = 0  # nodes
STAMP = 1  # numbers the visits of nodes, to mark tried actions
FIRST = 2  # the action with which every iteration begins, so that the root is the position after it; or ANY
SUMS = 3  # from here on, the sum of all iterations' values for each seat, in units of 1 / `SCALE`
ANY_ACTION = -1
