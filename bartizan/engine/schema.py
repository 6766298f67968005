"""Define the base of everything that is sent to a client."""

from __future__ import annotations

import msgspec


class Schema(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Base of what is sent to a client: immutable, defaults left out.

    It consists of strings, numbers, tuples and other messages, so it can't be part of a reference cycle.
    Python's garbage collector, which stops everything, can skip the scenes of all tables.
    """
