"""Write moves as text and read them back, both by the same form.

A verb's *form* is its move text with a `Word` in braces for each thing that changes, and in brackets what
may be left out::

    "advantage {slot} paying {paying}[ replacing {replacing}]"

Spaces and letter case don't matter in reading. A bracket is left out if all its words have their default
numbers; a bracket without words is always written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bartizan.engine.errors import UnknownMove, quoted
from bartizan.engine.notation.text import squeeze


@dataclass(frozen=True)
class Word:
    """One kind of thing that moves name: its pattern, and how it is converted from and to a number.

    `read` raises `ValueError` with a reason for a text that can't name such a thing, and `IllegalMove` or
    `UnknownCard` if they say more.
    """

    pattern: str  # a regular expression without capturing groups, for the text without spaces
    write: Callable[[Any, int], str]  # (state, number) -> text
    read: Callable[[Any, str], int]  # (state, text) -> number
    absent: int = 0  # the number meant if a bracket is left out


def one_of(*names: str, first: int = 0) -> Word:
    """Return the word for one of some names, numbered from `first`."""
    lowered = [name.lower() for name in names]
    return Word(
        pattern="|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)),
        write=lambda state, number: names[number - first],
        read=lambda state, text: first + lowered.index(text.lower()),
    )


def flag(name: str) -> Word:
    """Return a word that means yes (1) if present and no (0) if left out."""
    return Word(re.escape(name), lambda state, number: name if number else "", lambda state, text: 1)


def counted(least: int, most: int, what: str) -> Word:
    """Return the word for a number from 1; `what` it counts is used in the error."""

    def read(state: Any, text: str) -> int:
        if not least <= int(text) <= most:
            raise ValueError(f"there is no {what} {text}; they run from {least} to {most}")
        return int(text) - 1

    return Word(r"\d+", lambda state, number: str(number + 1), read)


class Form:
    """The text of one verb's moves."""

    def __init__(self, text: str, words: dict[str, Word]) -> None:
        """Take a text with braces and brackets; raises `TypeError` for an undefined word."""
        self.parts = _parts(text)
        self.words = {name: words[name] for name in re.findall(r"\{(\w+)\}", text) if name in words}
        missing = set(re.findall(r"\{(\w+)\}", text)) - set(words)
        if missing:
            raise TypeError(f"{text!r} has no word for {', '.join(sorted(missing))}")
        self.beginning = re.split(r"[ {\[]", text)[0]  # the literal at its beginning, "" if there is none
        pattern = "".join(self._pattern(part) for part in self.parts)
        self._whole = re.compile(pattern, re.IGNORECASE | re.ASCII)

    def write(self, state: Any, numbers: dict[str, int]) -> str:
        """Return a move's text; `numbers` has one for each word."""
        return "".join(self._written(part, state, numbers) for part in self.parts)

    def _written(self, part: Part, state: Any, numbers: dict[str, int]) -> str:
        if part.optional and part.words and self._absent(part, numbers):
            return ""
        words = self.words
        return part.frame % tuple([words[name].write(state, numbers[name]) for name in part.words])

    def _absent(self, part: Part, numbers: dict[str, int]) -> bool:
        """Say whether all words of a bracket have their default numbers."""
        return all(
            numbers.get(name, self.words[name].absent) == self.words[name].absent for name in part.words
        )

    def match(self, squeezed: str) -> dict[str, str | None] | None:
        """Return the text of each word, None for those left out; or None if the text has another form."""
        match = self._whole.fullmatch(squeezed)
        return match.groupdict() if match else None

    def read(self, state: Any, texts: dict[str, str | None]) -> dict[str, int]:
        """Return the number of each word; raises what `Word.read` raises."""
        return {
            name: word.absent if texts[name] is None else word.read(state, texts[name] or "")
            for name, word in self.words.items()
        }

    def _pattern(self, part: Part) -> str:
        text = re.escape(squeeze(part.text)) if not part.words else ""
        if part.words:
            for piece in re.split(r"(\{\w+\})", part.text):
                name = piece[1:-1] if piece.startswith("{") else ""
                text += f"(?P<{name}>{self.words[name].pattern})" if name else re.escape(squeeze(piece))
        return f"(?:{text})?" if part.optional else text


@dataclass(frozen=True)
class Part:
    """A stretch of a form, either inside one bracket or outside all brackets."""

    text: str
    optional: bool

    @cached_property
    def words(self) -> list[str]:
        """The names of its words."""
        return re.findall(r"\{(\w+)\}", self.text)

    @cached_property
    def frame(self) -> str:
        """The text as a format string for its words, in order."""
        return re.sub(r"\{\w+\}", "%s", self.text.replace("%", "%%"))


def _parts(text: str) -> list[Part]:
    """Cut a form at its brackets."""
    pieces = re.split(r"(\[[^\]]*\])", text)
    return [Part(piece.strip("[]"), piece.startswith("[")) for piece in pieces if piece]


def unknown_word(text: str, word: str, reason: str) -> UnknownMove:
    """Return the error for a move with an unknown word, with that word's place."""
    place = text.lower().find(word.lower()) if word else -1
    end = "" if reason.endswith("?") else "."  # it may end with a suggestion
    return UnknownMove(f"{quoted(text)} isn't a move: {reason}{end}", text, place)


def beginnings(forms: Sequence[Form]) -> list[str]:
    """Return the words that moves begin with, each once, in order."""
    return list(dict.fromkeys(form.beginning for form in forms if form.beginning))
