"""Part 2: attacks, hits, deflections, repairs, rebuilding."""

from __future__ import annotations

import pytest

from bartizan.games.tower.cards import JANKEN
from tests.tower.tables import (
    FALLEN,
    LEVELS,
    NINES,
    SEVENS,
    SIXES,
    attack,
    clause,
    level,
    play,
    seat,
    table,
    tower,
)

SUITS = "rpswl"
# The suits that each suit beats, as the rulings settle it.
BEATEN = {"r": "sl", "p": "rw", "s": "pl", "w": "rs", "l": "pw"}


# --- The relation of the suits (TWR-24) --------------------------------------


@pytest.mark.parametrize("mine", SUITS)
@pytest.mark.parametrize("other", SUITS)
def test_every_pair_of_suits_in_attack_and_defence(mine: str, other: str) -> None:
    stronger = other in BEATEN[mine]
    name = LEVELS[SUITS.index(other)]
    alone = {each: f"9{other}" if each == name else "-" for each in LEVELS}
    other_attack = attack(1, 3, "2p")  # so that the seat is asked where its card harms nothing
    match = table(
        [seat("3r 3p 3s", SIXES), seat("", alone), seat("", NINES | {name: "-"})],
        phase="arrival", attacks=[attack(1, 2, f"K{mine}"), other_attack],
    )  # fmt: skip
    hit = f"hit {name} of 2 with K{mine}"
    assert (hit.replace(" of 2", "") in match.legal_texts()) == stronger
    deflection = f"deflect 5{other} from 2 with T{mine}"
    match = table([seat(f"T{mine}", SIXES), seat("", NINES)], attacks=[attack(2, 1, f"5{other}")])
    assert (clause(match, deflection) == "") == stronger
    assert stronger or clause(match, deflection) == "TWR-30"


# --- Attacking ---------------------------------------------------------------


def test_an_attack_flies_for_a_round_and_is_directed_on_arrival() -> None:
    match = table(
        [seat("Ts 3r 3w", SIXES), seat("4r 4p 4s", NINES)], deck=["2r", "2p", "2s", "2w", "2l", "3l"]
    )
    position = play(match, "attack 2 with Ts")
    assert position["attacks"] == [attack(1, 2, "Ts")]
    position = play(
        match, "discard 3r", "draw", "draw", "draw", "discard 4r", "discard 4p", "draw", "draw", "draw"
    )
    assert (position["to_move"], position["phase"]) == (1, "arrival")
    assert match.legal_texts() == ["hit paper with Ts", "hit lizard with Ts"]
    assert clause(match, "hit rock with Ts") == "TWR-24"
    position = play(match, "hit lizard with Ts")
    assert level(position, 2, "lizard") == "-"
    assert sorted(position["rubble"]) == ["9l", "Ts"]
    assert position["phase"] == "battle"


@pytest.mark.parametrize(
    ("card", "target", "after"),
    [
        ("Ts", "9p", "-"),  # higher: destroyed
        ("9s", "9p", "9p!"),  # equal: damaged
        ("8s", "9p", "9p!"),  # lower: damaged
        ("2s", "9p!", "-"),  # damaged: any rank
        ("As", "2p", "2p!"),  # an ace is low in an attack
        ("As", "2p!", "-"),
        ("Ks", "Ap", "Ap!"),  # and high in a tower
        ("*s", "2p", "2p!"),
        ("*s", "*p", "*p!"),  # Joker against Joker only damages
        ("As", "*p", "-"),  # an ace outranks a Joker
        ("2s", "*p", "-"),
    ],
)
def test_what_a_hit_does(card: str, target: str, after: str) -> None:
    theirs = SEVENS | {"paper": target}
    match = table(
        [seat("3r 3p 3l", SIXES), seat("", theirs)],
        {"jokers": 2},
        phase="arrival",
        attacks=[attack(1, 2, card)],
    )
    position = play(match, f"hit paper with {card}")
    assert level(position, 2, "paper") == after
    assert position["rubble"].count(card[0] if card[0] == "*" else card) >= 1


def test_two_attacks_can_damage_and_then_destroy_one_level() -> None:
    match = table(
        [seat("3r 3p 3l", SIXES), seat("", NINES)],
        phase="arrival",
        attacks=[attack(1, 2, "4s"), attack(1, 2, "5s")],
    )
    position = play(match, "hit paper with 5s")  # in the order that the attacker likes
    assert level(position, 2, "paper") == "9p!"
    position = play(match, "hit paper with 4s")
    assert level(position, 2, "paper") == "-"


def test_a_card_that_can_harm_nothing_goes_to_the_rubble_by_itself() -> None:
    theirs = tower("9r", "9p", "-", "9w", "-")
    match = table([seat("3r 3p 3l", SIXES), seat("", theirs)], phase="arrival", attacks=[attack(1, 2, "Kr")])
    position = match.position()
    assert (position["phase"], position["attacks"], position["rubble"]) == ("battle", [], ["Kr"])


def test_an_attack_in_advance_hits_a_level_rebuilt_meanwhile() -> None:
    theirs = tower("9r", "9p", "-", "9w", "9l!")
    players = [seat("3r 3p 3l", SIXES), seat("8s 4p 4w", theirs)]
    match = table(players, to_move=2, attacks=[attack(1, 2, "Kr")], deck=["2r", "2p", "2s"])
    position = play(match, "rebuild scissors with 8s", "discard 4p", "draw", "draw", "stop")
    assert position["phase"] == "arrival"
    assert match.legal_texts() == ["hit scissors with Kr", "hit lizard with Kr"]


def test_whom_one_may_attack() -> None:
    players = [seat("Ts 3r 3w", SIXES), seat("4r 4p 4s", NINES), seat("2r 2p 2s 2w 5w"), seat("", FALLEN)]
    match = table(players)
    for target, expected in ((1, "TWR-17"), (2, ""), (3, "TWR-17"), (4, "TWR-17"), (5, "TWR-17")):
        assert clause(match, f"attack {target} with Ts") == expected
    assert clause(match, "attack 2 with Kr") == "TWR-20"
    assert [text for text in match.legal_texts() if text.startswith("attack")] == [
        "attack 2 with Ts",
        "attack 2 with 3r",
        "attack 2 with 3w",
    ]


def test_nobody_attacks_before_building() -> None:
    match = table([seat("2r 2p 2s 2w 5w"), seat("4r 4p 4s", NINES)])
    assert clause(match, "attack 2 with 2r") == "TWR-17"


@pytest.mark.parametrize(("dragon", "second"), [("6l", ""), ("6l!", "TWR-29"), ("-", "TWR-29")])
def test_a_second_attack_needs_the_dragon(dragon: str, second: str) -> None:
    match = table([seat("Ts 3r 3w", SIXES | {"lizard": dragon}), seat("", NINES)])
    match.play("attack 2 with Ts")
    assert clause(match, "attack 2 with 3r") == second


def test_an_attack_keeps_its_target_even_if_that_has_fallen() -> None:
    players = [seat("3r 3p 3l", SIXES), seat("", FALLEN), seat("", NINES)]
    match = table(players, phase="arrival", attacks=[attack(1, 2, "Kr")])
    assert match.position()["rubble"] == ["Kr"]


# --- Deflecting --------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "with_card", "expected"),
    [
        ("2l", "5r", ""),  # the picture of TWR-35
        ("Ts", "Tr", ""),  # equal ranks favour the defender
        ("Js", "Tr", "TWR-30"),
        ("Ks", "Ar", ""),  # an ace is high in defence
        ("As", "2r", ""),  # and low in attack
        ("*s", "2r", ""),
        ("*s", "*", ""),  # a Joker deflects a Joker
        ("As", "*", "TWR-30"),  # and nothing else
        ("2s", "2p", "TWR-30"),
    ],
)
def test_what_deflects(card: str, with_card: str, expected: str) -> None:
    match = table([seat(with_card, SIXES), seat("", NINES)], {"jokers": 2}, attacks=[attack(2, 1, card)])
    move = f"deflect {card} from 2 with {with_card}"
    assert clause(match, move) == expected
    if not expected:
        position = play(match, move)
        assert position["attacks"] == []
        assert len(position["rubble"]) == 2


@pytest.mark.parametrize(("soldiers", "second"), [("6s", ""), ("6s!", "TWR-33"), ("-", "TWR-33")])
def test_a_second_deflection_needs_the_soldiers(soldiers: str, second: str) -> None:
    match = table(
        [seat("Tr Jr 3w", SIXES | {"scissors": soldiers}), seat("", NINES)],
        attacks=[attack(2, 1, "4s"), attack(2, 1, "4l")],
    )
    assert match.position()["deflected"] == 0
    assert play(match, "deflect 4s from 2 with Tr")["deflected"] == 1
    assert clause(match, "deflect 4l from 2 with Jr") == second


def test_whose_attacks_may_be_deflected() -> None:
    players = [seat("Tr Jr 3w", SIXES), seat("", NINES), seat("", SEVENS), seat("", FALLEN)]
    flying = [attack(1, 2, "4s"), attack(2, 3, "5s"), attack(3, 4, "8s")]
    match = table(players, attacks=flying, phase="battle")
    assert clause(match, "deflect 4s from 1 with Tr") == "TWR-30"  # one's own
    assert clause(match, "deflect 5s from 2 with Tr") == ""  # for another
    assert clause(match, "deflect 8s from 3 with Tr") == ""  # of a tower that has fallen
    match = table(players, {"deflect_for_others": False}, attacks=[*flying[1:], attack(2, 1, "3s")])
    assert clause(match, "deflect 5s from 2 with Tr") == "TWR-34"
    assert clause(match, "deflect 3s from 2 with Tr") == ""


# --- Repairing and rebuilding ------------------------------------------------


def test_repair_brings_a_level_back_as_it_was() -> None:
    match = table([seat("2s 3w 4p", SIXES | {"scissors": "6s!"}), seat("", NINES)])
    position = play(match, "repair scissors with 2s")
    assert level(position, 1, "scissors") == "6s"
    assert position["spent"] == ["2s"]
    assert position["mended"]


@pytest.mark.parametrize(
    ("mine", "move", "expected"),
    [
        (SIXES, "repair scissors with 2s", "TWR-36"),  # not damaged
        (SIXES | {"scissors": "-"}, "repair scissors with 2s", "TWR-36"),  # destroyed
        (SIXES | {"scissors": "6s!"}, "repair scissors with 5s", "TWR-36"),  # not in hand
        (SIXES | {"scissors": "6s!"}, "repair scissors with 4p", "TWR-36"),  # wrong suit
        (SIXES | {"scissors": "6s!", "paper": "6p!"}, "repair scissors with 2s", "TWR-39"),
        (SIXES | {"scissors": "6s!", "paper": "6p!"}, "repair paper with 4p", ""),
        (SIXES | {"scissors": "6s!", "paper": "-"}, "repair scissors with 2s", "TWR-40"),
        (SIXES | {"paper": "-"}, "repair paper with 4p", "TWR-40"),
        (SIXES | {"paper": "-"}, "rebuild paper with 4p", "TWR-40"),
        (SIXES | {"scissors": "-", "rock": "6r!"}, "rebuild scissors with 2s", "TWR-41"),
        (SIXES | {"scissors": "-", "paper": "6p!"}, "rebuild scissors with 2s", "TWR-41"),
        (SIXES | {"scissors": "6s!"}, "rebuild scissors with 2s", "TWR-41"),  # only a gap is rebuilt
        (SIXES | {"scissors": "-"}, "rebuild scissors with 4p", "TWR-41"),
        (SIXES | {"scissors": "-"}, "rebuild scissors with 2s", ""),
        (SIXES | {"rock": "-"}, "rebuild rock with 3r", "TWR-41"),  # its own condition fails
        (SIXES | {"rock": "6r!"}, "repair rock with 3r", ""),
    ],
)
def test_when_levels_can_be_mended(mine: dict[str, str], move: str, expected: str) -> None:
    match = table([seat("2s 3r 4p", mine), seat("", NINES)])
    if "with 4p" in move and "paper" not in move:
        with pytest.raises(Exception, match="isn't scissors") as caught:
            match.play(move)
        assert caught.value.clause == expected  # type: ignore[attr-defined]
        return
    assert clause(match, move) == expected
    assert (move in match.legal_texts()) == (expected == "")


def test_a_rebuilt_level_has_its_own_rank_and_works_at_once() -> None:
    match = table([seat("2l Ts 3r", SIXES | {"lizard": "-"}), seat("", NINES)])
    position = play(match, "rebuild lizard with 2l")
    assert level(position, 1, "lizard") == "2l"
    assert position["spent"] == []


def test_one_level_a_turn_is_mended() -> None:
    match = table([seat("2s 3w 4p", SIXES | {"scissors": "6s!", "paper": "6p!"}), seat("", NINES)])
    match.play("repair paper with 4p")
    assert clause(match, "repair scissors with 2s") == "TWR-43"
    match = table([seat("2s 3w 4p", SIXES | {"scissors": "6s!", "water": "-"}), seat("", NINES)])
    match.play("repair scissors with 2s")
    assert clause(match, "rebuild water with 3w") == "TWR-43"


def test_a_joker_mends_any_level() -> None:
    match = table([seat("* 3r", SIXES | {"scissors": "6s!", "water": "-"}), seat("", NINES)], {"jokers": 2})
    mending = [text for text in match.legal_texts() if text.startswith("re")]
    assert mending == ["repair scissors with *", "rebuild water with *"]
    assert [text for text in match.legal_texts() if "* as" in text] == [
        f"attack 2 with * as {suit}" for suit in SUITS
    ]
    assert level(play(match, "rebuild water with *"), 1, "water") == "*w"


def test_equal_cards_of_two_decks_are_one_move() -> None:
    flying = [attack(2, 1, "4s"), attack(2, 3, "4s"), attack(2, 1, "5l"), attack(2, 1, "5l")]
    match = table(
        [seat("7r 7r 3w", SIXES), seat("", NINES), seat("", NINES)], {"decks": 2}, attacks=flying[:2]
    )
    assert [text for text in match.legal_texts() if text.startswith("deflect")] == [
        "deflect 4s from 2 at 1 with 7r",
        "deflect 4s from 2 at 3 with 7r",
    ]
    assert match.legal_texts().count("discard 7r") == 1
    match = table([seat("7r 7r 3w", SIXES), seat("", NINES)], {"decks": 2}, attacks=flying[2:])
    assert [text for text in match.legal_texts() if text.startswith("deflect")] == [
        "deflect 5l from 2 with 7r"
    ]
    second = match.game.actions.encode("deflect", attack=1, card=JANKEN.parse("7r"))
    assert match.why_not(second) is not None  # the same move once more
    assert len(play(match, "deflect 5l from 2 with 7r")["attacks"]) == 1


def test_cards_are_played_in_the_order_of_the_turn() -> None:
    match = table([seat("7r 7s 3w", SIXES), seat("", NINES)])
    for move, expected in (
        ("draw", "TWR-18"),
        ("exchange 7r", "TWR-12"),
        ("lay", "TWR-12"),
        ("pass", "TWR-13"),
        ("stop", "TWR-13"),
    ):
        assert clause(match, move) == expected
    play(match, "discard 7r", "discard 7s")
    assert clause(match, "discard 3w") == "TWR-18"
    assert clause(match, "stop") == "TWR-19"
