"""Work out which moves touching things could mean."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.record import EMPTY
from bartizan.games.card_barrage import table, verdicts
from bartizan.games.card_barrage.state import ACTIONS, CASTLE, KINDS, PLACES, UNTOLD, WALLS, Phase, State
from bartizan.games.card_barrage.words.look import Ids, naming
from bartizan.games.card_barrage.words.names import spot

Place = tuple[int, int]  # a seat, and its wall or castle


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, most likely first."""
    touched = _Touched(observation, items)
    return touched.with_card() or touched.without_card()


class _Touched:
    """Sort the touched things by kind."""

    def __init__(self, observation: State, items: Sequence[str]) -> None:
        ids = Ids(observation)
        self.observation, self.seat = observation, observation.to_move
        self.untold = table.is_untold(observation)
        self.cards = self._cards(items, ids)
        places = [
            (seat, place)
            for seat in range(observation.castles)
            for place in [*range(observation.slots), CASTLE]
            if ids.target(seat, place) in items or spot(seat, place) in items
        ]
        side = table.side_of(observation, self.seat)
        self.foes = [each for each in places if table.side_of(observation, each[0]) != side]
        self.slots = [place for seat, place in places if seat == self.seat and place != CASTLE]
        if self.untold and not self.slots:
            self.slots = [slot for slot in range(observation.slots) if self._awaits_card(slot)]

    def _cards(self, items: Sequence[str], ids: Ids) -> list[int]:
        """Return the touched cards; a real card may be only partly named."""
        if self.untold:
            fits = [sum(name in items for name in naming(card)) for card in range(KINDS)]
            return [card for card in range(KINDS) if 0 < fits[card] == max(fits)]
        hand = self.observation.hand[self.seat]
        return [
            hand.cards[index]
            for index, token in enumerate(ids.hands[self.seat])
            if token in items and 0 <= hand.cards[index] < KINDS
        ]

    def _awaits_card(self, slot: int) -> bool:
        """Return whether a real card must be named for a slot of the deciding seat."""
        if self.observation.phase == Phase.WALLS:
            return slot == table.count_walls(self.observation, self.seat)
        is_open = self.observation.open[self.seat * WALLS + slot] != EMPTY
        return self.observation.phase == Phase.REPLACE and is_open

    def with_card(self) -> list[int]:
        """Return what a hand card and the other touched things could mean."""
        actions: list[int] = []
        for card in self.cards[:1]:
            if self.observation.phase == Phase.GIVE:
                actions.append(ACTIONS.encode("give", card=card))
            elif self.observation.phase == Phase.DISCARD:
                actions.append(ACTIONS.encode("discard", card=card))
            actions += [self._on_own(card, slot) for slot in self.slots[:1]]
            if self.foes and not self.untold:
                actions.append(self._report(card))
        return actions

    def _on_own(self, card: int, slot: int) -> int:
        """Return what a hand card and an own slot could mean."""
        if self.observation.phase == Phase.REPLACE:
            return ACTIONS.encode("replace", slot=slot, card=card)
        if table.stands(self.observation, self.seat, slot) and self.observation.phase == Phase.TURN:
            return ACTIONS.encode("upgrade", slot=slot, card=card, leave=0)
        return ACTIONS.encode("build", card=card, slot=slot)

    def _report(self, card: int) -> int:
        """Return the report that the first of the enemy's places was hit, or the first two of one seat."""
        (seat, place), *others = self.foes
        target = seat * PLACES + place
        if others and others[0][0] == seat:
            verdict = verdicts.verdict_on_two(target, others[0][1])
        else:
            verdict = verdicts.verdict_on(target, False)
        return ACTIONS.encode("report", card=card, verdict=verdict)

    def without_card(self) -> list[int]:
        """Return what touching only places could mean: an attack with the first hand card, legal or not."""
        hand = self.observation.hand[self.seat]
        card = hand.cards[0] if hand.count else 0
        known = 0 <= card < KINDS or card == UNTOLD
        return [self._report(card)] if self.foes and known else []
