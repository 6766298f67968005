"""Keep the cells of the layout, the cards that lie on them, and the frontier around them."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.options import BOARD_RADIX, Ace, SameSuit
from bartizan.games.card_cassonne.state import (
    DIAGONAL,
    HIGHEST,
    LOWEST,
    NO_SUIT,
    OFF,
    OPEN,
    RING,
    ROW,
    VACANT,
    State,
)

ACE = 14

STEP = (1, -1, ROW, -ROW)  # what the four directions add to a cell: right, left, above, below


@rule
def suit_of(face: int) -> int:
    """Return a card's suit: clubs 0, diamonds 1, hearts 2, spades 3."""
    return face & 3


@rule
def rank_of(s: State, face: int) -> int:
    """Return a card's number, 2 to 14; a low Ace counts 1 (CC-Q3)."""
    rank = ACE - (face >> 2)
    return 1 if rank == ACE and s.options.ace == Ace.LOW else rank


@rule
def is_face_card(face: int) -> bool:
    """Return whether a card is a Jack, Queen, King or Ace (CC-32)."""
    return face >> 2 <= 3


# --- Cells --------------------------------------------------------------------


@rule
def cell_of(x: int, y: int) -> int:
    """Return the cell for x and y."""
    return x + ROW * y & RING - 1


@rule
def nearest(place: int, middle: int, period: int) -> int:
    """Return, of all numbers that differ from `place` by a multiple of `period`, the nearest to `middle`."""
    least = middle - period // 2
    return least + (place - least & period - 1)


@rule
def diagonal_of(s: State, cell: int) -> int:
    """Return x - y of a cell: that of its place nearest to the layout's middle."""
    return nearest(cell, s.min_x + s.max_x - s.min_y - s.max_y >> 1, DIAGONAL)


@rule
def y_of(s: State, cell: int) -> int:
    """Return the y of a cell."""
    diagonal = diagonal_of(s, cell)
    middle = (s.min_x + s.max_x + s.min_y + s.max_y >> 1) - diagonal >> 1
    return nearest((cell - diagonal) // DIAGONAL, middle, RING // DIAGONAL)


@rule
def x_of(s: State, cell: int) -> int:
    """Return the x of a cell."""
    return diagonal_of(s, cell) + y_of(s, cell)


@rule
def beside(cell: int, direction: int) -> int:
    """Return the cell next to another: 0 to the right, 1 to the left, 2 above, 3 below."""
    return cell + STEP[direction] & RING - 1


@rule
def card_at(s: State, cell: int) -> int:
    """Return the number of the card in a cell, or what VACANT, OPEN and OFF say."""
    return s.at[cell]


@rule
def is_empty(s: State, cell: int) -> bool:
    """Return whether a cell is on the table and holds no card."""
    return s.at[cell] == VACANT or s.at[cell] == OPEN


@rule
def clear_table(s: State) -> None:
    """Empty the table; around a bounded one lie cells that do not exist (CC-Q6)."""
    for cell in range(RING):
        s.at[cell] = VACANT
    width, height = s.options.board // BOARD_RADIX, s.options.board % BOARD_RADIX
    if width > 0:
        left, bottom = -((width - 1) // 2) - 1, -((height - 1) // 2) - 1
        for x in range(left, left + width + 2):
            s.at[cell_of(x, bottom)] = OFF
            s.at[cell_of(x, bottom + height + 1)] = OFF
        for y in range(bottom, bottom + height + 2):
            s.at[cell_of(left, y)] = OFF
            s.at[cell_of(left + width + 1, y)] = OFF


@rule
def is_on_table(s: State, x: int, y: int) -> bool:
    """Return whether the table has a cell x, y (CC-Q6)."""
    width, height = s.options.board // BOARD_RADIX, s.options.board % BOARD_RADIX
    if width == 0:
        return True
    left, bottom = -((width - 1) // 2), -((height - 1) // 2)
    return left <= x < left + width and bottom <= y < bottom + height


# --- The frontier --------------------------------------------------------------


@rule
def find_open(s: State, cell: int) -> int:
    """Return the place of an open cell in the frontier; of another cell, where it would stand."""
    low, high = 0, s.frontier
    while low < high:
        middle = low + high >> 1
        if s.cell[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


@rule
def open_cell(s: State, cell: int) -> None:
    """Put a vacant cell into the frontier."""
    s.at[cell] = OPEN
    place = find_open(s, cell)
    for above in range(s.frontier, place, -1):
        s.cell[above], s.low[above] = s.cell[above - 1], s.low[above - 1]
        s.high[above], s.suit[above] = s.high[above - 1], s.suit[above - 1]
    s.cell[place] = cell
    s.frontier += 1


@rule
def close_cell(s: State, cell: int) -> None:
    """Take an open cell out of the frontier."""
    place = find_open(s, cell)
    s.frontier -= 1
    for above in range(place, s.frontier):
        s.cell[above], s.low[above] = s.cell[above + 1], s.low[above + 1]
        s.high[above], s.suit[above] = s.high[above + 1], s.suit[above + 1]


@rule
def measure(s: State, cell: int) -> None:
    """Note which cards may go to an open cell, from the cards that they would touch (CC-13 to CC-15)."""
    touched, low, high, suit = 0, HIGHEST, LOWEST, NO_SUIT
    one_suit = True
    for direction in range(4):
        number = card_at(s, beside(cell, direction))
        if number >= 0:
            face = s.face[number]
            rank = rank_of(s, face)
            one_suit = one_suit and (touched == 0 or suit == suit_of(face))
            suit = suit_of(face)
            low, high = smaller(low, rank), larger(high, rank)
            touched += 1
    place = find_open(s, cell)
    if touched == 1 or (one_suit and s.options.same_suit == SameSuit.TOUCHED):
        low, high = LOWEST, HIGHEST
    s.low[place] = low
    s.high[place] = high
    s.suit[place] = suit if one_suit else NO_SUIT


@rule
def fits(rank: int, suit: int, low: int, high: int, wanted: int) -> bool:
    """Return whether a card goes to a cell of the frontier: by its number, or by its suit."""
    return low <= rank <= high or suit == wanted
