"""``bartizan tables``: manage a server's tables: list, close, block, delete, back up, check, salvage."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli import backups
from bartizan.cli.errors import FAILED, UsageError
from bartizan.cli.parser import Parser, add_data, add_parts, whole
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.tables.store import MoveLog, StoredTable, TableSummary

Part = Callable[[argparse.Namespace, "MoveLog"], Awaitable[int]]
WORDS = {
    "list": "list all tables with their games, players and dates",
    "show": "show one table's game, players and dates, but nothing secret",
    "close": "close tables: no one can enter them, but they are kept",
    "reopen": "reopen closed tables",
    "block": "block the keys to a seat, and disconnect whoever uses them",
    "unblock": "let the keys to a seat work again",
    "reports": "list what players reported, the newest last",
    "delete": "delete tables for good",
    "export": "write all tables to one file, to move them to another database",
    "import": "check an export or a backup completely, then add all its tables or none",
    "backup": "write all tables to a new file in a folder, once or at intervals, while the server runs",
    "check": "replay every table and list those that break the rules or were changed",
    "push-keys": "let players turn on notifications in games that last days",
    "audit": "list what hosts did here: closed, deleted or exported tables, blocked seats, and so on",
    "salvage": "copy everything readable from a damaged database to another folder",
}
SYNONYMS = {"restore": "import", "verify": "check", "remove": "delete", "open": "reopen", "ban": "block"}


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.synonyms = SYNONYMS
    add_part = add_parts(parsing, WORDS)
    made = {name: add_part(name) for name in WORDS}
    for name, part in made.items():
        add_data(part)
        if name not in ("audit", "push-keys", "salvage"):
            part.add_argument(
                "--database",
                default=os.environ.get("BARTIZAN_DATABASE", ""),
                metavar="URL",
                help="PostgreSQL database that holds them instead (or set BARTIZAN_DATABASE)",
            )
    for name in ("list", "audit", "reports"):
        made[name].add_argument("--json", action="store_true", help="print one line of JSON for each")
    made["show"].add_argument("table", metavar="TABLE", help="name of the table, as in the list")
    for name in ("block", "unblock"):
        made[name].add_argument("table", metavar="TABLE", help="name of the table, as in the list")
        made[name].add_argument("seat", type=whole(0, 100), metavar="SEAT", help="its seat; 0: spectators")
    for name in ("close", "reopen", "delete"):
        count = "*" if name == "delete" else "+"
        made[name].add_argument(
            "tables", nargs=count, metavar="TABLE", help="names of tables, as in the list"
        )
    made["delete"].add_argument(
        "--unplayed",
        type=whole(0, 100_000),
        metavar="DAYS",
        help="delete tables at least this old that were never played",
    )
    for name in ("export", "import"):
        made[name].add_argument("file", type=Path, metavar="FILE", help="the file, such as tables.jsonl.gz")
    backups.arguments(made["backup"])
    made["push-keys"].add_argument(
        "contact",
        metavar="CONTACT",
        help="how push services can reach you, such as mailto:you@example.org; they require it",
    )
    made["salvage"].add_argument(
        "--into",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="new data folder for everything that can be read",
    )
    return parsing


def run(args: argparse.Namespace) -> int:
    """Run the subcommand; return exit code 1 if a check or a salvage found losses."""
    if args.part in ALONE:
        return asyncio.run(ALONE[args.part](args))
    return asyncio.run(_with_log(args, PARTS[args.part]))


async def _with_log(
    args: argparse.Namespace, work: Callable[[argparse.Namespace, MoveLog], Awaitable[int]]
) -> int:
    from bartizan.tables.storage import open_log

    if args.part != "import":
        _expect_tables(args)
    log = open_log(_folder(args), args.database)
    try:
        return await work(args, log)
    finally:
        await log.stop()


def _expect_tables(args: argparse.Namespace) -> None:
    """Raise `StorageError` if there have never been tables in the data folder, so that none is made."""
    from bartizan.tables.errors import StorageError
    from bartizan.tables.storage.marker import MARKER
    from bartizan.tables.storage.sqlite import FILE_NAME

    folder = _folder(args)
    if not args.database and not (folder / FILE_NAME).exists() and not (folder / MARKER).exists():
        raise StorageError(f"There are no tables in {folder}. Name another folder with --data.")


def _folder(args: argparse.Namespace) -> Path:
    from bartizan.server.hosting import default_data_dir

    folder: Path = args.data or default_data_dir()
    return folder


async def _list(args: argparse.Namespace, log: MoveLog) -> int:
    tables = await log.summaries()
    if args.json:
        import msgspec

        for each in tables:
            print(msgspec.json.encode(each).decode())
        return 0
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    for heading in ("table", "game", "players", "made", "played last", "moves", ""):
        grid.add_column(
            heading, justify="right" if heading == "moves" else "left", no_wrap=heading != "players"
        )
    for each in tables:
        counts = Counter(each.players)
        players = ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())
        closed = "closed" if each.closed else ""
        dates = _date(each.created), _date(each.last)
        grid.add_row(each.table, each.game, players, *dates, str(each.moves), closed)
    Console().print(grid)
    print(f"{_count(len(tables), 'table')} in {log.place}.")
    return 0


async def _show(args: argparse.Namespace, log: MoveLog) -> int:
    entries = await _find(log, [args.table])
    stored = await log.stored(entries[0].table)
    if stored is None:
        return FAILED
    row, each = stored.row, entries[0]
    facts = {
        "table": row.table,
        "game": row.game,
        "options": ", ".join(f"{key} = {json.dumps(value)}" for key, value in row.options.items()) or "usual",
        "players": ", ".join(row.players),
        "made": _date(row.created),
        "played last": _date(each.last),
        "moves": f"{each.moves} of {_count(each.entries, 'entry', 'entries')}",
        "chat": _count(len(stored.chat), "line"),
        "clock": "runs" if stored.clock[0] else "none runs",
        "state": "closed" if row.closed else "open",
        "blocked": _seats(row.blocked_seats) or "no seats",
        "reports": str(len(stored.reports)),
    }
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}}  {value}")
    return 0


async def _close(args: argparse.Namespace, log: MoveLog) -> int:
    from bartizan.tables.bus import Bus, Shut

    closing = args.part == "close"
    found = await _find(log, args.tables)
    _note(args, [each.table for each in found])
    for each in found:
        await log.set_closed(each.table, closed=closing)
        if closing:
            Bus(log).publish(Shut(table=each.table))
        already = " already" if each.closed == closing else ""
        print(f"Table {each.table} is {'closed' if closing else 'open'}{already}.")
    return 0


async def _block(args: argparse.Namespace, log: MoveLog) -> int:
    from bartizan.tables.bus import Bus, Keys

    blocking = args.part == "block"
    (found,) = await _find(log, [args.table])
    row = await log.table(found.table)
    held = sorted({seat for _, seat in row.keys}) if row else []
    if row is None or args.seat not in held:
        raise UsageError(
            f"No one has a key to {_seats([args.seat])} of table {found.table}, only to {_seats(held)}."
        )
    seats = row.seats_held_with(args.seat)
    _note(args, [found.table, *(f"seat {seat}" for seat in seats)])
    tables = await log.set_blocked(found.table, seats, blocked=blocking)
    for name in tables:
        Bus(log).publish(Keys(table=name))
    more = f", and at {_count(len(tables) - 1, 'rematch', 'rematches')}" if len(tables) > 1 else ""
    already = " already" if all((seat in row.blocked_seats) == blocking for seat in seats) else ""
    print(f"{_seats(seats).capitalize()} of table {found.table}{more}: {args.part}ed{already}.")
    return 0


async def _reports(args: argparse.Namespace, log: MoveLog) -> int:
    import msgspec

    reports = await log.reports()
    for table, each in reports:
        if args.json:
            print(msgspec.json.encode({"table": table, **msgspec.structs.asdict(each)}).decode())
            continue
        when = _time(each.at // 1000)
        names = [
            f"seat {seat}{f' ({name})' if name else ''}"
            for seat, name in ((each.seat, each.name), (each.about, each.about_name))
        ]
        said = f"  about the chat line: {each.line}" if each.line else ""
        print(_plain(f"{when}  {table}  {names[0]} reported {names[1]}: {each.reason}{said}"))
    if not reports:
        print(f"No one has reported anything in {log.place}.", file=sys.stderr)
    return 0


async def _delete(args: argparse.Namespace, log: MoveLog) -> int:
    import time

    from bartizan.tables.bus import Bus, Shut
    from bartizan.tables.housekeeping import DAY, expire

    if not args.tables and args.unplayed is None:
        raise UsageError("Name the tables to delete, or use --unplayed DAYS.")
    found = await _find(log, args.tables)
    unplayed = [] if args.unplayed is None else [f"unplayed for {_count(args.unplayed, 'day')}"]
    _note(args, [*(each.table for each in found), *unplayed])
    for each in found:
        await log.delete(each.table)
        Bus(log).publish(Shut(table=each.table))
        print(f"Table {each.table} is deleted.")
    if args.unplayed is not None:
        before = int(time.time()) - args.unplayed * DAY + 1
        expired = len([name async for name in expire(log, before)])
        print(f"{_count(expired, 'table')} never played {'is' if expired == 1 else 'are'} deleted.")
    return 0


async def _export(args: argparse.Namespace, log: MoveLog) -> int:
    from bartizan.tables.storage.archive import is_archive, write_archive

    if args.file.is_file() and args.file.stat().st_size and not is_archive(args.file):
        raise UsageError(f"{args.file} exists and isn't an export: choose a different name.")
    _note(args, [str(args.file.resolve())])
    with bar("tables") as progress:
        count = await write_archive(log, args.file, progress)
    print(f"{_count(count, 'table')} of {log.place} {'is' if count == 1 else 'are'} in {args.file}.")
    return 0


async def _backup(args: argparse.Namespace) -> int:
    _expect_tables(args)
    _note(args, [str(args.folder.resolve())])
    # Each backup opens the database again, so that a damaged one is noticed.
    return await backups.repeated(lambda: _with_log(args, backups.write), args.every)


async def _import(args: argparse.Namespace) -> int:
    from bartizan.tables.storage.archive import check_archive

    count = check_archive(args.file)  # first: a bad file leaves no empty database behind
    return await _with_log(args, lambda args, log: _add(args, log, count))


async def _add(args: argparse.Namespace, log: MoveLog, count: int) -> int:
    from bartizan.tables.errors import Conflict
    from bartizan.tables.storage.archive import read_archive

    there = {each.table for each in await log.summaries()}
    same = set()
    for stored in read_archive(args.file) if there else ():
        if stored.row.table in there:
            if await log.stored(stored.row.table) != stored:
                raise Conflict(
                    f"Table {stored.row.table} is in {log.place} already and differs from the one in "
                    f"{args.file}, so nothing was imported. Delete it there, or import into another folder."
                )
            same.add(stored.row.table)
    _note(args, [str(args.file.resolve())])
    with bar("tables", count - len(same)) as progress:
        added = 0

        def new() -> Iterator[StoredTable]:
            nonlocal added
            for stored in read_archive(args.file):
                if stored.row.table not in same:
                    yield stored
                    added += 1
                    progress(added, count - len(same))

        await log.restore(new())
    were = "was" if len(same) == 1 else "were"
    known = f"; {_count(len(same), 'table')} {were} already there" if same else ""
    print(f"{_count(added, 'table')} {'is' if added == 1 else 'are'} new in {log.place}{known}.")
    return 0


async def _check(args: argparse.Namespace, log: MoveLog) -> int:
    from bartizan.engine.errors import BartizanError
    from bartizan.tables.entries import replay
    from bartizan.tables.errors import DamagedTable
    from bartizan.tables.installed import Installed
    from bartizan.tables.linking import first_fault
    from bartizan.tables.storage.archive import fault_of

    games, total, checked, faults = Installed(), await log.count(), 0, []
    damaged: list[DamagedTable] = []
    with bar("tables") as progress:
        async for stored in log.dump(damaged):
            try:
                entries = stored.entries
                fault = fault_of(stored) or first_fault(stored.row.table, entries)
                if not fault:
                    replay(games, stored.row, [each.entry for each in entries])
            except BartizanError as error:
                fault = str(error)
            if fault:
                faults.append(f"{stored.row.table}: {fault}")
            checked += 1
            progress(checked, max(total, checked))
    faults += map(str, damaged)
    checked += len(damaged)
    for fault in faults:
        print(fault)
    good = checked - len(faults)
    print(f"{_count(good, 'table')} of {checked} in {log.place} {'is' if good == 1 else 'are'} intact.")
    return FAILED if faults else 0


async def _salvage(args: argparse.Namespace) -> int:
    from bartizan.tables import audit
    from bartizan.tables.errors import StorageError
    from bartizan.tables.installed import Installed
    from bartizan.tables.storage import open_log
    from bartizan.tables.storage.salvage import BEHIND, salvage, write_behind
    from bartizan.tables.storage.sqlite import FILE_NAME

    path = _folder(args) / FILE_NAME
    if (args.into / FILE_NAME).exists():
        raise UsageError(f"{args.into} has tables already: name a new folder with --into.")
    if not path.exists():
        raise StorageError(f"There is no {path}.")
    salvaged = salvage(path, Installed())
    log = open_log(args.into)
    try:
        # In the new folder: the disk of the old one may be what is damaged.
        audit.note(args.into, audit.shell_user(), args.part, [str(path.resolve())])
        await log.restore(salvaged.tables)
    finally:
        await log.stop()
    write_behind(args.into / BEHIND, salvaged.behind)
    for loss in salvaged.losses:
        print(loss)
    if salvaged.behind:
        print(f"Entries that can be read but not played are in {args.into / BEHIND}, a table a line.")
    count = len(salvaged.tables)
    print(f"{_count(count, 'table')} of {path} {'is' if count == 1 else 'are'} in {args.into}.")
    print(f"Check them with `bartizan tables check --data {args.into}`.", file=sys.stderr)
    return FAILED if salvaged.losses else 0


async def _audit(args: argparse.Namespace) -> int:
    import msgspec

    from bartizan.tables import audit

    folder = _folder(args)
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}. Name another with --data.")
    actions, unreadable = audit.read(folder)
    for each in actions:
        line = f"{_time(each.at)}  {each.who}  {each.what}  {' '.join(each.about)}".rstrip()
        print(msgspec.json.encode(each).decode() if args.json else _plain(line))
    if not actions:
        print(f"Hosts have done nothing in {folder} yet.", file=sys.stderr)
    if unreadable:
        lines = "1 line can't" if unreadable == 1 else f"{unreadable} lines can't"
        print(f"{lines} be read in {folder / audit.FILE}.", file=sys.stderr)
    return FAILED if unreadable else 0


async def _push_keys(args: argparse.Namespace) -> int:
    from bartizan.engine.extras import require
    from bartizan.tables import webpush

    require(webpush.EXTRA, webpush.WHAT)
    path = webpush.make_keys(_folder(args), args.contact, lambda: _note(args, []))
    print(f"The keys are in {path}. Players can turn on notifications once the server is started again.")
    return 0


def _note(args: argparse.Namespace, about: list[str]) -> None:
    """Write what is about to be done into the audit log."""
    from bartizan.tables import audit

    audit.note(_folder(args), audit.shell_user(), args.part, about)


async def _find(log: MoveLog, names: list[str]) -> list[TableSummary]:
    """Return tables by their names; raises `UsageError` with the nearest where one is unknown."""
    from bartizan.engine.errors import nearest

    if not names:
        return []
    known = {each.table: each for each in await log.summaries()}
    for name in names:
        if name not in known:
            meant = nearest(name, known) or " `bartizan tables list` lists them."
            raise UsageError(f"There is no table {name!r} in {log.place}.{meant}")
    return [known[name] for name in dict.fromkeys(names)]


def _seats(seats: Sequence[int]) -> str:
    """Name seats in words; 0 is the spectators'."""
    names = [f"seat {seat}" if seat else "the spectators' link" for seat in seats]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _plain(line: str) -> str:
    return line if line.isprintable() else repr(line)


def _time(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _date(seconds: int) -> str:
    if not seconds:
        return "never"
    try:
        return datetime.datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return str(seconds)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


PARTS: dict[str, Part] = {
    "list": _list,
    "show": _show,
    "close": _close,
    "reopen": _close,
    "block": _block,
    "unblock": _block,
    "reports": _reports,
    "delete": _delete,
    "export": _export,
    "check": _check,
}
# These need no database, or open it themselves.
ALONE = {"audit": _audit, "backup": _backup, "import": _import, "push-keys": _push_keys, "salvage": _salvage}
