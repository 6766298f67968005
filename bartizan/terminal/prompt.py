"""Read what is typed: with completion and history at a terminal, line by line from a pipe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO

from bartizan.terminal.completion import MoveCompleter, Offer

LONGEST = 4096  # characters of one typed line that are looked at


def piped_lines(source: TextIO) -> Iterator[str]:
    """Yield the lines of a pipe or a file."""
    for line in source:
        yield line[:LONGEST]


def typed_lines(offers: Callable[[], Mapping[str, list[Offer]]], seat: Callable[[], int]) -> Iterator[str]:
    """Yield lines typed at a terminal until its end (Ctrl-D).  Each seat recalls only its own lines.

    Ctrl-C drops the line that is being typed; without one it raises `KeyboardInterrupt`.
    """
    from prompt_toolkit import PromptSession

    sessions: defaultdict[int, PromptSession[str]] = defaultdict(
        lambda: PromptSession(completer=MoveCompleter(offers), complete_while_typing=True)
    )
    while True:
        session = sessions[seat()]
        try:
            yield session.prompt("> ")
        except EOFError:
            return
        except KeyboardInterrupt:
            if not session.default_buffer.text:
                raise
