"""Know how to play Alcazar decently: what an action is worth.

Everything here reads only what the player knows: the hand, face-up enemies,
the tower's top, the Advantages and the counts of the piles.
"""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import State


@rule
def preference(s: State, action: int) -> int:
    """Return what an action is worth, in hundredths of a tower card."""
    return action
