"""Play numbered games and measure them: those of policies in compiled batches, those of searches one by one.

Every game has a seed, from which a `Match` would deal the same cards; a record of it replays anywhere.
What a game is depends on its seed and its number among the games of one deal alone, not on threads.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.game import Game
from bartizan.engine.levels import Level
from bartizan.engine.rng import stream
from bartizan.match.match import Match
from bartizan.search.batch import PLIES
from bartizan.search.batches import BatchRunner, Games, Wanted
from bartizan.search.players import PROGRAMS, Player, SearchPlayer, policy_of, skill_of
from bartizan.search.streams import LONGEST

RECENT = 64  # games of players that look ahead whose actions are remembered: several measures ask for them
MAX_SEARCHED_PLIES = 20_000  # a game in which a player looks ahead counts as unfinished if it is longer
STRONG = 25  # iterations of a level; with fewer, a search may be no stronger than the heuristics
MOST_ITERATIONS = 1_000_000  # of a decision
SEARCHER = re.compile(r"search@(\d{1,9})", re.ASCII)
NOTHING_MORE = Wanted()


def deal_seed(seed: str, deal: int) -> str:
    """Return the seed of deal number `deal`: that of a match with the same cards."""
    return f"{stream(seed, 'deals', deal):016x}"


def name_of_searcher(iterations: int) -> str:
    """Return what a player is called that thinks so many iterations a decision."""
    return f"search@{iterations}"


def check_player(game: Game, name: str) -> str:
    """Return the name of a player of games for statistics: a program of the game's, or ``search@ITERATIONS``.

    The latter looks ahead so far at every decision, however long that takes, so that its games are the same
    on every machine.  Raises `UnknownPlayer` with the nearest name.
    """
    match = SEARCHER.fullmatch(name.strip())
    if match is None:
        return game.check_player(name)
    if not 1 <= int(match[1]) <= MOST_ITERATIONS:
        raise UnknownPlayer(f"{name}: a search has 1 to {MOST_ITERATIONS:,} iterations.")
    return name_of_searcher(int(match[1]))


def player_named(game: Game, name: str, seed: int) -> Player:
    """Return the player of a name that `check_player` has passed; a searcher throws like greedy."""
    match = SEARCHER.fullmatch(name)
    if match is None:
        return Player.named(game, name, seed)
    return SearchPlayer(game, Level(name, iterations=int(match[1])), seed, skill_of(game, "greedy"))


def strength_of(game: Game, name: str) -> float:
    """Return a number that is larger for players who look further ahead, and below 0 for those that slip.

    It is the number of iterations; who has a time limit alone, or has learned, counts as the strongest.
    """
    program = name.partition(":")[0]
    match = SEARCHER.fullmatch(program)
    if match is not None:
        return float(match[1])
    level = game.player_level(program)
    if level is None:
        return -100.0 if program == "random" else 0.0
    looks = level.searches or level.learned
    return float((level.iterations or math.inf) if looks else -level.random_move_percent)


def confirming_level(game: Game) -> str:
    """Return the weakest level that is stronger than the heuristics, ``""`` if none is known to be.

    It has learned, or looks ahead for long enough.
    """
    fits = (level.name for level in game.player_levels if level.learned or level.iterations >= STRONG)
    return next(fits, "")


class GameBatch:
    """One game with its options and a player at each seat; `play` may run in many threads at once."""

    def __init__(self, game: Game, options: Mapping[str, object], players: Sequence[str]) -> None:
        """Take what has been checked; raises `UnknownOption`, `UnknownPlayer`, `BadSeats` otherwise."""
        self.game = game
        self.players = tuple(check_player(game, name) for name in players)
        self.seats = game.check_seats(len(self.players))
        self.options = dict(options)
        game.check_programs(self.options, self.seats)
        self._searched = lru_cache(RECENT)(self._search)
        self._blank = game.blank(game.option_set.read(self.options), self.seats, 0)

    @property
    def looks_ahead(self) -> bool:
        """Whether a player searches, so that its games cannot run in compiled batches."""
        return any(name.partition(":")[0] not in PROGRAMS for name in self.players)

    @cached_property
    def _runner(self) -> BatchRunner:
        return BatchRunner(self.game, self._blank)

    @cached_property
    def _policies(self) -> tuple[int, ...]:
        return tuple(policy_of(self.game, name) for name in self.players)

    def play(self, seeds: Sequence[str], number: int = 0, wanted: Wanted = NOTHING_MORE) -> Games:
        """Play a game for each seed; `number` tells games of one deal apart: their players' dice differ."""
        if not self.looks_ahead:
            return self._runner.play(seeds, number, self._policies, wanted)[0]
        return Games.together([self.follow(seed, self.actions(seed, number), wanted) for seed in seeds])

    def play_deals(self, seed: str, deals: range, number: int = 0, wanted: Wanted = NOTHING_MORE) -> Games:
        """Play a game of each of some consecutive deals: those of `deal_seed`."""
        text = f"{seed}/deals/"
        if self.looks_ahead or len(text.encode()) > LONGEST:
            return self.play([deal_seed(seed, deal) for deal in deals], number, wanted)
        return self._runner.play_deals(text, deals, number, self._policies, wanted)

    def actions(self, seed: str, number: int = 0) -> list[int]:
        """Return the codes of the actions of one game."""
        if self.looks_ahead:
            return self._searched(seed, number)
        games, _ = self._runner.play([seed], number, self._policies, NOTHING_MORE)
        wanted = Wanted(plies=int(games.counts[0, PLIES]))
        _, actions = self._runner.play([seed], number, self._policies, wanted)
        return [int(action) for action in actions[0]]

    def scripts(self, seeds: Sequence[str], number: int, plies: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the codes of the actions of some games (games, plies), which have so many each."""
        choices = np.zeros((len(seeds), max(1, int(plies.max(initial=0)))), np.int64)
        if not self.looks_ahead:
            _, actions = self._runner.play(seeds, number, self._policies, Wanted(plies=choices.shape[1]))
            return actions
        for row, seed in zip(choices, seeds, strict=True):
            played = self.actions(seed, number)
            row[: len(played)] = played
        return choices

    def follow(self, seed: str, actions: Sequence[int], wanted: Wanted = NOTHING_MORE) -> Games:
        """Measure one game by its actions, which must be legal ones."""
        return self._runner.follow(seed, actions, wanted)

    def match(self, seed: str, actions: Sequence[int]) -> Match:
        """Return a match in which these actions have been played."""
        match = Match(self.game, self.options, self.seats, seed)
        for action in actions:
            match.play(action)
        return match

    def _search(self, seed: str, number: int) -> list[int]:
        """Play one game in which players look ahead."""
        match = Match(self.game, self.options, self.seats, seed)
        table = [
            player_named(self.game, name, stream(seed, "players", number, seat))
            for seat, name in enumerate(self.players)
        ]
        actions: list[int] = []
        while not match.is_over and match.ply < MAX_SEARCHED_PLIES:
            player = table[match.seat_to_move - 1]
            actions.append(player.choose(match.game_state(), match.legal(), match))
            match.play(actions[-1])
        return actions
