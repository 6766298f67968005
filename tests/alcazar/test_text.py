"""Alcazar's moves and positions as text: spellings, order of payment, and every fault with its clause."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.errors import AmbiguousMove, BadPosition, IllegalMove, UnknownCard, UnknownMove
from bartizan.games.alcazar.words.spelling import nth_order, order_number
from bartizan.match import Match
from tests.alcazar.tables import refused, table
from tests.games.tables import positions

# --- Moves -------------------------------------------------------------------


def test_spaces_are_free_and_so_is_letter_case() -> None:
    for match, dice in positions("alcazar", 25, 0.3, first=8_000):
        for action in dice.sample(match.legal(), min(6, len(match.legal()))):
            text = match.text(action)
            squeezed = text.replace(" ", "")
            spread = "".join(letter + dice.choice(["", " ", "\t"]) for letter in squeezed)
            for odd in (squeezed, spread, squeezed.upper(), text.upper(), squeezed.swapcase()):
                assert match.parse(odd) == action, odd
            assert match.parse(text.replace("T", "10")) == action


@given(size=st.integers(0, 7), data=st.data())
def test_orders_of_payment_are_numbered(size: int, data: st.DataObject) -> None:
    slots = list(range(size))
    order = data.draw(st.permutations(slots))
    assert nth_order(slots, order_number(order)) == order
    with pytest.raises(ValueError, match="no order number"):
        nth_order(slots, order_number(slots[::-1]) + 1)
    with pytest.raises(ValueError, match="no order number"):
        nth_order(slots, -1)


def test_the_places_of_a_swap_come_in_any_order() -> None:
    match = table(right=["8s", "-"], left=["5h", "-"], hand=["Kd", "9h"])
    move = "swap Kd left.front right.front paying 9h"
    assert match.parse("swap Kd right.front left.front paying 9h") == match.parse(move)
    assert match.text(match.parse(move)) == move


HAND = ["8d", "5h", "4h", "Kd", "Jc"]


@pytest.mark.parametrize(
    ("move", "error", "sentence"),
    [
        ("defend middle.front with 5h", UnknownMove, "write it like 'defend left.front with 5h 4d'"),
        ("defend left.front with", AmbiguousMove, "'defend left.front with' fits 15 legal moves: "),
        ("repair with 7x", UnknownCard, "'7x' isn't a card: there is no suit 'x'"),
        ("repair with 1c", UnknownCard, "'1c' isn't a card: there is no rank '1'"),
        ("defend right.front with 5h 4x", UnknownCard, "'4x' isn't a card"),
        ("trade 5h 4h", UnknownMove, "write it like 'trade 4h'"),
        ("fly away", UnknownMove, "isn't a move"),
        ("swap Kd right.front right.front paying 5h", IllegalMove, "two different enemies"),
        ("defend right.front with 5h 5h", IllegalMove, "a card twice"),
        ("repair with 2s", IllegalMove, "You don't hold the two of spades"),
        ("trade *", IllegalMove, "You don't hold the Joker"),
    ],
)
def test_wrong_moves_are_explained(move: str, error: type[Exception], sentence: str) -> None:
    match = table(right=["8s", "-"], hand=HAND)
    with pytest.raises(error) as caught:
        match.play(move)
    assert sentence in str(caught.value)
    assert match.ply == 0


@pytest.mark.parametrize(
    ("move", "clause"),
    [
        ("defend right.front with Ts", "ALC-19"),
        ("repair with Ts", "ALC-25"),
        ("missile As at right.front paying 5h", "ALC-28"),
        ("swap Kd right.front left.front paying 2h", "ALC-30"),
        ("fortify Qh paying 5h", "ALC-28"),
        ("reinforce Jc taking 9c paying 2s", "ALC-30"),
        ("reinforce Jc taking * paying 8d", "ALC-46"),
        ("advantage Kd paying 2d", "ALC-31"),
        ("advantage Kd paying 8d replacing 9c", "ALC-32"),
        ("trade 2s", "ALC-54"),
        ("discard 2s", "ALC-64"),
        ("draw", "ALC-57"),
        ("stay", "ALC-57"),
        ("discard 8d", "ALC-64"),
        ("trade 8d", "ALC-54"),
        ("fortify Kd paying 5h", "ALC-45"),
        ("missile Kd at right.front paying 5h", "ALC-43"),
    ],
)
def test_moves_with_things_that_are_not_there_name_their_clause(move: str, clause: str) -> None:
    assert refused(table(right=["8s", "-"], hand=HAND, discard=["9c"]), move) == clause


@pytest.mark.parametrize(
    ("reach", "move", "words"),
    [
        (
            "up_to_2",
            "repair with Tc",
            "and the top of the tower 7. They must differ by one or two.",
        ),
        (
            "exactly_2",
            "repair with 8c",
            "and the top of the tower 7. They must differ by exactly two.",
        ),
    ],
)
def test_a_refused_repair_says_how_far_revive_reaches(reach: str, move: str, words: str) -> None:
    hand = ["8c", "Tc"]
    refusal = table({"revive_range": reach}, tower=["7c"], hand=hand, advantages=["Qd"]).why_not(move)
    assert refusal is not None
    assert refusal.clause == "ALC-50"
    assert words in refusal.sentence


@pytest.mark.parametrize(
    ("phase", "move", "clause", "sentence"),
    [
        ("necromancer", "discard 2s", "ALC-59", "You choose an Advantage"),
        ("necromancer", "repair with 2s", "ALC-59", "You choose an Advantage"),
        ("thief", "trade 2s", "ALC-64", "Your hand limit is 4 cards now"),
        ("thief", "discard 2s", "ALC-64", "You don't hold the two of spades"),
        ("draw", "missile As at right.front paying 2s", "ALC-57", "You can draw or stay"),
    ],
)
def test_the_phase_forbids_a_move_before_its_cards_do(
    phase: str, move: str, clause: str, sentence: str
) -> None:
    enemy = {"necromancer": "Ad", "thief": "Jd", "draw": "8s"}[phase]
    advantages = ["Kh", "Qh"] if phase == "necromancer" else []
    match = table(tower=["Qc"], right=[enemy, "-"], hand=HAND, advantages=advantages, phase=phase)
    refusal = match.why_not(move)
    assert refusal is not None
    assert refusal.clause == clause
    assert refusal.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("options", "position", "clause", "sentence"),
    [
        ({}, {"winner": "player"}, "ALC-67", "You won"),
        ({"endless_night": True}, {"winner": "player"}, "ALC-74", "You won"),
        ({"total_victory": True}, {"winner": "player"}, "ALC-75", "You won"),
        ({}, {"winner": "loss", "tower": []}, "ALC-68", "The tower has fallen"),
        ({}, {"winner": "loss", "still": 2}, "ALC-68", "The siege never ended"),
    ],
)
def test_a_finished_game_says_what_ended_it(
    options: dict[str, Any], position: dict[str, Any], clause: str, sentence: str
) -> None:
    passes = {"passes": 2 if options.get("endless_night") else 1} if position["winner"] == "player" else {}
    empty = {"deck": [], "rest": "aside", "right": ["-", "-"], "left": ["-", "-"], "top": ["-", "-"]}
    refusal = table(options, phase="over", **{**empty, **passes, **position}).why_not("end")
    assert refusal is not None
    assert (refusal.clause, refusal.sentence) == (clause, f"The game is over. {sentence}.")


# --- Positions ---------------------------------------------------------------


def faults(options: dict[str, Any], **position: Any) -> list[str]:
    with pytest.raises(BadPosition) as caught:
        table(options, **position)
    assert all(sentence for _, sentence in caught.value.faults)
    return [clause for clause, _ in caught.value.faults]


@pytest.mark.parametrize(
    ("options", "position", "clauses"),
    [
        ({}, {"hand": ["7c"]}, ["ALC-2"]),
        ({}, {"hand": ["9d"], "discard": ["9d"]}, ["ALC-2"]),
        ({}, {"deck": ["*"]}, ["ALC-70"]),
        ({"havoc": True}, {"deck": ["*", "*", "*"]}, ["ALC-2"]),
        ({"havoc": True}, {"discard": ["*"]}, ["ALC-70"]),
        ({"havoc": True}, {"hand": ["*"]}, ["ALC-73"]),
        ({"havoc": True}, {"tower": ["*", "~7c"]}, ["ALC-72"]),
        ({"havoc": True}, {"right": ["*", "-"]}, ["ALC-71"]),
        ({}, {"tower": ["7c", "7d", "7h", "7s", "8c", "8d"]}, ["ALC-52"]),
        ({}, {"tower": ["7c", "7d", "7h", "7s", "8c", "8d", "8h"]}, ["ALC-5"]),
        ({}, {"tower": []}, ["ALC-68"]),
        ({}, {"hand": ["7d", "7h", "7s", "8c", "8d", "8h"]}, ["ALC-9"]),
        ({}, {"hand": ["7d", "7h", "7s", "8c", "8d"], "right": ["Jc", "-"]}, ["ALC-64"]),
        ({}, {"advantages": ["Qh", "Qd"]}, ["ALC-33"]),
        ({}, {"advantages": ["9h"]}, ["ALC-28"]),
        ({}, {"advantages": ["Qh", "Kd", "Ad"]}, ["ALC-32"]),
        ({}, {"advantages": ["Qh"], "right": ["Ac", "-"]}, ["ALC-59"]),
        ({}, {"right": ["8c", "~8d", "9d"]}, ["ALC-6"]),
        ({}, {"borrowed": ["9d"], "hand": ["8d"]}, ["ALC-46"]),
        ({}, {"round": 0}, ["ALC-10"]),
        ({"round_cap": 5}, {"round": 6}, ["ALC-10"]),
        ({}, {"passes": 2}, ["ALC-67"]),
        ({}, {"winner": "player"}, ["ALC-67"]),
        ({}, {"phase": "over"}, ["ALC-67"]),
        ({}, {"done": ["dance"]}, ["ALC-17"]),
        ({"actions_per_turn": 3}, {"done": ["defend"] * 4}, ["ALC-17"]),
        ({"actions_per_turn": "one_of_each"}, {"done": ["defend", "defend"]}, ["ALC-17"]),
        ({}, {"colour": "red"}, [""]),
        ({}, {"phase": "lunch"}, [""]),
        ({}, {"hand": "7d"}, [""]),
        ({}, {"changed": "yes"}, [""]),
    ],
)  # fmt: skip
def test_a_position_that_breaks_a_rule_names_it(
    options: dict[str, Any], position: dict[str, Any], clauses: list[str]
) -> None:
    assert faults(options, **position) == clauses


def test_all_faults_of_a_position_are_told_at_once() -> None:
    assert sorted(faults({}, round=0, hand=["7c"], passes=9, deck=["*"])) == [
        "ALC-10",
        "ALC-2",
        "ALC-67",
        "ALC-70",
    ]


SIX = ["7c", "~4h", "~9d", "~2d", "~3d", "~5d"]
FULL = ["7d", "5h", "8h", "9c", "Th", "6h", "3h"]


@pytest.mark.parametrize(
    ("options", "position", "clauses"),
    [
        ({}, {"tower": SIX, "hand": ["9d"]}, ["ALC-2", "ALC-52"]),
        ({}, {"tower": SIX, "hand": ["7d", "7h", "7s", "8c", "8d", "8h"]}, ["ALC-52", "ALC-9"]),
        ({}, {"hand": ["7d", "7h", "7s", "8c", "8d", "7d"]}, ["ALC-2", "ALC-9"]),
        ({}, {"hand": ["7d", "7h", "7s", "8c", "8d", "8h", "8s", "9c", "9d"]}, ["ALC-9"]),
        ({}, {"advantages": ["Qh", "Kd", "Qd"]}, ["ALC-32", "ALC-33"]),
        ({}, {"advantages": ["Qh", "9d"], "right": ["Ac", "-"]}, ["ALC-28", "ALC-59"]),
        ({}, {"tower": ["*"], "hand": ["*"]}, ["ALC-70", "ALC-70", "ALC-72", "ALC-73"]),
        ({}, {"deck": ["9d"] * 54, "round": 0}, ["ALC-10", "ALC-2"]),
        ({}, {"discard": ["9d", "9d"], "phase": "over"}, ["ALC-2", "ALC-67"]),
        ({}, {"tower": "7c", "passes": 9}, ["", "ALC-67"]),
        ({}, {"deck": ["?"] * 54}, ["ALC-2"]),
        ({}, {"hand": ["?"] * 7, "deck": ["?"] * 54}, ["ALC-2", "ALC-9"]),
        ({}, {"done": "defend"}, [""]),
        ({}, {"still": 2, "hand": ["7c"]}, ["ALC-2", "ALC-68"]),
        ({}, {"done": ["defend"] * 101}, ["ALC-17"]),
        ({}, {"phase": "draw", "hand": ["9d"]}, ["ALC-16", "ALC-57"]),
        ({}, {"phase": "draw", "tower": ["Qc"], "hand": FULL, "deck": []}, ["ALC-57"]),
        ({}, {"phase": "draw", "tower": ["Qc"], "hand": FULL, "deck": [], "rest": "aside"}, ["ALC-57"] * 2),
        ({}, {"phase": "draw", "tower": ["Qc"], "right": ["Jd"], "hand": FULL}, ["ALC-57"] * 2 + ["ALC-64"]),
        ({}, {"phase": "thief", "resume": "setup left", "round": 2}, ["ALC-8"] * 3),
        ({}, {"phase": "thief", "resume": "movement top.rear", "top": ["-", "9d"]}, ["ALC-14"]),
        ({}, {"phase": "thief", "resume": "movement top.rear", "hand": ["7c"]}, ["ALC-2"]),
        ({}, {"borrowed": ["8d", "9d", "8d"], "hand": ["8d"]}, ["ALC-46", "ALC-46"]),
    ],
)  # fmt: skip
def test_no_fault_hides_another(
    options: dict[str, Any], position: dict[str, Any], clauses: list[str]
) -> None:
    assert sorted(faults(options, **position)) == sorted(clauses)


@pytest.mark.parametrize("text", ["7x", "77c", "", "~", "x", "~~7c", "7c 8c"])
def test_a_text_that_is_no_card_is_named(text: str) -> None:
    for key in ("tower", "right", "hand", "advantages", "deck", "discard", "aside", "borrowed"):
        with pytest.raises(UnknownCard, match="isn't a card"):
            table({}, **{key: [text]})


def test_what_a_position_leaves_out_is_dealt_by_the_seed() -> None:
    one, two, other = (Match("alcazar", seed=seed, position={"hand": ["7c"]}) for seed in ("a", "a", "b"))
    assert one.position() == two.position() != other.position()
    assert one.position()["hand"] == ["7c"]
    drawn = Match("alcazar", seed="a", position={"hand": ["?", "?", "7c"], "deck": ["?", "8c"]})
    assert len(drawn.position()["hand"]) == 3
    assert drawn.position()["deck"][1] == "8c"
    aside = table({}, deck=["9c"], hand=["8d"], rest="aside").position()
    assert aside["deck"] == ["9c"]
    cards = [card.removeprefix("~") for value in aside.values() if isinstance(value, list) for card in value]
    assert len(set(cards) - {"-"}) == 52


def test_positions_of_every_phase_come_up_in_the_tests() -> None:
    """The generic suite reads positions back; here stands that it meets every phase."""
    phases = {match.position()["phase"] for match, _ in positions("alcazar", 240, 1.0, most=600)}
    assert phases == {"draw", "action", "thief", "necromancer", "over"}
