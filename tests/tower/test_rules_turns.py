"""The turn's end, the piles, elimination and the end of the game, and the options that touch them."""

from __future__ import annotations

import pytest

from bartizan.match import Match
from tests.tower.tables import FALLEN, NINES, SEVENS, SIXES, attack, clause, play, seat, table

DECK = ["8r", "8p", "8s", "8w", "8l", "5r", "5p"]
DRY = SIXES | {"water": "6w!"}  # without a Moat


# --- Drawing (TWR-19, TWR-47 to TWR-55) --------------------------------------


@pytest.mark.parametrize(
    ("levels", "hand", "left", "must"),
    [
        (SIXES, "Tr Tp Ts", 3, 2),  # 3 - 2 + 3 = 4
        (SIXES, "Tr Tp Ts Tw", 3, 2),
        (SIXES, "Tr Tp Ts Tw Tl", 2, 2),
        (DRY, "Tr Tp Ts", 2, 2),
        (DRY, "Tr Tp Ts Tw", 1, 1),
        (DRY, "Tr", 3, 2),  # a short hand is filled up
    ],
)
def test_how_many_cards_are_drawn(levels: dict[str, str], hand: str, left: int, must: int) -> None:
    match = table([seat(hand, levels), seat("Kr Kp", NINES)], deck=DECK)
    for card in hand.split()[:2]:
        match.play(f"discard {card}")
    position = match.position()
    assert (position["phase"], position["draws_left"], position["draws_must"]) == ("draw", left, must)
    assert (clause(match, "stop") == "TWR-19") == (must > 0)
    for _ in range(must):
        match.play("draw")
    assert match.position()["phase"] == ("draw" if left > must else "battle")
    if left > must:
        assert play(match, "stop")["to_move"] == 2


def test_five_cards_without_a_moat_draw_nothing() -> None:
    match = table([seat("Tr Tp Ts Tw Tl", DRY), seat("Kr Kp", NINES)], deck=DECK)
    position = play(match, "discard Tr", "discard Tp")
    assert position["to_move"] == 2
    assert len(position["players"][0]["hand"]) == 3


def test_a_moat_mended_in_time_keeps_five() -> None:
    match = table([seat("Tr Tp Ts Tw Tl", DRY), seat("Kr Kp", NINES)], deck=DECK)
    assert play(match, "discard Tr", "repair water with Tw")["draws_left"] == 2


def test_strict_loss_of_the_moat_stops_the_draw_at_four_too() -> None:
    for strict, drawn in (("limit", 1), ("strict", 0)):
        players = [seat("Tr Tp Ts Tw", DRY), seat("Kr Kp", NINES)]
        match = table(players, {"moat_loss_no_draw": strict}, deck=DECK)
        position = play(match, "discard Tr", "discard Tp")
        assert position["draws_left"] == drawn
        players[0] = seat("Tr Tp Ts", DRY)
        match = table(players, {"moat_loss_no_draw": strict}, deck=DECK)
        assert play(match, "discard Tr", "discard Tp")["draws_left"] == 2


def test_cards_come_from_either_pile_but_not_the_own_ones() -> None:
    match = table([seat("Tr Tp Ts", SIXES), seat("Kr Kp", NINES)], deck=DECK, discard=["4r", "4p", "4s"])
    play(match, "discard Tr", "discard Tp", "take", "draw")
    position = play(match, "take")
    assert sorted(position["players"][0]["hand"]) == ["4p", "4r", "8r", "Ts"]
    assert position["discard"] == ["Tp", "Tr", "4s"]  # in the order played
    match = table(
        [seat("Tr Tp Ts", SIXES), seat("Kr Kp", NINES)], {"redraw_own_cards": True}, deck=DECK, discard=["4r"]
    )
    position = play(match, "discard Tr", "discard Tp", "take", "take", "take")
    assert sorted(position["players"][0]["hand"]) == ["4r", "Tp", "Tr", "Ts"]


def test_the_draw_pile_is_renewed_at_once_from_discard_and_rubble() -> None:
    match = table(
        [seat("Tr Tp Ts", DRY), seat("Kr Kp", NINES)],
        deck=["2r"],
        discard=["4r"],
        rubble=["4p", "4s"],
        rest="aside",
    )
    position = play(match, "discard Tr", "discard Tp", "draw")
    assert sorted(position["deck"]) == ["4p", "4r", "4s"]
    assert (position["discard"], position["rubble"], position["spent"]) == ([], [], ["Tp", "Tr"])


def test_drawing_stops_when_there_is_nothing_left() -> None:
    match = table([seat("Tr Tp Ts", DRY), seat("Kr Kp", NINES)], deck=["2r"], rest="aside")
    position = play(match, "discard Tr", "discard Tp", "draw")
    assert position["to_move"] == 2
    assert sorted(position["players"][0]["hand"]) == ["2r", "Ts"]


def test_a_pile_found_empty_is_renewed_at_the_draw() -> None:
    match = table(
        [seat("Tr Tp Ts", DRY), seat("Kr Kp", NINES)], deck=[], rubble=["4p", "4s", "5s"], rest="aside"
    )
    position = play(match, "discard Tr", "discard Tp", "draw")
    assert len(position["deck"]) == 2


# --- Fewer plays (TWR-13, TWR-52) --------------------------------------------


@pytest.mark.parametrize(("hand", "plays"), [("", 0), ("Tr", 1), ("Tr Tp", 2), ("Tr Tp Ts", 2)])
def test_as_many_plays_as_cards(hand: str, plays: int) -> None:
    match = table([seat(hand, SIXES), seat("Kr Kp", NINES)], deck=DECK)
    position = match.position()
    assert (position["phase"] == "battle") == (plays > 0)
    made = 0
    while position["phase"] == "battle":
        position = play(match, f"discard {position['players'][0]['hand'][0]}")
        made += 1
    assert made == plays
    assert position["phase"] == "draw"


def test_min_plays_lets_one_stop_within_the_limit() -> None:
    players = [seat("Tr Tp Ts", DRY), seat("Kr Kp", NINES)]
    assert clause(table(players, deck=DECK), "stop") == "TWR-13"
    match = table(players, {"min_plays": 0}, deck=DECK)
    assert "stop" in match.legal_texts()
    assert play(match, "stop")["to_move"] == 2
    match = table([seat("Tr Tp Ts Tw Tl", DRY), seat("Kr Kp", NINES)], {"min_plays": 0}, deck=DECK)
    assert clause(match, "stop") == "TWR-52"
    play(match, "discard Tr", "discard Tp")
    assert match.seat_to_move == 2


def test_nobody_passes_and_the_refusal_says_what_to_do_instead() -> None:
    """TWR-7, TWR-13, TWR-18, TWR-19; an own defence out of turn alone is left off (TWR-31)."""
    players = [seat("3s Tp Ts", SIXES), seat("Kr Kp", NINES)]
    builders = [seat("2r 3p 4s 6w 8l"), seat("Kr Kp Ks Kw Qw")]
    for match, cited, words in (
        (table(builders), "TWR-7", "while you build. Exchange a card"),
        (table(players), "TWR-13", "2 plays left; you may discard"),
        (table(players, {"min_plays": 0}), "TWR-13", "Stop playing instead"),
        (table(players, {"plays": 1}), "TWR-13", "You must play 1 card each turn"),
        (table(players, phase="arrival", attacks=[attack(1, 2, "Tl")]), "TWR-18", "choose the level to hit"),
        (table(players, phase="draw", draws_left=2), "TWR-19", "must still draw"),
        (table(players, phase="draw", draws_left=1, draws_must=0), "TWR-19", "Stop drawing instead"),
    ):
        refusal = match.why_not("pass")
        assert refusal is not None
        assert refusal.clause == cited
        assert "You can't pass" in refusal.sentence
        assert words in refusal.sentence


# --- Out of turn (TWR-Q18) ---------------------------------------------------


def test_a_window_before_the_arrival_lets_everybody_deflect() -> None:
    players = [seat("2s 2p", SIXES), seat("Tr Jr 3w", NINES), seat("Kr 3p", SEVENS), seat("4r 5p 4p 2w 5w")]
    flying = [attack(1, 2, "4s"), attack(1, 2, "4l"), attack(3, 2, "5l")]
    options = {"defence_window": "any_time"}
    match = table(players, options, to_move=2, phase="defend", arriving=1, attacks=flying)
    assert clause(match, "deflect 5l from 3 with Tr") == "TWR-31"
    assert clause(match, "discard 3w") == "TWR-31"
    position = play(match, "deflect 4s from 1 with Tr")
    assert (position["to_move"], position["deflected"]) == (2, 1)  # intact Soldiers: once more
    position = play(match, "pass")
    assert (position["to_move"], position["phase"], position["deflected"]) == (3, "defend", 0)
    position = play(match, "deflect 4l from 1 with Kr")
    assert (position["to_move"], position["phase"], position["plays_left"]) == (1, "battle", 2)


@pytest.mark.parametrize(("window", "phase"), [("own_turn", "arrival"), ("any_time", "defend")])
def test_the_window_opens_when_the_attackers_turn_begins(window: str, phase: str) -> None:
    players = [seat("2s 2p 3s", SIXES), seat("Tr Jr", NINES)]
    match = table(players, {"defence_window": window}, to_move=2, attacks=[attack(1, 2, "4s")], deck=DECK)
    position = play(match, "discard Tr", "discard Jr", "draw", "draw", "draw")
    assert position["phase"] == phase
    assert position.get("arriving") == (1 if phase == "defend" else None)
    position = play(match, "pass") if phase == "defend" else position
    assert (position["phase"], position["to_move"]) == ("arrival", 1)


def test_only_ones_own_tower_is_defended_where_others_may_not_be() -> None:
    players = [seat("2s 2p 3s", SIXES), seat("Tr Jr", NINES), seat("Kr", SEVENS)]
    options = {"defence_window": "any_time", "deflect_for_others": False}
    match = table(players, options, to_move=3, attacks=[attack(1, 2, "4s")], deck=DECK)
    play(match, "discard Kr", "draw", "draw")
    position = play(match, "draw")
    assert (position["phase"], position["to_move"]) == ("defend", 2)
    assert play(match, "pass")["phase"] == "arrival"  # seat 3 is not asked


# --- The end (TWR-61 to TWR-65) ----------------------------------------------

LAST = {"paper": "2p"}


def test_a_player_without_levels_is_out_and_the_last_one_wins() -> None:
    match = table([seat("3r", SIXES), seat("Kr Kp", LAST)], phase="arrival", attacks=[attack(1, 2, "Ts")])
    position = play(match, "hit paper with Ts")
    assert (position["phase"], position["winner"], position["to_move"]) == ("over", 1, 0)
    assert position["players"][1] == {"hand": [], "tower": FALLEN, "turns": 9}
    assert sorted(position["rubble"]) == ["2p", "Kp", "Kr", "Ts"]
    assert match.returns() == [1.0, -1.0]
    assert clause(match, "draw") == "TWR-64"


def test_the_dead_mans_attack_still_arrives_and_he_directs_it() -> None:
    players = [seat("3r 3p", SIXES), seat("", LAST), seat("Kr Kp", SEVENS)]
    match = table(players, phase="arrival", attacks=[attack(1, 2, "Ts"), attack(2, 3, "Js")], deck=DECK)
    position = play(match, "hit paper with Ts", "discard 3r", "discard 3p", "draw", "draw", "draw")
    assert (position["to_move"], position["phase"]) == (2, "arrival")  # seat 2 is out
    position = play(match, "hit paper with Js")
    assert position["players"][2]["tower"]["paper"] == "-"
    assert (position["to_move"], position["phase"]) == (3, "battle")


def test_the_last_player_has_one_turn_to_deflect() -> None:
    players = [seat("3r Kr 3p", LAST), seat("", FALLEN)]
    flying = [attack(2, 1, "Ts")]
    match = table(players, attacks=flying, deck=DECK)
    assert not match.is_over
    position = play(match, "deflect Ts from 2 with Kr")  # in mid-turn
    assert (position["phase"], position["winner"], position["plays_left"]) == ("over", 1, 1)
    match = table(players, attacks=flying, deck=DECK)
    play(match, "discard 3r", "discard 3p", "draw", "draw")
    position = match.position()
    assert (position["to_move"], position["phase"]) == (2, "arrival")
    position = play(match, "hit paper with Ts")
    assert (position["phase"], position["winner"]) == ("over", "draw")
    assert match.returns() == [0.0, 0.0]
    assert clause(match, "draw") == "TWR-65"


def test_a_last_attack_that_harms_nothing_leaves_a_winner() -> None:
    match = table([seat("3r Kr 3p", LAST), seat("", FALLEN)], attacks=[attack(2, 1, "Tr")], deck=DECK)
    position = play(match, "discard 3r", "discard 3p", "draw", "draw")
    assert position["winner"] == 1


def test_both_of_two_attacks_can_put_a_player_out() -> None:
    players = [seat("3r", SIXES), seat("", LAST), seat("", {"lizard": "2l"})]
    match = table(players, phase="arrival", attacks=[attack(1, 2, "Ts"), attack(1, 3, "Js")])
    position = play(match, "hit paper with Ts")
    assert position["phase"] == "arrival"
    assert play(match, "hit lizard with Js")["winner"] == 1


def test_a_player_who_builds_counts_and_wins_at_once_when_alone() -> None:
    players = [seat("3r", LAST), seat("Kr Kp Ks Kw Qw"), seat("", FALLEN)]
    match = table(players, attacks=[attack(1, 3, "Tr"), attack(3, 1, "Ts")], to_move=3, phase="arrival")
    assert not match.is_over
    position = play(match, "hit paper with Ts")
    assert (position["winner"], position["phase"]) == (2, "over")


@pytest.mark.parametrize(
    ("cap_result", "theirs", "winner"),
    [
        ("draw", SIXES | {"rock": "-"}, "draw"),
        ("levels", SIXES | {"rock": "-"}, 2),
        ("levels", SIXES | {"rock": "6r!"}, 2),
        ("levels", SIXES, "draw"),
    ],
)
def test_the_turn_cap_breaks_the_game_off(cap_result: str, theirs: dict[str, str], winner: object) -> None:
    players = [seat("Tr Tp Ts", theirs, turns=19), seat("", NINES, turns=20)]
    match = table(players, {"turn_cap": 20, "cap_result": cap_result}, deck=DECK)
    position = play(match, "discard Tr", "discard Tp", "draw", "draw")
    assert position["phase"] in ("draw", "over")
    position = play(match, "stop") if position["phase"] == "draw" else position
    assert (position["phase"], position["winner"]) == ("over", winner)


def test_two_jokers_in_all_and_none_by_default() -> None:
    for options, count in (({}, 0), ({"jokers": 2, "decks": 2}, 2)):
        position = Match("tower", options, 2, "1").position()
        cards = position["deck"] + position["players"][0]["hand"] + position["players"][1]["hand"]
        assert cards.count("*") == count


def test_greedy_beats_random_and_games_end() -> None:
    from bartizan.lab.simulate import simulate

    there = simulate("tower", 100, ["greedy", "random"], "1")
    back = simulate("tower", 100, ["random", "greedy"], "1")
    assert there.wins["1"] + back.wins["2"] >= 190
    for seats in (2, 3, 4):
        assert simulate("tower", 40, ["greedy"] * seats, "2").unfinished == 0


def test_decks_are_written_as_a_number() -> None:
    """So that what is written of a game says in full what was played (TWR-1)."""
    for seats in range(2, 7):
        match = Match("tower", {}, seats, "1")
        assert match.options["decks"] == (1 if seats <= 4 else 2)
    assert Match("tower", {"decks": 2}, 2, "1").options["decks"] == 2
    assert Match("tower", {"decks": "by_seats"}, 5, "1").options["decks"] == 2


@pytest.mark.parametrize("redraw", [False, True])
def test_without_a_replacement_the_turn_ends_with_four_cards(redraw: bool) -> None:
    """Nothing is left to draw or to take (TWR-8, TWR-Q17)."""
    players = [seat("2r 3r 4r 5r 8r"), seat("Kp", NINES)]
    match = table(players, {"redraw_own_cards": redraw}, rest="aside")
    position = play(match, "exchange 2r")
    assert position["to_move"] == 2
    assert position["discard"] == ["2r"]
    assert len(position["players"][0]["hand"]) == 4
    assert Match("tower", {"redraw_own_cards": redraw}, 2, "1", position).position() == position


def test_a_joker_lies_in_a_tower_with_its_suit() -> None:
    for written in ("*w", "*"):
        match = table([seat("2r 3r", SIXES | {"water": written}), seat("Kp", NINES)], {"jokers": 2})
        assert match.position()["players"][0]["tower"]["water"] == "*w"


def test_own_exchange_card_goes_down_after_a_forced_tower() -> None:
    """It stays set aside until the turn ends (TWR-Q7, TWR-Q16)."""
    players = [seat("2r 3r 4r 5p 8s", turns=2), seat("Kp", NINES)]
    match = table(players, {"build_cap": 3}, deck=["7r", "Tr", "8p", "8w"], discard=["3p"])
    position = play(match, "exchange 2r", "draw")
    assert position["discard"][0] == "2r"
    assert sorted(position["discard"][1:3]) == ["3r", "4r"]
    assert position["discard"][3] == "3p"
