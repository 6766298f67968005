"""Work out which moves touching things could mean."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.record import EMPTY
from bartizan.games.tower.state import ACTIONS, JOKER, SUITS, Phase, State
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import slot_id, tower_zone


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, most likely first."""
    if observation.phase == Phase.OVER:
        return []
    touched = _Touched(observation, items)
    return [*touched.with_card(), *touched.without_card()]


class _Touched:
    """Sort the touched things by kind."""

    def __init__(self, observation: State, items: Sequence[str]) -> None:
        tokens = Look(observation)
        seat = observation.to_move
        hand = observation.players[seat - 1].hand.listed()[::-1]
        self.observation, self.items, self.seat = observation, items, seat
        self.cards = [
            card for card, token in zip(hand, tokens.hands[seat - 1], strict=True) if token in items
        ]
        self.attacks = [number for number, token in enumerate(tokens.attacks) if token in items]
        self.levels = [
            (owner, level)
            for owner in range(1, observation.seats + 1)
            for level in range(SUITS)
            if tokens.levels[owner - 1][level] in items or slot_id(owner, level) in items
        ]
        zones = [owner for owner in range(1, observation.seats + 1) if tower_zone(owner) in items]
        self.towers = list(dict.fromkeys([owner for owner, _ in self.levels] + zones))
        self.discard = "discard" in items or any(token in items for token in tokens.discard)
        self.deck = any(item.split(":")[0] == "deck" for item in items)

    def with_card(self) -> list[int]:
        """Return what a hand card and another thing could mean."""
        actions: list[int] = []
        for card in self.cards[:1]:
            actions += [ACTIONS.encode("deflect", attack=number, card=card) for number in self.attacks]
            for owner, level in self.levels:
                if owner == self.seat:
                    actions += self._mend(card, level)
            for owner in self.towers:
                if owner != self.seat:
                    actions.append(ACTIONS.encode("attack", target=owner - 1, face=card))
            if self.discard or not actions:
                verb = "exchange" if self.observation.phase <= Phase.LAY else "discard"
                actions.append(ACTIONS.encode(verb, card=card))
        return actions

    def _mend(self, card: int, level: int) -> list[int]:
        face = JOKER + level if card == JOKER else card
        gone = self.observation.players[self.seat - 1].tower[level] == EMPTY
        return [ACTIONS.encode("rebuild" if gone else "repair", face=face)] if face % SUITS == level else []

    def without_card(self) -> list[int]:
        """Return what touching things other than hand cards could mean."""
        if self.cards:
            return []
        actions = [
            ACTIONS.encode("hit", attack=number, level=level)
            for number in self.attacks
            for owner, level in self.levels
            if owner == self.observation.attacks[number].target
        ]
        if self.deck:
            actions.append(ACTIONS.encode("draw"))
        if self.discard:
            actions.append(ACTIONS.encode("take"))
        if self.seat in self.towers and not self.attacks:
            actions.append(ACTIONS.encode("lay"))
        return actions
