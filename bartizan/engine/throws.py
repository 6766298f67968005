"""Let games simulate what happens off the screen: a throw, whose result is reported as a move.

Rules never throw. A move may be a *report*: what a card or a ball did on a real table. Without a real table,
a thrower supplies the report. A game that needs a thrower has a module ``thrower.py`` that follows the
`Thrower` protocol, and declares ``Game(throws=True)``. Its functions are rules, so batches of games run
compiled. The functions below are the defaults for games without throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from bartizan.engine.rule import rule


class Thrower(Protocol):
    """Supply the results of throws: from a skill model, a physics model, or a bank of recorded throws."""

    SKILLS: Sequence[str]  # skill levels by name, the weakest first; rules know them as 1, 2, …
    DEFAULT: str  # one of them

    def report(self, s: Any, seat: int, aim: int, method: int, level: int, dice: Any) -> int:
        """Throw for `seat` at the target `aim` and return the report as a legal action.

        The game defines the meaning of `aim` and `method`; `dice` has its own random stream.
        """

    def attempt(self, s: Any, action: int, level: int, careful: bool, dice: Any) -> int:
        """Return the result of an action that a program has chosen.

        If the action is a report, the program wants that outcome, and `report` decides what
        happens instead.  Other actions are returned unchanged.  A careful program throws as
        well as it can.
        """

    def aims(self, s: Any, legal: Any, count: int) -> int:
        """Keep one report for each thing to aim at among the legal actions; return how many are left."""

    def shares(self, s: Any, action: int, level: int, out: Any, parts: Any) -> int:
        """Write the possible results of a careful attempt to `out` (int32), chances to `parts` (float64).

        Returns how many results there are; the chances add up to 1.
        """


SKILLS: tuple[str, ...] = ()
DEFAULT = ""


@rule
def attempt(s: Any, action: int, level: int, careful: bool, dice: Any) -> int:
    """Return the action: nothing is thrown."""
    return action


@rule
def aims(s: Any, legal: Any, count: int) -> int:
    """Keep everything: nothing is thrown."""
    return count


@rule
def shares(s: Any, action: int, level: int, out: Any, parts: Any) -> int:
    """Return the action itself as the only result."""
    out[0], parts[0] = action, 1.0
    return 1
