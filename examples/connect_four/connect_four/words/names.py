"""Name colours and places."""

from __future__ import annotations

COLOURS = ("Red", "Yellow")
FILES = "abcdefg"


def place_name(column: int, row: int) -> str:
    """Return a place's name, columns and rows counted from 0: ``d1``."""
    return f"{FILES[column]}{row + 1}"


def disc(colour: int, column: int, row: int) -> str:
    """Return the id of the disc on a place."""
    return f"{COLOURS[colour][0]}-{place_name(column, row)}"
