"""Define what travels over HTTP alone; what tables say and hear is in `bartizan.tables.messages`.

The Structs are the wire format: Litestar and `bartizan.server.openapi` publish them, and the client's types
are generated from that.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bartizan.engine.layout import Chair, TableLayout
from bartizan.engine.scene import Hint, Refusal, Scene, Setting
from bartizan.engine.schema import Schema
from bartizan.tables.messages import ItemIds, MoveText, OptionValue, Preparation


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
    proposed: str = ""  # what to begin with, if not with the default


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
    opponent: str  # the program for a first evening
    lessons: bool  # whether it comes with a guided first game
    puzzles: bool
    # An SVG path in a box of 100 by 100, filled even-odd; without one cards stand for the game.
    emblem: str = ""
    picture: str = ""  # the address of its picture, twice as wide as high
    line: str = ""  # what one does in it, in a few words
    minutes: tuple[int, int] | None = None  # that a game takes: what nine games in ten lie between
    difficulty: int = 0  # of learning it, from 1 to 3; 0 where no one has said
    deals: bool = False  # whether it begins with a deal, and so can have one of the day
    levels: tuple[LevelInfo, ...] = ()  # of the players, those that the game ranks; the weakest first
    preparation: Preparation | None = None  # until its tables can be played


class GameFault(Schema):
    """Say what is wrong with an installed game that cannot be played."""

    name: str
    sentence: str


class GameList(Schema):
    """List the installed games."""

    games: tuple[GameInfo, ...]
    broken: tuple[GameFault, ...]


class LessonInfo(Schema):
    """Name one lesson; no field of lessons has a default, which the client would hold."""

    id: str
    title: str
    tasks: int
    clauses: tuple[str, ...]  # which it is about


class FirstGame(Schema):
    """Say how the first real game is dealt, which lessons lead into."""

    say: str
    seats: int
    level: str  # of the programs at all other seats
    options: dict[str, OptionValue]


class LessonList(Schema):
    """List the lessons of a game's guided first game, in their order."""

    title: str
    minutes: int
    puzzles: bool  # whether there are any for afterwards
    first: FirstGame
    lessons: tuple[LessonInfo, ...]


class PuzzleInfo(Schema):
    """Name one puzzle."""

    id: str
    title: str
    level: int  # from 1
    exact: bool  # whether every line of play was looked at


class PuzzleList(Schema):
    """List a game's puzzles, the easiest first."""

    title: str
    puzzles: tuple[PuzzleInfo, ...]


LessonMove = Annotated[int, Meta(ge=-1, le=2**31 - 1)]  # an action's code; -1: what was to be seen was seen


class LessonTry(Schema):
    """Ask how a lesson goes on; all that was done so far comes along."""

    done: Annotated[tuple[LessonMove, ...], Meta(max_length=100)] = ()
    attempt: LessonMove | MoveText | None = None  # a try
    items: ItemIds | None = None  # what was touched, and makes no move
    show: bool = False  # ask for what to do


class LessonAsk(Schema):
    """Say what is asked now."""

    task: int  # from 0; as many as there are: all is done
    begun: int  # how much of `done` went before it
    say: str
    clause: str
    lit: tuple[str, ...]
    look: bool  # nothing is asked but to look
    left: int  # decisions that are left for a goal


class LessonAnswer(Schema):
    """The result of a try, and the next task; texts are empty if there is nothing to say."""

    done: tuple[int, ...]
    accepted: bool
    failed: bool  # what was asked cannot be reached any more
    said: str
    refusal: Refusal | None
    ask: LessonAsk
    setting: Setting | None  # where nothing has been done yet
    scenes: tuple[Scene, ...]  # one after the other; the last one is how things stand
    shown: Hint | None  # what to do, if that was asked


class ClauseInfo(Schema):
    """Hold one clause of a rulebook in our own words."""

    id: str
    title: str
    text: str
    section: str
    ruling: str = ""


class TermInfo(Schema):
    """Explain one of a game's own words."""

    word: str
    says: str
    clause: str


class Rules(Schema):
    """Hold a whole rulebook, in its order."""

    title: str
    author: str
    clauses: tuple[ClauseInfo, ...]
    terms: tuple[TermInfo, ...]


class ReplayRequest(Schema):
    """Ask for the scenes of a record."""

    record: Annotated[str, Meta(max_length=400_000)]
    seat: Annotated[int, Meta(ge=0, le=100)] = 0  # another than 0 only when the game is over


class Replay(Schema):
    """Hold one scene for every ply of a record, the deal first."""

    plies: int
    setting: Setting
    scenes: tuple[Scene, ...]


class ThrowFieldInfo(Schema):
    """Describe one figure of a release."""

    name: str
    label: str
    unit: str
    low: float
    high: float
    default: float
    step: float  # by which keys and buttons change it
    sentence: str
    least: float = 0.0  # where it may go either way: no figure is smaller in size


class ThrowMethodInfo(Schema):
    """Describe one way of throwing a card."""

    name: str
    label: str
    sentence: str
    fields: tuple[ThrowFieldInfo, ...]


class ThrowForm(Schema):
    """Say what a throw is asked for with, and at what one practises."""

    methods: tuple[ThrowMethodInfo, ...]
    layout: TableLayout


class HitRate(Schema):
    """Say how often a hand hits a wall, in the best way, as measured of simulated throws."""

    level: float  # how far the hand trembles; 1 is an expert's
    inches: int  # between the rows of walls
    share: float  # from 0 to 1


class HitRates(Schema):
    """Say how often hands hit, at the distances that tables offer."""

    rates: tuple[HitRate, ...]
    usual: int  # the inches of the rules


Figures = Annotated[dict[Annotated[str, Meta(max_length=32)], float], Meta(max_length=16)]


class PathRequest(Schema):
    """Ask for the way of a card that nothing is in."""

    method: Annotated[str, Meta(max_length=32)]
    release: Figures = {}
    chair: Chair | None = None  # left out: the first of the range


class Path(Schema):
    """Hold the way of a card's middle until it meets the table."""

    points: tuple[tuple[float, float, float, float], ...]  # seconds, x, y, z in metres


class PracticeThrow(Schema):
    """Ask for a throw at the range."""

    method: Annotated[str, Meta(max_length=32)]
    release: Figures = {}
    hand: Literal["human", "steady"] = "human"
    distance: Annotated[float, Meta(ge=0.1, le=1.5)] | None = None  # metres between the rows of walls


class Problem(Schema):
    """Say why a request was not answered."""

    code: str
    sentence: str


class LabGroup(Schema):
    """Name a group of measures."""

    name: str
    meaning: str


class LabAnswer(Schema):
    """One question about a game with its answer."""

    question: str
    sentence: str
    verdict: str


class LabBar(Schema):
    """A share of games with its interval."""

    name: str
    estimate: float
    low: float
    high: float


class LabAnswers(Schema):
    """Say what an experiment found out: three answers, and what their picture shows."""

    answers: tuple[LabAnswer, ...]
    note: str  # about who played
    bars: tuple[LabBar, ...]
    caption: str
    even: float | None  # the share of each seat if all were alike


class LabExperiment(Schema):
    """Describe an experiment of the data folder: no field has a default, which the client would hold."""

    name: str
    game: str
    players: tuple[str, ...]
    varied: tuple[str, ...]  # an option and its values each
    games: int  # of all variants together; while it is not finished, at most
    share: float  # of its deals that are played
    finished: bool  # whether no further game is played: it may stop early
    answers: LabAnswers | None  # those of its report
    phase: Literal["rests", "plays", "reports"]
    seconds_left: float | None
    report: bool  # whether it can be opened
    fault: str


class LabShelf(Schema):
    """List the experiments of the data folder, the newest first."""

    experiments: tuple[LabExperiment, ...]
    needs_key: bool
    groups: tuple[LabGroup, ...]


Word = Annotated[str, Meta(min_length=1, max_length=64)]
MOST_GAMES = 1_000_000  # a variant, where a page asks


class LabRequest(Schema):
    """Ask for an experiment."""

    game: Word
    players: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=16)]
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None  # where one player sits on all of them
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 2_000  # a variant
    seed: Annotated[str, Meta(min_length=1, max_length=64)] = "first"
    measures: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=16)] = ("fairness", "length")
    confirm: bool = True  # whether a player who looks ahead repeats the main figure, if the others are weaker
    vary: Annotated[
        dict[Word, Annotated[tuple[OptionValue, ...], Meta(min_length=1, max_length=16)]], Meta(max_length=4)
    ] = {}


class LabStarted(Schema):
    """Name the experiment that was begun, gone on with, or stopped."""

    name: str
