"""Search a tree of actions: a generic module, bound to each game.

Where everything is known this is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006).
Where something is hidden, or left to chance, it is its open-loop kind for information sets: every
iteration deals anew what the seat cannot know, a node stands for the actions that led to it, and an
action's bound goes by how often it could have been chosen (Cowling, Powley, Whitehouse: "Information set
Monte Carlo tree search", 2012).  Nodes widen slowly (Chaslot et al.: "Progressive strategies", 2008), in
the order of the game's advice.  Each seat goes for its own worth, so any number of seats and teams will do.
"""

from __future__ import annotations

import math
from typing import Any

from bartizan.engine.bind import bound_heuristics, bound_rules, bound_thrower
from bartizan.engine.bounds import smaller
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import worth_by
from bartizan.engine.record import Array
from bartizan.engine.rng import below, next_word, u64
from bartizan.engine.rule import entry, rule
from bartizan.search.node import FIRST, NONE, ROOT, SCALE, STAMP, SUMS, USED

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
thrower: Any = bound_thrower(__name__)

THOUSAND = 1_000


@rule
def _same(s: Any, action: int) -> int:
    """Name an action by its id."""
    return action


@rule
def _even(s: Any, seat: int) -> float:
    """Know nothing of an unfinished game."""
    return 0.0


@rule
def _all(s: Any, legal: Array, count: int) -> int:
    """Leave no action out."""
    return count


@rule
def _keep(s: Any, seat: int) -> None:
    """Leave everything as it lies."""


key_of = getattr(heuristics, "key_of", _same)
action_of = getattr(heuristics, "action_of", _same)
narrow = getattr(heuristics, "narrow", _all)
forget = getattr(game, "forget", _keep)

if hasattr(heuristics, "features"):

    @rule
    def evaluate(s: Any, seat: int, network: Any, features: Array, units: Array) -> float:
        """Return what an unfinished game is worth to a seat, as the game's network has learned."""
        return worth_by(network, features, heuristics.features(s, seat, features), units)

else:
    by_heuristics = getattr(heuristics, "evaluate", _even)

    @rule
    def evaluate(s: Any, seat: int, network: Any, features: Array, units: Array) -> float:
        """Return what an unfinished game is worth to a seat by the game's advice."""
        return by_heuristics(s, seat)


if COMPILED:

    @rule
    def begin(states: Array) -> None:
        """Set the second record to the first."""
        states[1] = states[0]

else:

    def begin(states: Array) -> None:
        """Set the second record to the first."""
        states[1] = states[0].copy()


@rule
def candidates(s: Any, legal: Array) -> int:
    """Write the legal actions that are worth a thought to `legal`, ascending; return how many."""
    return narrow(s, legal, game.legal_actions(s, legal))


# --- One node ----------------------------------------------------------------


@rule
def place_in(legal: Array, count: int, action: int) -> int:
    """Return where an action stands among the first `count` legal ones, which ascend, or -1."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if legal[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low if low < count and legal[low] == action else -1


@rule
def bound(node: Any, settings: Any) -> float:
    """Return how good an action may be: its mean, what is uncertain of it, and what the advice says."""
    visits = node.visits
    mean = node.total / (visits * float(SCALE))
    doubt = settings.exploration * math.sqrt(math.log(float(node.seen)) / visits)
    return mean + (doubt + settings.bias * node.promise / (THOUSAND * (visits + 1.0))) / THOUSAND


@rule
def children_for(visits: int, settings: Any) -> int:
    """Return how many children a node may have after some visits."""
    return 1 + int(settings.widening * math.sqrt(float(visits)) / THOUSAND)


@rule
def choose(
    nodes: Array,
    tally: Array,
    node: int,
    s: Any,
    dice: Any,
    legal: Array,
    count: int,
    tried: Array,
    mover: int,
    settings: Any,
) -> int:
    """Return the child to go on with, a new one where the node may widen; NONE if there is no room for any.

    `tried` marks which of the legal actions have a child.
    """
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
                nodes[child].seen += 1
                worth = bound(nodes[child], settings)
                if worth > highest:
                    best, highest = child, worth
        child = nodes[child].next
    widens = available < smaller(count, children_for(nodes[node].visits, settings))
    if widens and (children < settings.children or node == ROOT) and tally[USED] < len(nodes):
        return add_child(nodes, tally, node, s, dice, legal, count, tried, mover)
    return best


@rule
def add_child(
    nodes: Array,
    tally: Array,
    node: int,
    s: Any,
    dice: Any,
    legal: Array,
    count: int,
    tried: Array,
    mover: int,
) -> int:
    """Give a node a child for the best untried action by the game's advice; equals are drawn by lot."""
    lowest = highest = heuristics.action_score(s, legal[0])
    best, worth, equals = -1, lowest, 0
    for place in range(count):
        liking = heuristics.action_score(s, legal[place])
        if liking < lowest:
            lowest = liking
        if liking > highest:
            highest = liking
        if tried[place] == tally[STAMP]:
            continue
        if best < 0 or liking > worth:
            best, worth, equals = place, liking, 1
        elif liking == worth:
            equals += 1
            if below(dice, equals) == 0:
                best = place
    child = tally[USED]
    tally[USED] += 1
    fresh = nodes[child]
    fresh.key = key_of(s, legal[best])
    fresh.seat = mover
    fresh.promise = THOUSAND * (worth - lowest) // (highest - lowest) if highest > lowest else 0
    fresh.total = 0
    fresh.visits = 0
    fresh.seen = 1
    fresh.first = NONE
    attach(nodes, child, node)
    return child


@rule
def attach(nodes: Array, child: int, parent: int) -> None:
    """Put a node before its siblings."""
    nodes[child].parent = parent
    nodes[child].next = nodes[parent].first
    nodes[parent].first = child


# --- One iteration -----------------------------------------------------------


@rule
def descend(
    nodes: Array,
    tally: Array,
    s: Any,
    dice: Any,
    legal: Array,
    tried: Array,
    path: Array,
    seat: int,
    settings: Any,
) -> int:
    """Go down the tree to a new node, playing on `s`; return how many nodes that took.

    A forced action is gone through: it tells nothing of its own.  With `opponents_as_chance`
    the actions of others have no nodes: like chance they happen on the way.
    """
    depth = 0
    path[0] = ROOT
    mover = game.turn_of(s)
    fresh = False
    others = 0  # plies of theirs, which may go on long after the seat is out
    while mover > 0 and not fresh and depth + 1 < len(path) and others <= settings.horizon:
        if settings.opponents_as_chance > 0 and mover != seat:
            others += 1
            play_likely(s, dice, legal, settings)
            mover = game.turn_of(s)
            continue
        count = candidates(s, legal)
        before = tally[USED]
        child = choose(nodes, tally, path[depth], s, dice, legal, count, tried, mover, settings)
        if child == NONE:
            break
        fresh = tally[USED] > before and count > 1
        game.apply(s, thrower.attempt(s, action_of(s, nodes[child].key), settings.skill, True, dice))
        depth += 1
        path[depth] = child
        mover = game.turn_of(s)
    return depth


@rule
def likely(s: Any, dice: Any, legal: Array, count: int, sample: int) -> int:
    """Return the best by the game's advice of some legal actions drawn by lot."""
    chosen = legal[below(dice, count)]
    if sample < 2 or count == 1:
        return chosen
    best = heuristics.action_score(s, chosen)
    for _ in range(1, sample):
        other = legal[below(dice, count)]
        if other != chosen:
            worth = heuristics.action_score(s, other)
            if worth > best:
                chosen, best = other, worth
    return chosen


@rule
def play_likely(s: Any, dice: Any, legal: Array, settings: Any) -> None:
    """Let whoever is to move do something likely."""
    action = likely(s, dice, legal, candidates(s, legal), settings.sample)
    game.apply(s, thrower.attempt(s, action, settings.skill, True, dice))


@rule
def play_out(s: Any, dice: Any, legal: Array, seat: int, last: int, settings: Any) -> None:
    """Play on in a quick and likely way, to the end or to the horizon; with patience to where `seat` is next.

    `last` is who has just moved.
    """
    plies = 0
    mover = game.turn_of(s)
    while mover > 0 and plies < settings.horizon + settings.patience:
        if plies >= settings.horizon and mover == seat and last != seat:
            break
        play_likely(s, dice, legal, settings)
        plies += 1
        last = mover
        mover = game.turn_of(s)


@rule
def judge(s: Any, worth: Array, network: Any, features: Array, units: Array) -> None:
    """Write what a state is worth to each seat."""
    over = game.turn_of(s) == 0
    for seat in range(len(worth)):
        value = game.score(s, seat + 1) if over else evaluate(s, seat + 1, network, features, units)
        worth[seat] = int(value * SCALE)


@rule
def back_up(nodes: Array, path: Array, depth: int, worth: Array) -> None:
    """Enter what an iteration came to in all nodes on its way."""
    nodes[ROOT].visits += 1
    for step in range(1, depth + 1):
        node = nodes[path[step]]
        node.visits += 1
        node.total += worth[node.seat - 1]


@entry
def search(
    nodes: Array,
    tally: Array,
    states: Array,
    dice: Array,
    legal: Array,
    tried: Array,
    path: Array,
    worth: Array,
    network: Any,
    features: Array,
    units: Array,
    settings: Array,
    seat: int,
    determinize: bool,
    iterations: int,
) -> None:
    """Run iterations for `seat` from the first record of `states`; the second is room to play on.

    With `determinize` what the seat cannot know is dealt anew each time.  Nothing of the first record's own
    random stream is used.
    """
    first = tally[FIRST]
    for _ in range(iterations):
        begin(states)
        states[1].rng = u64(next_word(dice[0]))
        if determinize:
            game.determinize(states[1], seat)
        if first >= 0:
            game.apply(states[1], thrower.attempt(states[1], first, settings[0].skill, True, dice[0]))
        depth = descend(nodes, tally, states[1], dice[0], legal, tried, path, seat, settings[0])
        last = nodes[path[depth]].seat if depth > 0 else seat
        play_out(states[1], dice[0], legal, seat, last, settings[0])
        judge(states[1], worth, network, features, units)
        for at in range(len(worth)):
            tally[SUMS + at] += worth[at]
        back_up(nodes, path, depth, worth)


@entry
def is_thrown(states: Array, dice: Array, settings: Array, action: int) -> bool:
    """Say whether an action at the first record reports a throw, so that its outcome is left to chance."""
    before = dice[0].rng
    thrower.attempt(states[0], action, settings[0].skill, True, dice[0])
    return before != dice[0].rng


@entry
def prepare(states: Array, seat: int) -> None:
    """Make of the first record what `seat` knows of it, where dealing anew would not do that by itself."""
    forget(states[0], seat)


@entry
def child_of(nodes: Array, states: Array, action: int, seat: int) -> int:
    """Return the root's child for an action of a seat at the first record, or NONE."""
    key = key_of(states[0], action)
    child = nodes[ROOT].first
    while child != NONE and (nodes[child].key != key or nodes[child].seat != seat):
        child = nodes[child].next
    return child


@entry
def is_full(nodes: Array, node: int, settings: Array) -> bool:
    """Say whether a node has as many children as it may."""
    children = 0
    child = nodes[node].first
    while child != NONE:
        children += 1
        child = nodes[child].next
    return children >= settings[0].children


@entry
def grow_from(nodes: Array, tally: Array, root: int, moved: Array) -> None:
    """Make one node the root and keep only what has grown from it.

    Children stand behind their parents, so all move forward in one pass; `moved` has a number for each node.
    """
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
    """Move a node forward, without its children."""
    source, target = nodes[old], nodes[new]
    target.key = source.key
    target.total = source.total
    target.visits = source.visits
    target.seen = source.seen
    target.promise = source.promise
    target.seat = source.seat
    target.first = NONE


@entry
def children_at(nodes: Array, states: Array, legal: Array, count: int, found: Array) -> None:
    """Write to `found`, for each legal action at the first record, the root's child or NONE."""
    for place in range(count):
        found[place] = NONE
    seat = game.turn_of(states[0])
    child = nodes[ROOT].first
    while child != NONE:
        if nodes[child].seat == seat:
            place = place_in(legal, count, action_of(states[0], nodes[child].key))
            if place >= 0:
                found[place] = child
        child = nodes[child].next
