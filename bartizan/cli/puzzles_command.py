"""``bartizan puzzles``: find puzzles by playing games and looking at every line of a turn."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import Parser, whole
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.match.lessons import Puzzle


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=f"{meaning}, as defined in the game's puzzles.toml")
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--games",
        type=whole(1, 100_000),
        default=40,
        metavar="N",
        help="number of games to search for each kind (default: 40)",
    )
    parsing.add_argument(
        "--series",
        type=whole(0, 2**31),
        default=1,
        metavar="N",
        help="which series of games to search (default: 1)",
    )
    parsing.add_argument(
        "--kind", action="append", metavar="KIND", help="search only for this kind (repeatable)"
    )
    parsing.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of printing")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Find puzzles, with a progress bar."""
    from bartizan.engine import registry
    from bartizan.engine.errors import UnknownLesson, nearest
    from bartizan.engine.files import write_atomically
    from bartizan.lab.puzzles import Finder, graded, told
    from bartizan.match.lessons import read_puzzles

    game = registry.get(args.game)
    kinds = read_puzzles(game).kind
    for kind in args.kind or ():
        if kind not in kinds:
            meant = nearest(kind, kinds) or f" Choose from {', '.join(kinds)}."
            raise UnknownLesson(f"{game.title} has no kind of puzzle {kind!r}.{meant}")
    chosen = {name: kind for name, kind in kinds.items() if not args.kind or name in args.kind}
    puzzles: list[Puzzle] = []
    code = 0
    try:
        with bar("games looked at") as progress:
            for n, (name, kind) in enumerate(chosen.items()):
                finder = Finder(game, name, kind, args.series)
                for number in range(args.games):
                    puzzles += finder.found_in(number)
                    progress(n * args.games + number + 1, len(chosen) * args.games)
    except KeyboardInterrupt:
        code = INTERRUPTED  # what was found by then is kept
    text = told(graded(puzzles))
    if args.out is None:
        print(text)
    else:
        write_atomically(args.out, text)
    return code
