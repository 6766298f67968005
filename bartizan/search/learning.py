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

UNKNOWN = 2.0  # represents a value if there was nothing to choose


class Episode(NamedTuple):
    """One game and its data, a row or a number for each ply."""

    table: Array  # (1,) the game's State
    features: Array  # (plies, FEATURES) int32: the features of what the seat to move saw
    counts: Array  # (plies,) int64: their number
    seats: Array  # (plies,) int64: who was to move
    values: Array  # (plies,) float64: what the search found for that seat, from -1 to 1, or `UNKNOWN`


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
    """Play game `number` of a batch from a blank table, searching every decision; return the plies.

    The plies are recorded in `episode`, and the game stops when its rows are full; `workspace.values` gets
    the result for each seat, in units of 1 / `SCALE`.
    """
    table, nodes, legal = episode.table, workspace.nodes, workspace.legal
    table[0] = blank[0]
    rollout.key_stream(table[0], key, number, 0)
    rollout.key_stream(workspace.dice[0], key, number, 1)
    workspace.tally[STAMP] = 0
    for place in range(len(workspace.tried)):
        workspace.tried[place] = 0
    game.setup(table[0])
    ply = 0
    seat = game.turn_of(table[0])
    while seat > 0 and ply < len(episode.counts):
        count = game.legal_actions(table[0], legal)
        episode.counts[ply] = heuristics.features(table[0], seat, episode.features[ply])
        episode.seats[ply] = seat
        episode.values[ply] = UNKNOWN
        action = legal[0]
        if count > 1:
            plant(nodes, workspace.tally)
            workspace.states[0] = table[0]
            if determinize:
                mcts.prepare(workspace.states, seat)
            mcts.search(workspace, seat, determinize, iterations)
            child = best_child(nodes)
            action = mcts.action_of(table[0], nodes[child].key)
            episode.values[ply] = nodes[child].value_sum / (nodes[child].visits * float(SCALE))
        game.apply(table[0], action)
        ply += 1
        seat = game.turn_of(table[0])
    for at in range(len(workspace.values)):
        workspace.values[at] = int(game.returns(table[0], at + 1) * SCALE)
    return ply


@entry
def mix(values: Array, seats: Array, returns: Array, plies: int, trust: float) -> None:
    """Turn the search values along a game into training targets for its positions: TD(λ).

    `values` (float64) and `seats` (int64) are those of an `Episode` with so many plies, `returns` (seats,)
    int64 is the game's result in units of 1 / `SCALE`; `trust` is λ, the weight of later values.
    """
    for seat in range(1, len(returns) + 1):
        later = returns[seat - 1] / float(SCALE)
        for ply in range(plies - 1, -1, -1):
            if seats[ply] == seat:
                if values[ply] <= 1.0:
                    later = trust * later + (1.0 - trust) * values[ply]
                values[ply] = later
