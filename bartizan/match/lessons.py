"""Read a game's lessons and puzzles: positions, texts and tasks (see CONTRIBUTING).

Nothing here knows a game: a lesson is data, judged by the rules of the game that it belongs to.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

from bartizan.engine import registry
from bartizan.engine.errors import BadLesson, UnknownLesson, in_words, nearest
from bartizan.engine.game import Game
from bartizan.engine.levels import title_of

LESSONS, PUZZLES = "lessons.toml", "puzzles.toml"
SEED = "1e55"  # of chance in lessons: nothing of theirs is secret
LEVELS = 5  # of puzzles, by how many programs find them

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,39}$")]
Title = Annotated[str, Meta(min_length=3, max_length=48)]
Text = Annotated[str, Meta(min_length=8, max_length=260)]  # what fits above the table on a phone
Move = Annotated[str, Meta(min_length=1, max_length=400)]
Moves = Annotated[tuple[Move, ...], Meta(min_length=1, max_length=40)]


class Task(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One task for a learner: look, play one of the given moves, or reach a goal with any moves."""

    say: Text
    clause: str = ""  # what can be opened beside it
    # Any of these moves; * stands for anything. Without moves and goal there is something to look at.
    moves: tuple[Move, ...] = ()
    goal: dict[str, Any] = {}  # keys of a position, as a scenario expects them; free play until it is reached
    within: Annotated[int, Meta(ge=1, le=60)] = 1  # decisions that the learner has for a goal
    show: tuple[Move, ...] = ()  # the moves that "Show me" shows; left out, the first of `moves`
    thrown: Move | None = None  # the throw that "Show me" shows; left out, one at the first target
    lit: tuple[str, ...] = ()  # ids that are lit; left out, what the shown move touches
    refused: dict[Move, str] = {}  # tries that the rules forbid -> the clause that they name
    wrong: dict[Move, Text] = {}  # moves that are possible and not meant, * as above -> what is said of them
    otherwise: Text = "You can do that, but it isn't this step's task. Look at what is highlighted."
    failed: Text = "That didn't work. Try again from the start."
    then: tuple[Move, ...] = ()  # what happens next without the learner: the others' moves
    told: str = ""  # said once it is done
    after: dict[str, Any] = {}  # what of the position is then as it says: not used, but held to by the tests

    @property
    def is_look(self) -> bool:
        """Whether the learner only has to look."""
        return not self.moves and not self.goal

    @property
    def shown(self) -> tuple[str, ...]:
        """The moves that solve the task."""
        return self.show or self.moves[:1]


class Lesson(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One small position and its tasks."""

    id: Name
    title: Title
    task: Annotated[tuple[Task, ...], Meta(min_length=1, max_length=8)]
    seats: int | None = None
    seat: Annotated[int, Meta(ge=1, le=16)] = 1  # where the learner sits
    options: dict[str, Any] = {}
    position: dict[str, Any] | None = None  # left out, a deal
    seed: str = SEED


class First(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The first real game, which lessons lead into."""

    level: str = ""  # of the programs at all other seats
    seats: int | None = None
    options: dict[str, bool | int | str] = {}
    say: Text


class Lessons(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A guided first game, as ``lessons.toml`` holds it."""

    minutes: Annotated[int, Meta(ge=1, le=30)]
    first: First
    leaves_out: tuple[str, ...] = ()  # verbs that a first game can do without
    lesson: Annotated[tuple[Lesson, ...], Meta(min_length=1, max_length=20)]


class Kind(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What puzzles of one kind have in common; what they leave out of a task they have from here."""

    title: Title
    say: Text
    clause: str = ""
    exact: bool  # whether every line of play was looked at; else the searches' judgement stands
    wrong: dict[Move, Text] = {}
    failed: Text = "That didn't work. Try again from the start."
    # What `bartizan puzzles` looks for (see bartizan.match.turns), and which key of a position tells it.
    measure: str
    key: str  # SEAT in it is the number of the seat
    also: tuple[str, ...] = ()  # other keys that must be as they are at the end of the turn
    gain: int = 1  # by which the measure must rise in the turn; not asked where there are other keys
    least: int = 2  # decisions that it takes
    share: float = 0.25  # of all first moves that may get there, at the most
    last: int = 1_000  # decisions of a game that are looked at, from its end
    until: int = 600  # decisions after which games are left alone
    depth: int = 100  # decisions that a line has at the most
    most: int = 20_000  # states that are looked at in one turn
    seats: int | None = None
    options: dict[str, Any] = {}


class Puzzle(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One position with a goal."""

    id: Name
    kind: Name
    position: dict[str, Any]
    goal: dict[str, Any]
    within: Annotated[int, Meta(ge=1, le=60)]
    show: Moves
    level: Annotated[int, Meta(ge=1, le=LEVELS)]
    found: dict[str, float]  # player -> the share of its tries that reach the goal
    ways: int = 1  # first moves with which it can be reached
    say: str = ""  # replaces the default text for this kind of task
    explain: str = ""  # shown once it is solved
    seats: int | None = None
    seat: Annotated[int, Meta(ge=1, le=16)] = 1
    options: dict[str, Any] = {}


class Puzzles(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A game's puzzles, as ``puzzles.toml`` holds them."""

    kind: dict[Name, Kind]
    puzzle: tuple[Puzzle, ...] = ()

    def lesson(self, puzzle: Puzzle) -> Lesson:
        """Return a puzzle as a lesson of one task."""
        kind = self.kind[puzzle.kind]
        task = Task(
            say=puzzle.say or kind.say,
            clause=kind.clause,
            goal=puzzle.goal,
            within=puzzle.within,
            show=puzzle.show,
            wrong=kind.wrong,
            failed=kind.failed,
            told=puzzle.explain or _explained(puzzle),
        )
        return Lesson(
            id=puzzle.id,
            title=kind.title,
            task=(task,),
            seats=puzzle.seats,
            seat=puzzle.seat,
            options=puzzle.options,
            position=puzzle.position,
        )


def _explained(puzzle: Puzzle) -> str:
    """Say how a puzzle is solved, and who finds that."""
    line = ", then ".join(f"`{move}`" for move in puzzle.show)
    finders = ", ".join(f"{title_of(name)} {share:.0%}" for name, share in puzzle.found.items() if share)
    others = f" {puzzle.ways} first moves work." if puzzle.ways > 1 else ""
    return f"Solution: {line}.{others} Computer players that found it: {finders or 'none'}."


T = TypeVar("T", Lessons, Puzzles)
Named = TypeVar("Named", Lesson, Puzzle)


def read_lessons(game: Game) -> Lessons:
    """Return a game's guided first game; raises `UnknownLesson`, and `BadLesson` for a bad file."""
    return cast(Lessons, _read(game, LESSONS, Lessons))


def read_puzzles(game: Game) -> Puzzles:
    """Return a game's puzzles; raises as `read_lessons`."""
    puzzles = cast(Puzzles, _read(game, PUZZLES, Puzzles))
    for puzzle in puzzles.puzzle:
        if puzzle.kind not in puzzles.kind:
            raise BadLesson(f"{game.name}: the puzzle {puzzle.id!r} is of no kind {puzzle.kind!r}.")
    return puzzles


def find_lesson(game: str, lesson: str) -> tuple[Game, Lesson]:
    """Return a game with interpreted rules and its lesson or puzzle of a name.

    Raises `UnknownGame`, and `UnknownLesson` with the nearest name.
    """
    of_game = registry.get(game)
    chosen = _lessons_of(of_game.name).get(lesson)
    if chosen is None:
        meant = nearest(lesson, _lessons_of(of_game.name))
        raise UnknownLesson(f"{of_game.title} has no lesson and no puzzle {lesson!r}.{meant}")
    return of_game.plain, chosen


@cache
def _lessons_of(name: str) -> dict[str, Lesson]:
    """Return all lessons and puzzles of a game by name."""
    game = registry.get(name)
    lessons: list[Lesson] = list(read_lessons(game).lesson) if game.has_lessons else []
    if game.has_puzzles:
        puzzles = read_puzzles(game)
        lessons += [puzzles.lesson(puzzle) for puzzle in puzzles.puzzle]
    return _by_name(game, lessons)


def _by_name(game: Game, each: Sequence[Named]) -> dict[str, Named]:
    named = {one.id: one for one in each}
    if len(named) < len(each):
        raise BadLesson(f"{game.name}: two lessons or puzzles have the same id.")
    return named


@cache
def _read(game: Game, file: str, kind: type[T]) -> T:
    path = game.folder / file
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UnknownLesson(f"{game.title} comes with no {path.stem}.") from error
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadLesson(f"{game.name}/{file}: {in_words(error)}.") from error
