"""Look a whole table over once, for the choices and figures of a scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bartizan.engine.cards import POKER
from bartizan.games.card_cassonne.options import Count
from bartizan.games.card_cassonne.plain import areas, layout
from bartizan.games.card_cassonne.state import State
from bartizan.games.card_cassonne.words import card_place, cell_name, members


@dataclass(frozen=True)
class Outlook:
    """What becomes of the areas around a cell when a card of some suit is laid there."""

    joined: tuple[int, ...]  # areas that become one with the card
    completed: tuple[int, ...]  # other areas, which the card completes
    size: int  # of the card's area
    spaces: int
    tokens: tuple[int, ...]  # the seats of the tokens in it

    @property
    def is_complete(self) -> bool:
        """Whether the card's area is complete (CC-17)."""
        return self.spaces == 0

    @property
    def is_partial(self) -> bool:
        """Whether the card's area is partially complete (CC-18)."""
        return self.spaces <= self.size


class Survey:
    """The ids of one position's cards and places, its areas, and what lies around each open cell."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        numbers = range(observation.laid)
        self.areas = [number for number in numbers if observation.area[number] == number]
        self.members = {area: members(observation, area) for area in self.areas}
        self.number_at = {areas.cell_of_card(observation, number): number for number in numbers}
        self.open = [observation.cell[place] for place in range(observation.frontier)]
        self.touched = {cell: self._touched(cell) for cell in self.open}
        self.places = {cell: cell_name(observation, cell) for cell in self.open}
        self.ids, self._copies = _card_ids(observation)
        self._beside = {
            cell: frozenset(
                next_cell for next_cell in _around(cell) if layout.is_empty(observation, next_cell)
            )
            for cell in self.open
        }
        self._spaces: dict[int, set[int]] = {area: set() for area in self.areas}
        for cell, touched in self.touched.items():
            for number in touched:
                self._spaces[observation.area[number]].add(cell)

    def _touched(self, cell: int) -> list[int]:
        """Return the numbers of the cards beside a cell."""
        return [self.number_at[next_cell] for next_cell in _around(cell) if next_cell in self.number_at]

    def hand_ids(self, seat: int) -> list[str]:
        """Return an id for each card that a seat holds; it goes on as the card's id in the layout."""
        copies = self._copies.copy()
        hand = self.observation.players[seat - 1].hand
        return [_card_id(hand.cards[slot], seat, copies) for slot in range(hand.count)]

    def area_id(self, area: int) -> str:
        """Return what to touch or mark for an area: its region, or its only card."""
        return region_id(self.observation, area) if has_region(self.observation, area) else self.ids[area]

    def token_seats(self, area: int) -> tuple[int, ...]:
        """Return the seats of the tokens in an area, ascending, one entry for each token."""
        if not self.observation.tokens[area]:
            return ()
        return tuple(
            sorted(self.observation.token[n] for n in self.members[area] if self.observation.token[n])
        )

    def outlook(self, cell: int, suit: int) -> Outlook:
        """Return what a card of this suit would make of the areas around an open cell."""
        observation = self.observation
        touched = Counter(observation.area[number] for number in self.touched[cell])
        joined = tuple(area for area in touched if observation.face[area] % 4 == suit)
        if observation.options.count == Count.EDGES:
            taken = {area: observation.spaces[area] - sides for area, sides in touched.items()}
            spaces = sum(taken[area] for area in joined) + len(self._beside[cell])
        else:
            taken = {area: observation.spaces[area] - 1 for area in touched}
            around = self._beside[cell].union(*(self._spaces[area] for area in joined))
            spaces = len(around) - (1 if joined else 0)  # the cell itself is among them
        return Outlook(
            joined=joined,
            completed=tuple(area for area in touched if area not in joined and taken[area] == 0),
            size=1 + sum(observation.size[area] for area in joined),
            spaces=spaces,
            tokens=tuple(seat for area in joined for seat in self.token_seats(area)),
        )


def _around(cell: int) -> tuple[int, ...]:
    return tuple(layout.beside(cell, direction) for direction in range(4))


def has_region(observation: State, area: int) -> bool:
    """Say whether an area is outlined: not a single card without a token."""
    return observation.size[area] > 1 or observation.tokens[area] > 0


def region_id(observation: State, area: int) -> str:
    """Return the id of an area's outline."""
    return f"area:{card_place(observation, observation.corner[area])}"


def token_id(observation: State, number: int) -> str:
    """Return the id of the token on a card."""
    return f"token:{card_place(observation, number)}"


def _card_ids(observation: State) -> tuple[list[str], Counter[tuple[int, int]]]:
    """Return an id for each card of the layout, and how many of each face each seat has played.

    The id holds the face, the seat that played the card, and which of that seat's
    copies it is: so a card keeps its id on the way from the hand to the layout,
    and equal cards are told apart by nothing that is not public.
    """
    copies: Counter[tuple[int, int]] = Counter()
    return [
        _card_id(observation.face[n], observation.layer[n], copies) for n in range(observation.laid)
    ], copies


def _card_id(face: int, seat: int, copies: Counter[tuple[int, int]]) -> str:
    copies[face, seat] += 1
    return f"{POKER.text(face)}.{seat}.{copies[face, seat]}"
