"""Play whole games inside compiled code: a generic module, bound to each game.

A batch of games is numbered; game *i* has random streams of its own, made from
the batch's key and *i* alone, so results do not depend on how many threads
share the work.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_heuristics, bound_rules, bound_thrower
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import below, next_word, u64
from bartizan.engine.rule import entry, rule

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)
thrower: Any = bound_thrower(__name__)

# How a seat plays: one of these, plus for each level of skill as many as there are.
RANDOM, GREEDY = 0, 1
PROGRAMS = 2

# Columns of a batch's results.
PLIES, ROUNDS, FINISHED, RETURNS = 0, 1, 2, 3  # then for each seat its return, then 1 for each that has won


@rule
def choose_random(legal: Array, count: int, dice: Any) -> int:
    """Return one of the first `count` of `legal` (int32), each as likely as the others."""
    return legal[below(dice, count)]


@rule
def choose_greedy(s: Any, legal: Array, count: int, dice: Any) -> int:
    """Return the best of the first `count` of `legal` by the game's heuristics; equals are drawn by lot."""
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
    """Return what a seat with this policy plays; without a level of skill, throws come out as chosen."""
    greedy = policy % PROGRAMS == GREEDY
    action = choose_greedy(s, legal, count, dice) if greedy else choose_random(legal, count, dice)
    return thrower.attempt(s, action, policy // PROGRAMS, greedy, dice) if policy >= PROGRAMS else action


@rule
def key_stream(s: Any, key: int, number: int, purpose: int) -> None:
    """Set the stream of `s` to that of game `number` of a batch, for one purpose."""
    s.rng = u64(u64(key) + u64(u64(2 * number + purpose) * u64(0xD1342543DE82EF95)))
    s.rng = u64(next_word(s))


@rule
def play_game(s: Any, dice: Any, key: int, number: int, policies: Array, legal: Array, max_plies: int) -> int:
    """Play game `number` of a batch from the blank table `s`; return how many plies it took."""
    key_stream(s, key, number, 0)
    key_stream(dice, key, number, 1)
    game.setup(s)
    plies = 0
    seat = game.turn_of(s)
    while seat > 0 and plies < max_plies:
        count = game.legal_actions(s, legal)
        game.apply(s, choose(s, legal, count, policies[seat - 1], dice))
        plies += 1
        seat = game.turn_of(s)
    return plies


if COMPILED:

    @rule
    def copy_state(target: Array, source: Array) -> None:
        """Set the first record of `target` to that of `source`."""
        target[0] = source[0]

else:

    def copy_state(target: Array, source: Array) -> None:
        """Set the first record of `target` to that of `source`."""
        target[0] = source[0].copy()


@entry
def play_batch(
    blank: Array,
    work: Array,
    key: int,
    first: int,
    policies: Array,
    legal: Array,
    max_plies: int,
    results: Array,
) -> int:
    """Play ``len(results)`` games from number `first` on; return the plies of all.

    `blank` (1,) is the undealt State; `work` (2,) is room for the table and the dice of the players.
    `policies` (seats,) int64 says how each seat plays; `legal` is (max_legal,) int32.  A row of `results`
    (games, RETURNS + 2 * seats) float64 is plies, rounds, 1 if finished, the returns, 1 for each winner.
    """
    total = 0
    seats = len(policies)
    for index in range(len(results)):
        copy_state(work, blank)
        plies = play_game(work[0], work[1], key, first + index, policies, legal, max_plies)
        total += plies
        results[index, PLIES] = plies
        results[index, ROUNDS] = game.rounds(work[0])
        results[index, FINISHED] = 1.0 if game.turn_of(work[0]) == 0 else 0.0
        for seat in range(seats):
            results[index, RETURNS + seat] = game.returns(work[0], seat + 1)
            results[index, RETURNS + seats + seat] = 1.0 if game.has_won(work[0], seat + 1) else 0.0
    return total


@entry
def pick(states: Array, dice: Array, legal: Array, count: int, policy: int) -> int:
    """Return what a seat with this policy plays at the first state (for single decisions)."""
    return choose(states[0], legal, count, policy, dice[0])


@entry
def action_scores(states: Array, actions: Array, scores: Array) -> None:
    """Write to `scores` (int64) what the game's heuristics give each of `actions` (int32) there."""
    for index in range(len(actions)):
        scores[index] = heuristics.action_score(states[0], actions[index])
