"""Learn what the game's own tree search plays: expert iteration.

Anthony, Tian and Barber: "Thinking Fast and Slow with Deep Learning and Tree Search", 2017; Silver and
others: "Mastering the game of Go without human knowledge", 2017. A slow expert, the search, tries each action
some times. A fast apprentice, the network, learns which ones it tried most, and from the results of the games
what positions are worth.

Here the search isn't guided by the network. Instead the network plays greedy at half of the tables, and the
search says what it would have played in the positions that the network gets into (Ross, Gordon and Bagnell,
2011). At the other half the search plays itself, and the network draws a share of the moves.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.envs.batch import Batch
from bartizan.search.tree import Tree
from bartizan.search.workspace import rekey_dice, tuning_of
from bartizan.train.network import ActionScorer, ActionView, best, drawn, largest, log_shares, look
from bartizan.train.tables import USUAL, TrainedVariants, against_greedy_and_each_other, tables_of


@dataclass(frozen=True)
class ExpertSettings:
    """The settings of the algorithm."""

    tables: int = 64
    steps: int = 8  # at every table, between two updates
    iterations: int = 200  # of a search
    sharpness: float = 2.0  # the power of an action's visits that its share is proportional to
    own: float = 0.25  # share of moves that the network draws where the search plays itself
    kept: int = 60_000  # latest positions to learn from
    parts: int = 24  # gradient steps in an update
    batch: int = 256  # positions in each, about
    rate: float = 1e-3  # learning rate at first; it falls to zero


@dataclass(frozen=True)
class Examples:
    """Positions of one step at some tables, and what the search and the games' results say about them."""

    view: ActionView  # of tables with a choice
    shares: torch.Tensor  # (k,): how often the search tried each action
    result: NDArray[np.float32]  # (n,): of the game for the seat to move, from -1 to 1; NaN while it runs


class ExamplePlace(NamedTuple):
    """One position of a running game: where its result belongs."""

    example: Examples
    row: int
    seat: int  # from 0


class Searches:
    """Searches of many positions, in threads; the results don't depend on their number."""

    def __init__(
        self, game: Game, seats: int, seed: int, threads: int, skill: int, settings: ExpertSettings
    ) -> None:
        self._seed, self._settings = seed, settings
        self._trees = [Tree(game, seats, seed, tuning_of(game), skill) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)

    def shares(self, env: Batch, view: ActionView, number: int) -> torch.Tensor:
        """Return how much the search prefers each action of the view: shares that sum to 1 at each table.

        It knows what the seat to move can know. `number` is that of the step, for random numbers.
        """
        found = np.ones(len(view.actions), np.float32)
        chosen = np.flatnonzero(np.diff(view.offsets) > 1)

        def work(thread: int) -> None:
            for i in chosen[thread :: len(self._trees)].tolist():
                own = slice(view.offsets[i], view.offsets[i + 1])
                visits = self._visits(self._trees[thread], env, i, view.actions[own].tolist(), number)
                found[own] = visits / visits.sum() if visits.any() else 1 / len(visits)

        list(self._pool.map(work, range(len(self._trees))))
        return torch.from_numpy(found)

    def _visits(self, tree: Tree, env: Batch, i: int, legal: list[int], number: int) -> NDArray[np.float32]:
        tree.forget()
        rekey_dice(tree.workspace, stream(f"{self._seed:x}", f"expert/{number}", i))
        tree.look_at(env.game_state(i), int(env.last.to_play[i]) + 1)
        tree.run(self._settings.iterations)
        visits = np.array([visits for visits, _ in tree.statistics(legal)], np.float32)
        sharpened: NDArray[np.float32] = (visits / max(visits.max(), 1)) ** self._settings.sharpness
        return sharpened


class ExpertTrainer:
    """A network that learns from a search; `update` plays some steps and learns from them."""

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int,
        threads: int = 1,
        variants: TrainedVariants = USUAL,
        settings: ExpertSettings | None = None,
    ) -> None:
        """Deal the tables; `seed` determines the deals and every random choice."""
        self.game, self.seats, self.variants = game, seats, variants
        self.settings = settings or ExpertSettings()
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        self._groups = self._sit_down(seed)
        env = self._groups[0][0]
        self.network = ActionScorer(largest(env), env.spaces.tokens)
        self.teacher = torch.optim.Adam(self.network.parameters(), lr=self.settings.rate, eps=1e-5)
        self.pool: list[ActionScorer] = []  # past selves don't play here
        self.updates = self.decisions = 0
        self.loss = 0.0  # the last update's cross entropy
        skill = env.settings.skill_level
        self._searches = Searches(game, seats, seed, threads, skill, self.settings)
        self._steps = 0
        self._examples: list[Examples] = []
        self._open: list[list[list[ExamplePlace]]] = [[[] for _ in range(env.n)] for env, _ in self._groups]
        for env, _ in self._groups:
            env.reset()

    def _sit_down(self, seed: int) -> list[tuple[Batch, int | None]]:
        """Return tables at which the network plays, with the seat whose wins count, and the search's."""
        n, seats = self.settings.tables, self.seats
        if seats > 1:
            return against_greedy_and_each_other(self.game, n, self.variants, seats=seats, seed=seed)
        halves = (tables_of(self.game, n // 2, self.variants, seats=1, seed=seed + half) for half in (0, 1))
        return list(zip(halves, (0, None), strict=True))

    def update(self, left: float) -> tuple[int, int]:
        """Play and learn once; `left` is the share of the time that remains.

        Returns how many games the network won, and how many ended; in a game for several players, of those
        against greedy.
        """
        self.teacher.param_groups[0]["lr"] = self.settings.rate * max(left, 0.02)
        results: list[float] = []
        for number, (_, counted) in enumerate(self._groups):
            for _ in range(self.settings.steps):
                rewards, ends = self._step(number)
                if counted is not None:
                    results += rewards[ends, counted].tolist()
        self._forget()
        losses = [self._learn() for _ in range(self.settings.parts)]
        self.loss = sum(losses) / len(losses)
        self.updates += 1
        return sum(result > 0 for result in results), len(results)

    def _step(self, number: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play a step at a group's tables, and note what the search says; return the rewards and the ends."""
        env, counted = self._groups[number]
        view, seats = look(env), env.last.to_play.astype(np.int64)
        self._steps += 1
        shares = self._searches.shares(env, view, self._steps)
        with torch.no_grad():
            logs = log_shares(self.network(*view[:3])[0], view.rows, env.n)
        played = best(logs.numpy(), view)
        if counted is None:
            own = torch.rand(env.n).numpy() < self.settings.own
            played = np.where(own, drawn(logs, view).numpy(), best(shares.numpy(), view))
        self._note(number, view, shares, seats)
        step = env.step(view.actions[played].astype(np.int64))
        rewards, ends = step.reward.copy(), (step.terminated | step.truncated).copy()
        for i in np.flatnonzero(ends).tolist():
            for example, row, seat in self._open[number][i]:
                example.result[row] = rewards[i, seat]
            self._open[number][i] = []
        return rewards, step.terminated.copy()

    def _note(self, number: int, view: ActionView, shares: torch.Tensor, seats: NDArray[np.int64]) -> None:
        """Keep the positions with a choice."""
        chosen = np.diff(view.offsets) > 1
        if not chosen.any():
            return
        part = view.of(chosen)
        kept = shares[torch.from_numpy(chosen)[view.rows]]
        example = Examples(part, kept, np.full(len(part.seen), np.nan, np.float32))
        self._examples.append(example)
        for row, i in enumerate(np.flatnonzero(chosen).tolist()):
            self._open[number][i].append(ExamplePlace(example, row, int(seats[i])))
        self.decisions += len(part.seen)

    def _forget(self) -> None:
        """Drop the oldest positions."""
        sizes = np.cumsum([len(each.view.seen) for each in reversed(self._examples)])
        self._examples = self._examples[-max(1, int((sizes <= self.settings.kept).sum())) :]

    def _learn(self) -> float:
        """Take a gradient step with random positions: cross entropy of actions, squared error of values.

        Returns the cross entropy.
        """
        if not self._examples:
            return 0.0
        found: list[Examples] = []
        while sum(len(each.view.seen) for each in found) < self.settings.batch and len(found) < 64:
            found.append(self._examples[int(torch.randint(len(self._examples), ()))])
        view, shares, result = joined(found)
        scores, value = self.network(*view[:3])
        logs = log_shares(scores, view.rows, len(view.seen))
        loss = crossed = -(shares * logs).sum() / len(view.seen)
        known = ~result.isnan()
        if known.any():
            loss = crossed + 0.5 * (value[known] - result[known]).square().mean()
        self.teacher.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.teacher.step()
        return float(crossed.detach())


def joined(examples: list[Examples]) -> tuple[ActionView, torch.Tensor, torch.Tensor]:
    """Return the views of examples as one, with the search's shares of its actions and the games' results."""
    views = [each.view for each in examples]
    tables = np.cumsum([0, *(len(view.seen) for view in views)])
    counts = np.concatenate([np.diff(view.offsets) for view in views])
    view = ActionView(
        torch.cat([each.seen for each in views]),
        torch.cat([each.tokens for each in views]),
        torch.cat([each.rows + int(at) for each, at in zip(views, tables, strict=False)]),
        np.concatenate([each.actions for each in views]),
        np.concatenate([[0], np.cumsum(counts)]),
    )
    shares = torch.cat([each.shares for each in examples])
    return view, shares, torch.from_numpy(np.concatenate([each.result for each in examples]))
