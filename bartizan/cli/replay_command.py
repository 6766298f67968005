"""``bartizan replay``: show a recorded game at any ply, or verify it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, whole
from bartizan.cli.records import load

if TYPE_CHECKING:
    from bartizan.match import Match


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument(
        "record", type=Path, metavar="RECORD", help="the record of a game, from `play --record` or a table"
    )
    parsing.add_argument(
        "--verify",
        action="store_true",
        help="replay every move by the rules and report whether all are legal",
    )
    parsing.add_argument("--ply", type=whole(0, 10**6), metavar="N", help="show the table after this ply")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Replay a record; exit code 2 if it cannot be read or stops being legal."""
    match = load(args.record)
    if args.ply is not None and args.ply > match.last_ply:
        raise UsageError(f"There is no ply {args.ply}; {args.record} ends at ply {match.last_ply}.")
    if args.verify:
        moves = f"{match.last_ply} move{'' if match.last_ply == 1 else 's'}"
        end = match.views.headline or "The game isn't over."
        print(f"{args.record} holds: {moves}, all legal. {end} Final position {match.digest()}.")
    if args.ply is not None or not args.verify:
        show(match, match.last_ply if args.ply is None else args.ply, moves=args.ply is None)
    return 0


def show(match: Match, ply: int, *, moves: bool) -> None:
    """Print the moves, if they are asked for, and draw the table after a ply."""
    from rich.console import Console
    from rich.text import Text

    from bartizan.cli.heading import print_heading
    from bartizan.terminal.draw import print_scene
    from bartizan.terminal.glyphs import seat_name

    console = Console()
    theme = match.views.setting.theme
    if moves:
        print_heading(console, match)
        for number, (seat, move) in enumerate(zip(match.movers, match.moves, strict=True), 1):
            who = Text.assemble(" ", seat_name(seat, theme), ":") if match.seats > 1 else ""
            console.print(Text.assemble(f"{number:>4}.", who, f" {move}"), highlight=False)
    match.go_to(ply)
    seat = 1 if match.seats == 1 else 0  # with more seats, what anybody at the table could see
    print_scene(console, match.views.scene(seat, choices=False), match.views.setting)
