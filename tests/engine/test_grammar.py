"""Moves by a grammar: every form writes what it reads, and says what is wrong with what it cannot read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import Rulebook
from bartizan.engine.errors import IllegalMove, UnfinishedGame, UnknownMove
from bartizan.engine.notation.grammar import Form, Word, counted, flag, one_of
from bartizan.engine.phases import PhaseRow, PhaseTable
from bartizan.engine.scene import Choice
from bartizan.engine.words import VARIANT, Explained, Verb, Vocabulary, offer

HAND = ("7c", "Td", "2s")  # the state of these tests is a hand of cards


def _read_card(state: Any, text: str) -> int:
    held = [card.lower() for card in state]
    if text.lower() not in held:
        raise IllegalMove(f"There is no {text} in the hand.", "TST-1")
    return held.index(text.lower())


CARD = Word(r"\d[A-Z]|T[A-Z]", lambda state, slot: state[slot], _read_card)


class Lay(Verb):
    """Lay a card, perhaps turned, perhaps upon another."""

    form, example = "lay {card}[ {turned}][ upon {under}]", "lay 7c"
    words = {"card": CARD, "turned": flag("turned"), "under": counted(1, 3, "pile")}

    def to_words(self, state: Any, fields: dict[str, int]) -> dict[str, int]:
        """Count piles from 0; none is 3."""
        return fields

    def choice(self, look: Any, card: int, turned: int, under: int) -> Choice:
        """Offer it."""
        return offer("Lay", label=f"Lay {look[card]}", note="it is the least" if under else "")

    def refusal(self, look: Any, clause: str, card: int, turned: int, under: int) -> Explained:
        """Refuse it."""
        return f"{look[card]} by {clause}", ["hand"]


class Swap(Verb):
    """Swap two cards in one of two orders."""

    form, example = "swap {first}[,]{second}", "swap 7c,Td"
    words = {"first": CARD, "second": CARD}

    def to_words(self, state: Any, fields: dict[str, int]) -> dict[str, int]:
        """Put the cards in the order of the variant."""
        cards = [0, 1 + fields["pair"]]
        first, second = cards[:: -1 if fields[VARIANT] else 1]
        return {"first": first, "second": second}

    def to_fields(self, state: Any, words: dict[str, int]) -> dict[str, int]:
        """Tell the order as the variant."""
        low, high = sorted(words.values())
        if low or not high:
            raise IllegalMove("Only the first card is swapped with another.", "TST-2")
        return {"pair": high - 1, VARIANT: int(words["first"] > words["second"])}


class End(Verb):
    """End."""

    form = example = "end"
    also = ("end", "END")


RULES = """
title = "Test"
source = "none"
summary = "A game for tests."
clause = [
  { id = "TST-1", section = "s", title = "t", text = "One." },
  { id = "TST-2", section = "s", title = "t", text = "Two." },
  { id = "TST-3", section = "s", title = "t", text = "Three." },
]
"""
ACTIONS = ActionSpace(
    block("lay", card=3, turned=2, under=3), block("swap", variants=2, pair=2), block("end")
)
PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("play", asks=("lay", "swap"), refuses="TST-2", prompt="Lay or swap.", others="Wait."),
    PhaseRow(
        "close", asks=("end",), refuses="TST-1", unless={"swap": "TST-3"}, prompt="End.", says="Only end now."
    ),
)


VERBS = {"lay": Lay(), "swap": Swap(), "end": End()}


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    path = Path(tmp_path_factory.mktemp("rules")) / "clauses.toml"
    path.write_text(RULES, encoding="utf-8")
    return Vocabulary(
        ACTIONS,
        Rulebook.load(path),
        PHASES,
        lambda state: 0 if len(state) > 1 else 1,
        VERBS,
    )


def every_code() -> list[int]:
    swaps = ACTIONS["swap"]
    return [*range(ACTIONS.size), *(swaps.first + pair + ACTIONS.size for pair in range(swaps.size))]


def test_every_action_reads_back(vocabulary: Vocabulary) -> None:
    texts = {code: vocabulary.print_move(HAND, code) for code in every_code()}
    assert len(set(texts.values())) == len(texts)
    assert {"lay 7c", "lay 7c turned", "lay Td upon 3", "swap 2s,7c", "end"} <= set(texts.values())
    for code, text in texts.items():
        assert vocabulary.parse_move(HAND, text) == code
        assert vocabulary.parse_move(HAND, text.upper().replace(" ", "")) == code


def test_what_stands_in_brackets_without_a_word_is_written_but_need_not_be_read(
    vocabulary: Vocabulary,
) -> None:
    assert vocabulary.parse_move(HAND, "swap 7c Td") == vocabulary.parse_move(HAND, "swap 7c,Td")
    assert vocabulary.move_forms == ("lay 7c", "swap 7c,Td", "end", "END")
    assert vocabulary.beginnings == ["lay", "swap", "end"]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("lay 9h", IllegalMove, "There is no 9h in the hand"),
        ("lay 7c upon 4", UnknownMove, "there is no pile 4; they run from 1 to 3"),
        ("swap Td 2s", IllegalMove, "Only the first card"),
        ("lay", UnknownMove, "write it like 'lay 7c'"),
        ("dance", UnknownMove, "A move begins with lay, swap, end"),
    ],
)
def test_what_cannot_be_read_is_told(
    vocabulary: Vocabulary, text: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        vocabulary.parse_move(HAND, text)


def test_a_misread_word_has_its_place(vocabulary: Vocabulary) -> None:
    with pytest.raises(UnknownMove) as caught:
        vocabulary.parse_move(HAND, "lay 7c upon 5")
    assert caught.value.place == 12


def test_a_variant_of_an_action_without_any_has_no_text(vocabulary: Vocabulary) -> None:
    with pytest.raises(ValueError, match="lay has no variants"):
        vocabulary.print_move(HAND, ACTIONS.size)


def test_choices_and_refusals_are_the_verbs(vocabulary: Vocabulary) -> None:
    code = vocabulary.parse_move(HAND, "lay Td upon 2")
    choice = vocabulary.choice(HAND, code)
    assert (choice.action, choice.text, choice.label) == (code, "lay Td upon 2", "Lay Td")
    assert vocabulary.reason(HAND, code) == "Lay Td: it is the least."
    refusal = vocabulary.refusal(HAND, code, 10)
    assert (refusal.clause, refusal.sentence, refusal.rule, refusal.blockers) == (
        "TST-1",
        "Td by TST-1",
        "One.",
        ("hand",),
    )
    assert (
        vocabulary.refusal(("7c",), vocabulary.parse_move(("7c",), "lay 7c"), 10).sentence == "Only end now."
    )


def _why_not_in_phase(state: Any, verb: int) -> int:
    plain = getattr(PHASES.why_not, "py_func", PHASES.why_not)
    return int(plain(0 if len(state) > 1 else 1, verb))


def test_a_phase_refuses_a_verb_before_the_cards_that_it_names(vocabulary: Vocabulary) -> None:
    def says(state: Any, verb: str) -> Explained:
        return f"{verb} is not asked", state

    phases = PhaseTable(ACTIONS, PHASES[0], replace(PHASES[1], says=says))
    strict = Vocabulary(
        ACTIONS,
        vocabulary._rulebook,
        phases,
        lambda state: 0 if len(state) > 1 else 1,
        VERBS,
        why_not_in_phase=_why_not_in_phase,
    )
    with pytest.raises(IllegalMove, match="There is no 9h in the hand"):
        strict.parse_move(HAND, "lay 9h")
    with pytest.raises(IllegalMove, match="There is no 9h in the hand"):
        vocabulary.parse_move(("7c",), "lay 9h")
    with pytest.raises(IllegalMove, match="lay is not asked") as caught:
        strict.parse_move(("7c",), "lay 9h")
    assert (caught.value.clause, caught.value.rule, caught.value.blockers) == ("TST-1", "One.", ("7c",))
    refusal = strict.refusal(("7c",), strict.parse_move(("7c",), "lay 7c"), 10)
    assert (refusal.sentence, refusal.blockers) == ("lay is not asked", ("7c",))


def test_a_phase_says_what_it_asks_and_refuses_the_rest() -> None:
    numbers = {verb: ACTIONS[verb].number for verb in ACTIONS.verbs}
    plain = getattr(PHASES.why_not, "py_func", PHASES.why_not)
    clauses = {
        (phase, verb): int(plain(phase, number)) for phase in (0, 1) for verb, number in numbers.items()
    }
    assert clauses == {
        (0, "lay"): 0,
        (0, "swap"): 0,
        (0, "end"): 20,
        (1, "lay"): 10,
        (1, "swap"): 30,
        (1, "end"): 0,
    }
    assert [PHASES.prompt(0, HAND, 1, asked) for asked in (True, False)] == ["Lay or swap.", "Wait."]
    assert PHASES.names == ("play", "close")
    with pytest.raises(UnfinishedGame, match="has the verb 'dance', which doesn't exist"):
        PhaseTable(ACTIONS, PhaseRow("odd", asks=("dance",)))
    with pytest.raises(UnfinishedGame, match=r"No phase asks for 'end': add it to a row's asks in"):
        PhaseTable(ACTIONS, PHASES[0], replace(PHASES[1], asks=()))


def test_a_form_wants_its_words() -> None:
    with pytest.raises(TypeError, match="has no word for card"):
        Form("lay {card}", {})


@given(
    numbers=st.fixed_dictionaries(
        {"kind": st.integers(0, 2), "count": st.integers(0, 8), "odd": st.integers(0, 1)}
    )
)
def test_forms_write_what_they_read(numbers: dict[str, int]) -> None:
    words = {"kind": one_of("cat", "dog", "catfish"), "count": counted(1, 9, "place"), "odd": flag("odd")}
    form = Form("put {kind} at {count}[, {odd}]", words)
    text = form.write(None, numbers)
    texts = form.match("".join(text.split()))
    assert texts is not None
    assert form.read(None, texts) == numbers
