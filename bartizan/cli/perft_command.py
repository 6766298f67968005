"""``bartizan perft``: count the lines of play of a given length, to compare rules with other programs."""

from __future__ import annotations

import argparse
import json
import tomllib
from pathlib import Path
from typing import Any

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_settings, read_settings, whole
from bartizan.cli.progress import bar


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.lab.perft import DEEPEST

    parsing = Parser(
        prog=prog,
        description=f"{meaning}, every action being one ply; for games that leave nothing to chance",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--depth", type=whole(1, DEEPEST), required=True, metavar="N", help="how many plies a line has"
    )
    parsing.add_argument(
        "--divide", action="store_true", help="also the lines that begin with each legal move"
    )
    parsing.add_argument(
        "--position",
        type=Path,
        metavar="FILE",
        help="begin there: a position, scenario or trace entry in TOML or JSON",
    )
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(found: argparse.Namespace) -> int:
    """Count, with a bar that tells how far it is."""
    from bartizan.engine import registry
    from bartizan.lab.perft import divide
    from bartizan.match import Match

    game = registry.get(found.game)
    position = read_position(found.position) if found.position is not None else None
    match = Match(game, read_settings(found.settings), seed="0", position=position)
    with bar("first moves counted") as progress:
        lines = divide(match, found.depth, progress)
    total = sum(lines.values())
    if found.json:
        whole = {"game": game.name, "depth": found.depth, "lines": total}
        print(json.dumps({**whole, "divide": lines} if found.divide else whole))
        return 0
    if found.divide:
        for text, count in lines.items():
            print(f"{text}: {count}")
    print(total)
    return 0


def read_position(path: Path) -> dict[str, Any]:
    """Return the position in a file: the whole table, or what lies under ``position`` in it.

    Raises `Unreadable` for a file that is no text, `UsageError` for a text that is neither TOML nor JSON.
    """
    from bartizan.engine.files import read_text

    text = read_text(path)
    try:
        table = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is no position in TOML or JSON: {error}.") from error
    inner = table.get("position", table)
    if not isinstance(inner, dict):
        raise UsageError(f"{path}: the position must be a table, such as notation.md shows.")
    return inner
