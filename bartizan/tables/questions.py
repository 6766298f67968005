"""Answer read-only requests about a table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bartizan.engine.scene import Refusal, Scene
from bartizan.tables.analysis import AnalysisJob
from bartizan.tables.entries.deal import SeedRevealed
from bartizan.tables.errors import NotAllowed, StaleVersion
from bartizan.tables.live import LiveTable
from bartizan.tables.messages import Analysed
from bartizan.tables.services import Services
from bartizan.tables.state import TableState
from bartizan.tables.thinking import ReplayWorker
from bartizan.tables.turns import check_turn


class Questions:
    """Read-only requests at one table; reviews run off the loop."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self._past = ReplayWorker(services.games, table.row, lambda: table.seed, services.pool)
        self._analysis: AnalysisJob | None = None

    def forget(self) -> None:
        """Forget what can be computed again, unless it is in use."""
        self._past.forget()

    async def why(self, seat: int, items: Sequence[str] | None, move: str | int | None) -> Refusal:
        """Explain why a move, or touching these ids, isn't possible now."""
        async with self._table.open() as state:
            check_turn(state, seat)
            if move is None:
                return state.match.views.why_not_items(items or [])
            possible = Refusal(clause="", sentence="This move is legal. You can play it now.")
            return state.match.why_not(move) or possible

    async def view(self, seat: int, version: int) -> Scene:
        """Draw the table as this seat saw it at an earlier version; raises `StaleVersion`."""
        async with self._table.open() as state:
            if not 0 <= version <= state.version:
                raise StaleVersion(
                    f"There is no version {version} yet; the table is at version {state.version}."
                )
            if version >= state.changed_at:  # it was as it is now
                return msgspec.structs.replace(state.scene(seat), choices=())
            moves = state.moves_at(version)
        return await self._past.run(lambda replayed: replayed.at(moves).views.scene(seat, choices=False))

    async def record(self, seat: int) -> str:
        """Return the game as a record; before the end without the seed and only what the seat has seen.

        Raises `NotAllowed` if that is less than the whole record.
        """
        async with self._table.open() as state:
            over = state.is_over
            fair = state.exchange.record(over=over)
            record = state.match.record(
                secret_seed=over,
                settlement=state.settlement,
                fairness=fair,
                log=state.log() if over else None,
                known=state.row.options,
            )
            if over:
                await self._tell_seed(state, seat)
            else:
                known = [line.move for line in state.match.views.log(seat, state.match.ply)]
                if known != state.match.moves or record.position is not None:
                    raise NotAllowed("You can get the record when the game is over.")
            return record.text()

    async def analysis(self) -> Analysed:
        """Return the progress and result of the game's review; raises `NotAllowed` before the game ends."""
        async with self._table.open() as state:
            if not state.is_over:
                raise NotAllowed("You can review the game when it's over.")
            if self._analysis is None or self._analysis.version != state.changed_at:
                self._analysis = AnalysisJob(
                    self._services.games,
                    state,
                    self._services.thinking.looking_back(f"table {self._table.row.table}"),
                )
            job = self._analysis
        await self._table.preparations.ready("search")
        return await job.report()

    async def seed(self, seat: int) -> str:
        """Return the seed for dealing the same game again, if this seat may do that; raises `NotAllowed`."""
        async with self._table.open() as state:
            if not state.is_over and (state.row.seats > 1 or not seat):
                raise NotAllowed("You can replay this deal when the game is over.")
            return state.exchange.seed

    async def _tell_seed(self, state: TableState, seat: int) -> None:
        """Record that the seed is known, if the game could still be resumed.

        It is recorded before it is revealed.  Raises `NotAllowed` if the log is full, and `StorageError`.
        """
        if state.is_free and not state.is_settled and not state.is_told:
            state.check_room()
            await self._table.append(state, seat, SeedRevealed())
