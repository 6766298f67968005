"""Define the messages sent over HTTP only; those of sockets are in `bartizan.tables.messages`.

The Structs are the wire format: Litestar and `bartizan.server.openapi` publish their schema, from which the
client's types are generated.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from bartizan.engine.layout import Chair, TableLayout
from bartizan.engine.scene import Hint, Refusal, Scene, Setting
from bartizan.engine.schema import Schema
from bartizan.tables.messages import ItemIds, MoveText, OptionValue, Preparation


class OptionInfo(Schema):
    """One option of a game."""

    key: str
    default: OptionValue
    kind: Literal["bool", "choice", "int", "text"]
    sentence: str
    values: tuple[int | str, ...] = ()
    low: int | None = None
    high: int | None = None
    worth_comparing: bool = False
    proposed: str = ""  # what a lobby suggests, if not the default
    refused: tuple[int | str, ...] = ()  # the values that don't go with the defaults of other options


class LevelInfo(Schema):
    """One level of a game's computer players, in a few words."""

    name: str
    about: str


class GameInfo(Schema):
    """One installed game."""

    name: str
    title: str
    author: str
    summary: str
    min_seats: int
    max_seats: int
    options: tuple[OptionInfo, ...]
    players: tuple[str, ...]
    opponent: str  # a program for beginners
    lessons: bool  # whether it has a guided first game
    puzzles: bool
    # An SVG path in a box of 100 by 100, filled even-odd; without one, cards represent the game.
    emblem: str = ""
    picture: str = ""  # the address of its picture, twice as wide as high
    line: str = ""  # what a player does in the game, in a few words
    minutes: tuple[int, int] | None = None  # the minutes of nine games in ten
    difficulty: int = 0  # how hard the game is to learn, from 1 to 3; 0 if not rated
    deals: bool = False  # whether it begins with a deal, so that it can have a deal of the day
    levels: tuple[LevelInfo, ...] = ()  # the players that the game ranks; the weakest first
    preparation: Preparation | None = None  # until its tables can be played


class GameFault(Schema):
    """What is wrong with an installed game that can't be played."""

    name: str
    sentence: str


class GameList(Schema):
    """The installed games."""

    games: tuple[GameInfo, ...]
    broken: tuple[GameFault, ...]


class LessonInfo(Schema):
    """One lesson; no field of lessons has a default, because the client would have to know it."""

    id: str
    title: str
    tasks: int
    clauses: tuple[str, ...]  # the clauses that it is about


class FirstGame(Schema):
    """How the first real game, which the lessons lead to, is dealt."""

    say: str
    seats: int
    level: str  # the programs at all other seats
    options: dict[str, OptionValue]


class LessonList(Schema):
    """The lessons of a game's guided first game, in order."""

    title: str
    minutes: int
    puzzles: bool  # whether there are any for afterwards
    first: FirstGame
    lessons: tuple[LessonInfo, ...]


class PuzzleInfo(Schema):
    """One puzzle."""

    id: str
    title: str
    level: int  # from 1
    exact: bool  # whether every line of play was checked


class PuzzleList(Schema):
    """A game's puzzles, the easiest first."""

    title: str
    puzzles: tuple[PuzzleInfo, ...]


LessonMove = Annotated[int, Meta(ge=-1, le=2**31 - 1)]  # an action's code; -1: only looked


class LessonTry(Schema):
    """A request for the next step of a lesson; everything done so far is included."""

    done: Annotated[tuple[LessonMove, ...], Meta(max_length=100)] = ()
    attempt: LessonMove | MoveText | None = None  # a try
    items: ItemIds | None = None  # touched things that don't make a move
    show: bool = False  # request what to do


class LessonAsk(Schema):
    """The current task."""

    task: int  # from 0; when all is done, the number of tasks
    begun: int  # how many entries of `done` came before it
    say: str
    clause: str
    lit: tuple[str, ...]
    look: bool  # nothing to do but look
    left: int  # decisions left for a goal


class LessonAnswer(Schema):
    """The result of a try, and the next task; texts are empty if there is nothing to say."""

    done: tuple[int, ...]
    accepted: bool
    failed: bool  # the goal can't be reached any more
    said: str
    refusal: Refusal | None
    ask: LessonAsk
    setting: Setting | None  # where nothing has been done yet
    scenes: tuple[Scene, ...]  # one after the other; the last one is the current scene
    shown: Hint | None  # what to do, if requested


class ClauseInfo(Schema):
    """One clause of a rulebook in our own words."""

    id: str
    title: str
    text: str
    section: str
    ruling: str = ""


class TermInfo(Schema):
    """One of a game's own words, explained."""

    word: str
    says: str
    clause: str


class Rules(Schema):
    """A whole rulebook, in order."""

    title: str
    author: str
    clauses: tuple[ClauseInfo, ...]
    terms: tuple[TermInfo, ...]


class ReplayRequest(Schema):
    """A request for the scenes of a record."""

    record: Annotated[str, Meta(max_length=400_000)]
    seat: Annotated[int, Meta(ge=0, le=100)] = 0  # not 0 only when the game is over


class Replay(Schema):
    """One scene for every ply of a record, the deal first."""

    plies: int
    setting: Setting
    scenes: tuple[Scene, ...]


class ThrowFieldInfo(Schema):
    """One value of a release."""

    name: str
    label: str
    unit: str
    low: float
    high: float
    default: float
    step: float  # the step of keys and buttons
    sentence: str
    least: float = 0.0  # if it can be positive or negative: its smallest absolute value


class ThrowMethodInfo(Schema):
    """One way of throwing a card."""

    name: str
    label: str
    sentence: str
    fields: tuple[ThrowFieldInfo, ...]


class ThrowForm(Schema):
    """The inputs of a throw, and the table of the practice range."""

    methods: tuple[ThrowMethodInfo, ...]
    layout: TableLayout


class HitRate(Schema):
    """How often a hand hits a wall with the best method, measured in simulated throws."""

    level: float  # the hand's random error; 1 is an expert's
    inches: int  # between the rows of walls
    share: float  # from 0 to 1


class HitRates(Schema):
    """How often hands hit, at the distances that tables offer."""

    rates: tuple[HitRate, ...]
    usual: int  # the inches of the rules


Figures = Annotated[dict[Annotated[str, Meta(max_length=32)], float], Meta(max_length=16)]


class PathRequest(Schema):
    """A request for the path of a card with nothing in its way."""

    method: Annotated[str, Meta(max_length=32)]
    release: Figures = {}
    chair: Chair | None = None  # by default the first of the range


class Path(Schema):
    """The path of a card's middle until it meets the table."""

    points: tuple[tuple[float, float, float, float], ...]  # seconds, x, y, z in metres


class PracticeThrow(Schema):
    """A request for a practice throw."""

    method: Annotated[str, Meta(max_length=32)]
    release: Figures = {}
    hand: Literal["human", "steady"] = "human"
    distance: Annotated[float, Meta(ge=0.1, le=1.5)] | None = None  # metres between the rows of walls


class Problem(Schema):
    """Why a request was not carried out."""

    code: str
    sentence: str


class LabGroup(Schema):
    """A group of measures."""

    name: str
    meaning: str


class LabAnswer(Schema):
    """One question about a game, with its answer."""

    question: str
    sentence: str
    verdict: str


class LabPace(Schema):
    """The answers if people take so many seconds for a decision."""

    seconds: float
    answers: tuple[LabAnswer, ...]


class LabBar(Schema):
    """A share of games with its interval."""

    name: str
    estimate: float
    low: float
    high: float


class LabAnswers(Schema):
    """The results of an experiment: three answers, and the data of their picture."""

    answers: tuple[LabAnswer, ...]
    note: str  # about the players
    bars: tuple[LabBar, ...]
    caption: str
    even: float | None  # the share of each seat if all were equal
    seconds: float  # that a person takes for a decision
    paces: tuple[LabPace, ...]  # the answers for other paces


class LabExperiment(Schema):
    """An experiment of the data folder; no field has a default, because the client would have to know it."""

    name: str
    game: str
    players: tuple[str, ...]
    varied: tuple[str, ...]  # an option with its values each
    games: int  # of all variants together; until finished, an upper bound
    checking: int  # of these, the ones in which stronger players check the figures
    share: float  # the share of its deals that have been played
    finished: bool  # whether no more games are played: it may stop early
    answers: LabAnswers | None  # the variants in its report
    phase: Literal["rests", "plays", "reports"]
    seconds_left: float | None
    report: bool  # whether it can be opened
    fault: str


class LabShelf(Schema):
    """The experiments of the data folder, the newest first."""

    experiments: tuple[LabExperiment, ...]
    needs_key: bool
    groups: tuple[LabGroup, ...]


Word = Annotated[str, Meta(min_length=1, max_length=64)]
MOST_GAMES = 1_000_000  # a variant, where a page asks


class LabRequest(Schema, forbid_unknown_fields=True):
    """A request for an experiment."""

    game: Word
    players: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=16)]
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None  # if one player takes all of them
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 2_000  # a variant
    seed: Annotated[str, Meta(min_length=1, max_length=64)] = "first"
    measures: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=16)] = ("fairness", "length")
    confirm: bool = True  # whether a player who searches repeats the main figure, if the others don't
    vary: Annotated[
        dict[Word, Annotated[tuple[OptionValue, ...], Meta(min_length=1, max_length=16)]], Meta(max_length=4)
    ] = {}


class LabStarted(Schema):
    """The name of the experiment that was started, continued or stopped."""

    name: str
