"""A batch of tables: the same games as everywhere else, whatever it shares its work out to."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bartizan
from bartizan.engine import registry
from bartizan.engine.errors import BadSeats, BadSeed, BartizanError, UnknownGame, UnknownOption, UnknownPlayer
from bartizan.engine.mode import COMPILED
from bartizan.engine.rng import stream
from bartizan.envs.batch import Batch
from bartizan.envs.batch_file import Unloadable
from bartizan.envs.saving import load
from bartizan.envs.settings import BadSetting, default_threads
from tests.corpus import line_of, sample
from tests.envs.seeing import observed
from tests.games.tables import GAMES, dealt, positions

every_game = pytest.mark.parametrize("name", GAMES)
STEPS = 40 if COMPILED else 12


def run(env: Batch, steps: int) -> list[bytes]:
    """Play at random and return all that was told, step by step."""
    told = []
    step = env.reset() if not env.is_dealt else env.last
    for _ in range(steps):
        step = env.step(env.random_actions())
        fields = [step.observation, step.action_mask, step.legal_count, step.to_play, step.reward]
        fields += [step.terminated, step.truncated, env.states]
        told.append(b"".join(np.ascontiguousarray(field).tobytes() for field in fields))
    return told


# --- The same games ----------------------------------------------------------


@every_game
def test_a_batch_plays_what_a_match_plays(name: str) -> None:
    """Put on a table before each ply of a match, a state comes to the same bytes, lists and rewards."""
    game = registry.get(name)
    plies, most = 0, sample(60, 4_000)
    for number in range(sample(2, 30)):
        match, _ = dealt(name, number)
        skill = "any" if game.throw_skills else None
        env = bartizan.batch(
            game, seats=match.seats, options=match.options, skill=skill, autoreset="disabled"
        )
        env.reset()
        for ply, move in enumerate(line_of(name, number)[:most]):
            game_state = match.game_state()
            env.load(0, game_state.to_bytes())
            assert env.game_state(0).to_bytes() == game_state.to_bytes()
            legal = list(env.last.legal[0, : env.last.legal_count[0]])
            assert legal == match.legal()
            assert list(np.flatnonzero(env.last.action_mask[0])) == legal
            assert int(env.last.to_play[0]) == match.seat_to_move - 1
            assert (env.last.observation[0] == observed(game, game_state, match.seat_to_move)).all()
            listed = move.action if move.action in legal else legal[0]
            game_state.rekey(stream(match.seed, "ply", ply))
            env.load(0, game_state)
            step = env.step([listed])
            match.push(match.check(listed))
            assert env.copy_of(0).state == match.game_state().to_bytes()
            assert bool(step.terminated[0]) == match.is_over
            if match.is_over:
                assert list(step.reward[0]) == pytest.approx(match.returns())
                assert (step.observation[0] == observed(game, match.game_state(), match.movers[-1])).all()
                env.load(0, match.game_state().to_bytes())
                assert env.last.terminated[0]
                assert not env.last.action_mask.any()
            else:
                assert not step.reward.any()
            plies += 1
            if match.is_over or listed != move.action:
                break
    assert plies > 10


@every_game
def test_neither_size_nor_threads_nor_neighbours_change_a_game(name: str) -> None:
    alone = bartizan.batch(name, 1, seed="ab", threads=1)
    many = bartizan.batch(name, 7, seed="ab", threads=3)
    alone.reset()
    many.reset()
    for _ in range(STEPS):
        one = alone.step(alone.random_actions())
        all_of_them = many.step(many.random_actions())
        assert alone.states[0:1].tobytes() == many.states[0:1].tobytes()
        for name_of_field in ("observation", "action_mask", "legal_count", "to_play", "reward", "terminated"):
            assert (getattr(one, name_of_field)[0] == getattr(all_of_them, name_of_field)[0]).all()
    many.close()
    again = bartizan.batch(name, 7, seed=0xAB, threads=2)
    assert run(again, 5) == run(bartizan.batch(name, 7, seed="ab", threads=1), 5)
    again.reset(seed="ab")
    assert again.episodes.tolist() == [0] * 7
    assert run(again, 5) == run(bartizan.batch(name, 7, seed="ab"), 5)
    other = bartizan.batch(name, 7, seed="ac")
    other.reset()
    if registry.get(name).chance:
        assert len({state.tobytes() for state in (*other.states, *again.states)}) == 14


@every_game
def test_ragged_lists_are_the_padded_ones(name: str) -> None:
    env = bartizan.batch(name, 5, mask=False)
    env.reset()
    for _ in range(STEPS // 2):
        step = env.step(env.random_actions())
        ragged = env.ragged(tokens=True)
        assert ragged.offsets.dtype == np.int64
        assert len(ragged.actions) == step.legal_count.sum() == ragged.offsets[-1]
        assert ragged.tokens is not None
        assert ragged.tokens.shape == (len(ragged.actions), env.spaces.token_width)
        for i in range(5):
            mine = slice(ragged.offsets[i], ragged.offsets[i + 1])
            assert list(ragged.actions[mine]) == list(step.legal[i, : step.legal_count[i]])
            assert set(ragged.rows[mine]) == {i}
        assert step.action_mask.shape == (5, 0)


# --- Episodes ------------------------------------------------------------------


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
def test_finished_tables_are_dealt_anew_as_gymnasium_has_it(autoreset: Any) -> None:
    name = "alcazar"
    env = bartizan.batch(name, 6, autoreset=autoreset, max_plies=9)
    env.reset()
    over = np.zeros(6, bool)
    for _ in range(24):
        plies = env.plies.copy()
        states = [bytes(state) for state in env.states]
        step = env.step(env.random_actions())
        ended = step.terminated | step.truncated
        if autoreset == "same_step":
            assert (env.plies == np.where(ended, 0, plies + 1)).all()
            assert (step.to_play == 0).all()
            assert step.legal_count.all()
        elif autoreset == "next_step":
            assert not ended[over].any()
            assert (env.plies == np.where(over, 0, plies + 1)).all()
            assert (step.to_play == np.where(ended, -1, 0)).all()
        else:
            assert ended[over].all()
            assert [bytes(s) for s, o in zip(env.states, over, strict=True) if o] == [
                s for s, o in zip(states, over, strict=True) if o
            ]
        if autoreset != "same_step":
            assert not step.legal_count[ended].any()
            assert (step.final_observation[ended] == step.observation[ended]).all()
        assert not step.reward[step.truncated].any()
        over = ended
    if autoreset == "disabled":
        assert over.all()
        step = env.reset(tables=np.arange(6) < 2)
        assert step.terminated.sum() + step.truncated.sum() == 4
        assert env.episodes.tolist() == [1, 1, 0, 0, 0, 0]


def test_the_last_observation_of_an_episode_is_kept() -> None:
    game_state = bartizan.batch("tower", 3, max_plies=5)
    held = bartizan.batch("tower", 3, max_plies=5, autoreset="disabled")
    game_state.reset()
    held.reset()
    for _ in range(5):
        actions = held.random_actions()
        game_state.step(actions)
        held.step(actions)
    step, still = game_state.last, held.last
    assert step.truncated.all()
    assert (step.final_observation == still.observation).all()
    assert (step.observation != still.observation).any(axis=1).all()


def test_an_illegal_action_ends_its_own_table_only() -> None:
    env = bartizan.batch("tower", 4, autoreset="disabled")
    calm = bartizan.batch("tower", 4, autoreset="disabled")
    env.reset()
    calm.reset()
    size = env.spaces.actions
    for wrong in (
        -1,
        size,
        size + 3,
        2**62,
        -(2**62),
        next(a for a in range(size) if a not in env.last.legal[1]),
    ):
        env.reset(seed="0")
        calm.reset(seed="0")
        actions = env.random_actions()
        before, offender = bytes(env.states[1]), int(env.last.to_play[1])
        calm.step(actions)
        actions[1] = wrong
        step = env.step(actions)
        assert step.terminated.tolist() == [False, True, False, False]
        assert step.reward[1].tolist() == [-1.0 if seat == offender else 0.0 for seat in range(2)]
        assert bytes(env.states[1]) == before
        assert [bytes(env.states[i]) for i in (0, 2, 3)] == [bytes(calm.states[i]) for i in (0, 2, 3)]
        assert not step.action_mask[1].any()


def test_an_illegal_action_may_be_refused_before_anything_is_played() -> None:
    env = bartizan.batch("alcazar", 3, illegal="raise")
    env.reset()
    states = env.states.tobytes()
    actions = env.random_actions()
    actions[2] = env.spaces.actions
    with pytest.raises(
        BadSetting, match=r"action 4567 at table 2 is illegal; legal are \d+.*Nothing was played"
    ):
        env.step(actions)
    assert env.states.tobytes() == states


# --- Opponents and throws ----------------------------------------------------


def test_opponents_play_inside_a_step() -> None:
    against: dict[str, Any] = {"opponents": {1: "greedy"}, "max_plies": 60}
    env = bartizan.batch("castle-danger", 4, **against)
    step = env.reset()
    assert (env.plies > 0).all()
    assert not step.reward.any()
    lost = 0
    for _ in range(60):
        assert (step.to_play == 1).all()
        step = env.step(env.random_actions())
        assert (step.reward.sum(axis=1) == 0).all()
        lost += int((step.reward[:, 1] < 0).sum())
        assert (step.terminated | ~step.reward.any(axis=1)).all()
    assert lost > 0
    one, two = (bartizan.batch("castle-danger", 2, threads=threads, **against) for threads in (1, 2))
    assert run(one, 6) == run(two, 6)


def test_seats_and_seeds_may_be_numbers_of_numpy() -> None:
    env = bartizan.batch("tower", 3, opponents={np.int64(2): "greedy"})  # type: ignore[dict-item]
    assert env.settings.opponents == {2: "greedy"}
    listed = env.reset(seed=[4, 5, 6]).observation.copy()
    assert (env.reset(seed=np.arange(4, 7)).observation == listed).all()  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="there are 2 seeds for 3 tables"):
        env.reset(seed=np.arange(2))  # type: ignore[arg-type]


def test_thrown_cards_come_out_as_the_skill_has_it() -> None:
    game = next(each for each in map(registry.get, GAMES) if each.throw_skills)
    wishes, reports = bartizan.batch(game, 8, seats=2), bartizan.batch(game, 8, seats=2, skill="any")
    assert wishes.reset().legal_count.max() * 2 < reports.reset().legal_count.max()
    ended = {}
    for skill in (game.throw_skills[0], game.throw_skills[-1]):
        env = bartizan.batch(game, 16, seats=2, skill=skill)
        env.reset()
        for _ in range(STEPS * 3):
            env.step(env.random_actions())
        ended[skill] = env.episodes.sum()
    assert ended[game.throw_skills[-1]] >= ended[game.throw_skills[0]]
    with pytest.raises(UnknownOption, match="companion"):
        bartizan.batch(game, options={"companion": "on_table"})


# --- Copies and files ----------------------------------------------------------


@every_game
def test_a_copied_table_goes_on_alike(name: str) -> None:
    env = bartizan.batch(name, 2, seed="7")
    run(env, 7)
    kept = env.copy_of(1)
    other = bartizan.batch(name, 3, seed="8")
    other.reset()
    other.load(2, kept)
    for _ in range(10):
        actions, mine = env.random_actions(), other.random_actions()
        assert actions[1] == mine[2]
        env.step(actions)
        other.step(mine)
        assert (env.last.reward[1] == other.last.reward[2]).all()
        if env.last.terminated[1]:  # each table deals its own next episode
            break
        assert env.states[1:2].tobytes() == other.states[2:3].tobytes()


@pytest.mark.parametrize("end", ["cut short", "an illegal action", "its rules"])
def test_a_copy_of_a_finished_table_is_finished(end: str) -> None:
    limit = 4 if end == "cut short" else None
    env = bartizan.batch("tower", 2, seed="7", autoreset="disabled", max_plies=limit)
    env.reset()
    while not env.last.terminated[1] and not env.last.truncated[1]:
        actions = env.random_actions()
        env.step(np.array([actions[0], -1]) if end == "an illegal action" else actions)
    said = {name: part[1].copy() for name, part in env.last._asdict().items() if name != "legal"}
    assert said["legal_count"] == 0
    kept = env.copy_of(1)
    env.reset()
    assert env.last.to_play[1] >= 0
    env.load(1, kept)
    for part, before in said.items():
        assert (getattr(env.last, part)[1] == before).all(), part
    assert env.random_actions()[1] == -1
    env.step(env.random_actions())
    assert env.last.to_play[1] == -1


@every_game
def test_a_saved_batch_goes_on_alike(name: str, tmp_path: Path) -> None:
    env = bartizan.batch(name, 3, seed="5", max_plies=30)
    run(env, 9)
    env.save(tmp_path / "batch.npz")
    seen: list[tuple[int, int]] = []
    again = load(tmp_path / "batch.npz", progress=lambda done, of: seen.append((done, of)))
    assert seen == [(0, 3), (1, 3), (2, 3)]
    assert (again.last.observation == env.last.observation).all()
    assert (again.last.action_mask == env.last.action_mask).all()
    assert run(again, 12) == run(env, 12)


def test_a_file_that_is_no_batch_is_refused(tmp_path: Path) -> None:
    env = bartizan.batch("tower", 2)
    env.reset()
    path = tmp_path / "batch.npz"
    env.save(path)
    with np.load(path) as file:
        parts = dict(file)
    wrong: dict[str, dict[str, Any]] = {
        "uint8 of shape": {"states": parts["states"][:, :-1]},
        "other options": {"states": parts["states"] ^ 1},
        "must be int64": {"plies": parts["plies"].astype(np.int32)},
        "cannot be negative": {"plies": parts["plies"] - 5},
        "viewer must be": {"viewer": parts["viewer"] + 9},
        "holds no batch": {"heading": np.frombuffer(b'{"game": "tower"}', np.uint8)},
        "no game 'towel'": {
            "heading": np.frombuffer(parts["heading"].tobytes().replace(b"tower", b"towel"), np.uint8)
        },
        "form 9": {
            "heading": np.frombuffer(parts["heading"].tobytes().replace(b'"form":1', b'"form":9'), np.uint8)
        },
    }
    for sentence, change in wrong.items():
        np.savez(path, **{**parts, **change})
        with pytest.raises(Unloadable, match=sentence):
            load(path)
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(Unloadable, match="holds no batch"):
        load(path)
    path.write_bytes(b"not a file of arrays")
    with pytest.raises(Unloadable, match=r"holds no batch, or a damaged one\.$"):
        load(path)
    with pytest.raises(Unloadable, match="cannot be read"):
        load(tmp_path / "none.npz")


@every_game
def test_bytes_of_unknown_origin_are_checked_whole(name: str) -> None:
    game = registry.get(name)
    dice = np.random.default_rng(1)
    refused = 0
    for match, _ in positions(name, 12, 0.2, most=sample(12, 80)):
        skill = "any" if game.throw_skills else None
        env = bartizan.batch(game, seats=match.seats, options=match.options, skill=skill, mask=False)
        env.load(0, match.game_state().to_bytes())
        data = bytearray(match.game_state().to_bytes())
        for _ in range(6):
            broken = data.copy()
            broken[dice.integers(len(data))] ^= 1 << int(dice.integers(8))
            try:
                env.load(0, bytes(broken))
            except BadSetting:
                refused += 1
            else:
                env.step(env.random_actions()) if env.last.legal_count[0] else None
    assert refused > 10
    env, size = bartizan.batch(game), game.state.dtype.itemsize
    for wrong in (b"", bytes(3), "text", None, bytes(size), bytes([255]) * size):
        with pytest.raises(BadSetting):
            env.load(0, wrong)  # type: ignore[arg-type]


# --- What is given and what is told ------------------------------------------------


def test_arrays_are_shared_and_not_copied() -> None:
    env = bartizan.batch("alcazar", 4)
    step = env.reset()
    pointers = [field.__array_interface__["data"][0] for field in step]
    after = env.step(env.random_actions())
    assert [field.__array_interface__["data"][0] for field in after] == pointers
    for field in step:
        shared = np.from_dlpack(field)
        assert shared.__array_interface__["data"][0] == field.__array_interface__["data"][0]
        assert shared.dtype == field.dtype
    if COMPILED:
        counts = env.states["deck"]["count"]
        assert counts.base is not None
        env.step(env.random_actions())
        assert (counts == env.states["deck"]["count"]).all()


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ({"game": "towre"}, UnknownGame, "tower"),
        ({"game": 3}, BadSetting, "game is 3"),
        ({"n": 0}, BadSetting, "n is 0; it must be a whole number from 1"),
        ({"n": 2.0}, BadSetting, "n is 2.0"),
        ({"n": True}, BadSetting, "n is True"),
        ({"seed": [1, 2]}, BadSetting, "`reset` takes a seed for each table"),
        ({"seats": 9}, BadSeats, "2 to 6 seats"),
        ({"seats": "2"}, BadSetting, "seats is '2'"),
        ({"options": {"jokrs": 2}}, UnknownOption, "jokers"),
        ({"options": [1]}, BadSetting, "must map option names"),
        ({"seed": "xyz"}, BadSeed, "hexadecimal"),
        ({"seed": -1}, BadSetting, "seed is -1"),
        ({"threads": 0}, BadSetting, "threads is 0"),
        ({"opponents": {3: "greedy"}}, BadSeats, "the seats are 1 to 2"),
        ({"opponents": {2: "gredy"}}, UnknownPlayer, "greedy"),
        ({"opponents": {2: "castellan"}}, UnknownPlayer, "looks ahead"),
        ({"opponents": {2: "policy:shipped"}}, UnknownPlayer, "asks a network"),
        ({"opponents": {1: "random", 2: "random"}}, BadSetting, "leave one to the learner"),
        ({"opponents": "greedy"}, BadSetting, "must map seats"),
        ({"skill": "expert"}, BadSetting, "nothing is thrown in Tower"),
        ({"max_plies": 0}, BadSetting, "max_plies is 0"),
        ({"mask": 1}, BadSetting, "mask is 1; it must be True or False"),
        ({"illegal": "rise"}, BadSetting, "Did you mean 'raise'"),
        ({"autoreset": "samestep"}, BadSetting, "Did you mean 'same_step'"),
        ({"device": "gpu"}, BadSetting, "'cpu' or 'cuda'"),
    ],
)
def test_settings_that_make_no_sense_say_what_does(
    settings: dict[str, Any], error: type[BartizanError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        bartizan.batch(**{"game": "tower", **settings})


def test_actions_of_another_shape_are_refused() -> None:
    env = bartizan.batch("tower", 3)
    with pytest.raises(BadSetting, match="call reset"):
        env.step([0, 0, 0])
    env.reset()
    for wrong in ([0, 0], [[0, 0, 0]], [0.0, 1.0, 2.0], ["a", "b", "c"], [True, False, True], None, 3):
        with pytest.raises(BadSetting, match=r"actions must be integers of shape \(3,\)"):
            env.step(wrong)  # type: ignore[arg-type]
    env.step(np.array(env.random_actions(), np.uint16))
    env.step(np.full(3, 2**64 - 1, np.uint64))
    assert env.last.terminated.all()
    with pytest.raises(BadSetting, match="tables must be bool"):
        env.reset(tables=[1, 0, 1])
    with pytest.raises(BadSetting, match="either seed or tables"):
        env.reset(seed="1", tables=[True, False, True])
    for call in (env.copy_of, env.game_state):
        with pytest.raises(BadSetting, match="from 0 to 2"):
            call(3)
    with pytest.raises(BadSetting, match="seat is 3"):
        env.observe(3)


def test_moves_can_be_read() -> None:
    env = bartizan.batch("castle-danger", 1)
    env.reset()
    texts = [env.text(0, int(action)) for action in env.last.legal[0, : env.last.legal_count[0]]]
    assert "end" in texts
    assert (env.observe(1) == env.last.observation).all()
    assert env.spaces.observation_size == env.last.observation.shape[1]


# --- Processes and threads ---------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_batch_goes_on_after_a_fork() -> None:
    """A child of `os.fork` has none of its parent's threads: the batch makes its own there."""
    env = bartizan.batch("castle-danger", 8, threads=2)
    env.reset()
    env.step(env.random_actions())
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a hang ends the child, whose status then isn't 0
        env.step(env.random_actions())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.step(env.random_actions())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_closed_batch_is_not_stepped(threads: int) -> None:
    env = bartizan.batch("castle-danger", 4, threads=threads)
    env.reset()
    env.close()
    env.close()
    with pytest.raises(BadSetting, match="closed"):
        env.reset()
    with pytest.raises(BadSetting, match="closed"):
        env.step([0, 0, 0, 0])


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int64])
def test_actions_may_be_integers_of_any_size(kind: type[np.integer[Any]]) -> None:
    env = bartizan.batch("alcazar", 3)
    env.reset()
    env.step(np.zeros(3, kind))
    assert (env.tables.actions == 0).all()


def test_a_few_tables_are_played_by_one_thread() -> None:
    """A second thread costs up to half as much processor time again at 1,024 tables."""
    assert default_threads(1) == default_threads(4096) == 1
    assert default_threads(8 * 4096) == min(os.cpu_count() or 1, 8)
