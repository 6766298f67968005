"""The example that reads an export runs as its first lines say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from bartizan.envs.dataset import export

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "export.py"


def test_it_reads_what_was_exported(tmp_path: Path) -> None:
    export("tower", tmp_path, 4, players=["greedy", "random"], seed="1")
    done = subprocess.run([sys.executable, EXAMPLE, tmp_path], capture_output=True, text=True, check=True)
    told = re.search(r"the rule finds ([\d.]+)%; chance finds ([\d.]+)%", done.stdout)
    assert "seat 1, greedy: won" in done.stdout
    assert told is not None
    assert 100 > float(told[1]) > float(told[2]) > 0


def test_the_example_asks_for_a_folder(tmp_path: Path) -> None:
    for words in ([], [str(tmp_path)]):
        done = subprocess.run([sys.executable, EXAMPLE, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("Name a folder that `bartizan export` wrote")


def test_it_reads_games_that_were_cut_off_or_had_no_greedy(tmp_path: Path) -> None:
    export("tower", tmp_path, 2, max_plies=20, seed="1")
    run = subprocess.run(
        [sys.executable, str(EXAMPLE), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert "seat 2, random: won 0.0% of 2 games" in run.stdout
    assert run.stderr.startswith("The rule learns from greedy, who didn't play here")
