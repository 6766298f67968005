"""The entries of a table's log: one class for each kind, grouped by family.

One class is all that the server needs for a kind: its name, its fields, who may ask
for it and when (`check`), and what it does (`apply`).
"""

from __future__ import annotations

from collections.abc import Iterable

from bartizan.engine.errors import BartizanError
from bartizan.tables.entries import clocks, deal, invitations, moves, offers, proposals, seats, undo
from bartizan.tables.entries.base import ADJOURNED, Entry, Request
from bartizan.tables.errors import StorageError
from bartizan.tables.linking import link_after
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, TableRow

FAMILIES = (moves, undo, offers, proposals, clocks, seats, invitations, deal)


def _classes() -> dict[str, type[Entry]]:
    """Return the class that reads each kind: the first one, since those that `settle` returns come later."""
    kinds: dict[str, type[Entry]] = {}
    for family in FAMILIES:
        for each in vars(family).values():
            if isinstance(each, type) and issubclass(each, Entry) and each.__module__ == family.__name__:
                if not each.__name__.startswith("_"):
                    kinds.setdefault(str(each.__struct_config__.tag), each)
    return kinds


KINDS = _classes()
REQUESTS: tuple[type[Request], ...] = tuple(
    each for each in KINDS.values() if issubclass(each, Request) and each.is_sent
)
_TOLD = [(name, example) for each in REQUESTS for name, example in each.examples().items()]
LABELS = {name: example.label for name, example in _TOLD if example.label}


def read_entry(row: EntryRow) -> Entry:
    """Return the entry in a row; raises `BartizanError` if there is no such entry."""
    kind = KINDS.get(row.kind)
    if kind is None:
        raise StorageError(f"This version knows no entries of the kind {row.kind!r}.")
    return kind.read(row)


def take_in(state: TableState, *rows: EntryRow) -> None:
    """Apply the next rows of a table's log; raises `StorageError` if one is impossible."""
    for row in rows:
        try:
            entry = read_entry(row)
        except BartizanError as error:
            raise state.broken(error) from error
        state.take_in(entry, row.seat, row.spent)
        state.link = link_after(state.link, row)


def replay(games: GameProvider, row: TableRow, entries: Iterable[EntryRow]) -> TableState:
    """Replay a whole log and return the table; raises `StorageError` if today's rules don't allow it."""
    state = TableState.begin(games, row)
    take_in(state, *entries)
    return state


def allowed(state: TableState, seat: int) -> dict[str, str]:
    """Return what a seat may request now, by name, with an empty text, or else with the reason why not.

    Requests that a player wouldn't look for are left out. This runs for every seat after every move, so it
    evaluates only once what `check_asker` and `check_moment` would evaluate for each request.
    """
    if not seat or not state.is_dealt:
        return {}
    told: dict[str, str] = {}
    plays, over = state.players[seat] == PERSON, state.is_over
    unwanted, stopped = ("running" if over else "over"), state.adjourned and not over
    for name, example in _TOLD:
        if example.when == unwanted or not (plays or example.asked_by != "person"):
            continue
        if example.is_expected(state, seat):
            if stopped and not example.when_adjourned:
                told[name] = ADJOURNED
                continue
            try:
                example.check(state, seat)
                told[name] = ""
            except BartizanError as error:
                told[name] = str(error)
    return told
