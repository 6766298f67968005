"""Wait until a table's game is compiled, and show the progress to those who are there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bartizan.tables.messages import Preparation, Preparing
from bartizan.tables.presence import Presence
from bartizan.tables.services import Services
from bartizan.tables.waiting import shared

if TYPE_CHECKING:
    from bartizan.compile.targets import Target


class Preparations:
    """What one table has asked to have compiled."""

    def __init__(self, game: str, services: Services, presence: Presence) -> None:
        self._game = game
        self._games = services.games
        self._announce_after = services.limits.preparing_after
        self._presence = presence
        self._under_way: dict[Target, asyncio.Future[None]] = {}

    async def ready(self, target: Target) -> None:
        """Wait until a target is compiled and loaded; raises `CompileError`, and tries again next time."""
        preparing = self._under_way.get(target)
        if preparing is None or (preparing.done() and preparing.exception()):
            preparing = self._under_way[target] = asyncio.ensure_future(self._prepare(target))
        await shared(preparing)

    async def _prepare(self, target: Target) -> None:
        compiling = asyncio.ensure_future(self._games.prepare(self._game, target))
        announced = False
        while not (await asyncio.wait([compiling], timeout=self._announce_after))[0]:
            announced = True
            self._tell(target, self._games.preparation(self._game, target) or Preparation())
        if announced:
            self._tell(target, None)
        compiling.result()

    def _tell(self, target: Target, preparation: Preparation | None) -> None:
        self._presence.tell_all(
            Preparing(what="game" if target == "table" else "player", preparation=preparation)
        )
