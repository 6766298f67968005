"""``bartizan deal``: deal a game, say whether it can be won, look for one that can, or count such deals."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.cli.errors import FAILED, UsageError
from bartizan.cli.parser import (
    Parser,
    add_resume,
    add_seats,
    add_seed,
    add_settings,
    add_threads,
    read_settings,
    whole,
)
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.lab.solve import Solution
    from bartizan.match import Match

VERDICTS = {
    "won": "This deal can be won by a player who knows every card",
    "lost": "This deal cannot be won, whatever is played",
    "unknown": "It is unknown whether this deal can be won",
}


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.lab.solve import POSITIONS

    parsing = Parser(
        prog=prog,
        description=f"{meaning}; the solver sees all cards, and solves games with one seat",
    )
    parsing.add_argument("game", metavar="GAME")
    add_seed(parsing, "deal this seed, or start from it (default: random; with --count: 0)")
    add_seats(parsing)
    question = parsing.add_mutually_exclusive_group()
    question.add_argument("--solve", action="store_true", help="find out whether this deal can be won")
    question.add_argument("--winnable", action="store_true", help="find a deal that can be won")
    question.add_argument(
        "--count", type=whole(1, 10**8), metavar="N", help="count how many of N deals can be won"
    )
    parsing.add_argument("--line", action="store_true", help="also print the winning moves")
    parsing.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write the deal to a record, with the winning moves if it was solved",
    )
    parsing.add_argument(
        "--positions",
        type=whole(1, 10**12),
        default=POSITIONS,
        metavar="N",
        help=f"search at most N positions per deal (default: {POSITIONS})",
    )
    add_threads(parsing, "number of threads for --count (default: 1)", default=None)
    add_resume(parsing, "what is counted")
    add_settings(parsing)
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Deal, solve, search or count."""
    check(args)
    if args.count is not None:
        from bartizan.cli.deal_count import count

        return count(args)
    if args.solve:
        return solve_deal(args)
    return find_deal(args) if args.winnable else show_deal(args)


def check(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options that do not go together."""
    solving = args.solve or args.winnable
    if args.line and not solving:
        raise UsageError("--line goes with --solve or --winnable.")
    if args.count is not None and args.record is not None:
        raise UsageError("--record saves one deal, but --count deals many. Save their results with --resume.")
    for option in ("resume", "threads"):
        if args.count is None and getattr(args, option) is not None:
            raise UsageError(f"--{option} goes with --count.")


def deal_match(args: argparse.Namespace, seed: str | None) -> Match:
    """Return the table with this seed."""
    from bartizan.match import Match

    return Match(args.game, read_settings(args.settings), args.seats, seed)


def show_deal(args: argparse.Namespace) -> int:
    """Print a deal as the first seat sees it."""
    import msgspec
    from rich.console import Console

    from bartizan.cli.heading import how_to_play, print_heading
    from bartizan.terminal.draw import print_scene

    match = deal_match(args, args.seed)
    write_record(args.record, match)
    scene = match.views.scene(1, choices=False)
    if args.json:
        print_json(
            {
                **identity(match),
                "setting": msgspec.to_builtins(match.views.setting),
                "seat": 1,
                "scene": msgspec.to_builtins(scene),
            }
        )
        return 0
    console = Console()
    print_heading(console, match)
    console.print(f"hash {match.seed_hash}", highlight=False)
    print_scene(console, scene, match.views.setting, choices=False)
    console.print(f"To play it: {how_to_play(match)}", highlight=False, soft_wrap=True)
    return 0


def solve_deal(args: argparse.Namespace) -> int:
    """Say whether one deal can be won; exit code 1 if that is not known."""
    from bartizan.lab.solve import check_solvable, solve

    match = deal_match(args, args.seed)
    check_solvable(match.game)
    with bar("positions searched") as progress:
        solution = solve(match, args.positions, progress)
    tell(args, match, solution, {})
    return FAILED if solution.verdict == "unknown" else 0


def find_deal(args: argparse.Namespace) -> int:
    """Look for a deal that can be won; exit code 1 if there is none among those tried."""
    from bartizan.lab.solve import check_solvable, find_winnable

    match = deal_match(args, args.seed)
    check_solvable(match.game)
    with bar("deals tried") as progress:
        tried = find_winnable(match.game, match.options, match.seed, args.positions, progress)
    if tried[-1].verdict == "won":
        tell(args, deal_match(args, tried[-1].seed), tried[-1], {"tried": len(tried)})
        return 0
    lost = sum(each.verdict == "lost" for each in tried)
    if args.json:
        print_json({**identity(match), "verdict": "unknown", "tried": len(tried), "lost": lost})
    else:
        print(
            f"No deal that can be won was found: {len(tried):,} tried from seed {match.seed} on, "
            f"{lost:,} of which cannot be won."
        )
    return FAILED


def tell(args: argparse.Namespace, match: Match, solution: Solution, more: dict[str, object]) -> None:
    """Print the result of a search, and optionally write the moves to a file."""
    from bartizan.lab.solve import play_line

    start = how_to_repeat(match)
    play_line(match, solution)
    write_record(args.record, match)
    if args.json:
        result = {"verdict": solution.verdict, "positions": solution.positions, "plies": match.ply, **more}
        print_json({**identity(match), **result, **({"moves": match.moves} if args.line else {})})
        return
    print(f"{VERDICTS[solution.verdict]} ({solution.positions:,} positions searched).")
    if solution.too_deep:
        print("There are longer lines of play than the solver looks at.")
    elif solution.verdict == "unknown":
        print("More may be searched with --positions.")
    for number, move in enumerate(match.moves if args.line else (), 1):
        print(f"{number:>4}. {move}")
    print(start)


def how_to_repeat(match: Match) -> str:
    """Return a line that names a deal and says how to play it."""
    from bartizan.cli.heading import how_to_play

    return f"Seed {match.seed}, hash {match.seed_hash}. To play it: {how_to_play(match)}"


def identity(match: Match) -> dict[str, object]:
    """Return what names a deal, in plain values."""
    return {
        "game": match.game.name,
        "seats": match.seats,
        "seed": match.seed,
        "seed_hash": match.seed_hash,
        "options": match.options,
    }


def write_record(path: Path | None, match: Match) -> None:
    """Write the record of a match, seed included, where a file is given; raises `Unwritable`."""
    if path is not None:
        from bartizan.engine.files import write_atomically

        write_atomically(path, match.record(secret_seed=True).text())


def print_json(values: dict[str, Any]) -> None:
    """Print plain values as JSON."""
    print(json.dumps(values, ensure_ascii=False))
