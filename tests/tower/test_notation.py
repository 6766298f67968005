"""Tower's moves and positions as text: canonical forms, three kinds of errors, refused positions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bartizan.engine.errors import AmbiguousMove, BadPosition, IllegalMove, UnknownCard, UnknownMove
from bartizan.games.tower.cards import JANKEN
from bartizan.match import Match
from tests.tower.tables import FALLEN, NINES, SEVENS, SIXES, attack, seat, table

PLAYERS = [seat("Tr Jr 3w", SIXES), seat("Kr", NINES), seat("", SEVENS)]


def test_the_cards_of_the_deck_read_back() -> None:
    assert JANKEN.size == 67
    assert [JANKEN.text(card) for card in (0, 1, 2, 3, 4, 64, 65)] == [
        "Ar",
        "Ap",
        "As",
        "Aw",
        "Al",
        "2l",
        "*",
    ]
    for card in range(66):
        assert JANKEN.parse(JANKEN.text(card)) == card
    assert JANKEN.name(3) == "ace of water"
    for wrong in ("9h", "1r", "Trr", ""):
        with pytest.raises(UnknownCard):
            JANKEN.parse(wrong)


def test_moves_name_the_target_only_where_two_decks_make_it_unclear() -> None:
    flying = [attack(2, 1, "4s"), attack(2, 3, "4s"), attack(3, 1, "5s")]
    match = table(PLAYERS, {"decks": 2}, attacks=flying)
    texts = match.legal_texts()
    assert "deflect 4s from 2 at 3 with Tr" in texts
    assert "deflect 5s from 3 with Tr" in texts
    assert match.text(match.parse("deflect 5s from 3 at 1 with Tr")) == "deflect 5s from 3 with Tr"
    with pytest.raises(AmbiguousMove, match=r"four of scissors could be 4s at 1 or 4s at 3\.") as caught:
        match.parse("deflect 4s from 2 with Tr")
    assert len(caught.value.candidates) == 2
    match = table(
        [seat("3r", SIXES), seat("", NINES), seat("", SEVENS)],
        {"decks": 2}, phase="arrival", attacks=[attack(1, 2, "Ts"), attack(1, 3, "Ts"), attack(2, 3, "2s")],
    )  # fmt: skip
    assert match.legal_texts() == [
        "hit paper of 2 with Ts",
        "hit lizard of 2 with Ts",
        "hit paper of 3 with Ts",
        "hit lizard of 3 with Ts",
    ]
    match.play("hit paper of 3 with Ts")
    assert match.legal_texts() == ["hit paper with Ts", "hit lizard with Ts"]


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("attack 2 with 9x", UnknownCard, "there is no suit"),
        ("attack 9 with Tr", UnknownMove, "seats are numbered 1 to 6"),
        ("attack 2 with * as q", UnknownMove, "a Joker counts as one of the suits"),
        ("deflect 9s from 2 with Tr", IllegalMove, "in flight"),
        ("repair paper with Tr", IllegalMove, "isn't paper"),
        ("rebuild paper with Tr", IllegalMove, "isn't paper"),
        ("hit paper with Tr", IllegalMove, "First play cards"),
        ("attack 2 with Kw", IllegalMove, "don't hold the king of water"),
        ("attack 2", AmbiguousMove, "fits 3 legal moves"),
        ("frobnicate", UnknownMove, "isn't a move"),
        ("discard", AmbiguousMove, "fits 3 legal moves"),
    ],
)
def test_what_is_wrong_with_a_move(text: str, error: type[Exception], words: str) -> None:
    match = table(PLAYERS)
    with pytest.raises(error, match=words):
        match.play(text)


@pytest.mark.parametrize(
    ("position", "text", "clause"),
    [
        ({}, "hit paper with Tr", "TWR-21"),
        ({"phase": "arrival", "attacks": [attack(1, 2, "Ts")]}, "deflect 9s from 2 with Tr", "TWR-22"),
        ({"phase": "arrival", "attacks": [attack(1, 2, "Ts")]}, "repair paper with Tr", "TWR-22"),
        ({"phase": "arrival", "attacks": [attack(1, 2, "Ts")]}, "hit paper with 9s", "TWR-21"),
        ({"phase": "draw", "draws_left": 1}, "deflect * from 2 with Tr", "TWR-18"),
    ],
)
def test_a_move_out_of_phase_is_refused_for_that_before_what_it_names(
    position: dict[str, Any], text: str, clause: str
) -> None:
    with pytest.raises(IllegalMove) as caught:
        table([seat("Tr", SIXES), seat("Kr", NINES)], **position).parse(text)
    assert caught.value.clause == clause


def test_a_joker_in_flight_may_be_named_without_its_suit() -> None:
    players = [seat("Kr Kp", SIXES), seat("", NINES)]
    flying = [attack(2, 1, "*l"), attack(2, 1, "*s")]
    one = table(players, {"jokers": 2}, attacks=flying[1:])
    assert one.text(one.parse("deflect * from 2 with Kr")) == "deflect *s from 2 with Kr"
    with pytest.raises(IllegalMove, match="Blue has no Joker in flight"):
        one.parse("deflect * from 1 with Kr")
    with pytest.raises(AmbiguousMove, match=r"Red's Joker could be \*s at 1 or \*l at 1"):
        table(players, {"jokers": 2}, attacks=flying).parse("deflect * from 2 with Kr")


def test_moves_may_be_shortened_and_spaced_freely() -> None:
    match = table(PLAYERS)
    for text in ("attack2withTr", " ATTACK 2  with tr", "attack 2 with 10r", "att 2 tr"):
        assert match.text(match.parse(text)) == "attack 2 with Tr"


def test_every_position_of_a_game_reads_back_with_every_option() -> None:
    dice = random.Random(4)
    phases = set()
    for number in range(12):
        options: dict[str, Any] = {
            "defence_window": dice.choice(["own_turn", "any_time"]),
            "lay_down": dice.choice(["own_turn", "any_time"]),
            "jokers": dice.choice([0, 2]),
            "redraw_own_cards": dice.random() < 0.5,
            "min_plays": dice.choice([2, 0]),
        }
        match = Match("tower", options, 2 + number % 5, f"{number:x}")
        while not match.is_over:
            match.play(dice.choice(match.legal()))
            if dice.random() < 0.1 or match.is_over:
                position = match.position()
                again = Match("tower", options, match.seats, "1", position)
                assert again.position() == position
                assert again.legal_texts() == match.legal_texts()
                phases.add(position["phase"])
    assert phases == {"exchange", "source", "lay", "arrival", "battle", "draw", "defend", "over"}


@pytest.mark.parametrize(
    ("position", "clauses"),
    [
        ({"players": [seat("Tr Tr", SIXES), seat("", NINES)]}, {"TWR-3"}),
        ({"players": [seat("* 2r", SIXES), seat("", NINES)]}, {"TWR-3"}),
        ({"players": [seat("2r", SIXES | {"rock": "3p"}), seat("", NINES)]}, {"TWR-11"}),
        ({"players": [seat("2r", SIXES | {"rock": "*p"}), seat("", NINES)]}, {"TWR-11", "TWR-3"}),
        ({"players": [seat("2r", {"roof": "3p"}), seat("", NINES)]}, {"TWR-11"}),
        ({"players": [seat("2r 3r 4r 5r"), seat("", NINES)]}, {"TWR-7"}),
        ({"players": [seat("2r 3r 4r 5r Tr Jr", SIXES), seat("", NINES)]}, {"TWR-49"}),
        ({"players": [seat("2r", SIXES), seat("3r", FALLEN), seat("", NINES)]}, {"TWR-61"}),
        ({"players": [seat("2r", SIXES), seat("", FALLEN)]}, {"TWR-64"}),
        ({"players": [seat("", FALLEN), seat("", FALLEN)], "phase": "arrival"}, {"TWR-65"}),
        ({"players": PLAYERS, "attacks": [attack(1, 1, "4s")]}, {"TWR-17"}),
        ({"players": PLAYERS, "attacks": [attack(2, 1, "*")]}, {"TWR-3"}),
        ({"players": PLAYERS, "attacks": [attack(2, 1, c) for c in ("4s", "5s", "8s")]}, {"TWR-29"}),
        ({"players": PLAYERS, "attacks": [{"from": 7, "at": 1, "card": "4s"}]}, {"TWR-20"}),
        ({"players": PLAYERS, "phase": "exchange"}, {"TWR-12"}),
        ({"players": [seat("2r 3r 4r 5r 8r"), seat("", NINES)], "phase": "battle"}, {"TWR-13"}),
        ({"players": [seat("2r 3r 4r 5r"), seat("", NINES)], "phase": "source"}, {"TWR-8"}),
        ({"players": [seat("2r 3r 4r 5r 8r"), seat("", NINES)], "phase": "lay"}, {"TWR-9"}),
        ({"players": PLAYERS, "plays_left": 3}, {"TWR-13"}),
        ({"players": PLAYERS, "phase": "draw", "draws_left": 4}, {"TWR-53"}),
        ({"players": PLAYERS, "phase": "draw", "draws_left": 1, "draws_must": 2}, {"TWR-19"}),
        ({"players": PLAYERS, "phase": "defend", "to_move": 2, "arriving": 1}, {"TWR-31"}),
        ({"players": PLAYERS, "phase": "over"}, {"TWR-64"}),
        ({"players": PLAYERS, "winner": 1}, {"TWR-64"}),
        ({"players": PLAYERS, "winner": 9}, {"TWR-64"}),
        ({"players": PLAYERS, "deflected": 3, "spent": ["2r", "2p", "2s"]}, {"TWR-33", "TWR-13"}),
        ({"players": [seat("2r", SIXES, turns=151), seat("", NINES)]}, {"TWR-18"}),
        ({"players": [*PLAYERS, *PLAYERS]}, {"TWR-1"}),
        ({"players": PLAYERS, "colour": 1}, {""}),
        ({"players": [seat("2r", SIXES) | {"hat": 1}, seat("", NINES)]}, {""}),
    ],
)
def test_positions_that_break_rules_are_refused_with_all_faults(
    position: dict[str, Any], clauses: set[str]
) -> None:
    seats = min(max(len(position["players"]), 2), 3)
    with pytest.raises(BadPosition) as caught:
        Match("tower", {}, seats, "1", position)
    found = {clause for clause, _ in caught.value.faults}
    assert clauses <= found
    assert str(caught.value)


def test_several_faults_are_told_together() -> None:
    players = [seat("2r 2r", SIXES | {"rock": "3p"}), seat("", NINES)]
    with pytest.raises(BadPosition) as caught:
        table(players, plays_left=7, mended=3, attacks=[{"from": 1, "at": 9, "card": "4s"}])
    assert len(caught.value.faults) == 5


def faults_of(position: dict[str, Any], options: dict[str, Any] | None = None, seats: int = 2) -> list[str]:
    """Return the clauses that a position breaks, in order."""
    with pytest.raises(BadPosition) as caught:
        Match("tower", options or {}, seats, "1", position)
    return sorted(clause for clause, _ in caught.value.faults)


UNBUILT = seat("2p 3p 4p 5p 8r")


@pytest.mark.parametrize(
    ("wrong", "clauses"),
    [
        ({"winner": 9}, ["TWR-64"]),
        ({"plays_left": 3}, ["TWR-13"]),
        ({"deflected": 3}, ["TWR-33"]),
        ({"spent": "2r"}, [""]),
        ({"rest": "under"}, [""]),
        ({"draws_left": 1}, ["TWR-18"]),
        ({"colour": 1}, [""]),
        ({"players": [seat("2r", SIXES | {"roof": "Ts"}), UNBUILT]}, ["TWR-11"]),
        ({"players": [{"hand": "2r", "tower": SIXES}, UNBUILT]}, [""]),
        ({"players": [{"hand": ["2r"], "tower": 5}, UNBUILT]}, ["TWR-11"]),
        ({"players": [seat("2r", SIXES, turns=151), UNBUILT]}, ["TWR-18"]),
        ({"players": [seat("2r 2r", SIXES), UNBUILT]}, ["TWR-3"]),
        ({"players": [seat("", SIXES) | {"hand": ["?"] * 9}, UNBUILT]}, ["TWR-49"]),
        ({"to_move": 7}, [""]),
        ({"phase": "bottle"}, [""]),
        ({"phase": "defend", "arriving": 7}, ["TWR-31"]),
        ({"discard": ["?"] * 60}, ["TWR-3"]),
    ],
)
def test_a_fault_in_reading_hides_no_fault_of_the_table_and_makes_none(
    wrong: dict[str, Any], clauses: list[str]
) -> None:
    """An attack on a tower not laid is told as well (TWR-17), and nothing that is only a consequence."""
    position = {"players": [seat("2r", SIXES), UNBUILT], "attacks": [attack(1, 2, "4s")]} | wrong
    assert faults_of(position) == sorted([*clauses, "TWR-17"])


@pytest.mark.parametrize("rest", ["shuffle", "aside"])
def test_cards_named_far_too_often_are_refused(rest: str) -> None:
    """More than the piles of a state have room for."""
    position = {"players": PLAYERS[:2], "rest": rest, "deck": ["Ar"] * 132, "aside": ["Ar"] * 132}
    assert faults_of(position, {"decks": 2, "jokers": 2}) == ["TWR-3"]
    assert faults_of(position) == ["TWR-3", "TWR-3", "TWR-3"]


def test_no_more_cards_are_due_than_a_hand_has_room_for() -> None:
    """Seven cards can be held where leftovers are kept; three more would overrun the hand (TWR-14)."""
    players = [seat("2r 3r 4r 5r Tr Jr Qr", SIXES), seat("", NINES)]
    position = {"players": players, "phase": "draw", "draws_left": 3, "draws_must": 0}
    assert faults_of(position, {"forced_leftovers": "keep"}) == ["TWR-14"]
    assert faults_of({"players": [seat("2r 3r 4r", SIXES | {"water": "-"}), seat("", NINES)],
                      "phase": "draw", "draws_left": 1}) == ["TWR-14"]  # fmt: skip


@pytest.mark.parametrize(
    ("position", "clause"),
    [
        ({"phase": "exchange", "spent": ["9s"]}, "TWR-18"),
        ({"phase": "source", "spent": ["9s", "Js"]}, "TWR-8"),
        ({"phase": "battle", "to_move": 2, "spent": ["9s"]}, "TWR-13"),
        ({"phase": "battle", "to_move": 2, "plays_left": 1, "spent": ["9s", "Js"]}, "TWR-13"),
        ({"phase": "arrival", "to_move": 2, "spent": ["9s"]}, "TWR-18"),
    ],
)
def test_no_more_lies_apart_than_was_put_down(position: dict[str, Any], clause: str) -> None:
    builder = "2p 3p 4p 5p" if position["phase"] == "source" else "2p 3p 4p 5p 8r"
    assert faults_of({"players": [seat(builder), seat("2r", SIXES)]} | position) == [clause]


@pytest.mark.parametrize(
    ("players", "options", "winner", "clauses"),
    [
        ([seat("2r", SIXES), seat("", FALLEN)], {}, 1, []),
        ([seat("2r", SIXES), seat("", FALLEN)], {}, "draw", ["TWR-64"]),
        ([seat("2r", SIXES), seat("", FALLEN)], {}, 2, ["TWR-64"]),
        ([seat("", FALLEN), seat("", FALLEN)], {}, "draw", []),
        ([seat("", FALLEN), seat("", FALLEN)], {}, 1, ["TWR-64"]),
        ([seat("2r", SIXES), seat("", NINES)], {}, 1, ["TWR-64"]),
        ([seat("2r", SIXES), seat("", NINES)], {}, "draw", ["TWR-64"]),
        ([seat("2r", SIXES), seat("", NINES)], {"turn_cap": 9}, "draw", []),
        ([seat("2r", SIXES), seat("", NINES)], {"turn_cap": 9}, 1, ["TWR-64"]),
        ([seat("2r", SIXES), seat("", NINES | {"rock": "9r!"})],
         {"turn_cap": 9, "cap_result": "levels"}, 1, []),
        ([seat("2r", SIXES), seat("", NINES | {"rock": "9r!"})],
         {"turn_cap": 9, "cap_result": "levels"}, "draw", ["TWR-64"]),
    ],
)  # fmt: skip
def test_a_game_is_over_only_as_the_rules_end_it(
    players: list[dict[str, Any]], options: dict[str, Any], winner: object, clauses: list[str]
) -> None:
    """TWR-64, TWR-65, TWR-Q36."""
    position = {"players": players, "phase": "over", "winner": winner}
    if clauses:
        assert faults_of(position, options) == clauses
    else:
        assert Match("tower", options, 2, "1", position).is_over


def test_what_a_position_leaves_out_is_dealt_or_derived() -> None:
    match = Match(
        "tower", {}, 3, "1", {"players": [{"hand": ["Tr", "Tp"], "tower": SIXES}, {"tower": NINES}]}
    )
    position = match.position()
    assert (position["phase"], position["plays_left"]) == ("battle", 2)
    assert [len(player["hand"]) for player in position["players"]] == [2, 3, 5]
    assert len(position["deck"]) == 65 - 10 - 10
    aside = Match(
        "tower", {}, 2, "1", {"players": PLAYERS[:2], "deck": ["2r", "?"], "rest": "aside"}
    ).position()
    assert len(aside["deck"]) == 2
    assert aside["deck"][0] == "2r"
    assert len(aside["aside"]) == 65 - 10 - 4 - 2
