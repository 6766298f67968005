"""Write the page that lists what programs observe of each game: ``python -m bartizan.envs.describe FILE``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bartizan.engine import registry
from bartizan.engine.files import write_atomically
from bartizan.engine.game import Game

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

`defend from 0 (768)` means that the verb `defend` has 768 action ids, starting at 0. Tokens are written in
the same way.
"""


def section(game: Game) -> str:
    """Return the section about one game."""
    layout, tokens = game.observer.OBSERVATION, game.observer.TOKENS
    lines = [
        f"## {game.title}",
        "",
        f"Observation: {layout.size:,} numbers. Actions: {game.actions.size:,}, at most {game.max_legal:,} "
        "of them legal at the same time.",
        "",
        "| group | start | shape | range | content |",
        "|---|---|---|---|---|",
    ]
    for each in layout:
        shape = " × ".join(map(str, each.shape))
        name = f"{each.name} (private)" if each.private else each.name
        lines.append(f"| {name} | {each.first} | {shape} | {each.low} to {each.high} | {each.meaning} |")
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
    return "\n".join(lines)


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
