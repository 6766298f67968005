"""Be one of several server processes at a table: connect one person and print each message that they hear.

Run as ``python -m tests.tables.child FOLDER DATABASE TABLE TOKEN``.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from bartizan.tables.limits import Limits
from bartizan.tables.registry import TableRegistry
from bartizan.tables.storage import open_log
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear

PAUSE = 0.3  # seconds between two moves of a program


class Printing(Ear):
    """Prints what it hears."""

    def send(self, data: bytes) -> None:
        message: dict[str, Any] = msgspec.json.decode(data)
        told = {key: message.get(key) for key in ("type", "version", "seats", "left")}
        print(json.dumps({"at": time.monotonic(), **told}), flush=True)


async def main(folder: str, database: str, table: str, token: str) -> None:
    log = open_log(Path(folder), database)
    tables = TableRegistry(log, DuelProvider(), Limits(program_pause=PAUSE))
    session, seat = await tables.open(table, token)
    person = Printing(seat)
    session.subscribe(person)
    await session.greet(person)
    print(json.dumps({"type": "process", "name": log.process}), flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until whoever started this closes it


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
