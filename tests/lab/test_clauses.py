"""Clauses that take effect, counted against what the records of the same games tell."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.lab.batch import Batch, deal_seed
from bartizan.lab.clauses import ClauseCounter, clauses_in
from bartizan.lab.design import design_of
from bartizan.lab.measures import Clauses


def test_a_docstring_names_clauses_ranges_and_questions() -> None:
    known = [f"CC-{number}" for number in range(1, 40)]
    found = clauses_in("Deal (CC-4 to CC-7), and pass (CC-Q6); CC-99.", "CC", known, {"CC-Q6": "CC-13"})
    assert found == {"CC-4", "CC-5", "CC-6", "CC-7", "CC-13"}


# A verb, and the clause that only the rule which plays it names.
VERBS = [
    ("castle-danger", "build", "wall", "CD-31"),
    ("castle-danger", "add", "add", "CD-23"),
    ("card-cassonne", "place", "token", "CC-19"),
    ("card-cassonne", "play", "play", "CC-24"),
    ("alcazar", "missile", "missile", "ALC-43"),
    ("tower", "rebuild", "rebuild", "TWR-42"),
]


@pytest.mark.parametrize(("name", "what", "verb", "clause"), VERBS)
def test_a_clause_takes_effect_as_often_as_its_verb_is_played(
    name: str, what: str, verb: str, clause: str
) -> None:
    game = registry.get(name)
    batch = Batch(game, {}, ["greedy"] * game.min_seats)
    counter = ClauseCounter(game)
    played: Counter[str] = Counter()
    counted = 0
    for deal in range(4):
        seed = deal_seed("3", deal)
        actions = batch.actions(seed)
        played.update(game.actions.block_of(action).name for action in actions)
        counted += counter.count(batch, seed, actions).get(clause, 0)
    assert counted == played[verb]
    assert clause in counter.told_apart


@pytest.mark.parametrize("name", registry.names())
def test_what_lists_and_refuses_counts_nothing(name: str) -> None:
    """A game of no action has only what the set-up does."""
    game = registry.get(name)
    batch = Batch(game, {}, ["greedy"] * game.min_seats)
    counter = ClauseCounter(game)
    nothing = counter.count(batch, deal_seed("3", 0), [])
    whole = counter.count(batch, deal_seed("3", 0), batch.actions(deal_seed("3", 0)))
    assert set(nothing) <= set(whole) <= counter.told_apart
    assert all(nothing[clause] <= whole[clause] for clause in nothing)
    assert len(whole) > len(nothing)


def test_shares_and_times_of_clauses_are_those_of_the_counts() -> None:
    design = design_of({"game": "castle-danger", "measures": ["clauses"]})
    rows = [(0, 0, "CD-31", 3), (2, 0, "CD-31", 1), (1, 0, "CD-23", 2), (3, 0, "CD-15", 1)]
    clauses = Clauses(design)
    clauses.add(pl.DataFrame(rows, schema=["game", "cell", "clause", "times"], orient="row"))
    found = {figure.measure: figure.interval.estimate for figure in clauses.figures()}
    assert found["in_games.CD-31"] == 0.5
    assert found["times.CD-31"] == 1.0
    assert found["in_games.CD-42"] == 0.0
