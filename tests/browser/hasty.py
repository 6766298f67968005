"""Serve the games where a seat is soon taken for left: ``python -m tests.browser.hasty PORT FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from bartizan.server.run import serve
from bartizan.tables.limits import Limits

if __name__ == "__main__":
    raise SystemExit(serve(port=int(sys.argv[1]), data_dir=Path(sys.argv[2]), limits=Limits(claim_after=1.0)))
