from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bartizan.tables.storage import open_log
from bartizan.tables.store import MoveLog
from tests.postgres import Cluster, cluster

Open = Callable[[], MoveLog]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """Return a PostgreSQL server that all test processes share."""
    with cluster(os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def another(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return what opens the same store anew, as another process would."""
    database = request.getfixturevalue("postgres").database() if request.param == "postgres" else ""
    return lambda: open_log(tmp_path, database)
