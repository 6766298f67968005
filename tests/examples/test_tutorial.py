"""The two games of docs/your-game.md, put together from its blocks, hold together."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import ROOT

PAGE = ROOT / "docs" / "your-game.md"


def blocks(heading: str) -> list[tuple[str, str]]:
    """Return the blocks of a section: their languages and texts."""
    (section,) = re.findall(
        rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return re.findall(r"^```(\w+)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "package"), [("Connect Four", "connect_four"), ("A card game", "battle_line")]
)
def test_its_blocks_make_a_game(tmp_path: Path, heading: str, package: str) -> None:
    found = blocks(heading)
    assert len(found) > 8
    home = tmp_path / package
    home.mkdir()
    (tmp_path / "scenarios").mkdir()
    code = "\n\n".join(text for language, text in found if language == "python")
    (home / "__init__.py").write_text(code, encoding="utf-8")
    book, scenario = (text for language, text in found if language == "toml")
    (home / "clauses.toml").write_text(book, encoding="utf-8")
    (tmp_path / "scenarios" / "one.toml").write_text(scenario, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "bartizan", "check", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "BARTIZAN_MODE": "python"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "250 positions, 1 scenario, 0 faults." in done.stdout
