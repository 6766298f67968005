"""Help a game's notation: free spacing, shortened moves, reading of position tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bartizan.engine.errors import AmbiguousMove, UnknownMove, nearest


def squeeze(text: str) -> str:
    """Remove all white space: spaces inside a move are free."""
    return re.sub(r"\s+", "", text)


def words_of(text: str) -> list[str]:
    """Split a move into lower-case words, places and cards."""
    return re.findall(r"[\w.*,-]+", text.lower())


def fits(short: Sequence[str], full: Sequence[str]) -> bool:
    """Say whether each word of a shortened move begins a word of the full one, in order."""
    place = 0
    for word in short:
        while place < len(full) and not full[place].startswith(word):
            place += 1
        if place == len(full):
            return False
        place += 1
    return True


def complete(text: str, legal: Sequence[str], failure: UnknownMove) -> str:
    """Return the only legal move that a shortened text fits.

    Raises `AmbiguousMove` with the candidates if several fit, `failure` if none does.
    """
    short = words_of(text)
    found = [move for move in legal if fits(short, words_of(move))] if short else []
    exact = [move for move in found if words_of(move) == short]
    if len(exact) == 1:
        return exact[0]
    if len(found) == 1:
        return found[0]
    if found:
        shown = ", ".join(f"'{move}'" for move in found[:4]) + (" …" if len(found) > 4 else "")
        raise AmbiguousMove(f"{text!r} fits {len(found)} legal moves: {shown}", found)
    raise failure


def unknown_move(text: str, forms: Sequence[str], verbs: Sequence[str]) -> UnknownMove:
    """Return the error for a text that has the form of no move."""
    first = words_of(text)[0] if words_of(text) else ""
    fitting = [each for each in forms if first and each.split()[0].startswith(first)]
    if fitting:
        form = max(fitting, key=lambda each: _likeness(text, each))
        return UnknownMove(f"{text.strip()!r} is no move; write it like '{form}'.", text)
    hint = nearest(first, verbs) or f" A move begins with {', '.join(verbs)}."
    return UnknownMove(f"{text.strip()!r} is no move.{hint}", text)


def _likeness(text: str, form: str) -> int:
    """Return how many words of a form a text has: begun alike, or of a kind, as two cards or places are."""
    left = words_of(text)
    for word in words_of(form):
        found = next((each for each in left if _is_alike(each, word)), None)
        if found is not None:
            left.remove(found)
    return len(words_of(text)) - len(left)


def _is_alike(one: str, other: str) -> bool:
    """Say whether a word begins the other, or both are written alike: figures, letters and dots in turn."""
    if one[:1].isdigit() and other[:1].isdigit():
        return _shape(one) == _shape(other)
    return one.startswith(other) or other.startswith(one)


def _shape(word: str) -> str:
    return re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "0", word))


class PositionReader:
    """Read the keys of a position and collect every fault on the way."""

    def __init__(self, given: Mapping[str, Any], keys: Sequence[str]) -> None:
        self.given = given
        self.faults: list[tuple[str, str]] = []
        for key in given:
            if key not in keys:
                self.fault("", f"a position has no key {key!r}.{nearest(key, keys)}")

    def fault(self, clause: str, sentence: str) -> None:
        """Note a fault; all are reported together."""
        self.faults.append((clause, sentence))

    def integer(self, key: str, default: int, low: int, high: int, clause: str = "") -> int:
        """Return a whole number in a range."""
        value = self.given.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(clause, f"{key} is {value!r}; it must be a whole number from {low} to {high}")
            return default
        return value

    def truth(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.given.get(key, default)
        if not isinstance(value, bool):
            self.fault("", f"{key} is {value!r}; it must be true or false")
            return default
        return value

    def word(self, key: str, default: str, words: Sequence[str]) -> str:
        """Return one of some words."""
        value = self.given.get(key, default)
        if value not in words:
            self.fault("", f"{key} is {value!r}; it can be {', '.join(words)}.{nearest(str(value), words)}")
            return default
        return str(value)

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; empty if the key is left out."""
        value = self.given.get(key, [])
        if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
            self.fault("", f"{key} is {value!r}; it must be a list of texts")
            return []
        return list(value)

    def parsed(self, key: str, parse: Callable[[str], Any]) -> list[Any]:
        """Return a list with each text parsed."""
        return [parse(text) for text in self.texts(key)]
