"""``bartizan simulate``: play many games and count."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from bartizan.cli.parser import Parser, add_seed, add_settings, add_threads, read_settings, whole
from bartizan.cli.progress import bar
from bartizan.cli.seats import add_players, read_players

if TYPE_CHECKING:
    from bartizan.lab.simulate import SimulationReport


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--games", type=whole(1, 10**8), default=10_000, metavar="N", help="number of games (default: 10000)"
    )
    add_players(
        parsing,
        "random or greedy (default: random); in games with throws with a skill, such as greedy:expert",
    )
    add_seed(parsing, "the seed (default: 0)", "0")
    add_threads(parsing, "number of threads (default: 1)")
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Play the games and print the results."""
    from bartizan.engine import registry
    from bartizan.lab.simulate import simulate

    game = registry.get(args.game)
    players = read_players(args, game, "random", persons=False)
    options = read_settings(args.settings)
    with bar("playing", args.games) as progress:
        report = simulate(game, args.games, players, args.seed, args.threads, options, progress)
    if args.json:
        print(json.dumps(as_json(report), ensure_ascii=False))
        return 0
    for line in report_lines(report):
        print(line)
    return 0


def as_json(report: SimulationReport) -> dict[str, object]:
    """Return the whole report in plain values."""
    import msgspec

    plain = msgspec.to_builtins(report)
    assert isinstance(plain, dict)
    return plain


def report_lines(report: SimulationReport) -> list[str]:
    """Return the report as lines for reading."""
    threads = f"{report.threads} thread{'s' if report.threads > 1 else ''}"
    lines = [f"{report.games:,} games in {report.seconds:.2f} s on {threads}"]
    for seat, wins in report.wins.items():
        low, high = report.win_intervals[seat]
        who = f"seat {seat} won" if len(report.wins) > 1 else "won"
        between = f"95% interval {share(low)} to {share(high)}"
        lines.append(f"  {who} {wins:,}: {share(wins / report.games)}, {between}")
    if report.draws:
        lines.append(f"  drawn {report.draws:,}")
    if report.unfinished:
        lines.append(f"  not finished {report.unfinished:,}")
    for name, summary in (("plies", report.plies), ("rounds", report.rounds)):
        between = f"95% interval {summary.low:.2f} to {summary.high:.2f}"
        lines.append(
            f"  {name}: mean {summary.mean:.2f}, {between}; {summary.min:g} to {summary.max:g} in all"
        )
    lines.append(f"  {report.actions_per_second:,.0f} actions per second")
    return lines


def share(part: float) -> str:
    """Write a share as a percentage."""
    return f"{100 * part:.2f}%"
