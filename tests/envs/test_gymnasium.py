"""Gymnasium's own suite, and that many tables at once tell what single ones tell."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from bartizan.engine import registry
from bartizan.engine.errors import BadSeats, BartizanError, UnknownPlayer
from bartizan.envs.gymnasium import BatchVectorEnv, SeatEnv, env_id, register_envs
from bartizan.envs.settings import BadSetting
from tests.games.tables import GAMES

every_game = pytest.mark.parametrize("name", GAMES)


def legal(env: Any, dice: np.random.Generator) -> int:
    return int(dice.choice(np.flatnonzero(env.action_masks())))


@every_game
@pytest.mark.parametrize("mask", ["info", "observation"])
def test_gymnasium_finds_nothing_wrong(name: str, mask: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What the checker says of every environment that was not made by name, and of text as a picture.
        warnings.filterwarnings("ignore", message=".*(not recommended|spec).*")
        check_env(SeatEnv(name, mask=mask, render_mode="ansi"), skip_render_check=True)


@every_game
def test_masked_play_comes_to_an_end(name: str) -> None:
    env = SeatEnv(name, max_plies=400, render_mode="ansi")
    dice = np.random.default_rng(3)
    observation, info = env.reset(seed=11)
    reward, terminated, truncated = 0.0, False, False
    while not (terminated or truncated):
        assert env.observation_space.contains(observation)
        assert (info["action_mask"] == env.action_masks()).all()
        observation, reward, terminated, truncated, info = env.step(legal(env, dice))
        assert -1 <= reward <= 1
    assert reward == 0 or terminated
    assert registry.get(name).title in str(env.render())


def test_games_have_names_of_their_own() -> None:
    names = register_envs()
    assert register_envs() == names
    assert {"bartizan/Alcazar-v0", "bartizan/CastleDanger-v0", "bartizan/CardCassonne-v0"} <= set(names)
    assert names == [env_id(registry.get(name)) for name in GAMES]
    env: Any = gymnasium.make("bartizan/CastleDanger-v0", seat=1, opponents="greedy", render_mode="svg")
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() > 5
    picture = env.render()
    assert picture.startswith("<svg")
    assert "Castle&#160;Danger" in picture
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


def same(one: Any, other: Any) -> bool:
    """Say whether two things that environments told are equal, to the last array and type."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return type(one) is type(other) and bool(one == other)


@pytest.mark.parametrize("name", ["alcazar", "castle-danger"])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_many_tables_tell_what_single_ones_tell(name: str, autoreset: str) -> None:
    modes = {str(mode.name).lower(): mode for mode in gymnasium.vector.AutoresetMode}
    single = SyncVectorEnv(
        [lambda: SeatEnv(name, max_plies=25, opponents="greedy")] * 5, autoreset_mode=modes[autoreset]
    )
    many = BatchVectorEnv(name, 5, max_plies=25, opponents="greedy", autoreset=autoreset, threads=2)
    assert single.single_observation_space == many.single_observation_space
    assert single.action_space == many.action_space
    assert single.metadata["autoreset_mode"] == many.metadata["autoreset_mode"]
    dice = np.random.default_rng(1)
    mine: Any = many.reset(seed=40)
    theirs: Any = single.reset(seed=40)
    assert same(mine, theirs)
    ended = 0
    for _ in range(60):
        masks = many.action_masks()
        actions = np.array([dice.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        mine, theirs = many.step(actions), single.step(actions)
        assert same(mine, theirs)
        over = mine[2] | mine[3]
        ended += int(over.sum())
        if autoreset == "disabled" and over.any():
            mine = many.reset(options={"reset_mask": over})
            assert same(mine, single.reset(options={"reset_mask": over}))
    assert ended > 5


def test_arrays_are_new_unless_asked_otherwise() -> None:
    for copied in (True, False):
        env = BatchVectorEnv("alcazar", 3, copy=copied)
        first, info = env.reset(seed=1)
        second, *_, later = env.step(env.batch.random_actions())
        assert np.shares_memory(first, second) != copied
        assert np.shares_memory(info["action_mask"], later["action_mask"]) != copied
        assert np.shares_memory(env.batch.last.observation, second) != copied


def test_episode_statistics_are_kept() -> None:
    env = RecordEpisodeStatistics(BatchVectorEnv("alcazar", 8, max_plies=15))
    env.reset(seed=1)
    lengths: list[int] = []
    for _ in range(40):
        *_, info = env.step(env.unwrapped.batch.random_actions())  # type: ignore[attr-defined]
        if "episode" in info:
            lengths += list(info["episode"]["l"][info["_episode"]])
    assert len(lengths) > 8
    assert 0 < max(lengths) <= 15


def test_copies_go_on_alone() -> None:
    env = SeatEnv("tower", seats=3)
    env.reset(seed=5)
    dice = np.random.default_rng(1)
    for _ in range(4):
        env.step(legal(env, dice))
    before = env.batch.states.tobytes()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.batch.states.tobytes() == before
        action = legal(env, np.random.default_rng(2))
        told = other.step(action)
        assert env.batch.states.tobytes() == before
        assert same(told, copy.deepcopy(env).step(action))


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ({"seat": 2}, BadSetting, "seat is 2; it must be a whole number from 0 to 1"),
        ({"opponents": {}}, BadSetting, "nobody plays at seat 2"),
        ({"opponents": {1: "greedy", 2: "greedy"}}, BadSetting, "leave one to the learner"),
        ({"opponents": "gredy"}, UnknownPlayer, "greedy"),
        ({"seats": 7}, BadSeats, "2 to 6 seats"),
        ({"mask": "both"}, BadSetting, "'info' or 'observation'"),
        ({"render_mode": "rgb_array"}, BadSetting, "'human' or 'ansi' or 'svg'"),
    ],
)
def test_settings_that_make_no_sense_say_what_does(
    settings: dict[str, Any], error: type[BartizanError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        SeatEnv(**{"game": "tower", **settings})


def test_seeds_and_masks_may_come_from_numpy_or_lists() -> None:
    env = BatchVectorEnv("tower", 3)
    mine, theirs = env.reset(seed=np.int64(5)), env.reset(seed=5)  # type: ignore[arg-type]
    assert same(mine, theirs)
    assert same(env.reset(seed=np.arange(3)), env.reset(seed=[0, 1, 2]))  # type: ignore[arg-type]
    _, info = env.reset(options={"reset_mask": [True, False, True]})
    assert info["_action_mask"].tolist() == [True, False, True]
    for wrong in (True, "ab", 1.5):
        with pytest.raises(BadSetting, match="seed is"):
            env.reset(seed=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="options is"):
        env.reset(options=[1])  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="either seed or reset_mask"):
        env.reset(seed=1, options={"reset_mask": [True, False, True]})
    with pytest.raises(BadSetting, match="no table has been dealt yet"):
        BatchVectorEnv("tower", 3).reset(options={"reset_mask": [True, False, True]})


def test_a_reset_refuses_what_it_would_ignore() -> None:
    one, many = SeatEnv("tower"), BatchVectorEnv("tower", 2)
    wrongs: list[Any] = [-1, 1.5, float("nan"), "ab", True, [1]]
    for wrong in wrongs:
        with pytest.raises(BadSetting, match="seed is"):
            one.reset(seed=wrong)
    assert same(one.reset(seed=np.int64(5)), one.reset(seed=5))  # type: ignore[arg-type]
    envs: list[Any] = [one, many]
    for env in envs:
        with pytest.raises(BadSetting, match="reset has no option 'jokers'"):
            env.reset(seed=1, options={"jokers": 2})
        with pytest.raises(BadSetting, match="options is 5; it must be a mapping"):
            env.reset(options=5)
        env.reset(seed=1, options={})


def test_one_table_takes_one_action() -> None:
    env = SeatEnv("tower", render_mode="ansi")
    with pytest.raises(BadSetting, match="reset"):
        env.render()
    env.reset(seed=1)
    wrongs: list[Any] = [np.array([1, 2]), [], None, 1.5]
    for wrong in wrongs:
        with pytest.raises(BadSetting, match="action"):
            env.step(wrong)
