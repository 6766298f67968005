"""``bartizan games``: list the installed games, or one with its options."""

from __future__ import annotations

import argparse
import json
import sys

from bartizan.cli.parser import Parser
from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.engine.options import OptionSpec


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", nargs="?", metavar="GAME", help="show this game and its options")
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Print the games, and what is wrong with those that can't be played (with ``--json`` on stderr)."""
    broken = {} if args.game else registry.broken()
    names = [args.game] if args.game else [name for name in registry.names() if name not in broken]
    games = [registry.sound(name) for name in names]
    if args.json:
        for sentence in broken.values():
            print(f"bartizan: {sentence}", file=sys.stderr)
        print(json.dumps([_described(game) for game in games], ensure_ascii=False, indent=2))
        return 0
    from rich.console import Console
    from rich.text import Text

    from bartizan.terminal.rulebook import READABLE, indented

    console = Console()
    size = max(len(game.name) for game in games) if games else 0
    for game in games:
        console.print(
            Text.assemble(
                (f"{game.name:<{size}}  ", "bold cyan"),
                (game.title, "bold"),
                f"{f' by {game.author}' if game.author else ''}, {_seats(game)}",
            ),
            highlight=False,
        )
        for line in indented(Text(game.summary, style="dim"), min(console.width, READABLE), size + 2):
            console.print(line, highlight=False)
    for sentence in broken.values():
        console.print(Text(sentence, style="red"))
    if args.game:
        console.print("\nOptions (--set KEY=VALUE), the default first:", highlight=False)
        for spec in games[0].options:
            told = Text.assemble((spec.key, "bold cyan"), f" = {_values(spec)}  ", (spec.sentence, "dim"))
            first, *others = told.wrap(console, max(console.width - 6, 10))
            for by, line in ((2, first), *((6, line) for line in others)):
                line.rstrip()
                console.print(Text(" " * by).append_text(line), highlight=False)
        console.print(f"Players: person, {', '.join(games[0].players())}", highlight=False)
    return 0


def _seats(game: Game) -> str:
    if game.min_seats == game.max_seats == 1:
        return "for one"
    return f"for {game.min_seats}" + (f" to {game.max_seats}" if game.max_seats > game.min_seats else "")


def _values(spec: OptionSpec) -> str:
    default = json.dumps(spec.default) if isinstance(spec.default, bool) else str(spec.default)
    if spec.kind == "bool":
        return f"{default} | {'false' if spec.default else 'true'}"
    if spec.kind == "choice":
        return " | ".join([default, *(str(value) for value in spec.values if value != spec.default)])
    if spec.kind == "text":
        examples = [str(value) for value in spec.values if value != spec.default]
        return f"{default} (or such as {', '.join(examples)})"
    return f"{default} ({spec.low} to {spec.high})"


def _described(game: Game) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "author": game.author,
        "summary": game.summary,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "players": list(game.players()),
        "options": [
            {
                "key": spec.key,
                "default": spec.default,
                "values": list(spec.values),
                "low": spec.low,
                "high": spec.high,
                "sentence": spec.sentence,
            }
            for spec in game.options
        ],
    }
