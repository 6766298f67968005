"""The load client plays whole games at many sockets; not how fast the server is."""

from __future__ import annotations

import pytest

from bartizan.engine.errors import BartizanError
from benchmarks.load import Load, figures
from tests.server.serving import Serving

pytestmark = pytest.mark.anyio


async def test_people_play_at_all_tables_and_go_on_at_others(duel: Serving) -> None:
    load = Load(duel.port, "duel", 2)
    await load.join(3)
    moves, rushed = 0, figures("none yet", 0, 1.0, [0.0])
    while moves <= 20:  # more than one game at each table
        rushed = await load.run("as fast as it goes", duel.process.pid, 0.5)
        await load.settle()
        moves += rushed.moves
    paced = await load.run("at a pace", duel.process.pid, 0.5, 40)
    load.close()
    assert (rushed.sockets, rushed.what) == (6, "as fast as it goes")
    assert rushed.received > 100
    assert 0 < paced.moves <= 21
    assert 0 < rushed.p50 <= rushed.p95 <= rushed.p99 <= rushed.longest


async def test_a_refusal_ends_it_with_its_reason(duel: Serving) -> None:
    load = Load(duel.port, "no such game", 2)
    with pytest.raises(BartizanError, match="refused"):
        await load.join(1)


def test_figures_of_times() -> None:
    found = figures("x", 1, 2.0, [number / 1000 for number in range(1, 101)])
    assert (found.moves, found.moves_per_second) == (100, 50)
    assert (found.p50, found.p99, found.longest) == (51, 100, 100)
