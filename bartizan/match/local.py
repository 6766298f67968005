"""Use a game that isn't installed, from its folder, and say where in that folder something is wrong."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, first_line, nearest
from bartizan.engine.faults import place_in, what
from bartizan.engine.game import Game
from bartizan.engine.record import NotWhole
from bartizan.match.limits import Endless


class NoGame(BartizanError):
    """A folder without a game, or one whose game can't be loaded."""

    code = "no_game"


def package_in(folder: Path) -> Path | None:
    """Return the package with a game that a folder is, or has directly in it; None without one."""
    for each in (folder, *sorted(path for path in folder.glob("*") if path.is_dir())):
        if (each / "__init__.py").is_file() and (each / "clauses.toml").is_file():
            return each
    return None


def find_package(word: str) -> Path | None:
    """Return the package that a command line names by its folder; None where the word is a game's name.

    Raises `NoGame` for a path without a game.
    """
    folder = Path(word).expanduser()
    package = package_in(folder.resolve()) if folder.is_dir() else None
    if package is None and (word in (".", "..") or {os.sep, os.altsep} & set(word)):
        raise NoGame(f"{word} has no game: a package with an __init__.py and a clauses.toml is missing.")
    return package


def load_game(package: Path) -> Game:
    """Import a game from its folder, and make it known under its name.

    Raises `NoGame` with the file and line at which Python gave up.
    """
    if str(package.parent) not in sys.path:
        sys.path.insert(0, str(package.parent))
    importlib.invalidate_caches()
    try:
        home = importlib.import_module(package.name)
    except Exception as error:  # whatever its author wrote
        raise NoGame(told(error, package)) from error
    game = getattr(home, "game", None)
    if Path(getattr(home, "__file__", None) or "").resolve().parent != package.resolve():
        raise NoGame(f"{package}: Python has another package of that name; choose a different one.")
    if not isinstance(game, Game):
        raise NoGame(f"{shown(package / '__init__.py')}: There is no `game = Game(…)`.")
    registry.add(game)
    return game


def shown(path: Path) -> str:
    """Return a path as people read it: from the working folder, if it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def place_of(error: BaseException, folder: Path) -> str:
    """Return the file and line, the last in a game's folder, at which an error arose; "" if there is none."""
    place = place_in(folder, error)
    return shown(folder.parent / place) if place else ""


# Modules from which games import what rules call.
PARTS = ("actions", "bounds", "clauses", "game", "options", "piles", "record", "rng", "rule", "table")


def undefined(name: str, known: Iterable[str]) -> str:
    """Say that a name isn't defined, and where it can be imported from, or the nearest of those `known`."""
    for part in PARTS:
        module = f"bartizan.engine.{part}"
        value = getattr(importlib.import_module(module), name, None)
        if value is not None and getattr(value, "__module__", module) == module:
            return f"The name {name!r} isn't defined: import it from {module}."
    return f"The name {name!r} isn't defined.{nearest(name, known)}"


def told(error: BaseException, folder: Path) -> str:
    """Return an error as one sentence, with its place in a game's folder if it has one."""
    text = what(error)
    if isinstance(error, IndexError):
        text = f"An array is overrun: {error}"
    elif isinstance(error, OverflowError):
        text = f"A number is too large or too small: {error}"
    elif isinstance(error, NameError) and not isinstance(error, UnboundLocalError) and error.name:
        text = undefined(error.name, ())
    elif isinstance(error, AttributeError) and error.name:
        text = f"{type(error.obj).__name__} has no {error.name!r}.{nearest(error.name, dir(error.obj))}"
    elif isinstance(error, TypeError) and re.match(r"\w+\(\) ", str(error)):  # it was called wrongly
        text = first_line(error)
    elif isinstance(error, Endless | NotWhole):
        text = str(error)
    place, sentence = place_of(error, folder), text if text[-1] in ".?" else f"{text}."
    return f"{place}: {sentence}" if place else sentence
