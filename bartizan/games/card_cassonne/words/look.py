"""Analyse the table once, for all choices and numbers of a scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from bartizan.engine.cards import POKER
from bartizan.games.card_cassonne import areas, cells
from bartizan.games.card_cassonne.options import Count
from bartizan.games.card_cassonne.state import Seat, State
from bartizan.games.card_cassonne.words.names import cell_name, has_region, members, region_id

Forecast = tuple[dict[str, str], str]  # marks by id, and a note


@dataclass(frozen=True)
class Outlook:
    """What happens to the areas around a cell if a card of some suit is played there."""

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


class Look:
    """The ids of a position's cards and places, its areas, and the cards around each open cell.

    What the verbs and figures of a scene share is worked out once, and only what they ask for.
    """

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.forecasts: dict[tuple[int, int], Forecast] = {}  # by cell and suit (see forecast.py)

    # --- Who decides

    @property
    def seat(self) -> int:
        """The seat whose move it is."""
        return self.observation.to_move

    @property
    def player(self) -> Seat:
        """Its player."""
        return self.observation.players[self.seat - 1]

    @cached_property
    def hand(self) -> list[str]:
        """The ids of its cards."""
        return self.hand_ids(self.seat)

    # --- The layout

    @cached_property
    def areas(self) -> list[int]:
        """The names of all areas."""
        return [n for n in range(self.observation.laid) if self.observation.area[n] == n]

    @cached_property
    def members(self) -> dict[int, list[int]]:
        """The numbers of the cards of each area."""
        return {area: members(self.observation, area) for area in self.areas}

    @cached_property
    def number_at(self) -> dict[int, int]:
        """The number of the card in each taken cell."""
        return {areas.cell_of_card(self.observation, n): n for n in range(self.observation.laid)}

    @cached_property
    def places(self) -> dict[int, str]:
        """The place of each open cell."""
        observation = self.observation
        cells = (observation.cell[place] for place in range(observation.frontier))
        return {cell: cell_name(observation, cell) for cell in cells}

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the cards of the layout, by their numbers."""
        return self._ids_and_copies[0]

    @cached_property
    def _ids_and_copies(self) -> tuple[list[str], Counter[tuple[int, int]]]:
        return _card_ids(self.observation)

    @cached_property
    def touched(self) -> dict[int, list[int]]:
        """The numbers of the cards beside each open cell."""
        at = self.number_at
        return {cell: [at[near] for near in _around(cell) if near in at] for cell in self.places}

    @cached_property
    def _spaces(self) -> dict[int, set[int]]:
        """The open cells beside each area."""
        spaces: dict[int, set[int]] = {area: set() for area in self.areas}
        for cell, touched in self.touched.items():
            for number in touched:
                spaces[self.observation.area[number]].add(cell)
        return spaces

    @cached_property
    def _beside(self) -> dict[int, frozenset[int]]:
        """The empty cells beside each open cell."""
        return {
            cell: frozenset(near for near in _around(cell) if cells.is_empty(self.observation, near))
            for cell in self.places
        }

    def hand_ids(self, seat: int) -> list[str]:
        """Return an id for each card a seat holds; the card keeps it in the layout."""
        copies = self._ids_and_copies[1].copy()
        hand = self.observation.players[seat - 1].hand
        return [_card_id(hand.cards[slot], seat, copies) for slot in range(hand.count)]

    def area_id(self, area: int) -> str:
        """Return what to touch or mark for an area: its outline, or its only card."""
        return region_id(self.observation, area) if has_region(self.observation, area) else self.ids[area]

    def token_seats(self, area: int) -> tuple[int, ...]:
        """Return the seats of the tokens in an area, ascending, one entry for each token."""
        if not self.observation.tokens[area]:
            return ()
        return tuple(
            sorted(self.observation.token[n] for n in self.members[area] if self.observation.token[n])
        )

    def outlook(self, cell: int, suit: int) -> Outlook:
        """Return what a card of this suit would do to the areas around an open cell."""
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
    return tuple(cells.beside(cell, direction) for direction in range(4))


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
