"""Invitations to seats, each exchanged by one browser for a key, and the browsers that open seats."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import ClassVar

from bartizan.tables.entries.base import Asker, Entry, Request, Surroundings
from bartizan.tables.errors import BadToken, NotAllowed
from bartizan.tables.messages import Code
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow

MOST_BROWSERS = 16  # browsers that are told apart at one seat
USED = (
    "This invitation has already been used; each one works once. "
    "The menu in the browser that used it has a link for other devices; anyone else needs a new table."
)
REVOKED = "This invitation was withdrawn. Ask for a new link."
UNKNOWN = "This invitation isn't valid. Ask for the complete link, including the part after #."
_CODE = re.compile(r"join-[A-Za-z0-9_-]{22}")
_KEY = re.compile(r"[A-Za-z0-9_-]{32,200}")


def draw_code() -> str:
    """Return a new random invitation."""
    return f"join-{secrets.token_urlsafe(16)}"


def is_code(text: str) -> bool:
    """Whether a text is an invitation and not a key."""
    return _CODE.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Whether a text can be a key that a browser draws for itself."""
    return _KEY.fullmatch(text) is not None and not is_code(text)


def hashed(text: str) -> str:
    """Return the hash under which an invitation or a key is stored, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seat_invited(state: TableState, code: str) -> int:
    """Return the seat of an unused invitation, by its hash; raises `BadToken`."""
    if code in state.spent:
        raise BadToken(state.spent[code])
    if code not in state.invitations:
        raise BadToken(UNKNOWN)
    return state.invitations[code]


class Join(Request, tag="join"):
    """Exchange an invitation to the seat for a key; `Enter` leads to it."""

    code: str  # hashed
    seat: int
    opens: str = ""  # the hashed key; not part of the row

    is_sent: ClassVar[bool] = False
    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True
    asked_by: ClassVar[Asker] = "anyone"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `BadToken` for an invitation that is to another seat, used or withdrawn."""
        if seat_invited(state, self.code) != seat:
            raise BadToken(UNKNOWN)

    @property
    def text(self) -> str:
        """The invitation's hash."""
        return self.code

    @property
    def key(self) -> tuple[bytes, int]:
        """The key's hash, and its seat."""
        return bytes.fromhex(self.opens), self.seat

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text is the invitation's hash."""
        return cls(id=row.id, version=0, code=row.text, seat=row.seat)

    def apply(self, state: TableState, seat: int) -> None:
        """Mark the invitation as used."""
        self.check(state, seat)
        state.spent[self.code] = USED


class Revoke(Request, tag="revoke"):
    """Withdraw an unused invitation; `instead` is the next one to its seat.

    Whoever knows an invitation may withdraw it: they could also use it.
    """

    code: Code
    instead: Code | None = None

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True
    is_wish: ClassVar[bool] = True
    asked_by: ClassVar[Asker] = "anyone"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `BadToken` for an invitation that can't be used any more, `NotAllowed` for the same again."""
        seat_invited(state, hashed(self.code))
        if self.instead and hashed(self.instead) in state.invitations:
            raise NotAllowed("The next invitation must be a new one.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry with hashes only."""
        code, instead = hashed(self.code), hashed(self.instead) if self.instead else ""
        return Revoked(id=self.id, code=code, instead=instead, seat=seat_invited(state, code))

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text has both hashes."""
        code, _, instead = row.text.partition(" ")
        return Revoked(id=row.id, code=code, instead=instead)


class Revoked(Entry, tag="revoke"):
    """An invitation that was withdrawn, by hashes."""

    code: str
    instead: str = ""
    seat: int = 0  # of the invitations; not part of the row

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """Both hashes."""
        return f"{self.code} {self.instead}".strip()

    @property
    def key(self) -> tuple[bytes, int] | None:
        """The hash of the next invitation, and minus its seat."""
        return (bytes.fromhex(self.instead), -self.seat) if self.instead else None

    def apply(self, state: TableState, seat: int) -> None:
        """Replace the invitation."""
        invited = seat_invited(state, self.code)
        if self.instead:
            state.invitations[self.instead] = invited
        state.spent[self.code] = REVOKED


class OpenedIn(Entry, tag="browser"):
    """A browser opens a seat for the first time; its player hears of all but the first."""

    browser: str  # hashed

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The browser's hash."""
        return self.browser

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text is the browser's hash."""
        return cls(id=row.id, browser=row.text)

    def apply(self, state: TableState, seat: int) -> None:
        """Count the browser."""
        state.browsers.setdefault(seat, []).append(self.browser)


def is_elsewhere(state: TableState, seat: int, browser: str) -> bool:
    """Whether a seat is opened in a browser that hasn't opened it before."""
    known = state.browsers.get(seat, [])
    return browser not in known and len(known) < MOST_BROWSERS
