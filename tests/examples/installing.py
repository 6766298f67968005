"""Install an example without pip, and run the suites for all games on it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.server.serving import ROOT

# What is asked of all games alike, less what takes long where rules are interpreted.
GENERIC = (
    "tests/games/test_every_game.py",
    "tests/games/test_hostile_positions.py",
    "tests/games/test_properties.py::test_cards_are_conserved_after_every_ply",
    "tests/engine/test_words.py",
    "tests/match/test_finished.py",
    "tests/match/test_lessons.py",
    "tests/envs/test_observations.py",
    "tests/envs/test_batch.py::test_a_batch_plays_what_a_match_plays",
    "tests/envs/test_batch.py::test_neither_size_nor_threads_nor_neighbours_change_a_game",
    "tests/envs/test_batch.py::test_a_saved_batch_goes_on_alike",
)
LEFT_OUT = ("hints", "without_a_compiler")


def install(example: Path, folder: Path) -> dict[str, str]:
    """Return an environment in which an example is installed and rules are interpreted.

    Neither pip nor a network is needed: what an installer would write is a folder with the package's
    metadata, and that lies here beside the package on Python's path.
    """
    project = tomllib.loads((example / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    told = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(told)
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {target}" for name, target in points.items())])
        for group, points in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(groups) + "\n")
    path = os.pathsep.join(map(str, (ROOT, example, folder)))
    return {**os.environ, "PYTHONPATH": path, "BARTIZAN_MODE": "python"}


def run(environment: dict[str, str], *words: str, typed: str = "") -> str:
    """Run Python with some words, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-3_000:]
    return done.stdout


def run_generic(environment: dict[str, str], name: str) -> int:
    """Run the suites for all games on one; return how many tests passed."""
    chosen = " and not ".join([name, *LEFT_OUT])
    said = run(environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", *GENERIC, "-k", chosen)
    told = re.search(r"(\d+) passed", said)
    assert told, said
    return int(told[1])
