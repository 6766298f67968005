"""``bartizan trace``: print random games in full, so that anybody can check the rules."""

from __future__ import annotations

import argparse
import json
import sys

from bartizan.cli.parser import Parser, add_seed, add_settings, read_settings, whole
from bartizan.cli.seats import add_players, read_players

FLUSHED = 200  # lines that are written at a time


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--games", type=whole(1, 10**9), default=1, metavar="N", help="number of games (default: 1)"
    )
    add_seed(parsing, "the seed (default: 0)", "0")
    add_players(parsing, "any program (default: random)")
    add_settings(parsing)
    parsing.add_argument(
        "--json", action="store_true", help="print JSON Lines with positions and legal moves"
    )
    return parsing


def run(args: argparse.Namespace) -> int:
    """Print the games: as JSON Lines, or the moves alone for reading."""
    from bartizan.engine import registry
    from bartizan.match import trace

    game = registry.get(args.game)
    players = read_players(args, game, "random", persons=False)
    waiting: list[str] = []
    settings = read_settings(args.settings)
    for line in trace.lines(game.name, args.games, args.seed, len(players), settings, players):
        waiting.append(line if args.json else readable(line))
        if len(waiting) >= FLUSHED:
            sys.stdout.write("\n".join(waiting) + "\n")
            waiting.clear()
    if waiting:
        sys.stdout.write("\n".join(waiting) + "\n")
    return 0


def readable(line: str) -> str:
    """Turn a line of a trace into one for people: the ply and its move, or the result."""
    entry = json.loads(line)
    if "result" in entry:
        scores = ", ".join(f"{score:g}" for score in entry["result"]["scores"])
        return f"game {entry['game_no']}: {entry['result']['winner']} ({scores})"
    return f"game {entry['game_no']} ply {entry['ply']}: {entry['move']} ({len(entry['legal'])} legal)"
