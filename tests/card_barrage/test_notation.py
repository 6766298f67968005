"""Card Barrage's moves as text: every form, free order, and what cannot be said."""

from __future__ import annotations

import pytest

from bartizan.engine.errors import AmbiguousMove, IllegalMove, UnknownCard, UnknownMove
from bartizan.games.card_barrage.cards import TECH
from tests.card_barrage.tables import duel, table


def test_the_tech_deck_reads_its_own_writing() -> None:
    texts = [TECH.text(card) for card in range(TECH.plain + 1)]
    assert len(set(texts)) == 53
    assert (texts[0], texts[26], texts[51], texts[52]) == ("1k", "7t", "13v", "W")
    for card, text in enumerate(texts):
        assert TECH.parse(f" {text.upper()} ") == card
    assert TECH.name(26) == "7 of technology"


@pytest.mark.parametrize(
    ("text", "told"),
    [("14k", "values are 1 to 13"), ("7x", "domains are k"), ("0s", "values"), ("zz", "a card is")],
)
def test_no_cards(text: str, told: str) -> None:
    with pytest.raises(UnknownCard, match=told):
        TECH.parse(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("REPORT 6V MISS", "report 6v miss"),
        ("report6vhit2.1", "report 6v hit 2.1"),
        ("report 6v hit 2.castle 2.1", "report 6v hit 2.1 2.castle"),
        ("report 6v hit 2.4 perfect 2.1", "report 6v hit 2.1 2.4 perfect"),
        ("report 6v hit 2.4 2.1 perfect", "report 6v hit 2.1 perfect 2.4"),
        ("report 6v hit 2.4 perfect 2.1 perfect", "report 6v hit 2.1 perfect 2.4 perfect"),
        ("report 6v hit 2.castle 2.1 perfect", "report 6v hit 2.1 perfect 2.castle"),
        ("report 6v hit 2.1 moved 2.4 1.3 2.2", "report 6v hit 2.1 moved 1.3 2.2 2.4"),
        ("report 6v miss moved 2.5", "report 6v miss moved 2.5"),
        ("upgrade 2 with 13T", "upgrade 2 with 13t"),
    ],
)
def test_moves_are_written_in_one_way(text: str, canonical: str) -> None:
    match = duel()
    action = match.parse(text)
    assert match.text(action) == canonical
    assert match.parse(canonical) == action
    assert match.why_not(action) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("report 6v hits 2.3", "report 6v hit 2.3"),
        ("report 6v hit castle", "report 6v hit 2.3"),
        ("report 6v hit 2.3 moves 2.1", "report 6v hit 2.3 2.castle moved 2.1"),
        ("report 6v misses", "report 6v miss"),
        ("effect 7s swap 2 with 9t", "effect 7s exchange 2 with 9t"),
        ("effect 7t build at 3", "effect 7t build 9t at 3"),
    ],
)
def test_what_is_wrongly_written_gets_a_form_of_its_kind(text: str, form: str) -> None:
    """Every wrong report was told to be written like a miss."""
    with pytest.raises(UnknownMove, match=f"write it like '{form}'"):
        duel().parse(text)


def test_three_targets_are_one_too_many() -> None:
    """They were a text of no form."""
    for text in ("report 6v hit 2.1 2.2 2.3", "report 6v hit 2.1 perfect 2.2 2.4 2.castle moved 2.5"):
        with pytest.raises(IllegalMove, match="at most two targets") as caught:
            duel().parse(text)
        assert caught.value.clause == "CB-37"


def test_a_throw_may_strike_two_seats() -> None:
    four = [{"hand": ["4k", "6v"]}, {"hand": ["2s"]}, {}, {"hand": ["5v"]}]
    match = table(4, *four)
    for text, canonical in (
        ("report 6v hit 4.castle 2.1", "report 6v hit 2.1 4.castle"),
        ("report 6v hit 4.2 perfect 2.1 perfect", "report 6v hit 2.1 perfect 4.2 perfect"),
        ("report 6v hit 2.castle 4.2 perfect moved 4.3", "report 6v hit 2.castle 4.2 perfect moved 4.3"),
    ):
        action = match.parse(text)
        assert match.text(action) == canonical
        assert match.parse(canonical) == action
        assert action not in match.legal()
        before = match.position()
        match.play(text)
        assert match.position()["players"][0]["points"] == 2
        match.undo()
        assert match.position() == before


def test_listed_are_plain_reports_within_a_seat() -> None:
    match = duel()
    reports = [text for text in match.legal_texts() if text.startswith("report 6v")]
    assert len(reports) == 1 + 5 + 5 + 1 + 15  # miss, walls, perfect walls, castle, pairs
    assert len([text for text in match.legal_texts() if text.startswith("report")]) == 3 * 27
    assert not [text for text in reports if "moved" in text]


def test_two_equal_cards_are_one_move() -> None:
    match = duel(one={"hand": ["6v", "6v"]}, options={"decks": 2})
    assert len([text for text in match.legal_texts() if text.startswith("report")]) == 27
    assert len(set(match.legal_texts())) == len(match.legal_texts())


def test_a_move_may_be_shortened() -> None:
    match = duel(one={"hand": ["6v"]})
    assert match.text(match.parse("rep miss")) == "report 6v miss"
    match.play("report 6v hit 2.1")
    assert match.play("repl 2s") == "replace 1 with 2s"


@pytest.mark.parametrize("text", ["throw 6v lob at 2.3", "throw 6v frisbee at 2.castle 3.0 20"])
def test_a_throw_is_made_elsewhere_and_reported(text: str) -> None:
    with pytest.raises(UnknownMove, match=r"report 6v hit.*throws = thrown"):
        duel().play(text)


@pytest.mark.parametrize(
    "text", ["report 6v hit 2.1 2.2 2", "report 6v hit 2.castle.1", "build 6v", "effect", "effect 6v build"]
)
def test_half_a_move_is_none(text: str) -> None:
    with pytest.raises(UnknownMove, match="isn't a move; write it like"):
        duel().play(text)


def test_refusals_in_the_text_name_their_clause() -> None:
    with pytest.raises(IllegalMove, match="There is no seat 7") as caught:
        duel().play("report 6v hit 7.1")
    assert caught.value.clause == "CB-25"
    with pytest.raises(IllegalMove, match="was hit, so it can't be moved"):
        duel().play("report 6v hit 2.1 moved 2.1")


def test_a_short_position_is_dealt_by_the_seed() -> None:
    match = duel(one={"hand": ["?", "6v"], "deck": ["?", "1s"]})
    players = match.position()["players"]
    assert len(players[0]["hand"]) == 2
    assert "6v" in players[0]["hand"]
    assert players[0]["deck"][1] == "1s"
    sizes = [len(each["deck"]) + len(each["hand"]) + len(each["walls"]) for each in players]
    assert sum(sizes) == 52
    assert abs(sizes[0] - sizes[1]) <= 1
    again = duel(one={"hand": ["?", "6v"], "deck": ["?", "1s"]})
    assert again.position() == match.position()
    aside = duel(rest="aside")
    assert aside.position()["rest"] == "aside"
    assert aside.position()["players"][0]["deck"] == ["5k", "5s"]


def test_a_verdict_left_out_is_asked_for() -> None:
    with pytest.raises(AmbiguousMove) as caught:
        duel().play("report 6v hit")
    assert len(caught.value.candidates) == 26
