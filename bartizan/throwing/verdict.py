"""Judge a throw from its contacts and the poses at rest, and from nothing else.

Whoever has these can judge it again with another library of geometry.  Lengths are metres, areas mm².
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
from shapely import MultiPoint, Polygon, box
from shapely.affinity import rotate, translate

from bartizan.engine.layout import Landing, Piece, TableLayout
from bartizan.throwing.air import LENGTH, WIDTH
from bartizan.throwing.flight import TABLE, Flight, Pose

GRACE = 0.008  # s: a card may touch the table so long before its target and still be clean
LEAST_OVERLAP = 100.0  # mm² that a card must cover of what it lands on
LEAST_BENEATH = 10.0  # mm² under another card: where sides press, outlines overlap by a tenth of a millimetre
INDEX_WIDTH, INDEX_LENGTH, INDEX_MARGIN = 0.008, 0.012, 0.003  # the boxes in the corners of a card
COVERED = 0.6  # of a corner's box: its value can no longer be read
# What moved less was pressed into the table by its own weight, or brushed; no one at a table would notice.
MOVED, TURNED = 0.001, math.radians(1)

SQUARE_MM = 1e6


class ThrowVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a throw."""

    verdict: str  # "miss", "hit", "double", "perfect"
    reason: str  # of a miss: "air", "moving", "outside", "beneath", "table", "nothing", "edge"; "" of others
    landings: tuple[Landing, ...]  # what the card lies on: at most two, the larger overlap first
    beneath: str  # the piece that the card lies under, if any
    moved: tuple[str, ...]  # pieces that were not hit but have moved


def outline(pose: Pose) -> Polygon:
    """Return the outline of a card seen from above."""
    x, y, _, w, i, j, k = pose
    across = (1 - 2 * (j * j + k * k), 2 * (i * j + w * k))  # the card's width and length, laid on the table
    along = (2 * (i * j - w * k), 1 - 2 * (i * i + k * k))
    return Polygon(
        [
            (x + a * across[0] + b * along[0], y + a * across[1] + b * along[1])
            for a, b in (
                (WIDTH / 2, LENGTH / 2),
                (-WIDTH / 2, LENGTH / 2),
                (-WIDTH / 2, -LENGTH / 2),
                (WIDTH / 2, -LENGTH / 2),
            )
        ]
    )


def height_at(pose: Pose, x: float, y: float) -> float:
    """Return how high a card's middle plane is above a point of the table."""
    w, i, j, k = pose[3:]
    nx, ny, nz = 2 * (i * k + w * j), 2 * (j * k - w * i), 1 - 2 * (i * i + j * j)
    if abs(nz) < 1e-6:  # it stands on edge
        return pose[2]
    return pose[2] - (nx * (x - pose[0]) + ny * (y - pose[1])) / nz


def yaw_of(pose: Pose) -> float:
    """Return how far a lying card is turned."""
    return 2 * math.atan2(pose[6], pose[3])


def corner_boxes(pose: Pose) -> list[Polygon]:
    """Return the index boxes of a lying card: left and right at its front, left and right at its back."""
    out_x, out_y = WIDTH / 2 - INDEX_MARGIN, LENGTH / 2 - INDEX_MARGIN
    corners = ((-out_x, out_y), (out_x, out_y), (-out_x, -out_y), (out_x, -out_y))
    boxes = [
        MultiPoint([(x, y), (x - math.copysign(INDEX_WIDTH, x), y - math.copysign(INDEX_LENGTH, y))]).envelope
        for x, y in corners
    ]
    yaw = yaw_of(pose)
    return [translate(rotate(each, yaw, (0, 0), use_radians=True), pose[0], pose[1]) for each in boxes]


def judge(layout: TableLayout, side: int, flight: Flight, grace: float = GRACE) -> ThrowVerdict:
    """Judge a throw by a player on `side`.

    A throw is clean if it touches another side's card no later than `grace` seconds after the table or a card
    of its own side, which counts as the table.  A clean card lands on everything of which it covers 100 mm²,
    if it is at rest, inside the play area and beneath nothing.
    """
    theirs = {piece.name: piece for piece in layout.pieces if piece.side != side}
    t_table, t_card = contact_times(theirs, flight)
    own = outline(flight.card)
    above, beneath = _overlaps(layout, flight, own, theirs)
    landings = tuple(sorted(above, key=lambda each: -each.overlap)[:2])
    reason = ""
    if not flight.at_rest:
        reason = "moving"
    elif not area(layout).covers(own):
        reason = "outside"
    elif beneath:
        reason = "beneath"
    elif t_card is None:
        reason = "nothing"
    elif t_table is not None and t_card > t_table + grace:
        reason = "table"
    elif not landings:
        reason = "edge"
    if reason:
        return ThrowVerdict(
            verdict="miss", reason=reason, landings=(), beneath=beneath, moved=_moved(layout, flight, ())
        )
    names = tuple(landing.target for landing in landings)
    verdict = "double" if len(landings) == 2 else "perfect" if landings[0].perfect else "hit"
    return ThrowVerdict(
        verdict=verdict, reason="", landings=landings, beneath="", moved=_moved(layout, flight, names)
    )


def area(layout: TableLayout) -> Polygon:
    """Return the play area."""
    return box(-layout.width / 2, -layout.depth / 2, layout.width / 2, layout.depth / 2)


def contact_times(theirs: Mapping[str, Piece], flight: Flight) -> tuple[float | None, float | None]:
    """Return when the card first touched the table, or its own side's cards, and when one of `theirs`."""
    table = [t for name, t in flight.contacts.items() if name == TABLE or name not in theirs]
    cards = [t for name, t in flight.contacts.items() if name in theirs]
    return min(table, default=None), min(cards, default=None)


def _overlaps(
    layout: TableLayout, flight: Flight, own: Polygon, theirs: Mapping[str, Piece]
) -> tuple[list[Landing], str]:
    """Return what of `theirs` the card lies on far enough, and the name of any piece that it lies under."""
    above: list[Landing] = []
    beneath = ""
    for piece in layout.pieces:
        pose = flight.pieces[piece.name]
        if math.hypot(pose[0] - flight.card[0], pose[1] - flight.card[1]) > math.hypot(WIDTH, LENGTH):
            continue
        shared = own.intersection(outline(pose))
        size = shared.area * SQUARE_MM
        if size < LEAST_BENEATH:
            continue
        at = shared.centroid
        if height_at(flight.card, at.x, at.y) < height_at(pose, at.x, at.y):
            beneath = beneath or piece.name
        elif size >= LEAST_OVERLAP and piece.name in theirs:
            corners = tuple(round(own.intersection(c).area / c.area, 4) for c in corner_boxes(pose))
            points = tuple((round(x, 5), round(y, 5)) for x, y in shared.exterior.coords[:-1])
            perfect = not piece.fixed and min(corners) >= COVERED  # a castle, which has none to read, never
            above.append(
                Landing(
                    target=piece.name,
                    overlap=round(size, 1),
                    corners=corners,
                    outline=points,
                    perfect=perfect,
                )
            )
    return above, beneath


def _moved(layout: TableLayout, flight: Flight, hit: tuple[str, ...]) -> tuple[str, ...]:
    """Return the pieces that lie elsewhere, apart from those that were hit or are put back."""
    return tuple(
        piece.name
        for piece in layout.pieces
        if piece.name not in hit and not piece.fixed and _has_moved(piece, flight.pieces[piece.name])
    )


def _has_moved(piece: Piece, pose: Pose) -> bool:
    turn = (yaw_of(pose) - piece.spot.yaw + math.pi) % math.tau - math.pi
    return math.hypot(pose[0] - piece.spot.x, pose[1] - piece.spot.y) > MOVED or abs(turn) > TURNED
