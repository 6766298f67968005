"""What is said of values of the wrong form."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from bartizan.engine.errors import first_difference, in_words


class Stall(msgspec.Struct, forbid_unknown_fields=True):
    """A form with each kind of fault."""

    seats: Annotated[int, msgspec.Meta(ge=1, le=5)]
    name: Annotated[str, msgspec.Meta(max_length=3)] = ""
    piles: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)] = (1,)
    look: dict[str, int] | None = None
    side: Literal["left", "right"] = "left"
    inner: Stall | None = None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "it is a list; it must be a table of keys"),
        (None, "it is nothing; it must be a table of keys"),
        ({}, "'seats' is missing"),
        ({"seats": "two"}, "seats is a text; it must be a whole number"),
        ({"seats": 0}, "seats must be at least 1"),
        ({"seats": 6}, "seats must be at most 5"),
        ({"seats": 1, "name": "long"}, "the length of name must be at most 3"),
        ({"seats": 1, "piles": []}, "piles must not be empty"),
        ({"seats": 1, "piles": [True]}, "piles[0] is true or false; it must be a whole number"),
        ({"seats": 1, "look": 3}, "look is a whole number; it must be a table of keys"),
        ({"seats": 1, "side": "up"}, "side can't be 'up'"),
        ({"seats": 1, "seat": 1}, "there is no key 'seat'"),
        ({"seats": 1, "inner": {"seats": 1, "seat": 1}}, "there is no key 'seat' in inner"),
        ({"seats": 1, "inner": {}}, "'seats' is missing in inner"),
    ],
)
def test_a_value_of_the_wrong_form_is_told_in_words(given: Any, sentence: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Stall)
    assert in_words(str(caught.value)) == sentence


def test_what_has_no_words_is_told_as_it_is() -> None:
    assert in_words("Something else - at `$.a.b[2]`") == "a.b[2]: Something else"
    assert in_words("Something else") == "Something else"
    assert (
        in_words("Invalid value (at line 1, column 11)") == "Invalid value (at line 1, column 11)"
    )  # TOML's
    assert in_words("Expected `int`, got `str`", "seats") == "seats is a text; it must be a whole number"


def test_the_first_difference_of_two_tables() -> None:
    assert first_difference({"a": 1, "b": 2}, {"a": 1, "b": 3}) == ("b", 2, 3)
    assert first_difference({"a": 1}, {}) == ("a", 1, None)
    assert first_difference({}, {"a": None}) == ("a", None, None)  # as in a file with null
