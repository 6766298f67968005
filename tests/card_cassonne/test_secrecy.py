"""Hands, deck and removed cards are re-dealt evenly, and agree with what everybody has seen."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bartizan.engine.cards import POKER
from bartizan.match import Match
from bartizan.match.close_look import hidden
from tests.card_cassonne.tables import table, zone
from tests.card_cassonne.test_rules import ROW
from tests.card_cassonne.test_rules_options import FULL
from tests.games.tables import played, positions


def test_own_hand_and_layout_stay_and_all_else_moves() -> None:
    moved = 0
    for match, dice in positions("card-cassonne", 10, 0.2):
        for seat in range(1, match.seats + 1):
            view, other = match.view(), hidden(match, seat, dice.getrandbits(32)).view()
            assert other.players[seat - 1].hand == view.players[seat - 1].hand
            assert (other.face, other.token, other.at) == (view.face, view.token, view.at)
            assert other.deck.count == view.deck.count
            for number in range(match.seats):
                hand = other.players[number].hand
                assert hand.count == view.players[number].hand.count
                cards = hand.listed()
                assert cards == sorted(cards, reverse=True)
            moved += other.deck != view.deck
    assert moved > 50


def test_every_unknown_card_comes_everywhere_alike() -> None:
    match = table(
        ROW, ["2c", "9s", "Ah"], others={"hand": ["2d"]}, deck=["3d", "4d"], aside=["5d", "2d"], rest="aside"
    )
    pool = Counter(
        POKER.parse(face) for face in ["2d", *match.position()["deck"], *match.position()["aside"]]
    )
    found: Counter[int] = Counter()
    games = 4_000
    for number in range(games):
        (face,) = hidden(match, 1, number).view().players[1].hand.listed()
        found[face] += 1
    assert set(found) == set(pool)
    total = pool.total()
    distance = sum(
        (found[face] - games * copies / total) ** 2 / (games * copies / total)
        for face, copies in pool.items()
    )
    assert distance < 90  # chi-square, about 50 degrees, 0.05%


def stuck(hand: list[str]) -> Match:
    """Return a 3x3 table with one place left, for a 2 or 3, at which seat 1 was just passed over."""
    match = table(
        FULL, hand, {"board": "3x3"}, others={"hand": ["3s", "Kc"]}, deck=["2c", "3c", "5c", "6c", "7c"],
        rest="aside",
    )  # fmt: skip
    assert match.seat_to_move == 2
    return match


def test_who_is_passed_over_holds_nothing_that_fits() -> None:
    match = stuck(["9c", "9s"])
    seen: Counter[int] = Counter()
    for number in range(300):
        hand = hidden(match, 2, number).view().players[0].hand.listed()
        seen.update(14 - face // 4 for face in hand)
    assert not {2, 3} & set(seen)
    assert len(seen) > 8


def test_who_is_asked_for_a_card_holds_one_that_fits() -> None:
    match = stuck(["9c", "9s"])
    for number in range(300):
        hand = hidden(match, 1, number).view().players[1].hand.listed()
        assert {14 - face // 4 for face in hand} & {2, 3}


def test_what_is_known_of_a_hand_agrees_with_it() -> None:
    """In whole games on small tables: what the state bars, no hand breaks."""
    passed = 0
    for number in range(30):
        match = Match("card-cassonne", {"board": "4x3"}, 2 + number % 3, f"{number:x}")
        while not match.is_over:
            match.play(match.legal()[number % len(match.legal())])
            view: Any = match.view()
            for seat in range(match.seats):
                player = view.players[seat]
                cards = player.hand.listed()
                for entry in range(len(cards)):
                    allowed = [face for face in cards if not player.barred[entry] >> face & 1]
                    assert len(allowed) > entry
                    passed += player.barred[entry] > 0
    assert passed > 20


def test_equal_cards_tell_nothing() -> None:
    """The scenes of two tables that differ in which copy is where are the same."""
    for match in played("card-cassonne", 3):
        if match.ply > 60:
            break
        for seat in (0, 1, 2):
            scene = match.views.scene(seat)
            ids = [item.id for each in scene.zones for item in each.items]
            assert len(ids) == len(set(ids))
            for other in range(1, match.seats + 1):
                if other != seat:
                    names = [item.id for item in zone(scene, f"hand:{other}").items]
                    assert names == [f"hand:{other}:{slot}" for slot in range(len(names))]
