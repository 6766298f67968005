"""``bartizan tables``: what a host does with a server's tables."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from bartizan.cli.main import main
from bartizan.tables.storage.archive import BadArchive
from bartizan.tables.storage.sqlite import FILE_NAME, SqliteLog
from bartizan.tables.store import EntryRow, ReportRow, TableRow, TableSummary
from tests.postgres import Cluster

FILES = Path(__file__).parents[1] / "compatibility" / "files"


class Host:
    """Somebody at a shell."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> tuple[int, str, str]:
        code = main(["tables", *map(str, words)])
        out, err = self._capsys.readouterr()
        return code, out, err

    def names(self, *place: object) -> list[str]:
        code, out, _ = self("list", "--json", *place)
        assert code == 0
        return [json.loads(line)["table"] for line in out.splitlines()]


@pytest.fixture
def host(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.delenv("BARTIZAN_DATABASE", raising=False)
    return Host(capsys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with the tables of an earlier version."""
    (tmp_path / "data").mkdir()
    shutil.copy(FILES / FILE_NAME, tmp_path / "data")
    return tmp_path / "data"


def test_tables_are_listed_and_shown_without_secrets(host: Host, folder: Path) -> None:
    code, out, _ = host("list", "--data", folder)
    assert code == 0
    names = host.names("--data", folder)
    assert len(names) == 9
    assert all(name in out for name in names)
    assert "9 tables in" in out
    for name in names:
        code, shown, _ = host("show", name, "--data", folder)
        assert code == 0
        assert f"table        {name}" in shown
        seed = re.compile(rf"\b{asyncio.run(_seed(folder, name))}\b")
        assert not seed.search(shown + out)
    code, _, err = host("show", names[0][:-1] + "x", "--data", folder)
    assert code == 2
    assert names[0] in err  # the nearest


async def _seed(folder: Path, name: str) -> str:
    log = SqliteLog.open(folder)
    row = await log.table(name)
    await log.stop()
    assert row is not None
    return row.seed


def test_tables_are_closed_and_deleted(host: Host, folder: Path) -> None:
    names = host.names("--data", folder)
    told = [f"Table {name} is closed" for name in names]
    assert host("close", names[0], "--data", folder)[:2] == (0, f"{told[0]}.\n")
    assert host("close", *names[:2], "--data", folder)[:2] == (0, f"{told[0]} already.\n{told[1]}.\n")
    _, out, _ = host("list", "--json", "--data", folder)
    tables = [msgspec.json.decode(line, type=TableSummary) for line in out.splitlines()]
    assert [each.table for each in tables if each.closed] == names[:2]
    for already in ("", " already"):
        code, out, _ = host("reopen", names[0], "--data", folder)
        assert (code, out) == (0, f"Table {names[0]} is open{already}.\n")
    unplayed = [each.table for each in tables if not each.moves]
    assert unplayed
    code, out, _ = host("delete", names[1], "--unplayed", "0", "--data", folder)
    assert code == 0
    assert f"Table {names[1]} is deleted." in out
    assert set(host.names("--data", folder)) == set(names) - {names[1], *unplayed}
    # One name of several is wrong: nothing is done.
    code, _, err = host("delete", names[0], "nothing", "--data", folder)
    assert code == 2
    assert "There is no table 'nothing'" in err
    assert names[0] in host.names("--data", folder)
    assert host("delete", "--data", folder)[0] == 2


def test_an_export_replaces_nothing_but_an_export(host: Host, folder: Path, tmp_path: Path) -> None:
    names = host.names("--data", folder)
    for file in (folder / FILE_NAME, folder / "tables.kept"):
        code, _, err = host("export", file, "--data", folder)
        assert (code, err) == (2, f"bartizan: {file} exists and isn't an export: choose a different name.\n")
    assert host.names("--data", folder) == names
    for _ in range(2):
        assert host("export", tmp_path / "tables.gz", "--data", folder)[0] == 0


def test_a_backup_is_taken_up_elsewhere(host: Host, folder: Path, tmp_path: Path) -> None:
    backup, other = tmp_path / "backup.gz", tmp_path / "other"
    names = host.names("--data", folder)
    assert host("export", backup, "--data", folder)[0] == 0
    assert host("import", backup, "--data", other)[0] == 0
    assert host.names("--data", other) == names
    code, out, _ = host("import", backup, "--data", other)
    assert code == 0
    assert "0 tables are new" in out
    assert "9 tables were already there" in out
    code, out, _ = host("check", "--data", other)
    assert code == 0
    assert re.search("^9 tables of 9 in .* are intact\\.$", out)
    asyncio.run(_spoil(other, names[0]))
    code, out, _ = host("check", "--data", other)
    assert code == 1
    assert f"{names[0]}: The log of table {names[0]} breaks at entry" in out
    assert "8 tables of 9" in out
    code, _, err = host("import", backup, "--data", other)  # it would be another table
    assert code == 2
    assert f"Table {names[0]} is in" in err
    assert host("audit", "--data", other)[1].count("import") == 2  # not the one that was refused
    backup.write_bytes(backup.read_bytes()[:-9])
    code, _, err = host("import", backup, "--data", tmp_path / "third")
    assert code == 2
    assert err.count("\n") == 1
    assert not (tmp_path / "third").exists()


def test_what_a_host_does_is_written_down(host: Host, folder: Path, tmp_path: Path) -> None:
    names = host.names("--data", folder)
    assert "nothing" in host("audit", "--data", folder)[2]
    assert host("close", names[0], "--data", folder)[0] == 0
    assert host("close", "nothing", "--data", folder)[0] == 2  # nothing is done
    assert host("delete", names[1], "--unplayed", "7", "--data", folder)[0] == 0
    assert host("export", tmp_path / "all.gz", "--data", folder)[0] == 0
    code, out, _ = host("audit", "--json", "--data", folder)
    told = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(each["what"], each["about"]) for each in told] == [
        ("close", [names[0]]),
        ("delete", [names[1], "unplayed for 7 days"]),
        ("export", [str(tmp_path / "all.gz")]),
    ]
    log = folder / "audit.jsonl"
    assert log.stat().st_mode & 0o077 == 0
    log.write_bytes(log.read_bytes() + b'{"at": -1}\n' + b"[" * 100_000)
    code, out, err = host("audit", "--data", folder)
    assert code == 1
    assert out.count("\n") == 3
    assert "2 lines can't be read" in err
    # Where nothing can be written down, nothing is done.
    log.unlink()
    log.mkdir()
    code, _, err = host("delete", names[0], "--data", folder)
    assert code == 2
    assert "Nothing was done" in err
    assert names[0] in host.names("--data", folder)


def test_backups_are_checked_and_the_oldest_are_deleted(
    host: Host, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups, names = tmp_path / "backups", host.names("--data", folder)
    backups.mkdir()
    (backups / "tables-of-mine.jsonl.gz").write_bytes(b"not ours")
    for number in range(3):
        (backups / f"tables-2025010{number + 1}T000000Z.jsonl.gz").write_bytes(b"an old one")
    code, out, _ = host("backup", backups, "--keep", 2, "--data", folder)
    assert code == 0
    assert "9 tables are in" in out
    assert "Deleted 2 old." in out
    assert (backups / "tables-of-mine.jsonl.gz").exists()
    _, newest = sorted(each.name for each in backups.glob("tables-2*"))
    assert (backups / newest).stat().st_mode & 0o077 == 0
    assert host("import", backups / newest, "--data", tmp_path / "other")[0] == 0
    assert host.names("--data", tmp_path / "other") == names
    # A file that can't be read back deletes nothing, and isn't kept as a backup.
    before = set(backups.iterdir())
    monkeypatch.setattr("bartizan.cli.backups.time.strftime", lambda *_: "20990101T000000Z")
    monkeypatch.setattr("bartizan.tables.storage.archive.check_archive", _unreadable)
    code, _, err = host("backup", backups, "--keep", 1, "--data", folder)
    assert code == 2
    assert "line 3" in err
    assert set(backups.iterdir()) == before


def _unreadable(path: Path) -> int:
    raise BadArchive(f"{path}, line 3: cut off.")


def test_backups_at_intervals_outlast_a_failure(
    host: Host, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 1:
            (folder / FILE_NAME).rename(folder / "gone")
        elif len(waits) == 2:
            (folder / "gone").rename(folder / FILE_NAME)
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr("bartizan.cli.backups.asyncio.sleep", sleep)
    code, out, err = host("backup", tmp_path / "backups", "--every", "10m", "--data", folder)
    assert code == 130
    assert out.count("9 tables are in") == 2
    assert f"No backup was made. {folder / FILE_NAME} is gone, though tables have been kept there" in err
    assert all(590 < seconds <= 600 for seconds in waits)


def test_seats_are_blocked_and_reports_listed(host: Host, folder: Path) -> None:
    async def prepare() -> tuple[TableRow, bytes]:
        log = SqliteLog.open(folder)
        rows = [await log.table(each.table) for each in await log.summaries()]
        row = next(row for row in rows if row and row.players.count("person") > 1)
        await log.report(row.table, ReportRow(1, "a", "Ada", 2, "", "insults \u2066", "you lose", 7_000))
        await log.stop()
        return row, row.tokens[2]

    async def is_blocked(key: bytes) -> bool:
        log = SqliteLog.open(folder)
        blocked = await log.is_blocked(key)
        await log.stop()
        return blocked

    row, key = asyncio.run(prepare())
    code, out, _ = host("block", row.table, 2, "--data", folder)
    assert code == 0
    assert out == f"Seat 2 of table {row.table}: blocked.\n"
    assert asyncio.run(is_blocked(key))
    shown = host("show", row.table, "--data", folder)[1]
    assert "blocked      seat 2" in shown
    assert "reports      1" in shown
    code, _, err = host("block", row.table, 9, "--data", folder)
    assert code == 2
    assert "No one has a key to seat 9" in err
    assert "only to the spectators' link, seat 1 and seat 2." in err
    assert host("block", row.table, 101, "--data", folder)[0] == 2
    for already in ("", " already"):
        code, out, _ = host("unblock", row.table, 2, "--data", folder)
        assert (code, out) == (0, f"Seat 2 of table {row.table}: unblocked{already}.\n")
    assert not asyncio.run(is_blocked(key))
    told = [json.loads(line) for line in host("audit", "--json", "--data", folder)[1].splitlines()]
    assert [(each["what"], each["about"]) for each in told] == [
        (what, [row.table, "seat 2"]) for what in ("block", "unblock", "unblock")
    ]
    code, out, _ = host("reports", "--data", folder)
    assert code == 0
    assert f"{row.table}  seat 1 (Ada) reported seat 2: insults" in out
    assert "about the chat line: you lose" in out
    assert "\u2066" not in out
    (line,) = host("reports", "--json", "--data", folder)[1].splitlines()
    assert json.loads(line)["about"] == 2
    # Where nothing can be written down, no one is blocked.
    (folder / "audit.jsonl").unlink()
    (folder / "audit.jsonl").mkdir()
    assert host("block", row.table, 2, "--data", folder)[0] == 2
    assert not asyncio.run(is_blocked(key))


async def _spoil(folder: Path, name: str) -> None:
    log = SqliteLog.open(folder)
    await log.append(name, len(await log.read(name)) + 1, EntryRow("move", 1, "no such move"))
    await log.stop()


def test_tables_move_to_postgresql_by_command(
    host: Host, folder: Path, tmp_path: Path, postgres: Cluster
) -> None:
    address, backup = postgres.database(), tmp_path / "backup.gz"
    assert host("export", backup, "--data", folder)[0] == 0
    assert host("import", backup, "--database", address)[0] == 0
    assert host.names("--database", address) == host.names("--data", folder)
    code, out, _ = host("check", "--database", address)
    assert code == 0
    assert "postgres" not in out  # no user, no password
    code, _, err = host("list", "--database", "postgresql://nobody:secret@127.0.0.1:1/none")
    assert code == 2
    assert "cannot be used" in err
    assert "secret" not in err


@pytest.mark.parametrize("value", ["x'00ff'", "'x'"])
@pytest.mark.parametrize("kind", ["tables", "tokens", "log"])
def test_a_damaged_column_is_named(host: Host, folder: Path, kind: str, value: str) -> None:
    """Most of them were internal errors."""
    host("list", "--data", folder)  # brought up to date
    whole = (folder / FILE_NAME).read_bytes()
    with sqlite3.connect(folder / FILE_NAME) as db:
        columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({kind})")]
    refused = 0
    for column in columns:
        (folder / FILE_NAME).write_bytes(whole)
        with suppress(sqlite3.IntegrityError), sqlite3.connect(folder / FILE_NAME) as db:
            db.execute(f"UPDATE {kind} SET {column} = {value}")
        code, out, _ = host("check", "--data", folder)  # goes through the others too
        assert code in (0, 1), column
        assert re.search(r"^\d tables? of 9 in ", out, re.MULTILINE), out
        for words in ("list",), ("export", folder / "out"):
            code, _, err = host(*words, "--data", folder)
            assert code in (0, 1, 2), (column, err)
            assert (code == 2) == bool(re.search("^bartizan: Table .* can't be read: ", err)), (column, err)
            refused += code == 2
    assert refused


def test_a_damaged_database_is_saved_into_a_new_folder(host: Host, folder: Path, tmp_path: Path) -> None:
    names = host.names("--data", folder)
    code, out, _ = host("salvage", "--data", folder, "--into", tmp_path / "saved")
    assert code == 0
    assert "9 tables of" in out
    assert not (tmp_path / "saved" / "unplayable.jsonl").exists()
    assert host.names("--data", tmp_path / "saved") == names
    code, _, err = host("salvage", "--data", folder, "--into", tmp_path / "saved")
    assert code == 2
    assert "has tables already" in err
    with sqlite3.connect(folder / FILE_NAME) as db:
        long, entries = db.execute("SELECT table_id, MAX(ply) FROM log GROUP BY 1 ORDER BY 2 DESC").fetchone()
        db.execute("DELETE FROM log WHERE table_id = ? AND ply BETWEEN 2 AND 5", (long,))
    db.close()
    code, out, _ = host("salvage", "--data", folder, "--into", tmp_path / "more")
    assert code == 1
    behind = tmp_path / "more" / "unplayable.jsonl"
    assert f"Table {long} ends at entry 1 of {entries}." in out
    assert str(behind) in out
    assert behind.stat().st_mode & 0o077 == 0
    (line,) = behind.read_bytes().splitlines()
    told = json.loads(line)
    assert told["table"] == long
    assert [each["version"] for each in told["entries"]] == list(range(6, entries + 1))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("list", "--data", "{none}"), "There are no tables in"),
        (("list", "--database", "mysql://x"), "wants an address such as postgresql"),
        (("import", "{none}", "--data", "{none}"), "cannot be read"),
        (("close", "--data", "{none}"), "missing"),
        (("backup", "{none}", "--every", "10", "--data", "{none}"), "'10' is not an interval such as 10m"),
        (("backup", "{none}", "--every", "99999999d"), "is not an interval"),
        (("sell",), "does not know 'sell'. Choose from list, show"),
        (("exprot",), "Did you mean 'export'?"),
        (("restore", "{none}"), "Did you mean 'import'?"),
        (("audit", "--data", "{none}"), "There is no folder"),
        (("list", "--data", ""), "--data: it is empty, perhaps because a variable isn't set"),
        (("backup", "", "--data", "{none}"), "FOLDER: it is empty"),
        (("backup", "{none}/backups", "--data", "{none}"), "There are no tables in"),
        (("backup", "{none}/backups", "--every", "10m", "--data", "{none}"), "There are no tables in"),
    ],
)
def test_bad_input_is_one_sentence(host: Host, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    code, _, err = host(*(word.format(none=tmp_path / "none") for word in words))
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not (tmp_path / "none").exists()


def test_a_bad_file_leaves_no_empty_database(host: Host, tmp_path: Path) -> None:
    (tmp_path / "bad.gz").write_bytes(b"no backup")
    code, _, err = host("import", tmp_path / "bad.gz", "--data", tmp_path / "new")
    assert code == 2
    assert "bad.gz is not what `bartizan tables export` writes" in err
    assert not (tmp_path / "new").exists()


def test_a_file_that_ends_within_a_table_is_said_in_plain_words(
    host: Host, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "tables.gz"
    host("export", file, "--data", folder)
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes())[:-50]))
    code, _, err = host("import", file, "--data", tmp_path / "new")
    assert code == 2
    assert "line 11 was cut off or changed" in err


def test_what_root_makes_belongs_to_the_owner_of_the_folder(
    host: Host, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the service could neither open its restored tables nor write into its audit log."""
    given = []

    def chown(path: Path, user: int, group: int, *, follow_symlinks: bool) -> None:
        owner = path.parent.stat()
        assert (user, group, follow_symlinks) == (owner.st_uid, owner.st_gid, False)
        given.append(path.name)

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", chown)
    new = tmp_path / "new"
    assert host("export", tmp_path / "tables.gz", "--data", folder)[0] == 0
    given.clear()
    for _ in range(2):  # files that are there already keep their owner
        assert host("import", tmp_path / "tables.gz", "--data", new)[0] == 0
    assert host("push-keys", "mailto:host@example.org", "--data", new)[0] == 0
    assert sorted(given) == ["audit.jsonl", "push.key", "tables.kept", FILE_NAME]


def test_a_database_that_is_gone_is_named(host: Host, folder: Path) -> None:
    assert host("list", "--data", folder)[0] == 0
    (folder / FILE_NAME).unlink()
    code, _, err = host("list", "--data", folder)
    assert code == 2
    assert f"{FILE_NAME} is gone, though tables have been kept there since" in err


def test_a_file_is_no_folder_for_tables(host: Host, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = host("salvage", "--data", folder, "--into", tmp_path / "file")
    assert code == 2
    assert (
        err == f"bartizan: The data folder {tmp_path / 'file'} cannot be used: it is a file. Name another.\n"
    )
    code, _, err = host("backup", tmp_path / "file", "--data", folder)
    assert code == 2
    assert "cannot be used: it is a file." in err


def test_keys_for_notifications_are_made_once(host: Host, tmp_path: Path) -> None:
    place = ("--data", tmp_path / "data")
    code, _, err = host("push-keys", "host@example.org", *place)
    assert code == 2
    assert "mailto:you@example.org" in err
    code, out, _ = host("push-keys", "mailto:host@example.org", *place)
    assert code == 0
    file = tmp_path / "data" / "push.key"
    assert str(file) in out
    secret = json.loads(file.read_text())["private"]
    assert secret not in out
    code, _, err = host("push-keys", "mailto:host@example.org", *place)
    assert code == 2
    assert "exists already" in err
    _, audit, _ = host("audit", *place)
    assert audit.count("push-keys") == 1  # only what was done
    assert secret not in audit
    assert json.loads(file.read_text())["private"] == secret
