"""``bartizan throw``: throw one card and show the result."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, whole
from bartizan.engine.extras import require
from bartizan.engine.files import write_atomically

if TYPE_CHECKING:
    from bartizan.engine.layout import TableLayout
    from bartizan.throwing.throw import Throw

HEADER = "ms,x,y,z,qw,qx,qy,qz"


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.throwing.release import FIELDS, METHODS, RANGES

    parsing = Parser(
        prog=prog,
        description=f"{meaning}; values that aren't given are the method's own, listed below",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="ranges:\n" + "\n".join(f"  {line}" for method in METHODS for line in _ranges(method)),
    )
    methods = ", ".join(METHODS)
    parsing.add_argument(
        "--method", default=METHODS[0], metavar="METHOD", help=f"{methods} (default: {METHODS[0]})"
    )
    for field in FIELDS:
        limits = RANGES[METHODS[0]][field]
        parsing.add_argument(f"--{field}", metavar="N", help=f"{limits.meaning} ({limits.unit})")
    parsing.add_argument(
        "--seat", type=whole(1, 99), default=1, metavar="N", help="seat that throws (default: 1)"
    )
    parsing.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="throw at the table of this position, in TOML or JSON (default: a table for two)",
    )
    parsing.add_argument(
        "--grace",
        metavar="S",
        help="seconds for which the card may touch the table before a target, 0 to 0.1 (default: 0.008)",
    )
    parsing.add_argument(
        "--frames", type=Path, metavar="FILE", help=f"write the key frames to this CSV file: {HEADER}"
    )
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def _ranges(method: str) -> list[str]:
    from bartizan.throwing.release import RANGES

    return [
        f"{method} --{field}: {limits.text()} ({limits.default:g})"
        for field, limits in RANGES[method].items()
    ]


def run(args: argparse.Namespace) -> int:
    """Throw the card and print what it did."""
    require("throwing", "Throwing a card")
    from bartizan.throwing.picture import legend, picture
    from bartizan.throwing.release import FIELDS, read_release
    from bartizan.throwing.throw import throw
    from bartizan.throwing.verdict import GRACE

    given = {field: getattr(args, field) for field in FIELDS}
    release = read_release(
        args.method, {field: number(text) for field, text in given.items() if text is not None}
    )
    layout = read_layout(args.table)
    grace = GRACE if args.grace is None else number(args.grace)
    thrown = throw(layout, args.seat, release, grace)
    if args.frames:
        write_frames(args.frames, thrown)
    if args.json:
        print(json.dumps(thrown.to_json(), ensure_ascii=False))
        return 0
    flown = thrown.to_flown("")
    lines = picture(layout, flown)
    for line in [*lines, legend(layout, flown, lines)]:
        print(line)
    print(thrown.sentence)
    return 0


def number(text: str) -> float | str:
    """Return a number, or the text itself if it is none, for the physics to refuse by name."""
    try:
        return float(text)
    except ValueError:
        return text


def read_layout(path: Path | None) -> TableLayout:
    """Return the table of a position, whose cards are thrown or not, or that of a duel.

    Raises `UsageError` for a file about a game in which nothing is thrown.
    """
    from bartizan.throwing.standard import standard_layout

    if path is None:
        return standard_layout()
    from bartizan.cli.start import options_with, read_start
    from bartizan.engine import registry
    from bartizan.match import Match

    start = read_start(path)
    if start.game is None:
        raise UsageError(f"{path} names no game.")
    game = registry.get(start.game)
    if game.throwing is None:
        raise UsageError(f"{path} is about {game.title}, in which nothing is thrown.")
    options = options_with(start, {}, game, path)
    match = Match(game, options, start.seats, start.seed, start.position)
    return game.throwing.table_layout(match.view(), {})


def write_frames(path: Path, thrown: Throw) -> None:
    """Write the key frames as lines of figures: milliseconds, metres, quaternion."""
    from bartizan.throwing.frames import unpack

    rows = unpack(thrown.flight.frames)
    lines = [HEADER, *(f"{row[0]:.0f}," + ",".join(f"{value:.5f}" for value in row[1:]) for row in rows)]
    write_atomically(path, "\n".join(lines) + "\n")
