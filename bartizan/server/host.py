"""Say what the server needs of games, so that it can be served anything that plays like a Match."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bartizan.engine.errors import UnknownPlayer, nearest
from bartizan.engine.scene import Hint, Refusal, Scene

PERSON = "person"


class GameLike(Protocol):
    """The part of `bartizan.engine.game.Game` that the server reads."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def min_seats(self) -> int: ...
    @property
    def max_seats(self) -> int: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def options(self) -> Sequence[Any]: ...
    @property
    def clauses(self) -> Any: ...
    def players(self) -> Sequence[str]:
        """Return the names of the player programs."""


class Playable(Protocol):
    """The part of `bartizan.match.Match` that the server uses."""

    @property
    def game(self) -> GameLike: ...
    @property
    def seats(self) -> int: ...
    @property
    def seed(self) -> str: ...
    @property
    def seed_hash(self) -> str: ...
    @property
    def ply(self) -> int: ...
    @property
    def last_ply(self) -> int: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def seat_to_move(self) -> int: ...
    @property
    def moves(self) -> list[str]: ...
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

    def record(self, *, secret_seed: bool = False) -> Any:
        """Return the game so far as a record."""


class Host(Protocol):
    """Where games come from."""

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


class Installed:
    """The installed games."""

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

        return Match(game, options, seats=seats, seed=seed)

    def replay(self, text: str) -> Playable:
        """Read a record and play it through."""
        from bartizan.match import Record

        raise NotImplementedError(Record)


def check_player(game: GameLike, name: str) -> str:
    """Return a player's name if a seat can be given to it; raises `UnknownPlayer` with the nearest."""
    known = [PERSON, *game.players()]
    if name in known:
        return name
    raise UnknownPlayer(
        f"No player is called {name!r}." + (nearest(name, known) or f" There are {', '.join(known)}.")
    )


def choose(match: Playable, player: str) -> int:
    """Return the action that a player program takes now; slow ones take their time, so call it off the loop."""
    if player != "random" and (hints := match.hints(1)):
        return hints[0].action
    return secrets.choice(match.legal())
