"""Keep an audit log of what hosts do: a line of JSON for each action, in the data folder of their machine."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from bartizan.engine.files import Unwritable, give_to_owner_of_folder, reason

FILE = "audit.jsonl"


class HostAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a host did."""

    at: Annotated[int, msgspec.Meta(ge=0, le=2**35)]  # seconds since 1970
    who: str
    what: str
    about: tuple[str, ...] = ()  # tables, a file, an experiment


_decoder = msgspec.json.Decoder(HostAction)


def shell_user() -> str:
    """Return the name of whoever runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return f"user {os.getuid()}"


def note(folder: Path, who: str, what: str, about: Sequence[str] = ()) -> None:
    """Add an action durably, before it is done, so that nothing is done unseen; raises `Unwritable`."""
    path = folder / FILE
    line = msgspec.json.encode(HostAction(int(time.time()), who, what, tuple(about))) + b"\n"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        is_new = not path.exists()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
            if is_new:
                give_to_owner_of_folder(path)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {reason(error)}. Nothing was done.") from error


def read(folder: Path) -> tuple[list[HostAction], int]:
    """Return all actions, the oldest first, and how many lines can't be read."""
    try:
        lines = (folder / FILE).read_bytes().splitlines()
    except FileNotFoundError:
        return [], 0
    actions = []
    for line in lines:
        try:
            actions.append(_decoder.decode(line))
        except (msgspec.DecodeError, RecursionError):
            continue
    return actions, len(lines) - len(actions)
