"""``bartizan export``: write played games as a data set."""

from __future__ import annotations

import argparse

from bartizan.cli.parser import Parser, add_seed, add_settings, read_settings, whole
from bartizan.cli.progress import bar
from bartizan.cli.seats import add_players, read_players


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=f"{meaning}: Parquet files, a row for each decision")
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument("--out", required=True, metavar="DIR", help="the folder to write to")
    parsing.add_argument(
        "--games", type=whole(1, 10**8), default=1_000, metavar="N", help="how many games (1000)"
    )
    parsing.add_argument(
        "--max-plies", type=whole(1, 10**9), metavar="N", help="decisions after which a game is broken off"
    )
    add_players(parsing, "any programs (random); all of one skill where they throw")
    add_seed(parsing, "where the games come from (0)", "0")
    add_settings(parsing)
    return parsing


def run(args: argparse.Namespace) -> int:
    """Play the games, write them, and say what was written."""
    from bartizan.engine import registry
    from bartizan.envs.dataset import export

    game = registry.get(args.game)
    players = read_players(args, game, "random", persons=False)
    with bar("playing", args.games) as progress:
        files = export(
            game,
            args.games,
            args.out,
            players=players,
            options=read_settings(args.settings),
            seed=args.seed,
            max_plies=args.max_plies,
            progress=progress,
        )
    size = sum(path.stat().st_size for path in files)
    many = f"{len(files)} file{'s' if len(files) > 1 else ''}"
    print(f"{args.games:,} games in {many}, {size / 1e6:.1f} MB, in {files[0].parent}")
    return 0
