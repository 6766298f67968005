"""Write the log: for people or as lines of JSON, without keys, and never flooded by who has none."""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Literal

import msgspec

from bartizan.tables.report import without_secrets

# What uvicorn says of clients that speak no proper HTTP or WebSocket: they are answered, and counted.
CLIENTS_FAULTS = ("Invalid HTTP request", "Invalid UTF-8", "Unsupported upgrade request")
OFTEN, WITHIN = 5, 60.0  # lines of one kind, and the seconds for them
KINDS = 256  # that are remembered


class Sparing(logging.Filter):
    """Filter out client errors and repeated lines; report the number of repetitions afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()  # since when, how often

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
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
    """A line of JSON for each record: time, level, logger, message, and what `extra` has under ``fields``."""

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
    """A line for people; of an error what it says, not its trace, which could hold keys."""

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
