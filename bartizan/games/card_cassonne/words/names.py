"""Name Card-cassonne's cards, places and areas for people, and for clients that draw them."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.games.card_cassonne import cells
from bartizan.games.card_cassonne.state import State

SEATS = ("Blue", "Orange", "Purple", "Teal")


def place_name(x: int, y: int) -> str:
    """Return a place in notation: ``-1,2``."""
    return f"{x},{y}"


def cell_name(view: State, cell: int) -> str:
    """Return the place of a cell of the ring."""
    y = cells.y_of(view, cell)
    return place_name(cells.diagonal_of(view, cell) + y, y)


def card_place(view: State, number: int) -> str:
    """Return the place of the card with this number."""
    return place_name(view.x[number], view.y[number])


def area_place(view: State, area: int) -> str:
    """Return the place that names an area (CC-16)."""
    return card_place(view, view.corner[area])


def area_name(view: State, area: int) -> str:
    """Return an area as people say it: ``the hearts at 0,0``, ``the seven of hearts at 0,0``."""
    face = view.face[area]
    what = POKER.names[face % 4] if view.size[area] > 1 else POKER.name(face)
    return f"the {what} at {area_place(view, area)}"


def seat_name(seat: int, eyes: int) -> str:
    """Return a seat's name, or ``you`` for the seat itself."""
    return "you" if seat == eyes else SEATS[seat - 1]


def last_card(view: State) -> str:
    """Return the card just played, as a phrase: ``the seven of hearts at 0,1``."""
    return f"the {POKER.name(view.face[view.last])} at {card_place(view, view.last)}"


def counted(number: int, what: str) -> str:
    """Return a number with a noun: ``1 card``, ``3 cards``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def members(view: State, area: int) -> list[int]:
    """Return the numbers of an area's cards."""
    areas = [area]
    while view.following[areas[-1]] != area:
        areas.append(view.following[areas[-1]])
    return areas


# --- Ids -----------------------------------------------------------------------


def has_region(view: State, area: int) -> bool:
    """Return whether an area has an outline; a single card without a token has none."""
    return view.size[area] > 1 or view.tokens[area] > 0


def region_id(view: State, area: int) -> str:
    """Return the id of an area's outline."""
    return f"area:{area_place(view, area)}"


def token_id(view: State, number: int) -> str:
    """Return the id of the token on a card."""
    return f"token:{card_place(view, number)}"
