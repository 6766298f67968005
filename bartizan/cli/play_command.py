"""``bartizan play``: a table in the terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_position, add_resume, add_seed, add_settings, read_settings
from bartizan.cli.progress import bar
from bartizan.cli.seats import add_players, read_players

if TYPE_CHECKING:
    from bartizan.match import Match


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}; moves can also come from a pipe, one per line",
    )
    parsing.add_argument(
        "game", nargs="?", metavar="GAME", help="can be omitted if the --position or --resume file names it"
    )
    add_players(parsing, "person, or a program such as greedy or random (default: person)")
    add_settings(parsing)
    add_seed(parsing, "deal the game of this seed (default: random)")
    parsing.add_argument(
        "--record", type=Path, metavar="FILE", help="write the record of the game to this file"
    )
    add_position(parsing)
    add_resume(parsing, "every move")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Play a game."""
    from rich.console import Console

    from bartizan.cli.compile_command import compile_missing
    from bartizan.cli.start import options_with, start_at
    from bartizan.compile.targets import target_for
    from bartizan.match import Match
    from bartizan.match.aim import require_physics
    from bartizan.terminal.programs import chooser
    from bartizan.terminal.prompt import piped_lines, typed_lines
    from bartizan.terminal.session import Session

    resumed = _resumed(args)
    game, start = start_at(args.position, args.game or (resumed.game.name if resumed else None))
    seats = start.seats if resumed is None else resumed.seats
    players = read_players(args, game, "person", persons=True, seats=seats)
    if seats not in (None, len(players)):
        raise UsageError(f"{args.resume or args.position} has a game for {seats}, not for {len(players)}.")
    given = options_with(start, read_settings(args.settings), game, args.position)
    options = given if resumed is None else resumed.options
    if set(players) != {"person"}:
        game.check_programs(options, len(players))
    require_physics(game, game.read_options(options, len(players)))
    compile_missing([game.name], ["table", *{target_for(game, player) for player in players} - {"table"}])
    match = resumed or Match(game, options, len(players), args.seed or start.seed, start.position)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    session = Session(
        match,
        Console(),
        players,
        chooser(match),
        interactive=interactive,
        record=args.resume or args.record,
        resumes=resumed is not None,
        watch=bar,
    )
    session.run(typed_lines(session.offers, lambda: session.seat) if interactive else piped_lines(sys.stdin))
    return 0


def _resumed(args: argparse.Namespace) -> Match | None:
    """Return the game to continue, None without one; raises `UsageError`, `CorruptRecord`."""
    from bartizan.cli.records import load
    from bartizan.engine import registry

    if args.resume is not None and args.record is not None:
        raise UsageError("--resume writes the record, too. Leave out --record.")
    if args.resume is None or not args.resume.exists():
        return None
    match = load(args.resume)
    said = {"--set": args.settings, "--seed": args.seed, "--position": args.position}
    wrong = next((option for option, value in said.items() if value), None)
    game = registry.get(args.game) if args.game else match.game
    if match.game is not game:
        raise UsageError(f"{args.resume} has a game of {match.game.title}, not of {game.title}.")
    if match.is_over:
        raise UsageError(f"The game in {args.resume} is over. `bartizan replay {args.resume}` shows it.")
    if wrong:
        raise UsageError(f"{args.resume} has a game already. Leave out {wrong} to continue it.")
    return match
