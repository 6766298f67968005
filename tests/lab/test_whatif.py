"""Games tried by other rules: against records whose options are changed by hand, and trials made by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import CorruptRecord
from bartizan.engine.rng import stream
from bartizan.lab.batch import GameBatch, deal_seed
from bartizan.lab.chunk import ChunkPlayer, chunks_of
from bartizan.lab.design import BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups.what_if import Trials
from bartizan.lab.reading import design_of, read_design
from bartizan.lab.whatif import NO_CLAUSE, frame_of_trials, try_game
from bartizan.match.match import Match
from bartizan.match.record import GameRecord
from bartizan.search.players import Player

ALCAZAR: dict[str, Any] = {
    "game": "alcazar",
    "players": ["greedy"],
    "games": 25,
    "measures": ["fairness", "what-if"],
    "vary": {"actions_per_turn": ["unlimited", 3]},
}
CASTLES: dict[str, Any] = {
    "game": "castle-danger",
    "players": ["random", "greedy"],
    "games": 12,
    "measures": ["what-if"],
    "vary": {"turn_limit": [9, 4, 50]},
}


@pytest.fixture(scope="module", params=[ALCAZAR, CASTLES], ids=lambda tables: str(tables["game"]))
def tried(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    experiment = Experiment.begin(request.param, tmp_path_factory.mktemp("lab") / "tried")
    experiment.run()
    return experiment


def replayed(record: GameRecord, options: dict[str, Any]) -> tuple[Match, int, str]:
    """Replay a record under other options as `bartizan replay` does; return how far, and what it says."""
    changed = msgspec.structs.replace(record, options=options)
    try:
        return Match.of(changed), -1, ""
    except CorruptRecord as error:
        told = str(error)
    ply = int(re.findall(r"^Ply (\d+)", told)[0]) - 1
    return Match.of(changed, ply), ply, told


def test_games_are_refused_where_a_replay_of_their_records_stops(tried: Experiment) -> None:
    """A record with other options in its head is an independent way to the same plies and winners."""
    design = tried.design
    trials = pl.concat(list(tried.folder.frames("what_if")))
    assert trials.height == sum(design.cells[0].deals * design.games_of(cell) for cell in design.cells[1:])
    kinds = set()
    for row in trials.iter_rows(named=True):
        record = tried.record(row["game"])
        match, ply, error = replayed(record, design.cells[row["cell"]].options)
        assert row["plies"] == len(record.moves)
        assert row["refused_at"] == ply
        assert row["ended"] == (ply >= 0 and match.is_over)
        assert row["goes_on"] == (ply < 0 and not match.is_over)
        if row["ended"]:
            assert match.outcome is not None
            assert row["clause"] == match.outcome.clause
        elif ply >= 0:
            assert row["clause"] in error
        players = tried.games().filter(pl.col("game") == row["game"]).collect()
        names = players["players"].item().split(", ")
        slot = players["order"].item()
        dice = [stream(match.seed, "what-if", slot, seat) for seat in range(len(names))]
        table = [Player.named(design.game, *each) for each in zip(names, dice, strict=True)]
        while not match.is_over:
            match.play(table[match.seat_to_move - 1].choose(match.game_state(), match.legal(), match))
        assert row["flipped"] == (match.result() != record.result), row
        kinds.add((ply >= 0, row["ended"], row["goes_on"], row["flipped"]))
    assert len(kinds) > 1


def test_figures_are_those_of_the_trials(tried: Experiment) -> None:
    trials = pl.concat(list(tried.folder.frames("what_if")))
    frame = tried.measures().filter((pl.col("group") == "what-if") & (pl.col("kind") != "difference"))
    for cell in tried.design.main_cells[1:]:
        own = trials.filter(pl.col("cell") == cell.number).to_dicts()
        figures = {row["measure"]: row for row in frame.filter(pl.col("cell") == cell.number).to_dicts()}
        refused = [row for row in own if row["refused_at"] >= 0]
        assert figures["refused"]["estimate"] == pytest.approx(len(refused) / len(own))
        if refused:
            mean = sum(row["refused_at"] for row in refused) / len(refused)
            assert figures["refused_at"]["estimate"] == pytest.approx(mean)
        by = {name: row for name, row in figures.items() if name.startswith(("refused_by", "ended_by"))}
        assert sum(row["estimate"] for row in by.values()) == pytest.approx(len(refused) / len(own))
        flipped, anyway = (sum(row[name] for row in own) for name in ("flipped", "flipped_anyway"))
        assert figures["flipped"]["estimate"] == pytest.approx(flipped / len(own))
        assert figures["flipped_by_rules"]["estimate"] == pytest.approx((flipped - anyway) / len(own))


def test_trials_made_by_hand() -> None:
    """Four games of two deals: two are refused, one is over too early; the rules change one winner of two."""
    design = design_of({**CASTLES, "vary": {"turn_limit": [50, 9]}})
    rows = [
        # game, cell, deal, plies, refused_at, clause, ended, goes_on, flipped, flipped_anyway
        (0, 1, 0, 30, 12, "CD-23", False, False, True, False),
        (1, 1, 0, 20, -1, "", False, False, False, False),
        (4, 1, 1, 40, 20, NO_CLAUSE, False, False, True, True),
        (5, 1, 1, 50, 40, "CD-39", True, False, False, False),
    ]
    trials = Trials(design)
    trials.add(frame_of_trials(rows[:2]))
    trials.add(frame_of_trials(rows[2:]))
    found = {figure.measure: figure for figure in trials.figures()}
    assert {name: figure.interval.estimate for name, figure in found.items()} == pytest.approx(
        {
            "refused": 0.75,
            "refused_at": 24.0,
            "refused_by.CD-23": 0.25,
            f"refused_by.{NO_CLAUSE}": 0.25,
            "ended_by.CD-39": 0.25,
            "goes_on": 0.0,
            "flipped": 0.5,
            "flipped_anyway": 0.25,
            "flipped_by_rules": 0.25,
        }
    )
    assert {(figure.deals, figure.games) for figure in found.values()} == {(2, 4)}
    assert found["flipped"].interval.method == "Wilson, by deals"


def test_the_same_rules_refuse_and_change_nothing() -> None:
    game = registry.get("castle-danger")
    batch = GameBatch(game, {}, ["random", "random"])
    cell = design_of({"game": "castle-danger"}).cells[0]
    for deal in range(3):
        trial = try_game(batch, cell, deal_seed("same", deal), 0)
        assert (trial.refused_at, trial.clause, trial.ended, trial.goes_on) == (-1, "", False, False)
        assert not trial.flipped
        assert not trial.flipped_anyway


def test_a_move_of_another_seat_is_no_clause() -> None:
    """Two jokers in the deck deal other cards: some records go on with a seat that is not asked."""
    game = registry.get("tower")
    batch = GameBatch(game, {}, ["random", "random"])
    cell = design_of({"game": "tower", "options": {"jokers": 2}}).cells[0]
    trials = [try_game(batch, cell, deal_seed("1", deal), 0) for deal in range(4)]
    assert {trial.refused_at >= 0 for trial in trials} == {True}
    assert {trial.clause for trial in trials} <= {NO_CLAUSE, *(c.id for c in game.clauses.all())}


def test_what_if_needs_something_that_varies(tmp_path: Path) -> None:
    alone = {"game": "castle-danger", "games": 2, "measures": ["what-if"]}
    with pytest.raises(BadExperiment, match="Nothing is varied"):
        Experiment.begin(alone, tmp_path / "one")
    assert not (tmp_path / "one").exists()
    Experiment.begin(alone | {"measures": ["what-if", "length"]}, tmp_path / "two").run()
    assert not (tmp_path / "two" / "what_if").exists()


def test_only_a_sample_is_tried() -> None:
    player = ChunkPlayer(design_of(CASTLES | {"tried": 4}))
    (chunk,) = chunks_of(player.design)
    trials = player.play(chunk)["what_if"]
    assert trials["deal"].unique().to_list() == [0, 1]  # two assignments of each
    assert trials["game"].n_unique() == 4


def test_the_group_is_read_and_written() -> None:
    text = 'game = "tower"\nmeasures = ["what-if"]\n[vary]\njokers = [0, 2]\n'
    design = read_design(text)
    assert design.tries_other_rules
    assert read_design(design.text()).text() == design.text()
