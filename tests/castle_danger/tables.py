"""Set up small Castle Danger positions for the tests."""

from __future__ import annotations

from typing import Any

from bartizan.engine.scene import Choice, Item, Zone
from bartizan.match import Match

RIVER = "~~~~~~~"


def board(*rows: str, **squares: str) -> list[str]:
    """Return a board with both Kings on a1 and g9 and nothing else, but for what is named: ``d4="C"``."""
    grid = [
        list(row) for row in rows or ("......k", *(["......."] * 3), RIVER, *(["......."] * 3), "K......")
    ]
    for name, sign in squares.items():
        grid[9 - int(name[1])]["abcdefg".index(name[0])] = sign
    return ["".join(row) for row in grid]


def table(options: dict[str, Any] | None = None, moves: int | None = None, **squares: str) -> Match:
    """Return a table with Blue to move, so many moves left (the whole turn's if not told)."""
    given: dict[str, Any] = {"board": board(**squares)}
    if moves is not None:
        given["moves_left"] = moves
    return Match("castle-danger", options, seed="1", position=given)


def fresh(**options: Any) -> Match:
    """Return a new game."""
    return Match("castle-danger", options, seed="1")


def play(match: Match, *moves: str) -> dict[str, Any]:
    """Play moves and return the position."""
    for move in moves:
        match.play(move)
    return match.position()


def at(match: Match, square: str) -> str:
    """Return the sign on a square."""
    rows: list[str] = match.position()["board"]
    return rows[9 - int(square[1])]["abcdefg".index(square[0])]


def refused(match: Match, move: str) -> str:
    """Return the clause that forbids a move; ``""`` if it is legal."""
    refusal = match.why_not(move)
    return "" if refusal is None else refusal.clause


def verbs(match: Match, verb: str) -> list[str]:
    """Return the legal moves that begin with a word."""
    return [text for text in match.legal_texts() if text.split()[0] == verb]


def zone(match: Match, name: str, seat: int = 1) -> Zone:
    """Return a zone of what a seat sees."""
    return next(each for each in match.views.scene(seat).zones if each.id == name)


def item(match: Match, square: str) -> Item:
    """Return what everybody sees on a square."""
    return next(each for each in zone(match, "board").items if each.at == square)


def choice(match: Match, text: str) -> Choice:
    """Return the choice for a move, as the seat to move sees it."""
    return next(each for each in match.views.scene(match.seat_to_move).choices if each.text == text)
