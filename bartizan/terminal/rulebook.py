"""Print a rulebook: clauses in our own words, our rulings marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from bartizan.engine.clauses import Clause, Rulebook

RULING = "Our ruling"
READABLE = 88  # columns; longer lines are hard to read


def prose(text: str, style: str = "") -> Text:
    """Set a text, with clause ids and `options` picked out."""
    drawn = Text(style=style)
    for index, part in enumerate(re.split(r"`([^`]+)`", text)):
        drawn.append(part, style="bold cyan" if index % 2 else None)
    drawn.highlight_regex(r"\b[A-Z]{2,}-\d+[a-z]?\b", "cyan")
    return drawn


def indented(text: Text, width: int, by: int = 2) -> Iterator[Text]:
    """Break a text into lines of at most `width` columns, `by` of them blank at the left."""
    for line in text.wrap(Console(width=width), max(width - by, 10)):
        line.rstrip()
        yield Text(" " * by).append_text(line)


def clause_lines(clause: Clause, width: int) -> Iterator[Text]:
    """Draw one clause, `width` columns wide."""
    yield Text.assemble((clause.id, "bold cyan"), "  ", (clause.title, "bold"))
    yield from indented(prose(clause.text), width)
    if clause.ruling:
        ruling = Text().append(f"{RULING}: ", style="bold yellow").append_text(prose(clause.ruling))
        yield from indented(ruling, width)


def print_rules(console: Console, book: Rulebook, clauses: Iterable[Clause], *, head: bool = False) -> None:
    """Print clauses under their sections; with `head`, the book's title first."""
    if head:
        console.print(Text(book.credit, style="bold"), highlight=False)
        console.print(Text(book.summary), highlight=False)
        console.print(
            Text(
                f"The rules in our own words, after: {book.source}. What we decided where the book leaves "
                f"something open is marked “{RULING}”.",
                style="dim",
            ),
            highlight=False,
        )
    section = ""
    for clause in clauses:
        console.print()
        if head and clause.section != section:
            section = clause.section
            console.print(Text(section.upper(), style="bold underline"), highlight=False)
            console.print()
        for line in clause_lines(clause, console.width):
            console.print(line, highlight=False)
