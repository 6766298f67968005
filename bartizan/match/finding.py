"""Define the result of one check on a record."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """The result of one check."""

    part: str  # of the record
    holds: bool
    says: str
    chooser: str = ""  # who could have chosen the deal, as far as this check shows
    changer: str = ""  # who could have changed what happened after it
