"""Clauses, cards, shortened moves and the reading of positions: what text means, and the errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine import registry
from bartizan.engine.cards import POKER, RankedDeck
from bartizan.engine.clauses import OK, code
from bartizan.engine.errors import (
    AmbiguousMove,
    BadPosition,
    UnknownCard,
    UnknownClause,
    UnknownMove,
    nearest,
)
from bartizan.engine.notation import PositionReader, complete, fits, squeeze, unknown_move, words_of

JANKEN = RankedDeck("rpswl", ("rock", "paper", "scissors", "water", "lizard"))

# --- Clauses -----------------------------------------------------------------


def test_clause_numbers() -> None:
    assert (code("ALC-1"), code("ALC-66"), code("ALC-66b"), code("ALC-66c")) == (10, 660, 661, 662)
    for wrong in ("ALC", "ALC-", "66", "ALC-66bc", "ALC-b", "ALC-Q1", "ALC-66B"):
        with pytest.raises(ValueError, match="isn't a clause id"):
            code(wrong)


@pytest.mark.parametrize("name", registry.names())
def test_every_clause_has_one_number(name: str) -> None:
    book = registry.get(name).clauses
    numbers = {code(clause.id) for clause in book}
    assert len(numbers) == len(book.all()) > 0
    assert OK not in numbers
    assert book.id_of(OK) == ""
    for clause in book:
        assert book.id_of(code(clause.id)) == clause.id
        short = clause.id.removeprefix(book.prefix + "-")
        for word in (clause.id, clause.id.lower(), clause.id.upper(), short, f"  {short} "):
            assert book.get(word) is clause
        assert clause.title.strip()
        assert clause.text.strip()
        assert clause.section.strip()


@pytest.mark.parametrize("name", registry.names())
def test_an_unknown_clause_gets_the_nearest(name: str) -> None:
    book = registry.get(name).clauses
    for wrong in ("999", "", "Q1000", "ALC19x"):
        with pytest.raises(UnknownClause) as caught:
            book.get(wrong)
        assert f"{book.title} has no clause {wrong!r}; they run from {book.prefix}-1 to " in str(caught.value)
    with pytest.raises(UnknownClause, match=rf"Did you mean '{book.prefix}-"):
        book.get(f"{book.all()[-1].id}x")


# --- Cards -------------------------------------------------------------------


@pytest.mark.parametrize("deck", [POKER, JANKEN], ids=["poker", "janken"])
def test_cards_read_what_they_print(deck: RankedDeck) -> None:
    texts = [deck.text(card) for card in range(deck.plain)]
    assert len(set(texts)) == deck.plain == 13 * len(deck.suits)
    assert deck.size == deck.plain + 2
    for card, text in enumerate(texts):
        for word in (text, text.upper(), text.lower(), f" {text}\t", text.replace("T", "10")):
            assert deck.parse(word) == card
        assert deck.name(card).endswith(deck.names[card % len(deck.suits)])
    assert deck.text(deck.plain) == deck.text(deck.plain + 1) == "*"
    assert deck.parse("*") == deck.plain
    assert deck.name(deck.plain + 1) == "Joker"


def test_ids_ascend_in_the_order_in_which_sets_are_written() -> None:
    assert [POKER.text(card) for card in (0, 1, 2, 3, 4, 16, 51)] == [
        "Ac",
        "Ad",
        "Ah",
        "As",
        "Kc",
        "Tc",
        "2s",
    ]
    assert POKER.name(POKER.parse("7c")) == "seven of clubs"


SUITS = "c (clubs), d (diamonds), h (hearts), s (spades)"
NO_CARD = f"a card is a rank (2 to 9, T, J, Q, K, A) and a suit: {SUITS}"
NO_RANK = "the ranks are 2 to 9, T, J, Q, K, A"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7x", f"there is no suit 'x': the suits are {SUITS}"),
        ("1c", f"there is no rank '1': {NO_RANK}"),
        ("11c", f"there is no rank '11': {NO_RANK}"),
        ("c", f"there is no rank '': {NO_RANK}"),
        ("7 c", f"there is no rank '7 ': {NO_RANK}"),
        ("7", NO_CARD),
        ("", NO_CARD),
        ("**", NO_CARD),
        ("🂡", NO_CARD),
    ],
)
def test_errors_name_the_text_and_the_right_form(text: str, reason: str) -> None:
    with pytest.raises(UnknownCard) as caught:
        POKER.parse(text)
    assert str(caught.value) == f"{text!r} isn't a card: {reason}."
    assert caught.value.text == text
    assert caught.value.code == "unknown_card"


@given(word=st.text(max_size=4))
def test_a_word_is_a_card_that_prints_like_it_or_an_error(word: str) -> None:
    try:
        card = POKER.parse(word)
    except UnknownCard:
        return
    assert POKER.text(card) == "*" or POKER.text(card).lower() == word.strip().lower().replace("10", "t")


@given(cards=st.lists(st.integers(0, 52), max_size=8))
def test_runs_of_cards_are_split(cards: list[int]) -> None:
    run = "".join(POKER.text(card) for card in cards)
    assert POKER.split(run) == cards
    assert POKER.split(run.replace("T", "10")) == cards


# --- Shortened moves ---------------------------------------------------------

LEGAL = (
    "defend left.front with 5h 4d",
    "defend left.front with 9d",
    "repair with 6c",
    "draw",
    "end",
)
FAILURE = UnknownMove("no such move", "x")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e", "end"),
        ("END", "end"),
        ("  end ", "end"),
        ("dr", "draw"),
        ("r", "repair with 6c"),
        ("rep 6", "repair with 6c"),
        ("defend 9d", "defend left.front with 9d"),
        ("def left 9", "defend left.front with 9d"),
        ("d 5h 4d", "defend left.front with 5h 4d"),
    ],
)
def test_a_shortened_move_that_fits_one_is_that(text: str, move: str) -> None:
    assert complete(text, LEGAL, FAILURE) == move


@pytest.mark.parametrize("text", ["d", "defend", "def left.front", "defend with"])
def test_a_shortened_move_that_fits_several_is_ambiguous(text: str) -> None:
    with pytest.raises(AmbiguousMove) as caught:
        complete(text, LEGAL, FAILURE)
    wanted = [move for move in LEGAL if fits(words_of(text), words_of(move))]
    assert list(caught.value.candidates) == wanted
    assert len(wanted) > 1
    assert str(caught.value).startswith(f"{text!r} fits {len(wanted)} legal moves: '{wanted[0]}', '")


@pytest.mark.parametrize("text", ["", " ", "x", "end end", "repair 7c", "4d 5h defend", "\x00", "()"])
def test_a_text_that_fits_none_fails_as_told(text: str) -> None:
    with pytest.raises(UnknownMove) as caught:
        complete(text, LEGAL, FAILURE)
    assert caught.value is FAILURE


def test_the_whole_move_wins_over_one_that_goes_on() -> None:
    legal = ("advantage Qh paying 5h", "advantage Qh paying 5h replacing Jc")
    assert complete("advantage Qh paying 5h", legal, FAILURE) == legal[0]
    assert complete("adv qh pay 5h rep", legal, FAILURE) == legal[1]
    with pytest.raises(AmbiguousMove):
        complete("adv qh", legal, FAILURE)


def test_many_candidates_are_cut_short_in_the_sentence_only() -> None:
    legal = [f"trade {rank}h" for rank in "23456789"]
    with pytest.raises(AmbiguousMove) as caught:
        complete("t", legal, FAILURE)
    assert str(caught.value) == "'t' fits 8 legal moves: 'trade 2h', 'trade 3h', 'trade 4h', 'trade 5h' …"
    assert len(caught.value.candidates) == 8


@given(move=st.sampled_from(LEGAL), data=st.data())
def test_any_shortening_fits_its_move(move: str, data: st.DataObject) -> None:
    words = words_of(move)
    kept = [word for word in words if data.draw(st.booleans())]
    short = [word[: data.draw(st.integers(1, len(word)))] for word in kept]
    assert fits(short, words)
    assert not fits([*words, "x"], words)


def test_unknown_moves_are_told_the_nearest_form() -> None:
    forms, verbs = ("repair with 6c", "end"), ("repair", "end")
    assert str(unknown_move(" rep ", forms, verbs)) == "'rep' isn't a move; write it like 'repair with 6c'."
    assert str(unknown_move("repiar 6c", forms, verbs)) == "'repiar 6c' isn't a move. Did you mean 'repair'?"
    assert str(unknown_move("zzz", forms, verbs)) == "'zzz' isn't a move. A move begins with repair, end."
    assert str(unknown_move("", forms, verbs)) == "'' isn't a move. A move begins with repair, end."
    moves = "A move begins with repair, end, or is written like d1-d2."
    assert str(unknown_move("zzz", forms, verbs, ["d1-d2"])) == f"'zzz' isn't a move. {moves}"
    assert str(unknown_move("d1d9", ["c1"], [], ["c1"])) == "'d1d9' isn't a move. A move is written like c1."
    assert squeeze(" a\tb\n c ") == "abc"


# --- Positions ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_keys", "fault"),
    [
        ({"haand": []}, "a position has no key 'haand'. Did you mean 'hand'?"),
        ({"zzz": 1}, "a position has no key 'zzz'."),
        ({"round": 0}, "round is 0; it must be a whole number from 1 to 9"),
        ({"round": 10}, "round is 10; it must be a whole number from 1 to 9"),
        ({"round": True}, "round is True; it must be a whole number from 1 to 9"),
        ({"round": "3"}, "round is '3'; it must be a whole number from 1 to 9"),
        ({"traded": 1}, "traded is 1; it must be true or false"),
        ({"phase": "acton"}, "phase is 'acton'; it can be action, over. Did you mean 'action'?"),
        ({"phase": ["action"]}, "phase is ['action']; it can be action, over."),
        ({"hand": "7c"}, "hand is '7c'; it must be a list of texts"),
        ({"hand": [7]}, "hand is [7]; it must be a list of texts"),
    ],
)
def test_faults_of_a_position_name_key_and_value(given_keys: dict[str, Any], fault: str) -> None:
    reader = PositionReader(given_keys, ("round", "phase", "hand", "traded"))
    assert reader.integer("round", 1, 1, 9, "X-1") in range(1, 10)
    assert reader.truth("traded") is False
    assert reader.word("phase", "action", ("action", "over")) == "action"
    assert reader.texts("hand") == []
    ((clause, sentence),) = reader.faults
    assert sentence.startswith(fault)
    assert clause == ("X-1" if "round is" in fault else "")


def test_all_faults_are_told_at_once() -> None:
    reader = PositionReader({"round": 0, "hand": 1, "oops": 2}, ("round", "hand"))
    reader.integer("round", 1, 1, 9, "X-1")
    reader.texts("hand")
    error = BadPosition(reader.faults)
    assert len(error.faults) == 3
    assert str(error).count(";") >= 2
    assert "(X-1)" in str(error)


def test_nearest() -> None:
    assert nearest("rapir", ("repair", "end")) == " Did you mean 'repair'?"
    assert nearest("zzz", ("repair", "end")) == ""
    assert nearest("", ()) == ""
