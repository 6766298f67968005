"""Define the figures of a trained policy that docs/baselines keeps for each game, and read and write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import read_text
from bartizan.lab.intervals import Moments, ratio
from scripts.progress import ROOT
from scripts.sheets import rounded

FOLDER = ROOT / "docs" / "baselines"
BINS = 24  # points of a learning curve


class BadBaseline(BartizanError):
    """A baseline that can't be made or read; the text names the file or flag."""

    code = "bad_baseline"


class BaselineFigure(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A share with its 95% interval."""

    estimate: float
    low: float
    high: float


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a network won during a part of its training."""

    minutes: float  # of CPU time, at the middle of that part
    won: float  # the share of its games: in a game for several players, of those against greedy
    games: int


class SeedRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One training, and how its policy did on the fresh deals."""

    seed: int
    algorithm: str = "ppo"
    decisions: int
    curve: tuple[CurvePoint, ...]
    wins: tuple[BaselineFigure, ...]  # by seat
    sha256: str  # of the policy's file

    @property
    def last(self) -> float:
        """What it won in the last tenth of its training: what the best seed is chosen by."""
        tail = self.curve[-max(1, round(len(self.curve) / 10)) :]
        games = sum(point.games for point in tail)
        return sum(point.won * point.games for point in tail) / games if games else 0.0


class RatedPlayer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player on the ladder."""

    player: str
    wins: tuple[BaselineFigure, ...]  # against greedy, by seat; alone: of the deals
    elo: float
    low: float
    high: float
    games: int


class Baseline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that docs/baselines.md says about a game."""

    game: str
    seats: int
    algorithm: str = "ppo"  # of the policy that is shipped
    minutes: float  # of CPU time for each seed
    machine: str
    made_with: dict[str, str]
    deals: int  # fresh ones that each policy was evaluated on, from every seat
    rounds: int  # deals for each pair on the ladder
    slow: int = 0  # and for each pair with the level that takes minutes a game
    best: int  # the seed of the policy that is shipped
    runs: tuple[SeedRun, ...]
    players: tuple[RatedPlayer, ...]

    @property
    def chosen(self) -> SeedRun:
        """The run whose policy is shipped."""
        return next(run for run in self.runs if (run.algorithm, run.seed) == (self.algorithm, self.best))

    def same_as(self, made_with: Mapping[str, str], minutes: float, deals: int) -> bool:
        """Say whether new trainings can be compared with these."""
        same_rules = self.made_with["rules_digest"] == made_with["rules_digest"]
        return same_rules and (self.minutes, self.deals) == (minutes, deals)

    def rates(self, run: SeedRun, rounds: int, slow: int) -> bool:
        """Say whether a run's policy and the levels have met on that many deals or more of the slow one."""
        return (self.chosen.sha256, self.rounds) == (run.sha256, rounds) and self.slow >= slow


POLICY = "policy"  # what the shipped policy is called among the players


def shares(results: NDArray[np.float64]) -> tuple[BaselineFigure, ...]:
    """Return what was won, by seat, from the results of each deal (seats, deals)."""
    seats, deals = results.shape
    moments = Moments(seats, 2)
    moments.add(np.stack([results.T, np.ones((deals, seats))], axis=2))
    covariance = moments.covariance()
    found = [ratio(moments.mean[seat], covariance[seat], deals, share=True) for seat in range(seats)]
    return tuple(
        BaselineFigure(estimate=_exactly(each.estimate), low=_exactly(each.low), high=_exactly(each.high))
        for each in found
    )


def _exactly(figure: float) -> float:
    found = rounded(figure)
    assert found is not None
    return found


def curve_of(course: Iterable[tuple[float, int, int]], minutes: float) -> tuple[CurvePoint, ...]:
    """Return a learning curve from what was won between two updates: `BINS` parts of equal time."""
    won, games = [0] * BINS, [0] * BINS
    for spent, wins, ended in course:
        place = min(BINS - 1, int(BINS * spent / (60 * minutes)))
        won[place] += wins
        games[place] += ended
    return tuple(
        CurvePoint(
            minutes=_exactly((place + 0.5) * minutes / BINS),
            won=_exactly(won[place] / games[place]),
            games=games[place],
        )
        for place in range(BINS)
        if games[place]
    )


def best_of(runs: Iterable[SeedRun], algorithm: str) -> SeedRun:
    """Return the run of an algorithm that won most at the end of its training.

    The fresh deals have no say in it, so what the chosen policy wins on them isn't flattered.
    """
    return max((run for run in runs if run.algorithm == algorithm), key=lambda run: run.last)


def write(baseline: Baseline) -> str:
    """Return figures as JSON, a run or player a line."""
    head = msgspec.to_builtins(baseline)
    lists = {key: head.pop(key) for key in ("runs", "players")}
    lines = [_line(head)[:-1]]
    for key, rows in lists.items():
        lines.append(f'"{key}": [\n  ' + ",\n  ".join(map(_line, rows)) + "\n]")
    return ",\n".join(lines) + "}\n"


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read(path: Path) -> Baseline:
    """Read figures; raises `BadBaseline`, and `Unreadable` if there are none."""
    try:
        return msgspec.json.decode(read_text(path), type=Baseline)
    except msgspec.MsgspecError as error:
        raise BadBaseline(f"{path} is no baseline: {error}.") from error
