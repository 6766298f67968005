"""The examples for researchers run, and learn something."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from bartizan.engine.mode import COMPILED
from tests.corpus import THOROUGH
from tests.test_house import ROOT

EXAMPLES = ROOT / "examples"
LONGEST = 150  # lines of an example that are not blank


def run(name: str, *words: str, interpreted: bool = True) -> str:
    """Run an example and return what it prints."""
    mode = {"BARTIZAN_MODE": "python"} if interpreted else {}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **mode},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    return done.stdout


def test_examples_are_short() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert sum(map(bool, path.read_text(encoding="utf-8").splitlines())) <= LONGEST, path.name


def test_a_linear_policy_plays_itself_into_shape() -> None:
    said = run("selfplay_tower.py", "--seconds", "2", "--tables", "4")
    assert re.search(r"\d+ games against greedy while it learned", said)
    assert re.search(r"now it wins [\d.]+% of fresh deals", said)


def test_maskable_ppo_of_sb3_trains_on_many_tables() -> None:
    pytest.importorskip("sb3_contrib", reason="needs sb3-contrib; CONTRIBUTING says how to run it")
    words = ["--steps", "1024", "--tables", "8", "--games", "8"]
    said = run("maskable_ppo.py", *words, interpreted=not COMPILED)
    assert re.search(r"and [\d.]+% after 1,024 steps", said)


def test_their_mccfr_learns_a_deal() -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    said = run("openspiel_mccfr.py", "--iterations", "300", "--games", "200", interpreted=not COMPILED)
    before, after = map(float, re.findall(r"[+-]\d\.\d\d", said))
    assert abs(before) < 0.1 < after


def test_players_meet_in_a_round_robin() -> None:
    said = run("pettingzoo_tournament.py", "--games", "2", interpreted=not COMPILED)
    points = {name: float(each) for name, each in re.findall(r"^(\w+) +([\d.]+) of 4 points$", said, re.M)}
    assert sum(points.values()) == 6
    assert min(points, key=points.__getitem__) == "random"


@pytest.mark.skipif(not (COMPILED and THOROUGH), reason="takes minutes")
def test_their_searches_meet_ours() -> None:
    said = run("openspiel_search.py", "--games", "2", "--simulations", "10", interpreted=False)
    assert len(re.findall(r"wins \d of 2 games against greedy", said)) == 2
