"""Say what a seat observes of Castle Danger's table: everything (CD-1, CD-Q25)."""

from __future__ import annotations

from bartizan.games.castle_danger.state import State


def observe(state: State, seat: int) -> State:
    """Return a copy of the table without its random stream."""
    copy = state.copy()
    copy.rng = 0
    return copy
