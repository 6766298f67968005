"""Follow the clocks of one table, using its log alone.

Each log entry records how much time it took off the running clock.  The running clock's deadline is stored
separately (`MoveLog.set_clock`), so no player loses time while no server is running.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from bartizan.tables.agreement import ClockRule

log = logging.getLogger("bartizan.server")

MS = 1000
SAMPLES = 3
LONGEST_TRIP = 1.0  # seconds that the database may take to answer
LOG_SKEW = 1 * MS  # milliseconds of difference that cause a warning


class Timekeeper:
    """Tell the time in milliseconds since 1970.

    It runs evenly whatever happens to the machine's clock, and uses the database's time if processes on
    several machines share one.
    """

    def __init__(self) -> None:
        self._begun = time.time() - time.monotonic()
        self._ahead = 0.0  # milliseconds by which this machine's clock is ahead of the database's
        self._is_measured = False

    def now(self) -> int:
        """Return the time."""
        return int((self._begun + time.monotonic()) * MS - self._ahead)

    async def measure(self, ask: Callable[[], Awaitable[int | None]]) -> None:
        """Measure how far this machine's clock is ahead of the database's, and correct for it.

        `ask` returns the database's time, or None if the database is on this machine. The database reads its
        clock some time between request and response, so the middle is wrong by at most half of that time. The
        quickest of several answers counts; slow ones don't replace an earlier measurement.
        """
        trips = []
        for _ in range(SAMPLES):
            began = time.monotonic()
            told = await ask()
            if told is None:
                return
            took = time.monotonic() - began
            trips.append((took, (self._begun + began + took / 2) * MS - told))
        took, ahead = min(trips)
        if took > LONGEST_TRIP and self._is_measured:
            return
        if abs(ahead) > LOG_SKEW and abs(ahead - self._ahead) > LOG_SKEW:
            way = "ahead of" if ahead > 0 else "behind"
            log.warning(
                "this machine's clock is %d s %s the database's; game clocks use the database's. "
                "Synchronize the machines' clocks (NTP).",
                round(abs(ahead) / MS),
                way,
            )
        self._ahead, self._is_measured = ahead, True


class Clocks:
    """How much time each seat has left, and whose clock is running.

    A seat's clock runs while it is that seat's turn, from its second turn on, so that new players have time
    to look around.  A turn lasts until another seat is to move.
    """

    def __init__(self, rule: ClockRule, seats: int) -> None:
        self.rule = rule
        self.left = [rule.seconds * MS] * (seats + 1)  # milliseconds, by seat; index 0 is unused
        self.running = 0  # the seat whose clock is running
        self._begun = [False] * (seats + 1)  # seats that have played a whole turn
        self._mover = 0  # the last seat to move
        self._credited = 0  # increments were given up to this ply; a redone move gives none

    @property
    def remaining(self) -> int:
        """The milliseconds left on the running clock; 0 if none is running."""
        return self.left[self.running] if self.running else 0

    def take(self, spent: int) -> None:
        """Subtract the time that an entry took from the running clock."""
        if self.running:
            self.left[self.running] = max(0, self.left[self.running] - spent)

    def move(self, seat: int, ply: int, asked: int) -> None:
        """Record that a seat has played up to a ply, and which seat is to move now (0: none)."""
        handed_on = asked != seat
        if ply > self._credited:
            self._credited = ply
            if self.rule.kind != "fischer":
                self.left[seat] = self.rule.seconds * MS
            elif handed_on and self._begun[seat]:
                self.left[seat] += self.rule.increment * MS
        if handed_on:
            self._begun[seat] = True

    def go_back(self, ply: int) -> None:
        """Go back to a ply after an agreed takeback: increments are given again from there."""
        self._credited = min(self._credited, ply)

    def point(self, seat: int) -> None:
        """Start a seat's clock, except in its first turn; 0 stops all clocks."""
        if seat != self._mover and seat and self.rule.kind != "fischer":
            self.left[seat] = self.rule.seconds * MS
        self._mover = seat or self._mover
        self.running = seat if seat and self._begun[seat] else 0
