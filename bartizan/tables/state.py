"""Hold a table's state after some entries of its log; `entries` says what each entry does.

Nothing here knows about sockets or the disk: the same entries give the same state in any process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from bartizan.engine.chain import CHAIN_PROTOCOL, CHECK_DIGITS, Chain, GameLog, first_head, written
from bartizan.engine.errors import BartizanError, UnknownOption
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Scene, Setting
from bartizan.engine.settlement import Settlement
from bartizan.tables import agreement
from bartizan.tables.clock import Clocks
from bartizan.tables.errors import NotAllowed, NotDealt, StorageError
from bartizan.tables.exchange import Exchange
from bartizan.tables.messages import News, Proposal, Rematch, Series
from bartizan.tables.provider import PERSON, GameProvider, usual_program
from bartizan.tables.replay import common_length
from bartizan.tables.store import TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove, Match

LONGEST_LOG = 20_000  # entries; this bounds a table's memory


class Applicable(Protocol):
    """An entry of the log, as the table's state sees it: see `bartizan.tables.entries`."""

    @property
    def id(self) -> str:
        """The client's message id, or an empty text."""

    @property
    def leaves_the_game(self) -> bool:
        """Whether the game doesn't change, so that requests made before remain valid."""

    @property
    def beside_the_game(self) -> bool:
        """Whether it starts no clock and isn't part of the record."""

    @property
    def kind(self) -> str:
        """The kind in its row."""

    def bound(self, state: TableState) -> str:
        """Return the text that the chain of hashes covers, once this is applied."""

    def apply(self, state: TableState, seat: int) -> None:
        """Change the state; raises `BartizanError` if this cannot have happened."""


class TableState:
    """One table after some entries of its log."""

    def __init__(
        self,
        row: TableRow,
        match: Match | None,
        deal: Callable[[str], Match] | None = None,
        setting: Setting | None = None,
    ) -> None:
        """Begin with a dealt game, or with what makes the deal from a seed that is yet to be made."""
        self.row = row
        self.exchange = Exchange(row)
        self._match = match
        self._deal = deal
        self._setting = setting
        self.was_just_dealt = False  # the time of the last entry
        self.is_told = False  # whether the seed is known, so that nothing can be undone any more
        self.version = 0  # number of entries
        self.link = 0  # of the last entry (tables/linking.py)
        self.changed_at = 0  # the last version that changed the game
        self.acknowledged: dict[tuple[int, str], int] = {}  # (seat, message id) -> the version of its entry
        self.hints = [0] * (row.seats + 1)
        self.undos = [0] * (row.seats + 1)
        self.resigned: list[int] = []
        self.draw_offer = 0  # the seat with an open draw offer
        self.offer_plies = [-1] * (row.seats + 1)  # by seat: the ply of its last offer
        self.settlement: Settlement | None = None  # how players, or their clocks, ended the game
        self.flagged: list[int] = []  # seats whose time ran out
        rule = row.agreement.clock
        self.clocks = Clocks(rule, row.seats) if rule else None
        self.adjourned = False
        self.proposal: Proposal | None = None  # an open proposal
        self.news: News | None = None  # what was last said since the game changed
        self.takeback_to = 0  # the ply that a takeback would return to
        self.refused: dict[tuple[int, str], int] = {}  # by seat: the ply at which it was refused
        self.stood_in: set[int] = set()  # seats that a program plays until their players are back
        self.plays_both = False  # whether a player has taken another's seat
        self.rematch = Rematch()
        self.here = {*row.agreement.here}  # seats that one person plays
        # Invitations by hash: the seat of each, and the reason for those that can't be used any more.
        self.invitations = {hashed.hex(): seat for hashed, seat in row.invitations}
        self.spent: dict[str, str] = {}
        self.browsers: dict[int, list[str]] = {}  # by seat: the browsers that have opened it, in order
        self.hints_agreed = False
        # By seat; a player who resigns while others play on leaves the seat to a program.
        self.players = [PERSON, *row.players]
        self._chain: Chain | None = None
        self.line: list[CheckedMove] = []  # the moves, including undone ones at the end
        # For earlier versions: every line there was, and for each version its line and its number of moves.
        self._lines: list[list[CheckedMove]] = [self.line]
        self._places: list[tuple[int, int]] = [(0, 0)]

    @classmethod
    def begin(cls, games: GameProvider, row: TableRow) -> TableState:
        """Return a table before its first entry; raises `StorageError` if the rules have changed since."""
        rules = games.game(row.game).rules_version
        if rules != row.rules:
            raise StorageError(
                f"This table was begun under version {row.rules} of the rules; this is version {rules}."
            )

        def deal(seed: str) -> Match:
            return games.match(row.game, row.options, row.seats, seed)

        exchange = Exchange(row)
        if exchange.is_dealt:
            return cls(row, deal(exchange.seed))
        # What stays the same doesn't depend on the deal.
        return cls(row, None, deal, games.match(row.game, row.options, row.seats, None).views.setting)

    @property
    def match(self) -> Match:
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
        return self._setting or self.match.views.setting

    def make_deal(self) -> Match:
        """Make the deal from what was given; this may take a moment, so do it off the loop."""
        if self._deal is None:
            raise NotDealt("There is nothing to deal.")
        return self._deal(self.exchange.seed)

    def deal(self, match: Match) -> None:
        """Set the game, once it is dealt."""
        self.exchange.finish()
        self._match, self.was_just_dealt = match, True

    def take_in(self, entry: Applicable, seat: int, spent: int = 0) -> None:
        """Apply the next entry and its time on the running clock.

        Raises `StorageError` if it is impossible.
        """
        if self.clocks:
            self.clocks.take(spent)
        self.was_just_dealt = False
        if not entry.leaves_the_game:
            self.news = None
        try:
            entry.apply(self, seat)
        except BartizanError as error:
            raise self.broken(error) from error
        self.version += 1
        if self.chain and not entry.beside_the_game:
            self.chain.add(written(self.match.ply, entry.kind, seat, entry.bound(self)))
        if not entry.leaves_the_game:
            self.changed_at = self.version
        if entry.id:
            self.acknowledged[seat, entry.id] = self.version
        self._places.append((len(self._lines) - 1, self.match.ply if self.is_dealt else 0))
        if self.clocks and not entry.beside_the_game:
            asked = self.seat_to_move
            runs = asked and self.players[asked] == PERSON and not self.adjourned
            self.clocks.point(asked if runs else 0)

    @property
    def chain(self) -> Chain | None:
        """The chain of hashes over the game; None before the deal, and where it could betray a hidden move.

        A hash that covers the server's secret betrays nothing.
        """
        if self._chain is None and self._match is not None:
            match, exchange = self._match, self.exchange
            if exchange.has_secret or match.game.perfect_information:
                begins = first_head(
                    table=self.row.table,
                    game=self.row.game,
                    rules=self.row.rules,
                    options=self.row.options,
                    players=self.row.players,
                    commitment=self.seed_hash,
                    fairness=exchange.record(over=False),
                )
                self._chain = exchange.chain(begins)
        return self._chain

    @property
    def head(self) -> str:
        """The first digits of the chain's last hash, which everyone is told; empty without a chain."""
        return self.chain.head[:CHECK_DIGITS] if self.chain else ""

    def log(self) -> GameLog | None:
        """Return the log for a record of the finished game; None without a chain."""
        if self.chain is None:
            return None
        return GameLog(
            protocol=CHAIN_PROTOCOL,
            table=self.row.table,
            players=self.row.players,
            head=self.chain.head,
            entries=tuple(self.chain.entries),
        )

    def broken(self, error: BartizanError) -> StorageError:
        """Return the error for a log whose next entry is impossible."""
        return StorageError(f"The log of table {self.row.table} breaks at entry {self.version + 1}: {error}")

    def play(self, move: CheckedMove, seat: int) -> None:
        """Apply a checked move."""
        self.match.push(move)
        self.proposal = None
        if self.draw_offer not in (0, seat):  # whoever plays on has declined
            self.draw_offer = 0
            if not self.match.is_over:
                self.tell("The draw offer has expired.")
        if self.clocks:
            self.clocks.move(seat, self.match.ply, self.match.seat_to_move)
        if move.ply < len(self.line):  # what was undone is discarded, except in earlier versions
            self.line = self.line[: move.ply]
            self._lines.append(self.line)
        self.line.append(move)

    def tell(self, text: str) -> None:
        """Tell everyone at the table; `text` has "@2" where the name of seat 2 belongs."""
        self.news = News(version=self.version + 1, text=text)

    def lose(self, seat: int, reason: Literal["time", "resignation"]) -> None:
        """Record that a player resigns or runs out of time, which ends a game for two.

        With more seats, a program takes over; if none can, a player who is out of time loses to all others.
        """
        self.draw_offer, self.proposal = 0, None
        if self.row.seats == 2 or (reason == "time" and self.why_no_heir):
            self.settlement = Settlement(reason=reason, loser=seat)
        else:
            self.players[seat] = usual_program(self.match.game.players())
            lost = "resigned" if reason == "resignation" else "ran out of time"
            self.tell(f"@{seat} {lost}. The computer plays on.")

    def moves_at(self, version: int) -> list[CheckedMove]:
        """Return the moves that had been played, and not undone, at a version of the table."""
        line, count = self._places[version]
        return self._lines[line][:count]

    def versions_of_line(self) -> tuple[int, ...]:
        """Return the last version with each number of the current moves, from 0."""
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
        """Whether players or their clocks ended the game, rather than its rules."""
        return self.settlement is not None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it runs."""
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
        """Whether everyone here may undo any move: a single player, or people at a real table.

        A report from a real table may have been wrong, and everyone there can see what is right.
        """
        return self.row.seats == 1 or self.match.views.setting.real_table

    def takeback_ply(self, seat: int) -> int:
        """Return the ply before a seat's last decision; -1 if it has made none."""
        return next((at for at in range(self.match.ply - 1, -1, -1) if self.line[at].seat == seat), -1)

    def others_asked(self, seat: int) -> set[int]:
        """Return the seats of the other persons, who must agree to a proposal."""
        return {
            each for each in range(1, self.row.seats + 1) if each != seat and self.players[each] == PERSON
        }

    def has_others(self, seat: int) -> bool:
        """Whether people other than the one in a seat play."""
        own = seat > 0 and self.players[seat] == PERSON
        return self.players.count(PERSON) > 1 + own  # the unused seat 0 counts too

    @property
    def is_against_people(self) -> bool:
        """Whether different persons hold seats; those at one screen count as one."""
        held = {each for each in range(1, self.row.seats + 1) if self.players[each] == PERSON} | self.stood_in
        return len(held - self.here) + bool(held & self.here) > 1

    @property
    def invited(self) -> tuple[int, ...]:
        """The seats with an invitation that can still be used."""
        return tuple(sorted({seat for code, seat in self.invitations.items() if code not in self.spent}))

    @functools.cached_property
    def why_no_heir(self) -> str:
        """Why no program can take over an abandoned seat, or an empty string if one can."""
        try:
            self.match.game.check_programs(self.row.options, self.row.seats)
        except UnknownOption as error:
            return str(error)
        return ""

    def check_room(self) -> None:
        """Raise `NotAllowed` if the log is full."""
        if self.version >= LONGEST_LOG:
            raise NotAllowed(f"This table's log is full: it holds {LONGEST_LOG} entries.")

    @property
    def seed_hash(self) -> str:
        """What is published about the deal: its commitment; at older tables, the hash of the seed."""
        return self.exchange.commitment or self.match.seed_hash

    def scene(self, seat: int) -> Scene:
        """Draw the table for a seat, or for spectators (0)."""
        person = seat > 0 and self.players[seat] == PERSON
        scene = self.match.views.scene(seat, choices=person and not self.is_settled and not self.adjourned)
        if self.settlement:
            return self.settlement.shown(scene, self.match.views.setting.seat_names)
        if self.is_over:
            return scene
        if self.adjourned:
            return _prompted(scene, "The game is adjourned.")
        if seat and not person:  # who has resigned or left isn't asked anything
            return _prompted(scene, self.match.views.scene(0, choices=False).status.prompt)
        return scene

    def series(self) -> Series | None:
        """Return the score of a series; None for a single game."""
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


def _prompted(scene: Scene, prompt: str) -> Scene:
    """Return a scene with another prompt."""
    return msgspec.structs.replace(scene, status=msgspec.structs.replace(scene.status, prompt=prompt))


def next_seats(seats: int) -> tuple[int, ...]:
    """Return each seat's next seat in another game: everyone moves up one."""
    return tuple(seat % seats + 1 for seat in range(1, seats + 1))
