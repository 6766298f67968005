"""Networks: what they answer, in both modes, and what is no network."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine.errors import BadData
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import (
    UNIT,
    FeatureLayout,
    Network,
    blank_network,
    load_network,
    network_value,
    rounded,
    save_network,
)
from bartizan.engine.record import Array
from bartizan.engine.rule import entry

PLACES = FeatureLayout(a=3, b=2)
plain: Any = getattr(network_value, "py_func", network_value)


@entry
def compiled(network: Network, features: Array, count: int, units: Array) -> float:
    return network_value(network, features, count, units)


def some_network(seed: int, hidden: int = 4) -> Network:
    """Return a network over `PLACES` with weights random."""
    dice = np.random.default_rng(seed)
    return rounded(
        dice.normal(size=(PLACES.size, hidden)), dice.normal(size=hidden), dice.normal(size=hidden)
    )


def answer(network: Network, *features: int) -> float:
    """Return what a network makes of some features, interpreted."""
    listed = Network(*(weights.tolist() for weights in network))
    return float(plain(listed, features, len(features), [0] * network.hidden))


def test_features_stand_one_group_behind_the_other() -> None:
    assert (PLACES.first("a"), PLACES.first("b"), PLACES.size) == (0, 3, 5)


def test_an_answer_by_hand() -> None:
    inputs = np.zeros((5, 2))
    inputs[1] = 0.5, -2
    inputs[3] = 0.25, 1
    network = rounded(inputs, np.array([0.25, 0.5]), np.array([3.0, 7.0]))
    assert (network.hidden, network.features) == (2, 5)
    assert answer(network, 1, 3) == math.tanh(3.0 * 1.0 / 2)  # the second unit is below zero, and silent
    assert answer(network, 3) == math.tanh((3.0 * 0.5 + 7.0 * 1.5) / 2)
    assert answer(network) == math.tanh((3.0 * 0.25 + 7.0 * 0.5) / 2)


@given(st.integers(0, 1_000), st.sets(st.integers(0, 4)))
def test_an_answer_is_a_worth_and_the_same_in_both_modes(seed: int, features: set[int]) -> None:
    network = some_network(seed)
    found = answer(network, *sorted(features))
    assert -1 <= found <= 1
    if COMPILED:
        given = np.array([*sorted(features), -7], np.int32)
        assert compiled(network, given, len(features), np.zeros(4, np.int32)) == found


def test_weights_too_large_for_a_file_stop_at_its_limits() -> None:
    network = rounded(np.full((5, 1), 1e6), np.zeros(1), np.full(1, -1e9))
    assert network.inputs.tolist() == [[2**15 - 1]] * 5
    assert network.outputs.tolist() == [-(2**31)]
    assert rounded(np.full((5, 1), 0.5), np.zeros(1), np.zeros(1)).inputs.tolist() == [[UNIT // 2]] * 5


def test_a_file_keeps_a_network(tmp_path: Path) -> None:
    network = some_network(1)
    save_network(network, tmp_path / "n.npz")
    found = load_network(tmp_path / "n.npz", PLACES)
    assert all(np.array_equal(one, other) for one, other in zip(network, found, strict=True))


@pytest.mark.parametrize("content", [b"", b"no", b"PK\x03\x04"])
def test_a_file_that_is_no_network_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "n.npz"
    path.write_bytes(content)
    with pytest.raises(BadData, match=r"n\.npz isn't a network"):
        load_network(path, PLACES)


def test_a_damaged_file_is_no_network(tmp_path: Path) -> None:
    path = tmp_path / "n.npz"
    save_network(some_network(1, hidden=64), path)
    whole = path.read_bytes()
    for at in range(40, len(whole) - 1, 37):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with contextlib.suppress(BadData):  # and nothing else
            load_network(path, PLACES)


def test_a_network_over_other_features_is_refused(tmp_path: Path) -> None:
    save_network(some_network(1), tmp_path / "n.npz")
    with pytest.raises(BadData, match="on other features"):
        load_network(tmp_path / "n.npz", FeatureLayout(a=6))
    save_network(blank_network(), tmp_path / "n.npz")
    with pytest.raises(BadData, match="on other features"):
        load_network(tmp_path / "n.npz", PLACES)
