"""Read where a game begins from a file: a position, a scenario, an entry of a trace or a record's head."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bartizan.cli.errors import UsageError
from bartizan.engine.errors import in_words, nearest
from bartizan.engine.game import Game
from bartizan.engine.options import flat


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game begins, as far as a file tells it; without a position it is dealt."""

    game: str | None = None
    options: dict[str, Any] = {}
    seats: int | None = None
    seed: str | None = None
    position: dict[str, Any] | None = None


# What else stands beside a position in scenarios, traces and records.
BESIDE = (
    "title",
    "clauses",
    "refused",
    "step",
    "game_no",
    "ply",
    "legal",
    "move",
    "result",
    "rules",
    "seed_hash",
)
KEYS = (*Start.__struct_fields__, *BESIDE)
TELLING = ("game", "options", "position")  # a file with none of these is the position itself


def read_start(path: Path) -> Start:
    """Return what a file in TOML or JSON says.

    Raises `Unreadable` for a file that is no text, `UsageError` for a text that is not of the form.
    """
    from bartizan.engine.files import read_text

    text = read_text(path)
    try:
        table = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise UsageError(f"{path} isn't a position in TOML or JSON: {why}.") from error
    if not any(key in table for key in TELLING):
        return Start(position=table)
    for key in table:
        if key not in KEYS:
            raise UsageError(
                f"{path}: {key!r} does not go beside {_first(table)}; what lies on the table goes under "
                f"[position].{nearest(key, KEYS)}"
            )
    try:
        return msgspec.convert(table, Start)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {in_words(error)}.") from error


def _first(table: Mapping[str, object]) -> str:
    return next(repr(key) for key in TELLING if key in table)


def start_at(path: Path | None, name: str | None) -> tuple[Game, Start]:
    """Return the game of the command line or of the file at `path`, and where it begins.

    Raises `UsageError` if the two name different games or none, and as `read_start`.
    """
    from bartizan.engine import registry

    start = Start() if path is None else read_start(path)
    name = name or start.game
    if name is None:
        raise UsageError(
            f"GAME is missing{f', and {path} names none' if path else ''}. "
            f"The games are {', '.join(registry.names())}."
        )
    game = registry.get(name)
    if start.game is not None and registry.get(start.game) is not game:
        raise UsageError(f"{path} is about {start.game}, not {game.name}.")
    return game, start


def options_with(
    start: Start, settings: Mapping[str, object], game: Game, path: Path | None
) -> dict[str, object]:
    """Return the options of a file and those of the command line.

    Raises `UsageError` where they contradict each other, `UnknownOption` for a value that does not exist.
    """
    written = flat(start.options)
    for spec in game.options:
        key = spec.key
        if key in written and key in settings and spec.read(written[key]) != spec.read(settings[key]):
            raise UsageError(
                f"{path}: {key} is {written[key]!r} there, and --set {key}={settings[key]} says otherwise."
            )
    return {**written, **settings}
