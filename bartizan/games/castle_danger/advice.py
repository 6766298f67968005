"""Know how to play."""

from bartizan.engine.rule import rule
from bartizan.games.castle_danger.state import State


@rule
def preference(s: State, action: int) -> int:
    """Return what an action is worth."""
    return 0
