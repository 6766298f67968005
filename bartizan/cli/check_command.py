"""``bartizan check``: find what is missing or wrong in a game."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from bartizan.cli.errors import FAILED
from bartizan.cli.parser import Parser, whole


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME", help="folder or name of the game")
    parsing.add_argument(
        "--games",
        type=whole(1, 100_000),
        default=200,
        metavar="N",
        help="random games to play (default: 200); with fewer, the rules aren't compiled",
    )
    return parsing


def run(args: argparse.Namespace) -> int:
    """Check the game's files, play random games, compile the rules, and print what is wrong."""
    from bartizan.engine import registry
    from bartizan.engine.mode import COMPILED
    from bartizan.engine.trial import compile_fault, note_success
    from bartizan.match.checking import GAMES, check_game, lines_of
    from bartizan.match.local import find_package, load_game

    if COMPILED:  # called from Python, by a game's own test
        return _run_interpreted([args.game, "--games", str(args.games)])
    package = find_package(args.game)
    game = registry.get(args.game) if package is None else load_game(package)
    checked = check_game(game, args.games)
    if not checked.faults and args.games >= GAMES:
        note_success(game.name, game.folder)
        print("Compiling the rules. This takes a few seconds.", flush=True)
        if fault := compile_fault(game.package, game.folder):
            checked = checked._replace(faults=(fault,))
    for line in lines_of(checked):
        print(line)
    return FAILED if checked.faults else 0


def _run_interpreted(words: list[str]) -> int:
    """Run the command in a separate process that doesn't compile rules."""
    done = subprocess.run(
        [sys.executable, "-m", "bartizan", "check", *words],
        env={**os.environ, "BARTIZAN_MODE": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode
