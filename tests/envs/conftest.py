"""Leave the registered games as they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bartizan.engine import registry
from tests.games.tables import GAMES


@pytest.fixture(autouse=True)
def _no_one_stays() -> Iterator[None]:
    """Send home the policies that a test let in."""
    yield
    for name in GAMES:
        registry.get(name).guests.clear()
