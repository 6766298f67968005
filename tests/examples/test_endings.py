"""The clause that ends a two-file game takes effect once, where the game ends, and no other ending does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.examples.installing import install, run
from tests.server.serving import ROOT

# Counts by game: which clause ended it, and at how many actions each clause took effect.
COUNT = """
import json, sys
from bartizan.engine import registry
from bartizan.lab.batch import GameBatch, deal_seed
from bartizan.lab.clauses import ClauseCounter
from bartizan.match import Match
game = registry.get(sys.argv[1])
batch, counter = GameBatch(game, {}, ["random"] * game.min_seats), ClauseCounter(game)
seeds = [deal_seed("7", deal) for deal in range(60)]
scripts = [batch.actions(seed) for seed in seeds]
times = counter.count(batch, seeds, 0, list(map(len, scripts)))
rows = []
for seed, script, row in zip(seeds, scripts, times.tolist()):
    match = Match(game, {}, game.min_seats, seed)
    for action in script:
        match.play(action)
    rows.append([match.outcome.clause, dict(zip(counter.told_apart, row))])
print(json.dumps(rows))
"""
# A game, the clauses that may end it, and those that take effect in every game.
GAMES = [
    ("connect-four", {"CF-5", "CF-6"}, {"CF-2", "CF-3"}),
    ("battle-line", {"BL-8", "BL-9"}, {"BL-2", "BL-3", "BL-5"}),
    ("pledge", {"PL-6"}, {"PL-1", "PL-2", "PL-3", "PL-5"}),
]


@pytest.mark.parametrize(
    ("mode", "name", "endings", "always"),
    [("compiled", *GAMES[0]), *(("python", *game) for game in GAMES)],  # compiling one takes long enough
)
def test_only_the_clause_that_ends_a_game_counts_as_its_end(
    tmp_path: Path, mode: str, name: str, endings: set[str], always: set[str]
) -> None:
    example = ROOT / "examples" / name.replace("-", "_")
    installed = {**install(example, tmp_path), "BARTIZAN_MODE": mode}
    rows = json.loads(run(installed, "-c", COUNT, name))
    for clause, times in rows:
        assert {each: times[each] for each in endings} == {each: int(each == clause) for each in endings}
        assert all(times[each] > 0 for each in always)
