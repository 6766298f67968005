"""Create tables, find them by name and key, and keep a bounded number of them in memory."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import hmac
import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from bartizan.engine.fairness import draw_secret
from bartizan.engine.options import flat
from bartizan.engine.outcome import Outcome
from bartizan.tables.agreement import Agreement, Dealing, check_clock, next_agreement, standing
from bartizan.tables.bus import Bus
from bartizan.tables.calls import Calls
from bartizan.tables.clock import Timekeeper
from bartizan.tables.entries.invitations import draw_code, hashed, is_code, is_key
from bartizan.tables.errors import BadRequest, BadToken, Blocked, Conflict, NotAllowed, TooMany, UnknownTable
from bartizan.tables.exchange import Exchange, kept_seed
from bartizan.tables.fair import FairQueue
from bartizan.tables.flags import FlagWatch
from bartizan.tables.housekeeping import Housekeeping
from bartizan.tables.limits import Bucket, Limits
from bartizan.tables.messages import Error, NewTable, TableLinks
from bartizan.tables.peers import Peers
from bartizan.tables.processes import OtherProcesses
from bartizan.tables.provider import PERSON, GameProvider, Terms
from bartizan.tables.services import Services
from bartizan.tables.session import TableSession
from bartizan.tables.state import next_seats
from bartizan.tables.store import MoveLog, TableRow
from bartizan.tables.thinking import ThinkingPool

if TYPE_CHECKING:
    from bartizan.engine.game import Game

SHORT_WORK = 2  # threads that load tables, deal, and draw the past; one long record then holds up no one
FIRST_DAY = datetime.date(2020, 1, 1)


def hash_token(token: str) -> bytes:
    """Return the digest of a token, which recognises it and is useless to anyone who reads the disk."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def day_seed(game: str, options: dict[str, bool | int | str], seats: int, date: datetime.date) -> str:
    """Return everyone's seed for a game, its options and a UTC date (32 hex digits)."""
    text = msgspec.json.encode(["bartizan", game, options, seats, date.isoformat()], order="deterministic")
    return hashlib.blake2b(text, digest_size=16, person=b"bartizan day").hexdigest()


class TableRegistry:
    """All tables of one data folder."""

    def __init__(
        self,
        log: MoveLog,
        games: GameProvider,
        limits: Limits,
        replaces: str = "",
        calls: Calls | None = None,
    ) -> None:
        self.calls = calls
        self.limits = limits
        self.pool = ThreadPoolExecutor(SHORT_WORK, thread_name_prefix="bartizan-work")
        thinkers = limits.thinking_threads or max(1, (os.cpu_count() or 2) - 1)
        self.thinkers = FairQueue(thinkers, "bartizan-think")
        thinking = ThinkingPool(self.thinkers, limits.thinking_tables, limits.thinking_watched)
        self.throwers = ThreadPoolExecutor(1, thread_name_prefix="bartizan-throw")
        self._watch = FlagWatch(log, Timekeeper(), self._let_flag_fall)
        peers = Peers(Bus(log))
        self._services = Services(
            games, log, self.pool, self.throwers, thinking, limits, self._watch, peers, calls
        )
        self._games = games
        self._log = log
        self._sessions: OrderedDict[str, TableSession] = OrderedDict()  # least recently used first
        self.practice = Bucket(limits.throws_per_second, limits.throw_burst)
        self.lessons = Bucket(limits.lessons_per_second, limits.lesson_burst)
        self._new_tables = Bucket(limits.tables_per_second, limits.table_burst)
        self._processes = OtherProcesses(
            log, peers, self._sessions.get, lambda: list(self._sessions.values()), self._shut
        )
        self._processes.open(replaces)
        self._watch.open()
        self._housekeeping = Housekeeping(log, limits, self._shut)
        self._housekeeping.open()

    def close(self) -> None:
        """Stop thinking; closing the log is up to whoever opened it."""
        self._processes.close()
        self._watch.close()
        self._housekeeping.close()
        self.thinkers.shutdown()
        for pool in (self.pool, self.throwers):
            pool.shutdown(wait=False, cancel_futures=True)

    @property
    def in_memory(self) -> int:
        """How many tables are in memory."""
        return len(self._sessions)

    async def check_disk(self) -> None:
        """Ask the disk for something; raises `StorageError` if it doesn't respond."""
        await self._log.find(bytes(32))

    async def get(self, name: str) -> TableSession:
        """Return a table; raises `UnknownTable`.

        Subscribe before the next await, or the table may be dropped from memory.
        """
        session = self._sessions.get(name)
        if session is None:
            row = await self._log.table(name)
            if row is None:
                raise UnknownTable("This table doesn't exist.")
            if row.closed:
                raise NotAllowed("The host has closed this table.")
            session = self._sessions.get(name) or TableSession(row, self._services, self.deal_again)
        self._sessions[name] = session
        self._sessions.move_to_end(name)
        self._shrink()
        return session

    async def open(self, name: str, token: str) -> tuple[TableSession, int]:
        """Return a table and the seat that a token opens, 0 for spectators.

        Raises `UnknownTable`, `BadToken` and `Blocked`.
        """
        session = await self.get(name)
        if is_code(token):
            raise BadToken("This is an invitation. Exchange it for a key by entering the table.")
        digest = hash_token(token)
        opened = _seat_of(session.row, digest)
        if opened < 0 and await self._log.find(digest) is not None:  # given by another process
            await session.read_keys()
            opened = _seat_of(session.row, digest)
        if opened < 0:
            raise BadToken("This link isn't valid. Ask for the complete link, including the part after #.")
        blocked = await self._log.is_blocked(digest)
        if blocked != (digest in session.row.blocked):  # a message was lost, or is on its way
            await session.read_keys()
        session = await self.get(name)  # it may have been dropped meanwhile
        if blocked or digest in session.row.blocked:
            raise Blocked
        return session, opened

    async def enter(self, name: str, key: str, invitation: str = "") -> tuple[TableSession, int, str]:
        """Return a table, a seat, and a new key if the server drew one for an invitation.

        Raises `UnknownTable`, `BadToken` and `BadRequest`.
        """
        drawn = ""
        if is_code(key):
            invitation, key = key, (drawn := secrets.token_urlsafe(24))
        try:
            return *await self.open(name, key), ""
        except BadToken:
            if not invitation:
                raise
        if not is_key(key):
            raise BadToken("Draw a key of 32 or more letters, digits, - and _.")
        session = await self.get(name)
        try:
            await session.join(hashed(invitation), hashed(key))
        except BadToken as refused:
            try:  # this browser may have come in meanwhile, by a connection that it then lost
                return *await self.open(name, key), drawn
            except BadToken:
                raise refused from None
        return *await self.open(name, key), drawn

    async def _let_flag_fall(self, name: str) -> None:
        session = await self.get(name)
        await session.let_flag_fall()

    def _shrink(self) -> None:
        """Keep memory bounded: drop tables that haven't been used for long; the log has them."""
        excess = len(self._sessions) - self.limits.tables_in_memory
        if excess <= 0:
            return
        newest = next(reversed(self._sessions))
        for name, session in tuple(islice(self._sessions.items(), excess + 8)):
            if name == newest:
                continue
            if session.is_busy:
                session.unload()
            elif len(self._sessions) > self.limits.tables_in_memory:
                del self._sessions[name]

    def _shut(self, name: str) -> None:
        """Drop a table that the host has closed or deleted; nothing more is stored for it."""
        if session := self._sessions.pop(name, None):
            session.dismiss(Error(code=NotAllowed.code, sentence="The host has closed this table."))

    async def create(self, request: NewTable) -> TableLinks:
        """Create a table and its keys; the deal is made when someone first opens it.

        Raises `BadRequest`, `NotAllowed`, `TooMany`, and the errors of the
        game's own checks: `UnknownGame`, `UnknownOption`, `UnknownPlayer`,
        `BadSeats`, `BadSeed`.
        """
        if not self._new_tables.take():
            raise TooMany("Too many new tables at once; wait a moment.")
        await self._housekeeping.make_room()
        game = self._games.game(request.game)
        options, seats, seed = dict(request.options), request.seats, request.seed
        if request.deal == "same":
            other, seed = await self._same(game, request)
            options = options or dict(other.options)
            seats = seats or other.seats
        elif request.same_as is not None or request.same_table is not None:
            raise BadRequest('same_as and same_table go with deal = "same".')
        if request.deal != "new" and request.seed is not None:
            raise BadRequest("A deal of the day, or the same deal again, has its seed already.")
        date = _date(request)

        def complete() -> Terms:
            terms = self._games.terms(game.name, options, seats, seed)
            if date is None:
                return terms
            fixed = day_seed(game.name, flat(terms.options), terms.seats, date)
            return self._games.terms(game.name, terms.options, terms.seats, fixed)

        terms = await asyncio.get_running_loop().run_in_executor(self.pool, complete)
        players = _players(game, terms.seats, request.players)
        if set(players) != {PERSON}:
            game.check_programs(terms.options, terms.seats)
        if players.count(PERSON) > 1 and date is not None:
            raise NotAllowed("Anybody can look up the deal of the day, so it is for one person at the table.")
        if request.clock is not None:
            check_clock(request.clock, terms.seats)
        agreed = Agreement(
            clock=request.clock,
            chat=request.chat,
            best_of=request.best_of,
            here=_here(players, request),
            dealing=_dealing(game, request, players.count(PERSON), is_known=seed is not None),
        )
        if request.deal == "new" and request.seed is None:
            terms = msgspec.structs.replace(terms, seed=terms.seed if agreed.dealing in ("", "open") else "")
        return await self._keep(game, terms, players, agreed)

    async def _same(self, game: Game, request: NewTable) -> tuple[TableRow, str]:
        if not request.same_as:
            raise BadRequest('deal = "same" needs same_as: a token of the table whose deal to repeat.')
        newest = await self._log.find(hash_token(request.same_as))
        if newest is None:
            raise BadToken("The key in same_as opens no table here.")
        session, seat = await self.open(request.same_table or newest[0], request.same_as)
        if session.row.game != game.name:
            raise BadRequest(f"That table plays {session.row.game}, not {game.name}.")
        return session.row, await session.questions.seed(seat)

    async def _keep(self, game: Game, terms: Terms, players: list[str], agreed: Agreement) -> TableLinks:
        watched = PERSON not in players  # then whoever created the table could see all hands
        tokens = [
            secrets.token_urlsafe(24) if watched or player == PERSON else "" for player in [PERSON, *players]
        ]
        codes = {}
        if players.count(PERSON) > 1:
            elsewhere = {seat for seat, each in enumerate(players, 1) if each == PERSON} - {*agreed.here}
            codes = {seat: draw_code() for seat in elsewhere}
        hashes = tuple(
            hash_token(token) if token and seat not in codes else b"" for seat, token in enumerate(tokens)
        )
        invitations = tuple((hash_token(code), seat) for seat, code in codes.items())
        row = await self._make(game, terms, players, hashes, agreed, invitations=invitations)
        tokens = [codes.get(seat, token) for seat, token in enumerate(tokens)]
        published = Exchange(row).commitment or terms.seed_hash
        return TableLinks(table=row.table, seats=tuple(tokens[1:]), spectator=tokens[0], seed_hash=published)

    async def _make(
        self,
        game: Game,
        terms: Terms,
        players: Sequence[str],
        hashes: tuple[bytes, ...],
        agreed: Agreement,
        more_keys: tuple[tuple[bytes, int], ...] = (),
        invitations: tuple[tuple[bytes, int], ...] = (),
    ) -> TableRow:
        """Store a new table and return its row; the seed in `terms` is empty if it is yet to be made."""
        seed = terms.seed
        if agreed.dealing in ("secret", "shares"):
            seed = kept_seed(terms.seed, draw_secret())
        while True:
            row = TableRow(
                table=secrets.token_hex(6),
                game=game.name,
                rules=game.rules_version,
                options=flat(terms.options),
                seats=terms.seats,
                players=tuple(players),
                seed=seed,
                tokens=hashes,
                agreement=agreed,
                more_keys=more_keys,
                invitations=invitations,
            )
            try:
                await self._log.create(row)
            except Conflict:
                continue  # once in 2^48
            return row

    async def deal_again(self, row: TableRow, outcome: Outcome | None) -> str:
        """Deal a rematch of a table and return its name; the same keys open it, at the next seats.

        `outcome` is the result of the game, which counts in the series.
        """
        game = self._games.game(row.game)
        row = await self._log.table(row.table) or row  # with the keys that other processes have issued
        terms = await asyncio.get_running_loop().run_in_executor(
            self.pool, self._games.terms, row.game, row.options, row.seats, None
        )
        players, hashes = list(row.players), list(row.tokens)
        for here, there in enumerate(next_seats(row.seats), start=1):
            players[there - 1], hashes[there] = row.players[here - 1], row.tokens[here]
        seats = next_seats(row.seats)
        more = tuple((key, seats[seat - 1]) for key, seat in row.more_keys)
        agreed = next_agreement(row.agreement, standing(row.agreement, outcome, row.seats), seats)
        if agreed.dealing == "open":  # that applied to one deal
            fair: Dealing = "shares" if players.count(PERSON) > 1 else "secret"
            agreed = msgspec.structs.replace(agreed, dealing=fair)
        if agreed.dealing:
            terms = msgspec.structs.replace(terms, seed="")
        return (await self._make(game, terms, players, tuple(hashes), agreed, more)).table


def _seat_of(row: TableRow, hashed: bytes) -> int:
    """Return the seat that a hashed token opens, or -1, always in the same time."""
    opened = -1
    for key, seat in (*((key, seat) for seat, key in enumerate(row.tokens)), *row.more_keys):
        if key and hmac.compare_digest(hashed, key):
            opened = seat
    return opened


def _dealing(game: Game, request: NewTable, persons: int, *, is_known: bool) -> Dealing:
    """Return how to make the deal; `is_known` says that the creator of the table knows its seed.

    Raises `NotAllowed` if someone would know the others' hands, and `BadRequest`.
    """
    if request.shares and (is_known or request.open_seed or request.deal != "new"):
        raise BadRequest("Shares create a new seed, so they can't be combined with a known one.")
    if request.shares and not persons:
        raise BadRequest("No one at this table could add a share to its deal.")
    if not game.chance:
        return ""
    if request.open_seed:
        return "open"
    if is_known and persons > 1:
        raise NotAllowed(
            "Anyone who knows the seed knows every hand. At a table for several people, leave it out or "
            "show it to everyone (open_seed)."
        )
    wanted = persons > 1 if request.shares is None else request.shares
    return "shares" if wanted else "secret"


def _here(players: list[str], request: NewTable) -> tuple[int, ...]:
    """Return the seats that the table's creator plays; raises `BadRequest` for a program's seat."""
    persons = [seat for seat, player in enumerate(players, 1) if player == PERSON]
    if request.here is None or request.here == "everyone":
        here = persons[:1] if request.here is None else persons
    else:
        here = sorted({*request.here})
        if strange := [seat for seat in here if seat not in persons]:
            raise BadRequest(f"Seat {strange[0]} in 'here' isn't a person's seat at this table.")
    return tuple(here) if len(persons) > 1 else ()


def _date(request: NewTable) -> datetime.date | None:
    if request.deal != "day":
        if request.date is not None:
            raise BadRequest('date goes with deal = "day".')
        return None
    today = datetime.datetime.now(datetime.UTC).date()
    if request.date is None:
        return today
    try:
        date = datetime.date.fromisoformat(request.date)
    except ValueError as error:
        raise BadRequest(f"{request.date!r} isn't a date; write it as {today.isoformat()}.") from error
    if not FIRST_DAY <= date <= today:
        raise BadRequest(
            f"There is no deal of {date.isoformat()}: they go from {FIRST_DAY.isoformat()} to today, "
            f"{today.isoformat()} (UTC)."
        )
    return date


def _players(game: Game, seats: int, names: list[str] | None) -> list[str]:
    if names is None:
        return [PERSON] * seats
    if len(names) != seats:
        count = "1 seat" if seats == 1 else f"{seats} seats"
        raise BadRequest(f"'players' names {len(names)} for {count}.")
    return [game.check_player(name, [PERSON]) for name in names]
