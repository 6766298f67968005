"""Every measure again from an experiment's own records: replayed, and figured out in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from statistics import mean, variance
from typing import Any

import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.engine.rng import stream
from bartizan.lab.batch import GameBatch
from bartizan.lab.experiment import Experiment
from bartizan.lab.intervals import NOT_MEASURED, TOO_FEW
from bartizan.match.evaluate import MoveEvaluator
from bartizan.match.match import Match
from bartizan.match.record import GameRecord
from tests.lab.interpreted_clauses import InterpretedCounter
from tests.lab.plain import PlainGame, plain_game

GROUPS = ["fairness", "length", "choice", "clauses", "pieces", "luck"]
DEALS = {"card-cassonne": 2, "tower": 2}
PLAYERS = {"alcazar": ["greedy"], "tower": ["random", "greedy", "greedy"]}


class Played:
    """An experiment, and what its records tell, with where each game stands among the deals."""

    def __init__(self, name: str, out: Path) -> None:
        self.game = registry.get(name)
        self.players = PLAYERS.get(name, ["random", "greedy"])
        games = 2 * DEALS.get(name, 4) * len(self.players)  # each order of each deal twice
        tables = {"game": name, "players": self.players, "games": games, "repeats": 2}
        tables["measures"] = [each for each in GROUPS if each != "luck" or self.game.chance]
        self.experiment = Experiment.begin(tables, out)
        frame = self.experiment.run()
        self.figures = {row["measure"]: row for row in frame.to_dicts()}
        self.rows = self.experiment.games().collect().sort("game").to_dicts()
        self.records = [self.experiment.record(row["game"]) for row in self.rows]
        self.plain = [plain_game(record.text()) for record in self.records]


def average(numbers: Iterable[float]) -> float:
    """Return a mean; NaN of nothing."""
    known = [float(each) for each in numbers]
    return mean(known) if known else math.nan


@pytest.fixture(scope="module", params=registry.names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(request.param, tmp_path_factory.mktemp("lab") / "records")


def test_every_measure_is_what_the_records_tell(played: Played) -> None:
    expected = {
        **fairness(played),
        **length(played),
        **choice(played),
        **pieces(played),
        **luck(played),
        **clauses(played),
    }
    found = {name: row["estimate"] for name, row in played.figures.items()}
    assert set(found) == set(expected)
    silent = {
        name for name, row in played.figures.items() if row["method"].startswith((TOO_FEW, NOT_MEASURED))
    }
    assert all(math.isnan(found[name]) for name in silent)
    assert {name: expected[name] for name in silent if name.startswith(("in_games", "times"))}.keys() == {
        name for name in silent if expected[name] == 0 and name.startswith(("in_games", "times"))
    }
    expected |= dict.fromkeys(silent, math.nan)
    assert found == pytest.approx(expected, nan_ok=True)


def fairness(played: Played) -> dict[str, float]:
    found: dict[str, float] = {}
    seats = len(played.players)
    for seat in range(1, seats + 1):
        found[f"won.seat_{seat}"] = average(seat in game.winners for game in played.plain)
        found[f"return.seat_{seat}"] = average(game.returns[seat - 1] for game in played.plain)
        if played.game.counts_points:
            found[f"points.seat_{seat}"] = average(game.points[seat - 1] for game in played.plain)
        if seats > 1:
            found[f"advantage.seat_{seat}"] = average(
                (game.returns[seat - 1] - mean(game.returns)) / 2 for game in played.plain
            )
    if seats > 1:
        found["drawn"] = average(game.finished and not game.winners for game in played.plain)
    found["unfinished"] = average(not game.finished for game in played.plain)
    for name in set(played.players) if len(set(played.players)) > 1 else ():
        won, scores = [], []
        for row, game in zip(played.rows, played.plain, strict=True):
            for seat, player in enumerate(row["players"].split(", "), start=1):
                if player == name:
                    won.append(seat in game.winners)
                    scores.append((game.returns[seat - 1] + 1) / 2)
        found[f"won.player.{name}"], found[f"score.player.{name}"] = mean(map(float, won)), mean(scores)
    return found


def length(played: Played) -> dict[str, float]:
    games = played.plain
    found = {
        "decisions": average(len(game.movers) for game in played.plain),
        "turns": average(len(game.turns) for game in played.plain),
        "rounds": average(game.rounds for game in played.plain),
        "forced": sum(game.legal.count(1) for game in games) / sum(len(game.legal) for game in games),
        "dead_turns": sum(game.dead_turns for game in games) / sum(len(game.turns) for game in games),
    }
    if len(played.players) > 1:
        found["wait"] = average(game.wait for game in played.plain)
        for seat in range(1, len(played.players) + 1):
            found[f"decisions.seat_{seat}"] = average(game.movers.count(seat) for game in played.plain)
    if "stall" in played.figures:
        found["stall"] = average(game.stall for game in played.plain)
    if "contact" in played.figures:
        met = [game.contact for game in played.plain if game.contact >= 0]
        found["contact"] = mean(met) if met else math.nan
        found["no_contact"] = 1 - len(met) / len(played.plain)
    return found


def choice(played: Played) -> dict[str, float]:
    found = {
        "legal.median": average(game.quantile(50) for game in played.plain),
        "legal.ninetieth": average(game.quantile(90) for game in played.plain),
    }
    for verb in played.game.actions.verbs:
        chosen = sum(game.chosen.count(verb) for game in played.plain)
        offered = sum(verb in legal for game in played.plain for legal in game.offered)
        found[f"chosen.{verb}"] = chosen / offered if offered else math.nan
        if played.plain[0].seats > 1:
            found[f"winners_more.{verb}"] = winners_more(played, verb)

        uses = [
            {seat for seat, told in zip(game.movers, game.chosen, strict=True) if told == verb}
            for game in played.plain
        ]
        found |= worths(played, verb, "used", uses)
    gains = [gain for game in played.plain for gain in game.gained]
    whole = sum(points for _, _, points in gains)
    for source in played.game.sources if played.game.counts_points else ():
        own = sum(points for _, told, points in gains if told == source)
        found[f"points_from.{source}"] = own / whole if whole else math.nan
    return found


def test_what_strong_players_avoid_is_what_the_records_tell(tmp_path: Path) -> None:
    tables = {"game": "castle-danger", "players": ["random"], "games": 12, "measures": ["choice", "pieces"]}
    tables["confirm"] = {"players": ["search@4"], "games": 12}
    experiment = Experiment.begin(tables, tmp_path / "one")
    figures = {row["measure"]: row for row in experiment.run().to_dicts() if row["cell"] == 0}
    rows = experiment.games().collect().sort("game").to_dicts()
    sides: dict[int, list[PlainGame]] = {0: [], 1: []}
    for row in rows:
        sides[row["cell"]].append(plain_game(experiment.record(row["game"]).text()))
    assert len(sides[0]) == len(sides[1]) == 12
    game = registry.get("castle-danger")
    told = 0
    for name in (*(f"avoided.{verb}" for verb in game.actions.verbs),):
        verb = name.partition(".")[2]
        weak, strong = (
            [
                sum(each.chosen.count(verb) for each in games),
                sum(verb in legal for each in games for legal in each.offered),
            ]
            for games in sides.values()
        )
        told += compare_sides(figures[name], weak, strong)
    for name in (*(f"unplayed.{piece}" for piece in game.playtest.PIECES),):
        piece = name.partition(".")[2]
        weak, strong = (
            [
                sum(piece in own and piece in used for each in games for own, used in pairs_of(each)),
                sum(piece in own for each in games for own in each.held),
            ]
            for games in sides.values()
        )
        told += compare_sides(figures[name], weak, strong)
    assert told > 4


def pairs_of(game: PlainGame) -> Iterable[tuple[set[str], set[str]]]:
    """Return what each seat held, and played."""
    return zip(game.held, game.played, strict=True)


def compare_sides(row: dict[str, Any], weak: list[int], strong: list[int]) -> bool:
    """Compare a difference with the successes and trials of both sides; say whether it is shown."""
    if math.isnan(row["estimate"]):
        return False
    assert row["estimate"] == pytest.approx(weak[0] / weak[1] - strong[0] / strong[1])
    assert row["counts"] == f"{weak[0]:,} of {weak[1]:,} against {strong[0]:,} of {strong[1]:,}"
    return True


def winners_more(played: Played, verb: str) -> float:
    """Average over games with winners and losers: the share of their actions that are of this kind."""
    differences = []
    for game in played.plain:
        told: dict[bool, list[str]] = {True: [], False: []}
        for seat, name in zip(game.movers, game.chosen, strict=True):
            told[seat in game.winners].append(name)
        if told[True] and told[False]:
            won, lost = (names.count(verb) / len(names) for names in (told[True], told[False]))
            differences.append(won - lost)
    return mean(differences) if differences else math.nan


def pieces(played: Played) -> dict[str, float]:
    found: dict[str, float] = {}
    for piece in played.game.playtest.PIECES:
        for told in ("held", "played", "opened"):
            seats = [
                {seat for seat, own in enumerate(getattr(game, told), start=1) if piece in own}
                for game in played.plain
            ]
            found |= worths(played, piece, told, seats)
    return found


def worths(played: Played, name: str, told: str, having: list[set[int]]) -> dict[str, float]:
    """Return how many seats have something, what those win, and how much more than the others.

    `having` are the seats that do, of each game.
    """
    with_it: list[float] = []
    without: list[float] = []
    for game, own in zip(played.plain, having, strict=True):
        for seat in range(1, game.seats + 1):
            (with_it if seat in own else without).append(float(seat in game.winners))
    won = mean(with_it) if with_it else math.nan
    return {
        f"{told}.{name}": len(with_it) / (len(with_it) + len(without)),
        f"won_{told}.{name}": won,
        f"worth_{told}.{name}": won - mean(without) if with_it and without else math.nan,
    }


def luck(played: Played) -> dict[str, float]:
    """Return the intraclass correlation by the mean squares of an analysis of variance, by order and seat."""
    if not played.game.chance:
        return {}
    scores: dict[tuple[int, int], dict[int, list[float]]] = {}
    for row, game in zip(played.rows, played.plain, strict=True):
        for seat, result in enumerate(game.returns):
            of_order = scores.setdefault((row["order"], seat), {})
            of_order.setdefault(row["deal"], []).append((result + 1) / 2)
    between = mean(2 * variance([mean(each) for each in deals.values()]) for deals in scores.values())
    within = mean(mean(variance(each) for each in deals.values()) for deals in scores.values())
    whole = between + within
    return {"deal_share": max(0.0, (between - within) / whole) if whole else math.nan}


def actions_of(record: GameRecord) -> list[int]:
    match = Match.of(record)
    return [match.step(ply)[1] for ply in range(match.last_ply)]


def batch_of(record: GameRecord) -> GameBatch:
    return GameBatch(registry.get(record.game), record.options, ["random"] * record.seats)


def clauses(played: Played) -> dict[str, float]:
    counter = InterpretedCounter(played.game)
    told = [name.removeprefix("times.") for name in played.figures if name.startswith("times.")]
    assert len(told) > 10
    counts = [
        counter.count(batch_of(record), record.need_seed(), actions_of(record)) for record in played.records
    ]
    found = {f"times.{clause}": mean(count.get(clause, 0) for count in counts) for clause in told}
    return found | {f"in_games.{clause}": mean(float(clause in count) for count in counts) for clause in told}


# --- By a search ----------------------------------------------------------------


@pytest.fixture(scope="module", params=["castle-danger", "alcazar"])
def looked_at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """An experiment whose games a search has looked at."""
    game = registry.get(request.param)
    tables = {
        "game": game.name,
        "players": ["greedy"] * game.min_seats,
        "games": 4,
        "measures": ["drama", "weight"],
        "search": {"games": 2, "iterations": 12},
    }
    experiment = Experiment.begin(tables, tmp_path_factory.mktemp("lab") / "looked")
    experiment.run()
    experiment.think()
    return experiment


def rows_of(experiment: Experiment) -> dict[int, list[dict[str, Any]]]:
    """Return the rows of each game that was looked at, by its number."""
    paths = sorted(experiment.folder.path.glob("plies_12/*.parquet"))
    return {int(path.stem): pl.read_parquet(path).to_dicts() for path in paths}


def test_what_a_search_finds_stands_beside_each_ply_of_the_record(looked_at: Experiment) -> None:
    found = rows_of(looked_at)
    assert len(found) == 2
    for number, rows in found.items():
        match = Match.of(looked_at.record(number))
        seats, last = match.seats, match.last_ply
        assert [row["ply"] for row in rows] == list(range(last + 1))
        assert [row["seat"] for row in rows[:-1]] == match.movers
        assert [rows[-1][f"chance_{seat}"] for seat in range(1, seats + 1)] == [
            (each + 1) / 2 for each in match.returns()
        ]
        for ply in (0, last // 2, last - 1):
            match.go_to(ply)
            row, legal = rows[ply], match.legal()
            assert row["legal"] == len(legal)
            evaluator = MoveEvaluator(
                match.game, match.game_state(), legal, 12, stream(match.seed, "look", ply)
            )
            if len(legal) == 1:
                assert math.isnan(row["weight"])
                continue
            best, second, *_ = (each.chances for each in evaluator.estimates())
            mover = match.seat_to_move - 1
            assert row["weight"] == pytest.approx(best[mover] - second[mover])
            assert [row[f"chance_{seat}"] for seat in range(1, seats + 1)] == pytest.approx(best)


def test_drama_and_weight_are_what_those_rows_tell(looked_at: Experiment) -> None:
    facts: dict[str, list[float]] = {}
    for rows in rows_of(looked_at).values():
        for name, value in told_of(rows, looked_at.design.seats).items():
            facts.setdefault(name, []).append(value)
    figures = {row["measure"]: row for row in looked_at.measures().to_dicts()}
    assert set(facts) == set(figures)
    for name, values in facts.items():
        known = [value for value in values if not math.isnan(value)]
        expected = mean(known) if known else math.nan
        assert figures[name]["estimate"] == pytest.approx(expected, nan_ok=True), name


def told_of(rows: list[dict[str, Any]], seats: int) -> dict[str, float]:
    """Return the facts of one game by their definitions, with no array in sight."""
    sides = [[row[f"chance_{seat}"] for seat in range(1, seats + 1)] for row in rows]
    if seats == 1:
        sides = [[chance, 1 - chance] for (chance,) in sides]
    leaders = [sides[0].index(max(sides[0]))]
    for chances in sides[1:]:
        level = chances[leaders[-1]] == max(chances)
        leaders.append(leaders[-1] if level else chances.index(max(chances)))
    winners = [side for side, chance in enumerate(sides[-1]) if chance == max(sides[-1])]
    decided, comeback = math.nan, math.nan
    if len(winners) == 1:
        comeback = min(chances[winners[0]] for chances in sides)
        behind = [ply for ply, leader in enumerate(leaders) if leader != winners[0]]
        decided = (behind[-1] + 1) / (len(rows) - 1) if behind else 0.0
    steps = [(b - a) ** 2 for one, two in pairwise(sides) for a, b in zip(one, two, strict=True)]
    choices = [row for row in rows if row["legal"] > 1]
    return {
        "lead_changes": float(sum(a != b for a, b in pairwise(leaders))),
        "decided_at": decided,
        "comeback": comeback,
        "uncertainty": mean(entropy(chances) for chances in sides[:-1]),
        "surprise": math.sqrt(mean(steps)),
        "weight": mean(row["weight"] for row in choices) if choices else math.nan,
        "near": mean(float(row["near"]) for row in choices) if choices else math.nan,
    }


def entropy(chances: list[float]) -> float:
    """Return Shannon's entropy of chances that are made to add up to 1, by that of equal ones."""
    parts = [chance / sum(chances) for chance in chances]
    return -sum(part * math.log(part) for part in parts if part > 0) / math.log(len(parts))


def test_a_damaged_game_is_told_and_looked_at_again(looked_at: Experiment) -> None:
    path, other = sorted(looked_at.folder.path.glob("plies_12/*.parquet"))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    told = Experiment.open(looked_at.folder.path)
    assert told.faults == [f"{path} is damaged; its game is left out until it is looked at again."]
    assert set(told.measures()["games"]) == {1}
    told.think()
    assert path.read_bytes() == whole
    assert told.faults == []
    assert other.is_file()
