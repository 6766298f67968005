"""Show on a terminal how far a long command is, and how long it will still take."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress


def bars(stream: TextIO) -> Progress:
    """Return a display for bars: counts and time left; it draws nothing where no one watches the stream."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
        disable=not stream.isatty(),
    )


@contextmanager
def bar(what: str, total: int | None = None) -> Iterator[Callable[[int, int], None]]:
    """Draw a progress bar on standard error; yield a function that takes the number done and the total.

    Ctrl-C is raised as `KeyboardInterrupt`, even if a library made an error of its own from it.
    """
    with bars(sys.stderr) as shown:
        task = shown.add_task(what, total=total)

        def progress(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total)

        try:
            yield progress
        except Exception as error:
            if was_interrupted(error):
                raise KeyboardInterrupt from error
            raise


def was_interrupted(error: BaseException | None) -> bool:
    """Say whether Ctrl-C is behind an error; an extension module may turn it into one of its own."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False
