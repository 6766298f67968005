"""Say in a sentence what speaks for an action."""

from __future__ import annotations

from bartizan.games.alcazar.choices import choices_of
from bartizan.games.alcazar.state import State


def reason(observation: State, action: int) -> str:
    """Return what the action brings, from what the player can see."""
    choice = choices_of(observation, [action])[0]
    return f"{choice.label}." if not choice.note else f"{choice.label}: {choice.note}."
