"""Compile a game's rules stage by stage, or load what this machine has compiled before."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bartizan.engine import registry
from bartizan.engine.extras import installed, wait_for
from bartizan.engine.files import alone
from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import ENVIRONMENTS, PACKAGE, cache_of, count_rules
from bartizan.search.batches import BatchRunner, Wanted
from bartizan.search.tree import Tree
from bartizan.search.workspace import tuning_of

Target = Literal["table", "search", "batches", "envs"]
Progress = Callable[[int, int], None]


def target_for(game: Game, player: str) -> Target:
    """Return the stage that a player program, or a person, needs of its game."""
    level = game.player_level(player.partition(":")[0])
    return "search" if level is not None and level.searches else "table"


def is_compiled(name: str, target: Target) -> bool:
    """Say whether this machine has compiled a stage of a game as it is now; raises `UnknownGame`."""
    return not COMPILED or _mark(registry.get(name), target).is_file()


def compile_target(name: str, target: Target, progress: Progress | None = None) -> None:
    """Compile what a stage of a game needs, or load it where that has been done; raises `UnknownGame`.

    Of several processes that want the same one compiles, and the others wait for it.
    """
    game = registry.get(name)
    if not COMPILED:
        return
    if is_compiled(name, target):
        _STEPS[target](game)
        return
    mark = _mark(game, target)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with alone(mark.parent / "lock"), _counted(progress):
        if game.throwing is not None:
            wait_for("throwing")
        _STEPS[target](game)
        _mark(game, target).touch()


def _mark(game: Game, target: Target) -> Path:
    """Return the file that says that a stage is done: by this checkout, for this processor."""
    more = (ENVIRONMENTS,) if target == "envs" else ()
    physics = "-throws" if target == "table" and _throws(game) else ""
    return cache_of(game.name, game.folder, *more) / f"{target}-{_place()}{physics}.done"


def _throws(game: Game) -> bool:
    """Say whether cards can be thrown on screen in a game."""
    return game.throwing is not None and installed("throwing")


@functools.cache
def _place() -> str:
    """Return a digest of everything that Numba's cache depends on apart from the rules' sources."""
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    told = (PACKAGE, binding.get_host_cpu_name(), features, Path(__file__).read_bytes())
    return hashlib.blake2b(repr(told).encode(), digest_size=8).hexdigest()


@contextmanager
def _counted(progress: Progress | None) -> Iterator[None]:
    """Tell how many rules the body has compiled, of those that were still to be compiled."""
    from numba.core import event

    before, _ = count_rules()

    class Counter(event.Listener):  # type: ignore[misc]
        """Hear of each rule that has been compiled."""

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            if progress is not None:
                done, read = count_rules()
                progress(done - before, read - before + 1)  # one more: a stage is done when it says so

    with event.install_listener("numba:compile", Counter()):
        yield


# --- What a stage needs: every entry called once, on a game that is thrown away ---


def _dealt(game: Game) -> tuple[GameState, Any, int]:
    """Return a new game, its legal actions in room for all, and how many they are."""
    game_state = game.blank(game.option_set(), game.min_seats, 1)
    legal = np.zeros(game.max_legal, np.int32)
    game.array_rules.setup(game_state.cells)
    return game_state, legal, int(game.array_rules.legal_actions(game_state.cells, legal))


def _table(game: Game) -> None:
    """Play, explain and advise as a table does."""
    rollout = game.bind("bartizan.search.rollout")
    game_state, legal, count = _dealt(game)
    array_rules = game.array_rules
    array_rules.why_not(game_state.cells, int(legal[0]))
    array_rules.turn_of(game_state.cells)
    array_rules.rounds(game_state.cells)
    array_rules.outcome(game_state.cells, np.zeros((game.min_seats, 3)))
    dice = game.blank(game.option_set(), game.min_seats, 2)
    rollout.action_scores(game_state.cells, legal[:count], np.zeros(count, np.int64))
    rollout.pick(game_state.cells, dice.cells, legal[:count], count, 1)
    array_rules.apply(game_state.cells, int(legal[0]))
    array_rules.resume(game_state.cells)
    array_rules.determinize(game_state.cells, 1)
    array_rules.blank(game_state.cells, 1)
    if _throws(game):
        from bartizan.throwing.ready import throw_once

        throw_once()


def _search(game: Game) -> None:
    """Look ahead, and go on from there with what was found."""
    game_state, legal, count = _dealt(game)
    actions = [int(action) for action in legal[:count]]
    seat = int(game.array_rules.turn_of(game_state.cells))
    tree = Tree(game, game_state.seats, 1, tuning_of(game))
    tree.look_at(game_state, seat)
    tree.run(1)
    statistics = zip(actions, tree.statistics(actions), strict=True)
    visited = next(action for action, (visits, _) in statistics if visits)
    tree.follow(game_state, visited, seat)


def _batches(game: Game) -> None:
    """Play one random game as a batch, and solve a game for one."""
    blank = game.blank(game.option_set(), game.min_seats, 0)
    BatchRunner(game, blank).play_deals("", range(1), 0, [0] * game.min_seats, Wanted())
    if game.max_seats == 1:
        dealt, _, _ = _dealt(game)
        solver = game.bind("bartizan.search.solver")
        solver.DiscrepancySearch(dealt, "0", depth=1, table=np.zeros((1, 3), np.uint64)).run(1)


def _envs(game: Game) -> None:
    """Deal, step and observe a batch of tables, as learners do."""
    _ = game.observer  # makes it known to what is bound
    game.bind("bartizan.envs.compiling").compile_entries(game)


_STEPS: dict[Target, Callable[[Game], None]] = {
    "table": _table,
    "search": _search,
    "batches": _batches,
    "envs": _envs,
}
