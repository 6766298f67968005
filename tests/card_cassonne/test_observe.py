"""What programs are told of an action: the areas that it makes, hems in and completes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.rule import interpreted
from bartizan.envs.making import batch
from bartizan.games.card_cassonne import observe
from bartizan.games.card_cassonne.observe import AREA, HEMMED, LEADING, LEADS, OPENINGS, OTHERS, SIZE, SPACES
from bartizan.games.card_cassonne.state import PLAY

GAME = registry.get("card-cassonne")
plain: Any = interpreted(observe)


@pytest.mark.parametrize("options", [{}, {"count": "edges"}, {"board": "8x8"}], ids=str)
def test_tokens_of_a_card_say_what_playing_it_makes(options: dict[str, Any]) -> None:
    """Play every card that can be played, and compare the areas with what the tokens said."""
    env = batch(GAME, 8, options=options, seed=3, seats=2, mask=False)
    env.reset()
    compared = joined = completed = claimed = 0
    for _ in range(60):
        env.step(env.random_actions())
        for table in range(env.n):
            legal = env.tables.legal[table, : env.tables.legal_count[table]].tolist()
            for action in [each for each in legal if PLAY.first <= each < PLAY.end][:2]:
                before, after = env.game_state(table).view(), env.game_state(table)
                row = np.zeros(observe.TOKENS.width, np.int16)
                plain.tokens(before, action, row)
                GAME.array_rules.apply(after.cells, action)
                state = after.view()
                area = state.area[state.last]
                assert row[AREA] == SIZE + state.size[area]
                assert row[AREA + 1] == SPACES + min(state.spaces[area], OPENINGS)
                assert (row[AREA + 2] > LEADING) == (state.tokens[area] > 0)
                told = [(int(each) - HEMMED) % (2 * LEADS) for each in row[OTHERS:] if each]
                closed = [
                    n
                    for n in range(before.laid)
                    if before.area[n] == n and before.spaces[n] > state.spaces[n] == 0
                ]
                others = [n for n in closed if state.area[n] != area]
                assert sum(each % 2 for each in told) == len(others)
                compared, joined = compared + 1, joined + (state.size[area] > 2)
                completed, claimed = completed + len(others), claimed + (state.tokens[area] > 0)
    assert compared > 200
    assert min(joined, completed, claimed) > 5
