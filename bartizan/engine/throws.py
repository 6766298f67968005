"""Let games simulate what happens off the screen: a throw, whose outcome is then reported as a move.

Rules never throw.  A move may be a *report*: what a card or a ball did on a real table.  Where
no table is at hand a thrower supplies the report; a game that needs one has a module
``thrower.py`` in the form of `Thrower` and says so with ``Game(throws=True)``.  Its functions
are rules, so that batches of games run compiled.  The functions below stand in for it in games
without throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from bartizan.engine.rule import rule


class Thrower(Protocol):
    """Supply the verdicts of throws: a skill model, a physics model, a bank of recorded throws."""

    SKILLS: Sequence[str]  # of skill, by name, the weakest first; rules know them as 1, 2, …
    DEFAULT: str  # one of them

    def report(self, s: Any, seat: int, aim: int, method: int, level: int, dice: Any) -> int:
        """Throw for `seat` at what `aim` names and return the report as an action, a legal one.

        What `aim` and `method` mean is the game's affair; `dice` has a random stream of its own.
        """

    def attempt(self, s: Any, action: int, level: int, careful: bool, dice: Any) -> int:
        """Return what comes of an action that a program has chosen.

        A report stands for the wish to bring it about, and `report` says what happens;
        every other action comes back as it is.  A careful program throws as it can best.
        """

    def aims(self, s: Any, legal: Any, count: int) -> int:
        """Leave of the legal actions one report for each thing to aim at; return how many are left."""

    def shares(self, s: Any, action: int, level: int, out: Any, parts: Any) -> int:
        """Write what may come of a careful attempt to `out` (int32), and how likely to `parts` (float64).

        Returns how many outcomes there are; the parts add up to 1.
        """


SKILLS: tuple[str, ...] = ()
DEFAULT = ""


@rule
def attempt(s: Any, action: int, level: int, careful: bool, dice: Any) -> int:
    """Return the action: nothing is thrown."""
    return action


@rule
def aims(s: Any, legal: Any, count: int) -> int:
    """Leave everything: nothing is thrown."""
    return count


@rule
def shares(s: Any, action: int, level: int, out: Any, parts: Any) -> int:
    """Tell that the action itself comes of it."""
    out[0], parts[0] = action, 1.0
    return 1
