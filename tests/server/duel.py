"""Serve the small game made for tests: ``python -m tests.server.duel PORT FOLDER``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.server.hosting import Hosting
from bartizan.server.run import serve
from bartizan.server.workers import Processes
from bartizan.tables.limits import Limits
from tests.tables.duel import DuelProvider
from tests.tables.gathering import Dealt

if __name__ == "__main__":
    limits = Limits(**json.loads(os.environ.get("DUEL_LIMITS", "{}")))
    workers = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    processes = Processes(workers, sys.argv[4] if len(sys.argv) > 4 else "")
    hosting = msgspec.convert(json.loads(os.environ.get("DUEL_HOSTING", "{}")), Hosting)
    host = os.environ.get("DUEL_HOST", "127.0.0.1")
    try:
        code = serve(
            host,
            int(sys.argv[1]),
            Path(sys.argv[2]),
            games=Dealt() if os.environ.get("DUEL_CHANCE") else DuelProvider(),
            limits=limits,
            hosting=hosting,
            processes=processes,
        )
    except BartizanError as error:
        print(error, file=sys.stderr)
        code = 2
    raise SystemExit(code)
