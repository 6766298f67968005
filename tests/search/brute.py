"""Find out by trying everything whether a match can be won: plain, slow, through `Match` alone.

Nothing here is shared with the solver: no order of moves, no table but one of whole states, and the orders
in which cards can be paid come from the moves' texts.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

from bartizan.match import Match

SUITS = {"c": 0, "d": 1, "h": 2, "s": 3}


class Brute:
    """One search; `lost` holds the states, with their plies, from which nothing wins."""

    def __init__(self, match: Match, most: int, *, orders: bool = True) -> None:
        self.match = match
        self.most = most
        self.orders = orders
        self.lost: set[tuple[int, bytes]] = set()

    def wins(self) -> bool | None:
        """Say whether the match can be won from where it stands; None if there are too many states."""
        match = self.match
        if match.is_over:
            return match.returns()[0] > 0
        state = (match.ply, match.game_state().to_bytes())
        if state in self.lost:
            return False
        if len(self.lost) > self.most:
            return None
        for move in self.moves():
            match.play(move)
            won = self.wins()
            match.undo()
            if won is not False:
                return won
        self.lost.add(state)
        return False

    def moves(self) -> list[str]:
        """Return every legal move, paid for in every order."""
        found = []
        for text in self.match.legal_texts():
            words, _, cards = text.partition(" with ")
            if cards and self.orders:
                found += [
                    f"{words} with {' '.join(order)}" for order in itertools.permutations(cards.split())
                ]
            else:
                found.append(text)
        return found


def tiny(number: int, *, jokers: bool = False) -> dict[str, Any]:
    """Return a small position of Alcazar: few cards in deck and hand, and a tower that does not last."""
    dice = random.Random(number)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    dice.shuffle(cards)
    take = iter(cards)

    def some(count: int) -> list[str]:
        return [next(take) for _ in range(count)]

    position: dict[str, Any] = {
        army: [next(take), dice.choice(["", "~"]) + next(take)] for army in ("right", "left", "top")
    }
    position["tower"] = [next(take), *("~" + card for card in some(dice.randrange(2)))]
    hand = some(dice.randrange(1, 4))
    position["hand"] = sorted(hand, key=lambda card: (-"23456789TJQKA".index(card[0]), SUITS[card[1]]))
    position["deck"] = some(dice.randrange(3, 7))
    if jokers:
        position["deck"][dice.randrange(3)] = "*"
    position["discard"] = some(dice.randrange(3))
    return {**position, "rest": "aside", "phase": "action"}
