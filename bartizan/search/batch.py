"""Play whole games in compiled code and measure them: a generic module, bound to each game.

Every game has its own seed and draws from it as `bartizan.match.Match` does: each ply has a stream derived
from the seed and the ply. So each game's record can be replayed, and games that were played elsewhere can be
measured by following their actions here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bartizan.engine.bind import bound_module, bound_playtest, bound_rules
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import u64
from bartizan.engine.rule import entry, rule
from bartizan.search.streams import ply_stream, write_deal

game: Any = bound_rules(__name__)
playtest: Any = bound_playtest(__name__)
rollout: Any = bound_module(__name__, "bartizan.search.rollout")
array_rules: Any = bound_module(__name__, "bartizan.engine.array_rules")
choose: Any = getattr(rollout, "choose", None)
points: Any = getattr(array_rules, "points", None)

FOLLOW = -1  # the policy of a seat whose actions are given

# Columns of a game's counts; those of each seat follow.
PLIES, ROUNDS, FINISHED, CLAUSE, TURNS, DEAD_TURNS, FORCED, STALL, CONTACT, MEDIAN, NINETIETH = range(11)
FIXED = 11
WON, POINTS, DECISIONS, WAIT = range(4)
PER_SEAT = 4

# Columns of a game's streams: its seed as two words of text, the deal's stream, the players'.
LOW, HIGH, DEAL, DICE = range(4)
# What is remembered while a game runs, and behind it the ply of each seat's last decision.
# What is wanted is kept there, too: a condition that LLVM knows to stay the same would make it write the
# whole game once for each answer.
LAST_SEAT, LAST_ROUND, CHOICES, PROGRESS, SINCE, WANTS_VERBS, WANTS_PIECES, WANTS_ACTIONS = range(8)
DRAWS, ATTEMPT, PLY, ACTION, WANTS_LENGTHS, WANTS_GAINS, POINTS_BEFORE, SOURCE = range(8, 16)
MEMORY = 16

BY_ROUNDS, BY_SEATS = 1, 2  # where a turn ends: also with its round, or only where another seat decides
OFFERED, CHOSEN = 0, 1
HELD, PLAYED, OPENED = 0, 1, 2
UNDRAWN = 0x0123456789ABCDEF  # a stream that nothing has been drawn from


class Room(NamedTuple):
    """The memory and the input of a batch; not for several threads at once."""

    table: Array  # (1,) the game's State
    table_bytes: Array  # the same memory as bytes (uint8); interpreted, the same list
    dice: Array  # (1,) the game's State, of which only the random stream is used: the players'
    before_bytes: Array  # the table a ply ago, as bytes; empty if actions never draw
    legal: Array  # (max_legal,) int32
    tally: Array  # (max_legal + 1,) int64 of zeros: decisions by their number of legal actions
    memory: Array  # (MEMORY + seats,) int64
    words: Array  # (WORDS,) uint64: see `bartizan.search.streams`
    ends: Array  # (verbs,) int64: one more than the last id of each verb
    script: Array  # (plies,) int64: the actions of a game to follow
    lengths: int  # BY_ROUNDS or BY_SEATS to count more about a game's length than its plies and rounds
    policies: Array  # (seats,) int64: how each seat plays, as in `bartizan.search.rollout`, or FOLLOW


class Sheet(NamedTuple):
    """What is recorded of each game; an array without rows is skipped."""

    counts: Array  # (games, FIXED + PER_SEAT * seats) int64
    returns: Array  # (games, seats) float64
    verbs: Array  # (games, seats, 2, verbs) int32: decisions at which a verb was legal, and was chosen
    gains: Array  # (games, seats, sources) int32: points that a seat gained by its own actions
    pieces: Array  # (games, seats, 3, pieces) uint8: 1 if a seat held it at a decision, played it, began so
    actions: Array  # (games, plies) int64: the codes of the actions


if COMPILED:

    @rule
    def copy_table(target: Array, source: Array) -> None:
        """Copy a state's bytes; copying field by field takes a thousand instructions, and LLVM minutes."""
        for place in range(len(source)):
            target[place] = source[place]

else:

    def copy_table(target: Any, source: Any) -> None:
        """Copy a state."""
        target[0] = source[0].copy()


@rule
def quantile_of(tally: Array, most: int, share: int, total: int) -> int:
    """Return the smallest number, at most `most`, that `share` per cent of `total` numbers don't exceed."""
    seen, number = tally[0], 0
    while number < most and seen * 100 < share * total:
        number += 1
        seen += tally[number]
    return number


@rule
def note_decision(row: Array, memory: Array, seat: int, now: int, count: int) -> None:
    """Count what a seat's decision in round `now`, with `count` legal actions, adds to the lengths.

    `row` is the game's row of the counts.
    """
    ply = row[PLIES]
    is_new_round = now != memory[LAST_ROUND] and memory[WANTS_LENGTHS] == BY_ROUNDS
    if seat != memory[LAST_SEAT] or is_new_round:
        end_turn(row, memory)
        memory[LAST_SEAT], memory[LAST_ROUND] = seat, now
        row[TURNS] += 1
    if count == 1:
        row[FORCED] += 1
    else:
        memory[CHOICES] += 1
    own = FIXED + PER_SEAT * (seat - 1)
    last = memory[MEMORY + seat - 1]
    if last >= 0 and ply - last - 1 > row[own + WAIT]:
        row[own + WAIT] = ply - last - 1
    memory[MEMORY + seat - 1] = ply
    row[own + DECISIONS] += 1


@rule
def end_turn(row: Array, memory: Array) -> None:
    """Count the turn that has ended as dead if it left no choice."""
    if row[TURNS] > 0 and memory[CHOICES] == 0:
        row[DEAD_TURNS] += 1
    memory[CHOICES] = 0


@rule
def verb_of(ends: Array, action: int) -> int:
    """Return the number of an action's verb, ignoring its variant."""
    identity, verb = action % ends[len(ends) - 1], 0
    while identity >= ends[verb]:
        verb += 1
    return verb


@rule
def note_choice(own: Array, ends: Array, legal: Array, count: int, action: int) -> None:
    """Count what a seat was offered and what it chose in its verbs `own` (2, verbs)."""
    verb = -1
    for place in range(count):
        if verb < 0 or legal[place] >= ends[verb]:  # ids ascend, and so do verbs
            verb = verb_of(ends, legal[place])
            own[OFFERED, verb] += 1
    own[CHOSEN, verb_of(ends, action)] += 1


@rule
def note_pieces(packed: int, marks: Array) -> None:
    """Mark the pieces that are packed into a number, one byte each."""
    while packed > 0:
        piece = packed % 256 - 1
        if 0 <= piece < len(marks):
            marks[piece] = 1
        packed //= 256


@rule
def note_gain(own: Array, source: int, gain: int) -> None:
    """Add the points that an action of a seat brought it to its sources `own`; lost points count nowhere."""
    if gain > 0 and 0 <= source < len(own):
        own[source] += gain


@rule
def source_of(s: Any, ends: Array, action: int) -> int:
    """Return what points that an action brings come from: as the game says, or else the action's verb."""
    source = playtest.source_of(s, action)
    return verb_of(ends, action) if source < 0 else source


@rule
def note_progress(row: Array, memory: Array, progress: int) -> None:
    """Count plies without progress."""
    if progress != memory[PROGRESS]:
        memory[PROGRESS], memory[SINCE] = progress, row[PLIES]
    elif row[PLIES] - memory[SINCE] > row[STALL]:
        row[STALL] = row[PLIES] - memory[SINCE]


@rule
def prepare(table: Array, now: Array, before: Array, streams: Array, words: Array, memory: Array) -> None:
    """Set the table's stream for the ply that is being played: at first without a key, then as tables do.

    Deriving a stream costs more than most plies, and few plies draw. `now` and `before` are the table as
    bytes.
    """
    if memory[ATTEMPT] == 0:
        copy_table(before, now)
        table[0].rng = u64(UNDRAWN)
    else:
        copy_table(now, before)
        table[0].rng = ply_stream(u64(streams[LOW]), u64(streams[HIGH]), memory[PLY], words)


@rule
def has_drawn(s: Any, memory: Array) -> bool:
    """Say whether an action has drawn from a stream without a key, so that it must be played again."""
    again = memory[DRAWS] > 0 and memory[ATTEMPT] == 0 and u64(s.rng) != u64(UNDRAWN)
    memory[ATTEMPT] = 1 if again else 0
    return again


@rule
def forget(row: Array, memory: Array) -> None:
    """Reset a game's counts and memory."""
    for place in range(len(memory)):
        memory[place] = -1
    memory[CHOICES], memory[SINCE] = 0, 0
    for column in range(len(row)):
        row[column] = 0
    row[CONTACT] = -1


@rule
def conclude(s: Any, row: Array, returns: Array) -> None:
    """Write the result of a game."""
    row[ROUNDS] = game.rounds(s)
    over = game.turn_of(s) == 0
    row[FINISHED] = 1 if over else 0
    row[CLAUSE] = game.ended_by(s)
    for seat in range(len(returns)):
        own = FIXED + PER_SEAT * seat
        returns[seat] = game.returns(s, seat + 1) if over else 0.0
        row[own + WON] = 1 if over and game.has_won(s, seat + 1) else 0
        row[own + POINTS] = points(s, seat + 1)


@rule
def write_quantiles(row: Array, tally: Array) -> None:
    """Write the quantiles of a game's tally, and reset the tally."""
    plies, most = row[PLIES], len(tally) - 1
    row[MEDIAN] = quantile_of(tally, most, 50, plies)
    row[NINETIETH] = quantile_of(tally, most, 90, plies)
    left, number = plies, 0
    while left > 0:
        left -= tally[number]
        tally[number] = 0
        number += 1


@entry
def write_streams(text: Array, first: int, number: int, words: Array, out: Array) -> None:
    """Write the streams of the games of deals from `first` to `out` (games, 4) uint64; see `write_deal`."""
    for index in range(len(out)):
        write_deal(text, first + index, number, words, out[index])


@entry
def play_batch(blank: Array, room: Room, streams: Array, max_plies: int, sheet: Sheet) -> None:
    """Play a game for each row of `streams` (games, 4) uint64, from the bytes of the undealt State `blank`.

    A game ends unfinished after `max_plies`. (This is one long function because inlining a part of it would
    also inline the rules of the whole game.)
    """
    for index in range(len(streams)):
        row, memory, legal = sheet.counts[index], room.memory, room.legal
        forget(row, memory)
        copy_table(room.table_bytes, blank)
        room.table[0].rng = u64(streams[index, DEAL])
        room.dice[0].rng = u64(streams[index, DICE])
        game.setup(room.table[0])
        memory[PROGRESS] = playtest.progress(room.table[0])
        memory[WANTS_VERBS], memory[WANTS_PIECES] = len(sheet.verbs), len(sheet.pieces)
        memory[WANTS_LENGTHS], memory[WANTS_GAINS] = room.lengths, len(sheet.gains)
        memory[WANTS_ACTIONS], memory[DRAWS] = len(sheet.actions), len(room.before_bytes)
        memory[ATTEMPT], memory[PLY] = 0, 0
        if memory[WANTS_PIECES] > 0:
            for each in range(len(sheet.pieces[index])):
                playtest.mark_held(room.table[0], each + 1, sheet.pieces[index, each, OPENED])
        seat = game.turn_of(room.table[0])
        while seat > 0 and memory[PLY] < max_plies:
            if memory[ATTEMPT] == 0:
                count = game.legal_actions(room.table[0], legal)
                if memory[WANTS_LENGTHS] > 0:
                    note_decision(row, memory, seat, game.rounds(room.table[0]), count)
                policy = room.policies[seat - 1]
                if policy == FOLLOW:
                    action = room.script[memory[PLY]]
                else:
                    action = choose(room.table[0], legal, count, policy, room.dice[0])
                memory[ACTION] = action
                if memory[WANTS_VERBS] > 0:
                    room.tally[count] += 1
                    note_choice(sheet.verbs[index, seat - 1], room.ends, legal, count, action)
                if memory[WANTS_PIECES] > 0:
                    held, played = sheet.pieces[index, seat - 1, HELD], sheet.pieces[index, seat - 1, PLAYED]
                    playtest.mark_held(room.table[0], seat, held)
                    note_pieces(playtest.pieces_played(room.table[0], action), played)
                if memory[WANTS_GAINS] > 0:
                    memory[POINTS_BEFORE] = points(room.table[0], seat)
                    memory[SOURCE] = source_of(room.table[0], room.ends, action)
                if memory[WANTS_ACTIONS] > 0:
                    sheet.actions[index, memory[PLY]] = action
            if memory[DRAWS] > 0:
                now, before = room.table_bytes, room.before_bytes
                prepare(room.table, now, before, streams[index], room.words, memory)
            game.apply(room.table[0], memory[ACTION])
            if has_drawn(room.table[0], memory):
                continue
            if memory[WANTS_GAINS] > 0:
                gain = points(room.table[0], seat) - memory[POINTS_BEFORE]
                note_gain(sheet.gains[index, seat - 1], memory[SOURCE], gain)
            memory[PLY] += 1
            row[PLIES] = memory[PLY]
            if memory[WANTS_LENGTHS] > 0:
                note_progress(row, memory, playtest.progress(room.table[0]))
                if row[CONTACT] < 0 and playtest.contact(room.table[0]) == 1:
                    row[CONTACT] = memory[PLY]
            seat = game.turn_of(room.table[0])
        end_turn(row, memory)
        conclude(room.table[0], row, sheet.returns[index])
        if len(sheet.verbs) > 0:
            write_quantiles(row, room.tally)
