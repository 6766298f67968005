"""Make a table's log into the game as it stands.

Nothing here knows of sockets or of the disk: the same entries give the same
state in any process.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from bartizan.engine.errors import BartizanError, UnknownOption
from bartizan.engine.layout import Flown
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Result, Scene
from bartizan.tables.errors import NotAllowed, StorageError
from bartizan.tables.messages import Opened, Rematch, Sync
from bartizan.tables.provider import PERSON, GameProvider, Playable, usual_program
from bartizan.tables.replay import common_length
from bartizan.tables.store import Entry, Kind, TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove

LEAVES_THE_GAME: frozenset[Kind] = frozenset({"hint", "offer", "decline", "rematch"})  # as it is
LONGEST_LOG = 20_000  # entries; a table's memory is bounded


def entry_of(move: CheckedMove, seat: int, id_: str = "") -> Entry:
    """Return the log's entry for a move that was checked; a throw at the table with what was seen of it."""
    throw = msgspec.json.encode(move.flown) if move.flown is not None else b""
    return Entry("move", seat, move.text, id_, throw)


def read_flown(throw: bytes) -> Flown:
    """Return what was seen of a throw; raises `StorageError` where the log holds something else."""
    try:
        return msgspec.json.decode(throw, type=Flown)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise StorageError(f"A throw in it cannot be read: {error}.") from error


class TableState:
    """One table after some entries of its log."""

    def __init__(self, row: TableRow, match: Playable) -> None:
        self.row = row
        self.match = match
        self.version = 0  # entries taken in
        self.changed_at = 0  # the last version that changed the game
        self.acknowledged: dict[tuple[int, str], int] = {}  # (seat, message id) -> the version that it made
        self.hints = [0] * (row.seats + 1)
        self.undos = [0] * (row.seats + 1)
        self.resigned: list[int] = []
        self.draw_offer = 0  # the seat whose offer stands
        self.offer_plies = [-1] * (row.seats + 1)  # by seat: the game's ply at which it offered last
        self.drawn = False  # by agreement
        self.rematch = Rematch()
        # By seat; who resigns where others play on leaves the seat to a program.
        self.players = [PERSON, *row.players]
        self.line: list[CheckedMove] = []  # the moves, those taken back at its end included
        # For looking back: every line there was, and for each version which one it was on and how far.
        self._lines: list[list[CheckedMove]] = [self.line]
        self._places: list[tuple[int, int]] = [(0, 0)]

    @classmethod
    def begin(cls, games: GameProvider, row: TableRow, entries: Iterable[Entry]) -> TableState:
        """Take in a whole log; raises `StorageError` where today's rules do not allow what it says."""
        rules = games.game(row.game).rules_version
        if rules != row.rules:
            raise StorageError(
                f"This table was begun under version {row.rules} of the rules; here is version {rules}."
            )
        state = cls(row, games.match(row.game, row.options, row.seats, row.seed))
        for entry in entries:
            state.apply(entry)
        return state

    def apply(self, entry: Entry, move: CheckedMove | None = None) -> None:
        """Take in the next entry; raises `StorageError` if it cannot have happened.

        `move` is what a move's entry says, where that was read and checked already.
        """
        try:
            self._apply(entry, move)
        except BartizanError as error:
            raise StorageError(
                f"The log of table {self.row.table} breaks at entry {self.version + 1}: {error}"
            ) from error

    def _apply(self, entry: Entry, move: CheckedMove | None) -> None:
        match, seat = self.match, entry.seat
        if entry.kind == "move":
            self._play(move or self._read(entry), seat)
        elif entry.kind == "undo":
            match.undo()
            self.undos[seat] += 1
        elif entry.kind == "redo":
            match.redo()
        elif entry.kind == "hint":
            self.hints[seat] += 1
        elif entry.kind == "offer":
            self.draw_offer, self.offer_plies[seat] = seat, match.ply
        elif entry.kind in ("agree", "decline"):
            self.draw_offer, self.drawn = 0, entry.kind == "agree"
        elif entry.kind == "rematch":
            self.rematch = Rematch(
                asked=tuple(sorted({*self.rematch.asked, seat})),
                table=entry.text,
                seats=next_seats(self.row.seats) if entry.text else (),
            )
        else:
            self._resign(seat)
        self.version += 1
        if entry.kind not in LEAVES_THE_GAME:
            self.changed_at = self.version
        if entry.id:
            self.acknowledged[seat, entry.id] = self.version
        self._places.append((len(self._lines) - 1, match.ply))

    def _read(self, entry: Entry) -> CheckedMove:
        move = self.match.check(entry.text)
        return self.match.check_flown(move, read_flown(entry.throw)) if entry.throw else move

    def _play(self, move: CheckedMove, seat: int) -> None:
        self.match.push(move)
        if seat != self.draw_offer:
            self.draw_offer = 0  # who plays on has declined
        if move.ply < len(self.line):  # what was taken back is left behind, except for looking back
            self.line = self.line[: move.ply]
            self._lines.append(self.line)
        self.line.append(move)

    def _resign(self, seat: int) -> None:
        self.resigned.append(seat)
        self.draw_offer = 0
        if not self.is_settled:
            self.players[seat] = usual_program(self.match.game.players())

    def moves_at(self, version: int) -> list[CheckedMove]:
        """Return the moves that had been played, and not taken back, at a version of the table."""
        line, count = self._places[version]
        return self._lines[line][:count]

    def versions_of_line(self) -> tuple[int, ...]:
        """Return the last version at which each number of the present moves, from 0 on, had been played."""
        moves = self.moves_at(self.version)
        shared = [common_length(moves, line) for line in self._lines]
        versions = [0] * (len(moves) + 1)
        for version, (line, played) in enumerate(self._places):
            if played <= shared[line]:
                versions[played] = version
        return tuple(versions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by its players."""
        return self.match.is_over or self.is_settled

    @property
    def is_settled(self) -> bool:
        """Whether two players ended the game, by a resignation or a draw.

        With more than two seats a program takes over from who resigns.
        """
        return self.drawn or (bool(self.resigned) and self.row.seats == 2)

    def settlement(self) -> Outcome | None:
        """Return what two players ended the game with; None where the rules decide."""
        if not self.is_settled:
            return None
        if self.drawn:
            return Outcome(winners=(), returns=(0.0, 0.0))
        winner = 3 - self.resigned[0]
        return Outcome(winners=(winner,), returns=(1.0, -1.0) if winner == 1 else (-1.0, 1.0))

    @property
    def seat_to_move(self) -> int:
        """Whose decision it is; 0 when the game is over."""
        return 0 if self.is_over else self.match.seat_to_move

    @property
    def program_to_move(self) -> str:
        """The program whose decision it is, or ``""``."""
        seat = self.seat_to_move
        return "" if not seat or self.players[seat] == PERSON else self.players[seat]

    @property
    def is_free(self) -> bool:
        """Whether any person here may take back any move: a single player, and who stand at a real table.

        What was told of a real table may have been wrong, and all can see what is right.
        """
        return self.row.seats == 1 or self.match.setting.real_table

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take a move back: within its own turn, where it is not free to take back any.

        Where others cannot move a seat is asked again after its draw; that card it may not put back.
        """
        ply = self.match.ply
        if not seat or not ply or self.players[seat] != PERSON or self.is_settled:
            return False
        if self.is_free:
            return True
        return (
            self.match.seat_to_move == seat
            and self.line[ply - 1].seat == seat
            and self.line[ply - 1].flown is None  # a card that was thrown is not thrown again
            and not self.match.revealed_information()
        )

    def can_redo(self, seat: int) -> bool:
        """Whether a seat may play again what it took back."""
        if not seat or self.match.ply == self.match.last_ply:
            return False
        if self.players[seat] != PERSON or self.is_settled:
            return False
        return self.is_free or self.match.seat_to_move == seat

    @functools.cached_property
    def why_no_heir(self) -> str:
        """Why no program can take over a seat that a person leaves to it, or an empty text."""
        try:
            self.match.game.check_programs(self.row.options, self.row.seats)
        except UnknownOption as error:
            return str(error)
        return ""

    def can_resign(self, seat: int) -> bool:
        """Whether a seat may give the game up: not alone, nor where the others need somebody in it."""
        if self.row.seats == 1 or (self.row.seats > 2 and self.why_no_heir):
            return False
        return seat > 0 and self.players[seat] == PERSON and not self.is_over

    def can_offer_draw(self, seat: int) -> bool:
        """Whether a seat may offer a draw: to a person, at a table of two, once between moves."""
        return (
            seat > 0
            and self.row.players == (PERSON, PERSON)
            and not self.is_over
            and not self.draw_offer
            and self.offer_plies[seat] != self.match.ply
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
        persons = {each for each, player in enumerate(self.row.players, start=1) if player == PERSON}
        return persons <= {*self.rematch.asked, seat}

    def check_room(self) -> None:
        """Raise `NotAllowed` when the log is as long as logs may be."""
        if self.version >= LONGEST_LOG:
            raise NotAllowed(f"This table's log is full: it holds {LONGEST_LOG} entries.")

    def opened(self) -> Opened:
        """Return what stays the same through the whole table, and everybody may know."""
        return Opened(table=self.row.table, setting=self.match.setting, seed_hash=self.match.seed_hash)

    def scene(self, seat: int) -> Scene:
        """Draw the table for a seat, or for spectators (0)."""
        person = seat > 0 and self.players[seat] == PERSON
        scene = self.match.scene(seat, choices=person and not self.is_settled)
        outcome = self.settlement()
        return scene if outcome is None else self._settled(scene, outcome)

    def _settled(self, scene: Scene, outcome: Outcome) -> Scene:
        """Show a game that its players ended as ended."""
        if not outcome.winners:
            result = Result(outcome=outcome, headline="A draw.", text="Both players agreed to it.")
        else:
            names = self.match.setting.seat_names
            result = Result(
                outcome=outcome,
                headline=f"{names[self.resigned[0] - 1]} resigns.",
                text=f"{names[outcome.winners[0] - 1]} wins.",
            )
        status = msgspec.structs.replace(scene.status, seat=0, prompt="The game is over.")
        return msgspec.structs.replace(scene, result=result, status=status, choices=())

    def sync(self, seat: int) -> Sync:
        """Return all that a seat is told of the table as it stands."""
        return Sync(
            version=self.version,
            scene=self.scene(seat),
            can_undo=self.can_undo(seat),
            can_redo=self.can_redo(seat),
            hints_used=self.hints[seat] if seat else sum(self.hints),
            undos_used=self.undos[seat] if seat else sum(self.undos),
            players=tuple(self.players[1:]),
            can_resign=self.can_resign(seat),
            can_offer_draw=self.can_offer_draw(seat),
            draw_offer=self.draw_offer,
            can_rematch=self.can_rematch(seat),
            rematch=self.rematch,
        )


def next_seats(seats: int) -> tuple[int, ...]:
    """Return the seat that each seat's player takes in the next game: everybody moves up one."""
    return tuple(seat % seats + 1 for seat in range(1, seats + 1))
