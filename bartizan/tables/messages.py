"""Define the messages on a table's socket, and the request for a new table.

`bartizan.server.openapi` publishes the Structs, from which the client's types are generated. A table's
*version* is the number of entries in its log; a *ply* always counts the decisions of the game.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bartizan.engine.fairness import VoidRound
from bartizan.engine.scene import Analysis, Hint, LogLine, Refusal, Scene, Setting
from bartizan.engine.schema import Schema
from bartizan.tables.agreement import USUAL, Agreement, ClockRule, Dealing

OptionValue = bool | int | str
Id = Annotated[str, Meta(min_length=1, max_length=64, description="Chosen by the client, unique at a seat")]
Version = Annotated[
    int, Meta(ge=0, le=2**31 - 1, description="The table's version: the number of its log entries")
]
MoveText = Annotated[str, Meta(min_length=1, max_length=400)]
Seat = Annotated[int, Meta(ge=1, le=100)]
Emote = Literal["hello", "luck", "thinking", "well-played", "oops", "wow", "thanks", "good-game"]
Key = Annotated[str, Meta(max_length=200, description="What opens a seat; it travels in no address")]
Code = Annotated[str, Meta(pattern="^join-[A-Za-z0-9_-]{22}$", description="A one-time invitation to a seat")]
Head = Annotated[
    str,
    Meta(description="The check value: the first digits of the last hash of the log; empty if there is none"),
]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
ItemIds = Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=64)]


# HTTP -------------------------------------------------------------------------------------------------------


class NewTable(Schema, forbid_unknown_fields=True):
    """A request for a new table."""

    game: Annotated[str, Meta(max_length=100)]
    options: Annotated[dict[str, OptionValue], Meta(max_length=200)] = {}  # with "same", {} is the other's
    seats: Annotated[int, Meta(ge=1, le=100)] | None = None  # the game's minimum by default
    players: Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=100)] | None = None
    # The persons' seats that are played where the table is created, which everyone is told; the others get
    # invitations. Left out: the first person's seat.
    here: Annotated[list[Seat], Meta(max_length=100)] | Literal["everyone"] | None = None
    deal: Literal["new", "day", "same"] = "new"
    seed: Annotated[str, Meta(max_length=64)] | None = None
    date: Annotated[str, Meta(max_length=32)] | None = None  # UTC, today by default: "2026-01-31"
    same_as: Annotated[str, Meta(max_length=200)] | None = None  # a token of the table whose deal to repeat
    same_table: Annotated[str, Meta(max_length=100)] | None = None  # which table, if the token opens several
    clock: ClockRule | None = None
    chat: Literal["open", "emotes", "closed"] = "open"
    best_of: Literal[1, 3, 5, 7, 9] = 1
    # Whether each person's browser adds a share of its own to the deal; left out: where more than one sits.
    shares: bool | None = None
    # Tell everybody the seed: then it may be chosen, or be that of another table, where more than one sits.
    open_seed: bool = False


class TableLinks(Schema):
    """The keys of a new table; each one is sent only here.

    A seat that is played elsewhere has an invitation instead of a key: a code that works once.
    """

    table: str
    seats: tuple[str, ...]  # empty for a seat that a program plays, unless programs play all of them
    spectator: str
    seed_hash: str  # what is published about the deal: its commitment


class PushWish(Schema):
    """Whether a browser wants to be notified when it's a seat's turn and no one is at the table."""

    on: bool | None = None  # None: only say how it stands
    # The browser's `PushSubscription`: its address at its push service, its public key and its secret.
    endpoint: Annotated[str, Meta(max_length=1100)] = ""
    p256dh: Annotated[str, Meta(max_length=100)] = ""
    auth: Annotated[str, Meta(max_length=40)] = ""


class PushState(Schema):
    """Whether a browser is notified."""

    key: str = ""  # the server's public key, for `PushManager.subscribe`; empty: it isn't offered here
    on: bool = False


class Preparation(Schema):
    """The progress of what must be compiled once on a machine."""

    done: int = 0
    total: int = 0  # 0: it has not begun
    seconds: int | None = None  # the remaining seconds, once they can be estimated


class Analysed(Schema):
    """The progress of a finished game's review, and its result at the end."""

    done: int  # decisions
    total: int
    versions: tuple[int, ...]  # the table's version before each decision, and at the end
    analysis: Analysis | None = None


# Client to server -----------------------------------------------------------------------------------------


class Message(Schema, tag_field="type"):
    """Base of the messages on the socket; `type` tells them apart."""


class Enter(Message, tag="enter"):
    """Enter the table with the key to a seat, or as a spectator: the first message of a socket.

    An invited client draws a key of its own and sends it with the invitation, repeatedly if necessary. A
    client that sends an invitation as the key gets a key in the first message, `Given`.
    """

    key: Key
    invitation: Key = ""
    browser: Annotated[str, Meta(max_length=64)] = ""  # the same for everything from one browser
    patches: bool = False  # whether it can be told only what changed, by `Patch`


class Hello(Message, tag="hello"):
    """Ask for the table as it is; `version` is the version that the client has already."""

    version: Version | None = None


class Introduce(Message, tag="introduce"):
    """Set your name and coat of arms; if both are empty, you are anonymous."""

    id: Id
    name: Annotated[str, Meta(max_length=200)] = ""
    arms: Annotated[str, Meta(max_length=40)] = ""


class Say(Message, tag="say"):
    """Say something to everyone at the table, in words or with an emote."""

    id: Id
    text: Annotated[str, Meta(max_length=2000)] = ""
    emote: Emote | None = None


class CloseChat(Message, tag="close_chat"):
    """Close the chat for your own seat, or open it again."""

    id: Id
    closed: bool


class ReportPerson(Message, tag="report"):
    """Report the person at another seat, or one line of their chat, to the host; the others aren't told."""

    id: Id
    seat: Seat
    reason: Annotated[str, Meta(max_length=2000)]
    line: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None  # the number of a chat line


class Why(Message, tag="why"):
    """Ask why a move, or touching these ids, isn't possible."""

    id: Id
    items: ItemIds | None = None
    move: MoveText | Action | None = None


class AskHint(Message, tag="hint"):
    """Ask for a hint; hints are counted."""

    id: Id


class At(Message, tag="at"):
    """Show an earlier version of this table."""

    id: Id
    version: Version


class Ping(Message, tag="ping"):
    """Ask for a pong."""

    id: Id


# Server to client -----------------------------------------------------------------------------------------


class Rematch(Schema):
    """The players who want another game, and where it is played once all do."""

    asked: tuple[int, ...] = ()  # seats of this table
    table: str = ""  # opened by the keys of this table
    seats: tuple[int, ...] = ()  # the next seat of each seat's player


class Proposal(Schema):
    """What a seat asks of the others."""

    what: str
    text: str  # "@1 asked to adjourn the game.", as in `News`
    seat: int
    agreed: tuple[int, ...] = ()  # seats; it is carried out when everyone else has agreed


class News(Schema):
    """What was last said about the table, apart from its moves, since the game changed."""

    version: int  # the table's version with it
    text: str  # "@2 declined @1's draw offer.", with the numbers of seats in place of names


class Series(Schema):
    """The score of a series of games, including this one once it is over."""

    best_of: int
    game: int  # the number of this game
    points: tuple[int, ...]  # half points, by seat
    decided: bool = False  # this was its last game


class Opened(Message, tag="opened"):
    """What stays the same at the table: sent once on each socket, before anything else."""

    table: str
    setting: Setting
    seed_hash: str
    agreement: Agreement = USUAL
    # What the menu's buttons say for requests, which are named as in `Sync.allowed`.
    buttons: dict[str, str] = {}


class Fair(Message, tag="fair"):
    """The progress of the deal, and until then the only message about the table.

    Values are by seat, as text.
    """

    version: int
    seat: int  # the recipient; 0 for a spectator
    manner: Dealing
    commitment: str = ""  # to the server's secret
    seed: str = ""  # if everyone is told
    asked: tuple[int, ...] = ()  # seats that are asked for a share
    commitments: dict[str, str] = {}
    shares: dict[str, str] = {}
    closed: bool = False  # all commitments have arrived
    dealt: bool = False
    left_out: tuple[int, ...] = ()  # seats that were asked and gave none, at tables of earlier versions
    void: tuple[VoidRound, ...] = ()  # the rounds before this one, whose number follows from them
    agreed: dict[str, tuple[int, ...]] = {}  # who wants to go on without a seat


class Sync(Message, tag="sync"):
    """The table as it is for this seat."""

    version: int
    scene: Scene
    hints_used: int  # by this seat; for a spectator, by everyone together
    undos_used: int
    hints: tuple[int, ...] = ()  # used by each seat, if several people play
    invited: tuple[int, ...] = ()  # seats whose invitation hasn't been used
    elsewhere: int = 0  # how many other browsers have opened this seat
    players: tuple[str, ...] = ()  # by seat: "person", or the program that plays it
    draw_offer: int = 0  # the seat whose offer of a draw stands
    rematch: Rematch = Rematch()
    proposal: Proposal | None = None
    news: News | None = None
    adjourned: bool = False
    series: Series | None = None
    # What this seat may ask for: each kind of request with an empty text, or with why not now.  Whatever is
    # left out is of no use now.
    allowed: dict[str, str] = {}
    head: Head = ""


class Tick(Message, tag="tick"):
    """The new version, when nothing changed that this seat may see."""

    version: int
    head: Head = ""


class Patch(Message, tag="patch"):
    """What changed since the last `Sync`, `Patch` or `Tick`, for clients that enter with `patches`.

    Fields that aren't here stay as they were. A client that isn't at version `base` asks for everything with
    `Hello`.
    """

    base: int
    version: int
    head: Head = ""
    # Fields of `Sync` and of its scene.  Where an object stands for a list, it has changes to some of the
    # list's elements, by their place from 0; a field of an element may be such a list again.
    sync: dict[str, Any] = {}
    scene: dict[str, Any] = {}
    log: tuple[LogLine, ...] = ()  # in place of those from its first ply on, or after the present ply


class Person(Schema):
    """A person's name and coat of arms."""

    seat: int
    name: str = ""
    arms: str = ""
    deaf: bool = False  # they have closed the chat for themselves


class Present(Message, tag="present"):
    """The seats with someone watching at a table of several, and the people's names."""

    seats: tuple[int, ...]
    persons: tuple[Person, ...] = ()
    left: tuple[int, ...] = ()  # seats that have been empty for so long that the others may claim them
    blocked: tuple[int, ...] = ()  # seats that the host has blocked; the others may claim them at once


class ClockTimes(Message, tag="clock"):
    """Each seat's remaining time, and the seat whose clock is running (0: none)."""

    left: tuple[int, ...]  # milliseconds, by seat
    running: int = 0


class ChatLine(Schema):
    """A line of chat."""

    number: int
    seat: int
    at: int  # milliseconds since 1970
    text: str = ""
    emote: str = ""


class Chat(Message, tag="chat"):
    """Chat lines: a new one, or for a newcomer the stored ones."""

    lines: tuple[ChatLine, ...]


class Done(Message, tag="done"):
    """Confirm a message that isn't a log entry."""

    id: str


class Given(Message, tag="given"):
    """Send a key to a seat, to someone who claimed the seat or was invited to it."""

    id: str
    version: int
    seat: int
    token: str


class Thinking(Message, tag="thinking"):
    """The program at a seat is thinking about its move; 0 means that no program is."""

    seat: int


class Preparing(Message, tag="preparing"):
    """The progress of what the table waits for; the last one says that nothing is left to wait for."""

    what: Literal["game", "player"]
    preparation: Preparation | None = None


class Ack(Message, tag="ack"):
    """Confirm that the request is in the log, as the entry with this version."""

    id: str
    version: int


class Refused(Message, tag="refused"):
    """Explain why a move isn't possible, or answer ``why``."""

    id: str
    refusal: Refusal


class Error(Message, tag="error"):
    """Describe in one sentence what was wrong with a message."""

    code: str
    sentence: str
    id: str | UnsetType = UNSET


class Hints(Message, tag="hint"):
    """Hints, best first."""

    id: str
    hints: tuple[Hint, ...]


class View(Message, tag="view"):
    """An earlier version of the table."""

    id: str
    version: int
    scene: Scene


class Pong(Message, tag="pong"):
    """Answer a ping."""

    id: str


ServerMessage = (
    Opened
    | Fair
    | Sync
    | Tick
    | Patch
    | Present
    | ClockTimes
    | Chat
    | Thinking
    | Preparing
    | Ack
    | Done
    | Given
    | Refused
    | Error
    | Hints
    | View
    | Pong
)

encoder = msgspec.json.Encoder()
