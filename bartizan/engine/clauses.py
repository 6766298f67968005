"""Hold a game's rulebook: numbered clauses in our own words, with our rulings.

Inside rules a clause is a small integer: the number times ten, plus one for
"b", two for "c": ``ALC-66c`` is 662.  `OK` (0) means that no clause objects.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from bartizan.engine.errors import BadData, UnknownClause, in_words, nearest
from bartizan.engine.files import reason

OK = 0
Minutes = Annotated[int, msgspec.Meta(ge=1)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


def code(clause: str) -> int:
    """Return the number by which rules know a clause: ``code("ALC-66c") == 662``."""
    match = re.fullmatch(r"[A-Za-z]+-(\d+)([a-z]?)", clause)
    if match is None:
        raise ValueError(f"{clause!r} isn't a clause id")
    letter = match.group(2)
    return int(match.group(1)) * 10 + (ord(letter) - ord("a") if letter else 0)


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One clause: what the book says, and what we decided where it is silent."""

    id: str
    section: Words
    title: Words
    text: Words
    ruling: str = ""
    questions: tuple[str, ...] = ()


class Term(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of a game's own words, explained where it occurs."""

    word: Words  # matched with its case; also with an "s" at the end
    says: Words
    clause: str


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole rulebook, as ``clauses.toml`` holds it."""

    title: Words
    author: str = ""  # if the document names one
    source: Words
    summary: Words
    line: str = ""  # what a player does in the game, in a few words
    minutes: tuple[Minutes, Minutes] | None = None  # the fewest and the most of nine games in ten
    difficulty: Annotated[int, msgspec.Meta(ge=0, le=3)] = (
        0  # how hard the game is to learn, from 1 to 3; 0 if not rated
    )
    worth: str = ""  # how rare a win is for one player with the default options
    clause: Annotated[tuple[Clause, ...], msgspec.Meta(min_length=1)]
    term: tuple[Term, ...] = ()

    @classmethod
    def load(cls, path: Path) -> Rulebook:
        """Read a game's ``clauses.toml``; raises `BadData` with the line that is wrong."""
        name = f"{path.parent.name}/{path.name}"
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = reason(error) if isinstance(error, OSError) else "it is not UTF-8"
            raise BadData(f"{name} cannot be read: {why}.") from error
        try:
            return msgspec.convert(tomllib.loads(text), cls)
        except tomllib.TOMLDecodeError as error:
            raise BadData(f"{name} is not TOML: {error}.") from error
        except msgspec.ValidationError as error:
            line, fault = _fault_in(text, str(error))
            raise BadData(f"{name}:{line}: {fault}") from error

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clause)

    @property
    def credit(self) -> str:
        """Return the title with its author, if known."""
        return f"{self.title} by {self.author}" if self.author else self.title

    def all(self) -> tuple[Clause, ...]:
        """Return every clause in the order of the rulebook."""
        return self.clause

    @property
    def prefix(self) -> str:
        """Return the letters that begin every clause id."""
        return self.clause[0].id.split("-")[0]

    def id_of(self, number: int) -> str:
        """Return the clause id for the number that rules use; ``""`` for OK."""
        if number == OK:
            return ""
        letter = "" if number % 10 == 0 else chr(ord("a") + number % 10)
        return f"{self.prefix}-{number // 10}{letter}"

    def get(self, clause: str) -> Clause:
        """Return a clause by its id, in any case, with or without the prefix.

        Raises `UnknownClause` with the nearest id.
        """
        wanted = self._full_id(clause)
        for each in self.clause:
            if each.id.lower() == wanted:
                return each
        known = [each.id for each in self.clause]
        raise UnknownClause(
            f"{self.title} has no clause {clause!r}; they run from {known[0]} to {known[-1]}."
            + nearest(wanted.upper(), known)
        )

    def find(self, text: str) -> tuple[Clause, ...]:
        """Return the clause with this id, or the clauses whose rulings answer this question (``Q12``).

        Raises `UnknownClause` with the nearest id.
        """
        wanted = self._full_id(text)
        answers = tuple(each for each in self.clause if wanted in map(str.lower, each.questions))
        if answers:
            return answers
        known = sorted({question for each in self.clause for question in each.questions}, key=_number)
        if wanted.startswith(self.prefix.lower() + "-q") and known:
            raise UnknownClause(
                f"{self.title} has no question {text!r}; they run from {known[0]} to {known[-1]}."
                + nearest(wanted.upper(), known)
            )
        return (self.get(text),)

    def names(self, clause: str) -> frozenset[str]:
        """Return the names that a clause may be cited by: its id, and the questions that it answers."""
        return frozenset(each for own in self.clause if own.id == clause for each in (own.id, *own.questions))

    def _full_id(self, text: str) -> str:
        wanted, prefix = text.strip().lower(), self.prefix.lower() + "-"
        return wanted if wanted.startswith(prefix) else prefix + wanted


def _fault_in(text: str, fault: str) -> tuple[int, str]:
    """Return the line and the sentence for what msgspec says of a rulebook."""
    if unknown := re.search(r"unknown field `(\w+)`(?: - at `(\$.*)`)?", fault):
        key, path = unknown[1], unknown[2] or "$"
        parts: dict[str, type[msgspec.Struct]] = {"$.clause": Clause, "$.term": Term}
        known = msgspec.structs.fields(parts.get(path.partition("[")[0], Rulebook))
        meant = nearest(key, [each.name for each in known])
        return _line_of(text, f"`{path}.{key}"), f"There is no key {key!r} here.{meant}"
    return _line_of(text, fault), f"{in_words(fault)}."


def _line_of(text: str, fault: str) -> int:
    """Return the line of a msgspec path such as ``$.clause[3].title``, or the nearest one above."""
    at_line, lines = 1, text.splitlines()
    for key, index in re.findall(r"\.(\w+)(?:\[(\d+)\])?", fault.rpartition("`$")[2]):
        at = [
            number
            for number, line in enumerate(lines[at_line - 1 :], at_line)
            if re.match(rf"\s*(?:\[\[{key}\]\]|{key}\s*=)", line)
        ]
        if not at:
            break
        at_line = at[min(int(index or 0), len(at) - 1)]
    return at_line


def _number(question: str) -> int:
    """Return the number in a question's id, for sorting."""
    return int(re.sub(r"\D", "", question) or 0)
