"""Play opponents and playouts inside compiled code: a generic module, bound to each game."""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_module
from bartizan.engine.record import Array
from bartizan.engine.rng import i64, next_word
from bartizan.engine.rule import apart_rule, entry, inlined_rule
from bartizan.envs.arrays import Tables

rollout: Any = bound_module(__name__, "bartizan.search.rollout")
stepping: Any = bound_module(__name__, "bartizan.envs.stepping")

LEARNER = -1  # in place of a policy: a learner has this seat
TRIES = 100  # games in a row without a learner's turn before a batch gives up


@apart_rule
def choose(s: Any, legal: Array, count: int, policy: int, dice: Any) -> int:
    """Return the action of a seat with this policy."""
    return rollout.choose(s, legal, count, policy, dice)


@inlined_rule
def answer(t: Tables, i: int, policies: Array, work: Array, told: bool) -> None:
    """Let opponents play until it is a learner's turn or the episode is over; if `told`, write the result."""
    while not t.over[i]:
        policy = i64(policies[stepping.turn_of(t.states[i]) - 1])
        if policy == LEARNER:
            return
        count = stepping.legal_actions(t.states[i], 0, work)
        stepping.apply(t.states[i], choose(t.states[i], work, count, policy, t.dice[i]))
        stepping.settle(t, i, told)


@inlined_rule
def advance(t: Tables, i: int, fresh: bool, policies: Array, work: Array) -> None:
    """Play a table's chosen action, or deal its next episode if `fresh`, and let opponents play.

    If opponents end a game before it is a learner's turn, the next one is dealt.
    """
    tries = TRIES
    if fresh:
        stepping.forget_legal(t, i)
        t.over[i] = True
        tries = 0
    elif stepping.begin_step(t, i):
        stepping.play_chosen(t, i)
    else:
        return
    while True:
        if fresh and t.over[i]:
            stepping.deal(t, i)
            tries += 1
        answer(t, i, policies, work, not fresh)
        if not t.over[i] or tries >= TRIES:
            break
    stepping.show_or_end(t, i, work)


@entry
def play_against(
    t: Tables, chosen: Array, fresh: bool, policies: Array, work: Array, first: int, last: int
) -> int:
    """Step as ``step_range`` does, or deal if `fresh` as ``reset_range`` does, and let opponents play.

    `policies` (seats,) int64 are those of ``rollout.choose``, or `LEARNER`.  Returns at how many of these
    tables the episode is over.
    """
    ended = 0
    for i in range(first, last):
        if chosen[i]:
            advance(t, i, fresh, policies, work)
            ended += 1 if t.over[i] else 0
    return ended


@entry
def playouts(states: Array, work: Array, dice: Array, policy: int, count: int, most: int, sums: Array) -> int:
    """Play the first state to its end `count` times; return how many playouts reached the end.

    Args:
        states: (2,) State: the position, and memory to play on.
        work: (max_legal,) int32: memory for the legal actions.
        dice: (1,) Dice: for the players, and for chance after the position.
        policy: how every seat plays.
        count: how many playouts.
        most: plies after which a playout counts as a draw.
        sums: (seats,) float64: the returns are added to it.
    """
    ended = 0
    for _ in range(count):
        stepping.copy_table(states, 1, states, 0)
        states[1].rng = next_word(dice[0])
        plies = 0
        while stepping.turn_of(states[1]) > 0 and plies < most:
            listed = stepping.legal_actions(states[1], 0, work)
            stepping.apply(states[1], choose(states[1], work, listed, policy, dice[0]))
            plies += 1
        if stepping.turn_of(states[1]) == 0:
            ended += 1
            for seat in range(len(sums)):
                sums[seat] += stepping.returns(states[1], seat + 1)
    return ended
