"""Export games of two programs and read them back: who won, and how far a first-sight rule follows `greedy`.

    pip install 'bartizan[lab]'
    bartizan export tower --games 200 --players greedy,random --out played
    python examples/export.py played

Hugging Face's ``datasets`` and PyArrow read the same files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl


def main(folder: Path) -> None:
    """Print who won, and how often a linear rule taught by half the games finds the actions of the rest."""
    heading = json.loads((folder / "_dataset.json").read_text(encoding="utf-8"))
    rows = pl.read_parquet(folder / "*.parquet")

    ends = rows.filter(pl.col("terminated") | pl.col("truncated"))
    for seat, player in enumerate(heading["players"]):
        won = (ends["rewards"].arr.get(seat) > 0).mean()
        print(f"seat {seat + 1}, {player}: won {won:.1%} of {len(ends)} games")

    if "greedy" not in heading["players"]:
        sys.exit("The rule learns from greedy, who didn't play here: export with --players greedy,random")

    # One row of weights for each action, by least squares from what was observed to what was chosen.
    chosen = rows.filter(pl.col("player") == "greedy", pl.col("legal").list.len() > 1)
    known, asked = (chosen.filter(pl.col("episode") % 2 == rest) for rest in (0, 1))
    seen = known["observation"].to_numpy().astype(np.float64)
    target = np.zeros((len(known), heading["actions"]))
    target[np.arange(len(known)), known["action"].to_numpy()] = 1
    square = seen.T @ seen + 10 * np.eye(seen.shape[1])
    weights = np.linalg.solve(square, seen.T @ target)

    scores = asked["observation"].to_numpy() @ weights
    legal = asked["legal"].to_list()
    found = [actions[int(np.argmax(row[actions]))] for row, actions in zip(scores, legal, strict=True)]
    hits = np.mean(np.array(found) == asked["action"].to_numpy())
    chance = np.mean([1 / len(actions) for actions in legal])
    print(f"of {len(asked)} actions of other games the rule finds {hits:.1%}; chance finds {chance:.1%}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "_dataset.json").is_file():
        sys.exit("Name a folder that `bartizan export` wrote: python examples/export.py FOLDER")
    main(Path(sys.argv[1]))
