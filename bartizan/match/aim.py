"""Parse the notation of a throw, and describe its result.

A throw is written ``throw 6v lob at 2.3 speed 2.4 azimuth 1.5``: the card, the method, and the release
parameters. Parameters left out are chosen to suit the target, if there is one, or default to the method's.
``by pull`` marks parameters measured from a pull on screen, which only a client can know.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

import msgspec

from bartizan.engine.errors import UnknownMove
from bartizan.engine.extras import require
from bartizan.engine.layout import Flown, TableLayout, Wish

if TYPE_CHECKING:
    from bartizan.engine.game import Game
    from bartizan.engine.layout import ThrowingGame
    from bartizan.throwing.release import Release

EXAMPLE = "throw 6v lob at 2.3 speed 2.4"
MOST_WORDS = 40
PULL, PULLED = "pull", {"speed", "azimuth"}  # what every pull says
FRAME_BYTES, MOST_FRAMES = 16, 1_300  # 120 a second for ten seconds
FARTHEST = 10.0  # metres, and radians


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """A throw that may be made, and everything that physics needs for it."""

    layout: TableLayout
    chair: int  # from where the card is thrown
    card: str
    method: str
    figures: dict[str, object]  # of the release, as far as they are told
    target: str  # the piece that is aimed at for the rest, or ""
    pulled: bool  # on the table by an honest hand
    noise: float  # how far the hand trembles
    dice: int
    grace: float

    @property
    def release(self) -> Release:
        """How the card leaves the hand; an aim takes some milliseconds.  Raises `BadRelease`."""
        from bartizan.throwing.hand import aim, tremble
        from bartizan.throwing.release import read_release

        figures = self.figures
        if self.target:
            figures = aim(self.layout, self.chair, self.target, self.method).figures() | figures
        return tremble(read_release(self.method, figures), self.noise, self.dice)

    def fly(self) -> Flown:
        """Throw the card; takes a few milliseconds and has no side effects."""
        flown = thrown(self.layout, self.chair, self.release, self.grace, self.card)
        return msgspec.structs.replace(flown, pulled=self.pulled)


def thrown(layout: TableLayout, chair: int, release: Release, grace: float, card: str) -> Flown:
    """Return the flight of a throw and its result; takes a few milliseconds."""
    from bartizan.throwing.throw import throw

    return throw(layout, chair, release, grace).to_flown(card)


def require_physics(game: Game, options: Any) -> None:
    """Raise `MissingExtra` if these options want cards thrown at the table, and nothing here can."""
    if game.throwing is not None and game.throwing.is_thrown(options):
        require("throwing", "A table at which cards are thrown")


def read_words(text: str) -> tuple[str, str, str, bool, dict[str, object]]:
    """Take a throw apart: the card, or ``""``, the way, the target, or ``""``, whether it was pulled, and the
    figures by field.
    """
    from bartizan.throwing.release import METHODS

    words = text.split()[1:]
    if len(words) > MOST_WORDS:
        raise UnknownMove(f"That is too long for a throw; write it like '{EXAMPLE}'.", text)
    card = words.pop(0) if words and words[0].lower() not in METHODS else ""
    if not words or words[0].lower() not in METHODS:
        ways = ", ".join(METHODS)
        raise UnknownMove(f"A throw says how: {ways}. Write it like '{EXAMPLE}'.", text)
    method = words.pop(0).lower()
    target, pulled = "", False
    figures: dict[str, object] = {}
    while words:
        field = words.pop(0).lower()
        if not words:
            raise UnknownMove(f"{field!r} stands alone at the end; write a throw like '{EXAMPLE}'.", text)
        value = words.pop(0)
        if field == "at":
            target = value
        elif field == "by":
            if value.lower() != PULL:
                raise UnknownMove(f"A throw is made by figures, or 'by {PULL}', not by {value!r}.", text)
            pulled = True
        elif field in figures:
            raise UnknownMove(f"{field} is given twice.", text)
        else:
            figures[field] = _number(value)
    if pulled and (target or not figures.keys() >= PULLED):
        raise UnknownMove(
            f"A throw 'by {PULL}' says the speed and the azimuth that were pulled, and names no target.", text
        )
    return card, method, target, pulled, figures


def _number(text: str) -> float | str:
    """Return a number; the text where it is none, for the release to refuse it by its field."""
    try:
        return float(text)
    except ValueError:
        return text


def report_of(throwing: ThrowingGame, flown: Flown) -> str:
    """Return the move that reports a throw."""
    return throwing.report_text(flown.card, flown.landings, tuple(name for name, _ in flown.moved))


def aim_for(layout: TableLayout, chair: int, wish: Wish) -> Release:
    """Return a release that does what a program wants, or comes near it where no way reaches so far."""
    from bartizan.throwing.hand import aim
    from bartizan.throwing.release import METHODS, RANGES, BadRelease, read_release

    for method in (wish.method, *METHODS):
        try:
            return aim(layout, chair, wish.target, method)
        except BadRelease:
            continue
    return read_release(wish.method, {"speed": RANGES[wish.method]["speed"].high})


def check_figures(flown: Flown) -> None:
    """Raise `UnknownMove` where a flight cannot be shown, or left things where no table is."""
    places = [number for _, spot in flown.moved for number in (spot.x, spot.y, spot.yaw)]
    if not all(-FARTHEST <= number <= FARTHEST for number in places):  # NaN is not
        raise UnknownMove("the flight pushed something off every table", flown.card)
    try:
        data = base64.b64decode(flown.frames, validate=True)
    except binascii.Error as error:
        raise UnknownMove("the key frames of the flight are not base64", flown.card) from error
    if not data or len(data) % FRAME_BYTES or len(data) > MOST_FRAMES * FRAME_BYTES:
        raise UnknownMove(
            f"the flight has {len(data)} bytes of key frames, each of {FRAME_BYTES}", flown.card
        )
