"""Read how many sit at a table, and who: ``--seats 2``, ``--players person,greedy``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import is_number
from bartizan.engine.game import POLICY, Game


def add_players(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add ``--players`` and ``--seats``; `meaning` lists the players and the default."""
    parser.add_argument("--players", metavar="A,B,…", help=f"who plays: {meaning}")
    parser.add_argument(
        "--seats",
        metavar="N",
        help="number of seats (default: the fewest)",
    )


def read_players(
    args: argparse.Namespace, game: Game, default: str, *, persons: bool, seats: int | None = None
) -> list[str]:
    """Return a player's name for each seat; one name alone sits everywhere, at `seats` unless told otherwise.

    Raises `UnknownPlayer` with the nearest name, `BadSeats` for a number of seats that the game
    does not have, `UsageError` where ``--players`` and ``--seats`` do not agree.
    """
    option, players, told = _split(args.players, args.seats)
    number = None if told is None else game.check_seats(told)
    others = ["person"] if persons else []
    words = [word.strip() for word in (default if players is None else players).split(",")]
    if words == [""]:
        known = ", ".join([*others, *game.players()])
        raise UsageError(f"{option} is empty; name who sits there: {known}.")
    if len(words) == 1 and is_number(words[0]):
        raise UsageError(
            f"--players says who sits there. To set the number of seats, use --seats {words[0]}."
        )
    names = [check_name(game, word, others) for word in words]
    if len(names) == 1:
        return names * (number or game.check_seats(seats))
    game.check_seats(len(names))
    if number not in (None, len(names)):
        raise UsageError(f"--players names {len(names)} players, but --seats is {number}.")
    return names


def check_name(game: Game, word: str, others: Sequence[str] = ()) -> str:
    """Return a player's name; ``policy:FILE`` lets the policy in a file play, after its name maybe a skill.

    ``policy:shipped`` is the policy that comes with Bartizan.

    Raises `UnknownPlayer` with the nearest name, `BadPolicy` for a file that is none.
    """
    if word.startswith(POLICY):
        from bartizan.envs.shipped import admit_named

        admit_named(game, word)
    return game.check_player(word, others)


def _split(players: str | None, seats: str | None) -> tuple[str, str | None, int | None]:
    """Return the option that names players, what it names, and how many seats are asked for."""
    if seats is None or is_number(seats):
        return "--players", players, None if seats is None else int(seats)
    if players is not None:
        raise UsageError(f"--seats is {seats!r}; with --players it must be a number of seats.")
    return "--seats", seats, None  # the older spelling
