"""Training: what positions are said to be worth, the same result on several threads and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadSeed, CorruptRecord, Unteachable
from bartizan.engine.mode import COMPILED
from bartizan.lab.learn import Training, TrainingPlan
from bartizan.search.learning import UNKNOWN, mix
from bartizan.search.node import SCALE
from bartizan.search.teaching import Positions, Weights, teach

ALCAZAR = registry.get("alcazar")
pytestmark = pytest.mark.usefixtures("learning_compiled")
compiled_only = pytest.mark.skipif(not COMPILED, reason="whole games want compiled rules")


def plan(**changed: Any) -> TrainingPlan:
    """Return a short plan."""
    return TrainingPlan(
        **{"game": "alcazar", "games": 60, "batch": 20, "hidden": 8, "iterations": 24, **changed}
    )


def taken(training: Training) -> Training:
    """Play all rounds that are left."""
    while len(training.rounds) < training.plan.batches:
        training.next_round()
    return training


def same(one: Training, other: Training) -> bool:
    """Say whether two trainings taught the same."""
    weights = [each.student.weights[:3] for each in (one, other)]
    return one.rounds == other.rounds and all(map(np.array_equal, *weights))


# --- What positions are worth ------------------------------------------------


def mixed(values: list[float], seats: list[int], returns: list[float], trust: float) -> list[float]:
    """Return what `mix` makes of a game."""
    positions = np.array(values)
    mix(positions, np.array(seats), np.array([int(each * SCALE) for each in returns]), len(values), trust)
    return [float(value) for value in positions]


@compiled_only
def test_positions_are_worth_what_came_later_and_what_the_search_found() -> None:
    assert mixed([0.0, 0.5], [1, 1], [1.0], 0.5) == [0.375, 0.75]
    assert mixed([0.2, 0.5], [1, 1], [-1.0], 1.0) == [-1.0, -1.0]
    assert mixed([0.25, 0.5], [1, 1], [-1.0], 0.0) == [0.25, 0.5]


@compiled_only
def test_a_forced_ply_is_worth_what_came_later() -> None:
    assert mixed([0.0, UNKNOWN, 0.5], [1, 1, 1], [1.0], 0.5) == [0.375, 0.75, 0.75]


@compiled_only
def test_each_seat_learns_from_its_own_decisions() -> None:
    assert mixed([0.0, 0.0, 0.5, -0.5], [1, 2, 1, 2], [1.0, -1.0], 0.5) == [0.375, -0.375, 0.75, -0.75]


@compiled_only
def test_teaching_brings_answers_closer() -> None:
    dice = np.random.default_rng(1)
    features = np.array([[0, 2], [1, 2], [0, 0]], np.int32)
    positions = Positions(features, np.array([2, 2, 1]), np.array([0.9, -0.9, 0.0]))
    inputs = dice.normal(size=(3, 6)).astype(np.float32) * 0.3
    outputs = dice.normal(size=6).astype(np.float32)
    weights = Weights(inputs, np.zeros(6, np.float32), outputs, np.zeros(6, np.float32))
    order = np.tile(np.arange(3), 50)
    errors = [teach(weights, positions, order, 0.1) for _ in range(20)]
    assert errors[0] > 0.1
    assert errors[-1] < 0.001


# --- Courses -----------------------------------------------------------------


@compiled_only
def test_training_depends_on_its_seed_and_not_on_the_threads() -> None:
    one = taken(Training(ALCAZAR, plan()))
    assert same(one, taken(Training(ALCAZAR, plan(), threads=3)))
    assert not same(one, taken(Training(ALCAZAR, plan(seed="1"))))
    assert [each.iterations for each in one.rounds] == [16, 20, 24]
    assert [each.games for each in one.rounds] == [20, 20, 20]
    assert one.rounds[0].rate > one.rounds[-1].rate


@compiled_only
def test_training_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    stopped = Training(ALCAZAR, plan())
    stopped.next_round()
    stopped.save(tmp_path / "course")
    again = Training(ALCAZAR, plan(), threads=2)
    again.resume(tmp_path / "course")
    assert len(again.rounds) == 1
    assert same(taken(again), taken(Training(ALCAZAR, plan())))
    assert not list(tmp_path.glob("*.part"))


@compiled_only
def test_much_is_learned_from_one_batch() -> None:
    training = taken(Training(ALCAZAR, plan(games=800, batch=400, hidden=32, iterations=16, varied=0.0)))
    before, after = training.rounds
    assert after.points > before.points + 0.15


@compiled_only
def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "course"
    Training(ALCAZAR, plan()).save(path)
    with pytest.raises(CorruptRecord, match="another training plan"):
        Training(ALCAZAR, plan(batch=30)).resume(path)
    path.write_bytes(b"nothing")
    with pytest.raises(CorruptRecord, match="isn't an unfinished training run"):
        Training(ALCAZAR, plan()).resume(path)


def test_what_cannot_be_taught_is_refused() -> None:
    with pytest.raises(Unteachable, match="no features"):
        Training(registry.get("tower"), TrainingPlan(game="tower"))
    with pytest.raises(BadSeed if COMPILED else Unteachable):
        Training(ALCAZAR, plan(seed="x"))
