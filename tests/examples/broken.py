"""Copy an example, break it, and run commands where the copy is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import ROOT, Serving

EXAMPLE = ROOT / "examples" / "connect_four" / "connect_four"


class Broken:
    """A copy of Connect Four that tests break, installed as pip would."""

    def __init__(self, folder: Path, target: str = "connect_four:game") -> None:
        self.site = folder
        self.package = folder / "connect_four"
        shutil.copytree(EXAMPLE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        metadata = folder / "towers-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: towers\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text(f"[bartizan.games]\nconnect-four = {target}\n")

    def change(self, file: str, old: str, new: str) -> None:
        """Replace text in one of its files, or write a file that it does without."""
        path = self.package / file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert old in text
        (self.package / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    def environment(self, mode: str) -> dict[str, str]:
        """Return the variables with which it is installed."""
        path = os.pathsep.join((str(ROOT), str(self.site)))
        return {**os.environ, "PYTHONPATH": path, "BARTIZAN_MODE": mode}

    def listed(self, mode: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, Any]]:
        """Return a server's answer about its games; `data` is its folder."""
        for name, value in self.environment(mode).items():
            monkeypatch.setenv(name, value)
        serving = Serving("bartizan.server.run", data)
        try:
            return serving.json("GET", "/api/games")
        finally:
            serving.stop()

    def run(self, *words: str, mode: str = "python") -> tuple[int, str, str]:
        """Run a command; return its exit code and what it printed, line breaks as spaces."""
        done = subprocess.run(
            [sys.executable, "-m", "bartizan", *words],
            cwd=ROOT,
            env=self.environment(mode),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, " ".join(done.stdout.split()), " ".join(done.stderr.split())
