"""Define the base of everything that is sent to a client."""

from __future__ import annotations

import msgspec


class Schema(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Base of what is sent to a client: immutable, defaults left out.

    Made of strings, numbers, tuples and others like it, so it cannot be part of a cycle: Python's collector
    of cycles, which stops everything, need not look through the scenes of all tables.
    """
