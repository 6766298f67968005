"""Typed moves are completed word by word."""

from __future__ import annotations

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from bartizan.terminal.completion import MoveCompleter, Offer, next_words

MOVES = [
    Offer("defend left.front with 5h 4d", "Beat the eight"),
    Offer("defend right.rear with Ts"),
    Offer("repair with 6c", "Mend"),
    Offer("end", "Let them attack"),
]
OFFERS = {"": [*MOVES, Offer("why", "explain")], "why": MOVES, "rules": [Offer("ALC-19", "Colours")]}


def completed(typed: str) -> dict[str, str]:
    found = MoveCompleter(lambda: OFFERS).get_completions(Document(typed), CompleteEvent())
    return {each.text: each.display_meta_text for each in found}


def test_first_words() -> None:
    assert completed("") == {"defend": "", "repair": "", "end": "Let them attack", "why": "explain"}
    assert completed("de") == {"defend": ""}
    assert completed("  DE") == {"defend": ""}


def test_next_words_after_a_space() -> None:
    assert completed("defend ") == {"left.front": "", "right.rear": ""}
    assert completed("defend left.front with 5h ") == {"4d": "Beat the eight"}
    assert completed("repair  wi") == {"with": ""}
    assert completed("defend nowhere ") == {}


def test_behind_a_command_its_own_words() -> None:
    assert completed("why rep") == {"repair": ""}
    assert completed("why repair with ") == {"6c": "Mend"}
    assert completed("rules ") == {"ALC-19": "Colours"}


def test_a_whole_line_has_nothing_after_it() -> None:
    assert next_words("end ", MOVES) == {}
