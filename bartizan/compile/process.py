"""Compile stages of one game on request: ``python -m bartizan.compile.process GAME NICENESS``.

This is a separate process because Numba's compiler blocks all other Python code in its process for seconds.
It reads the name of a stage per line and writes its `Progress`, one per line.  Each stage reuses the rules of
the previous one, so the process runs until its input ends, which also happens when its parent dies.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading

import msgspec


class Progress(msgspec.Struct):
    """Tell of a stage how many of its rules are compiled; with a fault, why it cannot be."""

    done: int = 0
    total: int = 0
    finished: bool = False
    fault: str = ""


def main(name: str, niceness: int) -> None:
    """Compile what standard input asks for; end at once when it ends."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    while True:
        _compile(name, asked.get())


def _listen(asked: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)  # whatever is half compiled


def _compile(name: str, target: str) -> None:
    from bartizan.compile.targets import Target, compile_target

    try:
        known = msgspec.convert(target, Target)
        compile_target(name, known, lambda done, total: _tell(Progress(done, total)))
    except Exception as error:  # noqa: BLE001 - whatever it is, who asked has to hear of it
        _tell(Progress(fault=_why(name, error)))
    else:
        _tell(Progress(finished=True))


def _why(name: str, error: Exception) -> str:
    """Explain why a game can't be compiled, with the line in its files."""
    from bartizan.engine import registry
    from bartizan.engine.faults import place_in, what
    from bartizan.engine.trial import FailedTrial

    if isinstance(error, FailedTrial):
        return error.fault
    place = "" if name in registry.broken() else place_in(registry.get(name).folder, error)
    return f"{place}: {what(error)}" if place else what(error)


def _tell(progress: Progress) -> None:
    with contextlib.suppress(BrokenPipeError):  # no one listens any more: the input has ended too
        print(msgspec.json.encode(progress).decode(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
