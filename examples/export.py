"""Write games as a data set and look into it: what the greedy player does most.

pip install 'bartizan[data]'
python examples/export.py --games 200 --out played
"""

from __future__ import annotations

import argparse
from collections import Counter

import pyarrow.parquet as parquet

from bartizan.engine import registry
from bartizan.envs.dataset import export


def main() -> None:
    """Write the games, then count the verbs of their actions."""
    parsing = argparse.ArgumentParser(description="Write games and count what is played.")
    parsing.add_argument("--game", default="alcazar")
    parsing.add_argument("--games", type=int, default=200)
    parsing.add_argument("--out", default="played")
    args = parsing.parse_args()
    game = registry.get(args.game)
    files = export(game, args.games, args.out, players=["greedy"] * game.min_seats)
    table = parquet.ParquetDataset([str(path) for path in files]).read(columns=["action", "ply"])
    verbs = Counter(game.actions.block_of(action).name for action in table["action"].to_pylist())
    print(f"{table.num_rows:,} decisions in {args.games:,} games")
    for verb, count in verbs.most_common():
        print(f"  {verb}: {100 * count / table.num_rows:.1f} %")


if __name__ == "__main__":
    main()
