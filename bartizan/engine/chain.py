"""Chain a table's log by hashes, so that a record can't change how the game went or ended.

The first head is a hash of how the table began. Each entry of the game (a move, an undo, a resignation)
makes the next head from the one before. Everyone at the table is told the head after each entry; its first
digits are the *check value* that people can note and compare. The record has the entries, so anyone can
compute the heads again.

A hash over a hidden move would let others try all moves. So each head also covers the secret of the server,
which the record reveals. docs/fairness.md describes the protocol; web/src/net/chain.ts implements it in the
browser.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bartizan.engine.errors import BadCheckValue, CorruptRecord
from bartizan.engine.fairness import Fairness
from bartizan.engine.settlement import Settlement

CHAIN_PROTOCOL = 1
CHECK_DIGITS = 20  # of a head that people see: 80 bits

_ENTRY = re.compile(r"(0|[1-9][0-9]{0,8}) ([a-z]{1,20}) (0|[1-9][0-9]{0,2})(?: (.+))?")
_GOES_BACK = ("undo", "grant")


class GameLog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table's log as a record holds it."""

    protocol: int
    table: str
    players: tuple[str, ...]  # by seat: "person", or a program's name
    head: str
    entries: tuple[str, ...] = ()


class Logged(NamedTuple):
    """One entry of a record's log."""

    ply: int  # after it
    kind: str
    seat: int
    text: str


def first_head(
    *,
    table: str,
    game: str,
    rules: int,
    options: Mapping[str, bool | int | str],
    players: Sequence[str],
    commitment: str,
    fairness: Fairness | None,
) -> str:
    """Return the head of a table whose cards have just been dealt.

    `options` are by their flat keys; `commitment` is what the table has published about the deal.
    """
    given = _given(fairness) if fairness else ()
    named = json.dumps(sorted(options.items()), ensure_ascii=False, separators=(",", ":"))
    seated = json.dumps(list(players), ensure_ascii=False, separators=(",", ":"))
    return _hash("begin", table, game, str(rules), named, seated, commitment, *given)


def next_head(head: str, secret: str, entry: str) -> str:
    """Return the head after another entry; `secret` is the server's for the deal, or empty."""
    return _hash("entry", head, secret, entry)


def written(ply: int, kind: str, seat: int, text: str) -> str:
    """Return an entry as it is hashed: the number of moves after it, its kind, its seat and its text."""
    return f"{ply} {kind} {seat} {text}" if text else f"{ply} {kind} {seat}"


class Chain:
    """The entries of a game in progress, and the head."""

    def __init__(self, begins: str, secret: str) -> None:
        self.head = begins
        self.entries: list[str] = []
        self._secret = secret

    def add(self, entry: str) -> None:
        """Add an entry."""
        self.head = next_head(self.head, self._secret, entry)
        self.entries.append(entry)


def heads(log: GameLog, begins: str, secret: str) -> list[str]:
    """Return the head before each entry of a record's log, and the last one."""
    made = [begins]
    for entry in log.entries:
        made.append(next_head(made[-1], secret, entry))
    return made


def check_value(head: str) -> str:
    """Return the digits of a head that people compare, in groups of four."""
    return " ".join(head[at : at + 4] for at in range(0, CHECK_DIGITS, 4))


def read_check_value(text: str) -> str:
    """Return the digits of a check value that someone noted; raises `BadCheckValue` if there are too few."""
    digits = "".join(text.split()).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{CHECK_DIGITS},64}}", digits):
        raise BadCheckValue(
            f"A check value has {CHECK_DIGITS} hexadecimal digits, such as 3f2a 91c0 77be 0d12 5e9a."
        )
    return digits


class LoggedGame:
    """How a game went and ended, as the entries of its log say."""

    def __init__(self, log: GameLog, seats: int) -> None:
        """Follow the log; raises `CorruptRecord` for entries that no table can have."""
        self.moves: list[str] = []
        self.movers: list[int] = []
        self.settled: Settlement | None = None
        self.ply = 0
        self._seats = seats
        for number, entry in enumerate(_entries(log, seats), start=1):
            if not self._goes_on():
                raise CorruptRecord(f"Entry {number} comes after the end of the game.")
            if not self._follow(entry):
                raise CorruptRecord(f"Entry {number} can't leave the game at ply {entry.ply}.")

    def _goes_on(self) -> bool:
        """Whether there may be another entry; if a player ran out of time, a program has taken over."""
        ended, self.settled = self.settled, None
        return ended is None or (self._seats > 2 and ended.reason == "time")

    def _follow(self, entry: Logged) -> bool:
        before, self.ply = self.ply, entry.ply
        if entry.kind == "move":
            self.moves[before:], self.movers[before:] = [entry.text], [entry.seat]
            return entry.ply == before + 1
        if entry.kind == "agree":
            self.settled = Settlement(reason="agreement")
        elif entry.kind == "flag":
            self.settled = Settlement(reason="time", loser=entry.seat)
        elif entry.kind == "resign" and self._seats == 2:
            self.settled = Settlement(reason="resignation", loser=entry.seat)
        if entry.kind == "redo":
            return before < entry.ply <= len(self.moves)
        return entry.ply == before or (entry.kind in _GOES_BACK and entry.ply < before)


def _given(fairness: Fairness) -> Iterator[str]:
    for seat in fairness.persons:
        key = str(seat)
        yield f"{seat} {fairness.commitments.get(key, '')} {fairness.shares.get(key, '')}"


def _entries(log: GameLog, seats: int) -> Iterator[Logged]:
    for number, entry in enumerate(log.entries, start=1):
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[3]) > seats:
            raise CorruptRecord(f"Entry {number} is malformed: {entry[:60]!r}.")
        yield Logged(int(match[1]), match[2], int(match[3]), match[4] or "")


def _hash(purpose: str, *lines: str) -> str:
    text = "\n".join((f"bartizan log {CHAIN_PROTOCOL} {purpose}", *lines))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
