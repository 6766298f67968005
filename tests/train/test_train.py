"""``bartizan train``: it learns from the right things, a killed run goes on, the policy is the network."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

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

from bartizan.cli import train_command  # noqa: E402 - behind what may be missing
from bartizan.cli.main import main  # noqa: E402
from bartizan.engine.network import UNIT  # noqa: E402
from bartizan.engine.policy_network import load_policy  # noqa: E402
from bartizan.envs.making import batch  # noqa: E402
from bartizan.envs.policy import Policy  # noqa: E402
from bartizan.train import run  # noqa: E402
from bartizan.train.evaluation import SEED, results_of  # noqa: E402
from bartizan.train.network import ActionScorer, Decisions, largest, look  # noqa: E402
from bartizan.train.ppo import PlayedStep, Trainer, TrainingGroup, _begin, settings_of  # noqa: E402
from bartizan.train.run import BadTraining, PolicyTraining  # noqa: E402
from bartizan.train.tables import USUAL, TrainedVariants, tables_of  # noqa: E402

DUEL = registry.get("castle-danger")


def trainer() -> Trainer:
    return Trainer(DUEL, 2, seed=1)


def test_advantages_are_those_of_each_seats_own_decisions() -> None:
    """Two tables, five turns, seats that move once or twice in a row, a game that ends within them."""
    learner = trainer()
    env = batch(DUEL, 2, seats=2, mask=False)
    env.reset()
    network = learner.network
    group = TrainingGroup(env, np.array([[True, True], [True, False]]))
    movers = [(0, 0), (0, 1), (1, 0), (0, 1), (1, 0)]
    dice = np.random.default_rng(3)
    turns, values = [], {}
    ends = [(False, False), (False, False), (True, False), (False, False), (False, False)]
    for at, (mover, end) in enumerate(zip(movers, ends, strict=True)):
        seats = np.array(mover)
        learns = group.learns[np.arange(2), seats]
        value = torch.from_numpy(dice.normal(size=int(learns.sum())).astype(np.float32))
        for table, each in zip(np.flatnonzero(learns), value.tolist(), strict=True):
            values[at, int(table)] = each
        reward = np.array([[0.0, 0.0], [0.0, 0.0]], np.float32)
        if end[0]:
            reward[0] = (-1.0, 1.0)
        decisions = Decisions(look(env).of(learns), torch.zeros(len(value), dtype=torch.long), value, value)
        turns.append(PlayedStep(decisions, learns, seats, reward, reward, np.array(end)))
    samples = learner._weigh(group, turns)
    found = {
        (at, int(table)): float(advantage)
        for at, (turn, sample) in enumerate(zip(turns, samples, strict=True))
        for table, advantage in zip(np.flatnonzero(turn.learns), sample.advantage, strict=True)
    }
    discount, trace = learner.settings.discount, learner.settings.discount * learner.settings.horizon
    view = look(env)
    with torch.no_grad():
        ahead = network(*view[:3])[1].numpy()
    to_play = env.last.to_play
    # Table 0: seat 0 decides at 0 and 1, seat 1 at 2; then the game ends: each gets its own reward.
    assert found[2, 0] == pytest.approx(1.0 - values[2, 0], abs=1e-5)
    second = -1.0 - values[1, 0]
    assert found[1, 0] == pytest.approx(second, abs=1e-5)
    assert found[0, 0] == pytest.approx(discount * values[1, 0] - values[0, 0] + trace * second, abs=1e-5)
    # Of the next game seat 0 decides at 3, seat 1 at 4; only whose turn it is now has a value ahead.
    for at, seat in ((3, 0), (4, 1)):
        expected = discount * ahead[0] - values[at, 0] if to_play[0] == seat else 0.0
        assert found[at, 0] == pytest.approx(expected, abs=1e-5)
    # Table 1: seat 0 alone learns, at 0, 2 and 4; nothing ends.
    last = discount * ahead[1] - values[4, 1] if to_play[1] == 0 else 0.0
    assert found[4, 1] == pytest.approx(last, abs=1e-5)
    middle = discount * values[4, 1] - values[2, 1] + trace * last
    assert found[2, 1] == pytest.approx(middle, abs=1e-5)
    assert (1, 1) not in found


def test_some_tables_of_a_view_are_those_tables() -> None:
    env = batch(DUEL, 6, seats=2, mask=False)
    env.reset()
    for _ in range(9):
        env.step(env.random_actions())
    whole, chosen = look(env), np.array([True, False, False, True, True, False])
    part = whole.of(chosen)
    for at, table in enumerate(np.flatnonzero(chosen)):
        first, after = whole.offsets[table], whole.offsets[table + 1]
        own = slice(part.offsets[at], part.offsets[at + 1])
        assert part.actions[own].tolist() == whole.actions[first:after].tolist()
        assert (part.tokens[own] == whole.tokens[first:after]).all()
        assert set(part.rows[own].tolist()) == {at}
        assert (part.seen[at] == whole.seen[table]).all()


def test_only_the_result_counts_once_a_game_is_over() -> None:
    """What progress is rewarded during a game is taken back at its end, but for the deal's own value."""
    learner = trainer()
    assert learner._progress is not None
    group = learner._groups[0]  # against greedy
    group.env.reset()
    dealt = learner._progress(group.env.states)
    total, over = np.zeros_like(dealt), np.zeros(group.env.n, bool)
    for _ in range(600):
        turn = learner._turn(group)
        total += turn.rewards * ~over[:, None]
        fresh = turn.ends & ~over
        assert total[fresh] == pytest.approx((turn.results - dealt)[fresh], abs=1e-4)
        over |= fresh
    assert over.any()


@pytest.mark.parametrize("name", registry.names())
def test_progress_is_told_for_every_seat(name: str) -> None:
    game = registry.get(name)
    seats = 1 if game.max_seats == 1 else max(2, game.min_seats)
    _, progress = settings_of(game, seats)
    assert progress is not None
    env = batch(game, 5, seats=seats, mask=False)
    env.reset()
    for _ in range(20):
        assert progress(env.states).shape == (5, seats)
        env.step(env.random_actions())


def test_games_begin_at_different_times() -> None:
    env = batch(registry.get("card-cassonne"), 16, seats=2, mask=False)  # all its games are equally long
    _begin(env, 1)
    assert len({int(each) for each in env.states["laid"]}) > 8


def test_a_little_training_beats_greedy_from_both_seats(tmp_path: Path) -> None:
    if not THOROUGH:
        pytest.skip("takes a minute")
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.run(60)
    assert results_of(training.trainer.network, DUEL, 2, 200, SEED, USUAL).mean(axis=1).min() > 0.6


def test_the_policy_scores_as_the_network_does(tmp_path: Path) -> None:
    env = batch(DUEL, 4, seats=2, mask=False)
    network = ActionScorer(largest(env), env.spaces.tokens)
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.folder.mkdir()
    training.trainer.network.load_state_dict(network.state_dict())
    policy = Policy(DUEL, training.finish())
    env.reset()
    for _ in range(5):
        env.step(env.random_actions())
    view = look(env)
    with torch.no_grad():
        scores = network(*view[:3])[0].numpy()
    for table in range(4):
        own = slice(view.offsets[table], view.offsets[table + 1])
        told = policy.logits(env.game_state(table), view.actions[own].tolist())
        assert told == pytest.approx(scores[own], abs=1e-4)


def test_the_file_has_no_critic(tmp_path: Path) -> None:
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.folder.mkdir()
    critic = sum(each.numel() for each in training.trainer.network.critic.parameters())
    whole = sum(each.numel() for each in training.trainer.network.parameters())
    assert training.finish().stat().st_size < 4 * (whole - critic) + 30_000


def test_one_network_learns_several_variants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variants = TrainedVariants(({"add_cost": 1}, {"add_cost": 3}, {"setup.symmetry": "mirror"}))
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2, variants=variants)
    training.run(2)
    policy = Policy(DUEL, training.finish())
    assert policy.observes_options
    env = batch(DUEL, 3, options=variants.options, observe_options=True, mask=False)
    env.reset()
    view = look(env)
    with torch.no_grad():
        scores = training.trainer.network(*view[:3])[0].numpy()
    for table in range(3):
        own = slice(view.offsets[table], view.offsets[table + 1])
        told = policy.logits(env.game_state(table), view.actions[own].tolist())
        assert told == pytest.approx(scores[own], abs=1e-4)
    results = results_of(training.trainer.network, DUEL, 2, 7, "1", variants)
    assert results.shape == (2, 7)
    assert len(variants.dealt(2, 1)) == 2  # some of them, at fewer tables
    assert PolicyTraining(DUEL, tmp_path / "t", seats=2, variants=variants).spent >= 2
    with pytest.raises(BadTraining, match=r"its options are .*, not the usual ones"):
        PolicyTraining(DUEL, tmp_path / "t", seats=2)


def test_a_level_chooses_as_the_network_does(tmp_path: Path) -> None:
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.run(3)
    training.finish()
    network = load_policy(tmp_path / "t" / "policy.npz")
    env = batch(DUEL, 200, mask=False)
    env.reset()
    alike = 0
    for _ in range(5):
        view = look(env)
        with torch.no_grad():
            scores = training.trainer.network(*view[:3])[0].numpy()
        for table, seen in enumerate(view.seen.numpy()):
            own = slice(view.offsets[table], view.offsets[table + 1])
            whole = network.scores(seen, view.tokens[own].numpy().astype(np.int16))
            alike += whole.argmax() == scores[own].argmax()
            assert whole / UNIT**2 - whole.mean() / UNIT**2 == pytest.approx(
                scores[own] - scores[own].mean(), abs=0.05
            )
        env.step(env.random_actions())
    assert alike > 970


def test_everyone_throws_as_well_as_the_training_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    barrage = registry.get("card-barrage")
    env = tables_of(barrage, 4, TrainedVariants(skill="decent"), seats=2, seed=1, learner=0)
    assert (env.settings.skill, env.settings.opponents) == ("decent", {2: "greedy:decent"})
    training = PolicyTraining(barrage, tmp_path / "t", seats=2, variants=TrainedVariants(skill="decent"))
    training.run(1)
    with pytest.raises(BadTraining, match="its skill is decent, not expert"):
        PolicyTraining(barrage, tmp_path / "t", seats=2)
    for game, skill, said in (
        ("tower", "expert", "Nothing is thrown in Tower."),
        ("card-barrage", "any", "--skill is 'any'"),
    ):
        assert main(["train", game, "--skill", skill, "--out", str(tmp_path / "n")]) == 2
        assert said in capsys.readouterr().err


def test_every_digit_of_a_seed_counts() -> None:
    small = [train_command.seed_of(text) for text in ("0", "5", "0x0000000005", "FFFFFFFF")]
    assert small == [0, 5, 5, 2**32 - 1]
    long = [train_command.seed_of(text) for text in ("100000005", "200000005", "f" * 32, "e" + "f" * 31)]
    assert len({5, *long}) == 5
    for seed in long:
        Trainer(DUEL, 2, seed)


def test_the_command_that_rates_plays_enough_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert train_command._rate("tower", Path("p.onnx"), 2, ["jokers=0"], 0) == 0
    assert capsys.readouterr().out == (
        "Rate it with: bartizan ladder tower --players policy:p.onnx,greedy,random --games 200 --seats 2 "
        "--set jokers=0\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--set add_cost=1 --vary add_cost=1,2", "add_cost is both set and varied"),
        ("--vary add_cost", "not of the form key=value,value"),
        ("--vary ad_cost=1,2", "Did you mean 'add_cost'"),
        ("--vary add_cost=1,9", "it must be a whole number from 0 to 3"),
        ("--vary turn_limit=1..200", "--vary makes 200 variants; at most 128 are allowed"),
        ("--vary add_cost=1 --vary add-cost=2", "--vary add_cost is given twice."),
        ("--vary add_cost=1,2,1", "--vary add_cost has the value 1 twice."),
    ],
)
def test_wrong_variants_are_refused(
    words: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "castle-danger", "--out", str(tmp_path / "t"), *words.split()]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_a_killed_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    kill_at_checkpoint(tmp_path / "t", "--rate", "0")
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    assert training.spent > 0
    was = training.spent
    training.run(was + 1)
    again = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    assert again.spent >= was + 1
    assert again.course == training.course != []
    assert all(0 <= won <= ended for _, won, ended in again.course)
    for name, each in again.trainer.network.state_dict().items():
        assert torch.equal(each, training.trainer.network.state_dict()[name])


def test_a_training_stopped_by_ctrl_c_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(training: PolicyTraining, *_: object) -> None:
        began = time.process_time()
        while time.process_time() < began + 0.2:
            pass
        with torch.no_grad():
            next(training.trainer.network.parameters()).fill_(0.5)
        raise KeyboardInterrupt

    monkeypatch.setattr(PolicyTraining, "_update", stopped)
    assert main(["train", "castle-danger", "--out", str(tmp_path / "t")]) == 130
    assert "continues from the last checkpoint" in capsys.readouterr().out
    again = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    assert 0.2 <= again.spent < 30
    assert (next(again.trainer.network.parameters()) == 0.5).all()


def test_a_training_that_is_done_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.run(0.1)
    training.spent = 61.0
    training._keep()
    words = ["--minutes", "1", "--deals", "2", "--rate", "0"]
    assert main(["train", "castle-danger", "--out", str(tmp_path / "t"), *words]) == 0
    assert "has 61 s of training. Increase --minutes for more.\n" in capsys.readouterr().out


@pytest.mark.parametrize(("decisions", "first"), [(0, 8), (5_000, 5_001)])
def test_the_log_forgets_what_came_after_the_checkpoint(
    decisions: int, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []

    writer: Any = vars(run)["SummaryWriter"]

    def opened(folder: str, purge_step: int | None = None) -> Any:
        given.append(purge_step)
        return writer(folder, purge_step=purge_step)

    monkeypatch.setattr(run, "SummaryWriter", opened)
    training = PolicyTraining(DUEL, tmp_path / "t", seats=2)
    training.run(0)
    training.spent, training.trainer.decisions = 7.5, decisions
    training.run(0)
    assert given == [None, first]


@pytest.mark.parametrize("spoil", ["cut", "other", "words", "old"])
def test_what_is_no_checkpoint_of_it_is_refused(
    tmp_path: Path, spoil: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "t"
    training = PolicyTraining(DUEL, folder, seats=2)
    training.run(0)
    path = folder / "checkpoint.pt"
    if spoil == "cut":
        path.write_bytes(path.read_bytes()[:-2000])
    elif spoil == "words":
        path.write_text("no checkpoint")
    elif spoil == "old":
        held = torch.load(path, weights_only=True)
        held["network"]["first"] = held["network"].pop("inlet")
        torch.save(held, path)
    seed = 5 if spoil == "other" else 0
    said = {"other": "its seed is 0, not 5", "old": "is of another version"}.get(spoil, "is damaged")
    with pytest.raises(BadTraining, match=said):
        PolicyTraining(DUEL, folder, seats=2, seed=seed)
    assert main(["train", "castle-danger", "--out", str(folder), "--seed", str(seed)]) == 2
    assert "Choose another folder" in capsys.readouterr().err or not seed


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["train", "castle-danger", "--out", str(tmp_path / "file")]) == 2
    assert "file cannot be made a folder" in capsys.readouterr().err
    other = PolicyTraining(DUEL, tmp_path / "run", seats=2)
    other.about["seats"] = 3
    other.run(0)
    with pytest.raises(BadTraining, match="its seats are 3, not 2"):
        PolicyTraining(DUEL, tmp_path / "run", seats=2)


@pytest.mark.parametrize("name", ["policy.onnx", "policy.npz"])
def test_a_policy_from_elsewhere_is_not_overwritten(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("mine")
    monkeypatch.setattr(PolicyTraining, "run", None)
    assert main(["train", "castle-danger", "--out", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert f"{name} is there already, and checkpoint.pt isn't. Move it away, or take another folder." in err
    assert [each.name for each in tmp_path.iterdir()] == [name]
