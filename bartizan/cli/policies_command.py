"""``bartizan policies``: list the trained policies that come with Bartizan, and copy one to a file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_parts

WORDS = {
    "list": "check the policies, and list what they win and how they were made",
    "get": "check a game's policy and write it to a file",
}


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    add_part = add_parts(parsing, WORDS)
    add_part("list").add_argument("--json", action="store_true", help="print JSON")
    get = add_part("get")
    get.add_argument("game", metavar="GAME")
    get.add_argument("--out", type=Path, metavar="FILE", help="the new file (default: GAME.onnx)")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    return _get(args) if args.part == "get" else _list(as_json=args.json)


def _list(*, as_json: bool) -> int:
    import msgspec

    from bartizan.engine import registry
    from bartizan.envs import shipped

    known = shipped.index()
    for name in known:
        shipped.read_shipped(registry.get(name))  # which raises
    if as_json:
        print(json.dumps(msgspec.to_builtins(known)))
        return 0
    for name, each in known.items():
        shares = " and ".join(f"{share:.1%}" for share in each.wins)
        what = "of deals" if len(each.wins) == 1 else "against greedy, by seat"
        print(f"{registry.get(name).title}: wins {shares} {what} ({each.deals:,} fresh deals)")
        print(f"  {each.file}, {each.size / 1e6:.1f} MB, made by `{each.made}`")
    return 0


def _get(args: argparse.Namespace) -> int:
    from bartizan.engine import registry
    from bartizan.engine.files import replacing
    from bartizan.envs import shipped

    game = registry.get(args.game)
    data = shipped.data_of(game)
    path = args.out or Path(f"{game.name}.onnx")
    if path.exists() and not (path.is_file() and path.read_bytes() == data):
        raise UsageError(f"{path} is there already. Name another file with --out.")
    with replacing(path) as part:
        part.write_bytes(data)
    print(f"{path} is written. Play it: bartizan play {game.name} --players person,policy:{path}")
    return 0
