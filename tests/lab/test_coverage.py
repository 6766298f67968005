"""How often intervals hold the truth, over a thousand experiments whose truth is known.

A few thousand real games are the whole world: what is true of them is known exactly, and an experiment draws
some of their deals by lot.  So the games are as uneven, and as alike within a deal, as real ones are, and the
figures come from the code that every experiment's figures come from.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from bartizan.engine.mode import COMPILED
from bartizan.lab.chunk import ChunkPlayer, chunks_of
from bartizan.lab.design import Design
from bartizan.lab.experiment import _Watch
from bartizan.lab.groups import ratios_of
from bartizan.lab.intervals import ConfidenceSequence
from bartizan.lab.measures import Ratios, sums_by_deal
from bartizan.lab.reading import design_of

EXPERIMENTS = 1_000
DEALS = 60  # of an experiment, with two games each
WORLD = 3_000  # deals
ASKED = ("won.seat_1", "advantage.seat_1", "drawn", "decisions", "turns", "wait", "forced", "dead_turns")

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of games want compiled rules")


@pytest.fixture(scope="module")
def design() -> Design:
    return design_of(
        {
            "game": "tower",
            "players": ["greedy", "greedy"],
            "repeats": 2,
            "games": 2 * WORLD,
            "seed": "world",
            "measures": ["fairness", "length"],
            "until": {"measure": "won.seat_1", "width": 0.2, "most": 2 * WORLD},
        }
    )


@pytest.fixture(scope="module")
def world(design: Design) -> list[pl.DataFrame]:
    """Return real games, a frame a deal."""
    player = ChunkPlayer(design)
    games = pl.concat([player.play(chunk)["games"] for chunk in chunks_of(design)])
    return games.partition_by("deal", maintain_order=True)


def figures(design: Design, games: pl.DataFrame) -> dict[str, tuple[float, float, float]]:
    ratios = Ratios(design, ratios_of(design))
    ratios.add(games)
    found = {each.measure: each.interval for each in ratios.figures()}
    return {name: (found[name].estimate, found[name].low, found[name].high) for name in ASKED}


def drawn(world: list[pl.DataFrame], dice: np.random.Generator, deals: int) -> pl.DataFrame:
    """Return the games of so many deals of the world, each drawn anew, numbered in their order."""
    frame: pl.DataFrame = pl.concat([world[at] for at in dice.integers(0, len(world), deals)])
    return frame.with_columns(pl.Series("deal", np.repeat(np.arange(deals), 2)))


def test_intervals_of_real_games_hold_the_truth_as_often_as_they_say(
    design: Design, world: list[pl.DataFrame]
) -> None:
    truth = {name: at for name, (at, _, _) in figures(design, pl.concat(world)).items()}
    dice = np.random.default_rng(1)
    held = dict.fromkeys(ASKED, 0)
    for _ in range(EXPERIMENTS):
        for name, (_, low, high) in figures(design, drawn(world, dice, DEALS)).items():
            held[name] += low <= truth[name] <= high
    assert {name: times for name, times in held.items() if not 930 <= times <= 970} == {}


def test_a_run_of_real_games_that_stops_when_it_is_sure_holds_the_truth(
    design: Design, world: list[pl.DataFrame]
) -> None:
    """Runs are looked at after every 50 deals, and stop as `until` stops them."""
    assert design.until is not None
    measure = next(
        each for each in Ratios(design, ratios_of(design)).measures if each.name == design.until.measure
    )
    sums = sums_by_deal(pl.concat(world), [measure])
    results = (sums["0.top"] / sums["games"]).to_numpy()
    truth, dice, looks = results.mean(), np.random.default_rng(2), 50
    held = always = 0
    lengths = []
    for _ in range(EXPERIMENTS):
        sequence, never_out = ConfidenceSequence(), True
        while sequence.width > design.until.width:
            sequence.add(results[dice.integers(0, len(results), looks)])
            never_out &= sequence.low <= truth <= sequence.high
        held += sequence.low <= truth <= sequence.high
        always += never_out
        lengths.append(sequence.count)
    assert held >= 950
    assert always >= 950
    assert len(set(lengths)) > 1  # they do not all stop at the same look

    # An experiment watches with the same sequence.
    watch, sequence = _Watch(design), ConfidenceSequence()
    for _ in range(4):
        games = drawn(world, dice, looks)
        own = sums_by_deal(games, [measure])
        sequence.add((own["0.top"] / own["games"]).to_numpy())
        assert watch.see(games) == (sequence.width <= design.until.width)
        interval = watch.interval(design.cells[0], 0.5)
        assert (interval.low, interval.high) == (sequence.low, sequence.high)
