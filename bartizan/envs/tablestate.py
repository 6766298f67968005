"""Copy a table's state out of a batch or into one; states from elsewhere are checked completely."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.errors import BadPosition, NotationError
from bartizan.envs.settings import BadSetting, Settings


class TableCopy(NamedTuple):
    """A table as `Batch.copy_of` took it. It is trusted, so don't make one by hand."""

    kind: tuple[str, int, str]  # the kind of tables that it can be loaded into
    state: bytes
    streams: tuple[int, int]  # for opponents and for random actions
    counts: tuple[int, int]  # its episode and plies
    ended: dict[str, Any]  # what the last step said, if its game is over


def check_bytes(settings: Settings, i: int, data: object) -> None:
    """Check that bytes are a playable state of a table; raises `BadSetting`."""
    game = settings.game
    size = game.state.dtype.itemsize
    if not isinstance(data, bytes) or len(data) != size:
        given = f"{len(data):,} bytes" if isinstance(data, bytes) else type(data).__name__
        raise BadSetting(f"a state of {game.title} has {size:,} bytes, not {given}.")
    record = game.state.from_array(np.frombuffer(bytearray(data), game.state.dtype))
    options = game.read_options(settings.options_of(i), settings.seats)
    wanted = game.blank(options, settings.seats, 0).view()
    if getattr(record, "options", None) != getattr(wanted, "options", None):
        raise BadSetting(f"the state is of {game.title} with other options.")
    if getattr(record, "seats", settings.seats) != settings.seats:
        raise BadSetting(f"the state is not of a table for {settings.seats} seats.")
    if record.to_array().tobytes() != data:
        raise BadSetting("the state has something between its fields, where nothing can be.")
    try:
        game.positions.check_state(record, options, settings.seats)
    except (BadPosition, NotationError) as error:
        raise BadSetting(f"this is no state of {game.title}: {error}") from error
