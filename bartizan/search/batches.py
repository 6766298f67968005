"""Run compiled batches from Python: their input and output arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.defaults.rules import rounds
from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.rng import stream
from bartizan.search.batch import (
    BY_ROUNDS,
    BY_SEATS,
    FIXED,
    FOLLOW,
    HIGH,
    MEMORY,
    PER_SEAT,
    ROUNDS,
    TURNS,
    Room,
    Sheet,
)
from bartizan.search.players import action_array
from bartizan.search.streams import LONGEST, SEED_DIGITS, WORDS, seed_words
from bartizan.search.workspace import integer_array

MAX_PLIES = 1_000_000  # a longer game of policies counts as unfinished


@dataclass(frozen=True)
class Games:
    """The results of games, one row each (see `bartizan.search.batch.Sheet`)."""

    counts: NDArray[np.int64]
    returns: NDArray[np.float64]
    verbs: NDArray[np.int32]
    gains: NDArray[np.int32]
    pieces: NDArray[np.uint8]
    seeds: NDArray[np.bytes_]  # hexadecimal digits

    @classmethod
    def together(cls, parts: Sequence[Games]) -> Games:
        """Concatenate several batches of games."""
        names = ("counts", "returns", "verbs", "gains", "pieces", "seeds")
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


@dataclass(frozen=True)
class Wanted:
    """What to record about games in addition to their results."""

    lengths: bool = False  # turns, forced decisions, waits, progress, first contact
    verbs: bool = False  # kinds of action, and the points that they bring
    pieces: bool = False
    plies: int = 0  # room for this many actions


class BatchRunner:
    """A game with its options and seats, dealt and played by compiled code; safe for several threads."""

    def __init__(self, game: Game, blank: GameState) -> None:
        """Take the undealt table."""
        self._game, self._blank, self._seats = game, blank, blank.seats
        module: Any = game.bind("bartizan.search.batch")
        self._play_batch, self._write_streams = module.play_batch, module.write_streams
        # The default is a round for a decision of each seat, which is wrong if a turn has several decisions.
        self._counts_turns = game.rules.rounds is rounds and blank.seats > 1

    def play(
        self, seeds: Sequence[str], number: int, policies: Sequence[int], wanted: Wanted
    ) -> tuple[Games, NDArray[np.int64]]:
        """Play a game for each seed of 16 hex digits, and return the games with their actions.

        `number` distinguishes games with the same deal, in which players draw other random numbers.
        `policies` are those of `bartizan.search.rollout`, one for each seat.
        """
        rows = np.array([streams_of(seed, number) for seed in seeds], np.uint64).reshape(len(seeds), 4)
        return self._run(rows, np.array(policies, np.int64), None, wanted)

    def play_deals(
        self, text: str, deals: range, number: int, policies: Sequence[int], wanted: Wanted
    ) -> Games:
        """Play a game of each of some consecutive deals; their seeds are hashes of `text` and a number.

        Raises `ValueError` for a text of more than `LONGEST` bytes.
        """
        data = np.frombuffer(text.encode(), np.uint8)
        if len(data) > LONGEST:
            raise ValueError(f"{len(data)} bytes of text are more than {LONGEST}")
        rows = np.zeros((len(deals), 4), np.uint64)
        words = integer_array(WORDS, np.uint64)
        self._write_streams(data, deals.start, number, words, rows)
        return self._run(rows, np.array(policies, np.int64), None, wanted)[0]

    def follow(self, seed: str, actions: Sequence[int], wanted: Wanted) -> Games:
        """Measure the game that consists of these legal actions."""
        policies = np.full(self._seats, FOLLOW, np.int64)
        rows = np.array([streams_of(seed, 0)], np.uint64)
        return self._run(rows, policies, np.array(actions, np.int64), wanted)[0]

    def _run(
        self,
        streams: NDArray[np.uint64],
        policies: NDArray[np.int64],
        script: NDArray[np.int64] | None,
        wanted: Wanted,
    ) -> tuple[Games, NDArray[np.int64]]:
        game, count, seats = self._game, len(streams), self._seats
        pieces, blocks = len(game.playtest.PIECES), len(game.actions.blocks)
        gains = wanted.verbs and game.counts_points
        sheet = Sheet(
            counts=np.zeros((count, FIXED + PER_SEAT * seats), np.int64),
            returns=np.zeros((count, seats)),
            verbs=np.zeros((count if wanted.verbs else 0, seats, 2, blocks), np.int32),
            gains=np.zeros((count if gains else 0, seats, len(game.sources)), np.int32),
            pieces=np.zeros((count if wanted.pieces else 0, seats, 3, pieces), np.uint8),
            actions=np.zeros((count if wanted.plies else 0, max(1, wanted.plies)), np.int64),
        )
        limit = MAX_PLIES if script is None else len(script)
        self._play_batch(
            bytes_of(self._blank.cells), self._room(policies, script, wanted), streams, limit, sheet
        )
        if self._counts_turns:
            sheet.counts[:, ROUNDS] = np.maximum(1, -(-sheet.counts[:, TURNS] // seats))
        seeds = np.ascontiguousarray(streams[:, : HIGH + 1]).view(f"S{SEED_DIGITS}").ravel()
        return Games(
            sheet.counts, sheet.returns, sheet.verbs, sheet.gains, sheet.pieces, seeds
        ), sheet.actions

    def _room(self, policies: NDArray[np.int64], script: NDArray[np.int64] | None, wanted: Wanted) -> Room:
        game = self._game
        script = np.zeros(1, np.int64) if script is None else script
        ends = np.array([block.end for block in game.actions.blocks], np.int64)
        table, before = self._blank.stack(self._blank), self._blank.stack(self._blank)
        return Room(
            table=table,
            table_bytes=bytes_of(table),
            dice=self._blank.stack(self._blank),
            before_bytes=bytes_of(before) if game.chance else bytes_of(before)[:0],
            legal=action_array([0] * game.max_legal),
            tally=integer_array(game.max_legal + 1),
            memory=integer_array(MEMORY + self._seats),
            words=integer_array(WORDS, np.uint64),
            ends=ends if COMPILED else ends.tolist(),
            script=script if COMPILED else script.tolist(),
            lengths=BY_SEATS if self._counts_turns else BY_ROUNDS if wanted.lengths else 0,
            policies=policies if COMPILED else policies.tolist(),
        )


def streams_of(seed: str, number: int) -> tuple[int, int, int, int]:
    """Return a game's streams from its seed of 16 hex digits, in the order of `bartizan.search.batch`."""
    return (*seed_words(seed), stream(seed, "deal"), stream(seed, "dice", number))


def bytes_of(cells: Any) -> Any:
    """Return the bytes of a state's array; interpreted, the list of its record itself."""
    return cells.view(np.uint8) if COMPILED else cells
