"""Commit to a deal before it is made, and open the commitment after the game: hashes and nothing else.

The server draws a secret and publishes its hash; each person's browser draws a share, publishes its hash,
and shows the share once all hashes are there; the seed of the deal is a hash over the secret, all shares and
what is played.  So no one chooses the deal who does not hold the secret and every share (Blum: "Coin
flipping by telephone", 1981).  docs/fairness.md has the whole protocol and its limits;
web/src/net/fairness.ts is the same in the browser.

Every hash is SHA-256 over lines of text.  The first line says what is hashed, so that a value made for one
purpose is of no use for another; the table's name, and a share's seat, bind it to the place where it is used.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping

import msgspec

PROTOCOL = 1
SECRET_BYTES = 32

_SECRET = re.compile(r"[0-9a-f]{64}")
_SHARE = re.compile(r"[0-9a-f]{32}")
_HASH = re.compile(r"[0-9a-f]{64}")
_TABLE = re.compile(r"[0-9a-z-]{1,64}")


class Fairness(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Tell how a table's deal came about, as its record holds it; by seat, written as text."""

    protocol: int
    table: str
    commitment: str  # to the server's secret, published before anybody sat down
    secret: str = ""  # only after the end
    chosen: bool = False  # whoever made the table for themselves chose the seed
    persons: tuple[int, ...] = ()  # seats whose people were asked for a share; none where none was
    commitments: dict[str, str] = {}
    shares: dict[str, str] = {}
    left_out: tuple[int, ...] = ()  # seats that were asked and gave none


def draw_secret() -> str:
    """Return a new secret from the system: 256 bits, 64 hexadecimal digits."""
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


def commit_secret(table: str, secret: str, seed: str = "") -> str:
    """Return what a table publishes before the deal: a hash of its secret, and of a seed that was chosen.

    The secret has 256 bits, so a short `seed` cannot be found by trying.
    """
    return _hash("secret", table, secret, seed)


def commit_share(table: str, seat: int, share: str) -> str:
    """Return what a browser publishes before it shows its share; of no use at another seat or table."""
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
) -> str:
    """Return the seed of a deal: the first 128 bits of a hash over all that it depends on (32 hex digits).

    `options` are those of the game by their flat keys; `shares` are by seat.
    """
    named = json.dumps(sorted(options.items()), ensure_ascii=False, separators=(",", ":"))
    given = (f"{seat} {shares[seat]}" for seat in sorted(shares))
    return _hash("seed", table, game, str(rules), named, str(seats), secret, *given)[:32]


def _hash(purpose: str, *lines: str) -> str:
    text = "\n".join((f"bartizan fairness {PROTOCOL} {purpose}", *lines))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
