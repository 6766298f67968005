"""Draw a throw from above in plain text."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.layout import Flown, TableLayout
from bartizan.throwing import frames
from bartizan.throwing.flight import lying
from bartizan.throwing.verdict import outline

ACROSS, DOWN = 0.02, 0.04  # metres a sign: a sign is twice as high as wide
OWN, OTHER, PATH, FIRST, CARD = "o", "#", ".", "x", "@"


def picture(layout: TableLayout, flown: Flown) -> list[str]:
    """Return the lines of a picture: what lay there, what was pushed where, and the way of the card.

    ``o`` is your own side's cards, ``#`` the others', ``.`` the way, ``x`` the first contact, ``@`` the card
    at rest.
    """
    from shapely import Point

    side = _side(layout, flown)
    pushed = dict(flown.moved)
    spots = [pushed.get(piece.name, piece.spot) for piece in layout.pieces]
    shapes = [
        (OTHER if piece.side != side else OWN, outline(lying(spot.x, spot.y, 0.0, spot.yaw)))
        for piece, spot in zip(layout.pieces, spots, strict=True)
    ]
    way = frames.unpack(frames.from_text(flown.frames))
    columns, rows = round(layout.width / ACROSS), round(layout.depth / DOWN)
    grid = [[" "] * columns for _ in range(rows)]

    def put(x: float, y: float, sign: str) -> None:
        column, row = int((x + layout.width / 2) // ACROSS), int((layout.depth / 2 - y) // DOWN)
        if 0 <= column < columns and 0 <= row < rows:
            grid[row][column] = sign

    _, x, y, z, w, i, j, k = way[-1]
    shapes.append((CARD, outline((x, y, z, w, i, j, k))))
    for sign, shape in shapes:
        if sign == CARD:  # last: above its way, which is above what lies there
            for frame in way:
                put(frame[1], frame[2], PATH)
        for row in range(rows):
            for column in range(columns):
                middle_x = -layout.width / 2 + (column + 0.5) * ACROSS
                middle_y = layout.depth / 2 - (row + 0.5) * DOWN
                if shape.covers(Point(middle_x, middle_y)):
                    grid[row][column] = sign
    if flown.contact_with:
        touching = min(way, key=lambda frame: abs(frame[0] - 1000 * flown.contact_at))
        put(touching[1], touching[2], FIRST)
    lines = ["".join(row).rstrip() for row in grid]
    used = [number for number, line in enumerate(lines) if line]
    return lines[used[0] : used[-1] + 1] if used else []


def legend(layout: TableLayout, flown: Flown, lines: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return a line that says what the signs of a picture mean; `names` are the seats'."""
    side, seats = _side(layout, flown), [(chair.seat, chair.side) for chair in layout.chairs]

    def whose(own: bool) -> str:
        return " and ".join(names[seat - 1] for seat, its in seats if names and (its == side) == own)

    meant = {
        OWN: f"{whose(True) or 'own'} cards",
        OTHER: f"{whose(False) or 'opposing'} cards",
        PATH: "path",
        FIRST: "first contact",
        CARD: "thrown card",
    }
    return ", ".join(f"{sign} {meaning}" for sign, meaning in meant.items() if sign in "".join(lines))


def _side(layout: TableLayout, flown: Flown) -> int:
    return next(chair.side for chair in layout.chairs if chair.seat == flown.seat)
