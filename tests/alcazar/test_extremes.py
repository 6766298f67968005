"""The most that Alcazar can ask for: room for legal actions, and how many there usually are."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from bartizan.engine import registry
from bartizan.engine.cards import POKER
from bartizan.games.alcazar.state import HAND_SLOTS, MAX_LEGAL
from tests.alcazar.tables import table
from tests.games.tables import legal_of


def crowded(hand: list[str], replace: bool) -> int:
    """Return how many legal actions a hand has before six weak enemies, with all else in the discard."""
    named = {*hand, "Qc", "2c", "2s", "3c", "3s", "4c", "4s", "Ac", "Ks", "5c"}
    rest = [POKER.text(card) for card in range(52) if POKER.text(card) not in named]
    match = table(
        {"advantage_replace": replace},
        tower=["Qc"],  # the Bard: seven cards in hand
        right=["2c", "2s"],
        left=["3c", "3s"],
        top=["4c", "4s"],
        hand=hand,
        advantages=["Ac", "Ks"],  # Power and Shield: every set beats every enemy
        deck=["5c"],
        discard=rest,
    )
    assert len(hand) == HAND_SLOTS
    return len(match.legal())


def test_the_longest_list_of_legal_actions_has_room() -> None:
    """Red specials pay for one another, jacks fetch any card of a full discard, any set beats any enemy."""
    specials = [rank + suit for rank in "JQKA" for suit in "dh"]
    most = max(
        crowded(list(hand), replace) for hand in combinations(specials, 7) for replace in (False, True)
    )
    for plain in ("9d", "2h"):
        for six in combinations(specials, 6):
            most = max(most, crowded([*six, plain], True))
    for jacks in (["Jd", "Jh", "Jc", "Js"], ["Jd", "Jh", "Js"]):
        others = ["Kd", "Kh", "Qd", "Qh"][: 7 - len(jacks)]
        most = max(most, crowded([*jacks, *others], True))
    assert 1_300 < most < MAX_LEGAL


def test_the_number_of_legal_moves_in_random_play() -> None:
    """Some 7.6 on the mean, as independent play of the rules has it."""
    game = registry.get("alcazar")
    dice = np.random.default_rng(8)
    counts: list[int] = []
    for number in range(1_000):
        game_state = game.blank(game.option_set(), 1, number)
        game.array_rules.setup(game_state.cells)
        while game.array_rules.turn_of(game_state.cells):
            legal = legal_of(game, game_state)
            counts.append(len(legal))
            game.array_rules.apply(game_state.cells, legal[dice.integers(len(legal))])
    assert 7.2 < sum(counts) / len(counts) < 8.0
    assert max(counts) > 80
