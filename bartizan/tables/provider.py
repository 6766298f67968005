"""Say what tables need of games, so that anything can sit at them that plays like a Match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from bartizan.engine.fairness import Fairness
from bartizan.engine.layout import Flown
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Analysis, Hint, LogLine, Refusal, Scene, Setting, Verdict
from bartizan.engine.settlement import Settlement
from bartizan.tables.messages import Preparation

if TYPE_CHECKING:
    from bartizan.compile.targets import Target
    from bartizan.engine.levels import Level
    from bartizan.match import CheckedMove

PERSON = "person"


def usual_program(programs: Sequence[str]) -> str:
    """Return the program that plays where nobody has chosen one."""
    return "greedy" if "greedy" in programs else programs[0]


class GameLike(Protocol):
    """The part of `bartizan.engine.game.Game` that tables and requests read."""

    @property
    def name(self) -> str:
        """Return the short name that addresses use."""

    @property
    def title(self) -> str:
        """Return the name as people write it."""

    @property
    def author(self) -> str:
        """Return who invented it."""

    @property
    def summary(self) -> str:
        """Return what it is in a sentence or two."""

    @property
    def min_seats(self) -> int:
        """Return the fewest seats."""

    @property
    def max_seats(self) -> int:
        """Return the most seats."""

    @property
    def emblem(self) -> str:
        """Return its silhouette, an SVG path; empty where cards stand for it."""

    @property
    def picture(self) -> bytes:
        """Return its picture, an SVG; empty without one."""

    @property
    def chance(self) -> bool:
        """Return whether anything is left to chance, so that deals differ."""

    @property
    def has_lessons(self) -> bool:
        """Return whether it comes with a guided first game."""

    @property
    def has_puzzles(self) -> bool:
        """Return whether it comes with puzzles."""

    @property
    def rules_version(self) -> int:
        """Return what is raised when old logs would play differently."""

    @property
    def options(self) -> Sequence[Any]:
        """Return the option specs."""

    @property
    def clauses(self) -> Any:
        """Return the rulebook."""

    @property
    def perfect_information(self) -> bool:
        """Return whether nothing is ever hidden from any seat."""

    @property
    def player_levels(self) -> Sequence[Level]:
        """Return the levels of its player programs, the weakest first."""

    def players(self) -> Sequence[str]:
        """Return the names of the player programs."""

    def check_player(self, name: str, others: Sequence[str] = ()) -> str:
        """Return the name of a player program or one of `others`; raises `UnknownPlayer`."""

    def check_programs(self, options: Mapping[str, Any], seats: int) -> None:
        """Raise `UnknownOption` where no program can take a seat with these options."""


class RecordLike(Protocol):
    """The part of `bartizan.match.GameRecord` that a table hands out."""

    @property
    def position(self) -> dict[str, Any] | None:
        """Return where the game began, if not with a deal."""

    def text(self) -> str:
        """Return the record as it is written to a file."""


class Throwable(Protocol):
    """A throw that may be made at the table."""

    def fly(self) -> Flown:
        """Make it: some milliseconds of physics, which touch nothing of the table."""


class Playable(Protocol):
    """The part of `bartizan.match.Match` that tables use."""

    @property
    def game(self) -> GameLike:
        """Return the game played."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""

    @property
    def seed_hash(self) -> str:
        """Return what may be published of the seed."""

    @property
    def setting(self) -> Setting:
        """Return what stays the same through the whole table."""

    @property
    def ply(self) -> int:
        """Return the decisions taken."""

    @property
    def last_ply(self) -> int:
        """Return the decisions kept, those taken back included."""

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""

    @property
    def outcome(self) -> Outcome | None:
        """Return what the game came to by its rules; None while it runs."""

    @property
    def seat_to_move(self) -> int:
        """Return the seat to decide, 0 at the end."""

    @property
    def moves(self) -> list[str]:
        """Return the moves played."""

    def legal(self) -> list[int]:
        """Return the legal actions."""

    def check(self, move: str | int, seat: int | None = None) -> CheckedMove:
        """Read a move and find it legal; raises `IllegalMove`, `UnknownMove` and the like."""

    def check_flown(self, move: CheckedMove, flown: Flown) -> CheckedMove:
        """Put a kept flight beside the report of it; raises `UnknownMove` where they do not agree."""

    def read_throw(self, text: str, seat: int | None = None) -> Throwable:
        """Read a throw to be made at the table and find it possible; raises what `check` raises."""

    def check_by_hand(self, move: str | int, seat: int | None = None) -> CheckedMove:
        """Read a move that a person makes; also refuses a report where cards are thrown at the table."""

    def check_throw(self, flown: Flown) -> CheckedMove:
        """Return the move that reports a throw which was made."""

    def push(self, checked: CheckedMove) -> None:
        """Play a move that was checked here, or on another match at the same place."""

    def undo(self) -> None:
        """Take a move back."""

    def redo(self) -> None:
        """Play it again."""

    def go_to(self, ply: int) -> None:
        """Go to a ply of the game."""

    def revealed_information(self) -> bool:
        """Return whether the last move showed its seat what it could not know before."""

    def revealed_since(self, seat: int, ply: int) -> bool:
        """Return whether what came after a ply showed a seat what it could not know there."""

    def why_not(self, move: str | int) -> Refusal | None:
        """Explain why a move, or a throw, is not possible here; None if it is.  Raises `UnknownMove`."""

    def why_not_items(self, items: Sequence[str]) -> Refusal:
        """Explain what touching ids cannot mean."""

    def hints(self, n: int = 3) -> list[Hint]:
        """Advise the seat to move."""

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        """Draw what a seat sees."""

    def log(self, seat: int, lines: int = 12) -> Sequence[LogLine]:
        """Return the last plies as a seat saw them."""

    def record(
        self,
        *,
        secret_seed: bool = False,
        settlement: Settlement | None = None,
        fairness: Fairness | None = None,
    ) -> RecordLike:
        """Return the game so far as a record.

        `settlement` tells how its players ended it, `fairness` how its deal came about.
        """


class Program(Protocol):
    """A player program at one seat of one table.  Not for several threads at once."""

    def choose(self, match: Playable) -> CheckedMove:
        """Return the move that it makes now; this may take long.

        What it thought before is of use to it, also after moves were taken back.
        """


class Terms(msgspec.Struct, frozen=True):
    """What a table is dealt by."""

    options: dict[str, Any]
    seats: int
    seed: str
    seed_hash: str


class GameProvider(Protocol):
    """Where games come from; dealing and replaying may take long, so they are not for the loop."""

    def open(self) -> None:
        """Begin to make the games ready; a loop is running."""

    def close(self) -> None:
        """Stop what is under way."""

    async def prepare(self, name: str, target: Target) -> None:
        """Make a game ready, so that nothing below waits for it to be compiled; raises `CompileError`."""

    def preparation(self, name: str, target: Target) -> Preparation | None:
        """Tell how far that is; None when it is done, or nobody has begun it."""

    def target_for(self, game: str, player: str) -> Target:
        """Return what has to be prepared of a game for a player program."""

    def names(self) -> Sequence[str]:
        """Return the names of the games."""

    def broken(self) -> Mapping[str, str]:
        """Return a sentence on each installed game that cannot be loaded, by name."""

    def game(self, name: str) -> GameLike:
        """Return a game; raises `UnknownGame`."""

    def terms(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Terms:
        """Complete what a table is asked for with, without dealing it; raises what `Match` raises."""

    def match(
        self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None
    ) -> Playable:
        """Deal a game; raises what `Match` raises."""

    def game_of(self, text: str) -> str:
        """Return the name of the game that a record is of; raises `CorruptRecord` and `UnknownGame`."""

    def plies_of(self, text: str) -> int:
        """Count the moves of a record without playing them; raises `CorruptRecord`."""

    def replay(self, text: str) -> Playable:
        """Read a record and play it through; raises `CorruptRecord`."""

    def player(self, game: str, name: str) -> Program:
        """Return a player program for one seat of one table."""

    def verdicts(self, match: Playable) -> Iterator[Verdict]:
        """Judge the decisions of a match one by one; each may take long, and moves the match about."""

    def conclude(self, match: Playable, verdicts: Sequence[Verdict], settlement: Outcome | None) -> Analysis:
        """Sum up the verdicts on a match at its end; `settlement` is what its players ended it with."""
