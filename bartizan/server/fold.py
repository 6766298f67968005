"""Fold a table's log into the game as it stands.

Nothing here knows of sockets or of the disk: the same entries give the same
fold in any process.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.scene import Result, Scene
from bartizan.server.errors import NotAllowed, StorageError
from bartizan.server.host import PERSON, Host, Playable
from bartizan.server.movelog import Entry, TableRow
from bartizan.server.schema import Sync

LONGEST_LOG = 20_000  # entries; a table's memory is bounded


class Fold:
    """One table after some entries of its log."""

    def __init__(self, row: TableRow, match: Playable) -> None:
        self.row = row
        self.match = match
        self.ply = 0  # entries folded in
        self.changed = 0  # the last ply that changed the game: hints do not
        self.acknowledged: dict[tuple[int, str], int] = {}  # (seat, message id) -> its ply
        self.hints = [0] * (row.seats + 1)
        self.undos = [0] * (row.seats + 1)
        self.resigned: list[int] = []
        self.players = [PERSON, *row.players]  # by seat; who resigns leaves the seat to a program
        self.line: list[str] = []  # the moves, those taken back at its end included
        self.movers: list[int] = []  # whose they were
        # For looking back: every line there was, and at each ply of the table which one and how far.
        self._lines: list[list[str]] = [self.line]
        self._stops: list[tuple[int, int]] = [(0, 0)]

    @classmethod
    def begin(cls, host: Host, row: TableRow, entries: Iterable[Entry]) -> Fold:
        """Fold a whole log; raises `StorageError` where today's rules do not allow what it says."""
        version = host.game(row.game).rules_version
        if version != row.rules:
            raise StorageError(
                f"This table was begun under version {row.rules} of the rules; here is version {version}."
            )
        fold = cls(row, host.match(row.game, row.options, row.seats, row.seed))
        for entry in entries:
            fold.apply(entry)
        return fold

    def apply(self, entry: Entry) -> None:
        """Take in the next entry; raises `StorageError` if it cannot have happened."""
        try:
            self._apply(entry)
        except BartizanError as error:
            raise StorageError(
                f"The log of table {self.row.table} breaks at ply {self.ply + 1}: {error}"
            ) from error

    def _apply(self, entry: Entry) -> None:
        match, seat = self.match, entry.seat
        if entry.kind == "move":
            at = match.ply
            text = match.play(entry.text)
            if match.last_ply == match.ply:  # else it is what had been taken back, and more of that waits
                self._branch(at)
                self.line.append(text)
                self.movers.append(seat)
        elif entry.kind == "undo":
            match.undo()
            self.undos[seat] += 1
        elif entry.kind == "redo":
            match.redo()
        elif entry.kind == "hint":
            self.hints[seat] += 1
        else:
            self.resigned.append(seat)
            programs = match.game.players()
            self.players[seat] = "greedy" if "greedy" in programs else programs[0]
        self.ply += 1
        if entry.kind != "hint":
            self.changed = self.ply
        if entry.id:
            self.acknowledged[seat, entry.id] = self.ply
        self._stops.append((len(self._lines) - 1, match.ply))

    def _branch(self, at: int) -> None:
        """Leave the moves after `at` behind, except for looking back."""
        if at < len(self.line):
            self.line = self.line[:at]
            self._lines.append(self.line)
            del self.movers[at:]

    def stop(self, ply: int) -> tuple[list[str], int]:
        """Return the line of moves at a ply of the table, and how many of them had been played."""
        line, count = self._stops[ply]
        return list(self._lines[line]), count

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or because a seat of two resigned."""
        return self.match.is_over or self.gave_up

    @property
    def gave_up(self) -> bool:
        """Whether a resignation ended the game: with more than two seats a program takes over instead."""
        return bool(self.resigned) and self.row.seats == 2

    @property
    def seat_to_move(self) -> int:
        """Whose decision it is; 0 when the game is over."""
        return 0 if self.is_over else self.match.seat_to_move

    @property
    def program_to_move(self) -> str:
        """The program whose decision it is, or ``""``."""
        seat = self.seat_to_move
        return "" if not seat or self.players[seat] == PERSON else self.players[seat]

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take a move back: a single player any, others within their own turn."""
        at = self.match.ply
        if not seat or not at or self.players[seat] != PERSON or self.gave_up:
            return False
        return self.row.seats == 1 or (self.match.seat_to_move == seat and self.movers[at - 1] == seat)

    def can_redo(self, seat: int) -> bool:
        """Whether a seat may play again what it took back."""
        if not seat or self.match.ply == self.match.last_ply or self.players[seat] != PERSON or self.gave_up:
            return False
        return self.row.seats == 1 or self.match.seat_to_move == seat

    def check_room(self) -> None:
        """Raise `NotAllowed` when the log is as long as logs may be."""
        if self.ply >= LONGEST_LOG:
            raise NotAllowed(f"This table's log is full: it holds {LONGEST_LOG} entries.")

    def scene(self, seat: int) -> Scene:
        """Draw the table for a seat, or for spectators (0)."""
        person = seat > 0 and self.players[seat] == PERSON
        return self.dress(self.match.scene(seat, choices=person and not self.gave_up))

    def dress(self, scene: Scene) -> Scene:
        """Show a game that a resignation ended as ended."""
        if not self.gave_up:
            return scene
        loser = self.resigned[0]
        result = Result(
            winner=str(3 - loser), headline=f"Seat {loser} resigns.", text=f"Seat {3 - loser} wins."
        )
        status = msgspec.structs.replace(scene.status, seat=0, prompt="The game is over.")
        return msgspec.structs.replace(scene, result=result, status=status, choices=())

    def sync(self, seat: int) -> Sync:
        """Return all that a seat is told of the table."""
        return Sync(
            table=self.row.table,
            ply=self.ply,
            scene=self.scene(seat),
            can_undo=self.can_undo(seat),
            can_redo=self.can_redo(seat),
            seed_hash=self.match.seed_hash,
            hints_used=self.hints[seat] if seat else sum(self.hints),
            undos_used=self.undos[seat] if seat else sum(self.undos),
        )


class Follower:
    """A game of its own that goes where it is told, for looking back and for thinking off the loop.

    Not for several threads at once.
    """

    def __init__(self, host: Host, row: TableRow) -> None:
        self._match = host.match(row.game, row.options, row.seats, row.seed)
        self._line: list[str] = []

    def follow(self, line: list[str], count: int) -> Playable:
        """Return the game after the first `count` moves of a line."""
        match = self._match
        if self._line[:count] != line[:count]:
            same = next(
                (at for at, (a, b) in enumerate(zip(self._line, line, strict=False)) if a != b),
                min(len(self._line), len(line)),
            )
            match.go_to(same)
            self._line = self._line[:same]
            for text in line[same:]:
                match.play(text)
                self._line.append(text)
        match.go_to(count)
        return match
