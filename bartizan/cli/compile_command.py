"""``bartizan compile``: compile the rules ahead of time."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing
from typing import TYPE_CHECKING, Self

from bartizan.cli.parser import Parser
from bartizan.cli.progress import bars

if TYPE_CHECKING:
    from bartizan.compile.pool import Job
    from bartizan.compile.targets import Target

WORDS: dict[Target, str] = {
    "table": "playing",
    "search": "looking ahead",
    "batches": "many games at once",
    "envs": "environments",
}
TICK = 0.1  # seconds between two looks at how far it is


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: translate their Python to machine code, once per machine",
    )
    parsing.add_argument("game", nargs="?", metavar="GAME", help="one game (default: all)")
    parsing.add_argument("--batches", action="store_true", help="include what `simulate` and `deal` need")
    parsing.add_argument("--envs", action="store_true", help="include what `bartizan.batch` needs")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Compile one game or all of them."""
    from bartizan.engine import registry

    targets: list[Target] = ["table", "search"]
    targets += ["batches"] if args.batches else []
    targets += ["envs"] if args.envs else []
    names = [registry.get(args.game).name] if args.game else registry.names()
    _announce()
    compile_all(names, targets)
    return 0


def compile_missing(names: Sequence[str], targets: Sequence[Target]) -> None:
    """Compile what stages of some games still need, with a word on why; say nothing if that is nothing."""
    from bartizan.compile.targets import is_compiled

    missing = [name for name in names if not all(is_compiled(name, target) for target in targets)]
    if missing:
        _announce()
        compile_all(missing, targets)


def _announce() -> None:
    print(
        "Compiling the rules to machine code. This happens once on each machine; it makes them fast enough "
        "for programs that play thousands of games before they move.",
        flush=True,
    )


def compile_all(names: Sequence[str], targets: Sequence[Target]) -> None:
    """Compile stages of some games side by side, with a bar for each game and a line when it is ready.

    A game that cannot be compiled leaves the others alone; raises `CompileError` at the end.
    """
    from bartizan.compile.pool import CompileError, CompilePool
    from bartizan.engine import registry

    titles = {name: registry.get(name).title for name in names}
    faults: dict[str, BaseException] = {}
    started = time.perf_counter()
    with closing(CompilePool()) as compile_pool, _Bars(titles) as bars:
        running = compile_pool.begin(sorted(titles, key=_rules_in, reverse=True), *targets)
        unready = dict.fromkeys(titles)
        while unready:
            for name in [name for name in unready if all(job.name != name for job in running)]:
                del unready[name]
                if name not in faults:
                    bars.end(name, time.perf_counter() - started)
            done = wait([job.ready for job in running], timeout=TICK, return_when=FIRST_COMPLETED).done
            faults |= {
                job.name: error for job in running if job.ready in done and (error := job.ready.exception())
            }
            running = [job for job in running if job.ready not in done and job.name not in faults]
            for job in running:
                bars.move(job)
    if faults:
        raise CompileError(" ".join(map(str, faults.values())))


def _rules_in(name: str) -> int:
    """Return how many rules a game's sources have, by which the time to compile it can be guessed."""
    from bartizan.engine import registry

    sources = registry.get(name).folder.glob("*.py")
    return sum(path.read_text(encoding="utf-8").count("\n@rule\n") for path in sources)


class _Bars:
    """A progress bar for each game on a terminal, and a line for each that is ready."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        self._progress = bars(sys.stdout)
        self._tasks = {name: self._progress.add_task(f"  {title}", total=1) for name, title in titles.items()}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move(self, job: Job) -> None:
        """Show how far a stage of a game is, once it has been taken up."""
        if job.progress.total:
            self._progress.update(
                self._tasks[job.name],
                description=f"  {self._titles[job.name]}, {WORDS[job.target]}",
                completed=job.progress.done,
                total=job.progress.total,
            )

    def end(self, name: str, seconds: float) -> None:
        """Put a line for a game that is ready above the bars."""
        self._progress.update(self._tasks[name], visible=False)
        line = f"  {self._titles[name]}: ready ({seconds:.1f} s)"
        if self._progress.disable:
            print(line, flush=True)
        else:
            self._progress.console.print(line, highlight=False)
