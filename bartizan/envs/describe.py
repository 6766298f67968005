"""Write the page that lists what programs observe of each game: ``python -m bartizan.envs.describe FILE``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bartizan.engine import registry
from bartizan.engine.files import write_atomically
from bartizan.engine.game import Game

INTRODUCTION = """# What programs observe

Made by `make generated` from each game's `observe.py`; not edited by hand. How to use it is told in
[research.md](research.md).

An observation is a flat vector of int8, group behind group; a group can be reshaped to the shape given here.
Figures that do not fit saturate at ±127. Seats are told from the observer on. *Private* groups hold what
only their own seat can know: a spectator's are zeros.

An action is described by *tokens*: a row of up to so many numbers, filled with 0; their order says nothing.
They say what an action is about where its id does not, such as which card lies in a slot.
"""


def section(game: Game) -> str:
    """Return the section about one game."""
    layout, tokens = game.observer.OBSERVATION, game.observer.TOKENS
    lines = [
        f"## {game.title}",
        "",
        f"Observation: {layout.size:,} numbers. Actions: {game.actions.size:,}, up to {game.max_legal:,} of "
        "them legal at once.",
        "",
        "| group | from | shape | numbers | what |",
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
        f"Tokens: {tokens.width} for each action: {families}.",
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
