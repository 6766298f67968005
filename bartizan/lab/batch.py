"""Play numbered games and measure them: those of policies in compiled batches, those of searches one by one.

Every game has a seed, from which a `Match` would deal the same cards; a record of it replays anywhere.
What a game is depends on its seed and its number among the games of one deal alone, not on threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.engine.mode import COMPILED
from bartizan.engine.rng import stream
from bartizan.match.match import Match
from bartizan.search.batch import FIXED, FOLLOW, MEMORY, PER_SEAT, PLIES, Room, Sheet
from bartizan.search.players import PROGRAMS, Player, action_array, policy_of
from bartizan.search.streams import WORDS, seed_words
from bartizan.search.workspace import integer_array

MAX_PLIES = 1_000_000  # a game of policies that is longer counts as unfinished
MAX_SEARCHED_PLIES = 20_000  # and one in which a player looks ahead


def deal_seed(seed: str, deal: int) -> str:
    """Return the seed of deal number `deal`: that of a match with the same cards."""
    return f"{stream(seed, 'deals', deal):016x}"


@dataclass(frozen=True)
class Games:
    """What some games came to, a row each (see `bartizan.search.batch.Sheet`)."""

    counts: NDArray[np.int64]
    returns: NDArray[np.float64]
    verbs: NDArray[np.int32]
    pieces: NDArray[np.uint8]

    @classmethod
    def together(cls, parts: Sequence[Games]) -> Games:
        """Return the games of several batches as one."""
        names = ("counts", "returns", "verbs", "pieces")
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


class Batch:
    """One game with its options and a player at each seat; `play` may run in many threads at once."""

    def __init__(self, game: Game, options: Mapping[str, object], players: Sequence[str]) -> None:
        """Take what has been checked; raises `UnknownOption`, `UnknownPlayer`, `BadSeats` for what has not."""
        self.game = game
        self.players = tuple(game.check_player(name) for name in players)
        self.seats = game.check_seats(len(self.players))
        self.options = dict(options)
        game.check_programs(self.options, self.seats)
        self._blank = game.blank(game.option_set.read(self.options), self.seats, 0)

    @property
    def looks_ahead(self) -> bool:
        """Whether a player searches, so that its games cannot run in compiled batches."""
        return any(name.partition(":")[0] not in PROGRAMS for name in self.players)

    @cached_property
    def _play_batch(self) -> Any:
        return self.game.bind("bartizan.search.batch").play_batch

    def play(self, seeds: Sequence[str], number: int = 0, *, verbs: bool = False, pieces: bool = False) -> Games:
        """Play a game for each seed; `number` tells apart the games of one deal, whose players differ in dice.

        `verbs` and `pieces` are counted on demand.
        """
        if not self.looks_ahead:
            return self._run(seeds, number, self._policies, verbs=verbs, pieces=pieces)[0]
        played = [self.follow(seed, self.actions(seed, number), verbs=verbs, pieces=pieces) for seed in seeds]
        return Games.together(played)

    def actions(self, seed: str, number: int = 0) -> list[int]:
        """Return the codes of the actions of one game."""
        if self.looks_ahead:
            return self._search(seed, number)
        games, _ = self._run([seed], number, self._policies)
        plies = int(games.counts[0, PLIES])
        _, actions = self._run([seed], number, self._policies, room_for=plies)
        return [int(action) for action in actions[0]]

    def follow(self, seed: str, actions: Sequence[int], *, verbs: bool = False, pieces: bool = False) -> Games:
        """Measure one game by its actions, which must be legal ones."""
        script = np.array(actions, np.int64)
        policies = np.full(self.seats, FOLLOW, np.int64)
        return self._run([seed], 0, policies, verbs=verbs, pieces=pieces, script=script)[0]

    def match(self, seed: str, actions: Sequence[int]) -> Match:
        """Return a match in which these actions have been played."""
        match = Match(self.game, self.options, self.seats, seed)
        for action in actions:
            match.play(action)
        return match

    @property
    def _policies(self) -> NDArray[np.int64]:
        return np.array([policy_of(self.game, name) for name in self.players], np.int64)

    def _search(self, seed: str, number: int) -> list[int]:
        """Play one game in which players look ahead."""
        match = Match(self.game, self.options, self.seats, seed)
        table = [
            Player.named(self.game, name, stream(seed, "players", number, seat))
            for seat, name in enumerate(self.players)
        ]
        actions: list[int] = []
        while not match.is_over and match.ply < MAX_SEARCHED_PLIES:
            player = table[match.seat_to_move - 1]
            actions.append(player.choose(match.live(), match.legal(), match))
            match.play(actions[-1])
        return actions

    def _run(
        self,
        seeds: Sequence[str],
        number: int,
        policies: NDArray[np.int64],
        *,
        verbs: bool = False,
        pieces: bool = False,
        script: NDArray[np.int64] | None = None,
        room_for: int = 0,
    ) -> tuple[Games, NDArray[np.int64]]:
        """Run a compiled batch; return the games, and their actions where there is room for some."""
        game, count, seats = self.game, len(seeds), self.seats
        blocks = len(game.actions.blocks)
        sheet = Sheet(
            counts=np.zeros((count, FIXED + PER_SEAT * seats), np.int64),
            returns=np.zeros((count, seats)),
            verbs=np.zeros((count if verbs else 0, seats, 2, blocks), np.int32),
            pieces=np.zeros((count if pieces else 0, seats, 2, len(game.playtest.PIECES)), np.uint8),
            actions=np.zeros((count if room_for else 0, max(1, room_for)), np.int64),
        )
        streams = np.array([self._streams(seed, number) for seed in seeds], np.uint64).reshape(count, 4)
        limit = MAX_PLIES if script is None else len(script)
        self._play_batch(_bytes_of(self._blank.cells), self._room(policies, script), streams, limit, sheet)
        return Games(sheet.counts, sheet.returns, sheet.verbs, sheet.pieces), sheet.actions

    @staticmethod
    def _streams(seed: str, number: int) -> tuple[int, int, int, int]:
        return (*seed_words(seed), stream(seed, "deal"), stream(seed, "dice", number))

    def _room(self, policies: NDArray[np.int64], script: NDArray[np.int64] | None) -> Room:
        game = self.game
        script = np.zeros(1, np.int64) if script is None else script
        ends = np.array([block.end for block in game.actions.blocks], np.int64)
        table, before = self._blank.stack(self._blank), self._blank.stack(self._blank)
        return Room(
            table=table,
            table_bytes=_bytes_of(table),
            dice=self._blank.stack(self._blank),
            before_bytes=_bytes_of(before) if game.chance else _bytes_of(before)[:0],
            legal=action_array([0] * game.max_legal),
            tally=integer_array(game.max_legal + 1),
            memory=integer_array(MEMORY + self.seats),
            words=integer_array(WORDS, np.uint64),
            ends=ends if COMPILED else ends.tolist(),
            script=script if COMPILED else script.tolist(),
            policies=policies if COMPILED else policies.tolist(),
        )


def _bytes_of(cells: Any) -> Any:
    """Return the bytes of a state's array; interpreted, the list of its twin itself."""
    return cells.view(np.uint8) if COMPILED else cells
