"""Make random positions of Alcazar in which rare things happen: short decks, Jokers, six-card towers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from tests.alcazar.reference import NoChance
from tests.alcazar.reference_cards import ARMIES, CHOICES, DEFAULTS, JOKER, Position, deck_of, full_options
from tests.alcazar.reference_moves import position_faults
from tests.alcazar.reference_rules import Table


def random_options(rng: random.Random) -> dict[str, Any]:
    """Choose some options to differ from their defaults."""
    options: dict[str, Any] = {}
    for key, default in DEFAULTS.items():
        if rng.random() < 0.5:
            continue
        if isinstance(default, bool):
            options[key] = True
        elif key == "round_cap":
            options[key] = rng.choice([5, 6, 200])
        else:
            value = rng.choice(CHOICES[key])
            options[key] = int(value) if key == "trade_limit" and value.isdigit() else value
    return options


def random_position(rng: random.Random, options: Mapping[str, Any]) -> dict[str, Any]:
    """Make a position that waits for an action, or for a Movement to run."""
    full = full_options(options)
    while True:
        data = Dealer(rng, full).position()
        table = Table(Position.read(data), full, NoChance())
        now = table.now
        if position_faults(table):
            continue
        if full["total_victory"] and table.latched() and not now.face_up():
            continue  # won already
        if full["endless_night"] and now.passes == 1 and not now.deck and now.discard:
            continue  # a new deck is due
        return data


class Dealer:
    """Deals a shuffled deck onto a random position."""

    def __init__(self, rng: random.Random, full: Mapping[str, Any]) -> None:
        self.rng = rng
        self.full = full
        self.cards = deck_of(full)
        rng.shuffle(self.cards)

    def take(self, wanted: Callable[[str], bool]) -> str:
        """Take the first card that is wanted, or else the first that is no Joker."""
        for test in (wanted, lambda card: card != JOKER):
            for card in self.cards:
                if test(card):
                    self.cards.remove(card)
                    return card
        raise AssertionError("no card is left")

    def special_or_not(self, chance: float) -> str:
        ranks = "JQKA" if self.rng.random() < chance else "23456789TJQKA"
        return self.take(lambda card: card[0] in ranks)

    def face_down(self) -> str:
        ranks = self.rng.choice(["*", "AJ", "*23456789TJQKA", "*23456789TJQKA"])
        return "~" + self.take(lambda card: card[0] in ranks)

    def lane(self) -> list[str]:
        kinds = self.rng.choice(["ud", "uu", "u-", "-d", "-u", "--", "ud"])
        made = {"-": lambda: "-", "u": lambda: self.special_or_not(0.35), "d": self.face_down}
        return [made[kind]() for kind in kinds]

    def actions(self) -> list[str]:
        kinds = ["defend", "repair", "special"]
        if self.full["actions_per_turn"] == "one_of_each":
            return self.rng.sample(kinds, self.rng.randint(0, 2))
        limit = self.full["actions_per_turn"]
        most = int(limit) if limit.isdecimal() else 3
        return [self.rng.choice(kinds) for _ in range(min(most, self.rng.choice([0, 0, 1, 2, 3])))]

    def position(self) -> dict[str, Any]:
        rng, full = self.rng, self.full
        action = rng.random() < 0.8
        advantages = [
            self.take(lambda card, rank=rank: card[0] == rank)  # type: ignore[misc]
            for rank in rng.sample("AKQJ", rng.choice([0, 1, 2]))
        ]
        most = 6 if any(card[0] == "Q" for card in advantages) else 5
        bard = rng.random() < 0.2
        tower = [self.take(lambda card: card[0] == "Q") if bard else self.special_or_not(0.5)]
        for _ in range(rng.randint(1, most) - 1):
            tower.append("~" + self.take(lambda card: True))
        lanes = {army: self.lane() for army in ARMIES}
        hand = [self.special_or_not(0.4) for _ in range(rng.randint(0, 7))]
        keeps = full["reinforcement"] == "keep"
        borrowed = [] if keeps or not action else rng.sample(hand, min(len(hand), rng.choice([0, 0, 1, 2])))
        passes = rng.randint(0, 2 if full["endless_night"] else 1)
        if full["win_timing"] == "immediate" and not full["total_victory"]:
            passes = min(passes, 1 if full["endless_night"] else 0)
        least = 1 if passes == 0 else 0
        deck = [
            self.take(lambda card: True) for _ in range(max(least, rng.choice([0, 1, 1, 2, 3, 4, 6, 10])))
        ]
        rest = [card for card in self.cards if card != JOKER]
        cut = rng.choice([0, 1, 2, 3, len(rest), len(rest), rng.randint(0, len(rest))])
        return {
            "round": rng.randint(2, 5),
            "phase": "action" if action else "movement",
            "tower": tower,
            **lanes,
            "hand": hand,
            "advantages": advantages,
            "deck": deck,
            "discard": rest[:cut],
            "aside": rest[cut:] + [card for card in self.cards if card == JOKER],
            "borrowed": borrowed,
            "done": self.actions() if action else [],
            "traded": False,
            "passes": passes,
            "still": rng.choice([0, 1]),
            "changed": action and rng.random() < 0.6,
            "resume": "action",
            "winner": "none",
        }
