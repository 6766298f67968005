"""Experiments: read, refused, played in any number of threads, stopped, gone on with, damaged, measured."""

from __future__ import annotations

import hashlib
import re
import shutil
import threading
import tomllib
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.engine.files import InUse, Unwritable
from bartizan.engine.options import flat
from bartizan.lab import store
from bartizan.lab.batch import deal_seed
from bartizan.lab.chunk import chunks_of, deals_a_chunk
from bartizan.lab.compare import compare
from bartizan.lab.design import BadExperiment, Until, orders_of
from bartizan.lab.experiment import Experiment
from bartizan.lab.intervals import NOT_MEASURED, half_width, wilson
from bartizan.lab.measures import Worths
from bartizan.lab.reading import confirmed_design, design_of, read_design
from bartizan.lab.runner import ThreadWorkers
from bartizan.lab.template import template
from bartizan.match import Match

SMALL = """
game = "castle-danger"
players = ["greedy", "random"]
games = 60
seed = "first"
measures = ["fairness", "length", "choice", "pieces"]

[vary]
friendly_fire = ["none", "all"]
"""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even small experiments have several chunks."""
    monkeypatch.setattr("bartizan.lab.chunk.FAST", 40)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bartizan.lab.chunk.FAST", 40)
        experiment = Experiment.begin(SMALL, tmp_path_factory.mktemp("lab") / "small")
        experiment.run()
    return experiment


def files_of(path: Path) -> dict[str, bytes]:
    return {
        each.relative_to(path).as_posix(): each.read_bytes()
        for each in sorted(path.rglob("*"))
        if each.is_file() and each.name != store.JOURNAL  # which says how long chunks took
    }


# --- Reading --------------------------------------------------------------------


def test_what_is_left_out_is_settled() -> None:
    design = read_design('game = "tower"')
    assert design.players == ("greedy", "greedy")
    assert (design.measures, design.repeats, design.games) == (("fairness", "length"), 1, 2_000)
    assert read_design(design.text()).text() == design.text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "towr"', "line 1: .*Did you mean 'tower'"),
        ('game = "tower"\n\nplayer = ["random"]', "line 3: There is no key 'player'. Did you mean 'players'"),
        ('game = "tower"\nplayers = ["gredy"]', "line 2: .*Did you mean 'greedy'"),
        ('game = "tower"\nmeasures = ["fairnes"]', "line 2: .*Did you mean 'fairness'"),
        ('game = "tower"\n[options]\njokerz = "two"', "line 3: .*Did you mean 'jokers'"),
        ('game = "castle-danger"\n[vary]\nfriendly_fire = ["all", "nome"]', "line 3: .*Did you mean 'none'"),
        ('game = "tower"\n[vary]\njokers = "two"', "line 3: .*must be a list"),
        ('game = "tower"\n[vary]\njokers = []', "line 3: .*a list of one or more values"),
        ('game = "tower"\n[each]\njokerz = [2]', "line 3: .*Did you mean 'jokers'"),
        ('game = "tower"\n[each]\njokers = [0, 2]', "line 3: jokers is already 0 in the first cell"),
        ('game = "tower"\n[each]\njokers = [2]\n[vary]\ndecks = [1]', "line 2: .*Leave one of them out"),
        ('game = "castle-danger"\nseats = 3', "line 2: .*for 2 seats, not 3"),
        ('game = "castle-danger"\nplayers = ["random", "random", "random"]', "line 2: .*not 3"),
        ('game = "tower"\nplayers = ["search@0"]', "line 2: .*1 to 1,000,000 iterations"),
        ('game = "tower"\ngames = 0', "line 2: games is 0"),
        ('game = "tower"\ngames = true', "line 2: games is true"),
        ('game = "tower"\nseed = ["a"]', "line 2: seed"),
        ('game = "tower"\nrepeats = 1\nmeasures = ["luck"]', "line 2: luck compares"),
        ('game = "tower"\n[until]\nmeasure = "won.seat_1"\nwidht = 1', "line 4: .*Did you mean 'width'"),
        ('game = "tower"\n[search]\nbudgets = [4, 2]', "line 3: budgets"),
        ('game = "tower"\n[confirm]\nplayers = ["knigt"]', "line 3: .*Did you mean 'knight'"),
        ('game = "tower', "This isn't valid TOML"),
        ("games = 3", "'game' is missing"),
        ('game = "tower"\n[until]\nwidth = 0.1', "line 2: 'measure' is missing from until"),
        ('game = "tower"\nuntil = { most = 9 }', "line 2: 'measure' and 'width' are missing from until"),
        ('game = "tower"\n[until]\nmeasure = "drawn"\nwidth = 2', "line 4: width is 2; .*0.001 to 1"),
        ('game = "tower"\nuntil = 3', "line 2: until is 3; it must be a table"),
        ('game = "tower"\nvary = 3', "line 2: vary is 3; it must be a table"),
        ('game = "tower"\nplayers = [3]', r"line 2: players is \[3\]; it must be a list of texts"),
        ('game = "tower"\ngames = 2.0', "line 2: games is 2.0; it must be a whole number from 1 to 1"),
        ('game = "tower"\nseed = -1', "line 2: seed is -1; it must be a text"),
        ('game = "tower"\nseats = "two"', 'line 2: seats is "two"; it must be a whole number'),
        ('game = "tower"\n[search]\nbudgets = [4]', "line 3: budgets .* two or more"),
        ('game = "tower"\n[confirm]\ngames = 0', "line 3: games is 0"),
    ],
)
def test_a_fault_names_the_place_and_the_nearest_right_word(text: str, said: str) -> None:
    with pytest.raises(BadExperiment) as caught:
        read_design(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml")
    assert re.search(said, str(caught.value)), str(caught.value)


def test_values_are_tried_one_at_a_time_against_the_options_as_they_are() -> None:
    each = 'friendly_fire = ["none", "walls_only"]\n"setup.symmetry" = ["mirror"]'
    text = f'game = "castle-danger"\n[each]\n{each}'
    design = read_design(text)
    usual = design.game.read_options({}, 2).write()
    assert [cell.label for cell in design.cells] == [
        "",
        "friendly_fire = none",
        "friendly_fire = walls_only",
        "setup.symmetry = mirror",
    ]
    assert design.cells[0].options == usual
    for cell in design.cells[1:]:
        key, _, value = cell.label.partition(" = ")
        assert flat(cell.options) == flat(usual) | {key: value}
    assert read_design(design.text()).cells == design.cells


def test_a_run_can_be_stopped_by_some_measures_only(tmp_path: Path) -> None:
    tables = {"game": "tower", "until": {"measure": "wonn.seat_1", "width": 0.1}}
    with pytest.raises(BadExperiment, match=r"Did you mean 'won\.seat_1'"):
        Experiment.begin(tables, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_every_assignment_of_players_to_seats_is_played() -> None:
    assert orders_of(["a", "b"]) == (("a", "b"), ("b", "a"))
    assert orders_of(["a", "a"]) == (("a", "a"),)
    assert len(orders_of(["a", "b", "c", "d"])) == 24
    turned = orders_of(["a", "b", "c", "d", "e"])
    assert len(turned) == 5
    assert all({order[seat] for order in turned} == set("abcde") for seat in range(5))


@pytest.mark.parametrize("name", registry.names())
def test_the_template_of_a_game_is_an_experiment(name: str) -> None:
    design = read_design(template(registry.get(name)))
    assert design.game.name == name
    assert design.games == 2_000


# --- Running --------------------------------------------------------------------


def test_the_files_are_the_same_with_any_number_of_threads(finished: Experiment, tmp_path: Path) -> None:
    other = Experiment.begin(SMALL, tmp_path / "other")
    told: list[tuple[int, int]] = []
    other.run(threads=2, progress=lambda done, total: told.append((done, total)))
    assert files_of(tmp_path / "other") == files_of(finished.folder.path)
    assert told[-1] == (120, 120)
    assert len(list((tmp_path / "other" / "games").iterdir())) == len(chunks_of(other.design)) == 3


class Stumbling(ThreadWorkers):
    """Threads that are interrupted after some chunks."""

    def __init__(self, chunks: int) -> None:
        super().__init__(1)
        self._chunks = chunks

    def do(self, *given: Any, **more: Any) -> Generator[Any]:
        for number, each in enumerate(super().do(*given, **more)):
            if number == self._chunks:
                raise KeyboardInterrupt
            yield each


def test_a_stopped_run_goes_on_where_it_was(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        Experiment.begin(SMALL, out).run(workers=Stumbling(1))
    first = out / "games" / "000000.parquet"
    kept = first.stat().st_mtime_ns
    (out / "games" / ".000001.parquet.abc.part").write_bytes(b"half")  # what a kill in the middle leaves
    journal = (out / store.JOURNAL).read_bytes()
    (out / store.JOURNAL).write_bytes(journal + b'{"number": 1, "dea')
    Experiment.begin(SMALL, out).run()
    (out / "games" / ".000001.parquet.abc.part").unlink()
    assert first.stat().st_mtime_ns == kept
    assert files_of(out) == files_of(finished.folder.path)


def test_a_finished_experiment_plays_nothing(finished: Experiment) -> None:
    class Idle(ThreadWorkers):
        def do(self, *given: Any, **more: Any) -> Generator[Any]:
            raise AssertionError("nothing is left to play")

    Experiment.begin(SMALL, finished.folder.path).run(workers=Idle())


def test_more_games_can_be_added(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "grown"
    Experiment.begin(replace(finished.design, games=26), out).run()
    assert Experiment.open(out).games().collect().height == 52
    Experiment.begin(finished.design, out).run()
    assert files_of(out) == files_of(finished.folder.path)


def test_another_experiment_is_not_overwritten(finished: Experiment, tmp_path: Path) -> None:
    out = finished.folder.path
    before = files_of(out)
    for change in (
        {"seed": "2"},
        {"repeats": 2},
        {"players": ("random", "random")},
        {"measures": ("length",)},
    ):
        with pytest.raises(BadExperiment, match="holds another experiment"):
            Experiment.begin(replace(finished.design, **change), out)
    assert files_of(out) == before
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "letter.txt").write_text("dear")
    with pytest.raises(BadExperiment, match="isn't an experiment's folder"):
        Experiment.begin(finished.design, tmp_path / "things")
    with pytest.raises(BadExperiment, match="isn't an experiment's folder"):
        Experiment.open(tmp_path / "things")


def test_other_rules_are_another_experiment(finished: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "rules_digest", lambda game: "0" * 16)
    with pytest.raises(BadExperiment, match="another version: its rules_digest"):
        Experiment.begin(finished.design, finished.folder.path)


def test_a_damaged_file_is_told_and_played_again(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "damaged"
    Experiment.begin(SMALL, out).run()
    whole = files_of(out)
    path = out / "games" / "000001.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    broken = Experiment.open(out)
    assert broken.faults == [f"{path} is damaged; its games are left out."]
    assert broken.games().collect().height == 80
    assert broken.measures().filter(pl.col("measure") == "won.seat_1")["games"].to_list() == [40, 40, 40]
    Experiment.begin(SMALL, out).run()
    assert files_of(out) == whole


def test_a_full_disk_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        nonlocal written
        written += 1
        if written == 2:
            write(self, data[:100])
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(Unwritable, match="no space left"):
        Experiment.begin(SMALL, tmp_path / "full").run()
    kept = Experiment.open(tmp_path / "full")
    assert kept.faults == []
    assert kept.games().collect().height == 40
    assert not list((tmp_path / "full").rglob("*.part"))


def drawn_of(experiment: Experiment) -> tuple[int, int]:
    games = experiment.games().collect()
    return int(games["drawn"].sum()), games.height


def test_a_run_stops_when_the_figure_is_sure_enough(tmp_path: Path) -> None:
    tables = {
        "game": "castle-danger",
        "players": ["greedy", "random"],
        "measures": ["fairness"],
        "until": {"measure": "won.player.greedy", "width": 0.5, "most": 400},
    }
    with pytest.raises(BadExperiment):  # an average over both seats has no known bounds for a game
        Experiment.begin(tables, tmp_path / "none")
    tables["until"] = {"measure": "drawn", "width": 0.5, "most": 400}
    found = []
    for threads in (1, 2):
        out = tmp_path / str(threads)
        Experiment.begin(tables, out).run(threads)
        found.append(files_of(out))
    assert found[0] == found[1]
    stopped = Experiment.open(tmp_path / "1")
    assert 40 < stopped.games().collect().height < 400
    # What has been looked at after every chunk is said with the interval that allows for that.
    row = stopped.measures().row(by_predicate=pl.col("measure") == "drawn", named=True)
    assert row["method"] == "confidence sequence"
    assert 0 <= row["low"] <= row["estimate"] <= row["high"] <= row["low"] + 0.5
    assert row["high"] - row["low"] > 2 * (wilson(*drawn_of(stopped))[1] - row["estimate"])
    Experiment.begin(tables, tmp_path / "1").run()
    assert files_of(tmp_path / "1") == found[0]


def test_a_chunk_in_the_making_stops_when_nobody_wants_it() -> None:
    from bartizan.lab.chunk import ChunkPlayer, Stopped

    stop = threading.Event()
    stop.set()
    design = read_design(SMALL)
    with pytest.raises(Stopped):
        ChunkPlayer(design).play(chunks_of(design)[0], stop.is_set)


# --- What it comes to -------------------------------------------------------------


def test_cells_and_assignments_play_the_same_deals(finished: Experiment) -> None:
    games = finished.games().collect()
    assert games["game"].to_list() == list(range(120))
    assert games["seed"].to_list() == [deal_seed(finished.design.seed, deal) for deal in games["deal"]]
    by_deal = games.group_by("deal").agg(pl.col("seed").n_unique(), pl.len())
    assert by_deal["seed"].to_list() == [1] * 30
    assert by_deal["len"].to_list() == [4] * 30
    first = games.filter(pl.col("deal") == 0)
    assert first.select("cell", "order", "players").rows() == [
        (0, 0, "greedy, random"),
        (0, 1, "random, greedy"),
        (1, 0, "greedy, random"),
        (1, 1, "random, greedy"),
    ]


def test_figures_are_those_of_the_games(finished: Experiment) -> None:
    """Computed again from the frame of games, another way."""
    frame, games = finished.measures(), finished.games().collect()

    def estimate(measure: str, cell: int = 0, kind: str = "level") -> float:
        picked = frame.filter(
            (pl.col("measure") == measure) & (pl.col("cell") == cell) & (pl.col("kind") == kind)
        )
        return float(picked["estimate"].item())

    for cell in (0, 1):
        own = games.filter(pl.col("cell") == cell)
        assert estimate("won.seat_1", cell) == pytest.approx(own["won_1"].mean())
        assert estimate("decisions", cell) == pytest.approx(own["plies"].mean())
        assert estimate("forced", cell) == pytest.approx(
            own["forced"].to_numpy().sum() / own["plies"].to_numpy().sum()
        )
        assert estimate("dead_turns", cell) == pytest.approx(
            own["dead_turns"].to_numpy().sum() / own["turns"].to_numpy().sum()
        )
        won = [row["won_1"] if row["order"] == 0 else row["won_2"] for row in own.iter_rows(named=True)]
        assert estimate("won.player.greedy", cell) == pytest.approx(np.mean(won))
        cannon = [
            (row[f"won_{seat}"], row[f"played_{seat}"][2])
            for row in own.iter_rows(named=True)
            for seat in (1, 2)
        ]
        with_one, without = ([win for win, has in cannon if has == which] for which in (1, 0))
        expected = np.mean(with_one) - np.mean(without)
        assert estimate("worth_played.Cannon", cell, "worth") == pytest.approx(expected)
    means = [games.filter(pl.col("cell") == cell)["plies"].to_numpy().mean() for cell in (0, 1)]
    gap = means[1] - means[0]
    assert estimate("decisions", 1, "difference") == pytest.approx(gap)


def test_every_game_is_a_record_that_replays(finished: Experiment) -> None:
    games = finished.select("cell = 1", "plies", 2)
    assert games["plies"].to_list() == sorted(games["plies"].to_list(), reverse=True)
    for row in games.iter_rows(named=True):
        record = finished.record(row["game"])
        assert len(record.moves) == row["plies"]
        assert record.options["friendly_fire"] == "all"
        match = Match.of(record)
        assert match.is_over
        assert match.returns() == [row["return_1"], row["return_2"]]


def test_what_cannot_be_asked_of_games_is_told(finished: Experiment) -> None:
    with pytest.raises(BadExperiment, match="isn't a condition"):
        finished.select("plies >>> 3")
    with pytest.raises(BadExperiment, match="The columns are game"):
        finished.select("pliez > 3")
    with pytest.raises(BadExperiment, match="Did you mean 'plies'"):
        finished.select(best="pliez")
    with pytest.raises(BadExperiment, match="no game 999"):
        finished.record(999)


def test_a_comparison_is_paired_where_the_deals_are_the_same(finished: Experiment, tmp_path: Path) -> None:
    tables = {**finished.design.written()}
    del tables["vary"]
    tables["options"] = {"friendly_fire": "all"}
    other = Experiment.begin(tables, tmp_path / "all")
    other.run()
    frame = compare(finished, other)
    assert set(frame["method"]) == {"paired by deal", "paired by deal, all alike", "exact ends"}
    own = finished.measures().filter(pl.col("kind") == "difference")
    for name in ("decisions", "won.seat_1", "forced"):
        one = frame.filter(pl.col("measure") == name).row(0, named=True)
        two = own.filter(pl.col("measure") == name).row(0, named=True)
        assert (one["estimate"], one["low"], one["high"]) == pytest.approx(
            (two["estimate"], two["low"], two["high"])
        )
    elsewhere = Experiment.begin({**tables, "seed": "2"}, tmp_path / "elsewhere")
    elsewhere.run()
    apart = {"two samples (Welch)", "two samples (Welch), all alike", "exact ends"}
    assert set(compare(finished, elsewhere)["method"]) == apart


def test_repeats_tell_how_much_the_deal_decides(tmp_path: Path) -> None:
    tables = {"game": "alcazar", "players": "random", "games": 40, "repeats": 2, "measures": ["luck"]}
    experiment = Experiment.begin(tables, tmp_path / "luck")
    experiment.run()
    games = experiment.games().collect()
    assert games.group_by("deal").len()["len"].to_list() == [2] * 20
    row = experiment.measures().filter(pl.col("measure") == "deal_share").row(0, named=True)
    assert row["n"] == 20
    told = experiment.missing()
    assert "luck" not in told


def test_deals_that_decide_less_than_nothing_decide_nothing() -> None:
    """Where games of one deal differ more than others, the estimate would fall out of its interval."""
    from bartizan.lab.groups.luck import Luck

    design = design_of({"game": "alcazar", "measures": ["luck"], "repeats": 2})
    games = pl.DataFrame(
        {
            "cell": np.zeros(80, np.int32),
            "deal": np.repeat(np.arange(40), 2),
            "order": np.zeros(80, np.int32),
            "return_1": np.tile([-1.0, 1.0], 40),
        }
    )
    luck = Luck(design)
    luck.add(games)
    (figure,) = luck.figures()
    assert figure.interval.estimate == figure.interval.low == 0
    assert figure.interval.high >= 0


def test_the_correlation_of_a_deal_is_that_of_an_analysis_of_variance() -> None:
    from bartizan.lab.groups.luck import Luck

    design = design_of({"game": "alcazar", "measures": ["luck"], "repeats": 3})
    dice = np.random.default_rng(4)
    scores = (dice.random((400, 1)) + dice.random((400, 3)) < 1).astype(float)
    games = pl.DataFrame(
        {
            "cell": np.zeros(1200, np.int32),
            "deal": np.repeat(np.arange(400), 3),
            "order": np.zeros(1200, np.int32),
            "return_1": scores.ravel() * 2 - 1,
        }
    )
    luck = Luck(design)
    luck.add(games[:600])
    luck.add(games[600:])
    (figure,) = luck.figures()
    between = 3 * scores.mean(axis=1).var(ddof=1)
    within = scores.var(axis=1, ddof=1).mean()
    expected = (between - within) / (between + 2 * within)
    assert figure.interval.estimate == pytest.approx(expected)
    assert figure.interval.low < 1 / 3 < figure.interval.high


def test_the_share_of_the_deal_is_that_of_all_seats() -> None:
    """The first seat's result is the deal's alone, those of the two others are chance."""
    from bartizan.lab.groups.luck import Luck

    design = design_of({"game": "tower", "players": ["greedy"] * 3, "measures": ["luck"], "repeats": 2})
    dice = np.random.default_rng(6)
    deals = np.repeat(np.arange(500), 2)
    sign = dice.choice([-1.0, 1.0], 500)
    others = {f"return_{seat}": dice.choice([-1.0, 1.0], 1000) for seat in (2, 3)}
    games = {"cell": np.zeros(1000, np.int32), "deal": deals, "order": np.zeros(1000, np.int32)}
    luck = Luck(design)
    luck.add(pl.DataFrame(games | {"return_1": sign[deals]} | others))
    (figure,) = luck.figures()
    assert figure.interval.estimate == pytest.approx(1 / 3, abs=0.05)
    assert figure.interval.low < 1 / 3 < figure.interval.high


def test_what_a_piece_is_worth_is_told_within_deals() -> None:
    """Games of one deal repeat each other: the interval is that of a jackknife over deals, not over games."""
    deals, repeats = 300, 4
    design = design_of({"game": "castle-danger", "measures": ["pieces"], "repeats": repeats})
    dice = np.random.default_rng(8)
    has = np.repeat(dice.random((deals, 2)) < [0.4, 0.7], repeats, axis=0)  # the same in all games of a deal
    chance = np.clip(0.3 + 0.2 * has[:, 0] + np.repeat(dice.normal(0, 0.2, deals), repeats), 0, 1)
    first = (dice.random(deals * repeats) < chance).astype(int)
    won = np.stack([first, 1 - first], axis=1)
    games = pl.DataFrame(
        {"cell": [0] * len(first), "deal": np.repeat(np.arange(deals), repeats)}
    ).with_columns(
        *(pl.Series(f"won_{seat}", won[:, seat - 1]) for seat in (1, 2)),
        *(pl.Series(f"held_{seat}", has[:, seat - 1 : seat].astype(np.uint8)) for seat in (1, 2)),
    )
    worths = Worths(design, "pieces", ["ball"], {"held": "held"}, "piece")
    worths.add(games[:400])
    worths.add(games[400:])
    (figure,) = [each for each in worths.figures() if each.measure == "worth_held.ball"]

    def worth(of: np.ndarray) -> float:
        return float(won[of][has[of]].mean() - won[of][~has[of]].mean())

    def spread(units: np.ndarray) -> float:
        """Return the jackknife's standard error where the games with one number are a unit."""
        names = np.unique(units)
        left_out = np.array([worth(units != name) for name in names])
        return float(np.sqrt((len(names) - 1) * left_out.var()))

    assert figure.interval.estimate == pytest.approx(worth(np.ones(len(first), bool)))
    half = (figure.interval.high - figure.interval.low) / 2
    by_deals = half_width(spread(games["deal"].to_numpy()), deals)
    by_games = half_width(spread(np.arange(len(first))), len(first))
    assert half == pytest.approx(by_deals, rel=0.01)
    assert abs(half / by_games - 1) > 0.1


def test_a_share_of_the_deal_never_leaves_its_range() -> None:
    """Of unlike games of each deal the correlation is below nothing: the figure says nothing, not less."""
    from bartizan.lab.groups.luck import Luck

    luck = Luck(design_of({"game": "alcazar", "measures": ["luck"], "repeats": 2}))
    games = {"cell": [0] * 40, "deal": [deal for deal in range(20) for _ in "ab"], "order": [0] * 40}
    luck.add(pl.DataFrame(games | {"return_1": [-1.0, 1.0] * 20}, schema_overrides={"cell": pl.Int32}))
    (figure,) = luck.figures()
    assert (figure.interval.estimate, figure.interval.low) == (0.0, 0.0)
    assert 0 <= figure.interval.high <= 1


def test_chunks_are_the_same_however_many_games_there_are() -> None:
    design = read_design(SMALL)
    longer = replace(design, games=6_000)
    assert deals_a_chunk(design) == deals_a_chunk(longer)
    assert chunks_of(longer)[:2] == chunks_of(design)[:2]


CONFIRMED = """
game = "castle-danger"
players = ["greedy", "random"]
games = 20
seed = "first"
measures = ["fairness", "clauses"]

[confirm]
players = ["random"]
"""


@pytest.mark.parametrize(("games", "confirming"), [(60, 20), (60, 60), (20, 60), (100, 30)])
def test_more_games_can_be_added_to_either_kind_of_cell(tmp_path: Path, games: int, confirming: int) -> None:
    small = read_design(CONFIRMED)
    large = replace(small, games=games, confirm_games=confirming)
    Experiment.begin(small, tmp_path / "grown").run()
    told: list[tuple[int, int]] = []
    grown = Experiment.begin(large, tmp_path / "grown")
    grown.run(progress=lambda done, total: told.append((done, total)))
    whole = Experiment.begin(large, tmp_path / "whole")
    whole.run()
    assert files_of(tmp_path / "grown") == files_of(tmp_path / "whole")
    assert told[-1] == (games + confirming, games + confirming)
    assert grown.games().collect().height == games + confirming
    assert not whole.folder.missing()
    assert Experiment.open(tmp_path / "grown").faults == []


@pytest.mark.parametrize("until", [None, Until(measure="won.seat_1", width=0.3, most=60)])
def test_slow_players_confirm_a_few_games_at_a_time(tmp_path: Path, until: Until | None) -> None:
    """However a run is stopped and gone on with, and on any threads, the files are the same to the byte."""
    design = replace(read_design(CONFIRMED), confirm=("search@2",), confirm_games=6, games=60, until=until)
    whole = Experiment.begin(design, tmp_path / "whole")
    whole.run()
    parts: list[int] = []

    def stop(done: int, total: int) -> None:
        parts.append(done)
        raise KeyboardInterrupt

    stopped = Experiment.begin(design, tmp_path / "stopped")
    while not stopped.is_finished:
        with suppress(KeyboardInterrupt):
            stopped.run(progress=stop)
        stopped = Experiment.open(tmp_path / "stopped")
        assert stopped.faults == []
    assert len(parts) > 1
    stopped.run(threads=2)
    Experiment.begin(design, tmp_path / "threads").run(threads=2)
    assert files_of(tmp_path / "stopped") == files_of(tmp_path / "whole") == files_of(tmp_path / "threads")


def test_a_folder_of_small_chunks_is_gone_on_with(tmp_path: Path) -> None:
    """Before a folder said how large its chunks are, slow players made all of them small."""
    design = replace(read_design(CONFIRMED), confirm=("search@2",), confirm_games=2, games=6)
    experiment = Experiment.begin(design, tmp_path / "old")
    settled = tmp_path / "old" / "experiment.toml"
    settled.write_text(re.sub("deals_a_chunk = .*", "", settled.read_text()))
    experiment = Experiment.open(tmp_path / "old")
    experiment.run()
    assert len(experiment.folder.numbers) > 1
    more = Experiment.begin(replace(design, games=12), tmp_path / "old")
    more.run()
    assert more.games().collect()["game"].is_unique().all()
    assert more.games().collect().height == 12 + 2


def test_two_runs_of_one_experiment_do_not_meet(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "busy"
    first = Experiment.begin(SMALL, out)
    second = Experiment.begin(SMALL, out)  # it looks before the first begins
    with first.folder.alone():
        for call in (second.run, second.think):
            with pytest.raises(InUse, match=r"at work in .*busy"):
                call()
        assert Experiment.open(out).design.text() == first.design.text()  # whoever only looks may
    first.run()
    second.run(workers=Stumbling(0))  # which finds that all is played
    assert files_of(out) == files_of(finished.folder.path)


def test_a_lost_list_of_chunks_is_told(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "lost"
    shutil.copytree(finished.folder.path, out)
    (out / store.JOURNAL).unlink()
    with pytest.raises(BadExperiment, match=r"chunks\.jsonl is missing"):
        Experiment.open(out)
    with pytest.raises(BadExperiment, match=r"chunks\.jsonl is missing"):
        Experiment.begin(finished.design, out)


def test_looking_on_changes_nothing(finished: Experiment, tmp_path: Path) -> None:
    out = tmp_path / "watched"
    Experiment.begin(replace(finished.design, games=26), out).run()
    journal = out / store.JOURNAL
    journal.write_bytes(journal.read_bytes() + b'{"number": 1, "dea')  # which another process is writing
    before = files_of(out)
    assert Experiment.open(out).measures().height
    assert files_of(out) == before
    assert journal.read_bytes().endswith(b'"dea')


@pytest.mark.parametrize(
    "tables",
    [
        {"game": "castle-danger", "measures": ["luck"]},
        {"game": "tower", "measures": ["what-if"]},
    ],
)
def test_an_experiment_that_measures_nothing_is_refused_before_it_runs(
    tables: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(BadExperiment, match="measures nothing"):
        Experiment.begin(tables, tmp_path / "empty")
    assert not (tmp_path / "empty").exists()


def test_the_settled_file_stands_for_its_folder(finished: Experiment) -> None:
    opened = Experiment.open(finished.folder.path / store.SETTLED)
    assert opened.folder.path == finished.folder.path
    assert opened.folder.numbers == finished.folder.numbers


def test_paths_may_be_texts(finished: Experiment, tmp_path: Path) -> None:
    assert Experiment.open(str(finished.folder.path)).folder.numbers == finished.folder.numbers
    (tmp_path / "one.toml").write_text('game = "tower"', encoding="utf-8")
    begun = Experiment.begin(str(tmp_path / "one.toml"), str(tmp_path / "one"))
    assert begun.folder.path == tmp_path / "one"
    with pytest.raises(BadExperiment, match="it must be a game's number"):
        finished.record("0")  # type: ignore[arg-type]


def test_a_trained_policy_is_told_where_it_can_play() -> None:
    with pytest.raises(BadExperiment, match=r"no trained policies.*`bartizan ladder tower --"):
        design_of({"game": "tower", "players": ["policy:shipped", "greedy"]})


@pytest.mark.parametrize("name", registry.names())
def test_the_grid_of_a_template_compares_the_default_with_another_value(name: str) -> None:
    lines = template(registry.get(name)).partition("# [vary]\n")[2].replace("# ", "")
    for spec in registry.get(name).options:
        if spec.worth_comparing:
            values = tomllib.loads(lines)[spec.key]
            assert len(values) > 1
            assert values[0] == spec.default


def test_a_stronger_player_confirms_unless_it_is_said_otherwise() -> None:
    plain = {"game": "tower", "games": 60}
    assert confirmed_design(plain).confirm == ("marshal",)
    assert confirmed_design({**plain, "game": "castle-danger"}).confirm == ("knight",)
    assert confirmed_design(plain).confirm_games == 60
    assert confirmed_design({**plain, "games": 5_000}).confirm_games == 100
    assert confirmed_design({**plain, "game": "card-barrage"}).confirm == ("castellan",)
    assert confirmed_design({**plain, "confirm": {"players": []}}).confirm == ()
    fewer = confirmed_design({**plain, "confirm": {"games": 10}})
    assert (fewer.confirm, fewer.confirm_games) == (("marshal",), 10)
    assert confirmed_design({**plain, "players": ["marshal"]}).confirm == ()
    assert confirmed_design({**plain, "players": ["marshal", "greedy"]}).confirm == ("marshal",)
    assert design_of(plain).confirm == ()


def test_plans_are_measured_unless_measures_are_named() -> None:
    assert confirmed_design({"game": "tower"}).measures == ("fairness", "length", "choice", "pieces")
    assert confirmed_design({"game": "tower", "measures": ["length"]}).measures == ("length",)
    assert design_of({"game": "tower"}).measures == ("fairness", "length")


def as_of_before(path: Path) -> None:
    """Make a folder one of the version that recorded neither gains nor first hands."""
    settled = path / store.SETTLED
    text = settled.read_text("utf-8")
    assert f"{store.COLUMNS} = " in text
    settled.write_text(re.sub(rf"{store.COLUMNS} = .*\n", "", text))
    journal = path / store.JOURNAL
    digests: dict[str, str] = {}
    for chunk in (path / "games").glob("*.parquet"):
        before = chunk.read_bytes()
        frame = pl.read_parquet(chunk)
        frame.select(pl.exclude(r"^(gained|opened)_\d+$")).write_parquet(chunk)
        digests |= {digest_of(before): digest_of(chunk.read_bytes())}
    lines = journal.read_text("utf-8")
    for one, other in digests.items():
        lines = lines.replace(one, other)
    journal.write_text(lines)


def digest_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def test_folders_of_before_are_read_and_not_gone_on_with(tmp_path: Path) -> None:
    tables = {"game": "card-cassonne", "games": 60, "measures": ["fairness", "choice", "pieces"]}
    path = tmp_path / "old"
    now = Experiment.begin(tables, path).run()
    as_of_before(path)
    opened = Experiment.open(path)
    assert opened.faults == []
    frame = opened.measures()
    late = pl.col("measure").str.contains(r"^(points_from|opened|won_opened|worth_opened)\.")
    assert set(frame.filter(late)["method"]) == {NOT_MEASURED}
    assert frame.filter(late).height == now.filter(late).height > 100
    same = [each.filter(~late).drop("p") for each in (frame, now)]
    assert same[0].equals(same[1], null_equal=True)
    with pytest.raises(
        BadExperiment, match=r"did not record where points come from.*lab show.*another folder"
    ):
        Experiment.begin({**tables, "games": 100}, path)
    fair = {"game": "card-cassonne", "games": 20, "measures": ["fairness"]}
    Experiment.begin(fair, tmp_path / "fair").run()
    as_of_before(tmp_path / "fair")
    assert Experiment.begin({**fair, "games": 40}, tmp_path / "fair").run().height  # nothing is missing there


def test_a_folder_with_a_confirmation_is_not_taken_for_one_without(tmp_path: Path) -> None:
    tables = {"game": "castle-danger", "games": 4, "confirm": {"players": ["random"], "games": 2}}
    Experiment.begin(tables, tmp_path / "one").run()
    del tables["confirm"]
    with pytest.raises(
        BadExperiment, match="another experiment: its confirming players are random, not none"
    ):
        Experiment.begin(tables, tmp_path / "one")
