"""``bartizan perft``: count the lines of play of a given length, to compare rules with other programs."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_position, add_seats, add_settings, read_settings, whole
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
        "game", nargs="?", metavar="GAME", help="can be omitted if the --position file names it"
    )
    parsing.add_argument(
        "--depth", type=whole(1, DEEPEST), required=True, metavar="N", help="length of the lines, in plies"
    )
    parsing.add_argument(
        "--divide", action="store_true", help="also count the lines that begin with each legal move"
    )
    add_position(parsing)
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
    from bartizan.cli.start import options_with, start_at
    from bartizan.match import Match

    game, start = start_at(args.position, args.game)
    if None not in (start.seats, args.seats) and start.seats != args.seats:
        raise UsageError(
            f"{args.position} is for {start.seats} seats, and --seats {args.seats} says otherwise."
        )
    seats = args.seats if start.seats is None else start.seats
    options = options_with(start, read_settings(args.settings), game, args.position)
    return Match(game, options, seats, start.seed or "0", start.position)
