"""Define how programs play: the depth of their search, and the named levels that people choose from.

A game's ``heuristics.py`` defines `action_score(s, action)`: how good an action looks, in the game's own
units.  For searches it may define more.  All of these are rules except the first two:

- ``TUNING``: the settings of its search (a `Tuning`), found by playing;
- ``PLAYER_LEVELS``: its ladder of players (`Level`), the weakest first, measured by ``bartizan ladder``;
- ``narrow(s, legal, count)``: removes, in place, moves not worth searching; returns how many are left;
- ``evaluate(s, seat)``: the value of an unfinished game to a seat, from -1 to 1, where a playout stops;
- ``features(s, seat, out)``, ``FEATURES`` and ``NETWORK``, instead of `evaluate`: the first writes the
  indices of the active features to `out` and returns their count, the second lists all features, and the
  third turns them into a value (`bartizan.engine.network`; ``bartizan learn`` trains one);
- ``key_of(s, action)`` and ``action_of(s, key)``: a name for an action that means the same whatever
  is hidden (by the card, where actions name places in a hand), and the action of a name, or -1.

A game without this file uses the `action_score` below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bartizan.engine.rule import rule

NO_LIMIT = 1_000_000


@dataclass(frozen=True)
class Tuning:
    """How a tree search is set for a game; shares are in thousandths."""

    exploration: int = 700  # the constant of UCB1, where values go from -1 to 1
    bias: int = 400  # progressive bias: what the heuristics' favourite is given at first, fading with visits
    widening: int = 1_500  # progressive: a node with n visits has up to 1 + widening * sqrt(n) children
    horizon: int = NO_LIMIT  # plies of a playout before the game's `evaluate` says how it stands
    patience: int = 0  # plies that a playout goes on past its horizon, until the seat that thinks is next
    children: int = NO_LIMIT  # that a node has at most; past chance most of them are seldom available
    opponents_as_chance: bool = False  # others play by the heuristics, as chance has it, without nodes
    sample: int = 2  # a playout takes the best of so many legal actions, random


@dataclass(frozen=True)
class Level:
    """One player program by name: what it plays by, and how much it may think.

    Without iterations and time it plays by the heuristics alone; with both, the first to run out ends
    its search.
    """

    name: str
    random_move_percent: int = 0  # the percentage of moves that it picks at random
    iterations: int = 0  # of its search, for each decision
    milliseconds: int = 0  # for each decision
    threads: int = 1  # that search side by side, each its own tree

    @property
    def searches(self) -> bool:
        """Whether it looks ahead."""
        return self.iterations > 0 or self.milliseconds > 0


TOP = "top"  # what the strongest level of any game can be called

DEFAULT_LEVELS = (
    Level("page", random_move_percent=60),
    Level("squire", random_move_percent=20),
    Level("knight", iterations=50),
    Level("marshal", iterations=300),
    Level("castellan", milliseconds=1_000),
)


@rule
def action_score(s: Any, action: int) -> int:
    """Return 0: to a game that has no heuristics yet all actions are alike."""
    return 0
