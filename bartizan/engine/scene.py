"""Describe what one seat sees of a table, and what it may do.

A Scene is made for one seat (or a spectator, seat 0), using only what that seat may know. A Setting holds
what stays the same through a whole game. The terminal and the browser draw both and know no game.

Ids are strings.  An item whose identity the seat knows keeps its id while it
moves from zone to zone, so that a client can animate it; a hidden item's id
names only its place (``"deck:3"``), never the thing itself.
"""

from __future__ import annotations

from typing import Literal

from bartizan.engine.layout import Flown, TableLayout, ThrowingAids
from bartizan.engine.options import Value
from bartizan.engine.outcome import Outcome, Reason
from bartizan.engine.schema import Schema

ZoneKind = Literal["pile", "row", "fan", "slots", "levels", "lanes", "grid", "map", "table", "counter"]
Direction = Literal["row", "column"]
# A thing goes to its place, is dealt, turns up; an `item` shoots at a goal; a card is thrown at a goal, or
# struck against it; something falls, or is damaged and stays.
MotionKind = Literal["move", "deal", "turn", "shot", "throw", "strike", "fall", "shake"]


class Slot(Schema):
    """One fixed place inside a zone of kind ``slots``, ``levels`` or ``grid``; it can be touched."""

    id: str
    label: str
    kind: str = ""  # a ground the theme may colour: "sand", "river", "portal"
    suit: str = ""  # of a level: a letter of the theme's suits, the one that belongs there
    bonus: str = ""  # of a level: its bonus, in two or three words: "2 attacks"
    works: bool = False  # of a level: whether the bonus is active


class Course(Schema):
    """The target and arrival of a thing in a zone of kind ``lanes``; it comes from its owner."""

    goal: int  # the seat it goes to
    turns: int = 0  # how many turns end before it arrives; 0: it has arrived
    marks: dict[str, str] = {}  # id -> what it would do there now: "destroyed"
    answers: tuple[str, ...] = ()  # the things with which the viewing seat could stop it


class Item(Schema):
    """One card, piece or token. Exactly one of `face` and `back` is set.

    Exactly one of `face` and `back` is set.  `peek` is the face that this seat
    knows although the item lies face down.
    """

    id: str
    face: str = ""
    back: str = ""
    peek: str = ""
    label: str = ""  # its spoken name: "seven of clubs"
    at: str = ""  # the slot, or "x,y" on a map; several in one square form a heap
    owner: int = 0  # the seat whose piece it is, if its face must be told apart from another seat's
    flags: tuple[str, ...] = ()  # words beside it; drawn too: "borrowed", "damaged", "fired", "moved", "last"
    badge: str = ""  # a short figure drawn on it: "14"
    note: str = ""  # one sentence on what it does here, for a tooltip or a screen reader
    course: Course | None = None  # for a thing in flight


class Layout(Schema):
    """Where a zone goes; hints that a client follows if it has the room."""

    area: str = ""  # a name in `Setting.areas`
    direction: Direction = "row"
    size: Literal["tiny", "small", "normal", "large"] = "normal"
    columns: int = 0
    rows: int = 0


class Fact(Schema):
    """One figure of the table: ``Deck 31``."""

    label: str
    value: str
    note: str = ""


class Region(Schema):
    """Places of a map that belong together: land in its owners' colours, with its value."""

    id: str
    cells: tuple[str, ...]  # "x,y" on a map
    owners: tuple[int, ...] = ()  # the seats with a claim on it, one entry per claim; empty: unclaimed
    value: int = 0  # what each claim would score now; 0: not counted
    ready: bool = True  # whether it can be scored now; until then its value is drawn hollow
    label: str = ""  # how it is described, after its owners' names: "area of 4 hearts, worth 8 now"
    figures: tuple[Fact, ...] = ()  # what counts in it: cards 4, empty places 3, worth 8


class Zone(Schema):
    """A zone with items: a pile, a hand, an army, a tower, a board, a counter.

    A ``pile`` is drawn by its top, a ``row`` side by side, a ``fan`` as a hand, ``slots`` as places for one
    thing each. ``levels`` are stacked slots, the top one first; ``lanes`` hold things that move from seat to
    seat. A ``grid`` is a board of squares (`Layout.columns`) with its slots row by row as the seat sees them;
    slots named like ``a4`` give it coordinates at its edge. A ``map`` has places "x,y" and needs no edge. A
    ``counter`` is a number: with a `brief` and an `owner` it is shown on the seat's plate.
    """

    id: str
    kind: ZoneKind
    label: str
    brief: str = ""  # its label if the owner's name is beside it: "points"
    owner: int = 0  # the seat it belongs to; 0 for all
    layout: Layout = Layout()
    items: tuple[Item, ...] = ()  # piles: top first, and only the items worth drawing
    slots: tuple[Slot, ...] = ()
    regions: tuple[Region, ...] = ()
    edge: tuple[str, ...] = ()  # of a bounded map: its lower-left and upper-right cells
    count: int = 0  # how many things there are, drawn or not; a counter's value
    limit: int = 0  # the largest number; 0 for no limit
    note: str = ""
    backdrop: Literal["", "keep"] = ""  # of a pile: what is drawn below it


class Segment(Schema):
    """What one thing adds to a side's value: one army, one card."""

    label: str  # "Left army"
    value: int = 0
    hidden: bool = False  # something face down that belongs to it and adds nothing yet; drawn hatched


class Contender(Schema):
    """One side of a contest: its value, its parts, and what happens if it wins."""

    label: str  # "Attack"
    value: int
    owner: int = 0  # the seat it belongs to; 0 for none
    colour: str = ""  # of `COLOURS`, if it has no owner
    segments: tuple[Segment, ...] = ()  # their values add up to `value`; empty: a single number
    outcome: str = ""  # what happens if it wins: "the top falls"


class Contest(Schema):
    """A comparison of two numbers: an attack and what it attacks.

    It is drawn in the area that has its id as a name, or else in the zone that it is about.
    """

    id: str
    zone: str  # the zone that it is about
    label: str  # how it is described: "Attack on the tower"
    sides: tuple[Contender, ...]  # two; if their values are equal the first one wins


class Line(Schema):
    """A line across a board from a thing to what it can hit, shown while it is touched or pointed at."""

    item: str  # the thing that hits
    to: str  # the slot at the end of the line
    hits: dict[str, str] = {}  # id -> what a hit would do to it, in a word or two: "destroyed"
    label: str = ""  # as a sentence, also in the item's note: "Blue's Cannon on d3 can hit a wall on d8."


class Racer(Schema):
    """How far one seat, or one side of several seats, has got."""

    label: str  # "Red"
    value: int
    seat: int = 0  # the seat whose colour it has


class Race(Schema):
    """How far everyone is from a goal: a track along the edge of the table."""

    id: str
    label: str  # what is counted: "Points"
    goal: int  # whoever reaches it first wins
    racers: tuple[Racer, ...]


class Choice(Schema):
    """One legal move: what to touch for it, and what it would do.

    A client plays it when the player has touched every id in `items` (items,
    slots or zones, in any order); `target` is the one of them that the others
    may be dropped on. A choice without items is a button. A mark is any word that the game chooses, read out
    as ``would be: …``; clients draw `destroyed`, `hit`, `beaten` and `lost` as losses, `joined` as something
    built, and `burning`, `spent` and `discarded` literally.
    """

    action: int
    text: str  # the move in notation
    verb: str  # the button: "Defend"
    label: str = ""  # the move as a sentence
    items: tuple[str, ...] = ()
    target: str = ""
    marks: dict[str, str] = {}  # id -> what happens to it: "beaten", "spent", "top"
    # id of a contest that it changes -> the values of each side's segments, or its single value, afterwards
    contests: dict[str, tuple[tuple[int, ...], ...]] = {}
    note: str = ""  # what it is worth: "leaves the tower at 9 against 8"
    instead: dict[str, tuple[str, ...]] = {}  # one of `items` -> others that may be touched in its place
    careful: bool = False  # it harms whoever plays it: offered as a button, never by touch alone
    confirm: str = ""  # what the player would give up, as a sentence; a client may ask for confirmation
    extras: tuple[str, ...] = ()  # the ids of `Scene.extras` that may be added to its text
    throw: bool = False  # its text needs a method and a release: the client asks for the throw

    @property
    def sentence(self) -> str:
        """What it does and what that is worth."""
        return f"{self.label}: {self.note}." if self.note else f"{self.label}."


class Extra(Schema):
    """One thing that may be added to a move that is reported."""

    text: str  # in notation: "2.1"
    label: str  # "Wall 1 of seat 2"


class Extras(Schema):
    """Things that may be added to the text of moves, too many to list as choices."""

    id: str
    title: str  # "It moved"
    entries: tuple[Extra, ...]
    before: str = ""  # the word before the added things: "moved"
    one: bool = False  # at most one of them


class Status(Schema):
    """The game's progress, whose turn it is, and the prompt."""

    ply: int  # decisions taken so far
    seat: int  # whose decision it is; 0 when the game is over
    phase: str
    prompt: str  # the prompt, as a sentence
    round: int = 0
    facts: tuple[Fact, ...] = ()
    steps: tuple[str, ...] = ()  # the order of this turn: "Draw", "Play", "End"
    step: int = 0  # the current one, from 0


class Motion(Schema):
    """One thing that happened within a ply, so that a client can show the events one after the other.

    Ids are those of the scenes before and after it; an `item` that is gone afterwards has its earlier id.
    Other movements follow from the two scenes themselves.
    """

    kind: MotionKind
    item: str = ""
    origin: str = ""  # the zone, slot or item that it came from, if its own place before doesn't show it
    goal: str = ""  # the zone, slot or item that it reached or is now in
    weight: int = 0  # whether it deserves a moment: 1 a hit, 2 a loss that hurts, 3 what decides a game


class LogLine(Schema):
    """One ply: the move, and what this seat saw happen."""

    ply: int
    seat: int
    move: str
    who: str = ""  # who moved, if the name of `seat` doesn't say: one of several that a person plays
    label: str = ""  # the move as a sentence
    items: tuple[str, ...] = ()  # the places that it started from and went to, for marking them
    events: tuple[str, ...] = ()
    motions: tuple[Motion, ...] = ()  # what moved, in the order in which it happened


class ResultLine(Schema):
    """What a seat got points for."""

    label: str  # "Token on the king of hearts at 2,1"
    seat: int
    points: int


class Result(Schema):
    """How a finished game ended."""

    outcome: Outcome
    headline: str  # "The tower stands."
    text: str = ""
    items: tuple[ResultLine, ...] = ()  # the sources of the points
    reason: Literal["", Reason] = ""  # how its players ended it; empty if its rules did


class Suit(Schema):
    """A suit: its name, its shape, and its colour's name."""

    name: str
    shape: str
    colour: str
    printed: str = ""  # its colour in a two-colour deck: red or black; "" if it has none


# Four colours tell suits apart at a glance; a game that speaks of red and black shows two.
POKER_SUITS = {
    "c": Suit(name="clubs", shape="club", colour="green", printed="black"),
    "d": Suit(name="diamonds", shape="diamond", colour="orange", printed="red"),
    "h": Suit(name="hearts", shape="heart", colour="red", printed="red"),
    "s": Suit(name="spades", shape="spade", colour="black", printed="black"),
}
PRINTED_RANKS = {"T": "10"}  # what cards show instead of the letter in notation


class Livery(Schema):
    """How a seat's pieces look: its name, its colour (of `COLOURS`), and a shape for people who can't see it.

    A game whose seats have names gives each a livery, by which a terminal names the seats.
    """

    name: str
    colour: str
    shape: Literal["round", "square"] = "round"


# The names of colours that grounds, liveries and things can have; a client draws unknown ones grey.
COLOURS = (
    "sand", "green", "blue", "purple", "red", "yellow", "orange", "teal", "brown", "black", "white", "grey",
)  # fmt: skip


class Theme(Schema):
    """A game's look as data: colours, suits, backs, grounds, pieces.

    A browser draws the `art` of a face, a terminal the face itself: one or two letters are best.
    """

    # The felt: green, blue, red, purple, sand, brown, grey, slate, teal, or a hue as "#rrggbb".
    table: str = ""
    suits: dict[str, Suit] = {}  # notation letter -> suit
    two_colours: bool = False  # whether suits have their printed colours, unless a player chooses otherwise
    ranks: dict[str, str] = {}  # notation letter -> how it is printed: T -> 10
    back: str = "bartizan"
    grounds: dict[str, str] = {}  # a slot's kind -> its colour's name, one of `COLOURS`
    art: dict[str, str] = {}  # face -> a silhouette: an SVG path in a box of 100 by 100, filled even-odd
    liveries: tuple[Livery, ...] = ()  # by seat, the first one's first
    # face -> its colour's name, for things in `art` without an owner: seeds, stones
    colours: dict[str, str] = {}
    heaped: tuple[str, ...] = ()  # faces of things that form heaps in a square: always drawn small
    bare: tuple[str, ...] = ()  # faces that lie on the ground itself, without their owner's plate: fire


class Aid(Schema):
    """A table to look up while playing, which every player has."""

    id: str
    title: str
    text: str = ""
    table: tuple[tuple[str, ...], ...] = ()  # rows of cells, the heads first
    # a wheel to draw: letters of the theme's suits in their order around it -> the suits that each beats
    wheel: dict[str, tuple[str, ...]] = {}


class Setting(Schema):
    """What stays the same through a whole game, for every seat: sent once."""

    game: str = ""  # its name in addresses, in lower case with dashes
    title: str = ""  # as people write it
    seats: int = 0
    seat_names: tuple[str, ...] = ()  # the name of each seat
    theme: Theme = Theme()
    # "wide", "narrow", and "low" for a phone on its side, else "wide": rows of area names, as in CSS
    areas: dict[str, tuple[str, ...]] = {}
    aids: tuple[Aid, ...] = ()
    real_table: bool = False  # its players use one screen: what they touch is drawn large
    hidden: bool = False  # not everyone knows everything about the table
    throwing: ThrowingAids | None = None  # whether cards are thrown on screen
    options: dict[str, Value] = {}  # those that aren't as usual, by their flat keys


class Scene(Schema):
    """Everything that one seat sees of a table at one ply."""

    seat: int  # the viewing seat; 0 is a spectator
    status: Status
    zones: tuple[Zone, ...]
    choices: tuple[Choice, ...] = ()
    log: tuple[LogLine, ...] = ()
    result: Result | None = None
    contests: tuple[Contest, ...] = ()
    races: tuple[Race, ...] = ()
    lines: tuple[Line, ...] = ()
    # item -> slot -> actions to play one by one, if it takes several moves of this turn to get there
    paths: dict[str, dict[str, tuple[int, ...]]] = {}
    areas: dict[str, tuple[str, ...]] = {}  # replaces the setting's areas at this moment
    extras: tuple[Extras, ...] = ()  # in the order in which they are added
    layout: TableLayout | None = None  # where things are, if cards are thrown at this table
    flown: Flown | None = None  # the throw that led to this scene


class Refusal(Schema):
    """Why a move isn't possible: the clause, and what prevents it."""

    clause: str  # "ALC-20"; empty when no rule is concerned
    sentence: str  # what is wrong with this move, here and now
    rule: str = ""  # the clause in our words
    blockers: tuple[str, ...] = ()  # ids to mark


class HintedAim(Schema):
    """How a recommended throw is aimed."""

    method: str
    release: dict[str, float]  # its figures, by field
    target: str  # what the piece is called: "Red's wall 3"
    item: str  # its id


class Hint(Schema):
    """A recommended move with its reason."""

    action: int
    text: str
    reason: str = ""
    chance: float | None = None  # the chance to win with it, from 0 to 1; None if it wasn't searched
    visits: int = 0  # how many games were tried with it: the more, the more certain
    aim: HintedAim | None = None  # where a card is thrown on screen and its path may be seen


class Verdict(Schema):
    """A judgement of one decision, by what its seat could know; chances go from 0 to 1."""

    ply: int  # the number of the decision, from 1, as records count
    seat: int
    move: str
    label: str  # the move as a sentence
    chances: tuple[float, ...]  # of each seat to win before it, if the best move is played
    played: float  # this seat's chance with the move that was played
    loss: float = 0.0  # how much of this seat's chance the choice gave away
    best: str = ""  # a better move, if one was found
    reason: str = ""  # what it does and what speaks for it, as a sentence
    choices: int = 1  # legal moves; 1 was forced
    thrown: bool = False  # the move reports a throw, whose outcome was no choice


class Analysis(Schema):
    """The review of a finished game."""

    verdicts: tuple[Verdict, ...]
    end: tuple[float, ...]  # each seat's chance after the last decision; the result if that ended the game
    turning: int = 0  # the ply of the turning point; 0 for none
    sentence: str = ""  # on the turning point
