"""Backups and damage: files are taken up whole or refused with a sentence, and what can be read is saved."""

from __future__ import annotations

import gzip
import hashlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.tables.agreement import Agreement, ClockRule
from bartizan.tables.errors import StorageError
from bartizan.tables.storage import open_log
from bartizan.tables.storage.archive import (
    FORM,
    BadArchive,
    check_archive,
    fault_of,
    read_archive,
    write_archive,
)
from bartizan.tables.storage.salvage import salvage
from bartizan.tables.storage.sqlite import FILE_NAME, SqliteLog
from bartizan.tables.store import ChatRow, EntryRow, PersonRow, StoredEntry, StoredTable, TableRow
from tests.postgres import Cluster

pytestmark = pytest.mark.anyio


def key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def stored(name: str, entries: int = 3, text: str = "play 1") -> StoredTable:
    row = TableRow(
        name,
        "duel",
        1,
        {"high": True},
        2,
        ("person", "random"),
        "abc",
        (key(name), key(name + "1"), b""),
        created=1000 + int(name[1:]),
        agreement=Agreement(clock=ClockRule(kind="move", seconds=30)),
        more_keys=(),
    )
    log = tuple(
        StoredEntry(at, EntryRow("move", 1, f"{text} {at}", f"id{at}", bytes([at] * 5), at), 2000 + at)
        for at in range(1, entries + 1)
    )
    return StoredTable(row, log, (PersonRow(1, "Ada", "tower"),), (ChatRow(1, 1, "hm", "", 5),), (9, entries))


def lines(*tables: StoredTable) -> list[bytes]:
    return [FORM.encode(), *(msgspec.json.encode(each) for each in tables)]


def pack(path: Path, body: list[bytes], **end: Any) -> Path:
    """Write an archive by hand, with an end that fits unless another is given."""
    data = b"".join(line + b"\n" for line in body)
    last = {"tables": len(body) - 1, "digest": hashlib.sha256(data).hexdigest()} | end
    path.write_bytes(gzip.compress(data + msgspec.json.encode(last) + b"\n", mtime=0))
    return path


async def test_tables_go_to_postgresql_and_back(tmp_path: Path, postgres: Cluster) -> None:
    tables = [stored(f"t{number}") for number in range(5)]
    one, two, three = SqliteLog.open(tmp_path / "a"), open_log(tmp_path, postgres.database()), None
    try:
        await one.restore(tables)
        assert await write_archive(one, tmp_path / "one.gz") == 5
        assert check_archive(tmp_path / "one.gz") == 5
        await two.restore(read_archive(tmp_path / "one.gz"))
        await write_archive(two, tmp_path / "two.gz")
        three = SqliteLog.open(tmp_path / "b")
        await three.restore(read_archive(tmp_path / "two.gz"))
        assert [each async for each in three.dump()] == tables
        assert await three.find(key("t3")) == ("t3", 0)
        assert (tmp_path / "one.gz").stat().st_mode & 0o077 == 0  # it holds seeds
    finally:
        for log in filter(None, (one, two, three)):
            await log.stop()


def spoilt(**row: Any) -> StoredTable:
    table = stored("t1")
    return msgspec.structs.replace(table, row=msgspec.structs.replace(table.row, **row))


HOSTILE: dict[str, StoredTable] = {
    "invalid name": spoilt(table="../../etc"),
    "5 seats and 2 players": spoilt(seats=5),
    "seats and 2 keys": spoilt(tokens=(key("a"), key("b"))),
    "Table t1 has invalid keys": spoilt(tokens=(b"short", key("b"), b"")),
    "invalid keys": spoilt(tokens=(key("b"), key("b"), b"")),
    "another number of seats": spoilt(agreement=Agreement(series=(1, 2, 3))),
    "10 to": spoilt(agreement=Agreement(clock=ClockRule(kind="fischer", seconds=3))),
    "too large": spoilt(created=2**60),
    "4001 characters": spoilt(seed="x" * 4001),
    "NUL": spoilt(players=("person", "a\0b")),
    "version 2 where 1 follows": msgspec.structs.replace(stored("t1"), entries=stored("t1").entries[1:]),
    "no seat 3": msgspec.structs.replace(stored("t1"), chat=(ChatRow(1, 3, "hm", "", 5),)),
    "out of order": msgspec.structs.replace(stored("t1"), chat=(ChatRow(1, 1, "a", "", 5),) * 2),
    "listed twice": msgspec.structs.replace(stored("t1"), persons=(PersonRow(1, "A", ""),) * 2),
}


@pytest.mark.parametrize("sentence", HOSTILE)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, sentence: str) -> None:
    path = pack(tmp_path / "x.gz", lines(stored("t0"), HOSTILE[sentence]))
    with pytest.raises(BadArchive, match=f"line 3: .*{sentence}"):
        check_archive(path)


def test_a_file_that_is_none_or_was_cut_or_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    good = lines(stored("t0"), stored("t1"))
    assert check_archive(pack(path, good)) == 2
    whole = path.read_bytes()
    for data, words in (
        (b"no gzip", "is not what"),
        (b"", "does not begin with"),
        (whole[:-20], "is not what"),
        (whole[: len(whole) // 2], "is not what|was cut off"),
        (gzip.compress(b"hello\n"), "does not begin with"),
        (gzip.compress(FORM.encode() + b"\n"), "was cut off after line 1"),
        (whole + gzip.compress(b"more"), "continues after"),
    ):
        path.write_bytes(data)
        with pytest.raises(BadArchive, match=words):
            check_archive(path)
    for body, end, words in (
        (good, {"tables": 3}, "was changed"),
        (good, {"digest": "0" * 64}, "was changed"),
        (good, {"digest": 5}, "line 4"),
        ([*good, good[1]], {}, "t0 is listed twice"),
        ([*good, b'{"row": 5}'], {}, "line 4"),
        ([*good, b"[" * 100_000], {}, "line 4"),
        ([*good, b"\xff\xfe"], {}, "line 4"),
    ):
        with pytest.raises(BadArchive, match=words):
            check_archive(pack(path, body, **end))
    with pytest.raises(BadArchive, match="cannot be read"):
        check_archive(tmp_path / "missing.gz")


@given(st.data())
def test_a_changed_byte_is_noticed_or_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = pack(tmp_path_factory.mktemp("a") / "x.gz", lines(stored("t0")))
    before = list(read_archive(path))
    packed = bytearray(path.read_bytes())
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(packed)
    try:
        after = list(read_archive(path))
    except BadArchive:
        return
    assert after == before  # the name or the time in the head of the gzip file, say


async def test_what_a_damaged_database_still_holds_is_saved(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    log = SqliteLog.open(folder)
    tables = [stored(f"t{number}", 40, "m" * 60) for number in range(60)]
    await log.restore(tables)
    await log.stop()
    path = folder / FILE_NAME
    with sqlite3.connect(path) as db:
        size, pages = (db.execute(f"PRAGMA page_{word}").fetchone()[0] for word in ("size", "count"))
    db.close()
    before = path.read_bytes()
    found = salvage(path)
    assert list(found.tables) == tables
    assert not found.losses
    data = bytearray(before)
    at = pages // 2 * size
    data[at : at + 6 * size] = random.Random(5).randbytes(6 * size)
    path.write_bytes(data)
    with pytest.raises(StorageError, match="bartizan tables salvage"):
        SqliteLog.open(folder)
    found = salvage(path)
    assert path.read_bytes() == bytes(data)  # nothing is written to what is damaged
    by_name = {each.row.table: each for each in tables}
    whole = [each for each in found.tables if each == by_name[each.row.table]]
    assert len(whole) > 30
    for each in found.tables:  # what is shorter is the beginning of what there was, and is named
        full = by_name[each.row.table]
        assert each.row == full.row
        assert each.entries == full.entries[: len(each.entries)]
        assert not fault_of(each)
        if each.entries != full.entries:
            assert any(full.row.table in loss or "of the log" in loss for loss in found.losses)
    lost = by_name.keys() - {each.row.table for each in found.tables}
    assert all(any(name in loss for loss in found.losses) for name in lost)
    assert len(whole) < 60


def test_nothing_can_be_saved_of_what_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"These are my notes. " * 1000)
    with pytest.raises(StorageError, match="Nothing can be read"):
        salvage(path)
    sqlite3.connect(tmp_path / "other").close()
    (tmp_path / "other").touch()
    with pytest.raises(StorageError, match="Nothing can be read"):
        salvage(tmp_path / "other")


@pytest.mark.parametrize("how", ["emptied", "deleted", "deleted beside its WAL"])
async def test_a_database_that_is_gone_is_not_taken_for_a_new_one(tmp_path: Path, how: str) -> None:
    """An emptied database, or one deleted beside its WAL, started as an empty server without a word."""
    log = SqliteLog.open(tmp_path)
    await log.restore([stored("t1")])
    path, wal = tmp_path / FILE_NAME, tmp_path / f"{FILE_NAME}-wal"
    left = wal.read_bytes()
    await log.stop()
    if how == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    if "WAL" in how:
        (tmp_path / "tables.kept").unlink()
        wal.write_bytes(left)
    with pytest.raises(StorageError, match="Restore it, or start over"):
        SqliteLog.open(tmp_path)
    assert not path.exists() or how == "emptied"
    if "WAL" in how:
        assert wal.read_bytes() == left
    for each in tmp_path.iterdir():  # what the sentence says: delete these, and a new one begins
        each.unlink()
    SqliteLog.open(tmp_path).close()
