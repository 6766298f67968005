"""``bartizan trace``: print random games in full, so that anybody can check the rules."""

from __future__ import annotations

import argparse
import json
import sys

from bartizan.cli.parser import Parser, add_settings, read_settings, whole
from bartizan.cli.seats import read_seats

FLUSHED = 200  # lines that are written at a time


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument("--games", type=whole(1, 10**9), default=1, metavar="N", help="how many games (1)")
    parsing.add_argument("--seed", default="0", metavar="S", help="1 to 32 hexadecimal digits (0)")
    parsing.add_argument("--seats", metavar="WHO,…", help="how many seats, or a program for each (random)")
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="JSON Lines with positions and legal moves")
    return parsing


def run(found: argparse.Namespace) -> int:
    """Print the games: as JSON Lines, or the moves alone for reading."""
    from bartizan.engine import registry
    from bartizan.match import trace

    game = registry.get(found.game)
    players = read_seats(found.seats, game, "random", persons=False)
    waiting: list[str] = []
    settings = read_settings(found.settings)
    for line in trace.lines(game.name, found.games, found.seed, len(players), settings, players):
        waiting.append(line if found.json else readable(line))
        if len(waiting) >= FLUSHED:
            sys.stdout.write("\n".join(waiting) + "\n")
            waiting.clear()
    if waiting:
        sys.stdout.write("\n".join(waiting) + "\n")
    return 0


def readable(line: str) -> str:
    """Turn a line of a trace into one for people: the ply and its move, or the result."""
    told = json.loads(line)
    if "result" in told:
        scores = ", ".join(f"{score:g}" for score in told["result"]["scores"])
        return f"game {told['game_no']}: {told['result']['winner']} ({scores})"
    return f"game {told['game_no']} ply {told['ply']}: {told['move']} ({len(told['legal'])} legal)"
