"""Lay out tables of Tower for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bartizan.match import Match

LEVELS = ("rock", "paper", "scissors", "water", "lizard")


def tower(*levels: str) -> dict[str, str]:
    """Return a tower from the Foundation up."""
    return dict(zip(LEVELS, levels, strict=True))


NINES = tower("9r", "9p", "9s", "9w", "9l")
SIXES = tower("6r", "6p", "6s", "6w", "6l")
SEVENS = tower("7r", "7p", "7s", "7w", "7l")
FALLEN = tower("-", "-", "-", "-", "-")


def seat(hand: str, levels: Mapping[str, str] | None = None, turns: int = 9) -> dict[str, Any]:
    """Return a player's entry; without levels he has not built yet."""
    entry: dict[str, Any] = {"hand": hand.split(), "turns": turns}
    return entry | ({"tower": dict(levels)} if levels is not None else {})


def table(
    players: Sequence[Mapping[str, Any]], options: Mapping[str, object] | None = None, **position: Any
) -> Match:
    """Return a table that stands as the position says."""
    return Match("tower", options or {}, len(players), "1", {"players": list(players), **position})


def attack(sender: int, target: int, card: str) -> dict[str, Any]:
    """Return an attack in flight."""
    return {"from": sender, "at": target, "card": card}


def clause(match: Match, move: str) -> str:
    """Return the clause that forbids a move, ``""`` if it is legal."""
    refusal = match.why_not(move)
    return refusal.clause if refusal is not None else ""


def play(match: Match, *moves: str) -> dict[str, Any]:
    """Play moves and return the position after them."""
    for move in moves:
        match.play(move)
    return match.position()


def level(position: Mapping[str, Any], number: int, name: str) -> str:
    """Return what a position says of a level."""
    return str(position["players"][number - 1]["tower"][name])
