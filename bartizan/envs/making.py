"""Make a batch of tables, on the processor or on a device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.envs.settings import Autoreset, Device, GivenOptions, Illegal, check_choice, check_settings


def batch(  # noqa: PLR0913 - each is a choice of its own, and all but the game have a usual value
    game: str | Game,
    n: int = 1,
    *,
    seats: int | None = None,
    options: GivenOptions = None,
    seed: str | int = "0",
    threads: int | None = None,
    opponents: Mapping[int, str] | None = None,
    skill: str | None = None,
    max_plies: int | None = None,
    mask: bool = True,
    observe: bool = True,
    observe_options: bool = False,
    illegal: Illegal = "end",
    autoreset: Autoreset = "same_step",
    device: Device = "cpu",
) -> Batch:
    """Make a batch of tables of a game; `reset` deals them.

    The game (seed, table, episode) is always the same, whatever `n`, `threads` and `device` are.

    Args:
        game: its name, such as ``"tower"``.
        n: how many tables.
        seats: the number of players at each table; by default the fewest that the game allows.
        options: the game's options by name, as listed by ``bartizan games GAME``; or n such mappings, one
            for each table.
        seed: 1 to 32 hexadecimal digits, or a whole number.
        threads: the number of threads for a step; by default one per 4,096 tables, up to one per core.
        opponents: players by seat, from 1, that move inside a step: ``{2: "greedy"}``.
        skill: how well learners throw, in games with throws: an action says what to throw at what, and the
            thrower decides the result.  ``"any"`` makes every report an action.
        max_plies: the ply after which an episode is truncated; never by default.
        mask: whether to fill `Step.action_mask`.
        observe: whether to fill `Step.observation`.
        observe_options: whether observations end with the table's options as numbers, so that one policy can
            learn every variant.
        illegal: whether an illegal action ends the episode, which costs its player 1, or raises an error.
        autoreset: whether a finished table is redealt in the same step, in the next one (which ignores its
            action), or only by `Batch.reset`, as in Gymnasium.
        device: ``"cpu"``, or ``"cuda"`` for a `DeviceBatch`, whose arrays are on an NVIDIA GPU.

    Raises `BadSetting`, `BadSeats`, `BadSeed`, `UnknownGame`, `UnknownOption`, `UnknownPlayer`, and
    `MissingExtra` if packages that the device needs aren't installed.
    """
    check_choice(device, "device", get_args(Device))
    settings = check_settings(
        game,
        n,
        seats,
        options=options,
        seed=seed,
        threads=threads,
        opponents=opponents,
        skill=skill,
        max_plies=max_plies,
        mask=mask,
        observe=observe,
        observe_options=observe_options,
        illegal=illegal,
        autoreset=autoreset,
    )
    if device == "cpu":
        return Batch(settings)
    from bartizan.envs.device_batch import DeviceBatch

    return DeviceBatch(settings)
