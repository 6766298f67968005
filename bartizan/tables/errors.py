"""Define the errors at a table or a server, with sentences for the person at the table."""

from __future__ import annotations

from bartizan.engine.errors import BartizanError


class StartError(BartizanError):
    """A server that can't start: the port, the host or the data folder is wrong."""

    code = "cannot_start"


class StorageError(BartizanError):
    """A log that can't be opened, read or written."""

    code = "storage"


class DamagedTable(StorageError):
    """A table with values in the log that no table has."""


class Conflict(BartizanError):
    """An entry whose version is already in the log, or would leave a gap."""

    code = "conflict"


class StaleVersion(BartizanError):
    """A request meant for another version than the table's current one."""

    code = "stale_version"


class Overtaken(StaleVersion):
    """A change that another process's entry has overtaken; it may still be possible after that entry."""


class UnknownTable(BartizanError):
    """A table that doesn't exist on this server."""

    code = "unknown_table"


class BadToken(BartizanError):
    """A link that doesn't open a seat at this table."""

    code = "bad_token"


class NotAllowed(BartizanError):
    """Something that this seat, or anyone, may not request now."""

    code = "not_allowed"


class Blocked(NotAllowed):
    """A key that the host has blocked."""

    code = "blocked"

    def __init__(self) -> None:
        super().__init__("The host has blocked your link to this table.")


class NotDealt(NotAllowed):
    """Something that needs the cards before they are dealt."""

    code = "not_dealt"


class TooMany(BartizanError):
    """More messages, tables or connections than the server allows."""

    code = "too_many"


class BadRequest(BartizanError):
    """A request or message that can't be read."""

    code = "bad_request"
