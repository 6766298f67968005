"""Find out whether somebody who sees all of a game for one can win it: a generic module, bound to each game.

The whole tree of play is searched depth first, what the game's advice prefers before the rest.  A bad
choice early on would keep such a search busy for ages, so the tree is widened step by step (limited
discrepancy search: Harvey and Ginsberg 1995): move number *i* in the order of the advice costs as many
deviations as *i* has binary digits, and pass *w* plays the lines with at most *w* deviations.  The first
pass that leaves nothing out has searched the whole tree.

Chance is no opponent here.  A match re-keys its stream from the seed and the ply before every decision, so
with the keys of all plies at hand everything is determined, and a line that is found replays in the match.

**Positions met again.**  A table keeps the positions that were searched in vain, with the deviations that
were left: with as many or fewer it would be in vain again.  Where a subtree drew no random number it
is the same at every ply, so its position is kept without the ply; else the ply is part of its name.  A
name is 128 bits of hash over the state's bytes (without the stream, which the next key replaces), and all
of them are compared.  If two of *n* positions had one name, a winnable game could be called lost; hashes
being as good as random, that has a chance of n² / 2¹²⁹: 10⁻²³ for a hundred million positions.  "Won" needs
no such trust, for the line is there to be played.

Nothing is left out of the tree: actions are tried in all their variants, and neither symmetries nor bounds
cut anything off.  So "lost" says no more than that every line of play was looked at.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.bind import bound_heuristics, bound_rules
from bartizan.engine.game import Live
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import i64, stream, u64
from bartizan.engine.rule import entry, rule

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)

DEPTH = 500  # plies of the longest line
TABLE = 1 << 20  # positions that are kept: 24 bytes each

# How far a search is.
OPEN, WON, LOST, TOO_DEEP = 0, 1, 2, 3

# What a search knows of itself: its level, whether the position there is new, the deviations of this pass,
# whether positions were kept that go with a ply, how many positions it has entered, and how many actions
# the game has.
LEVEL, ENTERING, WIDTH, BOUND, ENTERED, SIZE, HEAD = 0, 1, 2, 3, 4, 5, 6

# What it knows of a level: how many actions are listed and which is the next, in which of its variants;
# whether some action has a further variant; how many codes were taken up; deviations left; what was met
# below; the code that was played last.
COUNT, NEXT, VARIANT, MORE, TAKEN, LEFT, MET, CODE, FRAME = 0, 1, 2, 3, 4, 5, 6, 7, 8

# What a subtree met: moves left out for want of deviations, a random number, a line too long for the room.
CUT, CHANCE, DEEP = 1, 2, 4

# Columns of the table: the halves of a position's name, and one more than the deviations that do not suffice.
HIGH, LOW, BEYOND, ROW = 0, 1, 2, 3
ALL = 1 << 30  # more than any line can deviate


class Tree(NamedTuple):
    """The arrays of a search: everything it knows, so that it can stop anywhere and go on."""

    states: Array  # one a level
    words: Array  # the same memory as 64-bit words
    keys: Any  # the stream's key before each ply; at the end one that tells this search's names from others'
    actions: Any  # what is listed at each level
    worth: Array  # what the advice gives for it
    frames: Array
    names: Array  # of the positions, in two halves
    table: Array
    head: Array


if COMPILED:

    @rule
    def copy_down(states: Array, level: int) -> None:
        """Set the state below `level` to the one there."""
        states[level + 1] = states[level]

    @rule
    def name_position(tree: Tree, level: int) -> None:
        """Write the name of the state at `level`: two hashes of its bytes, with different multipliers."""
        salt = u64(tree.keys[len(tree.keys) - 1])
        high, low = salt, u64(salt ^ u64(0x9E3779B97F4A7C15))
        for place in range(tree.words.shape[1]):
            word = u64(tree.words[level, place])
            high = u64(u64(high ^ word) * u64(0xD6E8FEB86659FD93))
            high = u64(high ^ u64(high >> u64(32)))
            low = u64(u64(low ^ word) * u64(0xBF58476D1CE4E5B9))
            low = u64(low ^ u64(low >> u64(29)))
        tree.names[level, HIGH], tree.names[level, LOW] = high, low

else:

    def copy_down(states: Array, level: int) -> None:
        """Set the state below `level` to the one there."""
        states[level + 1] = states[level].copy()

    def name_position(tree: Tree, level: int) -> None:
        """Write the name of the state at `level`: a hash of its values in two halves."""
        text = repr((int(tree.keys[-1]), tree.states[level].to_tuple()))
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        tree.names[level, HIGH] = int.from_bytes(digest[:8], "little")
        tree.names[level, LOW] = int.from_bytes(digest[8:], "little")


if hasattr(game, "variants"):

    @rule
    def variants(s: Any, action: int) -> int:
        """Return in how many variants a listed action can be played."""
        return game.variants(s, action)

else:

    @rule
    def variants(s: Any, action: int) -> int:
        """Return 1: this game's actions have no variants."""
        return 1


@rule
def at_ply(high: int, level: int) -> int:
    """Return the first half of a position's name where the ply is part of it."""
    return u64(u64(high) ^ u64(u64(level + 1) * u64(0xD1342543DE82EF95)))


@rule
def refuted(table: Array, high: int, low: int) -> int:
    """Return one more than the deviations that do not suffice to win from a position; 0 if it is not kept."""
    row = u64(high) & u64(len(table) - 1)
    if u64(table[row, HIGH]) != u64(high) or u64(table[row, LOW]) != u64(low):
        return 0
    return i64(table[row, BEYOND])


@rule
def recall(tree: Tree, level: int) -> bool:
    """Say whether the position at `level` is known to be in vain; its frame then says what was met below."""
    frame = tree.frames[level]
    high, low = tree.names[level, HIGH], tree.names[level, LOW]
    beyond = refuted(tree.table, high, low)
    if beyond <= frame[LEFT] and tree.head[BOUND]:
        beyond = refuted(tree.table, at_ply(high, level), low)
        if beyond > frame[LEFT]:
            frame[MET] |= CHANCE
    if beyond <= frame[LEFT]:
        return False
    if beyond < ALL:
        frame[MET] |= CUT
    return True


@rule
def keep(tree: Tree, level: int) -> None:
    """Keep the position at `level`, searched in vain, unless a line below it was broken off."""
    frame = tree.frames[level]
    if frame[MET] & DEEP:
        return
    high = tree.names[level, HIGH]
    if frame[MET] & CHANCE:
        tree.head[BOUND] = 1
        high = at_ply(high, level)
    row = u64(high) & u64(len(tree.table) - 1)
    tree.table[row, HIGH], tree.table[row, LOW] = high, tree.names[level, LOW]
    tree.table[row, BEYOND] = u64(frame[LEFT] + 1 if frame[MET] & CUT else ALL)


@rule
def deviations(number: int) -> int:
    """Return what it costs to play the move with this number, from 0, in the order of the advice."""
    cost = 0
    while number > 0:
        number >>= 1
        cost += 1
    return cost


@rule
def bring_best(actions: Array, worth: Array, first: int, count: int) -> None:
    """Move the best action from `first` on to that place; the others keep their order."""
    best = first
    for index in range(first + 1, count):
        if worth[index] > worth[best]:
            best = index
    action, most = actions[best], worth[best]
    for index in range(best, first, -1):
        actions[index], worth[index] = actions[index - 1], worth[index - 1]
    actions[first], worth[first] = action, most


@rule
def next_code(tree: Tree, level: int) -> int:
    """Return the code to try next at `level`, or -1.

    All actions come first, the best by the advice before the rest, then all second variants, and so on.
    """
    frame, actions = tree.frames[level], tree.actions[level]
    while True:
        if frame[NEXT] == frame[COUNT]:
            if frame[MORE] == 0:
                return -1
            frame[VARIANT] += 1
            frame[NEXT], frame[MORE] = 0, 0
        index = frame[NEXT]
        if frame[VARIANT] == 0:
            bring_best(actions, tree.worth[level], index, frame[COUNT])
        frame[NEXT] += 1
        among = variants(tree.states[level], actions[index])
        if among > frame[VARIANT] + 1:
            frame[MORE] = 1
        if among > frame[VARIANT]:
            return actions[index] + tree.head[SIZE] * frame[VARIANT]


@rule
def enter(tree: Tree, level: int) -> None:
    """Begin with the position at `level`: list what can be played, if there is anything to find below it."""
    frame, s = tree.frames[level], tree.states[level]
    for column in range(FRAME):
        if column != LEFT:
            frame[column] = 0
    if game.turn_of(s) == 0:
        return
    if level == len(tree.states) - 1:
        frame[MET] = DEEP
        return
    s.rng = u64(0)
    name_position(tree, level)
    if not recall(tree, level):
        frame[COUNT] = game.legal_actions(s, tree.actions[level])
        for index in range(frame[COUNT]):
            tree.worth[level][index] = heuristics.action_score(s, tree.actions[level][index])


@rule
def descend(tree: Tree, level: int) -> bool:
    """Play the next move at `level`; say whether there was one, and deviations enough for it."""
    frame = tree.frames[level]
    if frame[COUNT] == 0:
        return False
    left = frame[LEFT] - deviations(frame[TAKEN])
    if left < 0:
        frame[MET] |= CUT
        return False
    code = next_code(tree, level)
    if code < 0:
        return False
    frame[TAKEN] += 1
    frame[CODE] = code
    copy_down(tree.states, level)
    s = tree.states[level + 1]
    s.rng = tree.keys[level]
    game.apply(s, code)
    if u64(s.rng) != u64(tree.keys[level]):
        frame[MET] |= CHANCE
    tree.frames[level + 1, LEFT] = left
    tree.head[LEVEL], tree.head[ENTERING] = level + 1, 1
    return True


@rule
def ascend(tree: Tree, level: int) -> int:
    """Leave the position at `level` behind as in vain; return how far the search is now."""
    met = tree.frames[level, MET]
    if tree.frames[level, COUNT] > 0:
        keep(tree, level)
    if level > 0:
        tree.head[LEVEL] = level - 1
        tree.frames[level - 1, MET] |= met
        return OPEN
    if not met & CUT:
        return TOO_DEEP if met & DEEP else LOST
    tree.head[WIDTH] += 1
    tree.head[ENTERING] = 1
    tree.frames[0, LEFT] = tree.head[WIDTH]
    return OPEN


@entry
def search(tree: Tree, until: int) -> int:
    """Go on until `until` positions have been entered in all; return `OPEN`, `WON`, `LOST` or `TOO_DEEP`.

    `OPEN` means that the search has not ended: a call with a larger figure goes on where this one stopped.
    """
    head = tree.head
    status = OPEN
    while status == OPEN:
        level = head[LEVEL]
        if head[ENTERING]:
            if head[ENTERED] >= until:
                break
            head[ENTERING] = 0
            head[ENTERED] += 1
            enter(tree, level)
            if game.turn_of(tree.states[level]) == 0 and game.score(tree.states[level], 1) > 0:
                return WON
        if not descend(tree, level):
            status = ascend(tree, level)
    return status


class Search:
    """One search from one state of a game for one; it may be stopped and gone on with."""

    def __init__(
        self, live: Live, seed: str, ply: int = 0, depth: int = DEPTH, table: Array | None = None
    ) -> None:
        """Make room to search `depth` plies on from the state after `ply` plies of a match with this seed.

        `table` is that of another search of the game, to be used again; it need not be cleared.
        """
        levels, length = depth + 1, live.game.max_legal
        states: Any = [live.view()] * levels
        if COMPILED:  # zeros between the fields too, so that equal states have equal bytes
            states = np.zeros(levels, live.array.dtype)
            states[0] = live.cells[0]
        keys = [*(stream(seed, "ply", ply + level) for level in range(levels)), stream(seed, "solve", ply)]
        self.tree = Tree(
            states=states,
            words=states.view(np.uint64).reshape(levels, -1) if COMPILED else np.zeros((1, 1), np.uint64),
            keys=np.array(keys, np.uint64) if COMPILED else keys,
            actions=np.zeros((levels, length), np.int32)
            if COMPILED
            else [[0] * length for _ in range(levels)],
            worth=np.zeros((levels, length), np.int64),
            frames=np.zeros((levels, FRAME), np.int64),
            names=np.zeros((levels, 2), np.uint64),
            table=np.zeros((TABLE, ROW), np.uint64) if table is None else table,
            head=np.zeros(HEAD, np.int64),
        )
        self.tree.head[ENTERING] = 1
        self.tree.head[SIZE] = live.game.actions.size
        self.status = OPEN

    @property
    def positions(self) -> int:
        """How many positions have been entered so far."""
        return int(self.tree.head[ENTERED])

    @property
    def width(self) -> int:
        """With how many deviations from the advice the lines are that are searched now."""
        return int(self.tree.head[WIDTH])

    def run(self, until: int) -> int:
        """Go on until `until` positions have been entered in all; return the status, as `search` does."""
        if self.status == OPEN:
            self.status = int(search(self.tree, until))
        return self.status

    def line(self) -> list[int]:
        """Return the codes of the moves that win; empty unless the status is `WON`."""
        played = int(self.tree.head[LEVEL]) if self.status == WON else 0
        return [int(code) for code in self.tree.frames[:played, CODE]]
