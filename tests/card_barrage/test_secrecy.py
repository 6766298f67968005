"""What a person cannot know is dealt anew consistently with all that was seen."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from bartizan.games.card_barrage.cards import TECH
from bartizan.match import Match
from bartizan.match.close_look import hidden, standing_on
from bartizan.search.players import Player
from tests.card_barrage.tables import duel, table
from tests.games.tables import positions
from tests.games.test_secrecy import told


def redealt(match: Match, seat: int, number: int) -> dict[str, Any]:
    """Return the position after dealing anew what a person cannot know."""
    position: dict[str, Any] = match.game.positions.write(hidden(match, seat, number).view())
    return position


def hands(match: Match, seat: int, whose: int, times: int = 200) -> list[list[str]]:
    """Return what another hand may be, dealt many times."""
    return [redealt(match, seat, number)["players"][whose - 1]["hand"] for number in range(times)]


def test_every_unseen_card_may_be_in_an_unseen_hand() -> None:
    match = duel(two={"hand": ["2s"], "deck": ["8k"]}, one={"deck": ["5k", "5s"]}, rest="aside")
    seen = Counter(card for hand in hands(match, 1, 2, 4_000) for card in hand)
    named = {"4k", "6v", "13t", "3t", "6k", "9s", "2v", "12v", "7t", "4v", "11k", "6s", "10t"}
    unseen = {TECH.text(card) for card in range(52)} - named
    assert set(seen) == unseen
    expected = 4_000 / len(unseen)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 72.06  # 38 degrees, 0.1 %


def test_the_own_hand_and_what_lies_open_stay() -> None:
    for match, dice in positions("card-barrage", 30, 0.15, first=4_000):
        for person in range(1, match.seats + 1):
            before, after = match.position(), redealt(match, person, dice.getrandbits(32))
            for key in set(before) - {"players"}:
                assert before[key] == after[key]
            for seat, (one, other) in enumerate(zip(before["players"], after["players"], strict=True)):
                for key in set(one) - {"hand", "deck"}:
                    assert one[key] == other[key]
                assert len(one["hand"]) == len(other["hand"])
                if seat + 1 == person:
                    assert one["hand"] == other["hand"]


def test_a_wall_seen_going_to_a_hand_stays_there_until_it_is_played() -> None:
    match = duel()
    match.play("upgrade 1 with 13t")
    assert all("3t" in hand for hand in hands(match, 2, 1))
    match.play("report 6v miss")
    assert all("3t" in hand for hand in hands(match, 2, 1))
    match.play("end")
    after = hands(match, 2, 1)
    assert all("3t" in hand for hand in after)
    assert len({tuple(hand) for hand in after}) > 20


def test_who_could_not_replace_a_wall_holds_higher_cards_only() -> None:
    match = duel(two={"hand": ["9k", "12k"]})
    assert any(int(card[:-1]) <= 7 for hand in hands(match, 1, 2) for card in hand)
    match.play("report 6v hit 2.1")  # the 7t, and no card fits
    after = hands(match, 1, 2)
    assert all(int(card[:-1]) > 7 for hand in after for card in hand)
    assert len({tuple(hand) for hand in after}) > 20
    match.play("end")  # the two cards drawn now may be anything
    drawn = hands(match, 1, 2)
    assert all(sum(int(card[:-1]) > 7 for card in hand) >= 2 for hand in drawn)
    assert any(int(card[:-1]) <= 7 for hand in drawn for card in hand)


def test_a_shuffled_discard_is_still_what_was_discarded() -> None:
    discard = ["1k", "2k", "3k", "5t", "8t"]
    match = duel(two={"hand": ["9k", "10k", "11s"], "deck": [], "discard": discard})
    view = match.view()
    assert view.deck[1].count > 0  # the rest lies under it, so nothing is shuffled yet
    match = duel(two={"hand": ["9k", "10k", "11s"], "deck": [], "discard": discard}, rest="aside")
    match.play("end")
    old: Counter[str] = Counter()
    for number in range(300):
        player = redealt(match, 1, number)["players"][1]
        drawn = [card for card in player["hand"] if card in discard]
        assert len(drawn) == 1
        assert sorted([*drawn, *player["deck"]]) == sorted(discard)
        assert not set(player["hand"]) - set(drawn) & set(discard)
        old[drawn[0]] += 1
    assert set(old) == set(discard)


def test_the_persons_two_hands_are_both_known() -> None:
    match = Match("card-barrage", None, 3, "4")
    before, after = match.position(), redealt(match, 2, 5)
    for seat in (2, 4):
        assert before["players"][seat - 1]["hand"] == after["players"][seat - 1]["hand"]
    assert before["players"][0]["hand"] != after["players"][0]["hand"]


def swapped(match: Match, one: int, other: int) -> Match:
    """Return a table on which unseen cards of one kind are of another, and the other way round."""
    view = match.view()
    kinds = {one: other, other: one}
    for pile in (*view.deck, view.aside, view.hand[1]):
        for place in range(pile.count):
            pile.cards[place] = kinds.get(pile.cards[place], pile.cards[place])
    hand = view.hand[1]
    ordered = sorted(
        (hand.cards[place], hand.origin[place], hand.above[place]) for place in range(hand.count)
    )
    for place, (card, origin, above) in enumerate(ordered):
        hand.cards[place], hand.origin[place], hand.above[place] = card, origin, above
    game_state = match.game_state()
    game_state.load(view.to_array().tobytes())
    return standing_on(match, game_state)


def test_what_never_came_to_light_never_mattered() -> None:
    """Swap two cards that seat 1 never saw, play the same moves, and seat 1 is told the same."""
    compared = 0
    for number in range(60):
        start = Match("card-barrage", None, 2, f"{number + 1:x}")
        dice = random.Random(number)
        for _ in range(dice.randrange(12)):
            start.play(dice.choice(start.legal()))
        mine = standing_on(start, start.game_state())
        player = Player.named(start.game, "random:any", number)
        while not mine.is_over and mine.ply < 4:
            mine.play(player.choose(mine.game_state(), mine.legal()))
        unseen = _unseen_throughout(mine)
        if len(unseen) < 2 or mine.is_over:
            continue
        pair = dice.sample(unseen, 2)
        moves = mine.moves
        mine.go_to(0)
        theirs = swapped(mine, *pair)
        mine.go_to(len(moves))
        if any(theirs.why_not(move) is not None or not _follows(theirs, move) for move in moves):
            continue  # the other card would have had to be played
        if theirs.seat_to_move != mine.seat_to_move or theirs.position()["phase"] != mine.position()["phase"]:
            continue  # or would have replaced a wall
        for ply in range(mine.last_ply, -1, -1):
            mine.go_to(ply)
            theirs.go_to(ply)
            assert theirs.views.scene(1) == mine.views.scene(1)
            assert theirs.views.log(1) == mine.views.log(1)
        mine.go_to(mine.last_ply)
        theirs.go_to(theirs.last_ply)
        assert told(theirs, 1, random.Random(7)) == told(mine, 1, random.Random(7))
        compared += theirs.position() != mine.position()
    assert compared > 15


def _follows(match: Match, move: str) -> bool:
    match.play(move)
    return True


def _unseen_throughout(match: Match) -> list[int]:
    """Return the kinds that lay in decks, aside or seat 2's hand, unknown to seat 1, at every ply."""
    found: set[int] = set(range(TECH.plain))
    last = match.ply
    for ply in range(last + 1):
        match.go_to(ply)
        view = match.view()
        here = {pile.cards[place] for pile in (*view.deck, view.aside) for place in range(pile.count)}
        hand = view.hand[1]
        here |= {hand.cards[place] for place in range(hand.count) if hand.origin[place] == 0}
        found &= here
    match.go_to(last)
    return sorted(found)


def test_programs_look_at_nothing_hidden() -> None:
    for match, dice in positions("card-barrage", 30, 0.2, first=6_000):
        if match.is_over:
            continue
        seed = dice.getrandbits(32)
        for name in ("greedy:expert", "random:child", "random:any"):
            chosen = {
                Player.named(match.game, name, seed).choose(
                    hidden(match, match.seat_to_move, number) if number else match.game_state(), match.legal()
                )
                for number in range(3)
            }
            assert len(chosen) == 1


def test_an_open_team_is_known_to_itself() -> None:
    for known in (False, True):
        match = table(4, options={"open_team_hands": known})
        before, after = match.position(), redealt(match, 1, 3)
        assert (before["players"][2]["hand"] == after["players"][2]["hand"]) == known
