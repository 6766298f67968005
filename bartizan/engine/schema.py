"""Say in what form things travel to a client."""

from __future__ import annotations

import msgspec


class Schema(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of what travels to a client: immutable, defaults left out."""
