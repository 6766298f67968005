"""Throw cards at the table itself: what is played, kept, refused, and shown again without any physics."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, CorruptRecord, IllegalMove, UnknownMove
from bartizan.engine.layout import Flown, Landing, Spot, ThrowingAids
from bartizan.match import GameRecord, Match
from bartizan.search.players import Player
from bartizan.throwing.bank import BATTLEFIELDS
from bartizan.throwing.flight import lying
from bartizan.throwing.standard import INCH, standard_layout
from bartizan.throwing.verdict import area, outline

GAME = "card-barrage"
STEADY = {"throws": "thrown", "hand": "steady"}
ROOT = Path(__file__).resolve().parents[2]


def table(seats: int = 2, seed: str = "5", **options: Any) -> Match:
    return Match(GAME, STEADY | options, seats, seed)


def thrown(match: Match, text: str) -> Flown:
    """Throw, play what came of it, and return what was seen."""
    move = match.throws.check_by_hand(text)
    match.push(move)
    assert match.throws.flown is not None
    return match.throws.flown


def played(seats: int = 2, plies: int = 40, **options: Any) -> Match:
    """Return a game in which programs throw."""
    match = table(seats, **options)
    programs = [Player.named(match.game, "greedy:decent", seat) for seat in range(seats)]
    while not match.is_over and match.ply < plies:
        match.push(match.throws.choose(programs[match.seat_to_move - 1]))
    assert any(move.flown for move in match.history.moves)
    return match


def test_a_throw_is_played_as_the_report_of_what_the_card_did() -> None:
    match = table()
    card = match.views.scene(1).choices[0]
    hand = [choice.text for choice in match.views.scene(1).choices if choice.throw]
    assert hand == ["throw 1v", "throw 2s", "throw 3s", "throw 9v", "throw 13s"]
    assert card.verb != "Hit"
    flown = thrown(match, "throw 9v lob at 2.3")
    assert (flown.card, flown.seat, flown.method) == ("9v", 1, "lob")
    assert flown.verdict == "hit"
    assert [landing.target for landing in flown.landings] == ["2.wall3"]
    assert match.moves == ["report 9v hit 2.3"]
    assert match.views.scene(2).flown == match.views.scene(0).flown == flown
    match.go_to(0)
    assert match.views.scene(1).flown is None


def test_a_throw_says_as_much_as_it_likes() -> None:
    aimed = table().throws.read("throw 9v lob at 2.3")
    bare = table().throws.read("THROW  9V LOB   At 2.3")
    assert bare == aimed
    assert table().throws.read("throw lob at 2.3").card == "1v"  # the least worth is what is thrown
    faster = table().throws.read("throw 9v lob at 2.3 speed 2.9")
    assert faster.release == msgspec.structs.replace(aimed.release, speed=2.9)
    figures = table().throws.read("throw 9v flip azimuth -3 tumble -20").release
    assert (figures.azimuth, figures.tumble) == (-3, -20)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("throw", "UnknownMove", "A throw says how: lob, frisbee, flip."),
        ("throw 9v", "UnknownMove", "A throw says how: lob, frisbee, flip."),
        ("throw 9v lop", "UnknownMove", "A throw says how: lob, frisbee, flip."),
        ("throw 9v lob speed", "UnknownMove", "'speed' stands alone at the end"),
        ("throw 9v lob speed 2 speed 3", "UnknownMove", "speed is given twice"),
        ("throw 9v lob at 9.9", "UnknownMove", "'9.9' is no target"),
        ("throw 9v lob at 1.3", "IllegalMove", "is on your own side"),
        ("throw 6v lob", "IllegalMove", "Red doesn't hold the 6 of services."),
        ("throw 99z lob", "BartizanError", "99z"),
        ("throw 9v lob speed 9", "BadRelease", "The speed of a lob is 9.0; it must be 1.8 to 3.2 m/s."),
        ("throw 9v lob speed nan", "BadRelease", "The speed of a lob is nan; it must be 1.8 to 3.2 m/s."),
        ("throw 9v lob speed fast", "BadRelease", "The speed of a lob is 'fast'"),
        ("throw 9v lob spede 2", "BadRelease", "Did you mean 'speed'?"),
        ("throw 9v lob " + "speed 2 " * 60, "UnknownMove", "too long for a throw"),
    ],
)
def test_what_no_hand_can_do_is_refused_with_a_sentence(text: str, kind: str, words: str) -> None:
    match = table()
    with pytest.raises(BartizanError) as caught:
        match.throws.read(text)
    assert kind in [each.__name__ for each in type(caught.value).__mro__]
    assert words in str(caught.value)
    assert match.ply == 0


def test_where_cards_are_thrown_nobody_makes_reports_up_and_elsewhere_nobody_throws() -> None:
    match = table()
    with pytest.raises(IllegalMove, match="what they do is not reported") as caught:
        match.throws.check_by_hand("report 9v hit 2.3 perfect")
    assert caught.value.clause == "CB-25"
    assert match.throws.check_by_hand("end").text == "end"
    with pytest.raises(UnknownMove, match="throws = thrown"):
        Match(GAME, {}, 2, "5").throws.read("throw 9v lob")
    with pytest.raises(UnknownMove, match="'throw 9v lob' isn't a move"):
        Match("alcazar", {}, 1, "5").throws.read("throw 9v lob")


def test_cards_are_thrown_here_or_at_a_real_table_not_both() -> None:
    with pytest.raises(BartizanError, match="throws = thrown doesn't work with a companion"):
        table(companion="on_screen")


def test_after_building_or_throwing_no_card_is_thrown() -> None:
    match = table()
    thrown(match, "throw 9v lob speed 1.8")
    with pytest.raises(IllegalMove, match="You have already attacked this turn"):
        match.throws.read("throw 2s lob")


def test_the_hand_trembles_and_the_same_seed_trembles_alike() -> None:
    aims = [table(seed=seed, hand="human").throws.read("throw lob at 2.3").release for seed in "556"]
    assert aims[0] == aims[1] != aims[2]
    assert aims[0] != table().throws.read("throw lob at 2.3").release


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_record_shows_the_same_throws_again(seats: int) -> None:
    match = played(seats)
    record = match.record(secret_seed=True)
    again = Match.of(GameRecord.parse(record.text()))
    assert again.record(secret_seed=True) == record
    for ply in range(match.ply + 1):
        match.go_to(ply)
        again.go_to(ply)
        assert match.views.scene(0) == again.views.scene(0)
    assert all(len(flown.frames) * 3 // 4 < 4_000 for flown in record.throws.values())


def test_a_record_is_replayed_without_physics(tmp_path: Path) -> None:
    match = played()
    file = tmp_path / "game.txt"
    file.write_text(match.record(secret_seed=True).text(), encoding="utf-8")
    code = (
        "import sys\n"
        "for name in ('mujoco', 'shapely', 'bartizan.throwing'): sys.modules[name] = None\n"
        "from pathlib import Path\n"
        "from bartizan.match import GameRecord, Match\n"
        f"match = Match.of(GameRecord.parse(Path({str(file)!r}).read_text()))\n"
        "print(match.digest(), match.views.scene(0).flown is not None or match.ply)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == match.digest()


def test_a_wall_that_was_pushed_lies_where_physics_left_it() -> None:
    """Until it is put back: the rules know when."""
    match = table()
    before = match.throws.layout()
    assert before is not None
    spot = Spot(x=0.01, y=0.25, yaw=3.0)
    flown = Flown(
        card="9v", seat=1, method="lob", release={}, verdict="miss", sentence="", frames="A" * 64,
        moved=(("2.wall3", spot),),
    )  # fmt: skip
    match.push(match.throws.check(flown))
    assert match.moves == ["report 9v miss moved 2.3"]
    lies = {piece.name: piece.spot for piece in _pieces(match)}
    assert lies["2.wall3"] == spot
    match.play("end")
    card = next(choice.text for choice in match.views.scene(2).choices if choice.text.startswith("upgrade 3"))
    match.play(card.removesuffix(" leave"))
    lies = {piece.name: piece.spot for piece in _pieces(match)}
    assert lies == {piece.name: piece.spot for piece in before.pieces}
    match.go_to(1)
    assert {piece.name: piece.spot for piece in _pieces(match)}["2.wall3"] == spot


def _pieces(match: Match) -> tuple[Any, ...]:
    layout = match.throws.layout()
    assert layout is not None
    return layout.pieces


@pytest.mark.parametrize("options", [{}, {"odd_players": "third_side"}])
@pytest.mark.parametrize("seats", range(1, 7))
def test_everything_stands_apart_and_on_the_table(seats: int, options: dict[str, Any]) -> None:
    match = table(seats, **options)
    layout = match.throws.layout()
    assert layout is not None
    for piece in layout.pieces:
        assert abs(piece.spot.x) + 0.0475 < layout.width / 2
        assert abs(piece.spot.y) + 0.0475 < layout.depth / 2
        for other in layout.pieces:
            if other is not piece:  # no two overlap: their middles are a card's width apart at least
                away = math.hypot(piece.spot.x - other.spot.x, piece.spot.y - other.spot.y)
                assert away > 0.0635, (piece, other)
    facing = [piece for piece in layout.pieces if piece.name in ("1.wall1", "2.wall1")]
    if max(chair.side for chair in layout.chairs) == 2:  # 12" from row to row, edge to edge (CB-12)
        assert abs(facing[0].spot.y - facing[1].spot.y) - 0.095 == pytest.approx(0.3048)
    for chair in layout.chairs:
        castle = next(piece for piece in layout.pieces if piece.name == f"{chair.seat}.castle")
        assert (castle.spot.x, castle.spot.y) == (chair.castle.x, chair.castle.y)
        ahead = (-math.sin(chair.castle.yaw), math.cos(chair.castle.yaw))
        assert chair.castle.x * ahead[0] + chair.castle.y * ahead[1] < 0  # it looks to the middle


SPOILT: list[tuple[dict[str, Any], str]] = [
    ({"card": "13s"}, "the flight says 'report 13s"),
    ({"card": "zz"}, "zz"),
    (
        {"landings": (Landing(target="9.wall9", overlap=1.0, corners=()),)},
        "a place '9.wall9' that there is not",
    ),
    ({"landings": ()}, "the flight says"),
    ({"moved": (("2.wall1", Spot(x=math.nan, y=0.0)),)}, ""),
    ({"moved": (("2.wall9", Spot(x=0.0, y=0.0)),)}, "that there is not"),
    ({"frames": "not base64!"}, "not base64"),
    ({"frames": ""}, "0 bytes of key frames"),
    ({"frames": "AAAA"}, "3 bytes of key frames"),
    ({"frames": "A" * 64 * 2000}, "bytes of key frames"),
]


@pytest.mark.parametrize(("change", "words"), SPOILT)
def test_a_flight_that_does_not_fit_its_report_is_refused(change: dict[str, Any], words: str) -> None:
    match = table()
    flown = thrown(match, "throw 9v lob at 2.3")
    record = match.record(secret_seed=True)
    spoilt = msgspec.structs.replace(record, throws={"1": msgspec.structs.replace(flown, **change)})
    with pytest.raises(CorruptRecord) as caught:
        Match.of(spoilt)
    assert words in str(caught.value)
    assert "Ply 1" in str(caught.value)


@pytest.mark.parametrize("ply", ["0", "2", "01", "x", "-1", "1.0", "٣"])
def test_a_throw_at_no_ply_is_refused(ply: str) -> None:
    match = table()
    flown = thrown(match, "throw 9v lob at 2.3")
    record = msgspec.structs.replace(match.record(secret_seed=True), throws={ply: flown})
    with pytest.raises(CorruptRecord, match="a throw at ply"):
        Match.of(record)


def test_throws_in_a_record_of_a_table_without_throws_are_refused() -> None:
    match = table()
    flown = thrown(match, "throw 9v lob at 2.3")
    other = Match(GAME, {}, 2, "5")
    other.play("report 9v hit 2.3")
    record = msgspec.structs.replace(other.record(secret_seed=True), throws={"1": flown})
    with pytest.raises(CorruptRecord, match="nothing is thrown at this table"):
        Match.of(record)


def test_programs_throw_with_the_hand_of_their_level() -> None:
    game = registry.get(GAME)
    hits = {}
    for level in ("child", "expert"):
        landed = 0
        for seed in range(12):
            match = table(seed=f"{seed}")
            player = Player.named(game, f"greedy:{level}", seed)
            while match.ply < 6 and match.throws.flown is None:
                match.push(match.throws.choose(player))
            landed += match.throws.flown is not None and match.throws.flown.verdict != "miss"
        hits[level] = landed
    assert hits["expert"] > hits["child"]


@pytest.mark.parametrize("inches", BATTLEFIELDS)
def test_the_range_stands_as_a_duel_does(inches: int) -> None:
    """The bank and the figures of skill are of the range: they hold at a table only if both are alike."""
    layout, practice = table(battlefield=inches).throws.layout(), standard_layout(battlefield=inches * INCH)
    assert layout is not None
    for mine, theirs in zip(layout.pieces, practice.pieces, strict=True):
        assert (mine.name, mine.seat, mine.side, mine.fixed) == (
            theirs.name,
            theirs.seat,
            theirs.side,
            theirs.fixed,
        )
        assert (mine.spot.x, mine.spot.y) == pytest.approx((theirs.spot.x, theirs.spot.y), abs=1e-9)
        assert math.cos(2 * (mine.spot.yaw - theirs.spot.yaw)) == pytest.approx(1)
    for mine_chair, other in zip(layout.chairs, practice.chairs, strict=True):
        assert mine_chair.line == pytest.approx(other.line)
        assert mine_chair.castle.y == pytest.approx(other.castle.y)


@pytest.mark.parametrize(("seats", "piles"), [(1, 6), (2, 6), (3, 6), (6, 6)])
def test_piles_lie_beside_the_walls_where_nothing_else_stands(seats: int, piles: int) -> None:
    """CB-10: a side has one deck and one discard; piles touch no card, and physics knows nothing of them."""
    match = table(seats)
    layout = match.throws.layout()
    assert layout is not None
    zones = {zone.id for zone in match.views.scene(1).zones}
    assert len(layout.stacks) == piles
    assert {stack.zone for stack in layout.stacks} <= zones
    spots = [each.spot for each in layout.stacks] + [each.spot for each in layout.pieces]
    boxes = [outline(lying(spot.x, spot.y, 0.0, spot.yaw)) for spot in spots]
    for number, box in enumerate(boxes[:piles]):
        assert area(layout).covers(box)
        assert not any(box.intersects(other) for other in boxes[number + 1 :])


# --- What helps who throws ----------------------------------------------------

PULLED = "throw 9v lob by pull speed 2.4 azimuth 1.5"


@pytest.mark.parametrize(
    ("hand", "by_figures", "by_pull"), [("human", 1.0, 1.0), ("steady", 0.0, 0.0), ("honest", 1.0, 0.0)]
)
def test_an_honest_pull_does_not_tremble_and_figures_do(hand: str, by_figures: float, by_pull: float) -> None:
    match = table(hand=hand)
    assert match.throws.read("throw 9v lob speed 2.4 azimuth 1.5").noise == by_figures
    pulled = match.throws.read(PULLED)
    assert pulled.noise == by_pull
    assert (pulled.release.speed == 2.4) is (by_pull == 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("throw 9v lob by hand speed 2.4 azimuth 1", "or 'by pull', not by 'hand'"),
        ("throw 9v lob by pull speed 2.4", "says the speed and the azimuth that were pulled"),
        (f"{PULLED} at 2.3", "names no target"),
    ],
)
def test_a_pull_is_written_in_one_way(text: str, words: str) -> None:
    with pytest.raises(UnknownMove, match=words):
        table(hand="honest").throws.read(text)


def test_where_the_path_is_hidden_nobody_aims_by_name() -> None:
    shown, hidden = table(), table(path="hidden", hand="honest")
    assert shown.views.setting.throwing == ThrowingAids()
    assert hidden.views.setting.throwing == ThrowingAids(path=False, honest=True)
    assert Match(GAME, {}, 2, "5").views.setting.throwing is None
    with pytest.raises(IllegalMove, match=r"none is aimed 'at 2\.3': say its speed") as caught:
        hidden.throws.read("throw 9v lob at 2.3")
    assert caught.value.clause == "CB-25"
    by_hand = hidden.throws.texts()
    assert "throw 9v lob" in by_hand
    assert not any(" at " in text for text in by_hand)
    hints = hidden.views.hints(40, "greedy")
    throws = [hint.text for hint in hints if hint.text.startswith("throw")]
    assert throws
    assert not any(" at " in text for text in throws)
    assert not any(hint.aim for hint in hints)
    for text in [*by_hand, *throws]:
        assert hidden.why_not(text) is None


def test_the_log_says_what_a_pulled_throw_hit() -> None:
    match = table(hand="honest")
    first = thrown(match, "throw 9v lob at 2.3")
    figures = "".join(f" {field} {value}" for field, value in first.release.items())
    match.go_to(0)
    thrown(match, f"throw 9v lob by pull{figures}")
    assert match.moves == ["report 9v hit 2.3"]
    assert [line.label for line in match.views.log(2)] == ["The 9 of services hit Blue's wall 3"]
    assert GameRecord.parse(match.record().text()).throws


def test_a_hint_aims_as_it_says() -> None:
    match = table()
    for hint in [each for each in match.views.hints(99, player="greedy") if each.aim]:
        aim = hint.aim
        assert aim is not None
        assert any(item.id == aim.item for zone in match.views.scene(1).zones for item in zone.items)
        card = match.text(hint.action).split()[1]
        figures = " ".join(f"{field} {value:.3f}" for field, value in aim.release.items() if value)
        flown = thrown(table(), f"throw {card} {aim.method} {figures}")
        assert match.game.throwing is not None
        target = match.game.throwing.piece_name(hint.text.rpartition(" at ")[2])
        assert [landing.target for landing in flown.landings] == [target]
