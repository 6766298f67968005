"""The model of skill: its file, the verdicts it throws, and the players who use it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadData, UnknownPlayer
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage import thrower
from bartizan.games.card_barrage.options import INCHES
from bartizan.games.card_barrage.skill import METHODS, load_skill
from bartizan.games.card_barrage.state import ACTIONS, MISS, State
from bartizan.lab.simulate import simulate
from bartizan.lab.throws import skill_text
from bartizan.match import Match, trace
from bartizan.search.players import Player, policy_of
from bartizan.throwing import bank
from tests.card_barrage.tables import duel

GAME = registry.get("card-barrage")
plain = interpreted(thrower)
TABLE = State()  # of the usual battlefield
LINE = "{ wall = { hit = 500, perfect = 10, double = 90 }, castle = { hit = 200, double = 20 } }"
GOOD = f"""
default = "only"
castle_doubles = 800
[[level]]
name = "only"
lob = {LINE}
frisbee = {LINE}
flip = {LINE}
"""


def read(folder: Path, text: str) -> None:
    path = folder / "skill.toml"
    path.write_text(text, encoding="utf-8")
    load_skill(path)


# --- The file -----------------------------------------------------------------


def test_the_model_in_the_folder_is_as_it_should_be() -> None:
    skill = load_skill(GAME.folder / "data" / "skill.toml")
    assert GAME.throw_skills == skill.levels == ("child", "beginner", "decent", "expert")
    assert skill.noise == (3.0, 2.0, 1.5, 1.0)
    for method in range(len(METHODS)):
        walls = [plain.landing(TABLE, level, method, 0) for level in range(1, 5)]
        castles = [plain.landing(TABLE, level, method, 5) for level in range(1, 5)]
        assert walls == sorted(set(walls))
        assert castles[0] < castles[-1]
        assert all(castle < wall for wall, castle in zip(walls, castles, strict=True))


def test_the_model_in_the_folder_is_what_the_bank_of_throws_says() -> None:
    """Made by `bartizan throws show --skill`, and never changed by hand."""
    text = (GAME.folder / "data" / "skill.toml").read_text(encoding="utf-8")
    assert text == skill_text(bank.load())


def test_a_good_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "skill.toml").write_text(GOOD, encoding="utf-8")
    skill = load_skill(tmp_path / "skill.toml")
    assert (skill.levels, skill.default, skill.castle_doubles) == (("only",), "only", 800)
    assert skill.figures == (500, 10, 90, 200, 0, 20) * 3 * len(INCHES)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"only"\ncastle', '"other"\ncastle', "default is 'other'; it must be a level: only"),
        ("hit = 500", "hit = 1500", "only.lob.wall.hit is 1500"),
        ("hit = 500", "hit = 950", "1050 of 1000 throws land"),
        ("hit = 500", "hit = true", "only.lob.wall.hit is True"),
        ("hit = 200,", "hit = 200, perfect = 1,", "only.lob.castle: there is no key 'perfect'"),
        ("flip =", "flop =", "no key 'flop'. Did you mean 'flip'"),
        ("flip =", "flop =", "only.flip must be a table"),
        ("castle_doubles = 800", "", "castle_doubles is None"),
        ('name = "only"', 'name = "any"', "its name is 'any'"),
        ("[[level]]", "[level]", "there must be 1 to 9 levels"),
        ("default", "= default", "cannot be read"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GOOD
    with pytest.raises(BadData) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert told in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadData) as caught:
        read(tmp_path, GOOD.replace("hit = 500", "hit = -1").replace("800", "1001"))
    assert str(caught.value).count("must be a whole number") == 4


# --- The verdicts -------------------------------------------------------------


def thrown(match: Match, move: str, level: int, careful: bool, number: int) -> Counter[str]:
    """Return how often each verdict comes of attempting a report."""
    dice = State()
    dice.rng = 99
    view, action = match.view(), match.parse(move)
    found: Counter[str] = Counter()
    for _ in range(number):
        report = plain.attempt(view, action, level, careful, dice)
        assert report in match.legal()
        found[match.text(report).partition(" ")[2].partition(" ")[2]] += 1
    return found


@pytest.fixture
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let throws land on two cards more often than real ones do."""
    wall, castle = (712, 44, 134), (252, 0, 45)
    known = plain.attempt.__globals__
    monkeypatch.setitem(known, "FIGURES", (*wall, *castle) * (4 * len(METHODS) * len(INCHES)))
    monkeypatch.setitem(known, "CASTLE_DOUBLES", 800)


@pytest.mark.usefixtures("doubles")
def test_verdicts_come_as_often_as_the_model_says() -> None:
    match = duel()
    found = thrown(match, "report 6v hit 2.3", 4, True, 4_000)  # an expert's lobs
    expected = {"hit 2.3": 712, "hit 2.3 perfect": 44, "hit 2.3 2.castle": 107, "miss": 110}
    for verdict, share in expected.items():
        assert found[verdict] / 4 == pytest.approx(share, abs=25), verdict
    neighbours = {"hit 2.2 2.3", "hit 2.3 2.4"}
    assert sum(found[verdict] for verdict in neighbours) / 4 == pytest.approx(27, abs=10)
    assert set(found) == {*expected, *neighbours}


@pytest.mark.usefixtures("doubles")
def test_a_castle_is_hit_less_often_and_never_perfectly() -> None:
    match = duel(two={"walls": ["7t", "-", "-", "-", "10t"]})
    found = thrown(match, "report 6v hit 2.castle", 4, True, 4_000)
    assert set(found) == {"miss", "hit 2.castle", "hit 2.1 2.castle", "hit 2.5 2.castle"}
    assert found["miss"] / 4 == pytest.approx(703, abs=25)
    bare = duel(two={"walls": ["-"] * 5})
    assert set(thrown(bare, "report 6v hit 2.castle", 4, True, 500)) == {"miss", "hit 2.castle"}


def test_any_method_is_worse_than_the_best() -> None:
    match = duel()
    best = thrown(match, "report 6v hit 2.3", 3, True, 2_000)["miss"]
    any_one = thrown(match, "report 6v hit 2.3", 3, False, 2_000)["miss"]
    landing = [plain.landing(TABLE, 3, method, 0) / 1_000 for method in range(len(METHODS))]
    assert best / 2_000 == pytest.approx(1 - max(landing), abs=0.04)
    assert any_one / 2_000 == pytest.approx(1 - sum(landing) / 3, abs=0.04)


def test_other_moves_are_no_throws() -> None:
    match = duel()
    for move in ("end", "upgrade 1 with 13t"):
        assert plain.attempt(match.view(), match.parse(move), 1, True, State()) == match.parse(move)


def test_a_report_is_made_for_each_aim_and_method() -> None:
    """`Thrower.report`: the verdict speaks of the card and the target aimed at, or of a miss."""
    match = duel()
    dice = State()
    card, target = 23, 6 + 2  # 6v at the third wall of seat 2
    for method in range(len(METHODS)):
        for _ in range(50):
            action = plain.report(match.view(), 0, card * plain.TARGETS + target, method, 1, dice)
            verb, field = ACTIONS.decode(action)
            assert (verb, field["card"]) == ("report", card)
            assert field["verdict"] == MISS or "2.3" in match.text(action)


# --- The players --------------------------------------------------------------


def test_players_have_levels() -> None:
    assert "greedy:expert" in GAME.players()
    assert "random:any" in GAME.players()
    assert registry.get("alcazar").players()[:2] == ("random", "greedy")
    with pytest.raises(UnknownPlayer, match="greedy:expert"):
        Player.named(GAME, "greedy:exprt", 1)
    with pytest.raises(UnknownPlayer):
        Player.named(registry.get("alcazar"), "greedy:expert", 1)
    assert policy_of(GAME, "greedy") == policy_of(GAME, "greedy:decent")


def test_programs_throw_and_do_not_choose_the_verdict() -> None:
    match = duel(one={"hand": ["13t"]})  # nothing to upgrade with
    misses = sum(
        "miss"
        in match.text(Player.named(GAME, "greedy:child", seed).choose(match.game_state(), match.legal()))
        for seed in range(400)
    )
    lands = max(plain.landing(TABLE, 1, method, 0) for method in range(len(METHODS)))
    assert misses / 400 == pytest.approx(1 - lands / 1_000, abs=0.08)


def test_skill_wins() -> None:
    better = simulate(GAME, 400, ["greedy:expert", "greedy:beginner"]).wins
    assert better["1"] > 350


@pytest.mark.parametrize("level", GAME.throw_skills)
def test_sense_wins_at_equal_skill(level: str) -> None:
    first = simulate(GAME, 400, [f"greedy:{level}", f"random:{level}"]).wins["1"]
    second = simulate(GAME, 400, [f"random:{level}", f"greedy:{level}"]).wins["2"]
    assert first + second > 0.85 * 800


def test_traces_play_every_report_alike() -> None:
    lines = list(trace.lines("card-barrage", 3, "77", 2))
    assert lines == list(trace.lines("card-barrage", 3, "77", 2, players=["random:any"] * 2))
    assert lines != list(trace.lines("card-barrage", 3, "77", 2, players=["random:decent"] * 2))
    moves = Counter(
        word
        for line in lines
        for word in ("perfect", "miss")
        if '"move":"report' in line and word in line.rpartition('"move"')[2]
    )
    assert moves["perfect"] > moves["miss"]  # five for each miss


@pytest.mark.parametrize("player", ["page", "knight"])
def test_programs_that_think_or_slip_throw_like_everybody(player: str) -> None:
    """What they want is only a wish: the model of skill says what the card does."""
    told = []
    for number in range(3):
        match = Match("card-barrage", seats=1, seed=f"{number}")
        program = Player.named(match.game, f"{player}:child", number)
        while not match.is_over:
            match.play(program.choose(match.game_state(), match.legal(), match))
        told += [move for move in match.moves if move.startswith("report")]
    missed = sum(move.endswith("miss") for move in told)
    assert len(told) / 4 < missed < len(told)
