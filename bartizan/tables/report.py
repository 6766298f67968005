"""Log unexpected errors without anything that could be a key."""

from __future__ import annotations

import logging
import re
import traceback

from bartizan.tables.errors import StorageError

log = logging.getLogger("bartizan.server")

# A run of characters that could be a token or a seed; the class of an error, in letters only, is none.
SECRET = re.compile(r"(?![A-Za-z]+(?:Error|Exception)(?![\w-]))[0-9A-Za-z_-]{14,}")
LONGEST = 300  # characters of an error's text
FRAMES = 8


def without_secrets(text: str) -> str:
    """Return a text on one line, without anything long enough to be a token or a seed."""
    return " ".join(SECRET.sub("…", text).split())[:LONGEST]


def report(error: BaseException) -> None:
    """Log an unexpected error: its message, and where it came from; of a storage error only the message."""
    text = without_secrets(str(error))
    if isinstance(error, StorageError):
        log.error("%s", text)
        return
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    from bartizan.engine import registry

    log.error("unexpected %s: %s (%s)", type(error).__name__, text, places, extra={"cause": error})
    if fault := registry.fault_of(error):
        log.error("%s", fault)
