"""Import the frameworks that somebody may not have installed."""

from __future__ import annotations

import importlib
from types import ModuleType

from bartizan.envs.settings import MissingExtra


def need(module: str, extra: str) -> ModuleType:
    """Return a module of a framework; raises `MissingExtra` with what brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise MissingExtra(
            f"{name} is not installed. It comes with the extra {extra!r}: pip install 'bartizan[{extra}]'."
        ) from error
