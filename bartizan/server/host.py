"""Say what the server needs of games, so that it can be served anything that plays like a Match."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from bartizan.engine.errors import UnknownPlayer, nearest
from bartizan.engine.scene import Hint, LogLine, Refusal, Scene

if TYPE_CHECKING:
    from bartizan.match import Match

PERSON = "person"


class GameLike(Protocol):
    """The part of `bartizan.engine.game.Game` that the server reads."""

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
    def rules_version(self) -> int:
        """Return what is raised when old logs would play differently."""

    @property
    def options(self) -> Sequence[Any]:
        """Return the option specs, or of a match their values."""

    @property
    def clauses(self) -> Any:
        """Return the rulebook."""

    def players(self) -> Sequence[str]:
        """Return the names of the player programs."""


class Playable(Protocol):
    """The part of `bartizan.match.Match` that the server uses."""

    @property
    def game(self) -> GameLike:
        """Return the game played."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""

    @property
    def seed(self) -> str:
        """Return the seed: secret until the end."""

    @property
    def seed_hash(self) -> str:
        """Return what may be published of the seed."""

    @property
    def ply(self) -> int:
        """Return the decisions taken."""

    @property
    def last_ply(self) -> int:
        """Return the decisions kept, those taken back included."""

    @property
    def options(self) -> dict[str, Any]:
        """Return the option specs, or of a match their values."""

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""

    @property
    def seat_to_move(self) -> int:
        """Return the seat to decide, 0 at the end."""

    @property
    def moves(self) -> list[str]:
        """Return the moves played."""

    def legal(self) -> list[int]:
        """Return the legal actions."""

    def parse(self, text: str) -> int:
        """Read a move."""

    def text(self, action: int) -> str:
        """Write a move."""

    def play(self, move: str | int, seat: int | None = None) -> str:
        """Play a move."""

    def undo(self) -> None:
        """Take a move back."""

    def redo(self) -> None:
        """Play it again."""

    def go_to(self, ply: int) -> None:
        """Go to a ply of the game."""

    def why_not(self, move: str | int) -> Refusal | None:
        """Explain why a move is not legal."""

    def why_not_items(self, items: Sequence[str]) -> Refusal:
        """Explain what touching ids cannot mean."""

    def hints(self, n: int = 1) -> list[Hint]:
        """Advise the seat to move."""

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        """Draw what a seat sees."""

    def log(self, seat: int, lines: int = 12) -> Sequence[LogLine]:
        """Return the last plies as a seat saw them."""

    def record(self, *, secret_seed: bool = False) -> Any:
        """Return the game so far as a record."""


class Host(Protocol):
    """Where games come from; dealing and replaying may take long, so they are not for the loop."""

    def prepare(self, name: str) -> None:
        """Make a game ready to be played at once."""

    def names(self) -> Sequence[str]:
        """Return the names of the games."""

    def game(self, name: str) -> GameLike:
        """Return a game; raises `UnknownGame`."""

    def match(
        self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None
    ) -> Playable:
        """Deal a game; raises what `Match` raises."""

    def replay(self, text: str) -> Playable:
        """Read a record and play it through; raises `CorruptRecord`."""

    def choose(self, match: Playable, player: str) -> int:
        """Return the action that a player program takes now; this may take long."""


class Installed:
    """The installed games."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._preparing = threading.Lock()

    def prepare(self, name: str) -> None:
        """Compile a game's rules or load them compiled, so that no move waits for that; not for the loop."""
        from bartizan.engine.compile import compile_game

        with self._preparing:
            if name not in self._ready:
                compile_game(name)
                self._ready.add(name)

    def names(self) -> Sequence[str]:
        """Return the names of the games."""
        from bartizan.engine import registry

        return registry.names()

    def game(self, name: str) -> GameLike:
        """Return a game; raises `UnknownGame` with the nearest name."""
        from bartizan.engine import registry

        return registry.get(name)

    def match(
        self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None
    ) -> Playable:
        """Deal a game."""
        from bartizan.match import Match

        self.prepare(self.game(game).name)
        return Match(game, options, seats=seats, seed=seed)

    def replay(self, text: str) -> Playable:
        """Read a record and play it through."""
        from bartizan.match import Match, Record

        record = Record.parse(text)
        self.prepare(self.game(record.game).name)
        return Match.of(record)

    def choose(self, match: Playable, player: str) -> int:
        """Return the action that a player program takes now."""
        from bartizan.search.players import Player

        played = cast("Match", match)
        # Fresh dice: what a program throws must not follow from the seed, which is published at the end.
        return Player.named(played.game, player, secrets.randbits(64)).choose(played.live(), played.legal())


def check_player(game: GameLike, name: str) -> str:
    """Return a player's name if a seat can be given to it; raises `UnknownPlayer` with the nearest."""
    known = [PERSON, *game.players()]
    if name in known:
        return name
    raise UnknownPlayer(
        f"No player is called {name!r}." + (nearest(name, known) or f" There are {', '.join(known)}.")
    )
