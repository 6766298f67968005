"""Read a batch from a file: its settings, and every table with its random streams.

Nothing in the file is trusted: settings are checked like
arguments, and every state like bytes of unknown origin.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BartizanError
from bartizan.envs import arrays
from bartizan.envs.batch import Batch
from bartizan.envs.batch_file import COUNTS, FLAGS, FORM, STREAMS, BatchHeading, Unloadable
from bartizan.envs.settings import BadSetting, Settings, check_settings
from bartizan.envs.tablestate import check_bytes

# The errors of np.load for damaged files; TypeError is for a single array, a .npy file.
DAMAGED = (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error, msgspec.MsgspecError)


def load(
    path: str | Path, threads: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Batch:
    """Read a batch from a file written by `save`; it continues exactly where it was.

    Each table is checked, which takes a few milliseconds; `progress` gets the number done and the total.
    Raises `Unloadable` with the reason.
    """
    path = Path(path)
    try:
        with path.open("rb") as source, np.load(source, allow_pickle=False) as file:
            parts = {name: file[name] for name in ("heading", "states", "viewer", *FLAGS, *COUNTS, *STREAMS)}
        heading = msgspec.json.decode(parts["heading"].tobytes(), type=BatchHeading)
    except OSError as error:
        raise Unloadable(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except DAMAGED as error:
        raise Unloadable(f"{path} holds no batch, or a damaged one.") from error
    try:
        settings = _settings_of(heading, threads)
        _check_parts(settings, parts)
        batch = Batch(settings)
        for i in range(settings.n):
            if progress is not None:
                progress(i, settings.n)
            if parts["episode"][i] >= 0:  # otherwise it was never dealt
                check_bytes(settings, i, parts["states"][i].tobytes())
    except BartizanError as error:
        raise Unloadable(f"{path}: {error}") from error
    _put(batch, parts)
    return batch


def _settings_of(heading: BatchHeading, threads: int | None) -> Settings:
    if heading.form != FORM:
        raise BadSetting(f"it has the form {heading.form}, and this version reads form {FORM}.")
    given = msgspec.structs.asdict(heading)
    for key in ("form", "rules"):
        del given[key]
    settings = check_settings(given.pop("game"), given.pop("n"), given.pop("seats"), threads=threads, **given)
    if settings.game.rules_version != heading.rules:
        raise BadSetting(
            f"it was played by rules {heading.rules} of {settings.game.title}; here are rules "
            f"{settings.game.rules_version}."
        )
    return settings


def _check_parts(settings: Settings, parts: dict[str, NDArray[Any]]) -> None:
    n = settings.n
    wanted: dict[str, tuple[str, tuple[int, ...]]] = {
        "states": ("uint8", (n, settings.game.state.dtype.itemsize)),
        "viewer": ("int8", (n,)),
        **dict.fromkeys(FLAGS, ("bool", (n,))),
        **dict.fromkeys(("key", "dice", "picks"), ("uint64", (n,))),
        **dict.fromkeys(("number", *COUNTS), ("int64", (n,))),
    }
    for name, (kind, shape) in wanted.items():
        if parts[name].dtype.name != kind or parts[name].shape != shape:
            raise BadSetting(f"{name} must be {kind} of shape {shape}, not {parts[name].dtype}.")
    if (parts["episode"] < -1).any() or (parts["plies"] < 0).any():
        raise BadSetting("episodes and plies cannot be negative.")
    if not ((parts["viewer"] >= 1) & (parts["viewer"] <= settings.seats)).all():
        raise BadSetting(f"viewer must be seats from 1 to {settings.seats}.")


def _put(batch: Batch, parts: dict[str, NDArray[Any]]) -> None:
    table = batch.tables
    for name in ("key", "number", "episode"):
        getattr(table, name)[:] = parts[name]
    for i in range(batch.n):
        arrays.put_bytes(batch.game, table, i, parts["states"][i].tobytes())
        arrays.set_stream(table.dice, i, int(parts["dice"][i]))
        arrays.set_stream(table.picks, i, int(parts["picks"][i]))
    table.viewer[:] = parts["viewer"]
    batch.refresh(parts["episode"] >= 0, ~parts["over"])
    table.plies[:] = parts["plies"]
    for name in FLAGS:
        getattr(table, name)[:] = parts[name]
