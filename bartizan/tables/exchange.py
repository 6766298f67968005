"""Let a table's people and the server make the deal together: commitments first, then shares.

A table's row holds the server's secret, and an entry that ends a round holds the next one. The log also holds
the people's contributions, as the entries of `bartizan.tables.entries.deal`, so that any process can
continue. docs/fairness.md describes the protocol.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from bartizan.engine import fairness
from bartizan.engine.chain import Chain
from bartizan.engine.fairness import Fairness, VoidRound
from bartizan.tables.messages import Fair
from bartizan.tables.provider import PERSON
from bartizan.tables.store import TableRow


def kept_seed(seed: str, secret: str) -> str:
    """Return what a row stores of the seed, "" if it is yet to be made, and of the server's secret."""
    return f"{seed}/{secret}"


class Exchange:
    """The progress of one table's deal, after some entries of its log."""

    def __init__(self, row: TableRow) -> None:
        self.row = row
        self.manner = row.agreement.dealing
        seed, self._has_secret, self._secret = row.seed.partition("/")
        self._chosen = seed
        self.persons = tuple(
            seat
            for seat, player in enumerate(row.players, start=1)
            if player == PERSON and self.manner == "shares"
        )
        self.asked = self.persons  # seats that must add a share: all but those given up
        self.commitments: dict[int, str] = {}
        self.shares: dict[int, str] = {}
        self.void: tuple[VoidRound, ...] = ()  # the rounds before this one
        self.agreed: dict[int, tuple[int, ...]] = {}  # by seat: who wants to give it up in this round
        self.left_out: tuple[int, ...] = ()
        self.closed_by = 0  # in a log from before rounds could be void: the seat that would not wait
        self.is_dealt = self.manner != "shares"
        self._used: set[str] = set()  # commitments of earlier rounds

    @property
    def commitment(self) -> str:
        """The commitment published before the deal; empty if the seed itself is known or was hashed alone."""
        if not self._has_secret:
            return ""
        return fairness.commit_secret(self.row.table, self._secret, self._chosen, self.void)

    @property
    def has_secret(self) -> bool:
        """Whether the server drew a secret for the deal."""
        return bool(self._has_secret)

    def chain(self, begins: str) -> Chain:
        """Return the chain of hashes over a game with this deal."""
        return Chain(begins, self._secret)

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose commitment is missing."""
        return tuple(seat for seat in self.asked if seat not in self.commitments)

    @property
    def is_closed(self) -> bool:
        """Whether all commitments have arrived, so that shares may be shown."""
        return self.closed_by > 0 or not self.missing

    @property
    def is_revealing(self) -> bool:
        """Whether shares are being waited for."""
        return self.is_closed and not self.is_dealt

    @property
    def is_complete(self) -> bool:
        """Whether everyone who was asked has shown their share, so that the deal can be made."""
        return self.is_revealing and not self.silent

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats that were asked and have shown no share."""
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
            void=self.void,
        )

    def is_used(self, commitment: str) -> bool:
        """Whether an earlier round had this commitment, so that its share may be known."""
        return commitment in self._used

    def want_given_up(self, seat: int, by: int) -> None:
        """Record that a seat wants to go on without another."""
        self.agreed[seat] = tuple(sorted({*self.agreed.get(seat, ()), by}))

    def is_agreed(self, seat: int, here: Collection[int], by: int = 0) -> bool:
        """Whether everyone who is here, including the one who asks now, wants to go on without a seat."""
        agreed = {*self.agreed.get(seat, ()), *filter(None, [by])}
        return bool(agreed) and {each for each in self.asked if each in here} - {seat} <= agreed

    def begin_again(self, secret: str, *, withheld: Iterable[int] = (), given_up: Iterable[int] = ()) -> None:
        """End this round and begin another, with a new secret and without the seats that are given up."""
        ended = VoidRound(commitment=self.commitment, withheld=tuple(withheld), given_up=tuple(given_up))
        self.void = (*self.void, ended)
        self._secret = secret
        self._used |= {*self.commitments.values()}
        self.asked = tuple(seat for seat in self.asked if seat not in ended.given_up)
        self.commitments, self.shares, self.agreed, self.closed_by = {}, {}, {}, 0

    def finish(self) -> None:
        """Record that the cards are dealt; in earlier logs, without the people who gave no share."""
        self.left_out = self.silent
        self.is_dealt = True

    def told(self, version: int, seat: int) -> Fair | None:
        """Return what everyone may know about the deal; None without chance, and at older tables."""
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
            void=self.void,
            agreed={str(seat): by for seat, by in sorted(self.agreed.items())},
        )

    def record(self, *, over: bool) -> Fairness | None:
        """Return the deal's part of a record; the secret only after the game."""
        if not self._has_secret:
            return None
        return Fairness(
            protocol=fairness.PROTOCOL,
            table=self.row.table,
            commitment=self.commitment,
            secret=self._secret if over else "",
            chosen=bool(self._chosen),
            persons=self.persons,
            commitments=_by_seat(self.commitments),
            shares=_by_seat(self.shares),
            left_out=self.left_out,
            void=self.void,
        )

    def sentence(self) -> str:
        """Say what the deal is waiting for."""
        seats = self.missing if not self.is_closed else self.silent
        who = f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}" if seats else "the server"
        return f"The cards aren't dealt yet. Waiting for the share of {who}."


def _by_seat(values: Mapping[int, str]) -> dict[str, str]:
    return {str(seat): values[seat] for seat in sorted(values)}
