"""Find the parts of a game: modules in its folder, or what the engine derives for a short game."""

from __future__ import annotations

import importlib
import importlib.util
import types
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from bartizan.engine import defaults
from bartizan.engine.assembly import Modules
from bartizan.engine.clauses import Rulebook
from bartizan.engine.errors import UnfinishedGame


class GameParts:
    """The parts that follow from a game's name, package and folder."""

    name: str
    package: str
    max_seats: int
    seat_names: tuple[str, ...]

    @cached_property
    def folder(self) -> Path:
        """The folder that holds the game's files."""
        return Path(cast(str, importlib.import_module(self.package).__file__)).parent

    @cached_property
    def clauses(self) -> Rulebook:
        """The rulebook in our own words."""
        return Rulebook.load(self.folder / "clauses.toml")

    @property
    def vocabulary(self) -> Any:
        """The words of its verbs."""
        raise NotImplementedError

    @property
    def rules(self) -> Any:
        """The rules as the engine calls them."""
        raise NotImplementedError

    def _part(self, name: str) -> Any:
        """Return one of the game's modules; raises `UnfinishedGame` if it doesn't exist."""
        module = f"{self.package}.{name}"
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:  # it exists, but imports something that doesn't
                raise
            if (derived := self._derived(name)) is not None:
                return derived
            raise UnfinishedGame(f"The game {self.name!r} has no {name}.py yet.") from error

    def _named(self, part: str, name: str) -> Any:
        """Return a name from one of the game's modules; raises `UnfinishedGame` if it isn't there."""
        module = self._part(part)
        if not hasattr(module, name):
            raise UnfinishedGame(f"The game {self.name!r} has no {name} in its {part}.py yet.")
        return getattr(module, name)

    def _has_part(self, name: str) -> bool:
        """Say whether the game has, or can derive, an optional module."""
        return (
            importlib.util.find_spec(f"{self.package}.{name}") is not None or self._derived(name) is not None
        )

    @cached_property
    def short(self) -> defaults.ShortGame | None:
        """What a one-module game declares; None for other games."""
        home = importlib.import_module(self.package)
        if not hasattr(home, "State"):
            return None
        names = self.seat_names or tuple(f"Player {seat}" for seat in range(1, self.max_seats + 1))
        return defaults.ShortGame(self.name, home, self.max_seats, names, self.clauses)

    def _derived(self, name: str) -> types.ModuleType | None:
        """Return a part that a short game doesn't write itself; None if it can't be derived."""
        short = self.short
        if short is None:
            return None
        if name == "rules":
            return short.home
        makers = {
            "state": lambda: defaults.make_state(short),
            "options": lambda: defaults.make_options(short),
            "phases": lambda: defaults.make_phases(short),
            "visibility": lambda: defaults.make_visibility(short),
            "observe": lambda: defaults.make_observer(short),
            "position": lambda: defaults.make_position(short),
            "words": lambda: defaults.make_words(short),
            "scene": lambda: defaults.make_scene(short, self.vocabulary, self._part("phases"), self.rules),
            "default_rules": lambda: defaults.make_rules(short),
            "heuristics": lambda: defaults.make_heuristics(short),
            "playtest": lambda: defaults.make_playtest(short),
        }
        return defaults.kept(short, name, makers[name]) if name in makers else None

    def _modules(self, names: Sequence[str]) -> Modules:
        if self.short is None:
            return Modules(self.name, [self._part(name) for name in names])
        own = [self.short.home, *(self._part(name) for name in names if self._is_written(name))]
        unwritten = [name for name in names if name != "rules" and not self._is_written(name)]
        derived = [self._part(name) for name in ("default_rules", *unwritten)]
        if "words" in names and "words" not in unwritten:  # for the words that it leaves out
            derived.append(defaults.make_words(self.short))
        return Modules(self.name, own, derived)

    def _is_written(self, name: str) -> bool:
        return (self.folder / f"{name}.py").is_file() or (self.folder / name).is_dir()
