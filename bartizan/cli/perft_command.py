"""``bartizan perft``: count the lines of play of a given length, to compare rules with other programs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_seats, add_settings, read_settings, whole
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.match import Match


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.lab.perft import DEEPEST

    parsing = Parser(
        prog=prog,
        description=f"{meaning} (each action is one ply), in games without chance",
    )
    parsing.add_argument(
        "game", nargs="?", metavar="GAME", help="can be omitted if the file of --position names it"
    )
    parsing.add_argument(
        "--depth", type=whole(1, DEEPEST), required=True, metavar="N", help="length of the lines, in plies"
    )
    parsing.add_argument(
        "--divide", action="store_true", help="also count the lines that begin with each legal move"
    )
    parsing.add_argument(
        "--position",
        type=Path,
        metavar="FILE",
        help="start from this position, scenario or trace entry (TOML or JSON), with its game and options",
    )
    add_seats(parsing)
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Count, with a progress bar."""
    from bartizan.lab.perft import divide

    match = table(args)
    with bar("first moves counted") as progress:
        lines = divide(match, args.depth, progress)
    total = sum(lines.values())
    if args.json:
        whole = {"game": match.game.name, "depth": args.depth, "lines": total}
        print(json.dumps({**whole, "divide": lines} if args.divide else whole))
        return 0
    if args.divide:
        for text, count in lines.items():
            print(f"{text}: {count}")
    print(total)
    return 0


def table(args: argparse.Namespace) -> Match:
    """Return the table from the command line and the file; raises `UsageError` if they contradict."""
    from bartizan.cli.start import Start, options_with, read_start
    from bartizan.engine import registry
    from bartizan.match import Match

    path = args.position
    start = read_start(path) if path is not None else Start()
    name = args.game or start.game
    if name is None:
        raise UsageError(f"GAME is missing{f', and {path} names none' if path else ''}.")
    game = registry.get(name)
    if start.game is not None and registry.get(start.game) is not game:
        raise UsageError(f"{path} is about {start.game}, not {game.name}.")
    if None not in (start.seats, args.seats) and start.seats != args.seats:
        raise UsageError(f"{path} is for {start.seats} seats, and --seats {args.seats} says otherwise.")
    seats = args.seats if start.seats is None else start.seats
    options = options_with(start, read_settings(args.settings), game, path)
    return Match(game, options, seats, start.seed, start.position)
