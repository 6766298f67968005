"""Say in a sentence what speaks for an action."""

from __future__ import annotations

from bartizan.games.castle_danger.choices import choices_of
from bartizan.games.castle_danger.state import State


def reason(observation: State, action: int) -> str:
    """Return what the action brings."""
    choice = choices_of(observation, [action])[0]
    return f"{choice.label}: {choice.note}."
