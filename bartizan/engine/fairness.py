"""Compute the hashes of a fair deal: commitments before it is made, and their opening after the game.

The server draws a secret and publishes its hash; each person's browser draws a share, publishes its hash,
and shows the share once all hashes are there; the seed of the deal is a hash over the secret, all shares and
what is played. So no one can choose the deal without the secret and every share (Blum: "Coin flipping by
telephone", 1981). If a share isn't shown, the deal is void and everything is drawn again; the hashes of a
later round cover the void ones, so no record can hide them.

docs/fairness.md has the whole protocol and its limits; web/src/net/fairness.ts implements it in the browser.

Every hash is SHA-256 over lines of text. The first line says what is hashed, so a value made for one purpose
can't be used for another. The table's name, and a share's seat, bind it to one place.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bartizan.engine.schema import Schema

PROTOCOL = 1
SECRET_BYTES = 32
MOST_VOID = 50  # rounds at one table; after that, its deal has failed

_SECRET = re.compile(r"[0-9a-f]{64}")
_SHARE = re.compile(r"[0-9a-f]{32}")
_HASH = re.compile(r"[0-9a-f]{64}")
_TABLE = re.compile(r"[0-9a-z-]{1,64}")


class VoidRound(Schema, frozen=True, forbid_unknown_fields=True):
    """A void round of a deal: shares were not shown, or seats were given up."""

    commitment: str  # to the server's secret of that round, which is never revealed
    withheld: tuple[int, ...] = ()  # seats that didn't show their shares
    given_up: tuple[int, ...] = ()  # seats that the others no longer wait for


class Fairness(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a table's deal was made, as its record holds it; by seat, as text."""

    protocol: int
    table: str
    commitment: str  # to the server's secret, published before anyone sat down
    secret: str = ""  # only after the game
    chosen: bool = False  # the creator of a table for one person chose the seed
    persons: tuple[int, ...] = ()  # seats whose players were asked for a share
    commitments: dict[str, str] = {}
    shares: dict[str, str] = {}
    # Seats that were asked and gave none, in deals before 2026-11-25. Since then, such a deal is void.
    left_out: tuple[int, ...] = ()
    void: tuple[VoidRound, ...] = ()  # the rounds before the one that was dealt

    @property
    def given_up(self) -> tuple[int, ...]:
        """The seats that were no longer asked for a share."""
        return tuple(sorted(seat for each in self.void for seat in each.given_up))


def draw_secret() -> str:
    """Return a new random secret: 256 bits as 64 hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def is_secret(text: str) -> bool:
    """Say whether a text has the form of a secret."""
    return _SECRET.fullmatch(text) is not None


def is_share(text: str) -> bool:
    """Say whether a text has the form of a share."""
    return _SHARE.fullmatch(text) is not None


def is_hash(text: str) -> bool:
    """Say whether a text has the form of a commitment."""
    return _HASH.fullmatch(text) is not None


def is_table(text: str) -> bool:
    """Say whether a text can be a table's name."""
    return _TABLE.fullmatch(text) is not None


def commit_secret(table: str, secret: str, seed: str = "", void: Sequence[VoidRound] = ()) -> str:
    """Return the commitment that a table publishes: a hash of its secret, and of the seed if it was chosen.

    The secret has 256 bits, so a short `seed` cannot be found by trying.  `void` are the earlier rounds.
    """
    return _hash("secret", table, secret, seed, *_lines(void))


def commit_share(table: str, seat: int, share: str) -> str:
    """Return the commitment that a browser publishes; it is valid for one seat at one table."""
    return _hash("share", table, str(seat), share)


def deal_seed(
    *,
    table: str,
    game: str,
    rules: int,
    options: Mapping[str, bool | int | str],
    seats: int,
    secret: str,
    shares: Mapping[int, str],
    void: Sequence[VoidRound] = (),
) -> str:
    """Return the seed of a deal: the first 128 bits of a hash over everything it depends on (32 hex digits).

    `options` are those of the game by their flat keys; `shares` are by seat, `void` the earlier rounds.
    """
    named = json.dumps(sorted(options.items()), ensure_ascii=False, separators=(",", ":"))
    given = (f"{seat} {shares[seat]}" for seat in sorted(shares))
    return _hash("seed", table, game, str(rules), named, str(seats), secret, *_lines(void), *given)[:32]


def _lines(void: Sequence[VoidRound]) -> Iterator[str]:
    for each in void:
        seats = [f" withheld {seat}" for seat in each.withheld] + [
            f" given up {seat}" for seat in each.given_up
        ]
        yield f"void {each.commitment}{''.join(seats)}"


def _hash(purpose: str, *lines: str) -> str:
    text = "\n".join((f"bartizan fairness {PROTOCOL} {purpose}", *lines))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
