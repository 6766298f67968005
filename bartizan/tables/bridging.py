"""Fill gaps in the log of a damaged table where what is missing can be worked out.

Entries with links (`bartizan.tables.linking`) prove a guess right or wrong, so a gap of a few entries is
filled by trying what could have happened. Entries from before there were links only allow a weaker
conclusion: a move is inferred if no other lets the moves behind the gap follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.tables.entries import KINDS, replay, take_in
from bartizan.tables.entries.deal import VERSION
from bartizan.tables.entries.proposals import PROPOSALS
from bartizan.tables.linking import link_after, linked, next_link
from bartizan.tables.provider import GameProvider
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, StoredEntry, TableRow

if TYPE_CHECKING:
    from bartizan.match import Match

MOST_POSITIONS = 2000  # that are looked at for one gap
FAR_BACK = 12  # plies that an undo or a redo may have gone
WIDEST = 2  # missing entries of which one may be something other than a move

Guess = tuple[str, int, str]  # kind, seat and text


class Bridged(msgspec.Struct, frozen=True):
    """A log without gaps, as far as it could be made."""

    entries: tuple[StoredEntry, ...]
    proven: tuple[int, ...] = ()  # versions that were missing, and that a later link confirms
    inferred: tuple[int, ...] = ()  # versions that were missing, and that follow from the rules alone
    behind: tuple[StoredEntry, ...] = ()  # readable entries that can't be played


def bridge(
    games: GameProvider | None,
    row: TableRow,
    known: Mapping[int, StoredEntry],
    altered: Mapping[int, StoredEntry],
) -> Bridged:
    """Return a table's log from its readable entries, by version, and those that don't match their checksum.

    Without `games`, nothing is filled.
    """
    bridging = _Bridging(games, row, known, altered)
    while bridging.fill():
        bridging.take_rest()
    return bridging.result()


class _Bridging:
    """The log of one table as it grows."""

    def __init__(
        self,
        games: GameProvider | None,
        row: TableRow,
        known: Mapping[int, StoredEntry],
        altered: Mapping[int, StoredEntry],
    ) -> None:
        self._games = games
        self._row = row
        self._known = {**known}
        self._altered = {**altered}
        self._entries: list[StoredEntry] = []
        self._links = [0]
        self._is_stuck = False  # an entry doesn't follow, and nothing shows which one is wrong
        self._guessed: dict[int, bool] = {}  # by version: whether a link proves it
        self._state: TableState | None = None
        self.take_rest()

    def result(self) -> Bridged:
        """Return the log as far as it has grown."""
        end = len(self._entries)
        proven, inferred = (
            tuple(at for at, proven in self._guessed.items() if proven is which) for which in (True, False)
        )
        behind = tuple(self._known[at] for at in sorted(self._known) if at > end)
        return Bridged(tuple(self._entries), proven, inferred, behind)

    def take_rest(self) -> None:
        """Add known entries up to the next gap, or to one that doesn't follow."""
        while (each := self._known.get(len(self._entries) + 1)) is not None:
            link = link_after(self._link, each.entry)
            if each.entry.link not in (0, link):
                self._doubt(each)
                return
            self._add(each, link)

    def _add(self, each: StoredEntry, link: int) -> None:
        self._entries.append(each)
        self._links.append(link)

    def _doubt(self, each: StoredEntry) -> None:
        """Make a gap of an entry that doesn't follow, or of the one before it: of what has no checksum."""
        last = self._entries[-1] if each.checksum and self._entries else each
        if last.checksum or last.version not in self._known:
            self._is_stuck = True
            return
        self._altered[last.version] = self._known.pop(last.version)
        if last is not each:
            self._entries.pop()
            self._links.pop()
            self._state = None

    @property
    def _link(self) -> int:
        """The link of the last entry."""
        return self._links[-1]

    def fill(self) -> bool:
        """Fill the gap at the end, if there are entries behind it and what is missing can be worked out."""
        at = len(self._entries)
        behind = min((each for each in self._known if each > at), default=0)
        if not behind or self._is_stuck:
            return False
        try:
            guesses = self._guesses(behind)
        except BartizanError:  # the game isn't here any more, or the log breaks its rules
            return False
        proven = self._known[behind].entry.link != 0
        for kind, seat, text in guesses:
            version = len(self._entries) + 1
            entry = linked(self._link, EntryRow(kind, seat, text))
            when = self._entries[-1].at if self._entries else 0
            if (damaged := self._altered.get(version)) is not None:
                if (damaged.entry.kind, damaged.entry.seat, damaged.entry.text) == (kind, seat, text):
                    when = damaged.at
            self._guessed[version] = proven
            self._add(StoredEntry(version, entry, when), entry.link)
        return bool(guesses)

    def _guesses(self, behind: int) -> list[Guess]:
        """Return what is missing before a version; empty if that can't be worked out."""
        row, missing = self._known[behind].entry, behind - len(self._entries) - 1
        damaged = [self._altered.get(at) for at in range(len(self._entries) + 1, behind)]
        if row.link:
            texts = [(one.entry.kind, one.entry.seat, one.entry.text) for one in damaged if one is not None]
            if len(texts) == missing and self._is_proven(texts, row):
                return texts  # what was changed is something else, such as its time
        if self._games is None:
            return []
        if self._state is None:
            self._state = replay(self._games, self._row, [])
        take_in(self._state, *(each.entry for each in self._entries[self._state.version :]))
        search = _Search(self._state, self._match_at, missing)
        if row.link:
            return next((guesses for guesses in search.lines() if self._is_proven(guesses, row)), [])
        run = [self._known[at].entry for at in _run(self._known, behind)]
        guesses = search.only_line(run)
        return guesses if self._holds([*starmap(EntryRow, guesses), *run]) else []

    def _is_proven(self, guesses: Sequence[Guess], row: EntryRow) -> bool:
        link = self._link
        for guess in guesses:
            link = next_link(link, *guess)
        return link_after(link, row) == row.link

    def _match_at(self, ply: int) -> Match:
        """Return a second match of the table at a ply of its present line, to try moves on."""
        state, games = self._state, self._games
        assert state is not None
        assert games is not None
        match = games.match(self._row.game, self._row.options, self._row.seats, state.exchange.seed)
        for move in state.line[:ply]:
            match.push(move)
        return match

    def _holds(self, rows: Iterable[EntryRow]) -> bool:
        """Whether the log can be played with more rows."""
        assert self._games is not None
        try:
            replay(self._games, self._row, [*(each.entry for each in self._entries), *rows])
        except BartizanError:
            return False
        return True


def _run(known: Mapping[int, StoredEntry], first: int) -> range:
    last = first
    while last + 1 in known:
        last += 1
    return range(first, last + 1)


class _Search:
    """What may have happened at a table in a number of missing entries."""

    def __init__(self, state: TableState, match_at: Callable[[int], Match], length: int) -> None:
        self._state = state
        self._match_at = match_at
        self._length = length
        self._positions = 0  # looked at so far

    def lines(self) -> Iterator[list[Guess]]:
        """Yield what may have happened: moves alone first."""
        if not self._state.is_dealt:
            if self._length == 1:
                yield from ([each] for each in self._others(0))
            return
        ply = self._state.match.ply
        match = self._match_at(ply)
        yield from self._moves(match, self._length)
        if self._length > WIDEST:
            return
        match.go_to(ply)
        if self._length == 1:
            yield from ([each] for each in self._others(ply))
            return
        after: dict[int, list[list[Guess]]] = {}
        for other in self._others(ply):
            back = self._led_to(other, ply)
            if back not in after:
                after[back] = list(self._moves(self._match_at(back), 1))
            yield from ([other, *move] for move in after[back])
        for move in after.get(ply, []):
            yield from ([*move, other] for other in self._others(ply + 1))

    def only_line(self, rows: Sequence[EntryRow]) -> list[Guess]:
        """Return the only moves, as many as entries are missing, after which rows without links can follow.

        Empty if there are several, or if they also follow after fewer moves or after an undo.
        """
        if self._length > WIDEST or not self._state.is_dealt:
            return []
        ply, found = self._state.match.ply, []
        match, trial = self._match_at(ply), self._match_at(ply)
        others = [
            each for each in range(ply - FAR_BACK, len(self._state.line) + 1) if each >= 0 and each != ply
        ]
        if any(_follow(self._match_at(each), rows) for each in others):  # after an undo or a redo
            return []
        for length in range(self._length + 1):
            for line in self._moves(match, length):
                trial.go_to(ply)
                for _, _, text in line:
                    trial.push(trial.check(text))
                if _follow(trial, rows):
                    found.append(line)
                    if len(found) > 1:
                        return []
            match.go_to(ply)
        return found[0] if found and len(found[0]) == self._length else []

    def _moves(self, match: Match, length: int) -> Iterator[list[Guess]]:
        """Yield all lines of so many moves, or none if there are too many; the match is left anywhere."""
        if not length:
            yield []
            return
        if match.is_over:
            return
        self._positions += 1
        ply, seat, actions, texts = match.ply, match.seat_to_move, match.legal(), match.legal_texts()
        if self._positions > MOST_POSITIONS or len(actions) ** (length - 1) > MOST_POSITIONS:
            return
        for action, text in zip(actions, texts, strict=True):
            guess = ("move", seat, text)
            if length == 1:
                yield [guess]
                continue
            match.go_to(ply)
            match.push(match.check(action))
            yield from ([guess, *rest] for rest in self._moves(match, length - 1))

    def _others(self, ply: int) -> Iterator[Guess]:
        """Yield everything but moves whose text can be guessed; no link confirms nonsense."""
        seats = range(self._state.row.seats + 1)
        texts = ("", *PROPOSALS, *map(str, seats), f"{VERSION}all")
        plies = [str(each) for each in range(max(0, ply - FAR_BACK), ply + FAR_BACK)]
        for kind in KINDS:
            if kind != "move":
                for text in (*texts, *plies) if kind in ("undo", "redo") else texts:
                    yield from ((kind, seat, text) for seat in seats)

    def _led_to(self, guess: Guess, ply: int) -> int:
        """Return the ply that an entry led to, if it can have."""
        kind, _, text = guess
        target = int(text) if text.isdecimal() else ply + {"undo": -1, "redo": 1}.get(kind, 0)
        possible = kind in ("undo", "redo") and 0 <= target <= len(self._state.line)
        return target if possible else ply


def _follow(match: Match, rows: Sequence[EntryRow]) -> bool:
    """Whether the moves at the beginning of these rows can be played."""
    for row in rows:
        kind = KINDS.get(row.kind)
        if row.kind == "move":
            try:
                match.push(match.check(row.text, row.seat))
            except BartizanError:
                return False
        elif kind is None or not kind.leaves_the_game:
            break
    return True
