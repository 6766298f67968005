"""What second implementations share: the patterns of scenarios and the reading of options."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.options import completed
from tests.reference.scenarios import faults, list_matches, move_failures, refusal_failures

FOUND = ["7c", "8d", "9h"]


@pytest.mark.parametrize(
    ("pattern", "in_sequence", "in_any_order"),
    [
        (3, True, True),
        (2, False, False),
        (["7c", "8d", "9h"], True, True),
        (["8d", "7c", "9h"], False, True),
        (["7c", "?", "9h"], True, True),
        (["?", "7c", "?"], False, True),
        (["7c", "?"], False, False),
        (["7c", "8d", "9h", "?"], False, False),
        (["...", "9h"], True, True),
        (["9h", "..."], False, True),
        (["7c", "7c", "..."], False, False),
        (["?", "?", "?", "?", "..."], False, False),
        ([], False, False),
    ],
)
def test_a_list_is_compared_in_sequence_or_in_any_order(
    pattern: Any, in_sequence: bool, in_any_order: bool
) -> None:
    assert list_matches(pattern, FOUND) == in_sequence
    assert list_matches(pattern, FOUND, unordered=True) == in_any_order


def test_of_players_and_tables_only_what_differs_is_told() -> None:
    found = [{"hand": ["7c", "8d"], "score": 3}, {"hand": [], "score": 1}]
    wanted = [{"hand": ["8d", "7c"], "score": 3}, {"score": 2}]
    assert faults("players", wanted, found, {"hand"}) == ["score: expected 2, found 1"]
    assert len(faults("players", wanted, found, ())) == 2
    assert faults("players", wanted[:1], found, {"hand"}) != []
    assert faults("scored", {}, {"0,0": 3}, ()) != []
    assert faults("last", "-", None, ()) == []
    assert faults("last", "-", "0,0", ()) != []
    assert faults("round", True, 1, ()) != []


def test_a_refusal_names_one_of_the_clauses() -> None:
    broken = [("ALC-2", "two of a card")]
    assert refusal_failures({"refused": ["ALC-2", "ALC-5"]}, broken) == []
    assert refusal_failures({"refused": "ALC-5"}, broken) != []
    assert refusal_failures({"refused": []}, broken) == []
    assert refusal_failures({"refused": []}, []) != []
    assert refusal_failures({}, broken) != []
    assert refusal_failures({}, []) == []


def test_a_step_says_what_is_legal_and_what_forbids_the_rest() -> None:
    against = {"end": [], "draw": ["ALC-8"]}.__getitem__
    assert move_failures({"legal": "end", "illegal": {"draw": "ALC-8"}}, ["end"], against) == []
    assert move_failures({"illegal": {"draw": ["ALC-9"]}}, ["end"], against) != []
    assert move_failures({"illegal": {"draw": "ALC-8"}}, ["draw"], against) != []
    assert move_failures({"legal": ["draw"]}, ["end"], against) != []
    assert move_failures({"leagl": ["end"]}, ["end"], against) == ["unknown key leagl"]


def test_options_are_completed_and_checked() -> None:
    defaults = {"havoc": False, "cap": 20, "end": "first", "size": "none"}
    rules: tuple[Any, Any, Any] = (defaults, {"end": ("first", "last"), "size": ("none",)}, {"cap": (1, 50)})
    sizes = {"size": {"9x9": 9}.get}
    given = {"havoc": "yes", "cap": "30", "end": "last", "size": "9x9"}
    assert completed(None, *rules) == defaults
    assert completed(given, *rules, sizes) == {"havoc": True, "cap": 30, "end": "last", "size": 9}
    for wrong in ({"havok": True}, {"havoc": "maybe"}, {"cap": 51}, {"end": "never"}, {"size": "8x8"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            completed(wrong, *rules, sizes)
    with pytest.raises(ValueError, match=r"to DEFAULTS and CHOICES, .* in tests/reference/test_shared\.py$"):
        completed({"havok": True}, *rules)
