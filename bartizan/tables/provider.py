"""Define where tables get their games and computer players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Analysis, Verdict
from bartizan.tables.messages import Preparation

if TYPE_CHECKING:
    from bartizan.compile.targets import Target
    from bartizan.engine.game import Game
    from bartizan.match import CheckedMove, Match

PERSON = "person"


def usual_program(programs: Sequence[str]) -> str:
    """Return the default program."""
    return "greedy" if "greedy" in programs else programs[0]


class Program(Protocol):
    """A computer player at one seat of one table. Not for several threads at once."""

    def choose(self, match: Match) -> CheckedMove:
        """Return its move; this may take long.

        It reuses what it thought before, even after an undo.
        """


class Terms(msgspec.Struct, frozen=True):
    """The terms of a new table."""

    options: dict[str, Any]
    seats: int
    seed: str
    seed_hash: str


class GameProvider(Protocol):
    """The source of games.  Dealing and replaying may be slow, so keep them off the event loop."""

    def open(self) -> None:
        """Start preparing the games; requires a running loop."""

    def close(self) -> None:
        """Stop all work in progress."""

    async def prepare(self, name: str, target: Target) -> None:
        """Prepare a game, so that the methods below don't wait for the compiler; raises `CompileError`."""

    def preparation(self, name: str, target: Target) -> Preparation | None:
        """Return the progress, or None if it is done or was never started."""

    def target_for(self, game: str, player: str) -> Target:
        """Return the compile target that a player program of a game needs."""

    def names(self) -> Sequence[str]:
        """Return the names of the games."""

    def broken(self) -> Mapping[str, str]:
        """Return a sentence on each installed game that cannot be loaded or failed its trial, by name."""

    def game(self, name: str) -> Game:
        """Return a game; raises `UnknownGame`."""

    def terms(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Terms:
        """Fill in the defaults of a new table's terms, without dealing; raises what `Match` raises."""

    def match(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Match:
        """Deal a game; raises what `Match` raises."""

    def game_of(self, text: str) -> str:
        """Return the name of a record's game; raises `CorruptRecord` and `UnknownGame`."""

    def plies_of(self, text: str) -> int:
        """Count the moves of a record without playing them; raises `CorruptRecord`."""

    def replay(self, text: str) -> Match:
        """Read a record and replay it; raises `CorruptRecord`."""

    def player(self, game: str, name: str) -> Program:
        """Return a player program for one seat of one table."""

    def verdicts(self, match: Match) -> Iterator[Verdict]:
        """Judge the decisions of a match one by one; each may take long, and moves the match about."""

    def conclude(self, match: Match, verdicts: Sequence[Verdict], settlement: Outcome | None) -> Analysis:
        """Sum up the verdicts on a match at its end; `settlement` says if and how its players ended it."""
