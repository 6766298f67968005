"""Computer players, which choose using only what their seat can know."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.game import ANY_OUTCOME, Game, GameState
from bartizan.engine.levels import Level
from bartizan.engine.mode import COMPILED
from bartizan.search.learned import LearnedChoice
from bartizan.search.tree import Budget, TreeSearch

PROGRAMS = ("random", "greedy")  # in the order of `bartizan.search.rollout`


def action_array(actions: Sequence[int]) -> Any:
    """Return actions as int32, in the form that this process runs the rules on; interpreted, as ints."""
    return np.array(actions, np.int32) if COMPILED else list(actions)


def skill_named(game: Game, name: str) -> str:
    """Return the skill that a player's name ends with, ``""`` if it has none."""
    parts = name.split(":")
    own = 2 if name in game.guests else 1  # a guest's name has a colon of its own
    return parts[-1] if len(parts) > own and parts[-1] in (*game.throw_skills, ANY_OUTCOME) else ""


def skill_of(game: Game, name: str) -> int:
    """Return the skill with which compiled code throws for a player; the default if its name has none."""
    named = skill_named(game, name) or (game.thrower.DEFAULT if game.throw_skills else ANY_OUTCOME)
    return 0 if named == ANY_OUTCOME else 1 + game.throw_skills.index(named)


def how_it_chooses(game: Game, known: str) -> str:
    """Say of a player that is not one of `PROGRAMS` how it chooses, as the end of a sentence."""
    level = game.player_level(known.partition(":")[0])
    return "asks a network" if level is None or level.learned else "looks ahead"


def policy_of(game: Game, name: str) -> int:
    """Return the number of a player's policy in compiled batches; raises `UnknownPlayer` for others."""
    known = game.check_player(name)
    program = known.partition(":")[0]
    if program not in PROGRAMS:
        raise UnknownPlayer(
            f"{name!r} {how_it_chooses(game, known)}, and batches are for players that do not: "
            f"{', '.join(PROGRAMS)}.  "
            f"Let it play with `bartizan ladder {game.name} --players {name},greedy`."
        )
    return PROGRAMS.index(program) + len(PROGRAMS) * skill_of(game, known)


class PlyHistory(Protocol):
    """The game so far, for players that need it; `bartizan.match.Match` is one."""

    @property
    def ply(self) -> int:
        """Return the number of decisions taken."""

    def step(self, ply: int) -> tuple[GameState, int, int]:
        """Return the position at a ply that has been played, the action taken there, and its seat."""


class Player:
    """One computer player with its own random numbers."""

    skill = 0  # with which compiled code throws for it; 0: throws always succeed
    hand: random.Random  # its random numbers for throws at the table itself

    @classmethod
    def named(cls, game: Game, name: str, seed: int) -> Player:
        """Return the player with this name; raises `UnknownPlayer`."""
        known = game.check_player(name)
        level = game.player_level(known.partition(":")[0])
        player: Player
        if known in game.guests:
            player = game.guests[known].make(seed)
        elif level is None:
            player = PolicyPlayer(game, policy_of(game, known), seed)
        else:
            player = SearchPlayer(game, level, seed, skill_of(game, known))
        player.hand = random.Random(f"hand {seed}")
        return player

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return one of the legal actions.

        Given the history of the game, a player that searches reuses its earlier search tree.
        """
        raise NotImplementedError

    def wish(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return the legal action that the player wants: for a throw, the intended result."""
        raise NotImplementedError


class PolicyPlayer(Player):
    """Plays at random or by the game's heuristics."""

    def __init__(self, game: Game, policy: int, seed: int) -> None:
        self._policy = policy
        self.skill = policy // len(PROGRAMS)
        self._dice = GameState(game, game.state())
        self._dice.rekey(seed & 0xFFFF_FFFF_FFFF_FFFF)
        self._pick: Any = game.bind("bartizan.search.rollout").pick

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return one of the legal actions."""
        return self._choose(game_state, legal, self._policy)

    def wish(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return one of the legal actions, without making its throw."""
        return self._choose(game_state, legal, self._policy % len(PROGRAMS))

    def _choose(self, game_state: GameState, legal: Sequence[int], policy: int) -> int:
        return int(self._pick(game_state.cells, self._dice.cells, action_array(legal), len(legal), policy))


class SearchPlayer(Player):
    """Plays at a level of the game's ladder: by a search, as it has learned, and sometimes at random."""

    def __init__(self, game: Game, level: Level, seed: int, skill: int = 0) -> None:
        self.level = level
        self._game = game
        self._seed = seed
        self.skill = skill
        self._dice = random.Random(seed)
        self._greedy = PolicyPlayer(game, PROGRAMS.index("greedy"), seed)
        self._thrower = PolicyPlayer(game, PROGRAMS.index("greedy") + len(PROGRAMS) * skill, seed)
        self._learned = LearnedChoice(game) if level.learned else None
        self._search: TreeSearch | None = None
        self._ply = -1  # of the last decision
        self._position = b""  # and the match that it belonged to

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return one of the legal actions; for a throw, its actual result rather than the intended one."""
        wish = self.wish(game_state, legal, history)
        return self._thrower.choose(game_state, [wish]) if self.skill else wish

    def wish(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return the action that the level prefers."""
        if len(legal) == 1:
            return legal[0]
        if self._dice.randrange(100) < self.level.random_move_percent:
            return self._dice.choice(legal)
        if self._learned is not None:
            return self._learned.choose(game_state, legal)
        if not self.level.searches:
            return self._greedy.choose(game_state, legal)
        search = self._ready(game_state, history)
        seat = int(self._game.array_rules.turn_of(game_state.cells))
        budget = Budget(self.level.iterations, self.level.milliseconds)
        return search.think(game_state, seat, legal, budget)[0].action

    def _ready(self, game_state: GameState, history: PlyHistory | None) -> TreeSearch:
        """Return the search with what it still knows about the position."""
        if self._search is None:
            self._search = TreeSearch(
                self._game, game_state.seats, self._seed, threads=self.level.threads, skill=self.skill
            )
        elif history is None or not 0 <= self._ply < history.ply:
            self._search.forget()
        else:
            self._go_on(self._search, history)
        if history is not None:
            self._ply, self._position = history.ply, game_state.to_bytes()
        return self._search

    def _go_on(self, search: TreeSearch, history: PlyHistory) -> None:
        """Follow the moves since the last decision; start a new search if the line is another."""
        for ply in range(self._ply, history.ply):
            before, action, seat = history.step(ply)
            if ply == self._ply and before.to_bytes() != self._position:
                search.forget()
                return
            search.follow(before, action, seat)


def rank(game: Game, game_state: GameState, legal: Sequence[int]) -> list[tuple[int, float]]:
    """Return the legal actions with their scores by the heuristics, the best first."""
    action_scores = game.bind("bartizan.search.rollout").action_scores
    scores = np.zeros(len(legal), np.int64)
    action_scores(game_state.cells, action_array(legal), scores)
    order = sorted(range(len(legal)), key=lambda index: (-int(scores[index]), legal[index]))
    return [(legal[index], float(scores[index])) for index in order]
