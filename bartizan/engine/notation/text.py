"""Help read moves: free spacing, shortened moves, suggestions for typos."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bartizan.engine.errors import AmbiguousMove, UnknownMove, nearest, quoted


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
    """Return the only legal move that a shortened text matches.

    Raises `AmbiguousMove` with the candidates if several fit, `failure` if none does.
    """
    short = words_of(text)
    fitting = [move for move in legal if fits(short, words_of(move))] if short else []
    exact = [move for move in fitting if words_of(move) == short]
    if len(exact) == 1:
        return exact[0]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        shown = ", ".join(f"'{move}'" for move in fitting[:4]) + (" …" if len(fitting) > 4 else "")
        heading = f"{quoted(text)} fits {len(fitting)} legal moves:"
        raise AmbiguousMove(f"{heading} {shown}", fitting, heading)
    raise failure


def unknown_move(
    text: str, forms: Sequence[str], verbs: Sequence[str], wordless: Sequence[str] = ()
) -> UnknownMove:
    """Return the error for a text that doesn't have the form of any move.

    Args:
        text: what was typed.
        forms: an example of each form.
        verbs: the words that moves begin with.
        wordless: examples of the moves that begin with none.
    """
    first = words_of(text)[0] if words_of(text) else ""
    fitting = [each for each in forms if first and each.split()[0].startswith(first)]
    if fitting:
        form = max(fitting, key=lambda each: _likeness(text, each))
        return UnknownMove(f"{quoted(text)} isn't a move; write it like '{form}'.", text)
    ways = [f"begins with {', '.join(verbs)}"] if verbs else []
    ways += [f"is written like {', '.join(wordless)}"] if wordless else []
    hint = nearest(first, verbs) or f" A move {', or '.join(ways)}."
    return UnknownMove(f"{quoted(text)} isn't a move.{hint}", text)


def _likeness(text: str, form: str) -> int:
    """Count the words of a form that a text has, exactly or by kind, as two cards or places are."""
    left = words_of(text)
    for word in words_of(form):
        like = next((each for each in left if _is_alike(each, word)), None)
        if like is not None:
            left.remove(like)
    return len(words_of(text)) - len(left)


def _is_alike(one: str, other: str) -> bool:
    """Say whether one word begins the other, or both have the same pattern of digits, letters and dots."""
    if one[:1].isdigit() and other[:1].isdigit():
        return _shape(one) == _shape(other)
    return one.startswith(other) or other.startswith(one)


def _shape(word: str) -> str:
    return re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "0", word))
