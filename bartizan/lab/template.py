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
        f"# Every assignment of these players to seats is played on the same deals.  There are "
        f"{', '.join(game.players()[:7])}.",
        to_toml({"players": ["greedy"] * seats}).strip(),
        f"games = {GAMES}      # of each cell; more can be added later",
        'seed = "first"    # the same word, the same games',
        "# Groups of measures; those that search take long: " + ", ".join(searched) + ".",
        to_toml({"measures": quick}).strip(),
        "",
        "# Play until a figure is sure enough, instead of a number of games:",
        '# until = { measure = "won.seat_1", width = 0.04, most = 50000 }',
        "",
        f"# Who confirms the figures, or does not; left out, {confirming_level(game) or 'nobody'} does, in "
        "up to 100 games:",
        "# [confirm]",
        '# players = ["random", "marshal"]',
        "# games = 200",
        "",
        "# Options other than the usual ones (`bartizan games " + game.name + "` lists them):",
        "# [options]",
        "",
        "# A grid: each combination of these is a cell, and all cells play the same deals.  With [each],",
        "# instead, values other than the usual ones are tried alone, against the options as they are.",
        '# Games of the first cell are tried by the rules of the others with the measures "what-if":',
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
