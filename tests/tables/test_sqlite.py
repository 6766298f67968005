"""What SQLite alone does: forms of before, full disks, damage, `kill -9`."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bartizan.tables.errors import StorageError
from bartizan.tables.storage.local_bus import LocalBus, meeting_place
from bartizan.tables.storage.sqlite import FILE_NAME, SqliteLog
from bartizan.tables.storage.sqlite_form import APPLICATION_ID, sentence_of
from bartizan.tables.store import EntryRow
from tests.server.serving import ROOT, refuse_to_start
from tests.tables.stores import move, row

pytestmark = pytest.mark.anyio


async def test_appends_that_wait_share_a_commit(tmp_path: Path) -> None:
    log = SqliteLog.open(tmp_path)
    await asyncio.gather(*(log.create(row(f"t{n}")) for n in range(500)))
    commits: list[str] = []
    log._writer.set_trace_callback(lambda text: commits.append(text) if text == "COMMIT" else None)
    await asyncio.gather(*(log.append(f"t{n}", 1, move(n)) for n in range(500)))
    assert 1 <= len(commits) < 50
    assert len(await log.read("t499")) == 1
    log.close()


def test_the_last_to_leave_removes_the_meeting_place(tmp_path: Path) -> None:
    place = meeting_place(tmp_path)
    first, second = LocalBus(tmp_path, "first"), LocalBus(tmp_path, "second")
    assert place is not None
    assert len(list(place.iterdir())) == 2
    first.close()
    assert place.is_dir()
    second.close()
    assert not place.exists()


async def test_the_disk_is_never_waited_for_on_the_loop(tmp_path: Path) -> None:
    log = SqliteLog.open(tmp_path)
    await log.create(row("t"))
    await log.append("t", 1, move(1))
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # the writer now waits
    waiting = asyncio.ensure_future(log.append("t", 2, move(2)))
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert not waiting.done()
    other.execute("ROLLBACK")
    other.close()
    await waiting
    log.close()


async def test_a_database_of_the_first_form_is_brought_up_to_date(tmp_path: Path) -> None:
    log = SqliteLog.open(tmp_path)
    await log.create(row("t"))
    await log.append("t", 1, move(1))
    log.close()
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.executescript("""
            DROP INDEX tokens_of_table;
            ALTER TABLE tokens RENAME TO kept;
            CREATE TABLE tokens (
                hash BLOB PRIMARY KEY, table_id TEXT NOT NULL, seat INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX tokens_of_table ON tokens (table_id, seat);
            INSERT INTO tokens SELECT hash, table_id, seat FROM kept;
            DROP TABLE kept;
            CREATE TABLE log_1 (
                table_id TEXT NOT NULL, ply INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
                text TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (table_id, ply)
            ) WITHOUT ROWID;
            INSERT INTO log_1 SELECT table_id, ply, kind, seat, text, id, at FROM log;
            DROP TABLE log;
            ALTER TABLE log_1 RENAME TO log;
            ALTER TABLE tables DROP COLUMN agreement;
            ALTER TABLE tables DROP COLUMN closed;
            DROP TABLE clocks; DROP TABLE servers; DROP TABLE persons; DROP TABLE chat;
            DROP TABLE reports; DROP TABLE pushes;
            PRAGMA user_version = 1;
        """)
    db.close()
    for _ in range(2):
        log = SqliteLog.open(tmp_path)
        found = await log.table("t")
        assert found is not None
        assert found.tokens == (b"1", b"2", b"")
        assert await log.read("t") == [move(1)]
        log.close()
    log = SqliteLog.open(tmp_path)
    await log.create(row("u", b"1", b"2", b""))
    log.close()


async def test_a_folder_of_today_is_read_by_whoever_comes_later(tmp_path: Path) -> None:
    """Data folders go on working: this is the form as it lies on people's disks, column by column."""
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.executescript(f"""
            CREATE TABLE tables (
                id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, options TEXT NOT NULL,
                seats INTEGER NOT NULL, players TEXT NOT NULL, seed TEXT NOT NULL, created INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE tokens (
                hash BLOB NOT NULL, table_id TEXT NOT NULL, seat INTEGER NOT NULL,
                PRIMARY KEY (hash, table_id)
            ) WITHOUT ROWID;
            CREATE INDEX tokens_of_table ON tokens (table_id, seat);
            CREATE TABLE log (
                table_id TEXT NOT NULL, ply INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
                text TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (table_id, ply)
            ) WITHOUT ROWID;
            INSERT INTO tables VALUES ('t', 'duel', 1, '{{"high":true}}', 2, '["person","random"]', 'abc', 7);
            INSERT INTO tokens VALUES (x'31', 't', 0), (x'32', 't', 1);
            INSERT INTO log VALUES ('t', 1, 'move', 1, 'play 1', 'id1', 8), ('t', 2, 'undo', 1, '', 'id2', 9);
            PRAGMA application_id = {APPLICATION_ID};
            PRAGMA user_version = 2;
        """)
    db.close()
    log = SqliteLog.open(tmp_path)
    assert await log.table("t") == msgspec.structs.replace(row("t"), created=7)
    assert await log.read("t") == [move(1), EntryRow("undo", 1, "", "id2")]
    await log.append("t", 3, move(3))
    assert await log.read("t", 2) == [move(3)]
    log.close()


async def test_a_full_disk_is_an_error_to_the_mover_and_the_log_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = SqliteLog.open(tmp_path)
    await log.create(row("t"))
    await log.append("t", 1, move(1))
    # SQLite answers as on a full disk; it rounds up to the size that there is.
    log._writer.execute("PRAGMA max_page_count = 1")
    big = [EntryRow("move", 1, "x" * 4000)] * 200

    async def fill() -> None:
        for version, entry in enumerate(big, 2):
            await log.append("t", version, entry)

    with pytest.raises(StorageError, match="disk is full"):
        await fill()
    assert "commit failed: the disk is full" in caplog.text
    kept = len(await log.read("t"))
    log._writer.execute("PRAGMA max_page_count = 1000000")
    await log.append("t", kept + 1, move(2))
    log.close()


def spoil_garbage(path: Path) -> None:
    path.write_bytes(b"These are my notes, not a database. " * 100)


def spoil_foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")


def spoil_newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA user_version = 99")
        db.execute("CREATE TABLE log (x)")


def spoil_pages(path: Path) -> None:
    async def fill() -> None:
        log = SqliteLog.open(path.parent)
        await asyncio.gather(*(log.create(row(f"t{n}")) for n in range(300)))
        await asyncio.gather(*(log.append(f"t{n}", 1, EntryRow("move", 1, "m" * 300)) for n in range(300)))
        log.close()

    asyncio.run(fill())
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 200] = os.urandom(200)
    path.write_bytes(data)


def spoil_folder(path: Path) -> None:
    path.mkdir()


SPOILS = {
    "damaged or no database": spoil_garbage,
    "not a database of Bartizan's": spoil_foreign,
    "made by a newer Bartizan": spoil_newer,
    "is damaged": spoil_pages,
    "tables.sqlite cannot be used: it is a folder": spoil_folder,
}


@pytest.mark.parametrize("sentence", SPOILS)
def test_a_spoiled_database_is_one_sentence_and_exit_code_2(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / FILE_NAME
    SPOILS[sentence](path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StorageError, match=sentence):
        SqliteLog.open(tmp_path)
    assert before is None or path.read_bytes() == before  # nothing of somebody else's is touched
    assert sentence in refuse_to_start("0", str(tmp_path))


@pytest.mark.parametrize("fault", ["attempt to write a readonly database", "unable to open database file"])
def test_a_database_that_cannot_be_written_is_not_given_up(tmp_path: Path, fault: str) -> None:
    sentence = sentence_of(tmp_path / FILE_NAME, sqlite3.OperationalError(fault))
    assert sentence.endswith(
        f"{FILE_NAME} cannot be written. Check its permissions, and the space on its disk."
    )


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"data folder .* cannot be used"):
        SqliteLog.open(tmp_path / "file" / "data")


def test_the_log_is_for_its_owner_only(tmp_path: Path) -> None:
    SqliteLog.open(tmp_path / "data").close()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert (tmp_path / "data" / FILE_NAME).stat().st_mode & 0o077 == 0


WRITER = """
import asyncio, sys
from pathlib import Path
from bartizan.tables.errors import Conflict
from bartizan.tables.storage.sqlite import SqliteLog
from bartizan.tables.store import EntryRow
from tests.tables.stores import row

async def run(folder):
    log = SqliteLog.open(Path(folder))
    async def table(name):
        try:
            await log.create(row(name))
        except Conflict:
            pass
        version = len(await log.read(name))
        while True:
            version += 1
            await log.append(name, version, EntryRow("move", 1, f"{name} {version}"))
            sys.stdout.write(f"{name} {version}\\n")
            sys.stdout.flush()
    await asyncio.gather(*(table(f"t{n}") for n in range(8)))

asyncio.run(run(*sys.argv[1:]))
"""


async def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    acknowledged: dict[str, int] = {}
    chance = random.Random(7)
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]  # it is writing
            await asyncio.sleep(chance.uniform(0.05, 0.3))
            process.send_signal(signal.SIGKILL)
            lines += process.stdout.readlines()
        for line in lines:
            if line.endswith(b"\n"):  # a torn last line was not read by anybody
                name, number = line.decode().split()
                acknowledged[name] = max(acknowledged.get(name, 0), int(number))
    log = SqliteLog.open(tmp_path)
    assert sum(acknowledged.values()) > 100
    for name, version in acknowledged.items():
        texts = [entry.text for entry in await log.read(name)]
        assert texts == [f"{name} {at}" for at in range(1, len(texts) + 1)]
        assert len(texts) >= version
    log.close()
