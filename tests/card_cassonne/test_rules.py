"""Card-cassonne's rules as the text has them: playing, tokens, scoring, the end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bartizan.engine.errors import UnknownOption
from bartizan.games.card_cassonne import cells
from bartizan.match import Match
from tests.card_cassonne.tables import (
    after,
    areas_of,
    around,
    place,
    points,
    refused,
    spaces_of,
    supplies,
    table,
)

ROW = {"0,0": "7h", "1,0": "Kd"}


# --- Preparation -------------------------------------------------------------


@pytest.mark.parametrize(("seats", "removed", "turns"), [(2, 11, 46), (3, 13, 30), (4, 11, 23)])
def test_everybody_gets_the_same_number_of_turns(seats: int, removed: int, turns: int) -> None:
    match = Match("card-cassonne", seats=seats, seed="5")
    position = match.position()
    assert len(position["aside"]) == removed
    assert [len(player["hand"]) for player in position["players"]] == [3] * seats
    assert [player["supply"] for player in position["players"]] == [7] * seats
    assert list(position["board"]) == ["0,0"]
    assert len(position["deck"]) == 103 - removed - 3 * seats == (turns - 3) * seats


@pytest.mark.parametrize(("seats", "removed"), [(2, 12), (3, 11), (4, 13), (2, 98 - 1 + 0), (4, 95)])
def test_cards_that_cannot_be_shared_out_are_refused(seats: int, removed: int) -> None:
    fits = (103 - removed) % seats == 0 and 103 - removed >= 3 * seats
    if fits:
        assert len(Match("card-cassonne", {"removed": removed}, seats).position()["aside"]) == removed
    else:
        with pytest.raises(UnknownOption, match="nearest that works"):
            Match("card-cassonne", {"removed": removed}, seats)


# --- Playing a card ----------------------------------------------------------


def test_a_card_needs_an_empty_place_beside_a_card() -> None:
    match = table(ROW, ["2c", "9s", "Ah"])
    assert refused(match, "play 2c at 0,1") == ""
    assert refused(match, "play 2c at 1,-1") == ""
    assert refused(match, "play 2c at 0,0") == "CC-12"  # taken
    assert refused(match, "play 2c at 2,1") == "CC-12"  # a corner only
    assert refused(match, "play 2c at 9,9") == "CC-12"
    assert refused(match, "play 2c at 900,9") == "CC-12"
    assert refused(match, "play 3c at 0,1") == "CC-11"  # not in the hand


def test_any_card_goes_where_one_card_or_one_suit_is_touched() -> None:
    match = table({"0,0": "7h", "1,0": "9h", "1,1": "Kh"}, ["2c", "8d", "Ah"])
    for card in ("2c", "8d", "Ah"):
        assert refused(match, f"play {card} at 0,1") == ""  # beside 7h and Kh
        assert refused(match, f"play {card} at 2,0") == ""


def test_between_several_suits_the_number_must_lie_between() -> None:
    """All touched cards count, bounds included (CC-Q5)."""
    match = table({"0,0": "7h", "1,0": "2h", "1,1": "Td"}, ["6c", "7s", "Jd"])
    assert refused(match, "play 6c at 0,1") == "CC-15"
    assert refused(match, "play 7s at 0,1") == ""
    assert refused(match, "play Jd at 0,1") == "CC-15"
    high = table({"0,0": "7h", "1,0": "2h", "1,1": "Td"}, ["7s", "8c", "Td"])
    assert [refused(high, f"play {card} at 0,1") for card in ("7s", "8c", "Td")] == ["", "", ""]


def test_equal_numbers_leave_only_that_number() -> None:
    match = table({"0,0": "7h", "1,0": "2h", "1,1": "7d"}, ["6c", "7s", "8d"])
    assert [refused(match, f"play {card} at 0,1") for card in ("6c", "7s", "8d")] == ["CC-15", "", "CC-15"]


def test_the_cards_own_suit_may_be_the_bound() -> None:
    match = table({"0,0": "7h", "1,0": "2h", "1,1": "Td"}, ["6h", "8h", "Jh"])
    assert [refused(match, f"play {card} at 0,1") for card in ("6h", "8h", "Jh")] == ["CC-15", "", "CC-15"]


def test_equal_cards_are_one_move() -> None:
    match = table({"0,0": "7h"}, ["2c", "2c", "9s"])
    texts = match.legal_texts()
    assert len(texts) == len(set(texts)) == 8
    assert after(match, "play 2c at 0,1")["players"][0]["hand"] == ["9s", "2c"]


# --- Areas -------------------------------------------------------------------


@given(picks=st.lists(st.integers(0, 10**6), min_size=1, max_size=160), seed=st.integers(0, 2**32))
@settings(max_examples=40)
@pytest.mark.parametrize("count", ["cells", "edges"])
def test_areas_are_those_of_a_flood_fill(count: str, picks: list[int], seed: int) -> None:
    match = Match("card-cassonne", {"count": count}, 3, f"{seed:x}")
    for pick in picks:
        if match.is_over:
            break
        match.play(match.legal()[pick % len(match.legal())])
        view, position = match.view(), match.position()
        board = {place(text): card for text, card in position["board"].items()}
        tokens = {place(text) for text in position["tokens"]}
        expected = {}
        for area in areas_of(board):
            spaces = spaces_of(board, area)
            size = len(spaces) if count == "edges" else len(set(spaces))
            expected[min(area)] = (len(area), size, len(area & tokens))
        found = {}
        for number in range(view.laid):
            if view.area[number] == number:
                corner = view.corner[number]
                key = (view.x[corner], view.y[corner])
                found[key] = (view.size[number], view.spaces[number], view.tokens[number])
        assert found == expected
        frontier = {beside for cell in board for beside in spaces_of(board, {cell})}
        assert view.frontier == len(frontier)


# --- Tokens ------------------------------------------------------------------


def test_a_token_goes_on_the_card_just_played_or_stays_home() -> None:
    match = table(ROW, ["2c", "9s", "Ah"])
    assert refused(match, "token") == "CC-11"
    match.play("play 2c at 0,1")
    assert match.legal_texts() == ["token", "no token"]
    position = after(match, "token")
    assert position["tokens"] == {"0,1": 1}
    assert position["players"][0]["supply"] == 6
    assert position["to_move"] == 2  # one card with three empty places cannot be scored
    match.undo()
    assert after(match, "no token")["tokens"] == {}


@pytest.mark.parametrize("owner", [1, 2])
def test_no_token_joins_an_area_that_holds_one(owner: int) -> None:
    """Anybody's token closes it, the card's area being looked at after joining (CC-Q8)."""
    board = {"0,0": "7h", "1,0": "Kd", "1,1": "9d"}
    match = table(board, ["2h", "9s", "Ah"], tokens={"0,0": owner, "1,1": 2})
    match.play("play 2h at -1,0")
    assert match.position()["phase"] == "play"  # neither step leaves a choice
    assert match.position()["to_move"] == 2


def test_an_empty_supply_skips_the_step() -> None:
    board = {"0,0": "7h", "0,1": "8s", "0,2": "2h"}
    match = table(board, ["2c", "9s", "Ah"], {"tokens": 1}, tokens={"0,0": 1})
    match.play("play 2c at 1,2")
    assert match.position()["phase"] == "play"


def test_why_a_token_step_was_skipped() -> None:
    """Where areas may still be scored the refusal says what closed the area."""
    match = table(BLOCK, ["Th", "9s", "Ah"], tokens={"0,0": 2})
    match.play("play Th at 0,2")
    assert match.position()["phase"] == "score"
    assert refused(match, "token") == "CC-20"
    match = table(BLOCK, ["Th", "9s", "Ah"], {"tokens": 1}, tokens={"0,0": 2, "2,0": 1})
    match.play("play 9s at -2,0")
    assert match.position()["phase"] == "score"
    assert refused(match, "token") == "CC-7"


# --- Scoring -----------------------------------------------------------------

HOLE = {
    "0,0": "7h", "1,0": "8s", "2,0": "9h", "2,1": "8c", "2,2": "Th", "1,2": "9s", "0,2": "Jh", "0,1": "9c",
}  # fmt: skip


def test_a_lone_card_in_a_hole_completes_an_area() -> None:
    match = table(HOLE, ["8d", "9s", "Ah"])
    match.play("play 8d at 1,1")
    assert points(match)[0] == 3
    match.play("token")
    assert points(match)[0] == 4  # one card, one point, and the token comes home in the same turn
    assert supplies(match)[0] == 7
    assert match.position()["to_move"] == 2


def test_completing_neighbours_pays_for_each_and_scores_their_tokens() -> None:
    """The cards around 1,1 become complete when it is filled: their owners score, the mover is rewarded."""
    fence = {
        "-1,1": "2d", "0,0": "7h", "0,1": "8c", "0,2": "6h", "1,0": "8s", "1,-1": "5h", "2,0": "4h",
        "2,1": "8c", "2,2": "3h", "3,1": "2d", "1,2": "8s", "1,3": "2h",
    }  # fmt: skip
    match = table(fence, ["8d", "9s", "Ah"], tokens={"0,1": 2, "1,0": 1})
    match.play("play 8d at 1,1")
    assert match.position()["phase"] == "token"
    assert points(match) == [15, 0]  # five areas: its own and four beside it
    match.play("no token")
    assert points(match) == [16, 1]
    assert supplies(match) == [7, 7]
    assert match.position()["tokens"] == {}


BLOCK = {
    "0,0": "7h",
    "1,0": "8h",
    "0,1": "9h",
    "1,1": "2h",
    "2,1": "3c",
    "2,0": "3s",
    "-1,0": "4c",
    "-1,1": "5d",
}


def test_a_partially_complete_area_may_be_scored_twice_its_size() -> None:
    """Four hearts with four empty places; a fifth leaves five."""
    match = table(BLOCK, ["Th", "9s", "Ah"])
    match.play("play Th at 0,2")
    match.play("token")
    assert match.position()["phase"] == "score"
    assert match.legal_texts() == ["score 0,0", "done"]
    position = after(match, "score 1,1")  # any of its cards names it
    assert points(match)[0] == 10
    assert supplies(match)[0] == 7
    assert position["tokens"] == {}
    assert position["to_move"] == 2


def test_not_to_score_is_a_choice() -> None:
    match = table(BLOCK, ["Th", "9s", "Ah"])
    position = after(match, "play Th at 0,2", "token", "done")
    assert points(match)[0] == 0
    assert position["tokens"] == {"0,2": 1}


def test_every_token_scores_the_full_amount() -> None:
    """Merged areas hold several tokens (CC-21); each scores, for each owner (CC-26)."""
    board = {**BLOCK, "0,3": "Jh", "1,2": "9c", "1,3": "9d"}
    match = table(board, ["Th", "9s", "Ah"], tokens={"0,0": 1, "1,1": 2, "0,3": 1})
    match.play("play Th at 0,2")
    match.play("score 0,3")
    assert points(match) == [24, 12]
    assert supplies(match) == [7, 7]


def test_an_opponents_area_may_be_scored_while_it_is_small() -> None:
    match = table(BLOCK, ["2c", "9s", "Ah"], tokens={"0,0": 2})
    match.play("play 2c at 3,1")
    match.play("no token")
    assert refused(match, "score 0,0") == ""
    match.play("score 0,0")
    assert points(match) == [0, 8]


def test_what_cannot_be_scored_says_why() -> None:
    match = table(BLOCK, ["2c", "9s", "Ah"], tokens={"0,0": 2, "-1,0": 1})
    match.play("play 2c at 3,1")
    assert refused(match, "score 0,0") == "CC-11"  # the token first
    match.play("no token")
    small = match.why_not("score -1,0")
    assert small is not None
    assert small.clause == "CC-18"
    assert small.sentence.endswith("it has 1 card but 2 empty places.")
    assert refused(match, "score 2,1") == "CC-25"
    assert refused(match, "score 7,7") == "CC-16"
    assert refused(match, "play 9s at 3,0") == "CC-11"


@pytest.mark.parametrize(("size", "amount"), [(1, 1), (2, 2), (3, 6), (4, 8)])
def test_one_point_a_card_up_to_two_and_two_from_three(size: int, amount: int) -> None:
    row = {f"{x},0": f"{3 + x}h" for x in range(size)}
    fence = {f"{x},{y}": "9c" if (x + y) % 2 else "9s" for x in range(size) for y in (1, -1)}
    clubs = iter(["2c", "2s", "3c", "3s", "4c", "4s", "5c", "5s"])
    fence = {spot: next(clubs) for spot in fence}
    match = table({**row, **fence}, ["Kd", "Qd", "Jd"], tokens={"0,0": 2})
    match.play(f"play Kd at {size},0")  # the left end stays open
    match.play("no token")
    match.play("score 0,0")
    assert points(match) == [0, amount]


# --- The end -----------------------------------------------------------------


def test_play_goes_on_without_drawing_until_all_hands_are_empty() -> None:
    match = table(ROW, ["2c"], others={"hand": ["3c"]}, rest="aside")
    match.play("play 2c at 0,1")
    match.play("no token")
    assert match.position()["to_move"] == 2
    match.play("play 3c at 0,2")
    match.play("no token")
    position = match.position()
    assert position["phase"] == "over"
    assert position["to_move"] == 0
    assert position["winner"] == [1, 2]
    assert match.result() == "1, 2"
    assert match.returns() == [0.0, 0.0]
    assert refused(match, "done") == "CC-32"


def test_tokens_on_face_cards_give_three_points_at_the_end() -> None:
    board = {"0,0": "7h", "0,1": "Jc", "0,2": "Qs", "0,3": "Kd", "0,4": "Ac", "0,5": "Ts"}
    tokens = {"0,0": 2, "0,1": 1, "0,2": 1, "0,3": 2, "0,4": 1, "0,5": 2}
    match = table(board, ["2c"], others={"hand": []}, tokens=tokens, rest="aside")
    match.play("play 2c at 1,1")
    if match.position()["phase"] == "score":
        match.play("done")
    assert match.position()["phase"] == "over"
    assert points(match) == [9, 3]
    assert match.position()["winner"] == 1
    assert match.returns() == [1.0, -1.0]


def test_a_shared_victory_is_worth_a_share() -> None:
    match = Match(
        "card-cassonne", seats=3,
        position={"phase": "over", "players": [{"score": 5}, {"score": 9}, {"score": 9}], "rest": "aside"},
    )  # fmt: skip
    assert match.position()["winner"] == [2, 3]
    assert match.returns() == [-1.0, 0.0, 0.0]


FACES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
FAR = {
    "to the right": [(n, 0) for n in range(101)],
    "to the left": [(-n, 0) for n in range(101)],
    "upwards": [(0, n) for n in range(101)],
    "downwards": [(0, -n) for n in range(101)],
    "in stairs up": [((n + 1) // 2, n // 2) for n in range(101)],
    "in stairs down": [((n + 1) // 2, -(n // 2)) for n in range(101)],
    "round a corner": [(min(n, 50), -max(0, n - 50)) for n in range(101)],
    "from the middle": [((-n - 1) // 2 if n % 2 else n // 2, 0) for n in range(101)],
}


@pytest.mark.parametrize("way", FAR)
def test_the_layout_reaches_as_far_as_it_likes(way: str) -> None:
    board = dict(zip([f"{x},{y}" for x, y in FAR[way]], FACES * 2, strict=False))
    match = table(board, (FACES * 2)[101:], others={"hand": []}, rest="aside")
    cells = {place(text): card for text, card in board.items()}
    for _ in range(3):
        free = {beside for cell in cells for beside in around(cell) if beside not in cells}
        open_places = {place(text.split(" at ")[1]) for text in match.legal_texts()}
        assert open_places <= free
        card = match.position()["players"][0]["hand"][0]
        assert {refused(match, f"play {card} at {x},{y}") for x, y in free} <= {"", "CC-15"}
        for cell in cells:
            assert refused(match, f"play {card} at {cell[0]},{cell[1]}") == "CC-12"
        for x, y in ((64, 64), (-64, 64), (65, -63), (127, -1)):  # these share a cell with 0,0
            assert (x, y) in free or refused(match, f"play {card} at {x},{y}") == "CC-12"
        farthest = max(open_places, key=lambda cell: abs(cell[0]) + abs(cell[1]))
        cells[farthest] = card
        match.play(f"play {card} at {farthest[0]},{farthest[1]}")
        while match.position()["phase"] in ("token", "score"):
            match.play(match.legal_texts()[-1])
    assert {place(text): card for text, card in match.position()["board"].items()} == cells


def test_places_that_share_a_cell_are_far_apart() -> None:
    near = range(-127, 128)
    shared = [(x, y) for x in near for y in near if cells.cell_of(x, y) == 0 and (x, y) != (0, 0)]
    assert shared
    assert all(abs(x) + abs(y) >= 128 and max(abs(x), abs(y)) >= 64 for x, y in shared)


def test_coordinates_hold_wherever_the_layout_grows() -> None:
    """The ring of cells wraps around; what is written does not."""
    match = Match("card-cassonne", seed="3")
    for step in range(1, 40):
        if match.position()["phase"] != "play":
            match.play(match.legal_texts()[-1])
        hand = match.position()["players"][match.seat_to_move - 1]["hand"]
        match.play(f"play {hand[0]} at {-step},0")
        while match.position()["phase"] in ("token", "score"):
            match.play(match.legal_texts()[-1])
    board = match.position()["board"]
    assert list(board) == [f"{-step},0" for step in range(40)]
    assert all(text.split(" at ")[1].split(",")[1] in ("1", "-1", "0") for text in match.legal_texts())
