"""Write the page that defines the Lab's measures: ``python -m bartizan.lab.describe FILE``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bartizan.engine.files import write_atomically
from bartizan.lab.group import MeasureGroup
from bartizan.lab.groups import GROUPS

INTRODUCTION = """# What the Lab measures

[The Lab](lab.md) explains how to measure. `make generated` writes this page from the classes in
`bartizan/lab/groups/`; don't edit it.

- A *turn* is a run of decisions by one seat within one round. If your game doesn't define `rounds`, a turn
  lasts until another seat decides, and a round is one turn of each seat (in a solitaire, one decision).
- A capital letter in a name stands for a seat (K), a player (P), a verb (V), a source of points (S), a card
  or piece (X) or a clause (C).
- Whenever something is varied, every measure is also given as a difference: in a cell minus in the first
  cell, paired by deal.
- Brackets give the names that Ludii or TAG use.
"""


def _section(group: MeasureGroup) -> Iterator[str]:
    """Yield the lines about one group."""
    yield from (f"## {group.heading}", "")
    yield from (f"`{group.name}`: {group.meaning}.", "", "| measure | definition |", "|---|---|")
    for names, meaning in group.definitions.items():
        yield f"| {', '.join(f'`{name}`' for name in names.split(', '))} | {meaning} |"
    yield ""


def page() -> str:
    """Return the whole page."""
    return "\n".join([INTRODUCTION, *(line for group in GROUPS.values() for line in _section(group))])


def main(arguments: Sequence[str]) -> None:
    """Write the page to a file."""
    write_atomically(Path(arguments[0]), page())


if __name__ == "__main__":
    main(sys.argv[1:])
