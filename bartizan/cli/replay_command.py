"""``bartizan replay``: show a recorded game at any ply, or verify it."""

from __future__ import annotations

import argparse
from pathlib import Path

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, whole


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("record", type=Path, metavar="RECORD", help="a record, as `play --record` writes it")
    parsing.add_argument(
        "--verify", action="store_true", help="play every move by the rules, and say whether it holds"
    )
    parsing.add_argument("--ply", type=whole(0, 10**6), metavar="N", help="show the table after this ply")
    return parsing


def run(found: argparse.Namespace) -> int:
    """Replay a record."""
    raise UsageError("not yet")
