"""Hold the memory of a tree search: one tuple of arrays, allocated once and reused.

Compiled searches get NumPy arrays.  Interpreted ones get lists of the same lengths, and records for records.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.game import Game, GameState
from bartizan.engine.levels import Tuning
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import Network, blank_network
from bartizan.engine.record import Array, Record
from bartizan.search.node import ANY_ACTION, FIRST, SUMS, Node, SearchSettings

NODES = 1 << 18 if COMPILED else 1 << 12  # nodes of a tree; memory is only touched when it is used
DEPTH = 512  # the longest path in a tree
FEATURES = 1 << 9  # the most features of a position


class Workspace(NamedTuple):
    """The arrays of one search, with their shapes and types; not for several threads at once."""

    nodes: Array  # (room,) Node: the tree; `tally[USED]` of them are in use
    tally: Array  # (SUMS + seats,) int64: see `bartizan.search.node`
    states: Array  # (2,) the game's State: the root's position, and one to play on
    dice: Array  # (1,) the game's State, of which only the random stream is used
    legal: Array  # (max_legal,) int32: the legal actions of the current position, ascending
    tried: Array  # (max_legal,) int64: the stamp of the visit at which a legal action had a child
    path: Array  # (DEPTH,) int64: the nodes from the root to the leaf
    values: Array  # (seats,) int64: the values of the last iteration for each seat, in units of 1 / `SCALE`
    network: Network  # which evaluates positions; without weights if the game has none
    features: Array  # (FEATURES,) int32: the features of a position
    units: Array  # (hidden,) int32: the network's hidden units
    settings: Array  # (1,) SearchSettings


def record_array(kind: type[Record], length: int) -> Any:
    """Return `length` records of zeros, in the form that this process runs searches on."""
    return np.zeros(length, kind.dtype) if COMPILED else [kind() for _ in range(length)]


def integer_array(length: int, kind: Any = np.int64) -> Any:
    """Return `length` zeros, in that form."""
    return np.zeros(length, kind) if COMPILED else [0] * length


def tuning_of(game: Game) -> Tuning:
    """Return the search settings of a game."""
    return getattr(game.heuristics, "TUNING", Tuning())


def network_of(game: Game) -> Network:
    """Return a game's network in that form, without weights if it has none."""
    network: Network = getattr(game.heuristics, "NETWORK", None) or blank_network()
    return network if COMPILED else Network(*(weights.tolist() for weights in network))


def settings_array(tuning: Tuning, skill: int = 0) -> Any:
    """Return the search settings, in that form."""
    settings = SearchSettings()
    for name, value in (*asdict(tuning).items(), ("skill", skill)):
        setattr(settings, name, value)
    return settings.to_array() if COMPILED else [settings]


def new_workspace(
    game: Game, seats: int, tuning: Tuning, *, skill: int = 0, nodes: int = NODES, hidden: int | None = None
) -> Workspace:
    """Return room to search a game for so many seats, with its own network and an empty tree.

    `skill` is that of throws, 0 for none. `hidden` allocates a network with that many hidden units.
    """
    network = network_of(game)
    tally = integer_array(SUMS + seats)
    tally[FIRST] = ANY_ACTION
    blank = GameState(game, game.state())
    return Workspace(
        nodes=record_array(Node, nodes),
        tally=tally,
        states=blank.stack(blank, blank),
        dice=GameState(game, game.state()).cells,
        legal=integer_array(game.max_legal, np.int32),
        tried=integer_array(game.max_legal),
        path=integer_array(DEPTH),
        values=integer_array(seats),
        network=network,
        features=integer_array(FEATURES, np.int32),
        units=integer_array(network.hidden if hidden is None else hidden, np.int32),
        settings=settings_array(tuning, skill),
    )


def rekey_dice(workspace: Workspace, stream: int) -> None:
    """Set the random stream of a search's dice (64 bits)."""
    if COMPILED:
        workspace.dice["rng"][0] = stream
    else:
        workspace.dice[0].rng = stream
