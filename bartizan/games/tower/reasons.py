"""Say in a sentence what speaks for an action."""

from __future__ import annotations

from bartizan.games.tower.choices import choices_of
from bartizan.games.tower.state import State


def reason(observation: State, action: int) -> str:
    """Return what the action brings, from what the seat can see."""
    choice = choices_of(observation, [action])[0]
    return f"{choice.label}." if not choice.note else f"{choice.label}: {choice.note}."
