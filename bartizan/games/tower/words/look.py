"""Show the verbs the table: every visible card has its own id."""

from __future__ import annotations

from typing import Any

from bartizan.engine.record import EMPTY
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import SUITS, State
from bartizan.games.tower.visibility import UNSEEN
from bartizan.games.tower.words.names import card_of, slot_id


class Look:
    """Give every visible card on the table its own id; later copies of a card are numbered."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.seat = observation.to_move
        self._met: dict[int, int] = {}
        players = observation.players[: observation.seats]
        self.hands = [[self._next(card) for card in player.hand.listed()[::-1]] for player in players]
        self.levels = [[self._next(player.tower[level]) for level in range(SUITS)] for player in players]
        self.attacks = [
            self._next(card_of(observation.attacks[number].face)) for number in range(observation.flying)
        ]
        self.spent = [self._next(card) for card in observation.spent.listed()]
        self.discard = [self._next(card) for card in observation.discard.listed()[::-1]][::-1]

    def _next(self, card: int) -> str:
        """Return the id of the next copy of a card; ``""`` if it is missing or unknown."""
        if card in (EMPTY, UNSEEN):
            return ""
        self._met[card] = self._met.get(card, 0) + 1
        number = self._met[card]
        return JANKEN.text(card) if number == 1 else f"{JANKEN.text(card)}:{number}"

    def held(self, face: int) -> list[str]:
        """Return the ids of all equal cards in the hand of the seat to move."""
        hand = self.observation.players[self.seat - 1].hand.listed()[::-1]
        tokens = self.hands[self.seat - 1]
        return [token for card, token in zip(hand, tokens, strict=True) if card == card_of(face)]

    def card(self, face: int) -> str:
        """Return the id of a card in the hand of the seat to move, ``""`` if it isn't there."""
        return next(iter(self.held(face)), "")

    def level(self, seat: int, level: int) -> str:
        """Return the id of a level, or of its place if it is destroyed."""
        return self.levels[seat - 1][level] or slot_id(seat, level)

    def own_level(self, level: int) -> str:
        """Return the id of the seat to move's own level."""
        return self.level(self.seat, level)

    def alike(self, number: int) -> tuple[str, ...]:
        """Return the ids of later attacks equal to one in flight."""
        attacks = self.observation.attacks
        later = range(number + 1, self.observation.flying)
        return tuple(self.attacks[other] for other in later if attacks[other] == attacks[number])

    def touching(self, face: int, *target: str) -> dict[str, Any]:
        """Return what all choices with a hand card share: any equal card can take its place."""
        first, *others = self.held(face)
        parts: dict[str, Any] = {"items": (first, *target), "target": target[-1] if target else ""}
        return parts | {"instead": {first: tuple(others)} if others else {}}
