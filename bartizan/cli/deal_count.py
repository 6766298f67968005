"""``bartizan deal --count``: how many of many deals can be won."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from bartizan.cli.deal_command import print_json
from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import read_settings
from bartizan.cli.progress import bar
from bartizan.cli.simulate_command import share

if TYPE_CHECKING:
    from bartizan.lab.journal import Journal
    from bartizan.lab.solve import Count, Counting, Solution

SEEDS_TOLD = 5  # deals that are named in the text; JSON has them all


def count(found: argparse.Namespace) -> int:
    """Count deals and print what is known, after Ctrl-C too (exit code 130)."""
    import msgspec

    from bartizan.engine import registry
    from bartizan.lab.journal import Journal
    from bartizan.lab.solve import Counting, Solution, about

    game = registry.get(found.game)
    game.check_seats(found.seats)
    options = read_settings(found.settings)
    counting = Counting(game, options, found.seed or "0", found.count, found.positions, found.threads or 1)
    code = 0
    with contextlib.ExitStack() as open_files:
        journal = open_files.enter_context(Journal(found.resume, about(game, options), Solution))
        counting.know(journal.found)
        try:
            solve_all(counting, journal)
        except KeyboardInterrupt:
            code = INTERRUPTED
    result = counting.count()
    if found.json:
        print_json({"game": game.name, "asked": found.count, **msgspec.to_builtins(result)})
    else:
        print("\n".join(told(result, found.count, found.positions)))
    return code


def solve_all(counting: Counting, journal: Journal[Solution]) -> None:
    """Solve the deals with a bar, and write each down when it is solved."""
    done = len(counting.solutions)
    with bar("deals solved") as progress:

        def found(solution: Solution) -> None:
            nonlocal done
            done += 1
            progress(done, len(counting.seeds))
            journal.add(solution)

        progress(done, len(counting.seeds))
        counting.run(found)


def told(result: Count, asked: int, positions: int) -> list[str]:
    """Return the count as lines for reading."""
    stopped = f", stopped before all {asked:,} were" if result.deals < asked else ""
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
            f"no more than {positions:,} positions of a deal were searched"
        )
    lines.append(f"  95 % interval of the share that can be won: {low} to {high}{either}")
    lines.append(f"  {result.positions:,} positions searched; the longest line has {result.longest} moves")
    return lines


def seeds(all_of_them: tuple[str, ...]) -> str:
    """Return the first few seeds in brackets, or nothing."""
    shown = ", ".join(all_of_them[:SEEDS_TOLD])
    more = ", …" if len(all_of_them) > SEEDS_TOLD else ""
    return f" ({shown}{more})" if shown else ""
