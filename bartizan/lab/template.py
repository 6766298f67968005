"""Write a commented experiment for a game, which runs as it is."""

from __future__ import annotations

from typing import Any

from bartizan.engine.game import Game
from bartizan.engine.options import OptionSpec
from bartizan.lab.batch import confirming_level
from bartizan.lab.design import to_toml
from bartizan.lab.groups import GROUPS
from bartizan.lab.reading import design_of

GAMES = 2_000


def template(game: Game) -> str:
    """Return the text of an experiment of a game."""
    plain = design_of({"game": game.name, "measures": list(GROUPS)})
    quick = [name for name, group in GROUPS.items() if group.search is None and group.applies(plain)]
    searched = [name for name, group in GROUPS.items() if group.search]
    seats = game.min_seats
    lines = [
        f"# An experiment with {game.title}: run it with `bartizan lab run`, then `bartizan lab report`.",
        f'game = "{game.name}"',
        "# Every assignment of these players to seats is played on the same deals. Choose from "
        f"{', '.join(game.players()[:7])}.",
        to_toml({"players": ["greedy"] * seats}).strip(),
        f"games = {GAMES}      # per cell; you can add more later",
        'seed = "first"    # the same word gives the same games',
        "# Groups of measures. Those that need a search take long: " + ", ".join(searched) + ".",
        to_toml({"measures": quick}).strip(),
        "",
        "# Instead of a fixed number of games, play until a figure is precise enough:",
        '# until = { measure = "won.seat_1", width = 0.04, most = 50000 }',
        "",
        "# Other players who confirm the figures (default: "
        f"{confirming_level(game) or 'nobody'}, in up to 100 games):",
        "# [confirm]",
        '# players = ["random", "marshal"]',
        "# games = 200",
        "",
        "# Options that differ from the defaults (`bartizan games " + game.name + "` lists them):",
        "# [options]",
        "",
        "# A grid: each combination of these is a cell, and all cells play the same deals. To try one",
        "# value at a time, use [each] instead and list only values that differ from the defaults.",
        '# Add "what-if" to the measures to replay games of the first cell under the rules of the others:',
        "# [vary]",
        *(f"# {_line(spec)}" for spec in game.options if spec.worth_comparing),
    ]
    return "\n".join(lines) + "\n"


def _line(spec: OptionSpec) -> str:
    """Return an option with its values, the default first, as a line of the grid."""
    others = [True, False] if spec.kind == "bool" else spec.values or _ends(spec)
    values = [spec.default, *(value for value in others if value != spec.default)]
    return to_toml({spec.key: values}).strip() if "." not in spec.key else f'"{spec.key}" = ' + str(values)


def _ends(spec: OptionSpec) -> list[Any]:
    """Return the largest number that an option can be, or the smallest where that is the default."""
    end = spec.low if spec.default == spec.high else spec.high
    return [] if end is None else [end]
