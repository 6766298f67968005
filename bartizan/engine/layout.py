"""Say where things stand on a real table, for games in which something is thrown.

A game with throws has a module ``layout.py`` whose `table_layout` makes a `TableLayout` of an observation:
what stands where, and from where each seat throws.  Physics (``bartizan.throwing``) makes bodies of it, a
client draws it; neither knows the game.

Lengths are metres, angles radians.  The origin is the middle of the table, x points to the right of the
first seat, y away from it, z up.  A yaw turns anticlockwise seen from above; 0 is a card whose long side
lies along y.
"""

from __future__ import annotations

from bartizan.engine.schema import Schema


class Spot(Schema):
    """Say where a card lies flat on the table: its middle, and how far it is turned."""

    x: float
    y: float
    yaw: float = 0.0


class Piece(Schema):
    """Place one card that stands or lies on the table, and may be hit."""

    name: str  # "2.wall3", "2.castle"
    spot: Spot
    seat: int  # whose it is, from 1
    side: int  # that seat's side, from 1: who throws hits nothing of the own side
    item: str = ""  # its id in the scene
    fixed: bool = False  # put back after every throw, wherever it was pushed (a castle)


class Chair(Schema):
    """Say from where a seat throws: behind its own walls, towards the others."""

    seat: int
    side: int
    castle: Spot  # the middle of its castle; `yaw` is the direction in which it throws, 0 along y
    line: float  # how far before the castle's middle a card leaves the hand


class TableLayout(Schema):
    """Hold all that stands on the table, the chairs around it, and the play area."""

    pieces: tuple[Piece, ...]
    chairs: tuple[Chair, ...]
    width: float  # of the play area, along x
    depth: float  # along y


class Landing(Schema):
    """Tell of one piece under a card at rest how much of it is covered."""

    target: str
    overlap: float  # square millimetres
    corners: tuple[
        float, ...
    ]  # the covered share of each corner index: left and right front, left and right back
    outline: tuple[tuple[float, float], ...] = ()  # of the overlap, in metres on the table


class Flown(Schema):
    """Tell of one throw what a client needs to show it again.

    `frames` are little-endian int16 in base64, eight for each key frame: the time in milliseconds, x, y, z in
    tenths of a millimetre, the quaternion w, x, y, z times 32767.
    """

    card: str  # its face
    seat: int
    method: str
    release: dict[str, float]  # field -> figure
    verdict: str  # "miss", "hit", "double", "perfect"
    sentence: str  # what came of it: "First the table, 4 mm short of wall 3."
    frames: str
    contact_with: str = ""  # "table" or a piece's name: what it touched first
    contact_at: float = 0.0  # seconds after the release
    landings: tuple[Landing, ...] = ()
    moved: tuple[tuple[str, Spot], ...] = ()  # the pieces that it pushed, and where they lie now
