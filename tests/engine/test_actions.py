"""Action ids: dense, in blocks, with variants above."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK
from bartizan.engine.rule import entry, interpreted, rule

SPACE = ActionSpace(
    block("defend", place=6, cards=128, variants=5041), block("pair", one=3, two=2, three=5), block("end")
)


def test_blocks_lie_one_after_the_other() -> None:
    assert [SPACE[name].first for name in ("defend", "pair", "end")] == [0, 768, 798]
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


# --- Dispatch: a rule for each verb, written out ---------------------------------------------------------

PAIR = SPACE["pair"]
GUARDED, ENDED = 7, -5


@rule
def defend(s: Any, place: int, cards: int, variant: int) -> int:
    """Tell the fields of a defence."""
    return (place * 1_000 + cards) * 10_000 + variant


@rule
def pair(s: Any, one: int, two: int, three: int) -> int:
    """Tell the fields of a pair."""
    return one * 100 + two * 10 + three


@rule
def end(s: Any) -> int:
    """Tell nothing."""
    return ENDED


@rule
def guard(s: Any, verb: int) -> int:
    """Forbid ending where the state says so."""
    return GUARDED if s[0] == GUARDED and verb == 2 else OK


@rule
def note(s: Any, verb: int) -> None:
    """Note the verb."""
    s[1] = s[1] * 10 + verb


HERE = sys.modules[__name__]
answer = SPACE.dispatch(HERE, "answer", {"defend": defend, "pair": pair, "end": end}, hooks={"guard": guard})
noted = SPACE.dispatch(HERE, "noted", {}, hooks={"before": note, "after": note}, otherwise=OK)


@entry
def ask(states: Any, action: int) -> int:
    """Return what the dispatch answers."""
    return int(answer(states, action))


@entry
def do(states: Any, action: int) -> None:
    """Run the dispatch that only notes."""
    noted(states, action)


@entry
def pair_id(one: int, two: int, three: int) -> int:
    """Encode inside a rule."""
    return int(PAIR.id(one, two, three)) if PAIR.size == 30 else PAIR.first


def told_by_hand(action: int) -> int:
    """Return what `answer` should, by the checked decoder."""
    verb, fields = SPACE.decode(action)
    if verb == "end":
        return ENDED
    if verb == "defend":
        return (fields["place"] * 1_000 + fields["cards"]) * 10_000 + SPACE.variant(action)
    return fields["one"] * 100 + fields["two"] * 10 + fields["three"]


def test_dispatch_hands_each_verb_its_fields() -> None:
    plain = interpreted(sys.modules[__name__])
    state = np.zeros(2, np.int64)
    for action in [*range(SPACE.size), 5 + 3 * SPACE.size, 767 + 5_040 * SPACE.size]:
        assert ask(state, action) == plain.answer([0, 0], action) == told_by_hand(action)
    assert ask(np.array([GUARDED, 0]), 798) == plain.answer([GUARDED, 0], 798) == GUARDED
    assert ask(np.array([GUARDED, 0]), 797) == plain.answer([GUARDED, 0], 797) == told_by_hand(797)


@pytest.mark.parametrize(("action", "notes"), [(0, 0), (768, 11), (798, 22)])
def test_hooks_hear_the_number_of_the_verb(action: int, notes: int) -> None:
    state, record = np.zeros(2, np.int64), [0, 0]
    do(state, action)
    interpreted(sys.modules[__name__]).noted(record, action)
    assert state[1] == record[1] == notes


def test_encoders_are_the_inverse_inside_rules() -> None:
    plain = interpreted(sys.modules[__name__])
    for action in range(PAIR.first, PAIR.end):
        _, fields = SPACE.decode(action)
        assert pair_id(*fields.values()) == plain.PAIR.id(*fields.values()) == action


def test_a_rule_that_takes_other_arguments_is_refused() -> None:
    with pytest.raises(TypeError, match=r"the rule for pair takes 2 arguments, not \(s, one"):
        SPACE.dispatch(HERE, "wrong", {"defend": defend, "pair": guard, "end": end}, hooks={})


MOVES = ActionSpace(block("go", far=3), block("stay"))


def far_of_go(s: Any, far: int) -> int:
    return far


def test_a_modules_own_rules_are_found_by_their_names() -> None:
    found = MOVES.rule("far", "far_of_{}", otherwise=7)
    assert [getattr(found, "py_func", found)(None, action) for action in range(MOVES.size)] == [0, 1, 2, 7]
    with pytest.raises(TypeError, match="has no far_of_stay"):
        MOVES.rule("far", "far_of_{}")


def test_a_rule_named_after_no_verb_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HERE, "far_of_gone", far_of_go, raising=False)
    with pytest.raises(TypeError, match="far_of_gone belongs to no verb; they are go, stay"):
        MOVES.rule("far", "far_of_{}", otherwise=7)


def told(s: Any, one: int, two: int, three: int, out: list[int]) -> None:
    out[0] = 100 * one + 10 * two + three


def told_of_nothing(s: Any, out: list[int]) -> None:
    out[0] = -1


def test_hooks_are_handed_further_arguments_too() -> None:
    heard: list[Any] = []
    space = ActionSpace(block("go", far=3), block("stay"))
    tell = space.dispatch(
        HERE,
        "tell",
        {"go": lambda s, far, out, also: heard.append((far, out, also))},
        hooks={
            "guard": lambda s, verb, out, also: GUARDED if out == "no" else OK,
            "before": lambda s, verb, out, also: heard.append(("before", verb, out, also)),
            "after": lambda s, verb, out, also: heard.append(("after", verb, out, also)),
        },
        otherwise=lambda s, out, also: heard.append(("stays", out, also)),
        more=("out", "also"),
    )
    plain: Any = getattr(tell, "py_func", tell)
    plain(None, 2, "yes", 5)
    plain(None, 3, "yes", 6)
    assert plain(None, 0, "no", 7) == GUARDED
    assert heard == [
        *[("before", 0, "yes", 5), (2, "yes", 5), ("after", 0, "yes", 5)],
        *[("before", 1, "yes", 6), ("stays", "yes", 6), ("after", 1, "yes", 6)],
    ]


def test_a_made_rule_hands_further_arguments_on() -> None:
    tell = SPACE.dispatch(HERE, "tell", {"pair": told}, hooks={}, otherwise=told_of_nothing, more=("out",))
    out = [0]
    interpreted_tell: Any = getattr(tell, "py_func", tell)
    interpreted_tell(None, SPACE.encode("pair", one=2, two=1, three=4), out)
    assert out == [214]
    interpreted_tell(None, 5, out)
    assert out == [-1]
    with pytest.raises(TypeError, match=r"takes 1 arguments, not \(s, one, two, three, out\)"):
        SPACE.dispatch(
            HERE, "tell", {"pair": lambda s: 0}, hooks={}, otherwise=told_of_nothing, more=("out",)
        )
