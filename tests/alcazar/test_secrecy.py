"""What the player of Alcazar knows stays put when the rest is re-dealt; a permuted past tells the same."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from bartizan.engine.cards import POKER
from bartizan.engine.game import GameState
from bartizan.games.alcazar.state import PLACES, State
from bartizan.match import Match
from bartizan.match.close_look import hidden, standing_on
from bartizan.search.players import Player
from tests.alcazar.tables import STILL, table
from tests.games.tables import positions
from tests.games.test_secrecy import told


def places_of(view: State) -> dict[int, tuple[str, int]]:
    """Return where each card lies."""
    found: dict[int, tuple[str, int]] = {}
    for name in ("deck", "discard", "aside", "tower", "hand", "advantages"):
        found |= {card: (name, index) for index, card in enumerate(getattr(view, name).listed())}
    return found | {view.enemy[place]: ("enemy", place) for place in range(PLACES) if view.enemy[place] >= 0}


def test_known_cards_stay_where_they_are() -> None:
    moved = under_the_deck = 0
    for match, dice in positions("alcazar", 50, 0.3, first=4_000):
        view = match.view()
        before, after = places_of(view), places_of(hidden(match, 1, dice.getrandbits(32)).view())
        assert sorted(before) == sorted(after)
        for card, place in before.items():
            if view.known[card] or place[0] in ("hand", "discard", "aside", "advantages"):
                assert after[card] == place
                under_the_deck += place[0] == "deck"
            else:
                assert place[0] in ("deck", "tower", "enemy")
                moved += after[card] != place
    assert moved > 700
    assert under_the_deck > 30


def test_cards_seen_going_under_are_known_and_unseen_ones_are_not() -> None:
    match = table(STILL, right=["Td", "-"], hand=["6c", "5s", "9s"], discard=["4s", "8s"])
    match.play("repair with 6c")
    match.play("end")  # the 7c falls and goes under the deck
    view = match.view()
    for card in ("7c", "6c", "4s", "8s", "Td", "9s"):
        assert view.known[POKER.parse(card)], card
    assert POKER.parse("7c") == view.deck.listed()[-1]
    assert POKER.parse("6c") == view.tower.listed()[-1]
    assert not view.known[view.tower.listed()[1]]
    scene = match.views.scene(1)
    peeks = {zone.id: [item.peek for item in zone.items if item.peek] for zone in scene.zones}
    assert peeks["deck"] == ["7c"]
    assert peeks["tower"] == ["6c"]


def test_shuffling_the_discard_in_forgets_what_was_known() -> None:
    options = {"havoc": True, **STILL}
    match = table(options, phase="movement", hand=["2d", "3d", "5d"], deck=["*"], discard=["9c", "8c"])
    view = match.view()
    assert view.discard.count == 0
    for card in ("9c", "8c"):
        assert not view.known[POKER.parse(card)]
    assert all(not view.known[card] for card in view.deck.listed())


def test_hiding_deals_every_unknown_card_to_every_unknown_place_alike() -> None:
    match = table(
        STILL, tower=["7c", "~6d"], right=["8s", "~5d"], hand=["9d"], deck=["2d", "3d", "4d"], rest="aside"
    )
    counts: Counter[tuple[int, tuple[str, int]]] = Counter()
    for number in range(3_000):
        spots = places_of(hidden(match, 1, number).view())
        counts.update(
            (POKER.parse(card), spots[POKER.parse(card)]) for card in ("6d", "5d", "2d", "3d", "4d")
        )
    assert len(counts) == 25
    for card in ("6d", "5d", "2d", "3d", "4d"):
        shares = [count for (each, _), count in counts.items() if each == POKER.parse(card)]
        assert sum((share - 600) ** 2 / 600 for share in shares) < 18.47  # chi-square, 4 degrees, 0.1 %


# --- A past that is permuted consistently ------------------------------------


def unknown_in(view: State) -> set[int]:
    """Return the cards whose place the player does not know."""
    lying = [*view.deck.listed(), *view.tower.listed(), *(card for card in view.enemy if card >= 0)]
    return {card for card in lying if not view.known[card]}


def permuted(match: Match, view: State, swap: dict[int, int]) -> GameState:
    """Return a state in which unknown cards have changed places."""
    record = view.copy()
    for pile in (record.deck, record.tower):
        for index in range(pile.count):
            pile.cards[index] = swap.get(pile.cards[index], pile.cards[index])
    for place in range(PLACES):
        record.enemy[place] = swap.get(record.enemy[place], record.enemy[place])
    game_state = match.game_state()
    game_state.load(record.to_array().tobytes())
    return game_state


def tell(match: Match, number: int) -> list[bytes]:
    return told(match, 1, random.Random(number))


def test_what_never_came_to_light_never_mattered() -> None:
    """Play some plies; then deal the cards that stayed unknown otherwise *at the start* and play the same."""
    logs = 0
    for number, (start, dice) in enumerate(positions("alcazar", 60, 0.2, first=5_000)):
        if start.is_over:
            continue
        mine = standing_on(start, start.game_state())
        player = Player.named(start.game, "greedy" if dice.random() < 0.5 else "random", number)
        views = [mine.view()]
        while not mine.is_over and len(views) < 5:
            mine.play(player.choose(mine.game_state(), mine.legal()))
            views.append(mine.view())
        unknown = sorted(set.intersection(*map(unknown_in, views)))
        others = dice.sample(unknown, len(unknown))
        theirs = standing_on(start, permuted(start, views[0], dict(zip(unknown, others, strict=True))))
        assert theirs.position() != mine.position()
        for move in mine.moves:
            theirs.play(move)
        assert theirs.views.log(1) == mine.views.log(1)
        for ply in range(mine.last_ply, -1, -1):
            mine.go_to(ply)
            theirs.go_to(ply)
            assert theirs.views.scene(1) == mine.views.scene(1)
        mine.go_to(mine.last_ply)
        theirs.go_to(theirs.last_ply)
        if not mine.is_over:
            assert tell(theirs, number) == tell(mine, number)
        logs += len(mine.moves) >= 2
    assert logs > 30


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_programs_look_at_nothing_hidden(name: str) -> None:
    for match, dice in positions("alcazar", 40, 0.3, first=6_000):
        if match.is_over:
            continue
        seed = dice.getrandbits(32)
        choices: set[int] = set()
        for number in range(3):
            game_state = hidden(match, 1, number) if number else match.game_state()
            choices.add(Player.named(match.game, name, seed).choose(game_state, match.legal()))
        assert len(choices) == 1


def test_the_scene_names_no_card_that_the_player_cannot_know() -> None:
    def texts(value: Any) -> str:
        return repr(value)

    for match, _ in positions("alcazar", 20, 0.3, first=7_000):
        scene = match.views.scene(1)
        drawn = [item for zone in scene.zones for item in zone.items]
        faces = {face for item in drawn for face in (item.face, item.peek) if face and face != "*"}
        unknown = {POKER.text(card) for card in unknown_in(match.view())} - {"*"}
        assert not faces & unknown
        assert not {item.id for item in drawn} & unknown
        shown = texts(scene.choices) + texts(scene.zones)
        assert not [card for card in unknown if f"'{card}'" in shown]
        names = {POKER.name(POKER.parse(card)) for card in unknown}
        assert not [name for name in names if name in texts(scene.zones) + texts(scene.status)]
