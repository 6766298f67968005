"""Policies in whole numbers: what they score, and what is no policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bartizan.engine.errors import BadData
from bartizan.engine.policy_network import PolicyNetwork, load_policy, rounded_policy, save_policy

SHAPES = {"inlet": (4, 3), "first": (3,), "body": (3, 3), "second": (3,), "tokens": (5, 3), "head": (3,)}
MOST = np.array([1.0, 2.0, 7.0, 100.0])


def some_policy(seed: int) -> tuple[PolicyNetwork, dict[str, np.ndarray]]:
    """Return a random network, and its weights before they were rounded."""
    dice = np.random.default_rng(seed)
    weights = {name: dice.normal(size=shape) for name, shape in SHAPES.items()}
    return rounded_policy(MOST, **weights), weights


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_of_the_weights(seed: int) -> None:
    network, weights = some_policy(seed)
    dice = np.random.default_rng(seed)
    observation = dice.integers(-MOST, MOST, endpoint=True).astype(np.int8)
    tokens = dice.integers(0, 5, size=(6, 2)).astype(np.int16)
    first = np.maximum(observation / MOST @ weights["inlet"] + weights["first"], 0)
    table = np.maximum(first @ weights["body"] + weights["second"], 0)
    expected = np.maximum(table + weights["tokens"][tokens].sum(axis=1), 0) @ weights["head"]
    assert network.scores(observation, tokens) / 1024**2 == pytest.approx(expected, abs=0.05)


def test_a_file_holds_a_policy(tmp_path: Path) -> None:
    network, _ = some_policy(1)
    save_policy(network, tmp_path / "p.npz")
    found = load_policy(tmp_path / "p.npz")
    assert all((one == other).all() for one, other in zip(network, found, strict=True))


@pytest.mark.parametrize(
    "wrong",
    [
        {"head": np.zeros(4, np.int16)},
        {"tokens": np.zeros(5, np.int16)},
        {"inlet": np.zeros((4, 3), np.float32)},
        {"most": np.array([1, 0, 7, 100], np.int16)},
    ],
    ids=lambda wrong: "-".join(f"{name} {part.shape} {part.dtype}" for name, part in wrong.items()),
)
def test_other_weights_are_no_policy(tmp_path: Path, wrong: dict[str, np.ndarray]) -> None:
    save_policy(some_policy(1)[0]._replace(**wrong), tmp_path / "p.npz")
    with pytest.raises(BadData, match="isn't a policy"):
        load_policy(tmp_path / "p.npz")


def test_a_cut_off_file_is_no_policy(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    save_policy(some_policy(1)[0], path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(BadData):
            load_policy(path)
