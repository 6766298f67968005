"""People who make a deal together, at the small game as one that leaves something to chance."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from bartizan.engine.fairness import commit_share
from bartizan.tables.messages import NewTable, TableLinks
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from tests.tables.duel import Duel, DuelProvider
from tests.tables.sessions import Ear, change
from tests.waiting import until

if TYPE_CHECKING:
    from bartizan.engine.game import Game


class DealtDuel(Duel):
    """The small game, as one that leaves something to chance."""

    chance = True


class Dealt(DuelProvider):
    def game(self, name: str) -> Game:
        super().game(name)
        return cast("Game", DealtDuel())


class Person:
    """A browser with a share of its own."""

    def __init__(self, table: TableSession, seat: int) -> None:
        self.table, self.seat, self.ear = table, seat, Ear(seat)
        self.share = secrets.token_hex(16)

    async def come(self) -> Person:
        self.table.subscribe(self.ear)
        await self.table.greet(self.ear)
        return self

    def draw(self) -> None:
        """Draw another share, for the next round."""
        self.share = secrets.token_hex(16)

    def run_out(self) -> None:
        """Let the time in which shares have to be shown run out."""
        dealing = self.table._dealing
        dealing._due = 0.0
        dealing.look()

    async def until_round(self, number: int) -> None:
        """Wait until so many rounds were void."""
        await until(lambda: len(self.fair.get("void", [])) >= number)

    @property
    def fair(self) -> dict[str, Any]:
        return dict(next(each for each in reversed(self.ear.aside) if each["type"] == "fair"))

    @property
    def sync(self) -> dict[str, Any] | None:
        return next((each for each in reversed(self.ear.heard) if each["type"] == "sync"), None)

    async def do(self, kind: Any, text: str | int = "") -> int:
        return await change(self.table, self.seat, kind, str(uuid4()), self.version, text)

    @property
    def version(self) -> int:
        return int(max(each.get("version", 0) for each in (*self.ear.heard, *self.ear.aside)))

    async def commit(self) -> int:
        return await self.do("commit", commit_share(self.table.row.table, self.seat, self.share))

    async def show(self) -> int:
        return await self.do("share", self.share)


async def gather(tables: TableRegistry, **wanted: Any) -> tuple[list[Person], TableLinks]:
    links = await tables.create(NewTable(here="everyone", game="duel", **wanted))
    keys = filter(None, [links.spectator, *links.seats])
    return [await Person(*await tables.open(links.table, key)).come() for key in keys], links
