"""Define Card-cassonne's state and number its actions.

Faces are ids in the order in which hands are written: Ac 0, Ad 1, … 2s 51; two cards share each face
and nothing tells them apart.  A card on the table is known by its *number*: 0 is the starter, the
others follow in the order of play.

The table has no edge, but finitely many *cells*: the place x, y is cell x + 127 y modulo 8192.  Two
places share a cell only if they are 128 steps apart or more, and 64 at least in one direction.  The
layout has 104 cards that hang together and spans 103 steps at most, a bounded table 63 each way: so no
two places that matter ever share a cell, and the layout gives every cell near it its x and y back.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import I8, I16, I64, U64, Cells, Pile, Record, cells, chosen, field, pile, records
from bartizan.games.card_cassonne.options import CARDS, HAND, Options

FACES = 52
SEATS = 4
DIAGONAL = 128  # cells alike modulo this lie on one diagonal: their x - y are alike too
ROW = DIAGONAL - 1  # the cell above another is so many farther on
RING = DIAGONAL * 64  # cells in all; a power of two
FRONTIER = 2 * CARDS + 4  # room: n cards touch at most 2n + 2 vacant cells

# What the ring holds where no card lies.
VACANT = -1
OPEN = -2  # vacant, on the table, and beside a card: it stands in the frontier
OFF = -3  # beyond the edge of a bounded table

LOWEST, HIGHEST = 0, 15  # bounds that every number keeps
NO_SUIT = -1


class Phase(IntEnum):
    """The phases: what the table is waiting for."""

    PLAY = 0
    TOKEN = 1
    SCORE = 2
    OVER = 3


class Seat(Record):
    """What one player has."""

    hand: Pile = pile(HAND)  # ascending faces
    score: int = field(I16)
    supply: int = field(I8)  # tokens not on the board
    # What the points were given for; the rest of `score` was there when the position was loaded.
    from_areas: int = field(I16)
    from_completing: int = field(I16)
    # Public knowledge on a bounded table: a seat that was skipped holds nothing that fitted.  For each
    # hand card, the one held longest first, a bit for every face that it cannot have.
    barred: Cells = cells(I64, HAND)


class State(Record):
    """One table of Card-cassonne."""

    rng: int = field(U64)  # the random stream
    options: Options = chosen(Options)
    seats: int = field(I8)
    first: int = field(I8)  # the seat that began
    to_move: int = field(I8)  # 0 when the game is over
    phase: int = field(I8)  # a Phase
    last: int = field(I8)  # the number of the card just played
    laid: int = field(I8)  # cards on the table
    min_x: int = field(I8)  # how far they reach
    max_x: int = field(I8)
    min_y: int = field(I8)
    max_y: int = field(I8)
    players: Sequence[Seat] = records(Seat, SEATS)
    deck: Pile = pile(CARDS)  # face down
    aside: Pile = pile(CARDS)  # removed unseen (CC-5)
    # By number of the card:
    face: Cells = cells(I8, CARDS)
    x: Cells = cells(I8, CARDS)
    y: Cells = cells(I8, CARDS)
    layer: Cells = cells(I8, CARDS)  # the seat that played it; 0: it was there
    token: Cells = cells(I8, CARDS)  # the seat whose token lies on it; 0: none
    closing: Cells = cells(I8, CARDS)  # the seat whose token scored there after the last turn; 0: none
    area: Cells = cells(I8, CARDS)  # the area it belongs to, named by the number of one of its cards
    following: Cells = cells(I8, CARDS)  # the next card of the area; the last one's is the first
    # By name of the area:
    size: Cells = cells(I8, CARDS)  # how many cards
    spaces: Cells = cells(I16, CARDS)  # empty cells or open edges (CC-Q9)
    tokens: Cells = cells(I8, CARDS)  # how many lie on it
    scored: Cells = cells(I8, CARDS)  # its size when last scored (CC-Q21)
    corner: Cells = cells(I8, CARDS)  # its card with the least x, then the least y: by it people name it
    # The cells where a card can touch another, ascending, and which cards go there (CC-13 to CC-15):
    # those with a number from `low` to `high`, and those of the suit `suit`.
    frontier: int = field(I16)  # how many
    cell: Cells = cells(I16, FRONTIER)
    low: Cells = cells(I8, FRONTIER)
    high: Cells = cells(I8, FRONTIER)
    suit: Cells = cells(I8, FRONTIER)
    at: Cells = cells(I8, RING)  # the number of the card there, or VACANT, OPEN, OFF


# Hand cards are named by their slot, places by their cell; an area by the cell of its corner.
ACTIONS = ActionSpace(
    block("play", slot=HAND, cell=RING),
    block("token"),
    block("decline"),  # the token
    block("score", cell=RING),
    block("done"),
)
MAX_LEGAL = HAND * FRONTIER + 1  # room for every list of legal actions

PLAY, TOKEN, DECLINE, SCORE, DONE = ACTIONS.blocks
