"""Show the verbs the table: every face-up card has its own id, and each choice names what to touch."""

from __future__ import annotations

from typing import Any

from bartizan.engine.record import EMPTY
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import CASTLE, DOMAINS, UNTOLD, WALLS, Phase, State
from bartizan.games.card_barrage.words.names import HIDDEN, keepers, spot


def naming(card: int) -> tuple[str, str]:
    """Return the ids to touch to name a real card: its value and its domain."""
    return f"value:{table.value(card)}", f"domain:{TECH.domains[card % DOMAINS]}"


class Ids:
    """Name every face-up card of a table by its kind, with a number if there are several."""

    def __init__(self, observation: State) -> None:
        self._used: dict[int, int] = {}
        seats = range(observation.castles)
        self.walls = {
            (seat, slot): self._next(observation.wall[seat * WALLS + slot])
            for seat in seats
            for slot in range(observation.slots)
            if observation.wall[seat * WALLS + slot] != EMPTY
        }
        self.hands = [
            [
                self._hand_id(seat, index, observation.hand[seat].cards[index])
                for index in range(observation.hand[seat].count)
            ]
            for seat in seats
        ]
        self.piles = {
            keeper: [
                (card, self._next(card))
                for card in range(TECH.plain)
                for _ in range(observation.score[keeper].cards[card])
            ]
            for keeper in keepers(observation)
        }
        self.discards = [
            [(card, self._next(card)) for card in observation.discard[side].listed() if card != UNTOLD]
            for side in range(observation.sides)
        ]

    def _next(self, card: int) -> str:
        number = self._used[card] = self._used.get(card, 0) + 1
        return TECH.text(card) if number == 1 else f"{TECH.text(card)}~{number}"

    def _hand_id(self, seat: int, index: int, card: int) -> str:
        return f"hand{seat + 1}:{index}" if card in HIDDEN else self._next(card)

    def target(self, seat: int, place: int) -> str:
        """Return the id of a wall or a castle, or of the slot if it is empty."""
        return spot(seat, place) if place == CASTLE else self.walls.get((seat, place), spot(seat, place))

    def held(self, observation: State, seat: int, card: int) -> list[str]:
        """Return the ids of a seat's hand cards of one kind; none for real cards."""
        return [
            each for index, each in enumerate(self.hands[seat]) if observation.hand[seat].cards[index] == card
        ]


class Look:
    """The deciding seat's observation, with what several choices share computed once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.ids = Ids(observation)
        self.seat = observation.to_move
        self.untold = table.is_untold(observation)
        self._held: dict[int, list[str]] = {}

    def held(self, card: int) -> list[str]:
        """Return the ids of the deciding seat's hand cards of one kind."""
        if card not in self._held:
            self._held[card] = self.ids.held(self.observation, self.seat, card)
        return self._held[card]

    def wall(self, slot: int) -> str:
        """Return the id of one of the seat's walls, or of its slot if it is empty."""
        return self.ids.target(self.seat, slot)

    def standing(self, slot: int) -> int:
        """Return the card of one of the seat's walls."""
        return self.observation.wall[self.seat * WALLS + slot]

    def fallen(self, slot: int) -> int:
        """Return the destroyed wall to replace in one of the seat's slots, or EMPTY."""
        return self.observation.open[self.seat * WALLS + slot]

    def with_card(self, card: int, *others: str) -> dict[str, Any]:
        """Return what to touch for a choice with a hand card; any card of the same kind will do.

        A real card that is laid or given is named by its value and its domain; one that is thrown is not.
        """
        if self.untold:
            return {"items": others if card == UNTOLD else (*naming(card), *others)}
        first, *further = self.held(card)
        instead = {"instead": {first: tuple(further)}} if further else {}
        return {"items": (first, *others), **instead}

    def on_site(self, card: int, slot: int) -> dict[str, Any]:
        """Return what to touch to put a card in one of the seat's slots.

        The slot goes without saying, if only one is asked for and there is no card to drop on it.
        """
        place = spot(self.seat, slot)
        marks = {"marks": {place: "new wall"}}
        if self.untold and self._is_one_slot_asked_for():
            return {**self.with_card(card), **marks}
        return {**self.with_card(card, place), "target": place, **marks}

    def _is_one_slot_asked_for(self) -> bool:
        if self.observation.phase == Phase.WALLS:
            return True
        return sum(self.fallen(slot) != EMPTY for slot in range(self.observation.slots)) == 1
