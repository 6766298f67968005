"""Compile a game's environments before the first step, and report progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing

from bartizan.compile.pool import CompilePool
from bartizan.compile.targets import is_compiled
from bartizan.engine import registry
from bartizan.engine.game import Game

TICK = 0.2  # seconds between two looks at the progress
_ready: set[str] = set()


def prepare(game: Game) -> None:
    """Compile what a batch of a game needs, unless this machine has done so before.

    Another process compiles, which takes up to a minute; a terminal or notebook shows the progress.
    Raises `CompileError`.
    """
    if game.name in _ready:
        return
    if game.name in registry.names() and not is_compiled(game.name, "envs"):
        _compile(game)
    _ready.add(game.name)


def _compile(game: Game) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    columns = (
        TextColumn("Compiling {task.description}, once on this machine"),
        BarColumn(),
        TimeRemainingColumn(),
    )
    shown = Progress(*columns, console=console, transient=True, disable=not _is_watched(console))
    with closing(CompilePool(1)) as pool, shown:
        task = shown.add_task(game.title, total=None)
        job = pool.job(game.name, "envs")
        ready = pool.ready(game.name, "envs")
        while not ready.done():
            job = pool.job(game.name, "envs") or job
            if job is not None and job.progress.total:
                shown.update(task, completed=job.progress.done, total=job.progress.total)
            _wait(ready.result)
        ready.result()


def _is_watched(console: object) -> bool:
    return bool(getattr(console, "is_terminal", False) or getattr(console, "is_jupyter", False))


def _wait(result: Callable[[float], None]) -> None:
    try:
        result(TICK)
    except TimeoutError:
        return
