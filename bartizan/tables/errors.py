"""Name what can go wrong at a table or a server, as sentences for the person at the table."""

from __future__ import annotations

from bartizan.engine.errors import BartizanError


class StartError(BartizanError):
    """A server that cannot start: the port, the host or the data folder."""

    code = "cannot_start"


class StorageError(BartizanError):
    """A move log that cannot be opened, read or written."""

    code = "storage"


class Conflict(BartizanError):
    """An entry for a version that the log has already, or that would leave a gap."""

    code = "conflict"


class StaleVersion(BartizanError):
    """A request meant for another version than the table's present one."""

    code = "stale_version"


class Overtaken(StaleVersion):
    """A change that came after another process's, which is taken in now: it may be possible still."""


class UnknownTable(BartizanError):
    """A table that this server does not keep."""

    code = "unknown_table"


class BadToken(BartizanError):
    """A link that opens no seat of this table."""

    code = "bad_token"


class NotAllowed(BartizanError):
    """Something that this seat, or anybody, may not ask for now."""

    code = "not_allowed"


class TooMany(BartizanError):
    """More messages, tables or connections than the server takes."""

    code = "too_many"


class BadRequest(BartizanError):
    """A request or message that cannot be read."""

    code = "bad_request"
