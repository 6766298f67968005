"""What a seat of Tower knows stays put when the rest is dealt anew, and the rest is dealt evenly."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import OPEN, Phase, Standing
from bartizan.match import Match
from bartizan.match.close_look import hidden
from tests.corpus import sample
from tests.games.tables import positions
from tests.tower.tables import NINES, SEVENS, SIXES, seat, table


def hands(view: Any) -> list[list[int]]:
    return [player.hand.listed() for player in view.players[: view.seats]]


def all_open(view: Any, number: int) -> list[int]:
    player = view.players[number - 1]
    return [player.hand.cards[slot] for slot in range(player.hand.count) if player.since[slot] == OPEN]


def test_own_hand_open_cards_and_everything_public_stay() -> None:
    moved = opened = 0
    for match, dice in positions("tower", 40, 0.3, first=4_000):
        view = match.view()
        for number in range(1, match.seats + 1):
            other = hidden(match, number, dice.getrandbits(32)).view()
            assert hands(other)[number - 1] == hands(view)[number - 1]
            for each in range(1, match.seats + 1):
                assert all_open(other, each) == all_open(view, each)
                opened += each != number and bool(all_open(view, each))
                assert len(hands(other)[each - 1]) == len(hands(view)[each - 1])
                assert list(other.players[each - 1].tower) == list(view.players[each - 1].tower)
            for pile in ("discard", "spent", "rubble", "aside"):
                assert getattr(other, pile).listed() == getattr(view, pile).listed()
            assert other.deck.count == view.deck.count
            moved += other.deck.listed() != view.deck.listed()
            assert list(other.pool) == [0] * len(other.pool)
    assert moved > sample(100, 300)
    assert opened > sample(35, 100)


def test_hiding_depends_on_nothing_hidden() -> None:
    """The same known things and the same dice give the same table, whatever was really hidden."""
    same = 0
    for match, dice in positions("tower", 25, 0.2, first=5_000):
        view = match.view()
        if match.is_over or view.buried.count or (view.generation and match.seats > 2):
            continue  # cards of the dead, shuffled back, leave a trace of which places were theirs
        for number in range(1, match.seats + 1):
            first = hidden(match, number, 1)
            key = dice.getrandbits(32)
            once = _hidden_again(match, match.game_state(), number, key)
            twice = _hidden_again(match, first, number, key)
            assert hands(once) == hands(twice)
            assert once.deck.listed() == twice.deck.listed()
            same += 1
    assert same > 60


def _hidden_again(match: Match, game_state: Any, number: int, key: int) -> Any:
    copy = game_state.copy()
    copy.rekey(key)
    match.game.array_rules.determinize(copy.cells, number)
    return copy.view()


def test_cards_shuffled_back_cannot_be_in_a_hand_held_before() -> None:
    """Who held a hidden card when the pile was renewed holds none of those that everybody saw go into it."""
    players = [seat("Tr Jr Qr", SIXES | {"water": "-"}), seat("2r 2p 2s", NINES)]
    match = table(
        players, deck=["Kl"], discard=["4r", "4p"], rubble=["5s", "5w"], rest="aside", spent=[], to_move=1
    )
    for move in ("discard Tr", "discard Jr", "draw"):
        match.play(move)
    view = match.view()
    assert view.generation == 1
    for number in range(200):
        other = hidden(match, 1, number).view()
        assert {JANKEN.text(card) for card in hands(other)[1]} == {"2r", "2p", "2s"}
        assert {JANKEN.text(card) for card in other.deck.listed()} == {"4r", "4p", "5s", "5w"}


def test_a_card_taken_openly_stays_in_its_hand_until_it_is_played() -> None:
    match = table([seat("Tr Jr", SIXES), seat("2r 2p", NINES)], deck=["3r", "3p", "3s", "3w"], discard=["4p"])
    for move in ("discard Tr", "discard Jr", "take", "draw", "draw"):
        match.play(move)
    taken = JANKEN.parse("4p")
    redealt = [hands(hidden(match, 2, number).view())[0] for number in range(100)]
    assert all(hand.count(taken) == 1 for hand in redealt)
    assert len({tuple(sorted(hand)) for hand in redealt}) > 20
    for move in ("discard 2r", "discard 2p", "draw", "draw", "draw", "attack 2 with 4p"):
        match.play(move)
    assert all(taken not in hands(hidden(match, 2, number).view())[0] for number in range(100))


def test_the_scene_names_as_answers_only_cards_of_its_own_hand() -> None:
    named = 0
    for match, _ in positions("tower", 15, 0.3, first=7_100):
        for number in range(match.seats + 1):
            zones = {zone.id: zone for zone in match.views.scene(number).zones}
            own = {item.id for item in zones[f"hand:{number}"].items} if number else set()
            courses = [item.course for item in zones["flight"].items if item.course]
            answers = {answer for course in courses for answer in course.answers}
            assert answers <= own
            named += len(answers)
    assert named > 20


def test_unseen_cards_are_dealt_evenly() -> None:
    match = table([seat("Tr", SIXES), seat("2r 2p", NINES)], deck=["3r", "3p", "3s"], rest="aside")
    counts: Counter[str] = Counter()
    for number in range(3_000):
        counts.update(JANKEN.text(card) for card in hands(hidden(match, 1, number).view())[1])
    assert set(counts) == {"2r", "2p", "3r", "3p", "3s"}
    assert sum((count - 1200) ** 2 / 1200 for count in counts.values()) < 18.47  # chi-square, 4 degrees, 0.1%


def test_a_player_asked_to_lay_is_known_to_hold_every_suit() -> None:
    match = table([seat("2r 3p 4s 5s 6w"), seat("Kr Kp Ks Kw Qw")], deck=["8l"])
    match.play("exchange 5s")
    match.play("draw")
    assert match.view().phase == Phase.LAY
    looked = set()
    for number in range(50):
        hand = hands(hidden(match, 2, number).view())[0]
        assert {card % 5 for card in hand} == set(range(5))
        looked.add(tuple(hand))
    assert len(looked) > 40
    match.play("stop")  # he still holds it, and after the next exchange without a question he does not
    assert {card % 5 for card in hands(hidden(match, 2, 1).view())[0]} == set(range(5))


def test_a_player_not_asked_to_lay_is_known_to_lack_a_suit() -> None:
    match = table([seat("2r 3p 4s 5s 6w"), seat("Kr Kp Ks Kw Qw")], deck=["8r"])
    match.play("exchange 5s")
    match.play("draw")
    assert match.view().players[0].standing == Standing.BUILDING
    for number in range(100):
        assert {card % 5 for card in hands(hidden(match, 2, number).view())[0]} != set(range(5))


def test_the_scene_names_no_card_that_a_seat_cannot_know() -> None:
    for match, _ in positions("tower", 15, 0.3, first=7_000):
        view = match.view()
        for number in range(match.seats + 1):
            scene = match.views.scene(number)
            drawn = [item for zone in scene.zones for item in zone.items]
            shown = Counter(face for item in drawn for face in (item.face, item.peek) if face)
            public = [pile.listed() for pile in (view.discard, view.spent)]
            own = [hands(view)[number - 1]] if number else []
            opened = [all_open(view, each) for each in range(1, match.seats + 1) if each != number]
            standing = [card for player in view.players[: view.seats] for card in player.tower if card >= 0]
            built = sum(player.standing != Standing.BUILDING for player in view.players[: view.seats])
            known = Counter(JANKEN.text(card) for cards in (*public, *own, *opened) for card in cards)
            known.update(JANKEN.text(card) for card in standing if built)
            flying = sum(attack.face >= 0 for attack in view.attacks[: view.flying])
            assert sum(shown.values()) == sum(known.values()) + flying


def test_the_last_cards_of_the_dead_stay_unseen() -> None:
    players = [seat("3r", SIXES), seat("Kr Kp", {"paper": "2p"}), seat("2l", SEVENS)]
    flying = [{"from": 1, "at": 2, "card": "Ts"}]
    match = table(players, phase="arrival", attacks=flying, deck=["8r", "8p"], rest="aside")
    match.play("hit paper with Ts")
    view = match.view()
    assert sorted(view.buried.listed()) == sorted(JANKEN.parse(card) for card in ("Kr", "Kp"))
    seen = Counter(card for number in range(200) for card in hidden(match, 1, number).view().buried.listed())
    assert len(seen) == 5  # the two, two of the deck and the third player's card
