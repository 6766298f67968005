"""Create the tables at which networks learn and are evaluated."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.envs.making import batch
from bartizan.envs.settings import Autoreset

SKILL = "expert"  # how well everyone at a table throws, in games with throws


@dataclass(frozen=True)
class TrainedVariants:
    """The variants of a game that one network learns; if there are several, it observes the options."""

    options: Sequence[Mapping[str, Any]] = ({},)
    skill: str = SKILL

    @property
    def differ(self) -> bool:
        """Whether there are several."""
        return len(self.options) > 1

    def dealt(self, n: int, seed: str | int) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        """Return the options of `n` tables: the variants in turn, or some of them if there are more."""
        if not self.differ:
            return self.options[0]
        count = len(self.options)
        drawn = self.options if count <= n else random.Random(str(seed)).sample([*self.options], n)
        return [drawn[i % len(drawn)] for i in range(n)]


USUAL = TrainedVariants()


def tables_of(
    game: Game,
    n: int,
    variants: TrainedVariants = USUAL,
    *,
    seats: int,
    seed: str | int,
    learner: int | None = None,
    autoreset: Autoreset = "same_step",
) -> Batch:
    """Return `n` tables without masks; with a `learner`, a seat from 0, greedy has the other seats.

    Where cards are thrown, everyone throws equally well.
    Table *i* plays variant *i* modulo their number, unless there are more variants than tables.
    """
    others = () if learner is None else (seat + 1 for seat in range(seats) if seat != learner)
    skill = variants.skill if game.throw_skills else None
    greedy = f"greedy:{skill}" if skill else "greedy"
    return batch(
        game,
        n,
        seats=seats,
        options=variants.dealt(n, seed),
        observe_options=variants.differ,
        seed=seed,
        opponents=dict.fromkeys(others, greedy) or None,
        skill=skill,
        mask=False,
        autoreset=autoreset,
    )


def against_greedy_and_each_other(
    game: Game, n: int, variants: TrainedVariants, *, seats: int, seed: int, greedy: float = 0.5
) -> list[tuple[Batch, int | None]]:
    """Return a share of `n` tables with greedy in all seats but one, given from 0, and the rest without."""
    each = int(greedy * n) // seats
    groups: list[tuple[Batch, int | None]] = [
        (tables_of(game, each, variants, seats=seats, seed=seed, learner=seat), seat) for seat in range(seats)
    ]
    return [*groups, (tables_of(game, n - each * seats, variants, seats=seats, seed=seed), None)]
