"""Settings that every test shares."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from bartizan.engine import registry
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import cache_root
from scripts.chromium import HOW, find
from tests.corpus import sample

if TYPE_CHECKING:
    from tests.postgres import Cluster

# One profile for the whole suite: the same examples on every machine, no deadline (the first call of a
# compiled rule takes as long as compiling it), and a reproducer printed with a failure.
settings.register_profile(
    "suite",
    max_examples=sample(40, 100),
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# BARTIZAN_HYPOTHESIS=explore looks for new examples instead, and more of them.
settings.register_profile("explore", settings.get_profile("suite"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("BARTIZAN_HYPOTHESIS", "suite"))

# A shell that runs tests in the background ignores Ctrl-C, which what the tests start would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def learning_compiled() -> None:
    """Have what `bartizan learn` needs compiled by one process, while others that want it wait."""
    if COMPILED:
        from bartizan.lab.learn import Training, TrainingPlan

        cache_root().mkdir(parents=True, exist_ok=True)
        with (cache_root() / "learning.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            Training(
                registry.get("alcazar"), TrainingPlan(game="alcazar", games=2, batch=2, iterations=2)
            ).next_round()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """Return a PostgreSQL server that all test processes share."""
    from tests.postgres import cluster

    with cluster(os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())) as running:
        yield running


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the Chromium to drive."""
    found = find()
    if not found:
        pytest.fail(f"There is no Chromium: {HOW}.")
    return found
