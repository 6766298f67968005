"""Compile a game's rules ahead of time and tell how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import cache_of, count_rules

Progress = Callable[[int, int], None]


def is_compiled(name: str) -> bool:
    """Say whether this machine has compiled the game as its sources are now."""
    game = registry.get(name)
    return not COMPILED or cache_of(game.name, game.folder).is_dir()


def compile_game(name: str, progress: Progress | None = None, batches: bool = False) -> None:
    """Compile everything that playing the game needs; a no-op when it lies in the cache.

    With `batches` also what plays many games at once.  Raises `UnknownGame`.
    """
    game = registry.get(name)
    if not COMPILED:
        return
    from numba.core import event

    class Counter(event.Listener):  # type: ignore[misc]
        """Count the rules that have been compiled."""

        done = 0

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            self.done += 1
            if progress is not None:
                total = max(count_rules(), 1)
                progress(min(self.done, total - 1), total)

    with event.install_listener("numba:compile", Counter()):
        _touch(game)
        if batches:
            _touch_batches(game)
    if progress is not None:
        progress(1, 1)


def _touch(game: Game) -> None:
    """Call every entry once, on a game that is thrown away."""
    live = game.blank(game.option_set(), game.min_seats, 1)
    border = game.border
    rollout = game.bind("bartizan.search.rollout")
    out = np.zeros(game.max_legal, np.int32)
    border.setup(live.cells)
    count = int(border.legal_actions(live.cells, out))
    border.why_not(live.cells, int(out[0]))
    border.turn_of(live.cells)
    border.rounds(live.cells)
    border.score(live.cells, 1)
    dice = game.blank(game.option_set(), game.min_seats, 2)
    worth = np.zeros(count, np.int64)
    rollout.preferences(live.cells, out[:count], worth)
    rollout.pick(live.cells, dice.cells, out[:count], count, 1)
    border.apply(live.cells, int(out[0]))
    border.resume(live.cells)


def _touch_batches(game: Game) -> None:
    """Play one random game as a batch, and deal what a seat cannot know anew, as searches do."""
    blank = game.blank(game.option_set(), game.min_seats, 0)
    policies = np.zeros(game.min_seats, np.int64)
    legal = np.zeros(game.max_legal, np.int32)
    results = np.zeros((1, 3 + game.min_seats))
    states = blank.stack(blank, blank)
    play_batch = game.bind("bartizan.search.rollout").play_batch
    play_batch(blank.cells, states, np.uint64(1), 0, policies, legal, 1, results)
    dealt = game.blank(game.option_set(), game.min_seats, 1)
    game.border.setup(dealt.cells)
    game.border.hide(dealt.cells, 1)
