"""Run generic algorithms once per game, fully compiled.

A generic module is written against a module-level `game` (the game's rules)::

    game = bound_rules(__name__)

and `bind` executes it under the name ``bartizan.bound.<game>.<module>``, so
that Numba sees the rules as constants: no dispatch, and a cache per game.
(Functions handed to compiled code as arguments never hit the cache.)
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bartizan.engine import playtest, throws
from bartizan.engine.rule import BOUND

_rules: dict[str, types.ModuleType] = {}
_heuristics: dict[str, types.ModuleType] = {}
_throwers: dict[str, types.ModuleType] = {}
_visibility: dict[str, types.ModuleType] = {}
_observers: dict[str, types.ModuleType] = {}
_playtests: dict[str, types.ModuleType] = {}
_binding = threading.RLock()  # a second thread must not see a module before it has been executed


def register(
    name: str,
    rules: types.ModuleType,
    visibility: types.ModuleType,
    heuristics: types.ModuleType,
    thrower: types.ModuleType = throws,
    playtests: types.ModuleType = playtest,
) -> None:
    """Register a game's modules for the generic modules that will be bound to it."""
    with _binding:
        if name in _rules:
            return
        package = types.ModuleType(BOUND + name)
        package.__path__ = []
        package.__file__ = rules.__file__
        sys.modules[package.__name__] = package
        _rules[name] = rules
        _visibility[name] = visibility
        _heuristics[name] = heuristics
        _throwers[name] = thrower
        _playtests[name] = playtests


def register_observer(name: str, observer: types.ModuleType) -> None:
    """Register what a game's programs observe."""
    with _binding:
        _observers[name] = observer


def bound_rules(module: str) -> Any:
    """Return the rules that `module` is bound to; an empty module when it is imported unbound."""
    return _bound_to(_rules, module)


def bound_heuristics(module: str) -> Any:
    """Return the heuristics of the game that `module` is bound to."""
    return _bound_to(_heuristics, module)


def bound_thrower(module: str) -> Any:
    """Return the thrower of the game that `module` is bound to."""
    return _bound_to(_throwers, module)


def bound_visibility(module: str) -> Any:
    """Return the module that blanks states of the game that `module` is bound to."""
    return _bound_to(_visibility, module)


def bound_observer(module: str) -> Any:
    """Return the module that observes states of the game that `module` is bound to."""
    return _bound_to(_observers, module)


def bound_playtest(module: str) -> Any:
    """Return the playtest module of the game that `module` is bound to."""
    return _bound_to(_playtests, module)


def bound_module(module: str, other: str) -> Any:
    """Return another generic module, bound to the game that `module` is bound to."""
    if not module.startswith(BOUND):
        return types.ModuleType("unbound")
    return bind(module.removeprefix(BOUND).split(".")[0], other)


def _bound_to(parts: Mapping[str, types.ModuleType], module: str) -> types.ModuleType:
    if not module.startswith(BOUND):
        return types.ModuleType("unbound")
    return parts[module.removeprefix(BOUND).split(".")[0]]


def bind(name: str, module: str) -> Any:
    """Return the generic `module` bound to the game `name`, executing it at the first call."""
    bound = f"{BOUND}{name}.{module.rsplit('.', 1)[-1]}"
    with _binding:
        if bound not in sys.modules:
            source = importlib.util.find_spec(module)
            if source is None or source.origin is None:
                raise ImportError(f"There is no module {module}")
            spec = importlib.util.spec_from_file_location(bound, Path(source.origin))
            if spec is None or spec.loader is None:
                raise ImportError(f"{source.origin} cannot be loaded")
            fresh = importlib.util.module_from_spec(spec)
            sys.modules[bound] = fresh
            try:
                spec.loader.exec_module(fresh)
            except BaseException:
                del sys.modules[bound]
                raise
        return sys.modules[bound]
