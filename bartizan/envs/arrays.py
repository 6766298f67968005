"""Hold the arrays of a batch of tables: one tuple, made once and used for every step.

Records are NumPy arrays if compiled, and lists of records if interpreted. Everything else is NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import I64, U64, Array, Record, field
from bartizan.search.workspace import integer_array, record_array

# The purposes of a table's random streams.
DEAL, DICE, PICKS = 0, 1, 2
PURPOSES = 3
# Indices in `Tables.settings`.
SKILL, MAX_PLIES, MASKED = 0, 1, 2
SETTINGS = 3


class Dice(Record):
    """A random stream in addition to a table's own: for throwers, opponents, random actions."""

    # The second field is unlike any state's: Numba takes a record that begins like another for a part of it.
    rng: int = field(U64)
    draws: int = field(I64)


class Tables(NamedTuple):
    """The arrays of a batch of n tables."""

    key: Array  # (n,) uint64: the key of all random streams of a table
    number: Array  # (n,) int64: the table's number among those with its key
    settings: Array  # (SETTINGS,) int64
    blank: Array  # (k,) State: the different undealt tables
    variant: Array  # (n,) int64: which of these each table is dealt from
    states: Array  # (n,) State
    dice: Array  # (n,) Dice: for throwers and opponents
    picks: Array  # (n,) Dice: for random actions
    actions: Array  # (n,) int64: the action to play
    episode: Array  # (n,) int64: from 0
    plies: Array  # (n,) int64: in this episode, including opponents'
    legal: Array  # (n, max_legal) int32: ascending
    legal_count: Array  # (n,) int32
    mask: Array  # (n, actions) bool, or (n, 0)
    to_play: Array  # (n,) int8: from 0; -1 if the game is over
    viewer: Array  # (n,) int8: the seat, from 1, that is to move or moved last
    reward: Array  # (n, seats) float32
    terminated: Array  # (n,) bool
    truncated: Array  # (n,) bool
    over: Array  # (n,) bool: waiting for a reset


def new_tables(
    blanks: Sequence[GameState], n: int, key: int, *, skill: int, max_plies: int, mask: bool
) -> Tables:
    """Return the arrays of `n` undealt tables like the first of `blanks`, all waiting for a reset."""
    game, seats = blanks[0].game, blanks[0].seats
    settings = np.zeros(SETTINGS, np.int64)
    settings[SKILL], settings[MAX_PLIES], settings[MASKED] = skill, max_plies, mask
    return Tables(
        key=np.full(n, key, np.uint64),
        number=np.arange(n),
        settings=settings,
        blank=cells_of(blanks),
        variant=np.zeros(n, np.int64),
        states=record_array(game.state, n),
        dice=record_array(Dice, n),
        picks=record_array(Dice, n),
        actions=np.zeros(n, np.int64),
        episode=np.full(n, -1, np.int64),
        plies=np.zeros(n, np.int64),
        legal=np.zeros((n, game.max_legal), np.int32),
        legal_count=np.zeros(n, np.int32),
        mask=np.zeros((n, game.actions.size if mask else 0), np.bool_),
        to_play=np.full(n, -1, np.int8),
        viewer=np.ones(n, np.int8),
        reward=np.zeros((n, seats), np.float32),
        terminated=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        over=np.ones(n, np.bool_),
    )


def cells_of(game_states: Sequence[GameState]) -> Any:
    """Return several states one after the other, in the form that this process runs the rules on."""
    if not COMPILED:
        return [each.cells[0] for each in game_states]
    cells: Any = [each.cells for each in game_states]
    data = b"".join(each.tobytes() for each in cells)  # with the gaps between fields
    return np.frombuffer(bytearray(data), cells[0].dtype)


def room_for_legal(game: Game) -> Any:
    """Return memory for one list of legal actions, in the form that this process runs the rules on."""
    return integer_array(game.max_legal, np.int32)


def rooms_for_legal(game: Game, n: int) -> Any:
    """Return memory for n such lists."""
    rooms: Any = np.zeros((n, game.max_legal), np.int32)
    return rooms if COMPILED else rooms.tolist()


def scratch_state(game: Game) -> Any:
    """Return memory for one state, in that form."""
    return record_array(game.state, 1)


def bytes_of(tables: Tables, i: int) -> bytes:
    """Return the state of a table as bytes, the same in both modes."""
    states: Any = tables.states
    return bytes(states[i : i + 1].tobytes()) if COMPILED else bytes(states[i].to_array().tobytes())


def put_bytes(game: Game, tables: Tables, i: int, data: bytes) -> None:
    """Set the state of a table from checked bytes, including the gaps between its fields."""
    states: Any = tables.states
    if COMPILED:
        room = states[i : i + 1].view(np.uint8)
        room[:] = np.frombuffer(data, np.uint8)
    else:
        states[i] = game.state.from_array(np.frombuffer(bytearray(data), game.state.dtype))


def stream_of(dice: Any, i: int) -> int:
    """Return the state of a random stream (64 bits)."""
    return int(dice["rng"][i]) if COMPILED else int(dice[i].rng)


def set_stream(dice: Any, i: int, stream: int) -> None:
    """Set a random stream (64 bits)."""
    if COMPILED:
        dice["rng"][i] = stream
    else:
        dice[i].rng = stream
