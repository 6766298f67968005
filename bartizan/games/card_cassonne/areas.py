"""Keep the areas: how cards of one suit grow together, and what each area counts (CC-16 to CC-18)."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.cells import (
    beside,
    card_at,
    cell_of,
    close_cell,
    is_empty,
    measure,
    open_cell,
    suit_of,
    x_of,
    y_of,
)
from bartizan.games.card_cassonne.options import Count
from bartizan.games.card_cassonne.state import OPEN, VACANT, State

NO_AREA = -1


@rule
def area_at(s: State, cell: int) -> int:
    """Return the area of the card in a cell, or NO_AREA."""
    number = card_at(s, cell)
    return s.area[number] if number >= 0 else NO_AREA


@rule
def area_beside(s: State, cell: int, direction: int) -> int:
    """Return the area next to a cell, or NO_AREA where there is none or an earlier direction has it too."""
    area = area_at(s, beside(cell, direction))
    for earlier in range(direction):
        if area_at(s, beside(cell, earlier)) == area:
            return NO_AREA
    return area


@rule
def cell_of_card(s: State, number: int) -> int:
    """Return the cell in which a card lies."""
    return cell_of(s.x[number], s.y[number])


@rule
def area_touches(s: State, area: int, cell: int) -> bool:
    """Return whether a cell borders a card of an area."""
    across = area_at(s, beside(cell, 0)) == area or area_at(s, beside(cell, 1)) == area
    return across or area_at(s, beside(cell, 2)) == area or area_at(s, beside(cell, 3)) == area


@rule
def is_complete(s: State, area: int) -> bool:
    """Return whether every cell beside an area is filled (CC-17)."""
    return s.spaces[area] == 0


@rule
def is_partially_complete(s: State, area: int) -> bool:
    """Return whether an area has no more empty spaces than cards (CC-18)."""
    return s.spaces[area] <= s.size[area]


@rule
def worth_of(size: int) -> int:
    """Return what one token scores on an area of so many cards (CC-27)."""
    return size if size <= 2 else 2 * size


@rule
def balance(s: State, area: int) -> int:
    """Return how many more tokens the mover has in an area than all the others."""
    if s.tokens[area] == 0:
        return 0
    own = 0
    card = area
    for _ in range(s.size[area]):
        if s.token[card] == s.to_move:
            own += 1
        card = s.following[card]
    return 2 * own - s.tokens[area]


@rule
def edges_beside(s: State, area: int, cell: int) -> int:
    """Count the sides of a cell on which an area lies."""
    edges = 0
    for direction in range(4):
        if area_at(s, beside(cell, direction)) == area:
            edges += 1
    return edges


@rule
def spaces_filled(s: State, area: int, cell: int) -> int:
    """Return how many of an area's empty spaces a card in the cell beside it fills (CC-Q9)."""
    return edges_beside(s, area, cell) if s.options.count == Count.EDGES else 1


@rule
def joins(s: State, suit: int, area: int) -> bool:
    """Return whether a card of a suit beside an area becomes part of it (CC-16)."""
    return area != NO_AREA and suit_of(s.face[area]) == suit


@rule
def spaces_made(s: State, suit: int, cell: int) -> int:
    """Return how many empty spaces the area has that a card of a suit makes in an empty cell."""
    spaces, joined = 0, 0
    for direction in range(4):
        if is_empty(s, beside(cell, direction)):
            spaces += 1
        if joins(s, suit, area_beside(s, cell, direction)):
            joined += 1
    if joined == 0:
        return spaces
    if s.options.count == Count.EDGES:
        for direction in range(4):
            area = area_beside(s, cell, direction)
            if joins(s, suit, area):
                spaces += s.spaces[area] - edges_beside(s, area, cell)
        return spaces
    for place in range(s.frontier):
        if s.cell[place] != cell and is_gained(s, suit, cell, s.cell[place]):
            spaces += 1
    return spaces


@rule
def is_gained(s: State, suit: int, cell: int, other: int) -> bool:
    """Return whether an empty cell borders an area that a card of a suit would join, but not the card."""
    gained = False
    for direction in range(4):
        if beside(cell, direction) == other:
            return False
        area = area_beside(s, cell, direction)
        if joins(s, suit, area) and area_touches(s, area, other):
            gained = True
    return gained


# --- Laying a card --------------------------------------------------------------


@rule
def lay(s: State, face: int, cell: int, layer: int) -> None:
    """Lay a card into an empty cell and bring frontier and areas up to date."""
    number = s.laid
    x, y = x_of(s, cell), y_of(s, cell)
    if s.at[cell] == OPEN:
        close_cell(s, cell)
    s.laid += 1
    s.face[number], s.x[number], s.y[number] = face, x, y
    s.layer[number], s.token[number], s.closing[number] = layer, 0, 0
    s.min_x, s.max_x = smaller(s.min_x, x), larger(s.max_x, x)
    s.min_y, s.max_y = smaller(s.min_y, y), larger(s.max_y, y)
    fill_space(s, cell)
    s.at[cell] = number
    found_area(s, number)
    for direction in range(4):
        next_cell = beside(cell, direction)
        if s.at[next_cell] == VACANT:
            open_cell(s, next_cell)
        if s.at[next_cell] == OPEN:
            measure(s, next_cell)
    join_areas(s, number, cell)


@rule
def fill_space(s: State, cell: int) -> None:
    """Take a cell that is being filled from the empty spaces of the areas beside it (CC-Q9)."""
    for direction in range(4):
        if s.options.count == Count.EDGES:
            area = area_at(s, beside(cell, direction))
        else:
            area = area_beside(s, cell, direction)
        if area != NO_AREA:
            s.spaces[area] -= 1


@rule
def found_area(s: State, number: int) -> None:
    """Make a card an area of its own (CC-16)."""
    s.area[number] = s.following[number] = s.corner[number] = number
    s.size[number] = 1
    s.tokens[number] = s.scored[number] = 0
    cell = cell_of_card(s, number)
    spaces = 0
    for direction in range(4):
        if is_empty(s, beside(cell, direction)):
            spaces += 1
    s.spaces[number] = spaces


@rule
def join_areas(s: State, number: int, cell: int) -> None:
    """Join the new card with the areas of its suit that it touches (CC-16, CC-21)."""
    suit = suit_of(s.face[number])
    for direction in range(4):
        area = area_at(s, beside(cell, direction))
        if area != s.area[number] and joins(s, suit, area):
            shared = 0
            if s.options.count == Count.CELLS:
                if s.size[s.area[number]] == 1:
                    shared = shared_beside(s, area, cell)
                else:
                    shared = shared_spaces(s, area, s.area[number])
            unite(s, area, s.area[number], shared)


@rule
def shared_beside(s: State, area: int, cell: int) -> int:
    """Count the empty cells beside a cell that an area borders too."""
    shared = 0
    for direction in range(4):
        next_cell = beside(cell, direction)
        if is_empty(s, next_cell) and area_touches(s, area, next_cell):
            shared += 1
    return shared


@rule
def shared_spaces(s: State, one: int, other: int) -> int:
    """Count the empty cells that two areas border both."""
    shared = 0
    for place in range(s.frontier):
        if area_touches(s, one, s.cell[place]) and area_touches(s, other, s.cell[place]):
            shared += 1
    return shared


@rule
def unite(s: State, one: int, other: int, shared: int) -> None:
    """Make two areas one, named like the larger; `shared` are the empty cells that both counted."""
    if s.size[one] < s.size[other]:
        one, other = other, one
    card = other
    for _ in range(s.size[other]):
        s.area[card] = one
        card = s.following[card]
    s.following[one], s.following[other] = s.following[other], s.following[one]
    s.size[one] += s.size[other]
    s.spaces[one] += s.spaces[other] - shared
    s.tokens[one] += s.tokens[other]
    s.scored[one] = larger(s.scored[one], s.scored[other])  # CC-Q21
    if is_before(s, s.corner[other], s.corner[one]):
        s.corner[one] = s.corner[other]


@rule
def is_before(s: State, one: int, other: int) -> bool:
    """Return whether a card has the smaller x than another, or the same x and the smaller y."""
    if s.x[one] != s.x[other]:
        return s.x[one] < s.x[other]
    return s.y[one] < s.y[other]
