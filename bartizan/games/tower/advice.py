"""Know how to play Tower decently."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.tower.state import State


@rule
def preference(s: State, action: int) -> int:
    """Return what an action is worth."""
    return 0
