"""Gymnasium environments: `SeatEnv` is one seat of one table, `BatchVectorEnv` many tables at once.

    import bartizan.envs.gymnasium as envs

    envs.register_envs()
    env = gymnasium.make("bartizan/Tower-v0", opponents="greedy")

Other seats are played by opponents inside a step.  Illegal actions end the episode and cost 1;
``info["action_mask"]`` says which are.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bartizan.engine import registry
from bartizan.engine.extras import require
from bartizan.engine.game import Game
from bartizan.engine.observation import ObservationLayout
from bartizan.envs import picture
from bartizan.envs.batch import Batch, Step
from bartizan.envs.settings import (
    BadSetting,
    GivenOptions,
    Illegal,
    Settings,
    check_choice,
    check_flag,
    check_game,
    check_seats_of,
    check_settings,
    check_whole,
    one_action,
)

require("gym", "A Gymnasium environment")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

NAMESPACE = "bartizan"
VERSION = "v0"  # raised when the meaning of observations, actions or rewards changes
MASKS = ("info", "observation")
RENDER_MODES = ("human", "ansi", "svg")

Masked = Literal["info", "observation"]
Info = dict[str, Any]


def observation_box(layout: ObservationLayout) -> spaces.Box:
    """Return the space of a game's flat observations: int8, with the bounds of each group."""
    low, high = np.zeros(layout.size, np.int8), np.zeros(layout.size, np.int8)
    for each in layout:
        low[each.first : each.end], high[each.first : each.end] = each.low, each.high
    return spaces.Box(low, high, dtype=np.int8)


def with_mask(box: spaces.Box, actions: int) -> spaces.Dict:
    """Return the space of an observation together with the mask of legal actions, int8 (actions,)."""
    mask = spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Dict({"observation": box, "action_mask": mask})


def seat_settings(  # noqa: PLR0913 - as many as an environment has
    game: str | Game,
    n: int,
    seat: int,
    seats: int | None,
    opponents: str | Mapping[int, str],
    *,
    options: GivenOptions,
    skill: str | None,
    max_plies: int | None,
    observe_options: bool,
    threads: int | None,
    illegal: Illegal,
    autoreset: str,
) -> tuple[Settings, int]:
    """Check the settings of an environment for one seat; return them with the seat, from 1."""
    known = check_game(game)
    number = check_seats_of(known, seats)
    own = 1 + check_whole(seat, "seat", 0, number - 1)
    others = (
        {each: opponents for each in range(1, number + 1) if each != own}
        if isinstance(opponents, str)
        else opponents
    )
    settings = check_settings(
        known,
        n,
        number,
        options=options,
        threads=threads,
        opponents=others,
        skill=skill,
        max_plies=max_plies,
        observe_options=observe_options,
        illegal=illegal,
        autoreset=autoreset,
    )
    left = [each for each in range(1, number + 1) if each != own and each not in settings.opponents]
    if left:
        raise BadSetting(f"nobody plays at seat {left[0]}: opponents must take all seats but {own}.")
    return settings, own


def rendered(batch: Batch, seat: int, mode: str | None) -> str | None:
    """Draw the first table as a seat sees it: return text or a picture, or print it for a human."""
    if mode is None:
        return None
    batch.check_dealt()
    settings = batch.settings
    options = batch.game.read_options(settings.options, settings.seats)
    draw = picture.svg if mode == "svg" else picture.ansi
    drawn = draw(batch.game, options, batch.game_state(0), seat, int(batch.plies[0]))
    if mode != "human":
        return drawn
    sys.stdout.write(drawn)
    return None


def check_reset_options(options: object, *known: str) -> None:
    """Check that a reset knows its options, which aren't the game's; raises `BadSetting`."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise BadSetting(f"options is {options!r}; it must be a mapping.")
    for key in options:
        if key not in known:
            raise BadSetting(
                f"reset has no option {key!r}; set a game's options when you make the environment."
            )


class SeatEnv(gymnasium.Env):  # type: ignore[misc,type-arg,unused-ignore]
    """One seat of one table, for Gymnasium."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(  # noqa: PLR0913 - each is a choice of its own, and all but the game have a usual value
        self,
        game: str | Game,
        seat: int = 0,
        seats: int | None = None,
        opponents: str | Mapping[int, str] = "random",
        *,
        options: Mapping[str, object] | None = None,
        skill: str | None = None,
        max_plies: int | None = None,
        observe_options: bool = False,
        mask: Masked = "info",
        illegal: Illegal = "end",
        render_mode: str | None = None,
    ) -> None:
        """Make the table; `reset` deals it.

        Args:
            game: its name.
            seat: the learner's, from 0.
            seats: how many play; by default the fewest that can.
            opponents: who plays at all other seats, or players by seat, from 1: ``{2: "greedy"}``.
            options: of the game.
            skill: how well the learner throws, in games with throws.
            max_plies: after which an episode is truncated.
            observe_options: whether observations end with the options as numbers.
            mask: whether the mask of legal actions, int8 (actions,), is in the info only, or also in the
                observation, which is then a dict.
            illegal: whether an illegal action ends the episode, which costs 1, or raises an error.
            render_mode: ``"human"`` prints the table after every step; with ``"ansi"`` and ``"svg"``,
                `render` returns it as text or as a picture.

        Raises what `bartizan.batch` raises.
        """
        settings, self.seat = seat_settings(
            game,
            1,
            seat,
            seats,
            opponents,
            options=options,
            skill=skill,
            max_plies=max_plies,
            observe_options=observe_options,
            threads=1,
            illegal=illegal,
            autoreset="disabled",
        )
        self.mask = check_choice(mask, "mask", MASKS)
        self.render_mode = render_mode and check_choice(render_mode, "render_mode", RENDER_MODES)
        self.batch = Batch(settings)
        self.game = settings.game
        box = observation_box(self.batch.layout)
        actions = self.batch.spaces.actions
        self.observation_space: Any = with_mask(box, actions) if mask == "observation" else box
        self.action_space: Any = spaces.Discrete(actions)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Deal a game: with a seed the first episode of that seed, otherwise the next one.

        Returns the observation and an info with ``action_mask`` (int8). `options` has to be empty: a game's
        options are set when the environment is made.  Raises `BadSetting`.
        """
        if seed is not None:
            seed = check_whole(seed, "seed", 0, (1 << 128) - 1)
        check_reset_options(options)
        super().reset(seed=seed)
        if seed is None and not self.batch.is_dealt:
            seed = secrets.randbits(63)
        step = self.batch.reset(seed=seed)
        if self.render_mode == "human":
            self.render()
        return self._observation(step), self._info(step)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Play an action and the opponents' replies: observation, reward, terminated, truncated, info."""
        step = self.batch.step(one_action(action))
        if self.render_mode == "human":
            self.render()
        reward = float(step.reward[0, self.seat - 1])
        told = self._observation(step), reward, bool(step.terminated[0]), bool(step.truncated[0])
        return *told, self._info(step)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool (actions,), under the name that MaskablePPO uses."""
        return self.batch.last.action_mask[0].copy()

    def render(self) -> str | None:
        """Return or print the table as its seat sees it, according to `render_mode`."""
        return rendered(self.batch, self.seat, self.render_mode)

    def _observation(self, step: Step) -> Any:
        flat = step.observation[0].copy()
        if self.mask == "info":
            return flat
        return {"observation": flat, "action_mask": step.action_mask[0].astype(np.int8)}

    def _info(self, step: Step) -> Info:
        return {"action_mask": step.action_mask[0].astype(np.int8)}


class BatchVectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc,type-arg,unused-ignore]
    """One seat of many tables, for Gymnasium: the results of a `SyncVectorEnv` of `SeatEnv`, much faster."""

    def __init__(  # noqa: PLR0913 - each is a choice of its own, and all but two have a usual value
        self,
        game: str | Game,
        num_envs: int,
        seat: int = 0,
        seats: int | None = None,
        opponents: str | Mapping[int, str] = "random",
        *,
        options: GivenOptions = None,
        skill: str | None = None,
        max_plies: int | None = None,
        observe_options: bool = False,
        threads: int | None = None,
        autoreset: str = "next_step",
        copy: bool = True,
    ) -> None:
        """Make the tables; see `SeatEnv` for details.

        Args:
            game: its name.
            num_envs: how many tables.
            seat: the learner's, from 0.
            seats: how many play.
            opponents: who plays at all other seats.
            options: of the game; or one mapping for each table.
            skill: how well the learner throws.
            max_plies: after which an episode is truncated.
            observe_options: whether observations end with the options as numbers.
            threads: how many share a step.
            autoreset: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
            copy: whether each step returns new arrays; otherwise the next step overwrites them.
        """
        settings, self.seat = seat_settings(
            game,
            num_envs,
            seat,
            seats,
            opponents,
            options=options,
            skill=skill,
            max_plies=max_plies,
            observe_options=observe_options,
            threads=threads,
            illegal="end",
            autoreset=autoreset,
        )
        self.copy = check_flag(copy, "copy")
        self.batch = Batch(settings)
        self.num_envs = settings.n
        self.single_observation_space: Any = observation_box(self.batch.layout)
        self.single_action_space: Any = spaces.Discrete(self.batch.spaces.actions)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space: Any = batched(self.single_observation_space, self.num_envs)
        self.action_space: Any = batched(self.single_action_space, self.num_envs)
        modes = gymnasium.vector.AutoresetMode
        by_name = {"next_step": modes.NEXT_STEP, "same_step": modes.SAME_STEP, "disabled": modes.DISABLED}
        self.metadata = {"autoreset_mode": by_name[settings.autoreset]}
        self._all = np.ones(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Info | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """Deal: with a seed, table *i* gets a `SeatEnv`'s game with seed + *i*, otherwise the next episode.

        ``options={"reset_mask": …}`` (num_envs, bool) deals at these tables only.  Raises `BadSetting`.
        """
        check_reset_options(options, "reset_mask")
        given: Any = seed
        if isinstance(given, np.ndarray):
            given = seed = given.tolist()
        if given is not None and (isinstance(given, str) or not isinstance(given, Sequence)):
            seed = check_whole(given, "seed", 0, (1 << 128) - self.num_envs)
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = (options or {}).get("reset_mask")
        if seed is not None and mask is not None:
            raise BadSetting("a seed restarts all tables; leave out either seed or reset_mask.")
        if seed is None and mask is None and not self.batch.is_dealt:
            seed = secrets.randbits(62)
        chosen = None if mask is None else np.asarray(mask)
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        step = self.batch.reset(seed=seeds, tables=chosen)
        return self._given(step.observation), self._info(step, self._all if chosen is None else chosen)

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play an action at every table: observations, rewards, terminations, truncations, info."""
        step = self.batch.step(actions)
        reward = step.reward[:, self.seat - 1].astype(np.float64)
        info = self._info(step, self._all)
        over = step.terminated | step.truncated
        if self.batch.settings.autoreset == "same_step" and over.any():
            info |= self._final(step, over)
        ended = self._given(step.terminated), self._given(step.truncated)
        return self._given(step.observation), reward, *ended, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool (num_envs, actions)."""
        return self._given(self.batch.last.action_mask)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self, step: Step, told: NDArray[np.bool_]) -> Info:
        mask = step.action_mask.astype(np.int8) if self.copy else step.action_mask.view(np.int8)
        if not told.all():
            mask = np.where(told[:, None], mask, np.int8(0))
        return {"action_mask": mask, "_action_mask": told.copy()}

    def _final(self, step: Step, over: NDArray[np.bool_]) -> Info:
        """Return the last observations of the finished episodes, in the form of Gymnasium's vectors."""
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            final[i] = step.final_observation[i].copy()
        mask = np.zeros_like(step.action_mask, np.int8)
        ended = {"action_mask": mask, "_action_mask": over.copy()}
        return {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": ended,
            "_final_info": over.copy(),
        }


def env_id(game: Game) -> str:
    """Return the id under which a game is registered: ``bartizan/CastleDanger-v0``."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.name.split('-'))}-{VERSION}"


def register_envs() -> list[str]:
    """Register every installed game that has observations with Gymnasium; return their ids."""
    names = []
    for name in registry.names():
        game = registry.get(name)
        if game.has_observer:
            names.append(env_id(game))
            if names[-1] not in gymnasium.registry:
                gymnasium.register(
                    names[-1], entry_point="bartizan.envs.gymnasium:SeatEnv", kwargs={"game": name}
                )
    return names
