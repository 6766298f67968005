"""Search a tree of actions: a generic module, bound to each game.

With perfect information this is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006).
With hidden information or chance it is open-loop SO-ISMCTS: every iteration determinizes what the seat
cannot know, a node stands for the actions that led to it, and its confidence bound uses its availability,
how often it could have been chosen (Cowling, Powley, Whitehouse: "Information set Monte Carlo tree search",
2012).  Children are added by progressive widening in the order of the game's heuristics, which also give
each a progressive bias (Chaslot et al.: "Progressive strategies", 2008).  Each seat maximises its own value,
so the search supports any number of seats and teams.
"""

from __future__ import annotations

import math
from typing import Any

from bartizan.engine.bind import bound_heuristics, bound_rules, bound_thrower
from bartizan.engine.bounds import smaller
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import network_value
from bartizan.engine.record import Array
from bartizan.engine.rng import below, next_word, u64
from bartizan.engine.rule import entry, inlined_rule, rule
from bartizan.search.node import FIRST, NONE, ROOT, SCALE, STAMP, SUMS, USED
from bartizan.search.workspace import Workspace

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
thrower: Any = bound_thrower(__name__)

THOUSAND = 1_000


# --- Defaults for optional parts of a game's heuristics -----------------------


@rule
def _same(s: Any, action: int) -> int:
    """Identify an action by its id."""
    return action


@rule
def _even(s: Any, seat: int) -> float:
    """Return no evaluation of an unfinished game."""
    return 0.0


@rule
def _all(s: Any, legal: Array, count: int) -> int:
    """Keep all actions."""
    return count


@rule
def _keep(s: Any, seat: int) -> None:
    """Leave everything in its place."""


key_of = getattr(heuristics, "key_of", _same)
action_of = getattr(heuristics, "action_of", _same)
narrow = getattr(heuristics, "narrow", _all)
forget = getattr(game, "forget", _keep)

if hasattr(heuristics, "features"):

    @rule
    def evaluate(s: Any, seat: int, network: Any, features: Array, units: Array) -> float:
        """Return the value of an unfinished game to a seat, from -1 to 1, by the game's network."""
        return network_value(network, features, heuristics.features(s, seat, features), units)

else:
    evaluate_by_heuristics = getattr(heuristics, "evaluate", _even)

    @rule
    def evaluate(s: Any, seat: int, network: Any, features: Array, units: Array) -> float:
        """Return the value of an unfinished game to a seat, from -1 to 1, by the game's heuristics."""
        return evaluate_by_heuristics(s, seat)


if COMPILED:

    @rule
    def copy_root(states: Array) -> None:
        """Set the second of two states to the first."""
        states[1] = states[0]

else:

    def copy_root(states: Array) -> None:
        """Set the second of two states to the first."""
        states[1] = states[0].copy()


@rule
def candidates(s: Any, legal: Array) -> int:
    """Write the legal actions that are worth considering to `legal` (int32), ascending; return how many."""
    return narrow(s, legal, game.legal_actions(s, legal))


# --- Selection and expansion --------------------------------------------------


@rule
def place_in(legal: Array, count: int, action: int) -> int:
    """Return the index of an action among the first `count` of `legal` (int32), ascending, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if legal[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low if low < count and legal[low] == action else -1


@rule
def ucb_score(node: Any, settings: Any) -> float:
    """Return a node's UCB1 score, with its availability as the number of trials, and its progressive bias."""
    visits = node.visits
    mean = node.value_sum / (visits * float(SCALE))
    uncertainty = settings.exploration * math.sqrt(math.log(float(node.availability)) / visits)
    return mean + (uncertainty + settings.bias * node.prior / (THOUSAND * (visits + 1.0))) / THOUSAND


@rule
def most_children(visits: int, settings: Any) -> int:
    """Return how many children a node may have after some visits: progressive widening by their root."""
    return 1 + int(settings.widening * math.sqrt(float(visits)) / THOUSAND)


@inlined_rule
def select(workspace: Workspace, node: int, s: Any, count: int, mover: int) -> int:
    """Return the child to visit next, a new one if the node may widen; NONE if there is no room for it.

    `mover` chooses among the first `count` actions of `workspace.legal` at `s`. Marks in `workspace.tried`
    which of them have a child.
    """
    nodes, tally, legal, tried = workspace.nodes, workspace.tally, workspace.legal, workspace.tried
    settings = workspace.settings[0]
    tally[STAMP] += 1
    children = available = 0
    best, highest = NONE, -1e9
    child = nodes[node].first
    while child != NONE:
        children += 1
        if nodes[child].seat == mover:
            place = place_in(legal, count, action_of(s, nodes[child].key))
            if place >= 0:
                tried[place] = tally[STAMP]
                available += 1
                nodes[child].availability += 1
                score = ucb_score(nodes[child], settings)
                if score > highest:
                    best, highest = child, score
        child = nodes[child].next
    widens = available < smaller(count, most_children(nodes[node].visits, settings))
    if widens and (children < settings.children or node == ROOT) and tally[USED] < len(nodes):
        return expand(workspace, node, s, count, mover)
    return best


@inlined_rule
def expand(workspace: Workspace, node: int, s: Any, count: int, mover: int) -> int:
    """Give a node a child for the best untried action by the game's heuristics; ties are broken at random.

    The arguments are those of `select`, whose marks say which actions were tried. Returns the child.
    """
    nodes, tally, legal = workspace.nodes, workspace.tally, workspace.legal
    lowest = highest = heuristics.action_score(s, legal[0])
    best, best_score, equals = -1, lowest, 0
    for place in range(count):
        score = heuristics.action_score(s, legal[place])
        if score < lowest:
            lowest = score
        if score > highest:
            highest = score
        if workspace.tried[place] == tally[STAMP]:
            continue
        if best < 0 or score > best_score:
            best, best_score, equals = place, score, 1
        elif score == best_score:
            equals += 1
            if below(workspace.dice[0], equals) == 0:
                best = place
    child = tally[USED]
    tally[USED] += 1
    fresh = nodes[child]
    fresh.key = key_of(s, legal[best])
    fresh.seat = mover
    fresh.prior = THOUSAND * (best_score - lowest) // (highest - lowest) if highest > lowest else 0
    fresh.value_sum = 0
    fresh.visits = 0
    fresh.availability = 1
    fresh.first = NONE
    attach(nodes, child, node)
    return child


@rule
def attach(nodes: Array, child: int, parent: int) -> None:
    """Insert a node of `nodes` (Node) before its siblings."""
    nodes[child].parent = parent
    nodes[child].next = nodes[parent].first
    nodes[parent].first = child


@inlined_rule
def descend(workspace: Workspace, s: Any, seat: int) -> int:
    """Descend the tree to a new node, playing on `s`; return the length of `workspace.path`.

    Forced actions get no node, as they carry no information.  With `opponents_as_chance` other
    seats' actions have no nodes either: like chance, they just happen on the way.
    """
    tally, path, legal = workspace.tally, workspace.path, workspace.legal
    dice, settings = workspace.dice[0], workspace.settings[0]
    depth = 0
    path[0] = ROOT
    mover = game.turn_of(s)
    is_new = False
    others = 0  # their plies, which may go on long after the seat is out
    while mover > 0 and not is_new and depth + 1 < len(path) and others <= settings.horizon:
        if settings.opponents_as_chance > 0 and mover != seat:
            others += 1
            play_sampled(s, dice, legal, settings)
            mover = game.turn_of(s)
            continue
        count = candidates(s, legal)
        before = tally[USED]
        child = select(workspace, path[depth], s, count, mover)
        if child == NONE:
            break
        is_new = tally[USED] > before and count > 1
        action = action_of(s, workspace.nodes[child].key)
        game.apply(s, thrower.attempt(s, action, settings.skill, True, dice))
        depth += 1
        path[depth] = child
        mover = game.turn_of(s)
    return depth


# --- Simulation and backpropagation -------------------------------------------


@rule
def best_of_sample(s: Any, dice: Any, legal: Array, count: int, sample: int) -> int:
    """Return the best, by the game's heuristics, of `sample` random legal actions (a tournament)."""
    best = legal[below(dice, count)]
    if sample < 2 or count == 1:
        return best
    highest = heuristics.action_score(s, best)
    for _ in range(1, sample):
        other = legal[below(dice, count)]
        if other != best:
            score = heuristics.action_score(s, other)
            if score > highest:
                best, highest = other, score
    return best


@rule
def play_sampled(s: Any, dice: Any, legal: Array, settings: Any) -> None:
    """Play the best action of a sample for the seat to move."""
    action = best_of_sample(s, dice, legal, candidates(s, legal), settings.sample)
    game.apply(s, thrower.attempt(s, action, settings.skill, True, dice))


@inlined_rule
def play_out(workspace: Workspace, s: Any, seat: int, last: int) -> None:
    """Play on quickly by samples, to the end or the horizon; with patience, until it is `seat`'s turn.

    `last` is the seat that has just moved.
    """
    dice, legal, settings = workspace.dice[0], workspace.legal, workspace.settings[0]
    plies = 0
    mover = game.turn_of(s)
    while mover > 0 and plies < settings.horizon + settings.patience:
        if plies >= settings.horizon and mover == seat and last != seat:
            break
        play_sampled(s, dice, legal, settings)
        plies += 1
        last = mover
        mover = game.turn_of(s)


@inlined_rule
def value_leaf(workspace: Workspace, s: Any) -> None:
    """Write each seat's value of a state to `workspace.values`: the result, or an evaluation."""
    network, features, units = workspace.network, workspace.features, workspace.units
    over = game.turn_of(s) == 0
    for seat in range(len(workspace.values)):
        value = game.returns(s, seat + 1) if over else evaluate(s, seat + 1, network, features, units)
        workspace.values[seat] = int(value * SCALE)


@inlined_rule
def back_up(workspace: Workspace, depth: int) -> None:
    """Add an iteration's values to the nodes on its path (backpropagation)."""
    nodes, path, values = workspace.nodes, workspace.path, workspace.values
    for seat in range(len(values)):
        workspace.tally[SUMS + seat] += values[seat]
    nodes[ROOT].visits += 1
    for step in range(1, depth + 1):
        node = nodes[path[step]]
        node.visits += 1
        node.value_sum += values[node.seat - 1]


@entry
def search(workspace: Workspace, seat: int, determinize: bool, iterations: int) -> None:
    """Run iterations for `seat` from the first of `workspace.states`; the second is scratch space.

    With `determinize`, everything that the seat can't know is dealt again each time.  The first state's own
    random stream is never used.
    """
    states, dice, settings = workspace.states, workspace.dice[0], workspace.settings[0]
    first = workspace.tally[FIRST]
    for _ in range(iterations):
        copy_root(states)
        s = states[1]
        s.rng = u64(next_word(dice))
        if determinize:
            game.determinize(s, seat)
        if first >= 0:
            game.apply(s, thrower.attempt(s, first, settings.skill, True, dice))
        depth = descend(workspace, s, seat)
        last = workspace.nodes[workspace.path[depth]].seat if depth > 0 else seat
        play_out(workspace, s, seat, last)
        value_leaf(workspace, s)
        back_up(workspace, depth)


# --- Results of a search -------------------------------------------------------


@entry
def is_thrown(workspace: Workspace, states: Array, action: int) -> bool:
    """Say whether an action at the first state reports a throw, whose result depends on chance."""
    dice = workspace.dice[0]
    before = dice.rng
    thrower.attempt(states[0], action, workspace.settings[0].skill, True, dice)
    return before != dice.rng


@entry
def prepare(states: Array, seat: int) -> None:
    """Reduce the first state to what `seat` knows, if determinizing alone wouldn't do that."""
    forget(states[0], seat)


@entry
def child_of(nodes: Array, states: Array, action: int, seat: int) -> int:
    """Return the root's child in `nodes` (Node) for an action of a seat at the first state, or NONE."""
    key = key_of(states[0], action)
    child = nodes[ROOT].first
    while child != NONE and (nodes[child].key != key or nodes[child].seat != seat):
        child = nodes[child].next
    return child


@entry
def is_full(workspace: Workspace, node: int) -> bool:
    """Say whether a node has as many children as allowed."""
    nodes = workspace.nodes
    children = 0
    child = nodes[node].first
    while child != NONE:
        children += 1
        child = nodes[child].next
    return children >= workspace.settings[0].children


@entry
def grow_from(workspace: Workspace, root: int, moved: Array) -> None:
    """Make one node the root and keep only its subtree.

    Children come after their parents, so all move forward in one pass; `moved` (int64) has a number for
    each node.
    """
    nodes, tally = workspace.nodes, workspace.tally
    end = tally[USED]
    nodes[ROOT].visits = nodes[root].visits
    nodes[ROOT].first = NONE
    moved[root] = ROOT
    kept = ROOT + 1
    for old in range(root + 1, end):
        parent = nodes[old].parent
        moved[old] = NONE
        if parent == root or (parent > root and moved[parent] != NONE):
            moved[old] = kept
            carry(nodes, old, kept)
            attach(nodes, kept, moved[parent])
            kept += 1
    tally[USED] = kept


@rule
def carry(nodes: Array, old: int, new: int) -> None:
    """Move a node of `nodes` (Node) forward, without its children."""
    source, target = nodes[old], nodes[new]
    target.key = source.key
    target.value_sum = source.value_sum
    target.visits = source.visits
    target.availability = source.availability
    target.prior = source.prior
    target.seat = source.seat
    target.first = NONE


@entry
def children_at(workspace: Workspace, count: int, children: Array) -> None:
    """Write the root's child or NONE for each of the first `count` actions of `workspace.legal`.

    They go to `children` (count or more, int64).
    """
    nodes, s = workspace.nodes, workspace.states[0]
    for place in range(count):
        children[place] = NONE
    seat = game.turn_of(s)
    child = nodes[ROOT].first
    while child != NONE:
        if nodes[child].seat == seat:
            place = place_in(workspace.legal, count, action_of(s, nodes[child].key))
            if place >= 0:
                children[place] = child
        child = nodes[child].next
