"""Write backups of all tables into a folder: once, or at intervals, keeping the newest."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.parser import whole
from bartizan.engine.errors import BartizanError
from bartizan.engine.files import reason

if TYPE_CHECKING:
    from bartizan.tables.store import MoveLog

NAME = re.compile(r"tables-\d{8}T\d{6}Z\.jsonl\.gz")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
LONGEST_INTERVAL = 366 * UNITS["d"]


def interval(text: str) -> int:
    """Return how many seconds ``30s``, ``10m``, ``6h`` or ``1d`` are; raises argparse's error."""
    found = re.fullmatch(r"([1-9][0-9]{0,7})([smhd])", text)
    seconds = int(found.group(1)) * UNITS[found.group(2)] if found else 0
    if not 1 <= seconds <= LONGEST_INTERVAL:
        raise argparse.ArgumentTypeError(f"{text!r} is not an interval such as 10m, 6h or 1d")
    return seconds


async def repeated(once: Callable[[], Awaitable[int]], every: int | None) -> int:
    """Make a backup and return the exit code, or make one every so many seconds until interrupted.

    At intervals, a failure is reported on standard error and the next backup tries again.
    """
    while every is not None:
        started = time.monotonic()
        try:
            await once()
        except BartizanError as error:
            print(f"{_now()}: No backup was made. {error}", file=sys.stderr, flush=True)
        await asyncio.sleep(max(0.0, started + every - time.monotonic()))
    return await once()


async def write(args: argparse.Namespace, log: MoveLog) -> int:
    """Write a backup and read it back, then delete the oldest ones."""
    from bartizan.tables.storage.archive import check_archive, write_archive

    folder: Path = args.folder
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BartizanError(f"{folder} cannot be used: {reason(error)}. Name another folder.") from error
    path = folder / f"tables-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.jsonl.gz"
    await write_archive(log, path)
    try:
        count = check_archive(path)
    except BartizanError:
        path.unlink(missing_ok=True)  # otherwise it would count as one of the newest
        raise
    old = sorted(each for each in folder.iterdir() if NAME.fullmatch(each.name))[: -args.keep]
    for each in old:
        each.unlink(missing_ok=True)
    tables = "1 table is" if count == 1 else f"{count} tables are"
    deleted = f" Deleted {len(old)} old." if old else ""
    print(f"{_now()}: {tables} in {path} ({_size(path.stat().st_size)}).{deleted}", flush=True)
    return 0


def _size(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")


def arguments(parsing: argparse.ArgumentParser) -> None:
    """Add the arguments of `backup` to its parser."""
    parsing.add_argument("folder", type=Path, metavar="FOLDER", help="where the backups go")
    parsing.add_argument(
        "--every", type=interval, metavar="TIME", help="write one every 10m, 6h or 1d until interrupted"
    )
    parsing.add_argument(
        "--keep",
        type=whole(1, 100_000),
        default=48,
        metavar="N",
        help="how many backups to keep; older ones are deleted (default: 48)",
    )
