"""Define what travels over HTTP alone; what tables say and hear is in `bartizan.tables.messages`.

The Structs are the wire format: Litestar and `bartizan.server.openapi` publish them, and the client's types
are generated from that.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bartizan.engine.scene import Scene, Setting
from bartizan.engine.schema import Schema
from bartizan.tables.messages import OptionValue, Preparation


class OptionInfo(Schema):
    """Describe one option of a game."""

    key: str
    default: OptionValue
    kind: Literal["bool", "choice", "int", "text"]
    sentence: str
    values: tuple[int | str, ...] = ()
    low: int | None = None
    high: int | None = None
    worth_comparing: bool = False


class LevelInfo(Schema):
    """Describe one level of a game's player programs, in a few words."""

    name: str
    about: str


class GameInfo(Schema):
    """Describe one installed game."""

    name: str
    title: str
    author: str
    summary: str
    min_seats: int
    max_seats: int
    options: tuple[OptionInfo, ...]
    players: tuple[str, ...]
    opponent: str  # the program to begin with: neither the weakest nor the strongest
    levels: tuple[LevelInfo, ...] = ()  # of the players, those that the game ranks; the weakest first
    preparation: Preparation | None = None  # until its tables can be played


class ClauseInfo(Schema):
    """Hold one clause of a rulebook in our own words."""

    id: str
    title: str
    text: str
    section: str
    ruling: str = ""


class Rules(Schema):
    """Hold a whole rulebook, in its order."""

    title: str
    author: str
    clauses: tuple[ClauseInfo, ...]


class ReplayRequest(Schema):
    """Ask for the scenes of a record."""

    record: Annotated[str, Meta(max_length=400_000)]
    seat: Annotated[int, Meta(ge=0, le=100)] = 0  # another than 0 only when the game is over


class Replay(Schema):
    """Hold one scene for every ply of a record, the deal first."""

    plies: int
    setting: Setting
    scenes: tuple[Scene, ...]


class Problem(Schema):
    """Say why a request was not answered."""

    code: str
    sentence: str
