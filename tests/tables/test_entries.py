"""Every kind of log entry: how it is found, kept and refused, and that clients are told of it truly."""

from __future__ import annotations

import importlib
import pkgutil
import re

import msgspec
import pytest

from bartizan.engine.chain import LoggedGame
from bartizan.engine.errors import BartizanError
from bartizan.tables import entries
from bartizan.tables.agreement import USUAL, Agreement, ClockRule
from bartizan.tables.entries import KINDS, LABELS, REQUESTS, allowed, base, read_entry, replay, take_in
from bartizan.tables.entries.base import Entry, check_request
from bartizan.tables.errors import StorageError
from bartizan.tables.messages import News
from bartizan.tables.requests import decoder
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, TableRow
from tests.tables.duel import Duel, DuelProvider

TIMED = Agreement(clock=ClockRule(kind="fischer", seconds=300))

# Logs of two persons, each of which ends where other things may be asked for.
LOGS: dict[str, list[tuple[str, int, str]]] = {
    "begun": [],
    "moved": [("move", 1, "first")],
    "taken back": [("move", 1, "first"), ("undo", 1, "")],
    "handed on": [("move", 1, "first"), ("move", 1, "end")],
    "offered": [("move", 1, "first"), ("offer", 1, "")],
    "declined": [("move", 1, "first"), ("offer", 1, ""), ("decline", 2, "")],
    "asked": [("move", 1, "first"), ("move", 1, "end"), ("ask", 1, "takeback")],
    "refused": [("move", 1, "first"), ("move", 1, "end"), ("ask", 1, "takeback"), ("refuse", 2, "")],
    "granted": [("move", 1, "first"), ("move", 1, "end"), ("ask", 1, "takeback"), ("grant", 2, "")],
    "adjourned": [("ask", 1, "adjourn"), ("grant", 2, "")],
    "left": [("claim", 1, "2")],
    "both seats": [("claim", 1, "key 2")],
    "agreed": [("offer", 1, ""), ("agree", 2, "")],
    "wanted again": [("resign", 1, ""), ("rematch", 1, "")],
    "declined again": [("resign", 1, ""), ("rematch", 1, ""), ("no_rematch", 2, "")],
    "begun again": [("resign", 1, ""), ("rematch", 1, ""), ("rematch", 2, "AAAAAAAAAAAA")],
}


def table_after(log: list[tuple[str, int, str]], agreement: Agreement = USUAL) -> TableState:
    keys = (b"", b"1", b"2")
    row = TableRow("t", "duel", 1, {}, 2, ("person", "person"), "abc", keys, agreement=agreement)
    state = replay(DuelProvider(), row, [])
    for kind, seat, text in log:
        card = text.replace("first", state.match.check(state.match.legal()[0]).text)
        take_in(state, EntryRow(kind, seat, card))
    return state


# The requests that clients may be told of, by their names there.
TOLD = {name: example for each in REQUESTS for name, example in each.examples().items()}


def why_not(state: TableState, seat: int, name: str) -> str:
    try:
        check_request(msgspec.structs.replace(TOLD[name], version=state.version), state, seat)
    except BartizanError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("agreement", [USUAL, TIMED], ids=["without clocks", "with clocks"])
def test_what_is_told_to_be_allowed_is_what_is_not_refused(log: str, seat: int, agreement: Agreement) -> None:
    state = table_after(LOGS[log], agreement)
    told = allowed(state, seat)
    assert TOLD.keys() >= {"undo", "rematch", "no_rematch", "ask hints", *told}
    for name in TOLD:
        refusal = why_not(state, seat, name)
        said = told.get(name, refusal or "left out")
        assert said == refusal, f"{name}: where check passes, is_expected must be True"


@pytest.mark.parametrize("log", LOGS)
def test_a_record_says_of_every_log_how_the_game_went(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Duel, "perfect_information", True)
    state = table_after(LOGS[log], TIMED)
    written = state.log()
    assert written is not None
    course = LoggedGame(written, 2)
    followed = (course.ply, course.settled)
    assert followed == (state.match.ply, state.settlement), "add to engine/chain.py what this request does"


def test_a_record_can_hold_every_kind_that_is_part_of_the_game() -> None:
    for kind, entry in KINDS.items():
        if not entry.beside_the_game:
            assert re.fullmatch("[a-z]{1,20}", kind), f"{kind!r}: choose a tag of up to 20 lower-case letters"


def test_every_module_of_entries_is_listed() -> None:
    for info in pkgutil.iter_modules(entries.__path__, f"{entries.__name__}."):
        module = importlib.import_module(info.name)
        kinds = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Entry)]
        if module is not base and any(each.__module__ == info.name for each in kinds):
            assert module in entries.FAMILIES, f"add {info.name} to FAMILIES in entries/__init__.py"


def test_spectators_are_told_of_nothing() -> None:
    assert allowed(table_after(LOGS["moved"]), 0) == {}


def test_reasons_that_a_player_could_want_are_told() -> None:
    assert "Ask for a takeback" in allowed(table_after(LOGS["handed on"]), 1)["undo"]
    assert "declined" in allowed(table_after(LOGS["declined"]), 1)["offer"]
    assert "declined" in allowed(table_after(LOGS["refused"]), 1)["ask takeback"]
    assert "redo" not in allowed(table_after(LOGS["moved"]), 1)


@pytest.mark.parametrize("asker", [0, 1])
def test_nobody_agrees_to_a_draw_with_themselves(asker: int) -> None:
    """A player who has taken the other's seat can't; a spectator who has taken it can, as someone else."""
    state = table_after([("claim", asker, "key 2")])
    assert ("offer" in allowed(state, 1)) == (asker == 0)
    assert ("the other's seat" in why_not(state, 1, "offer")) == (asker == 1)


def test_what_was_said_is_forgotten_once_the_game_changes() -> None:
    log = LOGS["declined"]
    assert table_after(log).news == News(version=3, text="@2 declined @1's draw offer.")
    log = [*log, ("move", 1, "end")]
    assert table_after(log).news is None
    log = [*log, ("offer", 1, ""), ("move", 2, "first")]
    assert table_after(log).news == News(version=6, text="The draw offer has expired.")


def test_a_request_with_a_label_has_a_button_in_the_menu() -> None:
    assert {name: example.label for name, example in TOLD.items() if example.label} == LABELS
    assert LABELS["ask takeback"] == "Ask for a takeback"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("move", "play 1"),
        ("undo", ""),
        ("undo", "3"),
        ("redo", "4"),
        ("ask", "adjourn"),
        ("claim", "2"),
        ("claim", "key 2"),
        ("rematch", ""),
        ("rematch", "AAAAAAAAAAAA"),
        ("commit", f"1 {'0' * 64}"),
        ("share", f"1 {'0' * 32}"),
        ("close", "1 "),
        ("give_up", "1 2"),
        ("give_up", f"1 2 {'0' * 64}"),
        ("void", f"1 {'0' * 64}"),
        ("void", f"1 {'0' * 64} 2 3"),
        ("deal", "1 "),
        ("deal", "1 all"),
        ("told", ""),
        ("ask", "hints"),
        ("join", "0" * 64),
        ("revoke", "0" * 64),
        ("revoke", f"{'0' * 64} {'1' * 64}"),
        ("browser", "0" * 16),
    ],
)
def test_a_row_is_read_and_written_as_it_was(kind: str, text: str) -> None:
    row = EntryRow(kind, 1, text, "id", b"", 7)
    assert read_entry(row).to_row(1, 7) == row


@pytest.mark.parametrize(
    "row",
    [
        EntryRow("dance", 1),
        EntryRow("ask", 1, "money"),
        EntryRow("undo", 1, "soon"),
        EntryRow("deal", 0, ""),
        EntryRow("deal", 0, "1 some"),
        EntryRow("void", 0, "1 2"),
        EntryRow("give_up", 1, "1 2 x"),
        EntryRow("join", 1, "0" * 64),
        EntryRow("revoke", 1, "0" * 64),
    ],
)
def test_a_log_that_says_what_no_entry_can_is_reported_with_its_place(row: EntryRow) -> None:
    state = table_after(LOGS["moved"])
    with pytest.raises(StorageError, match=r"table t breaks at entry 2: "):
        take_in(state, row)


def test_each_request_is_decoded_into_its_class_and_nothing_of_the_servers_is_taken() -> None:
    extra = {"ply": 0, "token": "mine", "table": "other", "seen": "", "checked": {}, "throw": "", "key": []}
    own = {"move": "end", "what": "adjourn", "seat": 2, "how": "key", "commitment": "0", "share": "0"}
    own["code"] = f"join-{'0' * 22}"
    for asked in REQUESTS:
        kind = asked.__struct_config__.tag
        data = msgspec.json.encode(extra | own | {"type": kind, "id": "a", "version": 0})
        assert type(decoder.decode(data)) is asked
    server_side = set(KINDS) - {each.__struct_config__.tag for each in REQUESTS} - {"hint"}
    for kind in server_side:
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(msgspec.json.encode({"type": kind, "id": "a", "version": 0}))
