"""Options in observations: what they say, that nothing else changes, that every interface has them."""

from __future__ import annotations

import pickle
import random
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

import bartizan
from bartizan.engine import registry
from bartizan.engine.errors import UnknownOption
from bartizan.engine.game import Game
from bartizan.envs import pettingzoo as zoo
from bartizan.envs.gymnasium import BatchVectorEnv, SeatEnv
from bartizan.envs.policy import BadPolicy, Policy, save
from bartizan.envs.saving import load
from bartizan.envs.settings import BadSetting
from bartizan.envs.variants import observed_layout, option_numbers
from tests.envs.networks import FLOAT, INT8, liking, model
from tests.envs.test_pettingzoo import quietly
from tests.games.tables import GAMES, random_options, seat_counts

every_game = pytest.mark.parametrize("name", GAMES)
# An option that does not show in the first observation, with another value.
UNSEEN: dict[str, dict[str, object]] = {
    "alcazar": {"win_timing": "failed_draw"},
    "card-barrage": {"castle_trigger_wins": True},
    "card-cassonne": {"ace": "low"},
    "castle-danger": {"repetition": 0},
    "tower": {"cap_result": "levels"},
}


def playable(game: Game, dice: random.Random, seats: int) -> dict[str, object]:
    """Draw options that programs can play with."""
    while True:
        drawn = random_options(game, dice, seats)
        try:
            game.check_programs(drawn, seats)
        except UnknownOption:
            continue
        return drawn


@every_game
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_numbers_keep_their_bounds_and_tell_options_apart(name: str, seed: int) -> None:
    game, dice = registry.get(name), random.Random(seed)
    seats = dice.choice(seat_counts(game))
    one, other = (game.read_options(random_options(game, dice, seats), seats) for _ in range(2))
    first, second = (option_numbers(game, game.blank(each, seats, 0)) for each in (one, other))
    groups = list(observed_layout(game, True))[len(list(game.observer.OBSERVATION)) :]
    begins = game.observer.OBSERVATION.size
    for each in groups:
        numbers = first[each.first - begins : each.end - begins]
        assert ((each.low <= numbers) & (numbers <= each.high)).all(), each.name
    assert [each.name for each in groups] == [f"options.{spec.key}" for spec in game.options]
    assert len(first) == groups[-1].end - begins
    assert (first.tolist() == second.tolist()) == (one.numbers() == other.numbers())


@every_game
def test_an_observation_is_the_usual_one_and_the_options(name: str) -> None:
    game, dice = registry.get(name), random.Random(f"{name} observed")
    for _ in range(3):
        seats = dice.choice(seat_counts(game))
        options = playable(game, dice, seats)
        plain = bartizan.batch(game, 3, seats=seats, options=options, seed=5, max_plies=25)
        told = bartizan.batch(
            game, 3, seats=seats, options=options, seed=5, max_plies=25, observe_options=True
        )
        size = game.observer.OBSERVATION.size
        one, other = plain.reset(), told.reset()
        numbers = option_numbers(game, plain.game_state(0))
        assert plain.spaces.observation_size == size
        assert told.spaces.observation_size == size + len(numbers)
        for _ in range(40):
            assert (other.observation[:, :size] == one.observation).all()
            assert (other.observation[:, size:] == numbers).all()
            seen = told.observe(0, np.array([True, False, True]))
            assert (seen[:, :size] == plain.observe(0, np.array([True, False, True]))).all()
            assert (seen[:, size:] == numbers * np.array([[1], [0], [1]])).all()
            actions = plain.random_actions()
            one, other = plain.step(actions), told.step(actions)
            over = one.terminated | one.truncated
            assert (other.final_observation[over, :size] == one.final_observation[over]).all()
            assert (other.final_observation[over, size:] == numbers).all()


@every_game
def test_other_options_show_in_their_numbers_only(name: str) -> None:
    game = registry.get(name)
    envs = [bartizan.batch(game, options=each, seed=3, observe_options=True) for each in ({}, UNSEEN[name])]
    one, other = (env.reset().observation[0] for env in envs)
    (key,) = UNSEEN[name]
    group = envs[0].layout[f"options.{key}"]
    differ = np.flatnonzero(one != other)
    assert len(differ) > 0
    assert ((group.first <= differ) & (differ < group.end)).all()


# --- Options of each table -------------------------------------------------------


@every_game
@pytest.mark.parametrize("opponents", [None, {2: "greedy"}])
def test_tables_with_options_of_their_own_play_as_if_all_had_them(name: str, opponents: Any) -> None:
    game = registry.get(name)
    if opponents and game.max_seats == 1:
        pytest.skip("a solitaire has no opponents")
    seats = max(game.min_seats, 2 if opponents else 1)
    variants: list[dict[str, object]] = [{}, UNSEEN[name], {}, UNSEEN[name], {}]
    common: dict[str, Any] = {"seats": seats, "seed": 8, "opponents": opponents, "observe_options": True}
    mixed = bartizan.batch(game, 5, options=variants, max_plies=30, **common)
    whole = [bartizan.batch(game, 5, options=each, max_plies=30, **common) for each in (variants[:2])]
    steps = [env.reset() for env in (mixed, *whole)]
    for _ in range(40):
        for i in range(5):
            own = steps[1 + i % 2]
            for field in ("observation", "action_mask", "to_play", "reward", "terminated", "truncated"):
                assert (getattr(steps[0], field)[i] == getattr(own, field)[i]).all(), (i, field)
        actions = [env.random_actions() for env in whole]
        chosen = np.where(np.arange(5) % 2 == 0, *actions)
        assert (mixed.random_actions() == chosen).all()
        steps = [mixed.step(chosen), *(env.step(each) for env, each in zip(whole, actions, strict=True))]


def test_a_mixed_batch_is_saved_pickled_and_branched(tmp_path: Path) -> None:
    variants: list[dict[str, object]] = [{}, {"repetition": 0}, {"setup": {"symmetry": "mirror"}}]
    env = bartizan.batch("castle-danger", 3, options=variants, observe_options=True, max_plies=9)
    env.reset()
    for _ in range(15):
        env.step(env.random_actions())
    env.save(tmp_path / "b.npz")
    others = (load(tmp_path / "b.npz"), pickle.loads(pickle.dumps(env)))
    for _ in range(15):
        assert all((other.last.observation == env.last.observation).all() for other in others)
        actions = env.random_actions()
        for each in (env, *others):
            each.step(actions)
    env.load(1, env.copy_of(1))
    with pytest.raises(BadSetting, match="of other seats or options"):
        env.load(0, env.copy_of(1))
    with pytest.raises(BadSetting, match="with other options"):
        env.load(0, env.game_state(2))


@pytest.mark.parametrize(
    ("given", "kind", "told"),
    [
        ([{}], BadSetting, "options is a list of length 1 for 2 tables"),
        ([{}, 3], BadSetting, "options is 3; it must map option names to values"),
        ([{}, {"ad_cost": 2}], UnknownOption, "Did you mean 'add_cost'"),
        ("add_cost=2", BadSetting, "it must map option names to values"),
        (7, BadSetting, "it must map option names to values"),
        ({1: 1}, BadSetting, "an option's name is 1; it must be a text"),
    ],
)
def test_wrong_options_are_refused(given: Any, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        bartizan.batch("castle-danger", 2, options=given)
    with pytest.raises(BadSetting, match="observe_options is 1; it must be True or False"):
        bartizan.batch("castle-danger", 2, observe_options=1)  # type: ignore[arg-type]


# --- Interfaces ------------------------------------------------------------------


@every_game
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(not recommended|spec).*")
        check_env(SeatEnv(name, observe_options=True, mask="observation"), skip_render_check=True)


@every_game
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    from pettingzoo.test import api_test

    env = zoo.env(name, max_plies=30, observe_options=True)
    quietly(api_test, env, num_cycles=60)
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)["observation"]
    assert len(seen) == observed_layout(registry.get(name), True).size


def test_many_tables_tell_what_single_ones_tell() -> None:
    variants: list[dict[str, object]] = [{}, {"repetition": 0}, {"add_cost": 0}]
    many = BatchVectorEnv("castle-danger", 3, options=variants, observe_options=True, max_plies=20)
    common: dict[str, Any] = {"observe_options": True, "max_plies": 20}
    single = SyncVectorEnv([partial(SeatEnv, "castle-danger", options=each, **common) for each in variants])
    assert many.single_observation_space == single.single_observation_space
    one, told = many.reset(seed=4)
    other, _ = single.reset(seed=4)
    dice = np.random.default_rng(2)
    for _ in range(30):
        assert (one == other).all()
        masks = many.action_masks()
        actions = np.array([dice.choice(np.flatnonzero(each)) if each.any() else 0 for each in masks])
        one, _, _, _, told = many.step(actions)
        other, *_ = single.step(actions)
    assert told["action_mask"].shape == (3, 949)


@every_game
def test_openspiel_observes_options(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import bartizan.envs.openspiel  # noqa: F401 - registers the games
    from bartizan.envs.openspiel_vector import BatchSyncVectorEnv

    game = registry.get(name)
    spiel = pyspiel.load_game(f"bartizan_{name.replace('-', '_')}(horizon=9,observe_options=True)")
    size = observed_layout(game, True).size
    state = spiel.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    seen = np.array(state.observation_tensor(0))
    blank = game.blank(game.option_set.read({}), game.min_seats, 0)
    assert len(seen) == size
    assert (seen[game.observer.OBSERVATION.size :] == option_numbers(game, blank)).all()
    assert BatchSyncVectorEnv(name, 1, observe_options=True).observation_spec()["info_state"] == (size,)


# --- Policies --------------------------------------------------------------------


def counting(game: Game, size: int) -> Any:
    """Return a policy that likes action `k` best if the last number of an observation of `size` is `k`."""
    nodes = [
        helper.make_node("Cast", ["observation"], ["seen"], to=FLOAT),
        helper.make_node("MatMul", ["seen", "last"], ["number"]),
        helper.make_node("Sub", ["number", "ids"], ["far"]),
        helper.make_node("Abs", ["far"], ["size"]),
        helper.make_node("Neg", ["size"], ["logits"]),
    ]
    last = np.zeros((size, 1), np.float32)
    last[-1] = 1
    ids = np.arange(game.actions.size, dtype=np.float32)[None]
    inputs = [("observation", INT8, [1, size])]
    return model(nodes, inputs, [("logits", FLOAT, [1, game.actions.size])], last=last, ids=ids)


def test_a_policy_is_fed_the_options_of_its_table(tmp_path: Path) -> None:
    game = registry.get("castle-danger")
    layout = observed_layout(game, True)
    policy = save(counting(game, layout.size), game, tmp_path / "p.onnx", observe_options=True)
    assert policy.observes_options
    for value in ("none", "tabletop"):
        env = bartizan.batch(game, options={"piece_limits": value}, observe_options=True)
        last = env.reset().observation[0, -1]
        legal = env.last.legal[0, : env.last.legal_count[0]].tolist()
        scores = policy.logits(env.game_state(0), legal)
        assert scores.tolist() == [-abs(float(last) - action) for action in legal]


def test_a_policy_must_say_whether_it_observes_options(tmp_path: Path) -> None:
    game, path = registry.get("castle-danger"), tmp_path / "p.onnx"
    own, whole = game.observer.OBSERVATION.size, observed_layout(game, True).size
    with pytest.raises(BadPolicy, match="save it with observe_options=True"):
        save(counting(game, whole), game, path)
    with pytest.raises(BadPolicy, match=rf"has the shape \(n, {own}\); here it must be \(1, {whole}\)"):
        save(liking(game), game, path, observe_options=True)
    hostile = counting(game, whole)
    hostile.metadata_props.add(key="bartizan.options", value="all\nof them")
    path.write_bytes(hostile.SerializeToString())
    with pytest.raises(
        BadPolicy, match=r"bartizan.options is 'all\\nof them'; it must be 'observed'"
    ) as raised:
        Policy(game, path)
    assert "\n" not in str(raised.value)
