"""Set up small Card Barrage positions for the tests."""

from __future__ import annotations

from typing import Any

from bartizan.engine.scene import Choice, Zone
from bartizan.match import Match

# Two seats with all walls up; each has cards in hand, and nothing has been scored yet.
ONE = {"hand": ["4k", "6v", "13t"], "walls": ["3t", "6k", "9s", "2v", "12v"], "deck": ["5k", "5s"]}
TWO = {"hand": ["2s", "9k"], "walls": ["7t", "4v", "11k", "6s", "10t"], "deck": ["8k", "8s"]}


def duel(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> Match:
    """Return a duel; what is not given stands as in `ONE` and `TWO`."""
    return table(2, one, two, **position)


def table(
    seats: int,
    *players: dict[str, Any] | None,
    options: dict[str, Any] | None = None,
    **position: Any,
) -> Match:
    """Return a table that stands as `ONE`, `TWO` and what is given; other seats are dealt."""
    fresh: list[dict[str, Any]] = [ONE, TWO if seats > 1 else {**TWO, "hand": []}]
    given = [*players, *([None] * (2 - len(players)))]
    entries = [{**(fresh[n] if n < 2 else {}), **(each or {})} for n, each in enumerate(given)]
    castles = len(Match("card-barrage", options, seats, "1").position()["players"])
    entries += [{} for _ in range(castles - len(entries))]
    slots = 5 if seats <= 2 else 4 if seats <= 4 else 3
    for entry in entries:
        entry["walls"] = entry["walls"][:slots] if "walls" in entry else None
    entries = [{key: value for key, value in entry.items() if value is not None} for entry in entries]
    return Match("card-barrage", options, seats, "1", {"players": entries, **position})


def after(match: Match, *moves: str) -> dict[str, Any]:
    """Play moves and return the position."""
    for move in moves:
        match.play(move)
    return match.position()


def player(match: Match, seat: int) -> dict[str, Any]:
    """Return what lies before a seat."""
    found: dict[str, Any] = match.position()["players"][seat - 1]
    return found


def refused(match: Match, move: str) -> str:
    """Return the clause that forbids a move; ``""`` if it is legal."""
    refusal = match.why_not(move)
    return "" if refusal is None else refusal.clause


def zone(match: Match, name: str, seat: int = 1) -> Zone:
    """Return a zone of what a person sees."""
    return next(each for each in match.views.scene(seat).zones if each.id == name)


def choice(match: Match, text: str) -> Choice:
    """Return the choice for a move of whoever decides."""
    return next(each for each in match.views.scene(match.seat_to_move).choices if each.text == text)
