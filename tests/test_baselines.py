"""Hold the page of baselines to its figures, and what writes it to made-up ones."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.envs import shipped
from bartizan.lab.ladder import LadderGame, Meeting
from scripts import baseline_figures, baseline_pages, baselines
from scripts.baseline_figures import BadBaseline, Baseline, BaselineFigure, CurvePoint, RatedPlayer, SeedRun
from scripts.baselines import SLOW

KEPT = sorted(baseline_figures.FOLDER.glob("*.json"))
WHOLE = BaselineFigure(estimate=0.5, low=0.4, high=0.6)


def run_of(seed: int, *won: float) -> SeedRun:
    points = tuple(CurvePoint(minutes=at + 0.5, won=share, games=10) for at, share in enumerate(won))
    return SeedRun(seed=seed, decisions=1_000, curve=points, wins=(WHOLE, WHOLE), sha256="0")


def made_up() -> Baseline:
    players = (
        RatedPlayer(player="random", wins=(WHOLE, WHOLE), elo=-400.4, low=-500, high=-300, games=40),
        RatedPlayer(player="greedy", wins=(), elo=0, low=0, high=0, games=40),
        RatedPlayer(player="policy", wins=(WHOLE, WHOLE), elo=70, low=10, high=130, games=40),
    )
    return Baseline(
        game="tower",
        seats=2,
        minutes=2,
        machine="2 cores",
        made_with={"bartizan": "1", "rules_digest": "d", "torch": "2"},
        deals=400,
        rounds=20,
        best=1,
        runs=(run_of(0, 0.1, 0.3), run_of(1, 0.2, 0.6)),
        players=players,
    )


def test_a_page_says_what_the_figures_say() -> None:
    page = "before\n<!-- baseline tower -->\nearlier\n<!-- end of baseline tower -->\nafter\n"
    text = baseline_pages.filled(page, [made_up()])
    assert baseline_pages.filled(text, [made_up()]) == text
    assert text.startswith("before\n<!-- baseline tower -->\n")
    assert text.endswith("<!-- end of baseline tower -->\nafter\n")
    assert "earlier" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[2:] == [
        "| random | 50% ± 10 | 50% ± 10 | −400 (−500 to −300) | any legal action |",
        "| greedy | – | – | 0 | the game's heuristics |",
        "| policy, seed 0 | 50% ± 10 | 50% ± 10 | – | PPO, 1,000 decisions |",
        "| **policy**, seed 1 | 50% ± 10 | 50% ± 10 | 70 (10 to 130) | PPO, 1,000 decisions |",
    ]
    assert "2 seeds, 2 minutes of CPU time each (2 cores; PyTorch 2). Each policy played greedy" in text
    with pytest.raises(BadBaseline, match="has no place for tower"):
        baseline_pages.filled("nothing", [made_up()])


def test_each_algorithm_has_its_curve() -> None:
    other = msgspec.structs.replace(run_of(1, 0.1, 0.2), algorithm="expert")
    both = msgspec.structs.replace(made_up(), runs=(*made_up().runs, other))
    text = baseline_pages.part(both)
    assert "2 seeds of PPO and 1 seed of expert iteration, 2 minutes of CPU time each" in text
    assert "| policy, seed 1 | 50% ± 10 | 50% ± 10 | – | expert iteration, 1,000 decisions |" in text
    assert text.count("**policy**") == 1
    svg = baseline_pages.curve(both)
    assert svg.count(">PPO<") == svg.count(">expert iteration<") == 1
    assert ">PPO<" not in baseline_pages.curve(made_up())


def test_ticks_are_numbers_as_people_write_them() -> None:
    svg = baseline_pages.curve(msgspec.structs.replace(made_up(), minutes=10))
    assert ">10<" in svg
    assert "e+" not in svg


def test_a_curve_is_drawn() -> None:
    svg = baseline_pages.curve(made_up())
    ElementTree.fromstring(svg)
    assert "minutes of CPU time" in svg
    without = msgspec.structs.replace(made_up(), runs=(run_of(0),))
    with pytest.raises(BadBaseline, match="no curve to draw"):
        baseline_pages.curve(without)


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "tower.json"
    path.write_text(baseline_figures.write(made_up()))
    assert baseline_figures.read(path) == made_up()
    path.write_text("{}")
    with pytest.raises(BadBaseline, match="is no baseline"):
        baseline_figures.read(path)


def test_the_best_seed_is_the_one_that_won_most_at_the_end() -> None:
    assert baseline_figures.best_of([run_of(0, 0.9, 0.3), run_of(1, 0.2, 0.6)], "ppo").seed == 1


def test_a_curve_adds_up_the_updates_of_each_part_of_the_time() -> None:
    points = baseline_figures.curve_of([(1, 1, 4), (2, 3, 4), (70, 0, 0), (130, 5, 5)], 2)
    assert [(point.won, point.games) for point in points] == [(0.5, 8), (1.0, 5)]
    assert [point.minutes for point in points] == pytest.approx([1 / 24, 2 - 1 / 24], rel=1e-5)


def test_shares_count_a_draw_as_half_and_have_an_interval() -> None:
    results = np.array([[1.0, 0.5, 0.0, 1.0] * 50, [0.0] * 200])
    first, second = baseline_figures.shares(results)
    assert first.estimate == pytest.approx(0.625)
    assert 0.55 < first.low < 0.6 < 0.65 < first.high < 0.7
    assert second.estimate == second.low == 0
    assert 0.005 < second.high < 0.03


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("towre", "Did you mean 'tower'?"),
        ("tower --seeds 0", "--seeds must be"),
        ("chess --kept", "There are"),
    ],
)
def test_what_cannot_be_made_is_refused(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert baselines.main(words.split()) == 2
    assert told in capsys.readouterr().err


def test_seeds_are_counted_or_named() -> None:
    assert baselines._seeds("3") == (0, 1, 2)
    assert baselines._seeds("0,4") == (0, 4)
    assert baselines._seeds("4,") == (4,)
    for wrong in ("", ",", "x", "1,,2"):
        with pytest.raises(ArgumentTypeError, match="neither a number nor a list"):
            baselines._seeds(wrong)


@pytest.fixture
def training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Baseline]:
    """Return a way to make Tower's baseline with the made-up figures kept, trainings that take no time, and
    a best policy that is here.
    """
    monkeypatch.setattr(baselines, "FOLDER", tmp_path)
    monkeypatch.setattr(baselines, "MADE", tmp_path / "made")
    monkeypatch.setattr(baselines, "versions", lambda game: {"bartizan": "1", "rules_digest": "d"})
    monkeypatch.setattr(baselines, "_versions", lambda: {"torch": "2"})
    monkeypatch.setattr(shipped, "ship", lambda *_, **__: None)
    (tmp_path / "tower.json").write_text(baseline_figures.write(made_up()))

    def make(algorithm: str, won: float, **changed: Any) -> Baseline:
        def run(game: Any, seats: int, seed: int, algorithm: str, folder: Path, *_: Any) -> SeedRun:
            return msgspec.structs.replace(run_of(seed, won), algorithm=algorithm, sha256="new")

        again = (*made_up().players[:2], msgspec.structs.replace(made_up().players[2], elo=500))
        monkeypatch.setattr(baselines, "_run", run)
        monkeypatch.setattr(baselines, "_rate", lambda *_: again)
        monkeypatch.setattr(baselines, "_policy_of", lambda run, *_: tmp_path / "policy.onnx")
        words = {"algorithm": algorithm, "seeds": (2,), "minutes": 2, "deals": 400, "rounds": 20}
        more = {"slow": 0, "machine": "2 cores"}
        return baselines._make(registry.get("tower"), Namespace(**{**words, **more, **changed}))

    return make


def test_a_new_training_joins_the_kept_ones(training: Callable[..., Baseline]) -> None:
    made = training("expert", 0.9)
    assert [(run.algorithm, run.seed) for run in made.runs] == [("expert", 2), ("ppo", 0), ("ppo", 1)]
    kept = made_up().players  # not rated again
    assert (made.algorithm, made.best, made.players) == ("ppo", 1, kept)
    assert training("ppo", 0.1).players == kept
    better = training("ppo", 0.9)
    assert (better.best, better.players[2].elo) == (2, 500)


@pytest.mark.parametrize("more", [{"slow": 1}, {"rounds": 30}])
def test_who_has_not_met_on_as_many_deals_is_rated(
    training: Callable[..., Baseline], more: dict[str, Any]
) -> None:
    assert training("ppo", 0.1, **more).players[2].elo == 500


def test_the_slow_level_meets_others_on_its_own_number_of_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: Counter[bool] = Counter()

    def meet(_: LadderGame, first: str, second: str, number: int) -> Meeting:
        met[SLOW in (first, second)] += 1
        some: Any = {"points": (1.0, 0.5), "wins": (1, 0), "decisions": (9, 9), "seconds": (1.0, 1.0)}
        return Meeting(first=first, second=second, number=number, **some)

    monkeypatch.setattr(LadderGame, "meet", meet)
    game = registry.get("tower")
    levels = ["knight", "marshal", SLOW]
    told = baselines._rate(game, 2, shipped.path_of(game), levels, tmp_path, (5, 2), lambda *_: None)
    assert met == {True: 3 * 2, False: 9 * 5}  # the slow one meets greedy, the level below and the policy
    assert {each.player: each.games for each in told}[SLOW] == 3 * 2 * 2


def test_what_cannot_be_compared_is_not_kept(training: Callable[..., Baseline]) -> None:
    assert [run.seed for run in training("ppo", 0.1, minutes=3).runs] == [2]


def test_a_run_that_an_older_version_kept_has_the_algorithm_of_its_folder(tmp_path: Path) -> None:
    old = msgspec.to_builtins(run_of(3, 0.5))
    del old["algorithm"]
    kept = tmp_path / "seed-3-2min-expert" / "run-400-deals.json"
    kept.parent.mkdir()
    kept.write_bytes(msgspec.json.encode(old))
    args = Namespace(minutes=2, deals=400)
    run = baselines._run(registry.get("tower"), 2, 3, "expert", tmp_path, args, None)
    assert run == msgspec.structs.replace(run_of(3, 0.5), algorithm="expert")


def test_a_policy_is_the_one_made_here_or_the_shipped_one(tmp_path: Path) -> None:
    game, args = registry.get("tower"), Namespace(minutes=2)
    made = tmp_path / "seed-1-2min" / "policy.onnx"
    made.parent.mkdir()
    made.write_bytes(b"made here")
    run = msgspec.structs.replace(run_of(1, 0.5), sha256=sha256(b"made here").hexdigest())
    assert baselines._policy_of(run, game, tmp_path, args) == made
    run = msgspec.structs.replace(run, sha256=shipped.index()["tower"].sha256)
    assert baselines._policy_of(run, game, tmp_path, args) == shipped.path_of(game)
    with pytest.raises(BadBaseline, match="Train it again, with --seeds 1,"):
        baselines._policy_of(run_of(1, 0.5), game, tmp_path, args)


# --- The baselines that are there -----------------------------------------------------


def test_the_page_is_that_of_the_figures() -> None:
    page = baselines.PAGE.read_text(encoding="utf-8")
    assert baseline_pages.filled(page, [baseline_figures.read(path) for path in KEPT]) == page


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_shipped_policy_is_the_one_on_the_page(path: Path) -> None:
    baseline = baseline_figures.read(path)
    assert baseline.chosen == baseline_figures.best_of(baseline.runs, baseline.algorithm)
    assert path.stat().st_size < 50_000
    told = shipped.index().get(path.stem)
    won = [each.estimate for each in baseline.chosen.wins]
    if told is None:
        assert sum(won) < baselines.WORTH_SHIPPING * len(won)
        return
    assert told.sha256 == baseline.chosen.sha256
    assert told.wins == tuple(each.estimate for each in baseline.chosen.wins)
    assert told.deals == baseline.deals


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_curve_has_the_colours_of_light_and_dark(path: Path) -> None:
    text = path.with_suffix(".svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    asked = {*re.findall(r"var\((--[a-z0-9-]+)\)", text)}
    light, _, dark = text.partition("@media(prefers-color-scheme:dark)")
    assert asked <= {*re.findall(r"(--[a-z0-9-]+):#", light)}
    assert asked <= {*re.findall(r"(--[a-z0-9-]+):#", dark)}
