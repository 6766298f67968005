"""Tell whether rules are still those that the compiler for devices took.

Compiling five games for a device takes a minute of processor time and comes to the same as long as the rules
are the same. So a digest of all that the compiler reads is kept in `device.toml`; where it differs the rules
are compiled. ``make generated`` writes the file anew where that compiler is.
"""

from __future__ import annotations

import enum
import hashlib
import inspect
import tomllib
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bartizan.engine.files import write_atomically
from bartizan.engine.game import Game

STAMPS = Path(__file__).with_name("device.toml")


def read() -> dict[str, str]:
    """Return the digest of each game's rules that were compiled last."""
    return dict(tomllib.loads(STAMPS.read_text(encoding="utf-8"))) if STAMPS.exists() else {}


def write(name: str, digest: str) -> None:
    """Keep the digest of a game's rules that were compiled."""
    stamps = read() | {name: digest}
    lines = [f'{each} = "{stamps[each]}"\n' for each in sorted(stamps)]
    write_atomically(
        STAMPS, "".join(["# Rules that compile for a device; `make generated` writes this.\n", *lines])
    )


def digest_of(game: Game, *entries: Callable[..., Any]) -> str:
    """Return a digest of all functions that rules reach, the values they name, the state and the compiler."""
    texts = {"": f"Numba {numba.__version__} {game.state.dtype.descr}"}
    waiting: list[Any] = list(entries)
    while waiting:
        function = waiting.pop().py_func
        name = f"{function.__module__}.{function.__qualname__}"
        if name not in texts:
            texts[name] = inspect.getsource(function)
            for called, value in _named_in(function):
                if hasattr(value, "py_func"):
                    waiting.append(value)
                else:
                    texts[f"{name} {called}"] = _written(value)
    joined = "\n".join(f"{name}: {texts[name]}" for name in sorted(texts))
    return hashlib.blake2b(joined.encode(), digest_size=16).hexdigest()


def _named_in(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the values outside a function that its code names; of modules what it takes from them."""
    variables = inspect.getclosurevars(function)
    for name, value in [*variables.globals.items(), *variables.nonlocals.items()]:
        if isinstance(value, types.ModuleType):
            taken = (each for each in function.__code__.co_names if hasattr(value, each))
            yield from ((f"{name}.{each}", getattr(value, each)) for each in taken)
        else:
            yield name, value


def _written(value: object) -> str:
    """Return a value as text, the same in every process."""
    if isinstance(value, enum.EnumType):
        members: list[enum.Enum] = list(value)
        return str([(member.name, member.value) for member in members])
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.tolist()}"
    if isinstance(value, types.FunctionType):
        return inspect.getsource(value)
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)
