"""Check the host's key, for servers that others can reach."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from bartizan.engine.files import write_secret
from bartizan.tables import audit
from bartizan.tables.errors import NotAllowed, StartError, TooMany
from bartizan.tables.limits import Bucket

VARIABLE = "BARTIZAN_OPERATOR_KEY"
FILE = "operator.key"
SHORTEST = 16  # characters of a key
TRIES_PER_SECOND, TRIES_AT_ONCE = 1.0, 10.0


class Operator:
    """Whoever may run experiments: everyone if `key` is empty.

    What is done with a key is written into the audit log in `folder`.
    """

    def __init__(self, key: str, folder: Path | None = None) -> None:
        self._key = key
        self._folder = folder
        self._tries = Bucket(TRIES_PER_SECOND, TRIES_AT_ONCE)

    @property
    def needs_key(self) -> bool:
        """Whether a key is required."""
        return bool(self._key)

    def check(self, given: str) -> None:
        """Raise `NotAllowed` for a wrong key, `TooMany` after too many of them."""
        if not self._key or secrets.compare_digest(given.encode(), self._key.encode()):
            return
        if not self._tries.take():
            raise TooMany("Too many wrong keys. Wait a few seconds.")
        raise NotAllowed("This needs the host's key." if not given else "That key is wrong.")

    def note(self, what: str, about: str) -> None:
        """Write into the audit log what is about to be done with the key; raises `Unwritable`."""
        if self._key and self._folder is not None:
            audit.note(self._folder, "the host's key", what, [about])


def operator_key(data: Path, *, loopback_only: bool) -> str:
    """Return the key that running experiments requires: none on loopback, unless one is set.

    It is ``BARTIZAN_OPERATOR_KEY`` or else, on a server that others can reach, the content of
    ``operator.key`` in the data folder, which is created readable only by its owner. Raises `StartError` for
    a key that is too short, `Unwritable`.
    """
    given = os.environ.get(VARIABLE, "")
    if given:
        return _checked(given, VARIABLE)
    if loopback_only:
        return ""
    path = data / FILE
    with contextlib.suppress(FileExistsError):
        write_secret(path, secrets.token_urlsafe(24) + "\n")
    return _checked(path.read_text(encoding="utf-8", errors="replace").strip(), str(path))


def _checked(key: str, where: str) -> str:
    if len(key) < SHORTEST:
        raise StartError(f"The host's key in {where} is too short: it needs at least {SHORTEST} characters.")
    return key
