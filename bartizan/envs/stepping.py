"""Deal, play and list actions at many tables in compiled code: a generic module, bound to each game.

An entry is given all tables and works on a range of them; threads are calls for ranges that do not overlap.
Table *i* in its episode *e* has random streams of its own, made from the batch's key, *i* and *e* alone: what
happens there depends on neither the other tables nor the number of threads.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_rules, bound_thrower
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import below, i64, next_word, u64
from bartizan.engine.rule import apart_rule, entry, inlined_rule, rule
from bartizan.envs.arrays import DEAL, DICE, MASKED, MAX_PLIES, PICKS, PURPOSES, SKILL, Tables

game: Any = bound_rules(__name__)
thrower: Any = bound_thrower(__name__)

LOST = -1.0  # the reward for an illegal action


@rule
def key_stream(dice: Any, key: int, table: int, episode: int, purpose: int) -> None:
    """Set a random stream to that of a table's episode, for one purpose."""
    dice.rng = u64(u64(key) + u64(u64(table) * u64(0x9FB21C651E98DF25)))
    number = u64(u64(PURPOSES) * u64(episode) + u64(purpose))
    dice.rng = u64(u64(next_word(dice)) + u64(number * u64(0xD1342543DE82EF95)))
    dice.rng = u64(next_word(dice))


if COMPILED:

    @rule
    def copy_table(target: Array, at: int, source: Array, place: int) -> None:
        """Set a record of `target` to one of `source`."""
        target[at] = source[place]

else:

    def copy_table(target: Array, at: int, source: Array, place: int) -> None:
        """Set a record of `target` to one of `source`."""
        target[at] = source[place].copy()


# --- Calls into the game's rules, which are large: see `apart_rule` ------------------


@apart_rule
def apply(s: Any, action: int) -> None:
    """Play an action."""
    game.apply(s, action)


@apart_rule
def setup(s: Any) -> None:
    """Deal a new game."""
    game.setup(s)


@apart_rule
def turn_of(s: Any) -> int:
    """Return the seat whose decision it is, 0 when the game is over."""
    return game.turn_of(s)


@apart_rule
def returns(s: Any, seat: int) -> float:
    """Return the value of a finished game to a seat."""
    return game.returns(s, seat)


@apart_rule
def legal_actions(s: Any, skill: int, work: Array) -> int:
    """Write the legal actions to `work` (max_legal, int32); with a skill, one throw per thing to aim at."""
    count = game.legal_actions(s, work)
    return thrower.aims(s, work, count) if skill > 0 else count


@apart_rule
def attempt(s: Any, action: int, skill: int, dice: Any) -> int:
    """Return the result of an action that a learner has chosen."""
    return thrower.attempt(s, action, skill, True, dice)


# --- One table ---------------------------------------------------------------------

if COMPILED:

    @inlined_rule
    def list_legal(t: Tables, i: int, work: Array) -> int:
        """List a table's legal actions in its row; return how many."""
        return legal_actions(t.states[i], i64(t.settings[SKILL]), t.legal[i])

else:

    def list_legal(t: Tables, i: int, work: Array) -> int:
        """List a table's legal actions in its row; return how many."""
        count = legal_actions(t.states[i], i64(t.settings[SKILL]), work)  # plain integers, as rules expect
        t.legal[i, :count] = work[:count]
        return count


@inlined_rule
def forget_legal(t: Tables, i: int) -> None:
    """Clear a table's legal actions; only the bits set in its mask are cleared."""
    if t.settings[MASKED]:
        for index in range(t.legal_count[i]):
            t.mask[i, t.legal[i, index]] = False
    t.legal_count[i] = 0


@inlined_rule
def show(t: Tables, i: int, work: Array) -> None:
    """Say who is to move at a running table, and what is legal."""
    count = list_legal(t, i, work)
    t.legal_count[i] = count
    if t.settings[MASKED]:
        for index in range(count):
            t.mask[i, t.legal[i, index]] = True
    seat = turn_of(t.states[i])
    t.to_play[i], t.viewer[i] = seat - 1, seat


@rule
def is_listed(legal: Array, count: int, action: int) -> bool:
    """Say whether an action is among the first `count` of `legal`.

    Comparing all of them, several at a time, is faster than a binary search with its mispredicted branches.
    """
    place = 0
    for index in range(count):
        place |= legal[index] == action
    return place != 0


@inlined_rule
def play(t: Tables, i: int, action: int) -> None:
    """Play an action; the thrower decides the result of a throw."""
    if t.settings[SKILL] > 0:
        action = attempt(t.states[i], action, i64(t.settings[SKILL]), t.dice[i])
    apply(t.states[i], action)


@inlined_rule
def settle(t: Tables, i: int, told: bool) -> None:
    """Count a played ply and find whether the episode is over; if `told`, write the rewards."""
    t.plies[i] += 1
    is_over = turn_of(t.states[i]) == 0
    if is_over or t.plies[i] >= t.settings[MAX_PLIES]:
        t.over[i] = True
        if told:
            t.terminated[i], t.truncated[i] = is_over, not is_over
        if told and is_over:
            for seat in range(t.reward.shape[1]):
                t.reward[i, seat] = returns(t.states[i], seat + 1)


@inlined_rule
def begin_step(t: Tables, i: int) -> bool:
    """Clear the results of the last step; say whether the table plays on."""
    for seat in range(t.reward.shape[1]):
        t.reward[i, seat] = 0.0
    if t.over[i]:
        return False
    t.terminated[i] = t.truncated[i] = False
    return True


@inlined_rule
def play_chosen(t: Tables, i: int) -> None:
    """Play a table's chosen action; an illegal one ends the episode."""
    action = i64(t.actions[i])
    if not is_listed(t.legal[i], t.legal_count[i], action):
        t.reward[i, t.to_play[i]] = LOST
        t.terminated[i] = t.over[i] = True
    else:
        play(t, i, action)
        settle(t, i, True)
    forget_legal(t, i)


@inlined_rule
def show_or_end(t: Tables, i: int, work: Array) -> None:
    """Say who is to move at a table and what is legal; nobody if the game is over."""
    if t.over[i]:
        t.to_play[i] = -1
    else:
        show(t, i, work)


@inlined_rule
def advance(t: Tables, i: int, work: Array) -> None:
    """Play a table's chosen action, unless it waits for a reset."""
    if begin_step(t, i):
        play_chosen(t, i)
        show_or_end(t, i, work)


@entry
def step_range(t: Tables, work: Array, first: int, last: int) -> int:
    """Play `t.actions` at the tables from `first` to `last` - 1; return how many of them are over now.

    Tables that wait for a reset are left as they are.
    """
    ended = 0
    for i in range(first, last):
        advance(t, i, work)
        ended += 1 if t.over[i] else 0
    return ended


@inlined_rule
def deal(t: Tables, i: int) -> None:
    """Deal a table's next episode."""
    t.episode[i] += 1
    key, number, episode = t.key[i], i64(t.number[i]), i64(t.episode[i])
    copy_table(t.states, i, t.blank, i64(t.variant[i]))
    key_stream(t.states[i], key, number, episode, DEAL)
    key_stream(t.dice[i], key, number, episode, DICE)
    key_stream(t.picks[i], key, number, episode, PICKS)
    setup(t.states[i])
    t.plies[i] = 0
    t.over[i] = False


@inlined_rule
def begin(t: Tables, i: int, fresh: bool, work: Array) -> None:
    """Deal a table's next episode, if `fresh`, and list the legal actions."""
    forget_legal(t, i)
    if fresh:
        deal(t, i)
    t.over[i] = turn_of(t.states[i]) == 0
    show_or_end(t, i, work)


@entry
def reset_range(t: Tables, chosen: Array, fresh: bool, work: Array, first: int, last: int) -> None:
    """Deal the next episode at the `chosen` (n, bool) tables from `first` to `last` - 1, if `fresh`.

    Otherwise list the legal actions again: the caller has set their states.
    """
    for i in range(first, last):
        if chosen[i]:
            begin(t, i, fresh, work)


@inlined_rule
def is_refused(t: Tables, i: int) -> bool:
    """Say whether a table's chosen action is illegal; at a table that waits for a reset it doesn't count."""
    return not t.over[i] and not is_listed(t.legal[i], t.legal_count[i], i64(t.actions[i]))


@entry
def first_illegal(t: Tables) -> int:
    """Return the first table at which `t.actions` are illegal, -1 if there is none."""
    for i in range(len(t.actions)):
        if is_refused(t, i):
            return i
    return -1


@rule
def pick(legal: Array, legal_count: Array, picks: Array, i: int) -> int:
    """Return a random legal action of a table, all equally likely; -1 if there is none."""
    count = i64(legal_count[i])
    return i64(legal[i, below(picks[i], count)]) if count > 0 else -1


@entry
def pick_all(legal: Array, legal_count: Array, picks: Array, out: Array) -> None:
    """Write a random legal action of each table to `out` (n, int64), all equally likely; -1 for none."""
    for i in range(len(out)):
        out[i] = pick(legal, legal_count, picks, i)


@entry
def gather(legal: Array, legal_count: Array, offsets: Array, actions: Array, rows: Array) -> None:
    """Write all tables' legal actions one after the other, with their tables; `offsets` are set."""
    for i in range(len(legal_count)):
        first = offsets[i]
        for index in range(legal_count[i]):
            actions[first + index] = legal[i, index]
            rows[first + index] = i
