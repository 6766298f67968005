"""The pages for researchers say what is so."""

from __future__ import annotations

import re
from pathlib import Path

from bartizan.envs.describe import main
from tests.test_house import ROOT


def test_the_page_of_observations_is_fresh(tmp_path: Path) -> None:
    main([str(tmp_path / "page.md")])
    written = (ROOT / "docs" / "observations.md").read_text(encoding="utf-8")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == written, "run `make generated`"


def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    """Each block of Python in docs/research.md, in order, in one session; files go elsewhere."""
    text = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, object] = {}
    for block in blocks:
        if "torch" in block:
            continue  # an extra of the examples alone
        exec(
            block.replace('"played', f'"{tmp_path}/played').replace(
                '"tables.npz"', f'"{tmp_path}/tables.npz"'
            ),
            names,
        )
