"""Say what a seat observes of the rack: everything."""

from __future__ import annotations

from bartizan.engine.rule import rule
from connect_four.state import State

PERFECT_INFORMATION = True


@rule
def blank(s: State, seat: int) -> None:
    """Blank out the random stream, which is no part of the table."""
    s.rng = 0
