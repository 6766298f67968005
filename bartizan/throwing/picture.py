"""Draw a throw from above in plain text."""

from __future__ import annotations

from bartizan.throwing import frames
from bartizan.throwing.throw import Throw
from bartizan.throwing.verdict import outline

ACROSS, DOWN = 0.02, 0.04  # metres a sign: a sign is twice as high as wide
OWN, OTHER, PATH, FIRST, CARD = "o", "#", ".", "x", "@"


def picture(thrown: Throw) -> list[str]:
    """Return the lines of a picture: pieces as they lie, the way of the card, where it touched first, the
    card.

    ``o`` is the own side's cards, ``#`` the others', ``.`` the way, ``x`` the first contact, ``@`` the card
    at rest.
    """
    from shapely import Point

    layout, flight = thrown.layout, thrown.flight
    side = next(chair.side for chair in layout.chairs if chair.seat == thrown.seat)
    shapes = [
        (OTHER if piece.side != side else OWN, outline(flight.pieces[piece.name])) for piece in layout.pieces
    ]
    way = frames.unpack(flight.frames)
    columns, rows = round(layout.width / ACROSS), round(layout.depth / DOWN)
    grid = [[" "] * columns for _ in range(rows)]

    def put(x: float, y: float, sign: str) -> None:
        column, row = int((x + layout.width / 2) // ACROSS), int((layout.depth / 2 - y) // DOWN)
        if 0 <= column < columns and 0 <= row < rows:
            grid[row][column] = sign

    shapes.append((CARD, outline(flight.card)))
    for sign, shape in shapes:
        if sign == CARD:  # last: above its way, which is above what lies there
            for frame in way:
                put(frame[1], frame[2], PATH)
        for row in range(rows):
            for column in range(columns):
                x = -layout.width / 2 + (column + 0.5) * ACROSS
                y = layout.depth / 2 - (row + 0.5) * DOWN
                if shape.covers(Point(x, y)):
                    grid[row][column] = sign
    first = flight.first_contact
    if first is not None:
        touching = min(way, key=lambda frame: abs(frame[0] - 1000 * first[1]))
        put(touching[1], touching[2], FIRST)
    lines = ["".join(row).rstrip() for row in grid]
    used = [number for number, line in enumerate(lines) if line]
    return lines[used[0] : used[-1] + 1] if used else []
