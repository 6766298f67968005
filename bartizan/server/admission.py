"""Limit what the server accepts, in total and from one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from bartizan.server.site import Site
from bartizan.tables.errors import TooMany
from bartizan.tables.limits import Buckets, Limits

Kind = Literal["requests", "tables", "replays", "lessons", "throws", "analyses", "pushes"]
WORDS: Mapping[Kind, str] = {
    "requests": "Too many requests from your network. Wait a moment.",
    "tables": "Too many new tables from your network. Wait a minute.",
    "replays": "Too many replays from your network. Wait a few seconds.",
    "lessons": "Too many tries from your network. Wait a second.",
    "throws": "Too many throws from your network. Try again in a moment.",
    "analyses": "Too many reviews from your network. Wait a few seconds.",
    "pushes": "Too many questions about notifications from your network. Wait a few seconds.",
}


class Admission:
    """What each address has used, and how many sockets are open."""

    def __init__(self, limits: Limits, site: Site) -> None:
        self._limits = limits
        self._site = site
        most = limits.addresses
        self._buckets: Mapping[Kind, Buckets] = {
            "requests": Buckets(limits.requests_per_second, limits.request_burst, most),
            "tables": Buckets(limits.tables_per_second_per_address, limits.table_burst_per_address, most),
            "replays": Buckets(limits.replays_per_second_per_address, limits.replay_burst_per_address, most),
            "lessons": Buckets(limits.lessons_per_second_per_address, limits.lesson_burst_per_address, most),
            "throws": Buckets(limits.throws_per_second_per_address, limits.throw_burst_per_address, most),
            "analyses": Buckets(
                limits.analyses_per_second_per_address, limits.analysis_burst_per_address, most
            ),
            "pushes": Buckets(limits.pushes_per_second_per_address, limits.push_burst_per_address, most),
        }
        self.refusals: Counter[str] = Counter()  # by kind
        self.sockets = 0
        self._by_address: Counter[str] = Counter()

    def address(self, scope: Mapping[str, Any]) -> str:
        """Return the key by which a request is counted."""
        return self._site.address(scope)

    def take(self, kind: Kind, scope: Mapping[str, Any]) -> None:
        """Count a request against its owner's limit; raises `TooMany`."""
        if not self._buckets[kind].take(self.address(scope)):
            self.refusals[kind] += 1
            raise TooMany(WORDS[kind])

    @contextmanager
    def socket(self, scope: Mapping[str, Any]) -> Iterator[str]:
        """Reserve a socket and return its address; raises `TooMany`."""
        address = self.address(scope)
        if self.sockets >= self._limits.sockets:
            self.refusals["sockets"] += 1
            raise TooMany("The server is full. Try again later.")
        if address and self._by_address[address] >= self._limits.sockets_per_address:
            self.refusals["sockets"] += 1
            raise TooMany("Too many tables are open from your network.")
        self.sockets += 1
        self._by_address[address] += 1
        try:
            yield address
        finally:
            self.sockets -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
