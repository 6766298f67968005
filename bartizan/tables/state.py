"""Make a table's log into the game as it stands.

Nothing here knows of sockets or of the disk: the same entries give the same
state in any process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from bartizan.engine.errors import BartizanError, NothingToUndo, UnknownOption
from bartizan.engine.layout import Flown
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Scene, Setting
from bartizan.engine.settlement import Settlement
from bartizan.tables import agreement
from bartizan.tables.clock import Clocks
from bartizan.tables.errors import NotAllowed, NotDealt, StorageError
from bartizan.tables.exchange import EXCHANGE, Exchange
from bartizan.tables.messages import Answer, Fair, Favour, Opened, Petition, Rematch, Series, Sync
from bartizan.tables.provider import PERSON, GameProvider, Playable, usual_program
from bartizan.tables.replay import common_length
from bartizan.tables.store import Entry, Kind, TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove

LEAVES_THE_GAME: frozenset[Kind] = frozenset(  # as it is
    {"hint", "offer", "decline", "rematch", "ask", "refuse", "commit", "share", "close", "told"}
)
# What happens beside the game: no clock begins to run by it.
BESIDE: frozenset[Kind] = frozenset({"commit", "share", "close", "deal", "told"})
FAVOURS: tuple[Favour, ...] = ("takeback", "adjourn")
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

    def __init__(
        self,
        row: TableRow,
        match: Playable | None,
        deal: Callable[[str], Playable] | None = None,
        setting: Setting | None = None,
    ) -> None:
        """Begin with a game that is dealt, or with how to deal one from a seed that is yet to be made."""
        self.row = row
        self.exchange = Exchange(row)
        self._match = match
        self._deal = deal
        self._setting = setting
        self.was_just_dealt = False  # by the entry that came last
        self.is_told = False  # whether the seed is out: then nothing is undone any more
        self.version = 0  # entries taken in
        self.changed_at = 0  # the last version that changed the game
        self.acknowledged: dict[tuple[int, str], int] = {}  # (seat, message id) -> the version that it made
        self.hints = [0] * (row.seats + 1)
        self.undos = [0] * (row.seats + 1)
        self.resigned: list[int] = []
        self.draw_offer = 0  # the seat whose offer stands
        self.offer_plies = [-1] * (row.seats + 1)  # by seat: the game's ply at which it offered last
        self.settlement: Settlement | None = None  # how two players, or their clocks, ended the game
        self.flagged: list[int] = []  # seats whose time ran out
        rule = row.agreement.clock
        self.clocks = Clocks(rule, row.seats) if rule else None
        self.adjourned = False
        self.petition: Petition | None = None  # what a seat asks for
        self.answer: Answer | None = None  # how the last offer or petition was answered
        self._target = 0  # the ply that the petition would go back to
        self._refused: dict[tuple[int, Favour], int] = {}  # by seat: the ply at which it was refused
        self.stood_in: set[int] = set()  # seats that a program plays until their people are back
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

        def deal(seed: str) -> Playable:
            return games.match(row.game, row.options, row.seats, seed)

        exchange = Exchange(row)
        if exchange.is_dealt:
            state = cls(row, deal(exchange.seed))
        else:  # what stays the same is seen at any deal
            state = cls(row, None, deal, games.match(row.game, row.options, row.seats, None).setting)
        for entry in entries:
            state.apply(entry)
        return state

    @property
    def match(self) -> Playable:
        """The game; raises `NotDealt` before it is dealt."""
        if self._match is None:
            raise NotDealt(self.exchange.sentence())
        return self._match

    @property
    def is_dealt(self) -> bool:
        """Whether the cards are dealt."""
        return self._match is not None

    @property
    def setting(self) -> Setting:
        """What stays the same through the whole table."""
        return self._setting or self.match.setting

    def make_deal(self) -> Playable:
        """Deal the game from what was given; this may take a moment, so it is not for the loop."""
        if self._deal is None:
            raise NotDealt("There is nothing to deal.")
        return self._deal(self.exchange.seed)

    def apply(self, entry: Entry, move: CheckedMove | None = None, dealt: Playable | None = None) -> None:
        """Take in the next entry; raises `StorageError` if it cannot have happened.

        `move` is what a move's entry says, where that was read and checked already; `dealt` is what a deal's
        entry leads to, where it was made already.
        """
        try:
            self._apply(entry, move, dealt)
        except BartizanError as error:
            raise StorageError(
                f"The log of table {self.row.table} breaks at entry {self.version + 1}: {error}"
            ) from error

    def _apply(self, entry: Entry, move: CheckedMove | None, dealt: Playable | None) -> None:
        seat = entry.seat
        if self.clocks:
            self.clocks.take(entry.spent)
        self.was_just_dealt = entry.kind == "deal"
        if entry.kind in EXCHANGE:
            self.exchange.apply(entry)
            if entry.kind == "deal":
                self._match = dealt or self.make_deal()
        elif entry.kind == "told":
            self.is_told = True
        elif entry.kind == "move":
            self._play(move or self._read(entry), seat)
        elif entry.kind in ("undo", "redo"):
            self._go(entry)
        elif entry.kind == "hint":
            self.hints[seat] += 1
        elif entry.kind == "offer":
            self.draw_offer, self.offer_plies[seat] = seat, self.match.ply
        elif entry.kind in ("agree", "decline"):
            self._answer_draw(seat, agreed=entry.kind == "agree")
        elif entry.kind == "rematch":
            self.rematch = Rematch(
                asked=tuple(sorted({*self.rematch.asked, seat})),
                table=entry.text,
                seats=next_seats(self.row.seats) if entry.text else (),
            )
        elif entry.kind in ("resign", "flag"):
            self._lose(seat, by_clock=entry.kind == "flag")
        else:
            self._arrange(entry)
        self.version += 1
        if entry.kind not in LEAVES_THE_GAME:
            self.changed_at = self.version
        if entry.id:
            self.acknowledged[seat, entry.id] = self.version
        self._places.append((len(self._lines) - 1, self.match.ply if self.is_dealt else 0))
        if self.clocks and entry.kind not in BESIDE:
            asked = self.seat_to_move
            runs = asked and self.players[asked] == PERSON and not self.adjourned
            self.clocks.point(asked if runs else 0)

    def _arrange(self, entry: Entry) -> None:
        """Take in what people agree upon besides the moves, and what becomes of who is away."""
        seat = entry.seat
        if entry.kind == "ask":
            self.petition, self._target = (
                Petition(what=favour(entry.text), seat=seat),
                self.takeback_ply(seat),
            )
        elif entry.kind in ("grant", "refuse") and self.petition:
            self._answer_petition(self.petition, seat, granted=entry.kind == "grant")
        elif entry.kind == "adjourn":
            self.petition, self.adjourned = None, True
        elif entry.kind == "resume":
            self.adjourned = False
        elif entry.kind == "claim" and entry.text.isdecimal():
            left = int(entry.text)
            self.players[left] = usual_program(self.match.game.players())
            self.stood_in.add(left)
        elif entry.kind == "return":
            self.players[seat] = PERSON
            self.stood_in.discard(seat)

    def _answer_petition(self, petition: Petition, seat: int, *, granted: bool) -> None:
        if granted:
            petition = msgspec.structs.replace(petition, agreed=tuple(sorted({*petition.agreed, seat})))
            if not self.others_asked(petition.seat) <= {*petition.agreed}:
                self.petition = petition
                return
            if petition.what == "adjourn":
                self.adjourned = True
            else:
                self.match.go_to(self._target)
                if self.clocks:
                    self.clocks.go_back(self._target)
        elif seat != petition.seat:
            self._refused[petition.seat, petition.what] = self.match.ply
        self.petition = None
        if seat != petition.seat:
            self.answer = Answer(
                version=self.version + 1, what=petition.what, seat=petition.seat, by=seat, granted=granted
            )

    def _answer_draw(self, seat: int, *, agreed: bool) -> None:
        self.answer = Answer(
            version=self.version + 1, what="draw", seat=self.draw_offer, by=seat, granted=agreed
        )
        self.draw_offer = 0
        if agreed:
            self.settlement = Settlement(reason="agreement")

    def _go(self, entry: Entry) -> None:
        """Take moves back, or play them again: one, or up to the ply that the entry names."""
        match = self.match
        self.petition = None
        if entry.text:
            match.go_to(int(entry.text) if entry.text.isdecimal() else -1)
        elif entry.kind == "undo":
            match.undo()
        else:
            match.redo()
        if entry.kind == "undo":
            self.undos[entry.seat] += 1

    def _read(self, entry: Entry) -> CheckedMove:
        move = self.match.check(entry.text)
        return self.match.check_flown(move, read_flown(entry.throw)) if entry.throw else move

    def _play(self, move: CheckedMove, seat: int) -> None:
        self.match.push(move)
        self.petition = None
        if seat != self.draw_offer:
            self.draw_offer = 0  # who plays on has declined
        if self.clocks:
            self.clocks.move(seat, self.match.ply, self.match.seat_to_move)
        if move.ply < len(self.line):  # what was taken back is left behind, except for looking back
            self.line = self.line[: move.ply]
            self._lines.append(self.line)
        self.line.append(move)

    def _lose(self, seat: int, *, by_clock: bool) -> None:
        """Take in that somebody gives up or is out of time: between two that ends the game.

        With more than two seats a program takes over; where none can, who is out of time loses to all others.
        """
        (self.flagged if by_clock else self.resigned).append(seat)
        self.draw_offer, self.petition = 0, None
        if self.row.seats == 2 or (by_clock and self.why_no_heir):
            self.settlement = Settlement(reason="time" if by_clock else "resignation", loser=seat)
        else:
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
        return self.is_dealt and (self.match.is_over or self.is_settled)

    @property
    def is_settled(self) -> bool:
        """Whether players or their clocks ended the game, not its rules."""
        return self.settlement is not None

    @property
    def outcome(self) -> Outcome | None:
        """What the game came to; None while it runs."""
        return self.settlement.outcome(self.row.seats) if self.settlement else self.match.outcome

    @property
    def seat_to_move(self) -> int:
        """Whose decision it is; 0 when the game is over."""
        return 0 if self.is_over or not self.is_dealt else self.match.seat_to_move

    @property
    def program_to_move(self) -> str:
        """The program whose decision it is, or ``""``."""
        seat = self.seat_to_move
        return "" if not seat or self.adjourned or self.players[seat] == PERSON else self.players[seat]

    @property
    def is_free(self) -> bool:
        """Whether any person here may take back any move: a single player, and who stand at a real table.

        What was told of a real table may have been wrong, and all can see what is right.
        """
        return self.row.seats == 1 or self.match.setting.real_table

    def undo_ply(self, seat: int) -> int:
        """Return the ply that an undo of a seat goes back to.

        Within its own turn a seat takes back its moves one by one; where others cannot move it is asked again
        after its draw, and that card it may not put back.  Against programs alone it goes back to its own
        last move.  Where it is free to take back any, it does.  Raises `NothingToUndo`, which says why not.
        """
        ply, match = self.match.ply, self.match
        if not seat or self.players[seat] != PERSON:
            raise NothingToUndo("Only who plays here takes moves back.")
        if not ply:
            raise NothingToUndo("Nothing has been played yet.")
        if self.is_settled:
            raise NothingToUndo("The game is over.")
        if self.adjourned:
            raise NothingToUndo("The game is adjourned.")
        if self.is_free:
            if match.is_over and self.is_told:
                raise NothingToUndo("The game is over, and its seed is known: nothing is undone after that.")
            return ply - 1
        own = match.seat_to_move == seat and self.line[ply - 1].seat == seat
        if not own and self.others_asked(seat):
            raise NothingToUndo(
                "Others may have moved since, so only they can grant it: ask them for a takeback."
                if self.takeback_ply(seat) >= 0
                else "You have not moved yet."
            )
        if match.is_over:
            raise NothingToUndo("The game is over.")
        if match.seat_to_move != seat:
            raise NothingToUndo("Wait for the program's move: then both can be taken back.")
        target = ply - 1 if own else self.takeback_ply(seat)
        if target < 0:
            raise NothingToUndo("You have not moved yet.")
        if any(move.flown is not None for move in self.line[target:ply]):
            raise NothingToUndo("A card that was thrown is not thrown again.")
        if match.revealed_since(seat, target):
            raise NothingToUndo(
                "Your move showed you something new, so it stands."
                if own
                else "What was played since showed you something new, so your move stands."
            )
        return target

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take a move back."""
        return self.undo_or_why(seat)[0] >= 0

    def undo_or_why(self, seat: int) -> tuple[int, str]:
        """Return the ply that an undo goes back to and an empty text, or -1 and why it is not possible."""
        try:
            return self.undo_ply(seat), ""
        except NothingToUndo as error:
            return -1, str(error)

    def redo_ply(self, seat: int) -> int:
        """Return the ply to which a seat may play again what it took back; -1 where it may not.

        Against programs alone that is where it is asked again: they do not think anew.
        """
        ply, last = self.match.ply, self.match.last_ply
        if not seat or ply == last or self.players[seat] != PERSON or self.is_settled or self.adjourned:
            return -1
        if self.is_free:
            return ply + 1
        if self.match.seat_to_move != seat:
            return -1
        if self.others_asked(seat):
            return ply + 1
        own = (at for at in range(ply + 1, last) if self.line[at].seat == seat)
        return next(own, last)

    def can_redo(self, seat: int) -> bool:
        """Whether a seat may play again what it took back."""
        return self.redo_ply(seat) >= 0

    def takeback_ply(self, seat: int) -> int:
        """Return the ply before the last decision of a seat; -1 where it has taken none."""
        return next((at for at in range(self.match.ply - 1, -1, -1) if self.line[at].seat == seat), -1)

    def others_asked(self, seat: int) -> set[int]:
        """Return the seats of the other persons, whom a favour is asked of."""
        return {
            each for each in range(1, self.row.seats + 1) if each != seat and self.players[each] == PERSON
        }

    def why_no_favour(self, seat: int, what: Favour) -> str:
        """Say why a seat may not ask for something now, or an empty text where it may."""
        if self.is_over:
            return "The game is over."
        if self.adjourned:
            return "The game is adjourned already."
        if self.petition:
            return "Something is asked for already: it wants an answer first."
        if not self.others_asked(seat):
            return "There is nobody to ask: programs mind nothing."
        if self._refused.get((seat, what)) == self.match.ply:
            return "That was declined; play on before you ask again."
        if what == "takeback":
            target = self.takeback_ply(seat)
            if target < 0:
                return "You have not moved yet."
            if any(move.flown is not None for move in self.line[target : self.match.ply]):
                return "A card that was thrown is not thrown again."
        return ""

    def can_ask(self, seat: int) -> tuple[Favour, ...]:
        """Return for what a seat may ask the other persons now."""
        if not seat or self.players[seat] != PERSON:
            return ()
        return tuple(what for what in FAVOURS if not self.why_no_favour(seat, what))

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
            and self.players[1:] == [PERSON, PERSON]
            and not self.is_over
            and not self.adjourned
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
        return Opened(
            table=self.row.table,
            setting=self.setting,
            seed_hash=self.seed_hash,
            agreement=agreement.USUAL if self.row.agreement == agreement.USUAL else self.row.agreement,
        )

    @property
    def seed_hash(self) -> str:
        """What is published of the deal: the commitment to it; at older tables the hash of the seed."""
        return self.exchange.commitment or self.match.seed_hash

    def scene(self, seat: int) -> Scene:
        """Draw the table for a seat, or for spectators (0)."""
        person = seat > 0 and self.players[seat] == PERSON
        scene = self.match.scene(seat, choices=person and not self.is_settled and not self.adjourned)
        if self.settlement:
            return self.settlement.shown(scene, self.match.setting.seat_names)
        if self.adjourned and not self.is_over:
            status = msgspec.structs.replace(scene.status, prompt="The game is adjourned.")
            return msgspec.structs.replace(scene, status=status)
        return scene

    def series(self) -> Series | None:
        """Return how a series stands; None where one game has no fellow."""
        terms, seats = self.row.agreement, self.row.seats
        if seats == 1 or (terms.best_of == 1 and not terms.series and not self.is_over):
            return None
        points = agreement.standing(terms, self.outcome, seats)
        return Series(
            best_of=terms.best_of,
            game=terms.game,
            points=points,
            decided=agreement.is_decided(terms, points, over=self.is_over),
        )

    def news(self, seat: int) -> Sync | Fair:
        """Return all that a seat is told of the table as it stands; before the deal, what it waits for."""
        fair = None if self.is_dealt else self.exchange.told(self.version, seat)
        return fair or self.sync(seat)

    def sync(self, seat: int) -> Sync:
        """Return all that a seat is told of the table as it stands."""
        undo, why_no_undo = self.undo_or_why(seat)
        return Sync(
            version=self.version,
            scene=self.scene(seat),
            can_undo=undo >= 0,
            can_redo=self.can_redo(seat),
            hints_used=self.hints[seat] if seat else sum(self.hints),
            undos_used=self.undos[seat] if seat else sum(self.undos),
            players=tuple(self.players[1:]),
            can_resign=self.can_resign(seat),
            can_offer_draw=self.can_offer_draw(seat),
            draw_offer=self.draw_offer,
            can_rematch=self.can_rematch(seat),
            rematch=self.rematch,
            why_no_undo=why_no_undo if seat and self.match.ply else "",
            can_ask=self.can_ask(seat),
            petition=self.petition,
            answer=self.answer,
            adjourned=self.adjourned and not self.is_over,
            can_return=seat in self.stood_in and not self.is_over,
            series=self.series(),
        )


def favour(text: str) -> Favour:
    """Return what a log says was asked for; raises `NotAllowed` for what nobody can ask."""
    for what in FAVOURS:
        if what == text:
            return what
    raise NotAllowed(f"Nobody can ask for {text!r}.")


def next_seats(seats: int) -> tuple[int, ...]:
    """Return the seat that each seat's player takes in the next game: everybody moves up one."""
    return tuple(seat % seats + 1 for seat in range(1, seats + 1))
