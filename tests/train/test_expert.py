"""``bartizan train --algorithm expert``: it learns what the search plays, and goes on after a kill."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.mode import COMPILED
from tests.corpus import THOROUGH
from tests.train.killing import kill_at_checkpoint

torch = pytest.importorskip("torch", reason="needs PyTorch; CONTRIBUTING says how to run it")
pytest.importorskip("tensorboard", reason="needs PyTorch; CONTRIBUTING says how to run it")
if not COMPILED:
    pytest.skip("needs compiled rules", allow_module_level=True)

from bartizan.cli.main import main  # noqa: E402 - behind what may be missing
from bartizan.envs.batch import Batch  # noqa: E402
from bartizan.envs.making import batch  # noqa: E402
from bartizan.search.players import SearchPlayer  # noqa: E402
from bartizan.train.evaluation import SEED, results_of  # noqa: E402
from bartizan.train.expert import ExpertSettings, ExpertTrainer, Searches  # noqa: E402
from bartizan.train.network import best, look  # noqa: E402
from bartizan.train.run import BadTraining, PolicyTraining  # noqa: E402
from bartizan.train.tables import USUAL  # noqa: E402

DUEL, ALONE = registry.get("castle-danger"), registry.get("alcazar")
QUICK = ExpertSettings(tables=16, steps=4, iterations=16, parts=4, batch=32)


def positions(n: int) -> Batch:
    env = batch(DUEL, n, seats=2, mask=False, seed=4)
    env.reset()
    for _ in range(11):
        env.step(env.random_actions())
    return env


def searches(threads: int, iterations: int = 60) -> Searches:
    return Searches(DUEL, 2, 5, threads, 0, ExpertSettings(iterations=iterations))


def test_shares_are_those_of_the_search_and_threads_do_not_matter() -> None:
    env = positions(9)
    view = look(env)
    shares = searches(1).shares(env, view, 3)
    assert torch.equal(shares, searches(3).shares(env, view, 3))
    assert not torch.equal(shares, searches(1).shares(env, view, 4))  # other random numbers
    for table in range(9):
        own = slice(view.offsets[table], view.offsets[table + 1])
        assert float(shares[own].sum()) == pytest.approx(1, abs=1e-5)
        assert (shares[own] >= 0).all()


def test_a_long_search_is_sure_of_what_the_strongest_level_plays() -> None:
    env = positions(24)
    view = look(env)
    chosen = view.actions[best(searches(1, 2_000).shares(env, view, 1).numpy(), view)]
    level = next(each for each in DUEL.player_levels if each.name == "marshal")
    same = 0
    for table in range(24):
        own = view.actions[view.offsets[table] : view.offsets[table + 1]].tolist()
        same += SearchPlayer(DUEL, level, 7).choose(env.game_state(table), own) == chosen[table]
    assert same >= 12  # by chance it would be 3


def test_results_belong_to_the_seat_that_moved() -> None:
    trainer = ExpertTrainer(DUEL, 2, seed=1, settings=QUICK)
    ended = 0
    for _ in range(40):
        before = len(trainer._examples)
        opened = [[list(places) for places in group] for group in trainer._open]
        for number in range(len(trainer._groups)):
            rewards, ends = trainer._step(number)
            for table in np.flatnonzero(ends).tolist():
                assert trainer._open[number][table] == []
                for example, row, seat in opened[number][table]:
                    assert example.result[row] == rewards[table, seat]
                    ended += 1
        assert len(trainer._examples) > before
    assert ended > 0
    for example in trainer._examples:
        assert (np.diff(example.view.offsets) > 1).all()  # nothing is learned where there is no choice


def test_old_positions_are_dropped() -> None:
    trainer = ExpertTrainer(DUEL, 2, seed=1, settings=QUICK)
    trainer.settings = ExpertSettings(tables=16, steps=4, iterations=2, parts=1, batch=32, kept=100)
    for _ in range(4):
        trainer.update(1)
        assert sum(len(each.view.seen) for each in trainer._examples) <= 100


@pytest.mark.parametrize("game", [DUEL, ALONE], ids=lambda game: game.name)
def test_it_learns_to_agree_with_the_search(game: object) -> None:
    seats = 1 if game is ALONE else 2
    trainer = ExpertTrainer(game, seats, seed=1, settings=QUICK)  # type: ignore[arg-type]
    trainer.update(1)
    losses = [trainer._learn() for _ in range(80)]
    assert np.mean(losses[-20:]) < np.mean(losses[:20])
    assert trainer.decisions > 0


def test_the_same_seed_trains_the_same_network() -> None:
    made, counts = [], []
    for _ in range(2):
        trainer = ExpertTrainer(DUEL, 2, seed=3, settings=QUICK)
        counts.append([trainer.update(0.5) for _ in range(2)])
        made.append(trainer.network.state_dict())
    first, second = made
    assert counts[0] == counts[1]
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_little_training_beats_greedy_from_both_seats(tmp_path: Path) -> None:
    if not THOROUGH:
        pytest.skip("takes a minute")
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2, algorithm="expert")
    training.run(60)
    assert results_of(training.trainer.network, DUEL, 2, 200, SEED, USUAL).mean(axis=1).min() > 0.3


def test_a_killed_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    kill_at_checkpoint(tmp_path / "t", "--algorithm", "expert")
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2, algorithm="expert")
    was = training.spent
    assert was > 0
    training.run(was + 1)
    again = PolicyTraining(DUEL, tmp_path / "t", seats=2, algorithm="expert")
    assert again.spent >= was + 1
    assert again.course == training.course
    assert again.trainer.decisions == training.trainer.decisions
    for name, each in again.trainer.network.state_dict().items():
        assert torch.equal(each, training.trainer.network.state_dict()[name])
    with pytest.raises(BadTraining, match="its algorithm is expert, not ppo"):
        PolicyTraining(DUEL, tmp_path / "t", seats=2)


def test_wrong_algorithms_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "castle-danger", "--algorithm", "exprt", "--out", str(tmp_path / "t")]) == 2
    told = capsys.readouterr().err
    assert "exprt" in told
    assert "'expert'" in told
    assert not (tmp_path / "t").exists()
