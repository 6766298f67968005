"""Find the installed games: every folder in ``bartizan.games``, and every entry point."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import pkgutil

from bartizan.engine.errors import BartizanError, UnknownGame, nearest
from bartizan.engine.game import Game

GROUP = "bartizan.games"


@functools.cache
def _all() -> dict[str, Game]:
    package = importlib.import_module(GROUP)
    found: dict[str, Game] = {}
    for info in pkgutil.iter_modules(package.__path__):
        game = getattr(importlib.import_module(f"{GROUP}.{info.name}"), "game", None)
        if isinstance(game, Game):
            found[game.name] = game
    for point in importlib.metadata.entry_points(group=GROUP):
        if point.name not in found:
            game = _loaded(point)
            found[game.name] = game
    return dict(sorted(found.items()))


def _loaded(point: importlib.metadata.EntryPoint) -> Game:
    """Return the game that an entry point names; raises `BartizanError` with its name where there is none."""
    whose = f"The game {point.name!r}" + (f" of the package {point.dist.name}" if point.dist else "")
    try:
        game = point.load()
    except (ImportError, AttributeError) as error:
        raise BartizanError(f"{whose} cannot be loaded: {error}.") from error
    if not isinstance(game, Game):
        raise BartizanError(f"{whose} cannot be loaded: {point.value} is no Game.")
    return game


_added: dict[str, Game] = {}  # from folders, in place of installed ones


def add(game: Game) -> None:
    """Make a game known to this process that isn't installed."""
    _added[game.name] = game


def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted({**_all(), **_added})


def get(name: str) -> Game:
    """Return a game by its name, in any case, with spaces, ``-`` or ``_``.

    Raises `UnknownGame` with the nearest name.
    """
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in _added:
        return _added[wanted]
    games = _all()
    if wanted in games:
        return games[wanted]
    raise UnknownGame(
        f"There is no game {name!r}." + (nearest(wanted, games) or f" The games are {', '.join(games)}.")
    )
