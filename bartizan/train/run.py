"""Train in a folder, from which an interrupted run continues.

checkpoint.pt    network, optimizer and past selves, every half minute, at the end and after Ctrl-C
log/             the course of training, for TensorBoard
policy.onnx      the trained policy (see `bartizan.envs.policy`)
policy.npz       the same in whole numbers, for a level of the game's; none if it observes options
"""

from __future__ import annotations

import copy
import io
import json
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import Unwritable, alone, reason, replacing
from bartizan.engine.game import Game
from bartizan.engine.policy_network import save_policy
from bartizan.envs.policy import from_torch, save
from bartizan.train.expert import ExpertTrainer
from bartizan.train.imitation import Imitation
from bartizan.train.network import ActionScores
from bartizan.train.ppo import Trainer
from bartizan.train.tables import SKILL, USUAL, TrainedVariants, tables_of

CHECKPOINT = "checkpoint.pt"
POLICY = "policy.onnx"
LOG = "log"
EVERY = 30.0  # seconds between two checkpoints
IMITATION = 0.1  # of the time, in games for several players
UNREADABLE = (OSError, RuntimeError, ValueError, KeyError, TypeError, EOFError)  # the errors of damaged files
TABLES = 256  # the time share in which greedy is imitated
TRAINERS: dict[str, type[Trainer] | type[ExpertTrainer]] = {"ppo": Trainer, "expert": ExpertTrainer}
USUALLY = {"options": "", "algorithm": "ppo", "skill": SKILL}  # what checkpoints of older versions don't say
Progress = Callable[[int, int], None]


class BadTraining(BartizanError):
    """A folder that holds another training, or one that can't be read."""

    code = "bad_training"


class PolicyTraining:
    """One training in its folder."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        *,
        seats: int,
        seed: int = 0,
        threads: int = 1,
        variants: TrainedVariants = USUAL,
        algorithm: str = "ppo",
    ) -> None:
        """Begin a training or open the existing one; `algorithm` is one of `TRAINERS`.

        Raises `BadTraining` if the folder holds another training, a damaged one or a policy from elsewhere,
        `InUse` later if another process runs it, and `BadSeats`.
        """
        self.game, self.folder = game, folder
        self.about: dict[str, str | int] = {
            "game": game.name,
            "rules": game.rules_version,
            "seats": seats,
            "seed": seed,
            "options": ""
            if variants.options == USUAL.options
            else json.dumps(list(variants.options), sort_keys=True),
            "algorithm": algorithm,
            **({"skill": variants.skill} if game.throw_skills else {}),
        }
        self.trainer = TRAINERS[algorithm](game, seats, seed, threads, variants)
        self.spent = 0.0  # seconds of CPU time
        self.course: list[tuple[float, int, int]] = []  # by update: seconds spent, games won, games ended
        self._imitation: Imitation | None = None
        if (folder / CHECKPOINT).exists():
            self._load()
        elif there := [path for path in (self.policy, self.policy.with_suffix(".npz")) if path.exists()]:
            raise BadTraining(
                f"{there[0]} is there already, and {CHECKPOINT} isn't. Move it away, or take another folder."
            )

    @property
    def policy(self) -> Path:
        """The file that `finish` writes."""
        return self.folder / POLICY

    def run(self, seconds: float, progress: Progress | None = None) -> None:
        """Train until this much CPU time is used in total; `progress` gets the seconds used and the total.

        However it ends, the last checkpoint is kept; Ctrl-C writes one first.
        Raises `InUse`, `Unwritable`, `KeyboardInterrupt`.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unwritable(f"{self.folder} cannot be made a folder: {reason(error)}.") from error
        with alone(self.folder / "lock", wait=False), self._log() as log:
            kept = began = time.process_time() - self.spent
            try:
                while self.spent < seconds:
                    played = self._update(seconds, log)
                    now = time.process_time()
                    self.spent = now - began
                    if played is not None:
                        self.course.append((self.spent, *played))
                    if progress is not None:
                        progress(int(self.spent), int(seconds))
                    if now - kept > EVERY:
                        self._keep()
                        kept = now
            except KeyboardInterrupt:
                self.spent = time.process_time() - began
                self._keep()
                raise
            self._keep()

    def finish(self) -> Path:
        """Write the policy as ONNX; return its path."""
        observed = self.trainer.variants.differ
        network = ActionScores(copy.deepcopy(self.trainer.network))
        made = from_torch(network, self.game, tokens=True, observe_options=observed)
        save(made, self.game, self.policy, observe_options=observed)
        if not observed:
            with replacing(self.policy.with_suffix(".npz")) as path:
                save_policy(network.whole(), path)
        return self.policy

    def _log(self) -> SummaryWriter:
        """Open the log; what an interrupted run wrote to it after the checkpoint is no longer shown."""
        passed = self.trainer.decisions or int(self.spent)  # at first, points are at seconds of imitation
        return SummaryWriter(str(self.folder / LOG), purge_step=passed + 1 if self.spent else None)

    def _update(self, seconds: float, log: SummaryWriter) -> tuple[int, int] | None:
        """Imitate greedy at first, if there is an opponent; then play and learn.

        Returns how many games were won and ended; None for an imitation.
        """
        trainer = self.trainer
        if trainer.seats > 1 and self.spent < IMITATION * seconds and trainer.updates == 0:
            if self._imitation is None:
                seed = int(self.about["seed"])
                env = tables_of(self.game, TABLES, trainer.variants, seats=trainer.seats, seed=seed + 1)
                self._imitation = Imitation(env, seed)
            agreed = self._imitation.update(trainer.network, trainer.teacher)
            log.add_scalar("imitation/agreement", agreed, int(self.spent))
            return None
        self._imitation = None
        won, games = trainer.update(1 - self.spent / seconds)
        if games:
            log.add_scalar("games/won", won / games, trainer.decisions)
        log.add_scalar("time/decisions_per_second", trainer.decisions / max(self.spent, 1), trainer.decisions)
        return won, games

    # --- Checkpoints

    def _keep(self) -> None:
        """Write the checkpoint atomically."""
        trainer = self.trainer
        held = {
            "about": self.about,
            "spent": self.spent,
            "updates": trainer.updates,
            "decisions": trainer.decisions,
            "course": self.course,
            "network": trainer.network.state_dict(),
            "teacher": trainer.teacher.state_dict(),
            "pool": [each.state_dict() for each in trainer.pool],
            "lots": torch.get_rng_state(),
        }
        written = io.BytesIO()
        torch.save(held, written)
        with replacing(self.folder / CHECKPOINT) as path:
            path.write_bytes(written.getvalue())

    def _load(self) -> None:
        """Continue from the checkpoint: nothing in it is executed, and its games start over."""
        path = self.folder / CHECKPOINT
        try:
            held = torch.load(path, weights_only=True)
            self._check(dict(held["about"]))
            self._take_over(held)
        except (*UNREADABLE, pickle.UnpicklingError) as error:
            raise BadTraining(
                f"{path} is damaged. Delete it to start again, or take another folder."
            ) from error

    def _check(self, about: dict[str, Any]) -> None:
        """Raise `BadTraining` if a checkpoint belongs to another training."""
        for key, value in self.about.items():
            held = about.get(key, USUALLY.get(key, ""))
            if held != value:
                said = [each if each != "" else "the usual ones" for each in (held, value)]
                raise BadTraining(
                    f"{self.folder} holds another training: its {key} {'are' if key.endswith('s') else 'is'} "
                    f"{said[0]}, not {said[1]}. Choose another folder."
                )

    def _take_over(self, held: dict[str, Any]) -> None:
        trainer = self.trainer
        try:
            trainer.network.load_state_dict(held["network"])
        except RuntimeError as error:  # other names or shapes
            raise BadTraining(
                f"{self.folder / CHECKPOINT} is of another version, whose network is different. "
                "Delete it to start again, or take another folder."
            ) from error
        trainer.teacher.load_state_dict(held["teacher"])
        for state in held["pool"]:
            past = copy.deepcopy(trainer.network)
            past.load_state_dict(state)
            trainer.pool.append(past)
        torch.set_rng_state(held["lots"])
        for spent, won, games in held.get("course", []):  # checkpoints of older versions have none
            self.course.append((float(spent), int(won), int(games)))
        trainer.updates, trainer.decisions = int(held["updates"]), int(held["decisions"])
        self.spent = float(held["spent"])
