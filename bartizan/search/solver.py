"""Decide whether a solitaire can be won with full information: a generic module, bound to each game.

The whole game tree is searched depth first, in the order of the game's heuristics. After a bad early choice,
such a search would take far too long, so the tree is widened step by step (limited discrepancy search: Harvey
and Ginsberg 1995): move number *i* in the order of the heuristics costs as many deviations as *i* has binary
digits, and pass *w* plays the lines with at most *w* deviations. The first pass that omits nothing has
searched the whole tree.

Chance is not an opponent here. A match derives its stream from the seed and the ply before every decision, so
the keys of all plies determine everything, and a winning line can be replayed in the match.

**Repeated positions.** A transposition table stores the positions that were searched without success, with
the number of deviations left: with that many or fewer, the search would fail again. A subtree that drew no
random number is the same at every ply, so its position is stored without the ply; otherwise the ply is part
of its key. A key is a 128-bit hash of the state's bytes (without the stream, which the next key replaces),
and it is compared in full. If two of *n* positions had the same key, a winnable game could be called lost.
Assuming random hashes, the probability is n² / 2¹²⁹: 10⁻²³ for a hundred million positions. "Won" carries no
such risk, because the winning line can be played.

Nothing is pruned: actions are tried in all their variants, without symmetries or bounds.  So "lost" means
exactly that every line of play was searched.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.bind import bound_heuristics, bound_rules
from bartizan.engine.game import GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import i64, stream, u64
from bartizan.engine.rule import entry, rule

game: Any = bound_rules(__name__)
heuristics: Any = bound_heuristics(__name__)

DEPTH = 500  # plies of the longest line
TABLE = 1 << 20  # positions that are kept: 24 bytes each

# The status of a search.
OPEN, WON, LOST, TOO_DEEP = 0, 1, 2, 3

# The state of a search: its level, whether the position there is new, the deviations of this pass, whether
# stored positions include their ply, how many positions it has entered, and the number of actions of the
# game.
LEVEL, ENTERING, WIDTH, BOUND, ENTERED, SIZE, HEAD = 0, 1, 2, 3, 4, 5, 6

# The state of a level: the number of listed actions, the next one and its variant; whether some action has
# another variant; how many codes were taken; deviations left; what was met below; the last code played.
COUNT, NEXT, VARIANT, MORE, TAKEN, LEFT, MET, CODE, FRAME = 0, 1, 2, 3, 4, 5, 6, 7, 8

# What a subtree met: moves left out without deviations for them, a random number, a line that is too long.
CUT, CHANCE, DEEP = 1, 2, 4

# Columns of the table: the halves of a position's name, and one more than the deviations that do not suffice.
HIGH, LOW, BEYOND, ROW = 0, 1, 2, 3
ALL = 1 << 30  # more than any line can deviate


class SolverWorkspace(NamedTuple):
    """The arrays of a search: its complete state, so that it can stop and resume anywhere."""

    states: Array  # (levels,) the game's State
    words: Array  # (levels, words) uint64: the same memory
    keys: Any  # (levels + 1,) uint64: the stream's key before each ply, then the salt of this search's names
    actions: Any  # (levels, max_legal) int32: the legal actions at each level
    scores: Array  # (levels, max_legal) int64: their scores by the heuristics
    frames: Array  # (levels, FRAME) int64
    names: Array  # (levels, 2) uint64: the names of the positions, in two halves
    table: Array  # (a power of two, ROW) uint64: the transposition table
    head: Array  # (HEAD,) int64


if COMPILED:

    @rule
    def copy_down(states: Array, level: int) -> None:
        """Copy the state at `level` to the next level."""
        states[level + 1] = states[level]

    @rule
    def name_position(workspace: SolverWorkspace, level: int) -> None:
        """Write the name of the state at `level`: two hashes of its bytes, with different multipliers."""
        salt = u64(workspace.keys[len(workspace.keys) - 1])
        high, low = salt, u64(salt ^ u64(0x9E3779B97F4A7C15))
        for place in range(workspace.words.shape[1]):
            word = u64(workspace.words[level, place])
            high = u64(u64(high ^ word) * u64(0xD6E8FEB86659FD93))
            high = u64(high ^ u64(high >> u64(32)))
            low = u64(u64(low ^ word) * u64(0xBF58476D1CE4E5B9))
            low = u64(low ^ u64(low >> u64(29)))
        workspace.names[level, HIGH], workspace.names[level, LOW] = high, low

else:

    def copy_down(states: Array, level: int) -> None:
        """Copy the state at `level` to the next level."""
        states[level + 1] = states[level].copy()

    def name_position(workspace: SolverWorkspace, level: int) -> None:
        """Write the name of the state at `level`: a hash of its values in two halves."""
        text = repr((int(workspace.keys[-1]), workspace.states[level].numbers()))
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        workspace.names[level, HIGH] = int.from_bytes(digest[:8], "little")
        workspace.names[level, LOW] = int.from_bytes(digest[8:], "little")


if hasattr(game, "variants"):

    @rule
    def variants(s: Any, action: int) -> int:
        """Return the number of variants of a listed action."""
        return game.variants(s, action)

else:

    @rule
    def variants(s: Any, action: int) -> int:
        """Return 1: this game's actions have no variants."""
        return 1


@rule
def at_ply(high: int, level: int) -> int:
    """Return the first half of a position's name that includes the ply."""
    return u64(u64(high) ^ u64(u64(level + 1) * u64(0xD1342543DE82EF95)))


@rule
def refuted(table: Array, high: int, low: int) -> int:
    """Return one more than the number of deviations known not to win from a position; 0 if not stored."""
    row = u64(high) & u64(len(table) - 1)
    if u64(table[row, HIGH]) != u64(high) or u64(table[row, LOW]) != u64(low):
        return 0
    return i64(table[row, BEYOND])


@rule
def recall(workspace: SolverWorkspace, level: int) -> bool:
    """Say whether the position at `level` is known to fail; if so, its frame gets what was met below."""
    frame = workspace.frames[level]
    high, low = workspace.names[level, HIGH], workspace.names[level, LOW]
    beyond = refuted(workspace.table, high, low)
    if beyond <= frame[LEFT] and workspace.head[BOUND]:
        beyond = refuted(workspace.table, at_ply(high, level), low)
        if beyond > frame[LEFT]:
            frame[MET] |= CHANCE
    if beyond <= frame[LEFT]:
        return False
    if beyond < ALL:
        frame[MET] |= CUT
    return True


@rule
def keep(workspace: SolverWorkspace, level: int) -> None:
    """Store the position at `level` as searched in vain, unless a line below it was cut off."""
    frame = workspace.frames[level]
    if frame[MET] & DEEP:
        return
    high = workspace.names[level, HIGH]
    if frame[MET] & CHANCE:
        workspace.head[BOUND] = 1
        high = at_ply(high, level)
    row = u64(high) & u64(len(workspace.table) - 1)
    workspace.table[row, HIGH], workspace.table[row, LOW] = high, workspace.names[level, LOW]
    workspace.table[row, BEYOND] = u64(frame[LEFT] + 1 if frame[MET] & CUT else ALL)


@rule
def deviations(number: int) -> int:
    """Return the cost of the move with this number, from 0, in the order of the heuristics."""
    cost = 0
    while number > 0:
        number >>= 1
        cost += 1
    return cost


@rule
def bring_best(actions: Array, scores: Array, first: int, count: int) -> None:
    """Move the best action from `first` on to that place; the others keep their order."""
    best = first
    for index in range(first + 1, count):
        if scores[index] > scores[best]:
            best = index
    action, highest = actions[best], scores[best]
    for index in range(best, first, -1):
        actions[index], scores[index] = actions[index - 1], scores[index - 1]
    actions[first], scores[first] = action, highest


@rule
def next_code(workspace: SolverWorkspace, level: int) -> int:
    """Return the code to try next at `level`, or -1.

    All actions come first, the best by the heuristics before the rest, then all second variants, and so on.
    """
    frame, actions = workspace.frames[level], workspace.actions[level]
    while True:
        if frame[NEXT] == frame[COUNT]:
            if frame[MORE] == 0:
                return -1
            frame[VARIANT] += 1
            frame[NEXT], frame[MORE] = 0, 0
        index = frame[NEXT]
        if frame[VARIANT] == 0:
            bring_best(actions, workspace.scores[level], index, frame[COUNT])
        frame[NEXT] += 1
        among = variants(workspace.states[level], actions[index])
        if among > frame[VARIANT] + 1:
            frame[MORE] = 1
        if among > frame[VARIANT]:
            return actions[index] + workspace.head[SIZE] * frame[VARIANT]


@rule
def enter(workspace: SolverWorkspace, level: int) -> None:
    """Enter the position at `level`: list the actions, if there is anything to find below it."""
    frame, s = workspace.frames[level], workspace.states[level]
    for column in range(FRAME):
        if column != LEFT:
            frame[column] = 0
    if game.turn_of(s) == 0:
        return
    if level == len(workspace.states) - 1:
        frame[MET] = DEEP
        return
    s.rng = u64(0)
    name_position(workspace, level)
    if not recall(workspace, level):
        frame[COUNT] = game.legal_actions(s, workspace.actions[level])
        for index in range(frame[COUNT]):
            workspace.scores[level][index] = heuristics.action_score(s, workspace.actions[level][index])


@rule
def descend(workspace: SolverWorkspace, level: int) -> bool:
    """Play the next move at `level`; say whether there was one, with enough deviations left for it."""
    frame = workspace.frames[level]
    if frame[COUNT] == 0:
        return False
    left = frame[LEFT] - deviations(frame[TAKEN])
    if left < 0:
        frame[MET] |= CUT
        return False
    code = next_code(workspace, level)
    if code < 0:
        return False
    frame[TAKEN] += 1
    frame[CODE] = code
    copy_down(workspace.states, level)
    s = workspace.states[level + 1]
    s.rng = workspace.keys[level]
    game.apply(s, code)
    if u64(s.rng) != u64(workspace.keys[level]):
        frame[MET] |= CHANCE
    workspace.frames[level + 1, LEFT] = left
    workspace.head[LEVEL], workspace.head[ENTERING] = level + 1, 1
    return True


@rule
def ascend(workspace: SolverWorkspace, level: int) -> int:
    """Leave the position at `level` without success; return the status of the search."""
    met = workspace.frames[level, MET]
    if workspace.frames[level, COUNT] > 0:
        keep(workspace, level)
    if level > 0:
        workspace.head[LEVEL] = level - 1
        workspace.frames[level - 1, MET] |= met
        return OPEN
    if not met & CUT:
        return TOO_DEEP if met & DEEP else LOST
    workspace.head[WIDTH] += 1
    workspace.head[ENTERING] = 1
    workspace.frames[0, LEFT] = workspace.head[WIDTH]
    return OPEN


@entry
def search(workspace: SolverWorkspace, until: int) -> int:
    """Search until `until` positions have been entered in total; return `OPEN`, `WON`, `LOST` or `TOO_DEEP`.

    `OPEN` means that the search hasn't ended: a call with a larger number continues from here.
    """
    head = workspace.head
    status = OPEN
    while status == OPEN:
        level = head[LEVEL]
        if head[ENTERING]:
            if head[ENTERED] >= until:
                break
            head[ENTERING] = 0
            head[ENTERED] += 1
            enter(workspace, level)
            if game.turn_of(workspace.states[level]) == 0 and game.returns(workspace.states[level], 1) > 0:
                return WON
        if not descend(workspace, level):
            status = ascend(workspace, level)
    return status


class DiscrepancySearch:
    """A limited discrepancy search from one state of a solitaire; it can be stopped and continued."""

    def __init__(
        self, game_state: GameState, seed: str, ply: int = 0, depth: int = DEPTH, table: Array | None = None
    ) -> None:
        """Make room to search `depth` plies from the state after `ply` plies of a match with this seed.

        `table` can be reused from another search of the game; it needn't be cleared.
        """
        levels, length = depth + 1, game_state.game.max_legal
        states: Any = [game_state.view()] * levels
        if COMPILED:  # zeros between the fields too, so that equal states have equal bytes
            states = np.zeros(levels, game_state.array.dtype)
            states[0] = game_state.cells[0]
        keys = [*(stream(seed, "ply", ply + level) for level in range(levels)), stream(seed, "solve", ply)]
        self.workspace = SolverWorkspace(
            states=states,
            words=states.view(np.uint64).reshape(levels, -1) if COMPILED else np.zeros((1, 1), np.uint64),
            keys=np.array(keys, np.uint64) if COMPILED else keys,
            actions=np.zeros((levels, length), np.int32)
            if COMPILED
            else [[0] * length for _ in range(levels)],
            scores=np.zeros((levels, length), np.int64),
            frames=np.zeros((levels, FRAME), np.int64),
            names=np.zeros((levels, 2), np.uint64),
            table=np.zeros((TABLE, ROW), np.uint64) if table is None else table,
            head=np.zeros(HEAD, np.int64),
        )
        self.workspace.head[ENTERING] = 1
        self.workspace.head[SIZE] = game_state.game.actions.size
        self.status = OPEN

    @property
    def positions(self) -> int:
        """How many positions have been entered so far."""
        return int(self.workspace.head[ENTERED])

    @property
    def width(self) -> int:
        """The deviations from the heuristics that lines may have in the current pass."""
        return int(self.workspace.head[WIDTH])

    def run(self, until: int) -> int:
        """Search until `until` positions have been entered in total; return the status, as `search` does."""
        if self.status == OPEN:
            self.status = int(search(self.workspace, until))
        return self.status

    def line(self) -> list[int]:
        """Return the codes of the winning moves; empty unless the status is `WON`."""
        played = int(self.workspace.head[LEVEL]) if self.status == WON else 0
        return [int(code) for code in self.workspace.frames[:played, CODE]]
