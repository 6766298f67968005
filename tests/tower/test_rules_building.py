"""Part 1: the exchange, the tower, and what happens to those who wait."""

from __future__ import annotations

import pytest

from bartizan.match import Match
from tests.tower.tables import NINES, SIXES, clause, play, seat, table

FOUR_SUITS = "2r 3p 4s 5s 6w"
FIVE_SUITS = "2r 3p 4s 6w 8l"


def test_the_deal_gives_five_cards_each_and_a_seat_drawn_by_lot_begins() -> None:
    first = set()
    for number in range(40):
        match = Match("tower", {}, 3, f"{number:x}")
        position = match.position()
        assert [len(player["hand"]) for player in position["players"]] == [5, 5, 5]
        assert len(position["deck"]) == 50
        assert position["phase"] == "exchange"
        first.add(position["to_move"])
    assert first == {1, 2, 3}


@pytest.mark.parametrize(
    ("seats", "options", "cards"),
    [
        (2, {}, 65),
        (4, {}, 65),
        (5, {}, 130),
        (6, {"decks": 1}, 65),
        (2, {"decks": 2}, 130),
        (2, {"jokers": 2}, 67),
        (6, {"jokers": 2}, 132),
    ],
)
def test_decks_and_jokers(seats: int, options: dict[str, object], cards: int) -> None:
    position = Match("tower", options, seats, "1").position()
    everything = position["deck"] + [card for player in position["players"] for card in player["hand"]]
    assert len(everything) == cards
    assert everything.count("*") == int(str(options.get("jokers", 0)))


def test_the_card_goes_down_before_the_replacement_is_chosen() -> None:
    match = table([seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")], discard=["9l", "2w"], deck=["7r"])
    assert clause(match, "take") == "TWR-8"
    assert clause(match, "draw") == "TWR-8"
    assert clause(match, "stop") == "TWR-7"
    position = play(match, "exchange 5s")
    assert position["phase"] == "source"
    assert position["spent"] == ["5s"]
    assert match.legal_texts() == ["draw", "take"]
    position = play(match, "take")  # the old top, not the card just put down
    assert "9l" in position["players"][0]["hand"]
    assert position["discard"] == ["2w"]
    assert position["phase"] == "lay"  # the hand is complete now


def test_the_card_put_down_joins_the_discard_pile_at_the_end_of_the_turn() -> None:
    match = table([seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")], discard=["9r"], deck=["7r"])
    position = play(match, "exchange 5s", "draw")
    assert position["to_move"] == 2
    assert position["discard"] == ["5s", "9r"]
    assert position["spent"] == []
    assert position["players"][0]["turns"] == 10


def test_nothing_lies_on_the_discard_pile_at_first() -> None:
    match = table([seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")], deck=["7r"])
    match.play("exchange 5s")
    assert match.legal_texts() == ["draw"]
    assert clause(match, "take") == "TWR-55"


def test_laying_instead_of_exchanging_draws_three_and_ends_the_turn() -> None:
    match = table([seat(FIVE_SUITS), seat("Kr Kp Ks Kw Qw")], discard=["9r"], deck=["7r", "7p", "7s"])
    assert "lay" in match.legal_texts()
    position = play(match, "lay")
    assert position["players"][0]["tower"] == {
        "rock": "2r", "paper": "3p", "scissors": "4s", "water": "6w", "lizard": "8l",
    }  # fmt: skip
    assert (position["draws_left"], position["draws_must"]) == (3, 3)
    assert clause(match, "stop") == "TWR-12"
    position = play(match, "draw", "take", "draw")
    assert sorted(position["players"][0]["hand"]) == ["7p", "7r", "9r"]
    assert position["to_move"] == 2


def test_none_of_the_cards_after_laying_is_optional() -> None:
    """The second and the third neither, though the same figures stand at the end of other turns (TWR-19)."""
    match = table([seat(FIVE_SUITS), seat("Kr Kp Ks Kw Qw")], deck=["7r", "7p", "7s"])
    for move in ("lay", "draw", "draw"):
        match.play(move)
        for refused in ("stop", "pass"):
            refusal = match.why_not(refused)
            assert refusal is not None
            assert refusal.clause == "TWR-12"
            assert "all three" in refusal.sentence
            assert "optional" not in refusal.sentence
    dry = SIXES | {"water": "6w!"}
    for levels, hand in ((dry, "Tr"), (dry, "Tr Tp"), (SIXES, "Tr Tp Ts"), (SIXES, "Tr Tp Ts Tw")):
        due = min(2, (3 if levels is dry else 5) - len(hand.split()))
        match = table([seat(hand, levels), seat("Kr", NINES)], phase="draw", draws_left=due, draws_must=due)
        assert clause(match, "stop") == "TWR-19"


def test_what_follows_laying_is_read_back_with_all_three_cards_due() -> None:
    """Where the draws are left out of a position in which two plays stand behind them (TWR-12, TWR-Q5)."""
    players = [seat("7r", SIXES), seat("Kr", NINES)]
    match = table(players, {"lay_down": "any_time"}, phase="draw", plays_left=2)
    position = match.position()
    assert (position["draws_left"], position["draws_must"]) == (2, 2)


def test_laying_after_the_exchange_and_declining_it() -> None:
    players = [seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")]
    match = table(players, deck=["8l", "7r", "7p", "7s"])
    play(match, "exchange 5s", "draw")
    assert match.legal_texts() == ["lay", "stop"]
    position = play(match, "stop")
    assert position["to_move"] == 2
    assert "tower" not in position["players"][0]
    match.undo()
    position = play(match, "lay")
    assert position["spent"] == ["5s"]  # it cannot be taken back
    assert match.legal_texts() == ["draw"]


def test_the_own_exchange_card_can_be_taken_with_redraw_own_cards() -> None:
    players = [seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")]
    match = table(players, {"redraw_own_cards": True}, deck=["8l", "7r", "7p"])
    play(match, "exchange 5s")
    assert match.legal_texts() == ["draw"]  # while the source is chosen it covers nothing
    position = play(match, "draw", "lay")
    assert position["discard"] == ["5s"]
    assert "5s" in play(match, "take")["players"][0]["hand"]


def test_a_hand_without_all_suits_cannot_be_laid() -> None:
    match = table([seat(FOUR_SUITS), seat("Kr Kp Ks Kw Qw")])
    assert clause(match, "lay") == "TWR-9"
    refusal = match.why_not("lay")
    assert refusal is not None
    assert "lizard" in refusal.sentence


def test_a_joker_completes_a_tower() -> None:
    match = table([seat("2r 3p 4s 6w *"), seat("Kr Kp Ks Kw Qw")], {"jokers": 2})
    position = play(match, "lay")
    assert position["players"][0]["tower"]["lizard"] == "*l"


def test_lay_down_any_time_gives_a_full_turn_after_laying() -> None:
    players = [seat(FIVE_SUITS), seat("Kw", NINES)]
    match = table(players, {"lay_down": "any_time"}, deck=["7r", "7p", "7s"])
    position = play(match, "lay", "draw", "draw", "draw")
    assert (position["to_move"], position["phase"], position["plays_left"]) == (1, "battle", 2)
    position = play(match, "attack 2 with 7p", "discard 7r", "draw")
    assert position["phase"] == "draw"


def test_lay_down_any_time_after_an_exchange_ends_the_turn() -> None:
    players = [seat(FOUR_SUITS), seat("Kw", NINES)]
    options = {"lay_down": "any_time", "redraw_own_cards": True}
    match = table(players, options, deck=["8l", "7r", "7p", "7s"])
    position = play(match, "exchange 5s", "draw", "lay", "draw", "draw", "draw")
    assert position["to_move"] == 2


# --- The forced tower (TWR-58, TWR-Q7 to TWR-Q9) -----------------------------


def test_the_last_card_of_the_draw_pile_makes_everybody_build() -> None:
    players = [
        seat("2r", NINES),
        seat("Kr Kp Jp Ks Qs"),
        seat("Tr Tp 4s 5w Jw"),
    ]
    match = table(
        players, phase="draw", draws_left=2, draws_must=2, discard=["3r", "3p"],
        rubble=["3s", "3w", "3l", "5r"], deck=["8r"], rest="aside", spent=["8s"],
    )  # fmt: skip
    position = play(match, "draw")
    second, third = position["players"][1], position["players"][2]
    assert second["tower"] == {"rock": "Kr", "paper": "Kp", "scissors": "Ks", "water": "-", "lizard": "-"}
    assert third["tower"] == {"rock": "Tr", "paper": "Tp", "scissors": "4s", "water": "Jw", "lizard": "-"}
    # Jp, Qs and 5w were left over and shuffled in; each of the two has three of the nine cards.
    assert (len(second["hand"]), len(third["hand"]), len(position["deck"])) == (3, 3, 3)
    pool = {"3r", "3p", "3s", "3w", "3l", "5r", "Jp", "Qs", "5w"}
    assert set(second["hand"] + third["hand"] + position["deck"]) == pool
    assert (position["to_move"], position["draws_left"]) == (1, 1)  # the interrupted draw goes on
    assert position["spent"] == ["8s"]  # this turn's own cards stay out


def test_who_draws_the_last_card_as_a_replacement_builds_and_ends_the_turn() -> None:
    players = [seat("2r 3p 4s 5s 6s"), seat("Kr", NINES)]
    match = table(players, discard=["2w", "3w", "4w"], deck=["8l"], rest="aside")
    position = play(match, "exchange 5s", "draw")
    assert position["players"][0]["tower"] == {
        "rock": "2r", "paper": "3p", "scissors": "6s", "water": "-", "lizard": "8l",
    }  # fmt: skip
    assert len(position["players"][0]["hand"]) == 3
    assert position["to_move"] == 2
    assert position["discard"][0] == "5s"


def test_leftovers_can_be_kept() -> None:
    players = [seat("2r 3s 4s 5s 6s"), seat("Kr", NINES)]
    match = table(
        players, {"forced_leftovers": "keep"}, discard=["2w", "3w", "4w", "5w"], deck=["8s"], rest="aside"
    )
    position = play(match, "exchange 3s", "draw")
    assert position["players"][0]["tower"]["scissors"] == "8s"
    hand = position["players"][0]["hand"]
    assert {"4s", "5s", "6s"} < set(hand)
    assert len(hand) == 6


def test_the_build_cap_forces_a_tower_at_the_end_of_that_turn() -> None:
    players = [seat("2r 3p 4s 5s 6w", turns=2), seat("Kr", NINES, turns=2)]
    match = table(players, {"build_cap": 3}, deck=["8w", "7r", "7p", "7s", "7l"], discard=["Tr"])
    position = play(match, "exchange 4s", "draw")
    mine = position["players"][0]
    assert mine["tower"] == {"rock": "2r", "paper": "3p", "scissors": "5s", "water": "8w", "lizard": "-"}
    assert mine["hand"] == ["7r", "7p", "7s"]
    assert set(position["discard"]) == {"6w", "4s", "Tr"}
    assert position["to_move"] == 2


def test_missing_levels_can_be_rebuilt_like_destroyed_ones() -> None:
    mine = seat("Al Kw 3r", {"rock": "6r", "paper": "6p", "scissors": "6s", "water": "-", "lizard": "-"})
    match = table([mine, seat("Kr", NINES)])
    assert {"rebuild water with Kw", "rebuild lizard with Al"} <= set(match.legal_texts())
    assert SIXES["rock"] == "6r"
