"""Hold a search tree as records: integers only, so that a search is the same interpreted and compiled."""

from __future__ import annotations

from bartizan.engine.record import I8, I16, I32, I64, Record, field

ROOT = 0
NONE = 0  # no child, no sibling: the root is neither
SCALE = 1 << 20  # what a value of 1 is in a node's sum


class Node(Record):
    """One action after those that led to it; what chance does on the way is not told apart (open loop)."""

    key: int = field(I64)  # the action, as the game's heuristics name it
    value_sum: int = field(I64)  # of all visits, for the seat that chose it, in parts of `SCALE`
    parent: int = field(I32)
    first: int = field(I32)  # the newest of its children
    next: int = field(I32)  # the sibling that is older by one
    visits: int = field(I32)
    availability: int = field(I32)  # how often it could have been chosen
    prior: int = field(I16)  # by the heuristics, among its siblings, in thousandths
    seat: int = field(I8)  # that chose it


class SearchSettings(Record):
    """A game's `Tuning`, and with what skill cards are thrown."""

    exploration: int = field(I32)
    bias: int = field(I32)
    widening: int = field(I32)
    horizon: int = field(I32)
    patience: int = field(I32)
    children: int = field(I32)
    opponents_as_chance: int = field(I32)
    sample: int = field(I32)
    skill: int = field(I32)


# Places in a search's tally.
USED = 0  # nodes
STAMP = 1  # numbers the visits of nodes, to mark what was tried
FIRST = 2  # the action with which every iteration begins, so that the root stands for what follows; or ANY
SUMS = 3  # from here on, for each seat, the values of all iterations, in parts of `SCALE`
ANY_ACTION = -1
