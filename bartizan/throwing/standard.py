"""Lay out a duel as its author plays it, for measuring and practising without a game.

Two seats face each other, five walls and a castle each.  Lengths as the rules give them, edge to edge: walls
one card length apart, the two rows of walls 12 inches, a castle 3 inches behind its walls.
"""

from __future__ import annotations

import math

from bartizan.engine.layout import Chair, Piece, Spot, TableLayout
from bartizan.throwing.air import LENGTH, WIDTH

INCH = 0.0254
BATTLEFIELD, BEHIND = 12 * INCH, 3 * INCH
PITCH = WIDTH + LENGTH  # from wall to wall, middle to middle
ROW = BATTLEFIELD / 2 + LENGTH / 2  # of walls, from the middle of the table
CASTLE = BATTLEFIELD / 2 + LENGTH + BEHIND + WIDTH / 2
LINE = CASTLE - BATTLEFIELD / 2 + 0.02  # the card's middle is just past the walls, the hand is not (CB-27)
SIDE = 1.4  # metres: the play area


def standard_layout(walls: int = 5, battlefield: float = BATTLEFIELD) -> TableLayout:
    """Return the table of a duel with so many walls a seat (0 to 5), their rows so many metres apart."""
    further = (battlefield - BATTLEFIELD) / 2
    pieces: list[Piece] = []
    chairs: list[Chair] = []
    for seat, yaw in ((1, 0.0), (2, math.pi)):
        right, ahead = math.cos(yaw), math.cos(yaw)  # along x and along y
        for wall in range(1, walls + 1):
            spot = Spot(x=right * PITCH * (wall - 3), y=-ahead * (ROW + further), yaw=yaw)
            pieces.append(
                Piece(name=f"{seat}.wall{wall}", spot=spot, seat=seat, side=seat, label=f"wall {wall}")
            )
        castle = Spot(x=0.0, y=-ahead * (CASTLE + further), yaw=yaw)
        spot = Spot(x=castle.x, y=castle.y, yaw=yaw + math.pi / 2)
        pieces.append(
            Piece(name=f"{seat}.castle", spot=spot, seat=seat, side=seat, fixed=True, label="the castle")
        )
        chairs.append(Chair(seat=seat, side=seat, castle=castle, line=LINE))
    return TableLayout(
        pieces=tuple(pieces), chairs=tuple(chairs), width=SIDE, depth=SIDE + 2 * max(0.0, further)
    )
