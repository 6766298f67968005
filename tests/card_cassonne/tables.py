"""Set up small Card-cassonne positions for the tests, and count areas the plain way."""

from __future__ import annotations

from typing import Any

from bartizan.engine.scene import Choice, Scene, Zone
from bartizan.match import Match

Place = tuple[int, int]


def table(
    board: dict[str, str],
    hand: list[str],
    options: dict[str, Any] | None = None,
    seats: int = 2,
    others: dict[str, Any] | None = None,
    **position: Any,
) -> Match:
    """Return a table at which seat 1 holds `hand`; `others` is what seat 2 has."""
    players: list[dict[str, Any]] = [{"hand": hand}, *({} for _ in range(seats - 1))]
    players[1] |= others or {}
    return Match("card-cassonne", options, seats, "1", {"board": board, "players": players, **position})


def refused(match: Match, move: str) -> str:
    """Return the clause that forbids a move; ``""`` if it is legal."""
    refusal = match.why_not(move)
    return "" if refusal is None else refusal.clause


def after(match: Match, *moves: str) -> dict[str, Any]:
    """Play moves and return the position."""
    for move in moves:
        match.play(move)
    return match.position()


def points(match: Match) -> list[int]:
    """Return the points of all seats."""
    return [player["score"] for player in match.position()["players"]]


def supplies(match: Match) -> list[int]:
    """Return the supplies of all seats."""
    return [player["supply"] for player in match.position()["players"]]


def zone(scene: Scene, name: str) -> Zone:
    """Return a zone of a scene."""
    return next(each for each in scene.zones if each.id == name)


def choice(scene: Scene, text: str) -> Choice:
    """Return the choice that stands for a move."""
    return next(each for each in scene.choices if each.text == text)


def place(text: str) -> Place:
    """Return the x and y of a written place."""
    x, y = text.split(",")
    return int(x), int(y)


def around(cell: Place) -> list[Place]:
    """Return the four places beside a place."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def areas_of(board: dict[Place, str]) -> list[set[Place]]:
    """Return the areas of a layout by flood fill, the plain way (CC-16)."""
    left, found = set(board), []
    while left:
        start = left.pop()
        area, waiting = {start}, [start]
        while waiting:
            for beside in around(waiting.pop()):
                if beside in left and board[beside][-1] == board[start][-1]:
                    left.discard(beside)
                    area.add(beside)
                    waiting.append(beside)
        found.append(area)
    return found


def spaces_of(board: dict[Place, str], area: set[Place]) -> list[Place]:
    """Return the empty places beside an area, once for each card that they border (CC-18)."""
    return [beside for cell in area for beside in around(cell) if beside not in board]
