"""``bartizan deal --count``: how many of many deals can be won."""

from __future__ import annotations

import argparse
import contextlib
import json
from typing import TYPE_CHECKING

from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import read_settings
from bartizan.cli.progress import bar
from bartizan.cli.simulate_command import share

if TYPE_CHECKING:
    from bartizan.lab.journal import Journal
    from bartizan.lab.solve import Count, Counting, Solution

SEEDS_NAMED = 5  # deals that are named in the text; JSON has them all


def count(args: argparse.Namespace) -> int:
    """Count deals and print the results, also after Ctrl-C (exit code 130)."""
    import msgspec

    from bartizan.engine import registry
    from bartizan.lab.journal import Journal
    from bartizan.lab.solve import Counting, Solution, about

    game = registry.get(args.game)
    game.check_seats(args.seats)
    options = read_settings(args.settings)
    counting = Counting(game, options, args.seed or "0", args.count, args.positions, args.threads or 1)
    code = 0
    with contextlib.ExitStack() as open_files:
        journal = open_files.enter_context(Journal(args.resume, about(game, options), Solution))
        counting.know(journal.findings)
        try:
            solve_all(counting, journal)
        except KeyboardInterrupt:
            code = INTERRUPTED
    result = counting.count()
    if args.json:
        answer = {"game": game.name, "asked": args.count, **msgspec.to_builtins(result)}
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print("\n".join(report_lines(result, args.count, args.positions)))
    return code


def solve_all(counting: Counting, journal: Journal[Solution]) -> None:
    """Solve the deals with a bar, and write each down when it is solved."""
    done = len(counting.solutions)
    with bar("deals solved") as progress:

        def keep(solution: Solution) -> None:
            nonlocal done
            done += 1
            progress(done, len(counting.seeds))
            journal.add(solution)

        progress(done, len(counting.seeds))
        counting.run(keep)


def report_lines(result: Count, goal: int, positions: int) -> list[str]:
    """Return the count as lines for reading."""
    stopped = f", stopped before all {goal:,} were" if result.deals < goal else ""
    threads = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    before = f", {result.known_before:,} of them earlier" if result.known_before else ""
    lines = [f"{result.deals:,} deals solved{before}{stopped}, {result.seconds:.1f} s on {threads}"]
    if result.deals == 0:
        return lines
    low, high = map(share, result.interval)
    either = ", however the unknown ones would turn out" if result.unknown else ""
    lines.append(f"  can be won     {result.won:,}: {share(result.won / result.deals)}")
    lines.append(f"  cannot be won  {result.lost:,}{seeds(result.lost_seeds)}")
    if result.unknown:
        lines.append(
            f"  unknown        {result.unknown:,}{seeds(result.unknown_seeds)}: "
            f"the search stopped after {positions:,} positions"
        )
    lines.append(f"  95% interval of the share that can be won: {low} to {high}{either}")
    lines.append(f"  {result.positions:,} positions searched; the longest line has {result.longest} moves")
    return lines


def seeds(all_of_them: tuple[str, ...]) -> str:
    """Return the first few seeds in brackets, or nothing."""
    shown = ", ".join(all_of_them[:SEEDS_NAMED])
    more = ", …" if len(all_of_them) > SEEDS_NAMED else ""
    return f" ({shown}{more})" if shown else ""
