"""Verdicts: from contacts and poses that are made up, and again from the JSON of throws, without shapely."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from bartizan.engine.layout import Chair, Piece, Spot, TableLayout
from bartizan.throwing.air import LENGTH, WIDTH
from bartizan.throwing.flight import Flight, Pose, fly
from bartizan.throwing.hand import Hand, aim
from bartizan.throwing.release import METHODS, BadRelease, read_release
from bartizan.throwing.standard import standard_layout
from bartizan.throwing.story import name_of, sentence
from bartizan.throwing.throw import throw
from bartizan.throwing.verdict import ThrowVerdict, judge
from tests.corpus import sample
from tests.throwing.releases import random_releases

CHAIRS = (Chair(seat=1, side=1, castle=Spot(x=0, y=-0.3), line=0.2),)
WALL = Piece(name="2.wall3", spot=Spot(x=0, y=0.1), seat=2, side=2, label="Red's wall 3")
NEXT = Piece(name="2.wall4", spot=Spot(x=0.07, y=0.1), seat=2, side=2, label="Red's wall 4")
CASTLE = Piece(
    name="2.castle", spot=Spot(x=0, y=0.2, yaw=math.pi / 2), seat=2, side=2, fixed=True, label="Red's castle"
)
OWN = Piece(name="1.wall3", spot=Spot(x=0, y=-0.1), seat=1, side=1, label="Blue's wall 3")
TABLE = TableLayout(pieces=(WALL, NEXT, CASTLE, OWN), chairs=CHAIRS, width=1.0, depth=1.0)


def pose(x: float, y: float, z: float = 0.0015, yaw: float = 0.0) -> Pose:
    return (x, y, z, math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))


def outcome(
    card: Pose,
    contacts: dict[str, float],
    *,
    at_rest: bool = True,
    grace: float = 0.008,
    moved: dict[str, Pose] | None = None,
) -> tuple[ThrowVerdict, str]:
    """Judge a flight that ends so; pieces lie where they stood unless they `moved`."""
    poses = {p.name: pose(p.spot.x, p.spot.y, 0.0005, p.spot.yaw) for p in TABLE.pieces}
    poses |= {f"2.{name}": where for name, where in (moved or {}).items()}
    flight = Flight(contacts=contacts, at_rest=at_rest, seconds=1.0, card=card, pieces=poses, frames=b"")
    verdict = judge(TABLE, 1, flight, grace)
    return verdict, sentence(TABLE, 1, flight, verdict)


def test_a_hit() -> None:
    verdict, words = outcome(pose(0.0, 0.08), {"2.wall3": 0.4, "table": 0.45})
    assert verdict.verdict == "hit"
    assert verdict.landings[0].target == "2.wall3"
    assert verdict.landings[0].overlap == pytest.approx(63.5 * 75, abs=0.1)
    assert verdict.landings[0].corners == (0.0, 0.0, 1.0, 1.0)
    assert words == "It landed on Red's wall 3 and covers 79% of it."


def test_a_perfect_hit_covers_every_corner() -> None:
    verdict, words = outcome(pose(0.0, 0.102), {"2.wall3": 0.4})
    assert verdict.verdict == "perfect"
    assert "perfect" in words
    # 4 mm to the side one column of boxes is bare by 1 of 8 mm; 7 mm, by 4 of 8
    assert outcome(pose(-0.004, 0.1), {"2.wall3": 0.4})[0].verdict == "perfect"
    assert outcome(pose(-0.007, 0.1), {"2.wall3": 0.4})[0].verdict == "hit"
    verdict, _ = outcome(pose(0.0, 0.2, 0.0015, math.pi / 2), {"2.castle": 0.4})
    assert verdict.verdict == "hit"  # a castle's corners tell nothing


def test_the_grace_is_exact() -> None:
    card = pose(0.0, 0.06)
    assert outcome(card, {"table": 0.4, "2.wall3": 0.408})[0].verdict == "hit"
    late, words = outcome(card, {"table": 0.4, "2.wall3": 0.409})
    assert (late.verdict, late.reason, late.landings) == ("miss", "table", ())
    assert words == "It touched the table first, 9 ms before Red's wall 3."
    assert outcome(card, {"table": 0.4, "2.wall3": 0.409}, grace=0.01)[0].verdict == "hit"
    assert outcome(card, {"table": 0.4, "2.wall3": 0.401}, grace=0.0)[0].verdict == "miss"


def test_own_cards_count_as_the_table() -> None:
    verdict, words = outcome(pose(0.0, 0.06), {"1.wall3": 0.2, "2.wall3": 0.4})
    assert verdict.reason == "table"
    assert words == "It touched Blue's wall 3 first, of its own side."
    verdict, _ = outcome(pose(0.0, -0.1), {"1.wall3": 0.2})
    assert (verdict.verdict, verdict.landings) == ("miss", ())


def test_a_double_takes_the_two_largest() -> None:
    verdict, words = outcome(pose(0.036, 0.14, 0.0015, 0.5), {"2.wall3": 0.4})
    assert verdict.verdict == "double"
    sizes = [landing.overlap for landing in verdict.landings]
    assert len(sizes) == 2
    assert sizes[0] > sizes[1] >= 100
    assert "of the one" in words


def test_what_is_beneath_is_a_miss_even_on_top_of_another() -> None:
    under = pose(0.0, 0.06, 0.0005)
    verdict, words = outcome(under, {"2.wall3": 0.4}, moved={"wall3": pose(0.0, 0.1, 0.0015)})
    assert (verdict.verdict, verdict.beneath) == ("miss", "2.wall3")
    assert words.startswith("It slid beneath Red's wall 3.")
    both = pose(0.036, 0.1, 0.0015)
    verdict, _ = outcome(both, {"2.wall4": 0.4}, moved={"wall3": pose(0.0, 0.1, 0.0025)})
    assert (verdict.verdict, verdict.beneath) == ("miss", "2.wall3")


def test_less_than_a_square_centimetre_is_no_hit() -> None:
    side = WIDTH + 0  # the card beside the wall, overlapping by a strip
    verdict, words = outcome(pose(-side + 0.0010, 0.1), {"2.wall3": 0.4})
    assert (verdict.verdict, verdict.reason) == ("miss", "edge")
    assert words == "It touched Red's wall 3 and did not stay on it."
    assert outcome(pose(-side + 0.0011, 0.1), {"2.wall3": 0.4})[0].verdict == "hit"  # 104 mm²


def test_outside_moving_and_nothing() -> None:
    verdict, words = outcome(pose(0.0, 0.47), {"2.castle": 0.3})
    assert (verdict.reason, words) == ("outside", "It came to rest across the edge of the table.")
    assert outcome(pose(0.0, 0.9), {"table": 0.3})[1] == "It left the table."
    verdict, words = outcome(pose(0.0, 0.1), {"2.wall3": 0.3}, at_rest=False)
    assert (verdict.reason, words) == ("moving", "It did not come to rest.")
    verdict, words = outcome(pose(0.0, 0.001), {"table": 0.3})
    assert verdict.reason == "nothing"
    assert words == "It came down on the table, 4 mm from Red's wall 3."


def test_moved_is_what_was_not_hit_and_lies_elsewhere() -> None:
    hit = pose(0.0, 0.08)
    near = {"wall4": pose(0.0709, 0.1, 0.0005, math.radians(0.9))}
    assert outcome(hit, {"2.wall3": 0.4}, moved=near)[0].moved == ()
    assert outcome(hit, {"2.wall3": 0.4}, moved={"wall4": pose(0.0711, 0.1, 0.0005)})[0].moved == ("2.wall4",)
    turned = pose(0.07, 0.1, 0.0005, math.radians(-1.1))
    verdict, words = outcome(hit, {"2.wall3": 0.4}, moved={"wall4": turned})
    assert verdict.moved == ("2.wall4",)
    assert words.endswith("It moved Red's wall 4.")
    pushed = {"wall3": pose(0.0, 0.11, 0.0005), "castle": pose(0.0, 0.3, 0.0005, 1.0)}
    assert outcome(hit, {"2.wall3": 0.4}, moved=pushed)[0].moved == ()  # hit, and put back


def test_names_in_words() -> None:
    assert name_of(TABLE, "2.castle") == "Red's castle"
    assert name_of(TABLE, "3.wall12") == "3.wall12"


# --- Throws, judged a second time from their JSON -------------------------------


def clip(shape: list[tuple[float, float]], inside: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the part of a polygon inside a convex one, both anticlockwise (Sutherland & Hodgman)."""
    for (ax, ay), (bx, by) in zip(inside, inside[1:] + inside[:1], strict=True):
        heights = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in shape]
        kept = []
        for n, (point, height) in enumerate(zip(shape, heights, strict=True)):
            other, below = shape[n - 1], heights[n - 1]
            if (height >= 0) != (below >= 0):
                part = below / (below - height)
                kept.append(tuple(a + part * (b - a) for a, b in zip(other, point, strict=True)))
            if height >= 0:
                kept.append(point)
        shape = [(point[0], point[1]) for point in kept]
    return shape


def area(shape: list[tuple[float, float]]) -> float:
    """Return the area of a polygon in mm²."""
    pairs = zip(shape, shape[1:] + shape[:1], strict=True)
    return 5e5 * abs(sum(x * v - u * y for (x, y), (u, v) in pairs))


def axes(quaternion: list[float]) -> list[tuple[float, float, float]]:
    """Return where a card's width, length and normal point."""
    w, x, y, z = quaternion
    return [
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    ]


def rectangle(where: list[float], box: tuple[float, ...]) -> list[tuple[float, float]]:
    """Return a part of a card, given by its corners in the card's axes, laid on the table."""
    (ax, ay, _), (bx, by, _), _ = axes(where[3:])
    low_x, low_y, high_x, high_y = box
    corners = [(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)]
    points = [(where[0] + a * ax + b * bx, where[1] + a * ay + b * by) for a, b in corners]
    turned = sum(x * v - u * y for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True))
    return points if turned > 0 else points[::-1]


WHOLE = (-WIDTH / 2, -LENGTH / 2, WIDTH / 2, LENGTH / 2)
LEFT, RIGHT = (-WIDTH / 2 + 0.003, -WIDTH / 2 + 0.011), (WIDTH / 2 - 0.011, WIDTH / 2 - 0.003)
BACK, FRONT = (-LENGTH / 2 + 0.003, -LENGTH / 2 + 0.015), (LENGTH / 2 - 0.015, LENGTH / 2 - 0.003)
INDEX = [(x[0], y[0], x[1], y[1]) for y in (FRONT, BACK) for x in (LEFT, RIGHT)]


def judged_again(throw: dict[str, Any]) -> tuple[str, list[tuple[str, float]]]:
    """Return verdict and targets from the JSON alone; seat 1 threw."""
    poses = dict(throw["poses"])
    card = poses.pop("card")
    own = rectangle(card, WHOLE)
    across, deep = throw["area"]
    normal = axes(card[3:])[2]
    lands, beneath = [], False
    for name, where in poses.items():
        shared = clip(own, rectangle(where, WHOLE))
        size = area(shared) if len(shared) > 2 else 0.0
        if size < 10:
            continue
        x, y = (sum(point[n] for point in shared) / len(shared) for n in (0, 1))
        height = card[2] - (normal[0] * (x - card[0]) + normal[1] * (y - card[1])) / normal[2]
        if height < where[2]:
            beneath = True
        elif size >= 100 and name.startswith("2."):
            lands.append((name, size))
    lands = sorted(lands, key=lambda each: -each[1])[:2]
    late = throw["t_table"] is not None and (throw["t_card"] or 9) > throw["t_table"] + throw["grace"]
    inside = all(abs(x) <= across / 2 and abs(y) <= deep / 2 for x, y in own)
    if throw["t_card"] is None or late or beneath or not inside or not throw["at_rest"] or not lands:
        return "miss", []
    if len(lands) == 2:
        return "double", lands
    where = poses[lands[0][0]]
    shares = [area(clip(own, box)) / area(box) for box in (rectangle(where, index) for index in INDEX)]
    perfect = "wall" in lands[0][0] and min(shares) >= 0.6
    return "perfect" if perfect else "hit", lands


def test_verdicts_follow_from_the_json() -> None:
    """As anybody can check them: contacts and poses, and geometry of one's own."""
    duel = standard_layout()
    crowd = msgspec.structs.replace(
        duel,
        pieces=tuple(
            msgspec.structs.replace(p, spot=Spot(x=0.45 * p.spot.x, y=p.spot.y, yaw=p.spot.yaw))
            for p in duel.pieces
        ),
    )
    releases = random_releases(sample(60, 2000), seed=21)
    for number in range(sample(120, 2000)):
        target = ("2.wall3", "2.wall2", "2.castle", "2.wall5")[number % 4]
        release = aim(duel, 1, target, METHODS[number % 3])
        releases.append(Hand(1.5, number).tremble(release))
    verdicts = set()
    for number, release in enumerate(releases):
        thrown = throw((duel, crowd)[number % 2], 1, release)
        plain = msgspec.json.decode(msgspec.json.encode(thrown.to_json()))
        verdict, lands = judged_again(plain)
        verdicts.add(verdict)
        assert verdict == plain["verdict"], plain
        assert [name for name, _ in lands] == [each["target"] for each in plain["lands_on"]]
        assert [size for _, size in lands] == pytest.approx(
            [e["overlap_mm2"] for e in plain["lands_on"]], abs=0.2
        )
    assert verdicts >= {"miss", "hit", "double"}


def test_a_throw_tells_all_that_was_promised() -> None:
    duel = standard_layout()
    thrown = throw(duel, 1, read_release("lob", {"speed": 2.4, "elevation": 55, "azimuth": 1.5}))
    plain = thrown.to_json()
    assert plain["release"]["method"] == "lob"
    assert plain["release"]["azimuth"] == 1.5
    assert set(plain["poses"]) == {"card", *(piece.name for piece in duel.pieces)}
    assert plain["frames"] == len(thrown.flight.frames) // 16
    assert plain["first_contact"]["with"] in thrown.flight.contacts
    flown = thrown.to_flown("6s")
    assert (flown.card, flown.seat, flown.method, flown.verdict) == ("6s", 1, "lob", thrown.verdict)
    assert flown.contact_at == plain["first_contact"]["t"]
    assert len(msgspec.json.encode(flown)) < 4000
    assert fly(duel, 1, thrown.release) == thrown.flight


@pytest.mark.parametrize("grace", [-0.001, 0.101, math.nan, math.inf, True, "0.01", None])
def test_a_grace_is_a_short_time(grace: Any) -> None:
    with pytest.raises(BadRelease, match=r"The grace of a throw is .*; it must be 0 to 0.1 seconds."):
        throw(standard_layout(), 1, read_release("lob", {}), grace)
