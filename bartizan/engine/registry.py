"""Find the installed games: every folder in ``bartizan.games``, and every entry point.

A game that can't be loaded doesn't affect the others: `broken` says what is wrong with it.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import pkgutil
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import NamedTuple

from bartizan.engine.errors import BrokenGame, UnknownGame, nearest
from bartizan.engine.faults import named_place_in, place_in, what
from bartizan.engine.game import Game
from bartizan.engine.trial import FailedTrial, noted_fault

GROUP = "bartizan.games"


class _Found(NamedTuple):
    """What is installed, by name."""

    games: dict[str, Game]
    broken: dict[str, str]  # a sentence on each
    folders: dict[str, Path]  # of both


def _points() -> Iterator[EntryPoint]:
    """Yield where games are installed, our own first."""
    for info in pkgutil.iter_modules(importlib.import_module(GROUP).__path__):
        yield EntryPoint(info.name.replace("_", "-"), f"{GROUP}.{info.name}:game", GROUP)
    yield from entry_points(group=GROUP)


@functools.cache
def _all() -> _Found:
    catalogue = _Found({}, {}, {})
    for point in _points():
        if point.name in catalogue.folders:
            continue
        folder = _folder_of(point.module)
        try:
            game = point.load()
            if not isinstance(game, Game):
                raise BrokenGame(f"{point.value} is no Game")
            _ = game.clauses  # needed to show the game at all
        except (Exception, SystemExit) as error:  # noqa: BLE001 - third-party code can raise anything
            catalogue.broken[point.name] = _unloadable(point, folder, error)
            catalogue.folders[point.name] = folder
        else:
            catalogue.games[game.name] = game
            catalogue.folders[game.name] = folder
    return catalogue


def _folder_of(module: str) -> Path:
    """Return a package's folder or a module's file, or the null device if the module doesn't exist."""
    try:
        spec = importlib.util.find_spec(module)
    except (Exception, SystemExit):  # noqa: BLE001 - it imports the parent package
        spec = None
    if spec is None or spec.origin is None:
        return Path(os.devnull)
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def _unloadable(point: EntryPoint, folder: Path, error: BaseException) -> str:
    whose = f" of the package {point.dist.name}" if point.dist else ""
    place = place_in(folder, error)
    return f"The game {point.name!r}{whose} cannot be loaded: {f'{place}: ' if place else ''}{what(error)}."


_added: dict[str, Game] = {}  # from folders; these replace installed ones


def add(game: Game) -> None:
    """Register a game with this process that isn't installed."""
    _added[game.name] = game


def names() -> list[str]:
    """Return the names of all installed games that can be loaded, sorted."""
    return sorted({**_all().games, **_added})


def broken() -> Mapping[str, str]:
    """Return a sentence on each installed game that can't be loaded or failed its trial, by name."""
    tried = {name: noted_fault(name, game.folder) for name, game in _all().games.items()}
    failed = {name: str(FailedTrial(name, fault)) for name, fault in tried.items() if fault}
    return dict(sorted({**_all().broken, **failed}.items()))


def get(name: str) -> Game:
    """Return a game by its name, in any case, with spaces, ``-`` or ``_``.

    Raises `BrokenGame` if it cannot be loaded, `UnknownGame` with the nearest name if there is none, or with
    the command that installs it if it lies in the current folder.
    """
    wanted = name.strip().rstrip("/").lower().replace("_", "-").replace(" ", "-")
    if wanted in _added:
        return _added[wanted]
    catalogue = _all()
    if wanted in catalogue.games:
        return catalogue.games[wanted]
    if wanted in catalogue.broken:
        raise BrokenGame(catalogue.broken[wanted])
    for folder in (wanted, ".") if re.fullmatch(r"[a-z0-9-]+", wanted) else ():
        project = Path(folder, "pyproject.toml")
        text = project.read_text(encoding="utf-8", errors="replace") if project.is_file() else ""
        if GROUP in text and re.search(rf'^"?{wanted}"?\s*=', text, re.MULTILINE):
            raise UnknownGame(f"The game {wanted!r} isn't installed; use `pip install -e {folder}`.")
    raise UnknownGame(
        f"There is no game {name!r}."
        + (nearest(wanted, catalogue.folders) or f" The games are {', '.join(names())}.")
    )


def sound(name: str) -> Game:
    """Return a game as `get` does; raises `BrokenGame` also if its current version failed its trial."""
    game = get(name)
    if fault := noted_fault(game.name, game.folder):
        raise FailedTrial(game.name, fault)
    return game


def fault_of(error: BaseException) -> str:
    """Say in a sentence which game, and which line of it, caused an error; ``""`` if none did."""
    games = {**_all().games, **_added}
    folders = {**_all().folders, **{name: game.folder for name, game in _added.items()}}
    running = {name: folder for name, folder in folders.items() if name in games and games[name].is_bound}
    for look_in, place in ((folders, named_place_in), (running, place_in)):
        for name, folder in look_in.items():
            if found := place(folder, error):
                return f"The game {name!r} fails at {found} ({what(error)})."
    return ""
