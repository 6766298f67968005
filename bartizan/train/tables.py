"""Create the tables at which networks learn and are evaluated."""

from __future__ import annotations

from bartizan.engine.game import Game
from bartizan.envs.batch import Batch, batch
from bartizan.envs.settings import Autoreset

SKILL = "expert"  # the throwing skill of learners, in games with throws


def tables_of(
    game: Game,
    n: int,
    *,
    seats: int,
    seed: str | int,
    learner: int | None = None,
    autoreset: Autoreset = "same_step",
) -> Batch:
    """Return `n` tables without masks; with a `learner`, a seat from 0, greedy has the other seats."""
    others = () if learner is None else (seat + 1 for seat in range(seats) if seat != learner)
    return batch(
        game,
        n,
        seats=seats,
        seed=seed,
        opponents=dict.fromkeys(others, "greedy") or None,
        skill=SKILL if game.throw_skills else None,
        mask=False,
        autoreset=autoreset,
    )
