"""Write the page that lists what programs observe of each game: ``python -m bartizan.envs.describe FILE``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bartizan.engine import registry
from bartizan.engine.files import write_atomically
from bartizan.engine.game import Game
from bartizan.engine.observation import Group
from bartizan.envs.variants import observed_layout

INTRODUCTION = """# What programs observe

The observation vectors and action tokens of each game, group by group. [Environments](research.md) explains
how to use them. `make generated` writes this page from each game's `observe.py`; don't edit it.

An observation is a flat vector of int8 that consists of groups. The tables give the start, shape and range
of each group.

- Reshape a group to its shape to get its parts.
- Values are clipped to ±127.
- Seats are listed starting with the observer.
- *Private* groups contain what only the seat itself can know. For a spectator they are zeros.

An action is also described by *tokens*, a row of numbers padded with 0. Their order has no meaning. They say
what the action is about when its id doesn't, such as which card is in a slot.

With `observe_options=True`, the *options* of a table follow as more groups, so that one policy can learn
every variant.

- Yes or no: 1 or 0.
- One of some values: a number for each value, 1 for the chosen one and 0 for the others.
- A whole number: how far it is above its least value. If the range has more than 128 values, it has several
  digits in base 128, the most significant first.
- A text such as `9x7`: the numbers in it.

`defend from 0 (768)` means that the verb `defend` has 768 action ids, starting at 0. Tokens are written in
the same way.
"""


def section(game: Game) -> str:
    """Return the section about one game."""
    layout, tokens = game.observer.OBSERVATION, game.observer.TOKENS
    options = tuple(observed_layout(game, observe_options=True))[len(tuple(layout)) :]
    lines = [
        f"## {game.title}",
        "",
        f"Observation: {layout.size:,} numbers. Actions: {game.actions.size:,}, at most {game.max_legal:,} "
        "of them legal at the same time.",
        "",
        *_table(layout),
    ]
    families = ", ".join(
        f"{family} from {tokens.first(family)} ({size})" for family, size in tokens.families.items()
    )
    verbs = ", ".join(f"{each.name} from {each.first} ({each.size})" for each in game.actions.blocks)
    lines += [
        "",
        f"Actions by verb: {verbs}.",
        "",
        f"Tokens, at most {tokens.width} per action: {families}.",
        "",
    ]
    if options:
        count = sum(each.size for each in options)
        lines += [f"With `observe_options=True`, {count} more numbers:", "", *_table(options), ""]
    return "\n".join(lines)


def _table(groups: Iterable[Group]) -> list[str]:
    """Return the lines of a table of groups."""
    lines = ["| group | start | shape | range | content |", "|---|---|---|---|---|"]
    for each in groups:
        shape = " × ".join(map(str, each.shape))
        name = f"{each.name} (private)" if each.private else each.name
        lines.append(f"| {name} | {each.first} | {shape} | {each.low} to {each.high} | {each.meaning} |")
    return lines


def page(games: Sequence[Game]) -> str:
    """Return the whole page."""
    return "\n".join([INTRODUCTION, *map(section, games)])


def main(arguments: Sequence[str]) -> None:
    """Write the page to a file."""
    package = f"{registry.GROUP}."
    own = [game for game in map(registry.get, registry.names()) if game.package.startswith(package)]
    write_atomically(Path(arguments[0]), page(own))


if __name__ == "__main__":
    main(sys.argv[1:])
