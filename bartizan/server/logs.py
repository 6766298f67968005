"""Write the log, as sentences or as lines of JSON, without keys and without floods of repeated lines."""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Literal

import msgspec

from bartizan.tables.report import without_secrets

# uvicorn's messages about clients that don't speak proper HTTP or WebSocket: they are counted.
CLIENTS_FAULTS = ("Invalid HTTP request", "Invalid UTF-8", "Unsupported upgrade request")
OFTEN, WITHIN = 5, 60.0  # how many lines of one kind, in how many seconds
KINDS = 256  # kinds that are remembered


class Sparing(logging.Filter):
    """Filter out client errors and repeated lines; report the number of repetitions afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()  # since when, how often

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a line."""
        text = str(record.msg)
        if record.name.startswith("uvicorn") and text.startswith(CLIENTS_FAULTS):
            return False
        if record.levelno <= logging.INFO:
            return True
        kind, now = (record.name, text), time.monotonic()
        since, count = self._kinds.pop(kind, (now, 0))
        if now - since > WITHIN:
            if count > OFTEN:
                record.msg = f"{text} (and {count - OFTEN} times more since)"
            since, count = now, 0
        self._kinds[kind] = since, count + 1
        if len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        return count < OFTEN


class JsonLines(logging.Formatter):
    """A line of JSON per record: time, level, logger, message, and the ``fields`` of `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line["error"] = without_secrets(f"{type(error).__name__}: {error}")
        return msgspec.json.encode(line).decode()


class Sentences(logging.Formatter):
    """A line for people; for an error its message, not its trace, which could contain keys."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = f"{record.levelname} {record.name}: {without_secrets(record.getMessage())}"
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line += f": {without_secrets(f'{type(error).__name__}: {error}')}"
        return line


def set_up(form: Literal["text", "json"] = "text", *, requests: bool = False) -> None:
    """Log to standard error, in one of two formats; `requests` adds a line per request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Sentences())
    handler.addFilter(Sparing())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("bartizan.requests").setLevel(logging.INFO if requests else logging.WARNING)
