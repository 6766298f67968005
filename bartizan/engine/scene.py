"""Describe what one seat sees of a table, and what it may do.

A Scene is made for one seat (or a spectator, seat 0) from what that seat may
know and from nothing else; a Setting holds what stays the same through a whole
game.  Terminal and browser draw the two and know no game.

Ids are strings.  An item whose identity the seat knows keeps its id while it
moves from zone to zone, so that a client can animate it; a hidden item's id
names its place only (``"deck:3"``), never the thing itself.
"""

from __future__ import annotations

from typing import Literal

from bartizan.engine.layout import Flown, TableLayout, ThrowingAids
from bartizan.engine.outcome import Outcome
from bartizan.engine.schema import Schema

ZoneKind = Literal["pile", "row", "fan", "slots", "levels", "lanes", "grid", "map", "table", "counter"]
Direction = Literal["row", "column"]
# A thing goes to its place, is dealt, turns up; an `item` shoots at a goal; a card is thrown at a goal, or
# struck against it; something falls, or is damaged and stays.
MotionKind = Literal["move", "deal", "turn", "shot", "throw", "strike", "fall", "shake"]


class Slot(Schema):
    """Name one fixed place inside a zone of kind ``slots``, ``levels`` or ``grid``; it can be touched."""

    id: str
    label: str
    kind: str = ""  # a ground the theme may colour: "sand", "river", "portal"
    suit: str = ""  # of a level: a letter of the theme's suits, the one that belongs there
    bonus: str = ""  # of a level: what it gives while it works, in two or three words: "2 attacks"
    works: bool = False  # of a level: whether it does


class Course(Schema):
    """The target and arrival of a thing in a zone of kind ``lanes``; it comes from its owner."""

    goal: int  # the seat it goes to
    turns: int = 0  # how many turns end before it gets there; 0: it is there
    marks: dict[str, str] = {}  # id -> what it could do there as things stand: "destroyed"
    answers: tuple[str, ...] = ()  # the things with which the seat that looks could stop it


class Item(Schema):
    """Show one card, piece or token.

    Exactly one of `face` and `back` is set.  `peek` is the face that this seat
    knows although the item lies face down.
    """

    id: str
    face: str = ""
    back: str = ""
    peek: str = ""
    label: str = ""  # how the thing is spoken of: "seven of clubs"
    at: str = ""  # the slot, or "x,y" on a map; several in one square lie in a heap
    owner: int = 0  # the seat whose piece it is, where its face must be told from another seat's
    flags: tuple[str, ...] = ()  # words beside it; drawn too: "borrowed", "damaged", "fired", "moved", "last"
    badge: str = ""  # a short figure drawn on it: "14"
    note: str = ""  # one sentence on what it does here, for a tool tip or a screen reader
    course: Course | None = None  # of a thing in flight


class Layout(Schema):
    """Say where a zone goes; hints, which a client follows as its room allows."""

    area: str = ""  # a name in `Setting.areas`
    direction: Direction = "row"
    size: Literal["tiny", "small", "normal", "large"] = "normal"
    columns: int = 0
    rows: int = 0


class Fact(Schema):
    """State one figure of the table: ``Deck 31``."""

    label: str
    value: str
    note: str = ""


class Region(Schema):
    """Show that some places of a map belong together: land in its owners' colours, with its value."""

    id: str
    cells: tuple[str, ...]  # "x,y" on a map
    owners: tuple[int, ...] = ()  # the seats with a claim on it, one entry for each claim; empty: unclaimed
    value: int = 0  # what each claim on it scores as it is now; 0: nothing is counted
    ready: bool = True  # whether it can be scored now; its value is drawn hollow until then
    label: str = ""  # how it is spoken of, after its owners' names: "area of 4 hearts, worth 8 now"
    figures: tuple[Fact, ...] = ()  # what counts in it: cards 4, empty places 3, worth 8


class Zone(Schema):
    """Hold items: a pile, a hand, an army, a tower, a board, a counter.

    A ``pile`` is drawn by its top, a ``row`` side by side, a ``fan`` as a hand, ``slots`` as places for one
    thing each. ``levels`` are slots one upon another, the uppermost first; in ``lanes`` is what goes from
    seat to seat. A ``grid`` is a board of squares (`Layout.columns`), its slots row by row as the seat looks
    at them, named like ``a4`` to have coordinates at its edge; a ``map`` has places "x,y" and needs no edge.
    A ``counter`` is a figure: with a `brief` and an `owner` it stands on the seat's plate.
    """

    id: str
    kind: ZoneKind
    label: str
    brief: str = ""  # its label where the owner's name stands beside it: "points"
    owner: int = 0  # the seat it belongs to; 0 for all
    layout: Layout = Layout()
    items: tuple[Item, ...] = ()  # piles: top first, and only those worth drawing
    slots: tuple[Slot, ...] = ()
    regions: tuple[Region, ...] = ()
    edge: tuple[str, ...] = ()  # of a bounded map: its cells at the lower left and the upper right corner
    count: int = 0  # how many things there are, drawn or not; a counter's value
    limit: int = 0  # how many there may be; 0 for no limit
    note: str = ""
    backdrop: Literal["", "keep"] = ""  # of a pile: what is drawn behind it


class Segment(Schema):
    """Say what one thing adds to a side's value: one army, one card."""

    label: str  # "Left army"
    value: int = 0
    hidden: bool = False  # something face down belongs to it, which adds nothing yet; drawn hatched


class Contender(Schema):
    """Show one side of a contest: its value, what makes it up, and what happens if it wins."""

    label: str  # "Attack"
    value: int
    owner: int = 0  # the seat it belongs to; 0 for none
    colour: str = ""  # of `COLOURS`, where it has no owner
    segments: tuple[Segment, ...] = ()  # their values add up to `value`; empty: it is one number
    outcome: str = ""  # what happens if it wins: "the top falls"


class Contest(Schema):
    """Set two numbers against each other: an attack against what it attacks.

    It is drawn in the area that has its id as a name, or else in the zone that it is about.
    """

    id: str
    zone: str  # the zone that it is about
    label: str  # how it is spoken of: "Attack on the tower"
    sides: tuple[Contender, ...]  # two; where their values are equal the first one wins


class Line(Schema):
    """Show where a thing can hit: a line from it across a board, seen while it is touched or looked at."""

    item: str  # the thing that hits
    to: str  # the slot that its line ends at
    hits: dict[str, str] = {}  # id -> what a hit would do to it, in a word or two: "destroyed"
    label: str = (
        ""  # as a sentence, which the item's note has too: "Blue's Cannon on d3 can hit a wall on d8."
    )


class Racer(Schema):
    """Say how far one seat, or one side of several seats, has come."""

    label: str  # "Red"
    value: int
    seat: int = 0  # the seat whose colour it has


class Race(Schema):
    """Show how far everyone is from a goal: a track along the edge of the table."""

    id: str
    label: str  # what is counted: "Points"
    goal: int  # whoever reaches it first wins
    racers: tuple[Racer, ...]


class Choice(Schema):
    """Offer one legal move: what to touch for it, and what it would do.

    A client plays it when the player has touched every id in `items` (items,
    slots or zones, in any order); `target` is the one of them that the others
    may be dropped on.  A choice without items is a button.  A mark is any word of the game's, read out as
    ``would be: …``; clients draw `destroyed`, `hit`, `beaten` and `lost` as losses, `joined` as what is
    built, `burning`, `spent` and `discarded` as they say.
    """

    action: int
    text: str  # the move in notation
    verb: str  # the button: "Defend"
    label: str = ""  # the move as a sentence
    items: tuple[str, ...] = ()
    target: str = ""
    marks: dict[str, str] = {}  # id -> what happens to it: "beaten", "spent", "top"
    # The id of a contest that it changes -> the values of each side's segments, or its one value, afterwards.
    contests: dict[str, tuple[tuple[int, ...], ...]] = {}
    note: str = ""  # what it is worth: "leaves the tower at 9 against 8"
    instead: dict[str, tuple[str, ...]] = {}  # one of `items` -> others that may be touched in its place
    careful: bool = False  # it harms who plays it: offered as a button, never played by touching alone
    confirm: str = ""  # what would be given up by it, as a sentence; a client may ask once more
    extras: tuple[str, ...] = ()  # the ids of `Scene.extras` that may be added to its text
    throw: bool = False  # its text needs a method and a release: the client asks for the throw


class Extra(Schema):
    """Offer one thing that may be added to a move that is reported."""

    text: str  # in notation: "2.1"
    label: str  # "Wall 1 of seat 2"


class Extras(Schema):
    """Offer things that may be added to the text of moves: more than could be listed as choices."""

    id: str
    title: str  # "It moved"
    entries: tuple[Extra, ...]
    before: str = ""  # the word before those that are added: "moved"
    one: bool = False  # at most one of them


class Status(Schema):
    """Say how far the game is and who is asked for what."""

    ply: int  # decisions taken so far
    seat: int  # whose decision it is; 0 when the game is over
    phase: str
    prompt: str  # what is asked, as a sentence
    round: int = 0
    facts: tuple[Fact, ...] = ()
    steps: tuple[str, ...] = ()  # the order of this turn: "Draw", "Play", "End"
    step: int = 0  # which of them it stands at, from 0


class Motion(Schema):
    """Tell one thing that happened within a ply, so that a client shows one after the other.

    Ids are those of the scenes before and after it: `item` as it was where it is gone afterwards. What moved
    and is not named here is seen from the two scenes themselves.
    """

    kind: MotionKind
    item: str = ""
    origin: str = ""  # the zone, slot or item that it came from, where its own place before does not say so
    goal: str = ""  # the zone, slot or item that it reached on its way, or lies on now
    weight: int = 0  # whether it deserves a moment: 1 a hit, 2 a loss that hurts, 3 what decides a game


class LogLine(Schema):
    """Tell one ply: the move, and what this seat saw happen."""

    ply: int
    seat: int
    move: str
    who: str = ""  # who moved, where the name of `seat` does not say it: one of several that a person runs
    throw: str = ""  # what a card did that was thrown at this table; people read it in place of the move
    label: str = ""  # the move as a sentence
    items: tuple[str, ...] = ()  # the places it went from and to, for marking them
    events: tuple[str, ...] = ()
    motions: tuple[Motion, ...] = ()  # what was seen to move, in the order in which it happened


class ResultLine(Schema):
    """Say what a seat got points for."""

    label: str  # "Token on the king of hearts at 2,1"
    seat: int
    points: int


class Result(Schema):
    """Tell how a finished game ended."""

    outcome: Outcome
    headline: str  # "The tower stands."
    text: str = ""
    items: tuple[ResultLine, ...] = ()  # where the points come from


class Suit(Schema):
    """Draw a suit: its name, the shape a client knows, and its colour's name."""

    name: str
    shape: str
    colour: str
    printed: str = ""  # its colour in a deck of two colours: red or black; "" where it has none


# Four colours tell suits apart at a glance; a game that speaks of red and black shows two.
POKER_SUITS = {
    "c": Suit(name="clubs", shape="club", colour="green", printed="black"),
    "d": Suit(name="diamonds", shape="diamond", colour="orange", printed="red"),
    "h": Suit(name="hearts", shape="heart", colour="red", printed="red"),
    "s": Suit(name="spades", shape="spade", colour="black", printed="black"),
}
PRINTED_RANKS = {"T": "10"}  # what cards show instead of a letter of the notation


class Livery(Schema):
    """Tell a seat's pieces from another's: its name, its colour (of `COLOURS`), a shape for who sees none.

    A game whose seats have names gives each a livery: a terminal knows the seats by those.
    """

    name: str
    colour: str
    shape: Literal["round", "square"] = "round"


# The colours by name that grounds, liveries and things can have; a client draws any other grey.
COLOURS = (
    "sand", "green", "blue", "purple", "red", "yellow", "orange", "teal", "brown", "black", "white", "grey",
)  # fmt: skip


class Theme(Schema):
    """Give a game's look as data: colours, suits, backs, grounds, pieces.

    A browser draws what `art` has for a face, a terminal the face itself: one or two letters are best.
    """

    # The felt: green, blue, red, purple, sand, brown, grey, slate, teal, or a hue as "#rrggbb".
    table: str = ""
    suits: dict[str, Suit] = {}  # notation letter -> suit
    two_colours: bool = False  # whether suits have their printed colours, unless a player wants it otherwise
    ranks: dict[str, str] = {}  # notation letter -> how it is printed: T -> 10
    back: str = "bartizan"
    grounds: dict[str, str] = {}  # a slot's kind -> its colour's name, one of `COLOURS`
    art: dict[str, str] = {}  # face -> a silhouette: an SVG path in a box of 100 by 100, filled even-odd
    liveries: tuple[Livery, ...] = ()  # by seat, the first one's first
    # Face -> its colour's name, of things in `art` without an owner: seeds, stones.
    colours: dict[str, str] = {}
    heaped: tuple[str, ...] = ()  # faces of things that lie in heaps in a square: drawn small, a lone one too
    bare: tuple[str, ...] = ()  # faces that lie on the ground itself, without their owner's plate: fire


class Aid(Schema):
    """Hold something to look up while playing: a figure that every player has beside the table."""

    id: str
    title: str
    text: str = ""
    table: tuple[tuple[str, ...], ...] = ()  # rows of cells, the heads first
    # a wheel to draw: letters of the theme's suits in their order around it -> those that each beats
    wheel: dict[str, tuple[str, ...]] = {}


class Setting(Schema):
    """Hold all that stays the same through a whole game, for every seat: sent once."""

    game: str = ""  # its name in addresses, in lower case with dashes
    title: str = ""  # as people write it
    seats: int = 0
    seat_names: tuple[str, ...] = ()  # what each seat is called, one for each
    theme: Theme = Theme()
    # "wide", "narrow", and "low" for a phone on its side, else "wide": rows of area names, as in CSS
    areas: dict[str, tuple[str, ...]] = {}
    aids: tuple[Aid, ...] = ()
    real_table: bool = False  # its players stand at one: what they touch in passing is drawn large
    throwing: ThrowingAids | None = None  # where cards are thrown at the table itself


class Scene(Schema):
    """Hold all that one seat sees of a table at one ply."""

    seat: int  # whose eyes; 0 is a spectator
    status: Status
    zones: tuple[Zone, ...]
    choices: tuple[Choice, ...] = ()
    log: tuple[LogLine, ...] = ()
    result: Result | None = None
    contests: tuple[Contest, ...] = ()
    races: tuple[Race, ...] = ()
    lines: tuple[Line, ...] = ()
    # item -> slot -> actions to play one by one: where several moves of this turn bring it, not one alone
    paths: dict[str, dict[str, tuple[int, ...]]] = {}
    areas: dict[str, tuple[str, ...]] = {}  # instead of the setting's, where this moment asks for others
    extras: tuple[Extras, ...] = ()  # in the order in which they are added
    layout: TableLayout | None = None  # where things stand, where they are thrown at here
    flown: Flown | None = None  # the throw that led here


class Refusal(Schema):
    """Explain why a move is not possible: the clause, and what stands in the way."""

    clause: str  # "ALC-20"; empty when no rule is concerned
    sentence: str  # what is wrong with this move, here and now
    rule: str = ""  # the clause in our words
    blockers: tuple[str, ...] = ()  # ids to mark


class Hint(Schema):
    """Recommend one move with its reason."""

    action: int
    text: str
    reason: str = ""
    chance: float | None = None  # to win with it, from 0 to 1; None where it was not searched
    visits: int = 0  # games that were tried with it: the more, the surer


class Verdict(Schema):
    """Judge one decision, by what the seat that took it could know; chances go from 0 to 1."""

    ply: int  # the number of the decision, from 1, as records count
    seat: int
    move: str
    chances: tuple[float, ...]  # of each seat to win before it, if the best move is played
    played: float  # of this seat, with the move that was played
    loss: float = 0.0  # what the choice gave away of this seat's chance
    best: str = ""  # a better move, if one was found
    reason: str = ""  # what speaks for that
    choices: int = 1  # legal moves; 1 was forced
    thrown: bool = False  # what was played reports a throw: its outcome was no choice


class Analysis(Schema):
    """The review of a finished game."""

    verdicts: tuple[Verdict, ...]
    end: tuple[float, ...]  # the chance of each seat after the last decision, or what the game came to
    turning: int = 0  # the ply of the decision that turned the game; 0 for none
    sentence: str = ""  # on that
