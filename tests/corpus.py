"""Games that were played once, for every test of this run that wants to look at them again.

The same tables are walked through by some forty tests; choosing their moves took longer than most of what the
tests ask of them.  How much each test looks at is said for a whole run by `sample`.
"""

from __future__ import annotations

import functools
import os

from bartizan.match.history import CheckedMove
from bartizan.search.players import Player

LONGEST = 12_000  # plies; no game may take longer in random play

# BARTIZAN_THOROUGH=1 looks at several times as many games, positions and examples as a usual run does.
THOROUGH = os.environ.get("BARTIZAN_THOROUGH", "0") not in ("", "0")


def sample(usual: int, thorough: int) -> int:
    """Return how many things a test looks at in this run."""
    return thorough if THOROUGH else usual


@functools.cache
def line_of(name: str, number: int) -> tuple[CheckedMove, ...]:
    """Return the moves of a game's table to its end; some tables are played well, so that they last."""
    from tests.games.tables import dealt

    match, dice = dealt(name, number)
    programs = [Player.named(match.game, each, number) for each in ("random", "greedy")]
    skill = dice.choice([0.0, 0.5, 0.9])
    line = []
    while not match.is_over:
        assert match.ply < LONGEST, "the game does not end"
        player = programs[dice.random() < skill]
        line.append(match.check(player.choose(match.game_state(), match.legal())))
        match.push(line[-1])
    return tuple(line)
