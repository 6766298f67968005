"""``bartizan analyse``: review a recorded game."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.cli.errors import UsageError
from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import Parser, whole
from bartizan.cli.progress import bar
from bartizan.cli.records import load

if TYPE_CHECKING:
    from bartizan.engine.scene import Analysis, Verdict
    from bartizan.match import Match


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}. A search judges each decision by what its player could know. "
        "Ctrl-C shows the result so far",
    )
    parsing.add_argument(
        "record", type=Path, metavar="RECORD", help="the record of a game, from `play --record` or a table"
    )
    parsing.add_argument(
        "--iterations",
        type=whole(10, 10**7),
        metavar="N",
        help="search iterations per decision; more take longer and see more (default: 1500)",
    )
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Judge every decision and print the review."""
    from bartizan.match.analysis import ITERATIONS, conclude, verdicts

    match = load(args.record)
    if not match.last_ply:
        raise UsageError(f"{args.record} has no moves: there is nothing to review.")
    iterations = args.iterations or ITERATIONS
    judged: list[Verdict] = []
    interrupted = False
    try:
        with bar("decisions judged", match.last_ply) as progress:
            for verdict in verdicts(match, iterations):
                judged.append(verdict)
                progress(len(judged), match.last_ply)
    except KeyboardInterrupt:
        interrupted = True
        if not judged:
            raise
    analysis = None if interrupted else conclude(match, judged, iterations=iterations)
    if args.json:
        print(json.dumps(_as_json(match, judged, analysis), ensure_ascii=False))
    else:
        _show(match, judged, analysis)
    return INTERRUPTED if interrupted else 0


def _as_json(match: Match, judged: Sequence[Verdict], analysis: Analysis | None) -> dict[str, Any]:
    from msgspec.structs import asdict

    from bartizan.match.analysis import mean_losses

    return {
        "game": match.game.name,
        "seats": match.seats,
        "over": analysis is not None and match.is_over,
        "interrupted": analysis is None,
        "verdicts": [asdict(verdict) for verdict in judged],
        "mean_losses": mean_losses(judged, match.seats),
        "end": analysis.end if analysis else None,
        "turning": analysis.turning if analysis else None,
        "sentence": analysis.sentence if analysis else None,
    }


def _show(match: Match, judged: Sequence[Verdict], analysis: Analysis | None) -> None:
    from rich.console import Console

    from bartizan.terminal.analysis import summary_lines, verdict_lines

    console, names = Console(), match.views.setting.seat_names
    lines = verdict_lines(judged, names, analysis.turning if analysis else 0)
    if analysis is not None:
        lines += summary_lines(analysis, names)
    for line in lines:
        console.print(line, highlight=False, soft_wrap=not console.is_terminal)
    if analysis is not None and not match.is_over:
        print("The game isn't over, so the last chances are estimates.")
