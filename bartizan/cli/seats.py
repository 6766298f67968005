"""Read who sits where: ``--seats person,greedy``."""

from __future__ import annotations

from bartizan.cli.errors import UsageError
from bartizan.engine.errors import UnknownPlayer, nearest
from bartizan.engine.game import Game


def read_seats(text: str | None, game: Game, default: str, *, persons: bool) -> list[str]:
    """Return a player's name for each seat; one name alone sits everywhere.

    Raises `UnknownPlayer` with the nearest name, `BadSeats` for a number of
    seats that the game does not have.
    """
    known = [*(["person"] if persons else []), *game.players()]
    words = [word.strip().lower() for word in (text if text is not None else default).split(",")]
    if words == [""]:
        raise UsageError(f"--seats is empty; name who sits there: {', '.join(known)}.")
    if len(words) == 1 and words[0].isdigit():
        return [default] * game.check_seats(int(words[0]))
    for word in words:
        if word not in known:
            meant = nearest(word, known) or f" They are {', '.join(known)}."
            raise UnknownPlayer(f"There is no player {word!r} for {game.title}.{meant}")
    if len(words) == 1:
        return words * game.min_seats
    game.check_seats(len(words))
    return words
