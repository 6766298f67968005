"""Players that choose for a seat; they look at nothing but what the seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bartizan.engine.errors import UnknownPlayer, nearest
from bartizan.engine.game import Game, Live
from bartizan.engine.mode import COMPILED

POLICIES = {"random": 0, "greedy": 1}  # as in `bartizan.search.rollout`


def listed(actions: Sequence[int]) -> Any:
    """Return actions in the form on which this process runs the rules; interpreted ones take plain ints."""
    return np.array(actions, np.int32) if COMPILED else list(actions)


def check_player(game: Game, name: str) -> str:
    """Return a player's name; raises `UnknownPlayer` with the nearest one."""
    wanted = name.strip().lower()
    if wanted not in game.players():
        known = game.players()
        raise UnknownPlayer(
            f"There is no player {name!r}.{nearest(wanted, known) or ' There are ' + ', '.join(known) + '.'}"
        )
    return wanted


class Player:
    """One player program with its own dice."""

    def __init__(self, game: Game, policy: int, seed: int) -> None:
        self.game = game
        self.policy = policy
        self._dice = Live(game, game.state())
        self._dice.rekey(seed & 0xFFFF_FFFF_FFFF_FFFF)
        self._pick: Any = game.bind("bartizan.search.rollout").pick

    @classmethod
    def named(cls, game: Game, name: str, seed: int) -> Player:
        """Return the player with this name; raises `UnknownPlayer`."""
        return cls(game, POLICIES[check_player(game, name)], seed)

    def choose(self, live: Live, legal: Sequence[int]) -> int:
        """Return one of the legal actions."""
        return int(self._pick(live.cells, self._dice.cells, listed(legal), len(legal), self.policy))


def rank(game: Game, live: Live, legal: Sequence[int]) -> list[tuple[int, float]]:
    """Return the legal actions, the best first, with what the game's advice gives for them."""
    preferences = game.bind("bartizan.search.rollout").preferences
    worth = np.zeros(len(legal), np.int64)
    preferences(live.cells, listed(legal), worth)
    order = sorted(range(len(legal)), key=lambda index: (-int(worth[index]), legal[index]))
    return [(legal[index], float(worth[index])) for index in order]
