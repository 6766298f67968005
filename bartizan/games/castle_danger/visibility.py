"""Say what a seat observes of Castle Danger's table: everything (CD-1, CD-Q25)."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.castle_danger.state import State

PERFECT_INFORMATION = True


@rule
def blank(s: State, seat: int) -> None:
    """Blank out the random stream, which is no part of the table."""
    s.rng = 0
