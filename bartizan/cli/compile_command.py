"""``bartizan compile``: compile the rules ahead of time."""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import partial
from typing import Any, Self

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
    """Compile some games side by side, with a bar each and a word on why; say nothing if there are none."""
    if not names:
        return
    from bartizan.engine import registry

    print(
        "Compiling the rules to machine code. This happens once on each machine; it makes them fast enough "
        "for programs that play thousands of games before they move.",
        flush=True,
    )
    titles = {name: registry.get(name).title for name in names}
    started = time.perf_counter()
    with _Bars(titles) as bars:
        for name in _compiled(names, batches, bars.move):
            bars.end(name, time.perf_counter() - started)


def _compiled(
    names: Sequence[str], batches: bool, progress: Callable[[str, int, int], None]
) -> Iterator[str]:
    """Compile games in as many processes as there are cores; yield each when it is done."""
    from bartizan.engine.compile import compile_game

    workers = min(len(names), os.cpu_count() or 1)
    if workers == 1:
        for name in names:
            compile_game(name, partial(progress, name), batches)
            yield name
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of a progress bar
    told: Any = context.Queue()
    with ProcessPoolExecutor(workers, context, _listen_to_interrupts, (told,)) as pool:
        longest_first = sorted(names, key=_rules_in, reverse=True)
        running = {pool.submit(_compile_in_worker, name, batches): name for name in longest_first}
        while running:
            done, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            with contextlib.suppress(queue.Empty):
                while True:
                    progress(*told.get_nowait())
            for future in done:
                future.result()
                name = running.pop(future)
                progress(name, 1, 1)  # what it said last may still be on its way
                yield name


def _rules_in(name: str) -> int:
    """Return how many rules a game's sources have, by which the time to compile it can be guessed."""
    from bartizan.engine import registry

    sources = registry.get(name).folder.glob("*.py")
    return sum(path.read_text(encoding="utf-8").count("\n@rule\n") for path in sources)


_told: Any = None  # in a worker: where it tells how far it is


def _listen_to_interrupts(told: Any) -> None:
    """Begin a worker: Ctrl-C ends it without a word, the parent says what there is to say."""
    global _told
    _told = told
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _compile_in_worker(name: str, batches: bool) -> None:
    from bartizan.engine.compile import compile_game

    def progress(done: int, total: int) -> None:
        _told.put((name, done, total))

    compile_game(name, progress, batches)


class _Bars:
    """A progress bar for each game on a terminal, and a line for each that is ready."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._titles = titles
        self._progress = Progress(
            TextColumn("  {task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TimeRemainingColumn(),
            console=Console(),
            transient=True,
            disable=not sys.stdout.isatty(),
        )
        self._tasks = {name: self._progress.add_task(title, total=1) for name, title in titles.items()}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move(self, name: str, done: int, total: int) -> None:
        """Show how far a game is."""
        self._progress.update(self._tasks[name], completed=done, total=total)

    def end(self, name: str, seconds: float) -> None:
        """Put a line for a game that is ready above the bars."""
        self._progress.update(self._tasks[name], visible=False)
        line = f"  {self._titles[name]}: ready ({seconds:.1f} s)"
        if self._progress.disable:
            print(line, flush=True)
        else:
            self._progress.console.print(line, highlight=False)
