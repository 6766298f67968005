"""Complete typed moves and commands, word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

SHOWN = 60  # a longer list of next words helps no one


@dataclass(frozen=True)
class Offer:
    """One line that may be typed, and what it would do."""

    line: str
    meaning: str = ""


def next_words(typed: str, offers: Iterable[Offer]) -> dict[str, str]:
    """Return the words that may follow `typed`, each with its meaning where it ends a line.

    The last word of `typed` counts as unfinished unless a space follows it.
    """
    words = typed.split(" ")
    done, begun = [word for word in words[:-1] if word], words[-1].lower()
    completions: dict[str, str] = {}
    for offer in offers:
        parts = offer.line.split(" ")
        if len(parts) <= len(done) or parts[: len(done)] != done:
            continue
        word = parts[len(done)]
        if word.lower().startswith(begun):
            meaning = offer.meaning if len(parts) == len(done) + 1 else ""
            completions[word] = completions.get(word) or meaning
    return completions


class MoveCompleter(Completer):
    """Offer the next word of every command and legal move; calls `offers` at each key press."""

    def __init__(self, offers: Callable[[], Mapping[str, list[Offer]]]) -> None:
        self._offers = offers

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield the words that may follow the text before the cursor."""
        typed = document.text_before_cursor.lstrip()
        offers = self._offers()
        command, _, rest = typed.partition(" ")
        # After "why" or "rules" something else may follow than at the start of a line.
        chosen = offers[command] if command in offers and " " in typed else offers[""]
        if command in offers and " " in typed:
            typed = rest
        begun = typed.rsplit(" ", 1)[-1]
        words = next_words(typed, chosen)
        for word in list(words)[:SHOWN]:
            yield Completion(word, start_position=-len(begun), display_meta=words[word])
