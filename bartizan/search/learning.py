"""Play games for a network to learn from: a generic module, bound to each game that has features.

Every decision is searched with the network as it is.  What the search found there and what came of the game
are mixed into what the position is said to be worth: the returns of TD(λ) over the values of a search
(Sutton: "Learning to predict by the methods of temporal differences", 1988; Veness, Silver, Uther, Blair:
"Bootstrapping from game tree search", 2009).
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_heuristics, bound_module, bound_rules
from bartizan.engine.record import Array
from bartizan.engine.rule import entry, rule
from bartizan.search.node import ANY_ACTION, FIRST, NONE, ROOT, SCALE, STAMP, USED

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
mcts: Any = bound_module(__name__, "bartizan.search.mcts")
rollout: Any = bound_module(__name__, "bartizan.search.rollout")

UNKNOWN = 2.0  # stands for a worth, where there was nothing to choose


@rule
def plant(nodes: Array, tally: Array) -> None:
    """Begin a new tree."""
    tally[USED] = ROOT + 1
    tally[FIRST] = ANY_ACTION
    nodes[ROOT].first = NONE
    nodes[ROOT].visits = 0


@rule
def best_child(nodes: Array) -> int:
    """Return the root's child that was visited most; of several, the one with the higher worth."""
    best = NONE
    child = nodes[ROOT].first
    while child != NONE:
        more = nodes[child].visits - nodes[best].visits
        if best == NONE or more > 0 or (more == 0 and nodes[child].total > nodes[best].total):
            best = child
        child = nodes[child].next
    return best


@entry
def play_noting(
    blank: Array,
    work: Array,
    dice: Array,
    key: int,
    number: int,
    nodes: Array,
    tally: Array,
    legal: Array,
    tried: Array,
    path: Array,
    worth: Array,
    network: Any,
    features: Array,
    units: Array,
    settings: Array,
    determinize: bool,
    iterations: int,
    noted: Array,
    counts: Array,
    seats: Array,
    values: Array,
) -> int:
    """Play game `number`, every decision searched by so many iterations; return how many there were.

    Of each it notes in a row of `noted` and `counts` the features that its seat saw, in `seats` the seat,
    in `values` what the search made of it, from -1 to 1, or `UNKNOWN`.  `work` is room for three tables: the
    game and two for the search.  The game ends with the rows.
    """
    work[0] = blank[0]
    rollout.key_stream(work[0], key, number, 0)
    rollout.key_stream(dice[0], key, number, 1)
    tally[STAMP] = 0
    for place in range(len(tried)):
        tried[place] = 0
    game.setup(work[0])
    ply = 0
    seat = game.turn_of(work[0])
    while seat > 0 and ply < len(counts):
        count = game.legal_actions(work[0], legal)
        counts[ply] = heuristics.features(work[0], seat, noted[ply])
        seats[ply] = seat
        values[ply] = UNKNOWN
        action = legal[0]
        if count > 1:
            plant(nodes, tally)
            work[1] = work[0]
            if determinize:
                mcts.prepare(work[1:3], seat)
            mcts.search(
                nodes,
                tally,
                work[1:3],
                dice,
                legal,
                tried,
                path,
                worth,
                network,
                features,
                units,
                settings,
                seat,
                determinize,
                iterations,
            )
            child = best_child(nodes)
            action = mcts.action_of(work[0], nodes[child].key)
            values[ply] = nodes[child].total / (nodes[child].visits * float(SCALE))
        game.apply(work[0], action)
        ply += 1
        seat = game.turn_of(work[0])
    for at in range(len(worth)):
        worth[at] = int(game.score(work[0], at + 1) * SCALE)
    return ply


@entry
def mix(values: Array, seats: Array, worth: Array, plies: int, trust: float) -> None:
    """Turn what searches found along a game, in `values`, into what its positions are said to be worth.

    `worth` is what came of it for each seat, in parts of `SCALE`; `trust` is λ: the share of what came later.
    """
    for seat in range(1, len(worth) + 1):
        later = worth[seat - 1] / float(SCALE)
        for ply in range(plies - 1, -1, -1):
            if seats[ply] == seat:
                if values[ply] <= 1.0:
                    later = trust * later + (1.0 - trust) * values[ply]
                values[ply] = later
