"""Describe where things are on a real table, for games in which cards are thrown.

A game whose cards can be thrown at the table itself has a module ``throwing.py`` (`ThrowingGame`), whose
`table_layout` says for an observation where things are and where each seat throws from. The physics
(``bartizan.throwing``) turns it into bodies and a client draws it; neither knows the game.

Lengths are metres, angles radians.  The origin is the middle of the table, x points to the right of the
first seat, y away from it, z up.  A yaw turns anticlockwise seen from above; 0 is a card whose long side
lies along y.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from bartizan.engine.schema import Schema

VERB = "throw"


def is_throw(move: object) -> bool:
    """Say whether a move is a text that asks for a throw at the table (see `bartizan.match.throws`)."""
    return isinstance(move, str) and move.lower().split(maxsplit=1)[:1] == [VERB]


class Spot(Schema):
    """Where a card lies flat on the table: its middle, and its rotation."""

    x: float
    y: float
    yaw: float = 0.0


class Piece(Schema):
    """One card that stands or lies on the table and can be hit."""

    name: str  # "2.wall3", "2.castle"
    spot: Spot
    seat: int  # its owner, from 1
    side: int  # that seat's side, from 1; a throw never hits its own side
    item: str = ""  # its id in the scene
    fixed: bool = False  # put back after every throw, however far it was pushed (a castle)
    label: str = ""  # its name: "Red's wall 3"


class Stack(Schema):
    """The place of a pile beside the targets; the physics treats it as part of the table."""

    zone: str  # its id in the scene
    spot: Spot


class Chair(Schema):
    """From where a seat throws: behind its own walls, towards the others."""

    seat: int
    side: int
    castle: Spot  # the middle of its castle; `yaw` is the direction in which it throws, 0 along y
    line: float  # the distance from the castle's middle at which a card leaves the hand


class TableLayout(Schema):
    """Everything on the table, the chairs around it, and the play area."""

    pieces: tuple[Piece, ...]
    chairs: tuple[Chair, ...]
    width: float  # of the play area, along x
    depth: float  # along y
    stacks: tuple[Stack, ...] = ()


class ThrowingAids(Schema):
    """What helps people who throw at a table; everyone can see it."""

    path: bool = True  # players see where the card would fly, and can aim at a named target
    # With a pull, the scatter is that of the player's own hand. A release set by figures has no scatter of
    # its own, so a random error is added.
    honest: bool = False


class Landing(Schema):
    """How much of one piece is covered by a card at rest."""

    target: str
    overlap: float  # square millimetres
    # The covered share of each corner index: left and right in front, left and right at the back.
    corners: tuple[float, ...]
    outline: tuple[tuple[float, float], ...] = ()  # of the overlap, in metres on the table
    perfect: bool = False  # a wall all of whose corners are covered


class Flown(Schema):
    """What a client needs to show one throw again.

    `frames` are little-endian int16 in base64, eight for each key frame: the time in milliseconds, x, y, z in
    tenths of a millimetre, the quaternion w, x, y, z times 32767.
    """

    card: str  # its face
    seat: int
    method: str
    release: dict[str, float]  # field -> figure
    verdict: str  # "miss", "hit", "double", "perfect"
    sentence: str  # describes the result: "First the table, 4 mm short of wall 3."
    frames: str
    contact_with: str = ""  # "table" or a piece's name: what it touched first
    contact_at: float = 0.0  # seconds after the release
    landings: tuple[Landing, ...] = ()
    moved: tuple[tuple[str, Spot], ...] = ()  # the pieces that it pushed, and where they are now
    pulled: bool = False  # an honest pull, to which no random error was added


class Wish(Schema):
    """What a program wants to achieve with a throw."""

    card: str  # its face
    target: str  # the name of a piece
    method: str
    noise: float  # the random error of its hand: see `bartizan.throwing.hand`


class ThrowingGame(Protocol):
    """What the module ``throwing.py`` of a game with throwable cards provides."""

    CLAUSE: str  # the option value that means that cards are thrown

    def is_thrown(self, options: Any) -> bool:
        """Say whether cards are thrown at a table with these options, not reported from a real one."""

    def grace(self, options: Any) -> float:
        """Return how many seconds earlier than its target a card may touch the table."""

    def noise(self, options: Any, pulled: bool) -> float:
        """Return the random error of a person's hand: see `bartizan.throwing.hand`; 0 for none.

        `pulled` says that the release came from a pull on the table rather than from figures.
        """

    def aids(self, options: Any) -> ThrowingAids:
        """Return what helps people who throw."""

    def table_layout(self, observation: Any, spots: Mapping[str, Spot]) -> TableLayout:
        """Return where everything is; `spots` says where pushed pieces are now."""

    def thrower_seat(self, observation: Any) -> int:
        """Return the seat that throws the next card."""

    def cards(self, observation: Any) -> tuple[str, ...]:
        """Return the faces of the cards that may be thrown now, by value."""

    def throws(self, observation: Any) -> tuple[str, ...]:
        """Return a move for each card and way of throwing, and for each target if targets can be named."""

    def piece_name(self, text: str) -> str:
        """Return the piece that a move's text names; raises `UnknownMove`."""

    def piece_text(self, name: str) -> str:
        """Return the text by which moves name a piece."""

    def report_text(self, card: str, landings: tuple[Landing, ...], moved: tuple[str, ...]) -> str:
        """Return the move that reports a throw; without landings, a miss."""

    def is_report(self, action: int) -> bool:
        """Say whether an action reports a throw."""

    def wish(self, view: Any, action: int, skill: int, dice: Any) -> Wish:
        """Return what a program of this skill wants when it reports `action`; `dice` is Python's."""
