"""PettingZoo's own suite for every game at its least and most seats."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from bartizan.engine import registry
from bartizan.envs import pettingzoo as zoo
from bartizan.envs.settings import BadSetting
from tests.games.tables import GAMES

SIZES = [
    (game.name, seats)
    for game in map(registry.get, GAMES)
    for seats in sorted({game.min_seats, game.max_seats})
]
every_size = pytest.mark.parametrize(("name", "seats"), SIZES)
PLIES = 60
# All that PettingZoo may say: its list of the names that observations may have does not know dicts.
KNOWN_WARNINGS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


def quietly(test: Any, *given: Any, **named: Any) -> None:
    """Run a test of theirs, which prints that it has passed, and warns of nothing but what is known."""
    with warnings.catch_warnings(record=True) as said, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        test(*given, **named)
    others = [str(each.message) for each in said if not str(each.message).startswith(KNOWN_WARNINGS)]
    assert not others


@every_size
def test_pettingzoo_finds_nothing_wrong(name: str, seats: int) -> None:
    quietly(api_test, zoo.env(name, seats, max_plies=PLIES), num_cycles=2 * PLIES)


@every_size
def test_the_same_seed_gives_the_same_game(name: str, seats: int) -> None:
    quietly(seed_test, lambda: zoo.env(name, seats, max_plies=20), num_cycles=2)


@pytest.mark.parametrize("name", GAMES)
def test_tables_are_drawn(name: str) -> None:
    quietly(render_test, lambda render_mode=None: zoo.env(name, render_mode=render_mode))


def masked(env: Any, dice: np.random.Generator) -> int:
    return int(dice.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


@pytest.mark.parametrize("name", GAMES)
def test_games_are_played_to_their_end(name: str) -> None:
    env = zoo.env(name, registry.get(name).max_seats, max_plies=3_000)
    env.reset(seed=3)
    dice = np.random.default_rng(4)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        others = [env.observe(other)["action_mask"].sum() for other in env.agents if other != agent]
        assert not any(others)
        assert observation["action_mask"].any()
        env.step(masked(env, dice))
    assert not env.agents
    assert all(-1 <= each <= 1 for each in returns.values())


def test_an_illegal_action_costs_its_agent_the_game() -> None:
    for made in (zoo.env, zoo.raw_env):
        env: Any = made("tower", 3)
        env.reset(seed=3)
        offender = env.agent_selection
        wrong = int(np.flatnonzero(env.observe(offender)["action_mask"] == 0)[0])
        env.step(wrong)
        assert all(env.terminations.values())
        assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.rewards}


def test_it_becomes_a_parallel_environment_whose_agents_take_turns() -> None:
    env = turn_based_aec_to_parallel(zoo.env("castle-danger", max_plies=30))
    env.reset(seed=1)
    dice = np.random.default_rng(5)
    while env.agents:
        inner: Any = env.aec_env
        asked = inner.agent_selection
        env.step({agent: masked(inner, dice) if agent == asked else 0 for agent in env.agents})


def test_copies_go_on_alone() -> None:
    env = zoo.env("tower", 4)
    env.reset(seed=6)
    dice = np.random.default_rng(6)
    for _ in range(5):
        env.step(masked(env, dice))
    before = env.unwrapped.state().tobytes()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.unwrapped.state().tobytes() == before
        other.step(masked(other, dice))
        assert other.unwrapped.state().tobytes() != before
        assert env.unwrapped.state().tobytes() == before


def test_the_first_game_is_another_each_time() -> None:
    games = []
    for _ in range(3):
        env: Any = zoo.raw_env("tower", 2)
        env.reset()
        games.append(env.state().tobytes())
    assert len(set(games)) == 3


def test_agents_and_actions_that_make_no_sense_are_refused() -> None:
    env: Any = zoo.raw_env("tower", 2, render_mode="ansi")
    with pytest.raises(BadSetting, match="reset"):
        env.step(0)
    with pytest.raises(BadSetting, match="reset"):
        env.render()
    with pytest.raises(BadSetting, match="reset"):
        env.observe("player_1")
    env.reset(seed=1)
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(BadSetting, match="player_9"):
            ask("player_9")
    wrongs: list[Any] = [np.array([1, 2]), [], None]
    for wrong in wrongs:
        with pytest.raises(BadSetting, match="action"):
            env.step(wrong)


def test_a_game_s_options_are_not_set_by_a_reset() -> None:
    made = zoo.env("alcazar")
    with pytest.raises(BadSetting, match=r"^reset has no option 'havoc'; set a game's options when you make"):
        made.reset(options={"havoc": True})
