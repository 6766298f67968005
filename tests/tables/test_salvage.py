"""What can be worked out of a damaged database is put back, and nothing readable is dropped silently."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.tables.entries import replay
from bartizan.tables.errors import StorageError
from bartizan.tables.installed import Installed
from bartizan.tables.linking import checksum_of, first_fault, is_altered, linked
from bartizan.tables.storage.salvage import Salvage, salvage
from bartizan.tables.storage.sqlite import FILE_NAME, SqliteLog
from bartizan.tables.store import EntryRow, StoredEntry, TableRow

pytestmark = pytest.mark.anyio
GAMES = Installed()
GAME = "castle_danger"


def table(name: str) -> TableRow:
    keys = tuple(hashlib.sha256(f"{name}{seat}".encode()).digest() for seat in range(3))
    rules = GAMES.game(GAME).rules_version
    return TableRow(name, GAME, rules, {}, 2, ("person", "person"), f"{int(name[1:]) + 1:x}", keys, created=1)


def played(name: str, length: int) -> list[EntryRow]:
    """Return the log of a game between random players, with a hint now and then and some undos."""
    dice, rows, link = random.Random(name), list[EntryRow](), 0
    match = GAMES.match(GAME, {}, 2, table(name).seed)
    while len(rows) < length and not match.is_over:
        seat, chance = match.seat_to_move, dice.random()
        if chance < 0.1:
            row = EntryRow("hint", seat)
        elif chance < 0.15 and match.ply:
            row = EntryRow("undo", seat)
            match.undo()
        else:
            row = EntryRow("move", seat, match.play(dice.choice(match.legal())))
        rows.append(linked(link, msgspec.structs.replace(row, id=f"id{len(rows)}")))
        link = rows[-1].link
    return rows


async def kept(folder: Path, logs: dict[str, list[EntryRow]]) -> Path:
    """Store games whose entries come by turns, as at a busy server."""
    log = SqliteLog.open(folder)
    for name in logs:
        await log.create(table(name))
    for version in range(1, max(map(len, logs.values())) + 1):
        for name, rows in logs.items():
            if version <= len(rows):
                await log.append(name, version, rows[version - 1])
    await log.stop()
    return folder / FILE_NAME


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for each in statements:
            db.execute(each)
    db.close()


def deeds(entries: list[EntryRow]) -> list[tuple[str, int, str]]:
    return [(each.kind, each.seat, each.text) for each in entries]


def found(salvaged: Salvage, name: str) -> list[EntryRow]:
    return [each.entry for one in salvaged.tables if one.row.table == name for each in one.entries]


@pytest.mark.parametrize("gone", ["ply % 2 = 1", "ply % 3 > 0"])
async def test_one_or_two_missing_entries_are_restored(tmp_path: Path, gone: str) -> None:
    rows = played("t1", 60)
    assert {each.kind for each in rows} == {"move", "hint", "undo"}
    path = await kept(tmp_path, {"t1": rows})
    change(path, f"DELETE FROM log WHERE ply < 60 AND {gone}")
    salvaged = salvage(path, GAMES)
    assert deeds(found(salvaged, "t1")) == deeds(rows)
    assert [each.link for each in found(salvaged, "t1")] == [each.link for each in rows]
    (loss,) = salvaged.losses
    assert loss.startswith("Each of the entries 1, ")
    assert "prove" in loss
    assert not salvaged.behind


async def test_a_database_of_a_newer_version_is_called_one(tmp_path: Path) -> None:
    path = await kept(tmp_path, {"t1": played("t1", 5)})
    change(path, "PRAGMA user_version = 999")
    salvaged = salvage(path, GAMES)
    assert salvaged.losses == ("A newer Bartizan made this database; what only that one knows is left out.",)
    assert len(salvaged.tables) == 1


async def test_what_lies_behind_a_wide_gap_is_kept_apart(tmp_path: Path) -> None:
    rows = played("t1", 60)
    path = await kept(tmp_path, {"t1": rows})
    change(path, "DELETE FROM log WHERE ply BETWEEN 20 AND 39")
    salvaged = salvage(path, GAMES)
    assert found(salvaged, "t1") == rows[:19]
    assert [each.version for each in salvaged.behind["t1"]] == list(range(40, 61))
    assert [each.entry for each in salvaged.behind["t1"]] == rows[39:]
    assert salvaged.losses == (
        "Table t1 ends at entry 19 of 60. 21 entries behind the gap can be read but not played.",
    )
    change(path, "DELETE FROM tables")
    salvaged = salvage(path, GAMES)
    assert not salvaged.tables
    assert len(salvaged.behind["t1"]) == 40


@pytest.mark.parametrize(
    "column", ["text = 'b1-a1'", "at = at + 1", "seat = 3 - seat", "id = ''", "link = 5"]
)
async def test_a_changed_entry_is_noticed_named_and_restored(tmp_path: Path, column: str) -> None:
    rows = played("t1", 30)
    path = await kept(tmp_path, {"t1": rows})
    change(path, f"UPDATE log SET {column} WHERE ply = 20")
    log = SqliteLog.open(tmp_path)
    with pytest.raises(StorageError, match="Entry 20 of table t1 was changed"):
        await log.read("t1")
    stored = await log.stored("t1")
    await log.stop()
    assert stored is not None
    assert first_fault("t1", stored.entries) == "Entry 20 of table t1 was changed in the database."
    salvaged = salvage(path, GAMES)
    assert deeds(found(salvaged, "t1")) == deeds(rows)
    assert "Entry 20 of table t1 was changed in the file." in salvaged.losses


@pytest.mark.parametrize("text", ["text = 'b1-a1'", "seat = 3 - seat", "text = 'b1-a1', link = 0"])
async def test_an_entry_that_the_next_one_disproves_is_restored(tmp_path: Path, text: str) -> None:
    rows = played("t1", 30)
    path = await kept(tmp_path, {"t1": rows})
    change(path, f"UPDATE log SET {text}, checksum = 0 WHERE ply = 20")
    salvaged = salvage(path, GAMES)
    assert deeds(found(salvaged, "t1")) == deeds(rows)
    assert "Entry 20 of table t1 was restored" in salvaged.losses[0]


async def test_a_missing_entry_is_not_skipped(tmp_path: Path) -> None:
    """The rest of the log was played without it, if it was legal."""
    path = await kept(tmp_path, {"t1": played("t1", 30)})
    change(path, "DELETE FROM log WHERE ply = 20")
    log = SqliteLog.open(tmp_path)
    with pytest.raises(StorageError, match="Entry 20 of table t1 is missing"):
        await log.read("t1")
    await log.stop()


async def test_entries_without_links_are_inferred_only_if_nothing_else_fits(tmp_path: Path) -> None:
    logs = {f"t{number}": played(f"t{number}", 50) for number in range(20)}
    path = await kept(tmp_path, logs)
    change(path, "UPDATE log SET link = 0, checksum = 0", "DELETE FROM log WHERE ply = 20")
    salvaged = salvage(path, GAMES)
    longer = 0
    for one in salvaged.tables:
        entries, full = [each.entry for each in one.entries], logs[one.row.table]
        if len(entries) > 19:
            longer += 1
            assert deeds(entries) == deeds(full)
            assert f"Entry 20 of table {one.row.table} was restored: by the rules" in "".join(salvaged.losses)
            replay(GAMES, one.row, entries)
        else:
            assert [each.version for each in salvaged.behind[one.row.table]] == list(range(21, len(full) + 1))
    assert 0 < longer < 20


async def test_entries_are_found_without_the_pages_that_lead_to_them(tmp_path: Path) -> None:
    """A third of a log was lost with a single inner page."""
    logs = {f"t{number}": played(f"t{number}", 80) for number in range(60)}
    path = await kept(tmp_path, logs)
    data = bytearray(path.read_bytes())
    size = 4096
    inner = [at for at in range(size, len(data), size) if data[at] == 5]
    assert inner
    for at in inner:
        data[at : at + size] = bytes(size)
    path.write_bytes(data)
    salvaged = salvage(path, GAMES)
    for name, rows in logs.items():
        assert found(salvaged, name) == rows


async def test_any_damage_leaves_only_what_was_there(tmp_path: Path) -> None:
    """Whatever happens to the file, salvage says nothing false and fails in no unknown way."""
    logs = {f"t{number}": played(f"t{number}", 12) for number in range(8)}
    path, dice = await kept(tmp_path, logs), random.Random(3)
    whole = path.read_bytes()
    for _ in range(150):
        content = bytearray(whole)
        for _ in range(dice.randint(1, 8)):
            at, junk = dice.randrange(len(content)), dice.randbytes(dice.choice((1, 3, 300)))
            content[at : at + len(junk)] = junk
        path.write_bytes(content)
        try:
            salvaged = salvage(path)
        except StorageError:
            continue
        for one in salvaged.tables:
            entries = [each.entry for each in one.entries]
            assert deeds(entries) == deeds(logs.get(one.row.table, [])[: len(entries)])


TEXT = st.text(st.characters(exclude_characters="\0"), max_size=8)
ROWS = st.builds(
    EntryRow, TEXT, st.integers(0, 9), TEXT, TEXT, st.binary(max_size=9), st.integers(0, 9), st.integers(0, 9)
)


@given(ROWS, ROWS, st.integers(1, 9), st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_checksum_covers_every_column(
    one: EntryRow, two: EntryRow, v: int, w: int, at: int, to: int
) -> None:
    stored = StoredEntry(v, one, at, checksum_of("t", v, one, at))
    assert not is_altered("t", stored)
    other = StoredEntry(w, two, to, stored.checksum)
    assert is_altered("t", other) == (other != stored)
    assert is_altered("u", stored)
