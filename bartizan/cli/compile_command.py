"""``bartizan compile``: compile the rules ahead of time."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from bartizan.cli.parser import Parser


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: they are written in Python and become machine code once per machine",
    )
    parsing.add_argument("game", nargs="?", metavar="GAME", help="one game; all of them by default")
    parsing.add_argument("--batches", action="store_true", help="also what `simulate` needs")
    return parsing


def run(found: argparse.Namespace) -> int:
    """Compile one game or all of them."""
    from bartizan.engine import registry

    compile_all([registry.get(found.game).name] if found.game else registry.names(), found.batches)
    return 0


def compile_all(names: Sequence[str], batches: bool = False) -> None:
    """Compile some games with a progress bar and a word on why; say nothing if there are none."""
    if not names:
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from bartizan.engine import registry
    from bartizan.engine.compile import compile_game

    print(
        "Compiling the rules to machine code. This happens once on each machine; it makes them fast enough "
        "for programs that play thousands of games before they move.",
        flush=True,
    )
    console = Console()
    for name in names:
        started = time.perf_counter()
        title = registry.get(name).title
        with Progress(
            TextColumn("  {task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not sys.stdout.isatty(),
        ) as bar:
            task = bar.add_task(title, total=1)

            def progress(done: int, total: int, bar: Progress = bar, task: object = task) -> None:
                bar.update(task, completed=done, total=total)  # type: ignore[arg-type]

            compile_game(name, progress, batches)
        print(f"  {title}: ready ({time.perf_counter() - started:.1f} s)", flush=True)
