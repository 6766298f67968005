"""Follow the clocks of one table, from its log alone.

Each log entry records how much time it took off the running clock.  The running clock's deadline is stored
separately (`MoveLog.set_clock`), so no player loses time while no server is running.
"""

from __future__ import annotations

import time

from bartizan.tables.agreement import ClockRule

MS = 1000


class Timekeeper:
    """Tell the time in milliseconds since 1970, never backwards, whatever is done to the machine's clock."""

    def __init__(self) -> None:
        self._begun = time.time() - time.monotonic()

    def now(self) -> int:
        """Return the time."""
        return int((self._begun + time.monotonic()) * MS)


class Clocks:
    """How much time each seat has left, and whose time runs.

    A seat's clock runs while it is that seat's turn, from its second turn on, so that new players have time
    to look around.  A turn lasts until another seat is to move.
    """

    def __init__(self, rule: ClockRule, seats: int) -> None:
        self.rule = rule
        self.left = [rule.seconds * MS] * (seats + 1)  # milliseconds, by seat; index 0 is unused
        self.running = 0  # the seat whose time runs
        self._begun = [False] * (seats + 1)  # who has played a whole turn
        self._mover = 0  # who was asked last
        self._credited = 0  # up to this ply increments have been given: undone and played again gives none

    @property
    def remaining(self) -> int:
        """The milliseconds that the running clock has; 0 where none runs."""
        return self.left[self.running] if self.running else 0

    def take(self, spent: int) -> None:
        """Take what an entry spent from the running clock."""
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
        """Handle an agreed takeback to a ply: increments are given again from there."""
        self._credited = min(self._credited, ply)

    def point(self, seat: int) -> None:
        """Start a seat's clock, except in its first turn; with 0 stop all clocks."""
        if seat != self._mover and seat and self.rule.kind != "fischer":
            self.left[seat] = self.rule.seconds * MS
        self._mover = seat or self._mover
        self.running = seat if seat and self._begun[seat] else 0
