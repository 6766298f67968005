"""Choose actions by a network that has learned which ones to choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BadData
from bartizan.engine.game import Game, GameState
from bartizan.engine.policy_network import PolicyNetwork
from bartizan.engine.rule import interpreted


class Sight:
    """What a policy is shown of positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._observer: Any = interpreted(game.observer)  # type: ignore[arg-type]
        self._thrower: Any = interpreted(game.thrower) if game.throws else None

    def of(
        self, game_state: GameState, actions: Sequence[int], size: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Return what the seat to move observes (size,), and what each action is about (k, width).

        The observation may be longer than the game's own; the rest is 0.
        """
        game = self._game
        seat = int(game.array_rules.turn_of(game_state.cells))
        view = game.observe(game_state.view(), seat)
        observation = np.zeros(size, np.int8)
        self._observer.observe(view, seat, observation[: game.observer.OBSERVATION.size])
        tokens = np.zeros((len(actions), game.observer.TOKENS.width), np.int16)
        for row, action in zip(tokens, actions, strict=True):
            self._observer.tokens(view, action, row)
        return observation, tokens

    def offered(self, game_state: GameState, legal: Sequence[int]) -> Sequence[int]:
        """Keep one report of a throw for each thing to aim at, as a batch offers them to learners."""
        if self._thrower is None:
            return legal
        left = list(legal)
        return left[: int(self._thrower.aims(game_state.view(), left, len(left)))]


class LearnedChoice:
    """Chooses the action that a game's own network scores highest."""

    def __init__(self, game: Game) -> None:
        """Take a game with a level that has learned; raises `BadData` without a `POLICY` that fits."""
        policy: PolicyNetwork | None = getattr(game.heuristics, "POLICY", None)
        if policy is None:
            raise BadData(f"{game.title} has a level with `learned=True`, but no POLICY to play by.")
        self._network = policy
        self._sight = Sight(game)
        self._size = game.observer.OBSERVATION.size
        if (len(self._network.most), len(self._network.tokens)) != (self._size, game.observer.TOKENS.size):
            raise BadData(
                f"The policy of {game.title} was trained on other observations. "
                "Train a new one with `bartizan train`."
            )

    def choose(self, game_state: GameState, legal: Sequence[int]) -> int:
        """Return the highest-scored of some legal actions, ascending; of equals the first."""
        offered = self._sight.offered(game_state, legal)
        if len(offered) == 1:
            return offered[0]
        scores = self._network.scores(*self._sight.of(game_state, offered, self._size))
        return offered[int(scores.argmax())]
