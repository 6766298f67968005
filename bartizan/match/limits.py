"""Stop code of a game that doesn't come to an end, such as a rule with an endless loop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class Endless(Exception):
    """Raised in code that has run for too long; `str(error)` names the function."""


@contextmanager
def limited(seconds: float, folder: Path) -> Iterator[None]:
    """Raise `Endless` in the body once it has used this much processor time.

    The error names the innermost function in `folder`. There is no limit on Windows and outside the main
    thread, where Python has no timers.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_: int, frame: FrameType | None) -> None:
        while frame is not None and not Path(frame.f_code.co_filename).is_relative_to(folder):
            frame = frame.f_back
        name = f"The function {frame.f_code.co_name}" if frame else "The game"
        raise Endless(f"{name} was stopped after {seconds:g} seconds: make sure that its loop ends")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
