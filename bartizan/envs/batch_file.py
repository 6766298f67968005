"""Define and write the file of a batch, NumPy's ``.npz`` without pickles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import replacing
from bartizan.envs import arrays
from bartizan.envs.settings import NEVER, Settings

FORM = 1  # raised when the meaning of a file changes
COUNTS = ("episode", "plies")
FLAGS = ("over", "terminated", "truncated")
STREAMS = ("key", "number", "dice", "picks")


class Unloadable(BartizanError):
    """A file that doesn't hold a batch, or one that can't be played on."""

    code = "unloadable"


class BatchHeading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of the batch in a file, as `bartizan.envs.batch.batch` takes them."""

    form: int
    game: str
    rules: int
    n: int
    seats: int
    options: dict[str, Any] | list[dict[str, Any]]  # a list if tables differ
    seed: str
    opponents: dict[int, str]
    skill: str | None
    max_plies: int | None
    mask: bool
    observe: bool
    observe_options: bool = False  # files of older versions lack it
    illegal: str
    autoreset: str


def write(settings: Settings, table: Any, path: str | Path) -> None:
    """Write a batch's settings and tables to a file atomically; raises `Unwritable`."""
    heading = BatchHeading(
        form=FORM,
        game=settings.game.name,
        rules=settings.game.rules_version,
        n=settings.n,
        seats=settings.seats,
        options=list(settings.variants) or settings.options,
        seed=settings.seed,
        opponents=settings.opponents,
        skill=settings.skill or None,
        max_plies=None if settings.max_plies == NEVER else settings.max_plies,
        mask=settings.mask,
        observe=settings.observe,
        observe_options=settings.observe_options,
        illegal=settings.illegal,
        autoreset=settings.autoreset,
    )
    states = b"".join(arrays.bytes_of(table, i) for i in range(settings.n))
    dice, picks = (
        np.array([arrays.stream_of(each, i) for i in range(settings.n)], np.uint64)
        for each in (table.dice, table.picks)
    )
    with replacing(Path(path)) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            heading=np.frombuffer(msgspec.json.encode(heading), np.uint8),
            states=np.frombuffer(states, np.uint8).reshape(settings.n, -1),
            dice=dice,
            picks=picks,
            key=table.key,
            number=table.number,
            episode=table.episode,
            plies=table.plies,
            viewer=table.viewer,
            over=table.over,
            terminated=table.terminated,
            truncated=table.truncated,
        )
