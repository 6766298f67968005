"""Set up small Alcazar positions for the tests."""

from __future__ import annotations

from typing import Any

from bartizan.engine.scene import Item, Zone
from bartizan.match import Match

# Armies that stand still and attack nobody: with `empty_rear = "stay"` their Movement does nothing, and
# black non-face cards do not attack a black top.
IDLE = {"right": ["2c", "-"], "left": ["3c", "-"], "top": ["4c", "-"]}
STILL = {"empty_rear": "stay"}


def table(options: dict[str, Any] | None = None, **position: Any) -> Match:
    """Return a table in a position; what is not named is a black top, idle armies and some red hand."""
    tower = ["7c", "~2h", "~3h"]
    return Match("alcazar", options, seed="1", position={"tower": tower, **IDLE, **position})


def after(match: Match, *moves: str) -> dict[str, Any]:
    """Play moves and return the position."""
    for move in moves:
        match.play(move)
    return match.position()


def refused(match: Match, move: str) -> str:
    """Return the clause that forbids a move; ``""`` if it is legal."""
    refusal = match.why_not(move)
    return "" if refusal is None else refusal.clause


def zone(match: Match, name: str) -> Zone:
    """Return a zone of what the player sees."""
    return next(each for each in match.views.scene(1).zones if each.id == name)


def enemy(match: Match, place: str) -> Item:
    """Return what the player sees at a place such as ``left.front``."""
    return next(item for item in zone(match, place.partition(".")[0]).items if item.at == place)


def attack(match: Match) -> str:
    """Return the figure of the coming attack, such as ``12 against 7``."""
    [contest] = match.views.scene(1).contests
    return " against ".join(str(side.value) for side in contest.sides)
