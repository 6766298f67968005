"""Read who sits where: ``--seats person,greedy``."""

from __future__ import annotations

from bartizan.cli.errors import UsageError
from bartizan.engine.game import Game


def read_seats(text: str | None, game: Game, default: str, *, persons: bool) -> list[str]:
    """Return a player's name for each seat; one name alone sits everywhere.

    Raises `UnknownPlayer` with the nearest name, `BadSeats` for a number of
    seats that the game does not have.
    """
    others = ["person"] if persons else []
    words = [word.strip() for word in (text if text is not None else default).split(",")]
    if words == [""]:
        known = ", ".join([*others, *game.players()])
        raise UsageError(f"--seats is empty; name who sits there: {known}.")
    if len(words) == 1 and words[0].isdigit():
        return [default] * game.check_seats(int(words[0]))
    names = [game.check_player(word, others) for word in words]
    if len(names) == 1:
        return names * game.min_seats
    game.check_seats(len(names))
    return names
