"""Learn by proximal policy optimization, masked to the legal actions, with self-play against past selves.

Schulman and others: "Proximal Policy Optimization Algorithms", 2017. Progress is rewarded at once, by a
potential: Ng, Harada and Russell: "Policy Invariance under Reward Transformations", 1999. The network plays
greedy at three quarters of the tables, from every seat. At an eighth, a past self has one seat, and at the
last eighth all seats learn.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.train.network import ActionScorer, ActionView, Decisions, decide, largest, log_shares, look
from bartizan.train.tables import USUAL, TrainedVariants, against_greedy_and_each_other, tables_of

APART = 256  # steps between the first game and the last that begins

Floats = NDArray[np.float32]
Progress = Callable[[Any], Floats]


@dataclass(frozen=True)
class PPOSettings:
    """The settings of the algorithm."""

    tables: int = 256
    steps: int = 64  # at every table, between two updates
    epochs: int = 3  # passes over the played steps in an update
    parts: int = 16  # parts of a pass
    discount: float = 0.995  # discount of a reward, per decision
    horizon: float = 0.95  # lambda of the generalized advantage estimate
    clip: float = 0.2
    entropy: float = 0.002
    rate: float = 1e-3  # learning rate at first; it falls to zero
    greedy: float = 0.75  # share of the tables against greedy
    past: int = 8  # past selves to keep
    between: int = 10  # updates between two past selves


def settings_of(game: Game, seats: int) -> tuple[PPOSettings, Progress | None]:
    """Return the settings for a game, and a measure of progress (n, seats) towards a win, if there is one.

    It is in the game's ``training`` module, with settings; or else it is the heuristics' value of the
    position.
    """
    name = f"{game.package}.training"
    if find_spec(name) is not None:
        told = import_module(name)
        return PPOSettings(**told.SETTINGS), lambda states: told.progress(states)[:, :seats]
    judging = game.bind("bartizan.envs.judging")
    if not judging.judges:
        return PPOSettings(), None

    def value(states: Any) -> Floats:
        out = np.zeros((len(states), seats), np.float32)
        judging.evaluate_all(states, out)
        return out

    return PPOSettings(), value


@dataclass
class TrainingGroup:
    """Some tables, and the decisions from which the network learns."""

    env: Batch
    learns: NDArray[np.bool_]  # (n, seats); past selves have the other seats
    counted: int | None = None  # the seat whose wins are counted
    progress: Floats | None = None  # (n, seats), of the positions now


class PlayedStep(NamedTuple):
    """The result of a step at some tables."""

    decisions: Decisions
    learns: NDArray[np.bool_]  # (tables,)
    seats: NDArray[np.int64]  # (tables,): who moved
    rewards: Floats  # (tables, seats)
    results: Floats  # (tables, seats): of the games that ended
    ends: NDArray[np.bool_]  # (tables,)


class Sample(NamedTuple):
    """Decisions, with how much better they turned out than expected, and their values."""

    decisions: Decisions
    advantage: torch.Tensor
    target: torch.Tensor


class Trainer:
    """A network that learns a game; `update` plays some steps and learns from them."""

    def __init__(
        self, game: Game, seats: int, seed: int, threads: int = 1, variants: TrainedVariants = USUAL
    ) -> None:
        """Deal the tables; `seed` determines the deals and every random choice."""
        self.game, self.seats, self.variants = game, seats, variants
        self.settings, self._progress = settings_of(game, seats)
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        self._groups = self._sit_down(seed)
        env = self._groups[0].env
        self.network = ActionScorer(largest(env), env.spaces.tokens)
        parameters, rate = self.network.parameters(), self.settings.rate
        self.teacher = torch.optim.Adam(parameters, lr=rate, eps=1e-5, fused=True)
        self.pool: list[ActionScorer] = []
        self.updates = self.decisions = 0
        for group in self._groups:
            _begin(group.env, seed)

    def _sit_down(self, seed: int) -> list[TrainingGroup]:
        """Set up the tables: against greedy from each seat, against past selves, and all seats learning."""
        n, seats = self.settings.tables, self.seats
        if seats == 1:
            env = tables_of(self.game, n, self.variants, seats=1, seed=seed)
            return [TrainingGroup(env, np.ones((n, 1), np.bool_), 0)]
        groups = []
        for env, counted in against_greedy_and_each_other(
            self.game, n, self.variants, seats=seats, seed=seed, greedy=self.settings.greedy
        ):
            learns = np.ones((env.n, seats), np.bool_)
            if counted is None:
                guests = np.arange(env.n // 2)
                learns[guests, guests % seats] = False
            groups.append(TrainingGroup(env, learns, counted))
        return groups

    def update(self, left: float) -> tuple[int, int]:
        """Play and learn once; `left` is the share of the time that remains.

        Returns how many games were won, and how many ended; in a game for several players, of those against
        greedy.
        """
        settings = self.settings
        self.teacher.param_groups[0]["lr"] = settings.rate * max(left, 0.02)
        if self.seats > 1 and self.updates % settings.between == 0:
            self.pool = [*self.pool, copy.deepcopy(self.network)][-settings.past :]
        samples: list[list[Sample]] = []
        results: list[float] = []
        for group in self._groups:
            turns = [self._turn(group) for _ in range(settings.steps)]
            samples.append(self._weigh(group, turns))
            for turn in turns if group.counted is not None else ():
                results += turn.results[turn.ends, group.counted].tolist()
        steps = [merged([each for each in step if len(each.target)]) for step in zip(*samples, strict=True)]
        self._learn(steps)
        self.updates += 1
        self.decisions += sum(len(step.target) for step in steps)
        return sum(result > 0 for result in results), len(results)

    def _turn(self, group: TrainingGroup) -> PlayedStep:
        """Play a step at some tables."""
        env, n = group.env, len(group.learns)
        view, seats = look(env), env.last.to_play.astype(np.int64)
        learns = group.learns[np.arange(n), seats]
        actions = np.zeros(n, np.int64)
        own = view.of(learns)
        decisions = decide(self.network, own)
        actions[learns] = own.actions[decisions.chosen.numpy()]
        if not learns.all():
            theirs = view.of(~learns)
            past = self.pool[int(torch.randint(len(self.pool), ()))]
            actions[~learns] = theirs.actions[decide(past, theirs).chosen.numpy()]
        if self._progress is not None and group.progress is None:
            group.progress = self._progress(env.states)
        step = env.step(actions)
        rewards, results, ends = step.reward.copy(), step.reward.copy(), step.terminated.copy()
        if self._progress is not None and group.progress is not None:
            before, group.progress = group.progress, self._progress(env.states)
            rewards[~ends] += (group.progress - before)[~ends]
            if self.seats > 1:  # so that only the result counts in the end: shaping by a potential
                rewards[ends] -= before[ends]
        return PlayedStep(decisions, learns, seats, rewards, results, ends)

    def _weigh(self, group: TrainingGroup, turns: list[PlayedStep]) -> list[Sample]:
        """Return samples with generalized advantages, for each seat over its own decisions."""
        settings, shape = self.settings, group.learns.shape
        tables = np.arange(shape[0])
        # By table and seat, of its next decision: its value, its advantage, and what is rewarded before.
        ahead, advantage, reward = (np.zeros(shape, np.float32) for _ in range(3))
        known = np.zeros(shape, np.bool_)  # whether there is a next decision, or the end, within these turns
        view, seats = look(group.env), group.env.last.to_play.astype(np.int64)
        with torch.no_grad():
            ahead[tables, seats] = self.network(*view[:3])[1].numpy()
        known[tables, seats] = True
        samples = []
        for decisions, learns, seats, rewards, _, ends in reversed(turns):
            reward += rewards
            reward[ends], ahead[ends], advantage[ends], known[ends] = rewards[ends], 0, 0, True
            at = tables[learns], seats[learns]
            value = decisions.value.numpy()
            further = np.where(known[at], settings.discount * ahead[at], value)
            surprise = reward[at] + further - value
            advantage[at] = surprise + settings.discount * settings.horizon * advantage[at]
            ahead[at], reward[at], known[at] = value, 0, True
            found = torch.from_numpy(advantage[at])
            samples.append(Sample(decisions, found, found + decisions.value))
        return samples[::-1]

    def _learn(self, steps: list[Sample]) -> None:
        """Go over the played steps a few times."""
        settings = self.settings
        spread = torch.cat([each.advantage for each in steps])
        mean, deviation = spread.mean(), spread.std() + 1e-6
        for _ in range(settings.epochs):
            for part in torch.randperm(len(steps)).split(-(-len(steps) // settings.parts)):
                (view, chosen, before, _), advantage, target = merged([steps[i] for i in part])
                scores, value = self.network(*view[:3])
                logs = log_shares(scores, view.rows, len(view.seen))
                ratio, gain = (logs[chosen] - before).exp(), (advantage - mean) / deviation
                clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                surrogate = torch.min(ratio * gain, clipped * gain).mean()
                spreading = -(logs.exp() * logs).sum() / len(view.seen)
                loss = -surrogate + 0.5 * (value - target).square().mean() - settings.entropy * spreading
                self.teacher.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
                self.teacher.step()


def _begin(env: Batch, seed: int) -> None:
    """Deal, and play at random until the tables are in different phases of their games."""
    env.reset()
    when = np.random.default_rng(seed).integers(APART, size=env.n)
    for at in range(APART):
        env.step(env.random_actions())
        env.reset(tables=when == at)


def merged(samples: list[Sample]) -> Sample:
    """Combine several samples into one, as if of that many more tables."""
    views = [each.decisions.view for each in samples]
    tables = np.cumsum([0, *(len(view.seen) for view in views)])
    actions = np.cumsum([0, *(len(view.actions) for view in views)])
    view = ActionView(
        torch.cat([each.seen for each in views]),
        torch.cat([each.tokens for each in views]),
        torch.cat([each.rows + int(at) for each, at in zip(views, tables, strict=False)]),
        np.concatenate([each.actions for each in views]),
        np.concatenate([[0], *(each.offsets[1:] + at for each, at in zip(views, actions, strict=False))]),
    )
    parts = [each.decisions for each in samples]
    decisions = Decisions(
        view,
        torch.cat([each.chosen + int(at) for each, at in zip(parts, actions, strict=False)]),
        torch.cat([each.logs for each in parts]),
        torch.cat([each.value for each in parts]),
    )
    advantage = torch.cat([each.advantage for each in samples])
    return Sample(decisions, advantage, torch.cat([each.target for each in samples]))
