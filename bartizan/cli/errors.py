"""Errors of the command line itself."""

from __future__ import annotations

from bartizan.engine.errors import BartizanError

BAD_INPUT = 2  # the exit code for everything that the caller can put right
FAILED = 1  # the exit code when a check ran and did not hold


class UsageError(BartizanError):
    """A command line that cannot be understood."""

    code = "usage"
