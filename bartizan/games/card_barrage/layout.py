"""Say where Card Barrage's walls and castles stand, and from where each seat throws (CB-8, CB-9, CB-12).

Distances are measured from edge to edge: that is the only way in which 3" lie between a wall and its castle.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin, sqrt

from bartizan.engine.layout import Chair, Piece, Spot, Stack, TableLayout
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.options import INCHES
from bartizan.games.card_barrage.state import CASTLE, WALLS, State
from bartizan.games.card_barrage.words.look import Ids
from bartizan.games.card_barrage.words.names import place_name

# In metres.
CARD_WIDTH, CARD_LENGTH = 0.0635, 0.095
INCH = 0.0254
BEFORE_CASTLE = 3 * INCH  # between a castle and its walls
PITCH = CARD_WIDTH + CARD_LENGTH  # walls lie one card length apart
MARGIN = 0.25  # of table around all that lies on it
CORNER = 0.05  # kept free where the walls of three sides meet
# Piles lie left of the castle in its row, the outermost behind the first wall or where three have room.
STACKS, NEXT_STACK, THIRD_STACK = ("deck", "discard", "pile"), 0.07, 0.232
RELEASE = 0.02  # a card's middle is so far past its walls when the hand, behind their end, lets go (CB-27)

HALF_TURN, THIRD_OF_TURN = pi, 2 * pi / 3


def piece_name(seat: int, place: int) -> str:
    """Return how physics calls a place: ``2.wall3``, ``2.castle``."""
    return f"{seat + 1}.castle" if place == CASTLE else f"{seat + 1}.wall{place + 1}"


def table_layout(observation: State, spots: Mapping[str, Spot]) -> TableLayout:
    """Return where everything stands.

    `spots` gives the current places of pushed walls, by name; the rules know which of them
    have not been put back since (CB-32).
    """
    ids = Ids(observation)
    pieces: list[Piece] = []
    chairs: list[Chair] = []
    stacks: list[Stack] = []
    for seat in range(observation.castles):
        side = table.side_of(observation, seat) + 1
        own = _Ground(observation, seat)
        for slot in range(observation.slots):
            if not table.stands(observation, seat, slot):
                continue
            name = piece_name(seat, slot)
            is_moved = observation.moved >> seat * WALLS + slot & 1
            spot = spots.get(name) if is_moved else None
            pieces.append(
                Piece(
                    name=name,
                    spot=spot or own.wall(slot),
                    seat=seat + 1,
                    side=side,
                    item=ids.target(seat, slot),
                    label=place_name(observation, seat, slot),
                )
            )
        castle = own.castle()
        pieces.append(
            Piece(
                name=piece_name(seat, CASTLE),
                spot=Spot(x=castle.x, y=castle.y, yaw=castle.yaw + HALF_TURN / 2),
                seat=seat + 1,
                side=side,
                item=ids.target(seat, CASTLE),
                fixed=True,
                label=place_name(observation, seat, CASTLE),
            )
        )
        chairs.append(Chair(seat=seat + 1, side=side, castle=castle, line=own.line))
        # A side's first seat has its deck and discard (CB-10); who keeps what is scored is an option.
        has = (seat < observation.sides, seat < observation.sides, table.keeper(observation, seat) == seat)
        stacks += [
            Stack(zone=f"{kind}:{seat + 1}", spot=own.stack(place))
            for place, kind in enumerate(STACKS)
            if has[place]
        ]
    width, depth = (2 * max(abs(getattr(each.spot, axis)) for each in pieces) for axis in ("x", "y"))
    around = CARD_LENGTH + 2 * MARGIN
    return TableLayout(
        pieces=tuple(pieces),
        chairs=tuple(chairs),
        width=width + around,
        depth=depth + around,
        stacks=tuple(stacks),
    )


class _Ground:
    """The ground of one seat, which looks along y before it is turned to its place."""

    line = CARD_WIDTH / 2 + BEFORE_CASTLE + CARD_LENGTH + RELEASE  # from the castle's middle

    def __init__(self, observation: State, seat: int) -> None:
        sides, side = observation.sides, table.side_of(observation, seat)
        seats = [each for each in range(observation.castles) if table.side_of(observation, each) == side]
        widest = max(
            sum(table.side_of(observation, each) == other for each in range(observation.castles))
            for other in range(sides)
        )
        # Two sides face each other; three lie in a circle, in turn clockwise (CB-8).
        self._yaw = side * HALF_TURN if sides == 2 else -side * THIRD_OF_TURN
        self._slots = observation.slots
        self._front = INCHES[observation.options.battlefield] * INCH / 2
        if sides > 2:
            half = widest * self._slots * PITCH / 2
            self._front = max(self._front, (half + CORNER) / sqrt(3))
        # Who has the n-th seat of one side sits opposite the n-th of the other.
        across = -1 if side and sides == 2 else 1
        self._middle = across * (seats.index(seat) - (len(seats) - 1) / 2) * self._slots * PITCH

    def _place(self, x: float, y: float) -> Spot:
        """Return a point of this ground where it lies on the table."""
        c, s = cos(self._yaw), sin(self._yaw)
        return Spot(x=x * c - y * s, y=x * s + y * c, yaw=self._yaw)

    def wall(self, slot: int) -> Spot:
        """Return where a wall belongs: the first at the left of who sits there."""
        x = self._middle + (slot - (self._slots - 1) / 2) * PITCH
        return self._place(x, -self._front - CARD_LENGTH / 2)

    def castle(self) -> Spot:
        """Return the middle of the castle, and the direction in which its seat throws."""
        return self._place(self._middle, -self._front - CARD_LENGTH - BEFORE_CASTLE - CARD_WIDTH / 2)

    def stack(self, place: int) -> Spot:
        """Return where the pile of a number lies, the first the farthest to the left."""
        left = max(THIRD_STACK, (self._slots - 1) / 2 * PITCH) - place * NEXT_STACK
        castle = -self._front - CARD_LENGTH - BEFORE_CASTLE - CARD_WIDTH / 2
        return self._place(self._middle - left, castle)
