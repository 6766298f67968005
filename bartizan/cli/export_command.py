"""``bartizan export``: play games and write every decision as Parquet, for programs that learn from them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bartizan.cli.parser import Parser, add_seed, add_settings, add_threads, read_settings, whole
from bartizan.cli.progress import bar
from bartizan.cli.seats import add_players, read_players


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: observations, legal actions and choices. After Ctrl-C, the same command "
        "continues where it stopped; existing files are never overwritten",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument("--out", type=Path, metavar="FOLDER", required=True, help="folder for the files")
    parsing.add_argument(
        "--games", type=whole(1, 10**9), default=1_000, metavar="N", help="number of games (default: 1000)"
    )
    add_players(parsing, "any program (default: random)")
    add_seed(parsing, "the seed (default: 0)", "0")
    add_threads(parsing, "number of threads (default: 1)")
    add_settings(parsing)
    parsing.add_argument(
        "--max-plies", type=whole(1, 10**9), metavar="N", help="end games after N plies (default: never)"
    )
    parsing.add_argument(
        "--games-a-file",
        type=whole(1, 100_000),
        metavar="N",
        help="games per file, all held in memory until it is written (default: 250)",
    )
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Play, write, and describe the data set."""
    from bartizan.cli.compile_command import compile_missing
    from bartizan.compile.targets import target_for
    from bartizan.engine import registry
    from bartizan.envs import dataset

    game = registry.get(args.game)
    players = read_players(args, game, "random", persons=False)
    given = {
        "players": players,
        "options": read_settings(args.settings),
        "seed": args.seed,
        "threads": args.threads,
        "max_plies": args.max_plies,
        "games_a_file": args.games_a_file or dataset.GAMES_A_FILE,
    }
    dataset.Export(game, args.out, **given).begin()  # refusals come before anything is compiled
    searches = {target_for(game, player) for player in players} - {"table"}
    compile_missing([game.name], ["table", *searches, "envs"])
    with bar("games played and written", args.games) as progress:
        exported = dataset.export(game, args.out, args.games, progress=progress, **given)
    if args.json:
        told = {"game": game.name, "games": exported.games, "plies": exported.plies, "files": exported.files}
        print(json.dumps(told | {"bytes": exported.bytes, "folder": str(args.out)}))
    else:
        files = f"{exported.files:,} file{'s' if exported.files > 1 else ''}"
        print(
            f"{exported.games:,} games, {exported.plies:,} plies in {files} "
            f"({exported.bytes / 1e6:,.1f} MB): {args.out}"
        )
    return 0
