from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.serving import Serving


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of the small game, whose programs do not pause."""
    limits = {"program_pause": 0.01, "table_burst": 1000, "sockets_per_table": 8}
    with Serving("tests.server.duel", tmp_path_factory.mktemp("duel") / "data", limits) as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="module")
def alcazar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of the installed games."""
    with Serving("bartizan.server.run", tmp_path_factory.mktemp("alcazar") / "data") as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"
