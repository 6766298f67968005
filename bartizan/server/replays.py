"""Show uploaded records, on a separate thread so that no table waits for them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from bartizan.engine.errors import CorruptRecord
from bartizan.engine.scene import Scene
from bartizan.server.schema import Replay, ReplayRequest
from bartizan.tables.errors import NotAllowed, TooMany
from bartizan.tables.limits import Bucket, Limits
from bartizan.tables.provider import GameProvider


class Replays:
    """The thread that shows records, one after the other."""

    def __init__(self, games: GameProvider, limits: Limits) -> None:
        self._games = games
        self._limits = limits
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="bartizan-replay")
        self._bucket = Bucket(limits.replays_per_second, limits.replay_burst)
        self.waiting = 0

    def close(self) -> None:
        """Stop showing records."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def show(self, request: ReplayRequest) -> Replay:
        """Return the scenes of a record, ply by ply.

        Raises `CorruptRecord`, `NotAllowed`, `UnknownGame`, and `TooMany` where too many wait.
        """
        if self.waiting >= self._limits.replays_waiting or not self._bucket.take():
            raise TooMany("Too many replays are in progress. Try again in a few seconds.")
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            name = await loop.run_in_executor(self._pool, self._check, request.record)
            await self._games.prepare(name, "table")
            return await loop.run_in_executor(self._pool, self._draw, request)
        finally:
            self.waiting -= 1

    def _check(self, record: str) -> str:
        """Return the name of a record's game, before anything in it is played."""
        plies, most = self._games.plies_of(record), self._limits.replay_plies
        if plies > most:
            raise CorruptRecord(f"This record has {plies} plies; {most} can be shown.")
        return self._games.game_of(record)

    def _draw(self, request: ReplayRequest) -> Replay:
        match = self._games.replay(request.record)
        if request.seat > match.seats:
            raise NotAllowed(f"This game has {match.seats} seats, not {request.seat}.")
        if request.seat and not (match.is_over or match.settlement):
            raise NotAllowed("You can see the hands when the game is over.")
        scenes: list[Scene] = []
        for ply in range(match.ply + 1):
            match.go_to(ply)
            scenes.append(match.views.scene(request.seat, choices=False))
        return Replay(plies=match.ply, setting=match.views.setting, scenes=tuple(scenes))
