"""Hold a state in the form that this process runs the rules on."""

from __future__ import annotations

import zlib
from typing import Any, Protocol, cast

import numpy as np

from bartizan.engine.actions import ActionSpace
from bartizan.engine.record import Array, Record

LARGE = 1_000  # bytes; larger states are compressed where many are kept


class RunsRules(Protocol):
    """What a state needs from its game."""

    @property
    def min_seats(self) -> int:
        """The fewest seats."""

    @property
    def is_compiled(self) -> bool:
        """Whether its rules are compiled, and states are arrays."""

    @property
    def state(self) -> type[Record]:
        """The record that holds a whole table."""

    @property
    def max_legal(self) -> int:
        """The length of arrays for legal actions."""

    @property
    def actions(self) -> ActionSpace:
        """The numbering of its actions."""

    @property
    def array_rules(self) -> Any:
        """The rules, called with arrays of states."""

    def bind(self, module: str) -> Any:
        """Return a generic module bound to the game."""


def packed(data: bytes) -> bytes:
    """Return a state's bytes for storage, compressed if they are many."""
    small = zlib.compress(data, 1) if len(data) > LARGE else data
    return small if len(small) < len(data) else data


class GameState:
    """A state in the form that this process runs the rules on.

    ``cells[0]`` is what rules work on: a NumPy record in an array of one, or
    the interpreted record in a list of one.
    """

    __slots__ = ("cells", "game")

    def __init__(self, game: RunsRules, record: Record) -> None:
        self.game = game
        self.cells: Any = record.to_array() if game.is_compiled else [record]

    @classmethod
    def unpacked(cls, game: RunsRules, packed: bytes) -> GameState:
        """Make a state from `pack`, or from `to_bytes`."""
        game_state = cls.__new__(cls)
        game_state.game = game
        game_state.unpack(packed)
        return game_state

    @property
    def array(self) -> Array:
        """The state as an array of one record (a copy when interpreted)."""
        return cast(Array, self.cells) if self.game.is_compiled else self.cells[0].to_array()

    def view(self) -> Any:
        """Return a record to read from; changing it doesn't change the state."""
        return self.game.state.from_array(self.array)

    def to_bytes(self) -> bytes:
        """Return the whole state as bytes, the same in both modes."""
        return self.array.tobytes()

    def load(self, data: bytes) -> None:
        """Set the state from `to_bytes`."""
        # Not through `.copy()`: NumPy copies only the fields, and the gaps between them would be random.
        array = np.frombuffer(bytearray(data), dtype=self.game.state.dtype)
        self.cells = array if self.game.is_compiled else [self.game.state.from_array(array)]

    def pack(self) -> bytes:
        """Return the whole state in few bytes, to keep one for each ply; a large state is compressed."""
        return packed(self.to_bytes())

    def unpack(self, packed: bytes) -> None:
        """Set the state from `pack`, or from `to_bytes`."""
        size = self.game.state.dtype.itemsize
        self.load(packed if len(packed) == size else zlib.decompress(packed))

    @property
    def seats(self) -> int:
        """The number of seats."""
        if "seats" not in self.game.state._specs:
            return self.game.min_seats
        return int(self.cells["seats"][0] if self.game.is_compiled else self.cells[0].seats)

    def legal(self) -> list[int]:
        """Return the ids of the legal actions, ascending."""
        out = np.zeros(self.game.max_legal, np.int32)
        count = self.game.array_rules.legal_actions(self.cells, out)
        return [int(action) for action in out[:count]]

    def rekey(self, stream: int) -> None:
        """Set the random stream (64 bits)."""
        if self.game.is_compiled:
            self.cells["rng"][0] = stream
        else:
            self.cells[0].rng = stream

    def stack(self, *others: GameState) -> Any:
        """Return the states of some tables as one array for compiled batches (copies)."""
        if self.game.is_compiled:
            return np.concatenate([other.array for other in others])
        return [other.view() for other in others]

    def copy(self) -> GameState:
        """Return an independent copy."""
        return GameState.unpacked(self.game, self.to_bytes())
