"""Say what is on the table: the game, its seed, and the options that differ from the usual ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from bartizan.match import Match


def unusual(match: Match) -> list[str]:
    """Return the options that differ from the defaults, as ``key=value``."""
    from bartizan.engine.options import flat

    usual = flat(match.game.read_options({}, match.seats).write())
    chosen = flat(match.options)
    return [f"{key}={value}" for key, value in chosen.items() if value != usual[key]]


def print_heading(console: Console, match: Match) -> None:
    """Print the game, its seed and its options."""
    from rich.text import Text

    console.print(Text(f"{match.game.title}, seed {match.seed}", style="bold"), highlight=False)
    chosen = unusual(match)
    if chosen:
        console.print(Text(f"with {', '.join(chosen)}"), highlight=False)


def how_to_play(match: Match) -> str:
    """Return the command line that opens this deal at the terminal."""
    words = ["bartizan play", match.game.name, f"--seed {match.seed}"]
    if match.seats != match.game.min_seats:
        words.append(f"--seats {match.seats}")
    return " ".join([*words, *(f"--set {setting}" for setting in unusual(match))])
