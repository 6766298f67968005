"""Action ids: dense, in blocks, with variants above."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.actions import ActionSpace, block

SPACE = ActionSpace(block("defend", place=6, cards=128), block("pair", one=3, two=2, three=5), block("end"))


def test_blocks_lie_one_after_the_other() -> None:
    assert [SPACE.base(name) for name in ("defend", "pair", "end")] == [0, 768, 798]
    assert SPACE.size == 799
    assert [each.size for each in SPACE.blocks] == [768, 30, 1]
    assert SPACE.encode("defend", place=0, cards=0) == 0
    assert SPACE.encode("defend", cards=5, place=2) == 2 * 128 + 5
    assert SPACE.encode("pair", one=1, two=0, three=4) == 768 + 14
    assert SPACE.encode("end") == 798
    assert SPACE.decode(768 + 14) == ("pair", {"one": 1, "two": 0, "three": 4})
    assert list(SPACE.decode(14)[1]) == ["place", "cards"]


@given(action=st.integers(0, 798), variant=st.integers(0, 5040))
def test_codes_are_ids_and_variants(action: int, variant: int) -> None:
    name, fields = SPACE.decode(action)
    assert SPACE.encode(name, **fields) == action
    code = action + SPACE.size * variant
    assert SPACE.decode(code) == (name, fields)
    assert SPACE.variant(code) == variant


@pytest.mark.parametrize("value", [-1, 6, 100])
def test_a_field_out_of_range_is_named(value: int) -> None:
    with pytest.raises(ValueError, match=rf"defend: place is {value}, not 0 to 5"):
        SPACE.encode("defend", place=value, cards=0)


@pytest.mark.parametrize(
    "fields", [{}, {"place": 1}, {"place": 1, "cards": 1, "more": 1}, {"plaice": 1, "cards": 1}]
)
def test_wrong_fields_are_named(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="defend has the fields place, cards, not"):
        SPACE.encode("defend", **fields)
