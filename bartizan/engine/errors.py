"""Define the errors for anything that comes from outside.

Rules never raise: they return a clause number. These errors are raised where text, files and messages come
in. `str(error)` is a sentence that can be shown to a player.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LONGEST_QUOTE = 60  # characters of user input


def quoted(text: str) -> str:
    """Return user input in quotation marks, shortened if it is long."""
    text = text.strip()
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…")


class BartizanError(Exception):
    """Base class of all errors whose text is shown to users."""

    code = "error"


class NotationError(BartizanError):
    """A text that isn't valid notation."""

    code = "notation"

    def __init__(self, message: str, text: str = "", place: int = -1) -> None:
        super().__init__(message)
        self.text = text
        self.place = place


class UnknownCard(NotationError):
    """A word that should be a card of this game's deck but isn't."""

    code = "unknown_card"


class UnknownMove(NotationError):
    """A text that doesn't have the form of any move of this game."""

    code = "unknown_move"


class IllegalMove(BartizanError):
    """A well-formed move that a clause forbids here and now."""

    code = "illegal_move"

    def __init__(
        self,
        message: str,
        clause: str,
        text: str = "",
        blockers: Sequence[str] = (),
        rule: str = "",
    ) -> None:
        super().__init__(message)
        self.clause = clause
        self.text = text
        self.blockers = tuple(blockers)
        self.rule = rule


class AmbiguousMove(BartizanError):
    """A shortened move that matches more than one legal move.

    Where the candidates are whole moves, `heading` is the sentence to list them under.
    """

    code = "ambiguous_move"

    def __init__(self, message: str, candidates: Sequence[str], heading: str = "") -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)
        self.heading = heading


class NotYourTurn(BartizanError):
    """A move by a seat whose turn it isn't."""

    code = "not_your_turn"


class StalePly(BartizanError):
    """A move meant for another ply than the table's current one."""

    code = "stale_ply"


class GameOver(BartizanError):
    """A move in a finished game."""

    code = "game_over"


class BadPosition(BartizanError):
    """A position that breaks rules; `faults` holds all of them as (clause, sentence)."""

    code = "bad_position"

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        self.faults = tuple(faults)
        sentences = ((clause, text.removesuffix(".")) for clause, text in faults)
        super().__init__("; ".join(f"{text} ({clause})" if clause else text for clause, text in sentences))


class UnknownGame(BartizanError):
    """A name that no installed game has."""

    code = "unknown_game"


class BrokenGame(BartizanError):
    """A game whose files can't be loaded."""

    code = "broken_game"


def first_line(error: BaseException) -> str:
    """Return the first line of a library's error without its full stop, or else the error's name."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


class UnfinishedGame(BartizanError):
    """A game that lacks a required part."""

    code = "unfinished_game"


class UnknownOption(BartizanError):
    """An option name, or a value of one, that the game does not have."""

    code = "unknown_option"


class BadOption(BartizanError):
    """An option that a game declares in a way that no table can use."""

    code = "bad_option"


class UnknownPlayer(BartizanError):
    """A name that no computer player has."""

    code = "unknown_player"


class UnknownClause(BartizanError):
    """A clause id that the rulebook does not have."""

    code = "unknown_clause"


class BadSeed(BartizanError):
    """A seed that is not 1 to 32 hexadecimal digits."""

    code = "bad_seed"


class BadSeats(BartizanError):
    """A number of seats that the game does not allow, or that no game can have."""

    code = "bad_seats"


class CorruptRecord(BartizanError):
    """A record that can't be read or stops being legal at `ply`."""

    code = "corrupt_record"

    def __init__(self, message: str, ply: int = -1) -> None:
        super().__init__(message)
        self.ply = ply


class BadCheckValue(BartizanError):
    """A text that can't be the check value of a table."""

    code = "bad_check_value"


class BadData(BartizanError):
    """A data file with invalid content."""

    code = "bad_data"


class BadScenario(BartizanError):
    """A scenario file with invalid content."""

    code = "bad_scenario"


class BadLesson(BartizanError):
    """A lesson or puzzle file with invalid content."""

    code = "bad_lesson"


class UnknownLesson(BartizanError):
    """A lesson or puzzle that the game does not have."""

    code = "unknown_lesson"


class Uncountable(BartizanError):
    """A request to count the lines of play of a game that involves chance."""

    code = "uncountable"


class Unsolvable(BartizanError):
    """A request to solve a game that isn't a solitaire."""

    code = "unsolvable"


class Unteachable(BartizanError):
    """A request to train a network for a game that defines no features."""

    code = "unteachable"


class NothingToUndo(BartizanError):
    """An undo at the first ply, or a redo at the last one."""

    code = "nothing_to_undo"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the known word nearest to `word`, or ``""``."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f" Did you mean {close[0]!r}?" if close else ""


def first_difference(one: Mapping[str, Any], two: Mapping[str, Any]) -> tuple[str, Any, Any]:
    """Return the first key under which two unlike tables differ, and both values, None for a missing one."""
    key = next(key for key in {**two, **one} if not (key in one and key in two and one[key] == two[key]))
    return key, one.get(key), two.get(key)


PHRASES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of keys",
    "null": "nothing",
    ">=": "at least",
    "<=": "at most",
    ">": "more than",
    "<": "less than",
}
# What msgspec says of a value of the wrong form, and how we say it; `{0}` is the value's name.
MISFITS = {
    r"Expected `(.+)`, got `(.+)`": "{0} is {2}; it must be {1}",
    r"Expected `(?:int|float)` (>=|<=|>|<) (.+)": "{0} must be {1} {2}",
    r"Expected `(?:str|array|object)` of length >= 1": "{0} must not be empty",
    r"Expected `(?:str|array|object)` of length (>=|<=) (.+)": "the length of {0} must be {1} {2}",
    r"Object missing required field `(.+)`": "{1!r} is missing{place}",
    r"Object contains unknown field `(.+)`": "there is no key {1!r}{place}",
    r"Invalid (?:enum )?value ('.+'|-?\d+)": "{0} can't be {1}",
}


def in_words(fault: object, name: str = "") -> str:
    """Return what msgspec says of a value of the wrong form in plain words.

    ``Expected `int`, got `str` - at `$.seats` `` becomes ``seats is a text; it must be a whole number``.
    `name` is the value's, if msgspec doesn't name it.
    """
    said, _, path = str(fault).rstrip(".").partition(" - at `$")
    name = path.strip(".`") or name
    for form, words in MISFITS.items():
        if found := re.fullmatch(form, said):
            parts = [_phrase(part) for part in found.groups()]
            return words.format(name or "it", *parts, place=f" in {name}" if name else "")
    return f"{name}: {said}" if name else said


def _phrase(word: str) -> str:
    """Return msgspec's word for some types or for a bound as we say it; any other as it is."""
    kinds = word.removesuffix(" | null").split(" | ")
    return " or ".join(PHRASES.get(kind, kind) for kind in kinds)
