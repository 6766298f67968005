"""Choose for players that don't search, inside compiled code: a generic module, bound to each game."""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_heuristics, bound_rules, bound_thrower
from bartizan.engine.record import Array
from bartizan.engine.rng import below, next_word, u64
from bartizan.engine.rule import entry, rule

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
thrower: Any = bound_thrower(__name__)

# How a seat plays: one of these, plus their number times the level of skill.
RANDOM, GREEDY = 0, 1
PROGRAMS = 2


@rule
def choose_random(legal: Array, count: int, dice: Any) -> int:
    """Return one of the first `count` of `legal` (int32), all equally likely."""
    return legal[below(dice, count)]


@rule
def choose_greedy(s: Any, legal: Array, count: int, dice: Any) -> int:
    """Return the best of the first `count` of `legal` by the game's heuristics; ties are broken at random."""
    best, highest, equals = legal[0], heuristics.action_score(s, legal[0]), 1
    for index in range(1, count):
        score = heuristics.action_score(s, legal[index])
        if score > highest:
            best, highest, equals = legal[index], score, 1
        elif score == highest:
            equals += 1
            if below(dice, equals) == 0:
                best = legal[index]
    return best


@rule
def choose(s: Any, legal: Array, count: int, policy: int, dice: Any) -> int:
    """Return the action of a seat with this policy; without a level of skill, throws always succeed."""
    greedy = policy % PROGRAMS == GREEDY
    action = choose_greedy(s, legal, count, dice) if greedy else choose_random(legal, count, dice)
    return thrower.attempt(s, action, policy // PROGRAMS, greedy, dice) if policy >= PROGRAMS else action


@rule
def key_stream(s: Any, key: int, number: int, purpose: int) -> None:
    """Set the stream of `s` to that of game `number` of a batch, for one purpose."""
    s.rng = u64(u64(key) + u64(u64(2 * number + purpose) * u64(0xD1342543DE82EF95)))
    s.rng = u64(next_word(s))


@entry
def pick(states: Array, dice: Array, legal: Array, count: int, policy: int) -> int:
    """Return the action of a seat with this policy at the first state (for single decisions)."""
    return choose(states[0], legal, count, policy, dice[0])


@entry
def action_scores(states: Array, actions: Array, scores: Array) -> None:
    """Write the heuristics' score of each of `actions` (int32) to `scores` (int64)."""
    for index in range(len(actions)):
        scores[index] = heuristics.action_score(states[0], actions[index])
