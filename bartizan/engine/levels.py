"""Define how computer players play: their search, and the named levels that people choose from.

A game's ``heuristics.py`` defines `action_score(s, action)`: how good an action looks, in the game's own
units.  For searches it may define more.  All in small letters are rules:

- ``TUNING``: the settings of its search (a `Tuning`), found by playing;
- ``PLAYER_LEVELS``: its ladder of players (`Level`), the weakest first, measured by ``bartizan ladder``;
- ``narrow(s, legal, count)``: removes, in place, moves not worth searching; returns how many are left;
- ``evaluate(s, seat)``: the value of an unfinished game to a seat, from -1 to 1, where a playout stops;
- ``features(s, seat, out)``, ``FEATURES`` and ``NETWORK``, instead of `evaluate`: the first writes the
  indices of the active features to `out` and returns their count, the second lists all features, and the
  third turns them into a value (`bartizan.engine.network`; ``bartizan learn`` trains one);
- ``POLICY``: a network that has learned which action to choose, for levels that play by it
  (`bartizan.engine.policy_network`; ``bartizan train`` trains one);
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
    """The settings of a game's tree search; shares are in thousandths."""

    exploration: int = 700  # the constant of UCB1, for values from -1 to 1
    bias: int = 400  # progressive bias: what the heuristics' favourite starts with, fading with visits
    widening: int = 1_500  # progressive: a node with n visits has up to 1 + widening * sqrt(n) children
    horizon: int = NO_LIMIT  # plies of a playout before the game's `evaluate` ends it
    patience: int = 0  # plies that a playout may run past its horizon, until the searching seat's turn
    children: int = NO_LIMIT  # the most children of a node; after chance, most of them are seldom available
    opponents_as_chance: bool = False  # opponents follow the heuristics, with random choices, without nodes
    sample: int = 2  # a playout takes the best of this many random legal actions


@dataclass(frozen=True)
class Level:
    """A named computer player: how it plays, and how much it may think.

    Without iterations and time it plays by the heuristics alone, or by the game's `POLICY`; with both, the
    first to run out ends its search.
    """

    name: str
    random_move_percent: int = 0  # the percentage of moves that it picks at random
    iterations: int = 0  # iterations of its search, per decision
    milliseconds: int = 0  # seconds, per decision
    threads: int = 1  # threads that search in parallel, each with its own tree
    learned: bool = False  # whether it chooses by the game's `POLICY`

    @property
    def searches(self) -> bool:
        """Whether it searches ahead."""
        return self.iterations > 0 or self.milliseconds > 0


TOP = "top"  # an alias of the strongest level of any game

# What people call the usual levels.
TITLES = {
    "page": "Beginner",
    "squire": "Easy",
    "knight": "Medium",
    "marshal": "Hard",
    "castellan": "Expert",
}
DEFAULT_LEVELS = (
    Level("page", random_move_percent=60),
    Level("squire", random_move_percent=20),
    Level("knight", iterations=50),
    Level("marshal", iterations=300),
    Level("castellan", milliseconds=1_000),
)


def title_of(player: str) -> str:
    """Return a computer player's name as people know it: "Medium" for "knight"."""
    name, colon, skill = player.partition(":")
    return TITLES.get(name, name) + (f" ({skill})" if colon else "")


@rule
def action_score(s: Any, action: int) -> int:
    """Return 0: without heuristics, all actions are equal."""
    return 0
