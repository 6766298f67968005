"""Fold a table's log into the game as it stands.

Nothing here knows of sockets or of the disk: the same entries give the same
fold in any process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.scene import Result, Scene
from bartizan.server.schema import Rematch, Sync
from bartizan.tables.errors import NotAllowed, StorageError
from bartizan.tables.provider import PERSON, GameProvider, Playable, Program
from bartizan.tables.store import Entry, Kind, TableRow

ASIDE: tuple[Kind, ...] = ("hint", "offer", "decline", "rematch")  # they leave the game as it is
LONGEST_LOG = 20_000  # entries; a table's memory is bounded


class TableState:
    """One table after some entries of its log."""

    def __init__(self, row: TableRow, match: Playable) -> None:
        self.row = row
        self.match = match
        self.ply = 0  # entries folded in
        self.changed = 0  # the last ply that changed the game
        self.acknowledged: dict[tuple[int, str], int] = {}  # (seat, message id) -> its ply
        self.hints = [0] * (row.seats + 1)
        self.undos = [0] * (row.seats + 1)
        self.resigned: list[int] = []
        self.draw_offer = 0  # the seat whose offer stands
        self.offered = [-1] * (row.seats + 1)  # by seat: the match's ply at which it offered last
        self.agreed = False  # upon a draw
        self.rematch = Rematch()
        self.players = [
            PERSON,
            *row.players,
        ]  # by seat; who resigns where others play on leaves the seat to a program
        self.line: list[str] = []  # the moves, those taken back at its end included
        self.movers: list[int] = []  # whose they were
        # For looking back: every line there was, and at each ply of the table which one and how far.
        self._lines: list[list[str]] = [self.line]
        self._stops: list[tuple[int, int]] = [(0, 0)]

    @classmethod
    def begin(cls, host: GameProvider, row: TableRow, entries: Iterable[Entry]) -> TableState:
        """Fold a whole log; raises `StorageError` where today's rules do not allow what it says."""
        version = host.game(row.game).rules_version
        if version != row.rules:
            raise StorageError(
                f"This table was begun under version {row.rules} of the rules; here is version {version}."
            )
        state = cls(row, host.match(row.game, row.options, row.seats, row.seed))
        for entry in entries:
            state.apply(entry)
        return state

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
            if seat != self.draw_offer:
                self.draw_offer = 0  # who plays on has declined
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
        elif entry.kind == "offer":
            self.draw_offer, self.offered[seat] = seat, match.ply
        elif entry.kind in ("agree", "decline"):
            self.draw_offer, self.agreed = 0, entry.kind == "agree"
        elif entry.kind == "rematch":
            self.rematch = Rematch(
                asked=tuple(sorted({*self.rematch.asked, seat})),
                table=entry.text,
                seats=next_seats(self.row.seats) if entry.text else (),
            )
        else:
            self.resigned.append(seat)
            self.draw_offer = 0
            if not self.settled:
                programs = match.game.players()
                self.players[seat] = "greedy" if "greedy" in programs else programs[0]
        self.ply += 1
        if entry.kind not in ASIDE:
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

    def plies_of_line(self) -> tuple[int, ...]:
        """Return the table's last ply at which each number of the present line's moves had been played."""
        line, count = self.stop(self.ply)
        shared = [_common(line, other) for other in self._lines]
        plies = [0] * (count + 1)
        for ply, (number, played) in enumerate(self._stops):
            if played <= min(shared[number], count):
                plies[played] = ply
        return tuple(plies)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by its players."""
        return self.match.is_over or self.settled

    @property
    def settled(self) -> bool:
        """Whether two players ended the game, by a resignation or a draw.

        With more than two seats a program takes over from who resigns.
        """
        return self.agreed or (bool(self.resigned) and self.row.seats == 2)

    def agreed_scores(self) -> tuple[float, ...] | None:
        """Return what a game that its players ended is worth to each seat; None where the rules decide."""
        if not self.settled:
            return None
        if self.agreed:
            return (0.0, 0.0)
        return (-1.0, 1.0) if self.resigned[0] == 1 else (1.0, -1.0)

    @property
    def seat_to_move(self) -> int:
        """Whose decision it is; 0 when the game is over."""
        return 0 if self.is_over else self.match.seat_to_move

    @property
    def program_to_move(self) -> str:
        """The program whose decision it is, or ``""``."""
        seat = self.seat_to_move
        return "" if not seat or self.players[seat] == PERSON else self.players[seat]

    @cached_property
    def is_free(self) -> bool:
        """Whether any person here may take back any move: a single player, and who stand at a real table.

        What was told of a real table may have been wrong, and all can see what is right.
        """
        return self.row.seats == 1 or self.match.scene(0, choices=False).standing

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take a move back: within its own turn, where it is not free to take back any.

        Where others cannot move a seat is asked again after its draw; that card it may not put back.
        """
        at = self.match.ply
        if not seat or not at or self.players[seat] != PERSON or self.settled:
            return False
        if self.is_free:
            return True
        return (
            self.match.seat_to_move == seat
            and self.movers[at - 1] == seat
            and not self.match.revealed_information()
        )

    def can_redo(self, seat: int) -> bool:
        """Whether a seat may play again what it took back."""
        if not seat or self.match.ply == self.match.last_ply or self.players[seat] != PERSON or self.settled:
            return False
        return self.is_free or self.match.seat_to_move == seat

    def can_resign(self, seat: int) -> bool:
        """Whether a seat may give the game up: not a single player, who has nobody to resign to."""
        return seat > 0 and self.row.seats > 1 and self.players[seat] == PERSON and not self.is_over

    def can_offer_draw(self, seat: int) -> bool:
        """Whether a seat may offer a draw: to a person, at a table of two, once between moves."""
        return (
            seat > 0
            and self.row.players == (PERSON, PERSON)
            and not self.is_over
            and not self.draw_offer
            and self.offered[seat] != self.match.ply
        )

    def can_rematch(self, seat: int) -> bool:
        """Whether a seat may ask for another game; for a game of one there is the next deal."""
        return (
            seat > 0
            and self.row.seats > 1
            and self.row.players[seat - 1] == PERSON
            and self.is_over
            and not self.rematch.table
            and seat not in self.rematch.asked
        )

    def all_want_rematch(self, seat: int) -> bool:
        """Whether every person at the table wants another game once this seat asks too."""
        persons = {at for at, player in enumerate(self.row.players, start=1) if player == PERSON}
        return persons <= {*self.rematch.asked, seat}

    def check_room(self) -> None:
        """Raise `NotAllowed` when the log is as long as logs may be."""
        if self.ply >= LONGEST_LOG:
            raise NotAllowed(f"This table's log is full: it holds {LONGEST_LOG} entries.")

    def scene(self, seat: int) -> Scene:
        """Draw the table for a seat, or for spectators (0)."""
        person = seat > 0 and self.players[seat] == PERSON
        return self.dress(self.match.scene(seat, choices=person and not self.settled))

    def dress(self, scene: Scene) -> Scene:
        """Show a game that its players ended as ended."""
        scores = self.agreed_scores()
        if scores is None:
            return scene
        if self.agreed:
            result = Result(
                winner="draw", headline="A draw.", text="Both players agreed to it.", scores=scores
            )
        else:
            loser = self.resigned[0]
            winner, names = 3 - loser, [livery.name for livery in scene.theme.liveries]
            result = Result(
                winner=str(winner),
                headline=f"{name_of(names, loser)} resigns.",
                text=f"{name_of(names, winner)} wins.",
                scores=scores,
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
            players=tuple(self.players[1:]),
            can_resign=self.can_resign(seat),
            can_offer_draw=self.can_offer_draw(seat),
            draw_offer=self.draw_offer,
            can_rematch=self.can_rematch(seat),
            rematch=self.rematch,
        )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the moves with which two lines begin alike."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def name_of(names: Sequence[str], seat: int) -> str:
    """Return what a seat is called: the game's own name for it where it has one."""
    return names[seat - 1] if len(names) >= seat else f"Seat {seat}"


def next_seats(seats: int) -> tuple[int, ...]:
    """Return the seat that each seat's player takes in the next game: everybody moves up one."""
    return tuple(seat % seats + 1 for seat in range(1, seats + 1))


class Follower:
    """A game of its own that goes where it is told, for looking back and for thinking off the loop.

    It keeps the programs that played on it, which go on from what they thought.  Not for several
    threads at once.
    """

    def __init__(self, host: GameProvider, row: TableRow) -> None:
        self._host = host
        self._match = host.match(row.game, row.options, row.seats, row.seed)
        self._line: list[str] = []
        self._programs: dict[tuple[int, str], Program] = {}  # by seat and name

    def choose(self, line: list[str], count: int, name: str) -> str:
        """Return the move that the program of this name makes after the first `count` moves of a line."""
        match = self.follow(line, count)
        sitting = match.seat_to_move, name
        if sitting not in self._programs:
            self._programs[sitting] = self._host.player(match.game.name, name)
        return match.text(self._programs[sitting].choose(match))

    def follow(self, line: list[str], count: int) -> Playable:
        """Return the game after the first `count` moves of a line."""
        match = self._match
        if self._line[:count] != line[:count]:
            same = _common(self._line, line)
            match.go_to(same)
            self._line = self._line[:same]
            for text in line[same:]:
                match.play(text)
                self._line.append(text)
        match.go_to(count)
        return match
