"""Let a table's people make the deal together with the server: commitments first, then shares.

A table's row holds the server's secret.  Its log holds the people's contributions, as the entries of
`bartizan.tables.entries.deal`, so that any process can continue.  docs/fairness.md describes the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping

from bartizan.engine import fairness
from bartizan.engine.fairness import Fairness
from bartizan.tables.messages import Fair
from bartizan.tables.provider import PERSON
from bartizan.tables.store import TableRow


def kept_seed(seed: str, secret: str) -> str:
    """Return what a row keeps of a seed, "" where it is yet to be made, and of the server's secret."""
    return f"{seed}/{secret}"


class Exchange:
    """How the deal of one table comes about, after some entries of its log."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.manner = row.agreement.dealing
        seed, self._has_secret, self._secret = row.seed.partition("/")
        self._chosen = seed
        self.asked = tuple(
            seat
            for seat, player in enumerate(row.players, start=1)
            if player == PERSON and self.manner == "shares"
        )
        self.commitments: dict[int, str] = {}
        self.shares: dict[int, str] = {}
        self.left_out: tuple[int, ...] = ()
        self.closed_by = 0  # the seat that would not wait any longer
        self.is_dealt = self.manner != "shares"

    @property
    def commitment(self) -> str:
        """What was published before the deal; empty where the seed itself is known, or was hashed alone."""
        return fairness.commit_secret(self.row.table, self._secret, self._chosen) if self._has_secret else ""

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose commitment is waited for."""
        return tuple(seat for seat in self.asked if seat not in self.commitments)

    @property
    def is_closed(self) -> bool:
        """Whether no commitment can come any more: shares may be shown."""
        return self.closed_by > 0 or not self.missing

    @property
    def is_revealing(self) -> bool:
        """Whether shares are waited for."""
        return self.is_closed and not self.is_dealt

    @property
    def is_complete(self) -> bool:
        """Whether all who committed have shown their shares, so that the deal can be made."""
        return self.is_revealing and self.commitments.keys() == self.shares.keys()

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats that were asked and have given no share."""
        return tuple(seat for seat in self.asked if seat not in self.shares)

    @property
    def seed(self) -> str:
        """The deal's seed; secret until the end."""
        if not self._has_secret or self._chosen:
            return self._chosen
        row = self.row
        return fairness.deal_seed(
            table=row.table,
            game=row.game,
            rules=row.rules,
            options=row.options,
            seats=row.seats,
            secret=self._secret,
            shares=self.shares,
        )

    def finish(self) -> None:
        """Record that the cards are dealt, without the people who gave no share."""
        self.left_out = self.silent
        self.is_dealt = True

    def told(self, version: int, seat: int) -> Fair | None:
        """Return what everybody may know of it; None without chance, and at tables of earlier versions."""
        if not self.manner:
            return None
        return Fair(
            version=version,
            seat=seat,
            manner=self.manner,
            commitment=self.commitment,
            seed=self._chosen if self.manner == "open" else "",
            asked=self.asked,
            commitments=_by_seat(self.commitments),
            shares=_by_seat(self.shares),
            closed=self.is_closed and bool(self.asked),
            dealt=self.is_dealt,
            left_out=self.left_out,
        )

    def record(self, *, over: bool) -> Fairness | None:
        """Return what a record holds of it; the secret only when the game is over."""
        if not self._has_secret:
            return None
        return Fairness(
            protocol=fairness.PROTOCOL,
            table=self.row.table,
            commitment=self.commitment,
            secret=self._secret if over else "",
            chosen=bool(self._chosen),
            persons=self.asked,
            commitments=_by_seat(self.commitments),
            shares=_by_seat(self.shares),
            left_out=self.left_out,
        )

    def sentence(self) -> str:
        """Say what the deal waits for."""
        seats = self.missing if not self.is_closed else self.silent
        who = f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}" if seats else "the server"
        return f"The cards aren't dealt yet. Waiting for the share of {who}."


def _by_seat(values: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): values[seat] for seat in sorted(values)}
