"""Play games for a network to learn from: a generic module, bound to each game with features.

Every decision is searched with the current network.  The training target of a position mixes the value that
the search found with the result of the game: the returns of TD(λ) over the values of a search
(Sutton: "Learning to predict by the methods of temporal differences", 1988; Veness, Silver, Uther, Blair:
"Bootstrapping from game tree search", 2009).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bartizan.engine.bind import bound_heuristics, bound_module, bound_rules
from bartizan.engine.record import Array
from bartizan.engine.rule import entry, rule
from bartizan.search.node import ANY_ACTION, FIRST, NONE, ROOT, SCALE, STAMP, USED
from bartizan.search.workspace import Workspace

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
mcts: Any = bound_module(__name__, "bartizan.search.mcts")
rollout: Any = bound_module(__name__, "bartizan.search.rollout")

UNKNOWN = 2.0  # represents a value if there was nothing to choose, or another seat was to move


class Episode(NamedTuple):
    """One game and its data: for each ply a row or a number for every seat."""

    table: Array  # (1,) the game's State
    features: Array  # (rows, FEATURES) int32: the features of what a seat saw
    counts: Array  # (rows,) int64: their number
    seats: Array  # (rows,) int64: the seat
    values: Array  # (rows,) float64: what the seat to move found in its search, from -1 to 1, or `UNKNOWN`


@rule
def plant(nodes: Array, tally: Array) -> None:
    """Begin a new tree."""
    tally[USED] = ROOT + 1
    tally[FIRST] = ANY_ACTION
    nodes[ROOT].first = NONE
    nodes[ROOT].visits = 0


@rule
def best_child(nodes: Array) -> int:
    """Return the root's most visited child; of several, the one with the higher sum of values."""
    best = NONE
    child = nodes[ROOT].first
    while child != NONE:
        more = nodes[child].visits - nodes[best].visits
        if best == NONE or more > 0 or (more == 0 and nodes[child].value_sum > nodes[best].value_sum):
            best = child
        child = nodes[child].next
    return best


@entry
def play_episode(
    episode: Episode,
    workspace: Workspace,
    blank: Array,
    key: int,
    number: int,
    determinize: bool,
    iterations: int,
) -> int:
    """Play game `number` of a batch from a blank table, searching every decision; return the rows in use.

    Each ply takes a row of `episode` for every seat, the mover's first. The game stops when the rows are
    full; `workspace.values` gets the result for each seat, in units of 1 / `SCALE`.
    """
    table, nodes, legal = episode.table, workspace.nodes, workspace.legal
    table[0] = blank[0]
    rollout.key_stream(table[0], key, number, 0)
    rollout.key_stream(workspace.dice[0], key, number, 1)
    workspace.tally[STAMP] = 0
    for place in range(len(workspace.tried)):
        workspace.tried[place] = 0
    game.setup(table[0])
    row, seats = 0, len(workspace.values)
    seat = game.turn_of(table[0])
    while seat > 0 and row + seats <= len(episode.counts):
        count = game.legal_actions(table[0], legal)
        for turn in range(seats):
            viewer = (seat - 1 + turn) % seats + 1
            episode.counts[row + turn] = heuristics.features(table[0], viewer, episode.features[row + turn])
            episode.seats[row + turn] = viewer
            episode.values[row + turn] = UNKNOWN
        action = legal[0]
        if count > 1:
            plant(nodes, workspace.tally)
            workspace.states[0] = table[0]
            if determinize:
                mcts.prepare(workspace.states, seat)
            mcts.search(workspace, seat, determinize, iterations)
            child = best_child(nodes)
            action = mcts.action_of(table[0], nodes[child].key)
            episode.values[row] = nodes[child].value_sum / (nodes[child].visits * float(SCALE))
        game.apply(table[0], action)
        row += seats
        seat = game.turn_of(table[0])
    for at in range(len(workspace.values)):
        workspace.values[at] = int(game.returns(table[0], at + 1) * SCALE)
    return row


@entry
def mix(values: Array, seats: Array, returns: Array, rows: int, trust: float) -> None:
    """Turn the search values along a game into training targets for its positions: TD(λ).

    `values` (float64) and `seats` (int64) are those of an `Episode` with so many rows, `returns` (seats,)
    int64 is the game's result in units of 1 / `SCALE`; `trust` is λ, the weight of later values.
    """
    for seat in range(1, len(returns) + 1):
        later = returns[seat - 1] / float(SCALE)
        for row in range(rows - 1, -1, -1):
            if seats[row] == seat:
                if values[row] <= 1.0:
                    later = trust * later + (1.0 - trust) * values[row]
                values[row] = later
