"""Trained policies at the table: they play what their network likes, and no file does anything else."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.files import Unwritable
from bartizan.engine.game import Game
from bartizan.envs import policy as policies
from bartizan.envs.dataset import NoDataSet, export
from bartizan.envs.policy import BadPolicy, Policy, admit, admit_folder, from_torch, save
from bartizan.envs.settings import BadSetting
from bartizan.match import Match
from bartizan.search.players import Player, policy_of, skill_of
from bartizan.server.http import game_info
from bartizan.tables.installed import Installed
from tests.corpus import line_of
from tests.envs.networks import FLOAT, INT8, INT64, embedded, layered, liking, model
from tests.envs.seeing import observed
from tests.games.tables import GAMES, played

every_game = pytest.mark.parametrize("name", GAMES)


def kept(made: onnx.ModelProto, path: Path) -> Path:
    path.write_bytes(made.SerializeToString())
    return path


def drawn(game: Game, seed: int) -> list[NDArray[np.float32]]:
    """Return weights of a small network."""
    dice, size, actions = np.random.default_rng(seed), game.observer.OBSERVATION.size, game.actions.size
    return [dice.normal(size=shape).astype(np.float32) for shape in ((size, 4), (4, actions), actions)]


# --- What it plays -------------------------------------------------------------


@every_game
def test_it_plays_what_the_network_likes_best_of_what_is_legal(name: str, tmp_path: Path) -> None:
    game = registry.get(name)
    first, second, bias = drawn(game, 3)
    policy = save(layered(game, first, second, bias), name, tmp_path / "one.onnx", skill="any")
    values = np.random.default_rng(4).normal(size=game.observer.TOKENS.size).astype(np.float32)
    by_tokens = save(embedded(game, values), game, tmp_path / "two.onnx", skill="any")
    assert by_tokens.reads_tokens
    assert not policy.reads_tokens
    looked = 0
    for match in played(name, 1):
        if match.is_over or match.ply % (1 + len(line_of(name, 1)) // 8):
            continue
        looked += 1
        legal = match.legal()
        seen = observed(game, match.game_state(), match.seat_to_move)
        wanted = seen @ first @ second + bias
        assert policy.logits(match.game_state(), legal) == pytest.approx(wanted[legal], rel=1e-3, abs=1e-3)
        chosen = policy.choose(match.game_state(), legal)
        assert chosen in legal
        assert wanted[chosen] == pytest.approx(wanted[legal].max(), rel=1e-3, abs=1e-3)
        assert by_tokens.choose(match.game_state(), legal) in legal
    assert looked > 3


def test_tokens_are_those_of_the_actions(tmp_path: Path) -> None:
    import bartizan

    env = bartizan.batch("tower", seed=4)
    env.reset()
    values = np.random.default_rng(1).normal(size=env.spaces.tokens).astype(np.float32)
    policy = save(embedded(env.game, values), "tower", tmp_path / "tokens.onnx")
    for _ in range(10):
        ragged = env.ragged(tokens=True)
        assert ragged.tokens is not None
        found = policy.logits(env.game_state(0), ragged.actions.tolist())
        assert found == pytest.approx(values[ragged.tokens].sum(axis=1), rel=1e-4, abs=1e-4)
        env.step(env.random_actions())


def test_equals_and_what_is_no_number(tmp_path: Path) -> None:
    game = registry.get("castle-danger")
    match = Match(game, seed="1")
    legal = match.legal()
    assert save(liking(game), game, tmp_path / "all.onnx").choose(match.game_state(), legal) == legal[0]
    liked = liking(game, legal[3])
    bias = numpy_helper.to_array(liked.graph.initializer[2]).copy()
    bias[legal[:3]] = np.nan
    liked.graph.initializer[2].CopyFrom(numpy_helper.from_array(bias, "bias"))
    assert save(liked, game, tmp_path / "nan.onnx").choose(match.game_state(), legal) == legal[3]
    bias[:] = np.nan
    liked.graph.initializer[2].CopyFrom(numpy_helper.from_array(bias, "bias"))
    assert save(liked, game, tmp_path / "nan.onnx").choose(match.game_state(), legal) == legal[0]


def test_what_a_seat_cannot_know_changes_nothing(tmp_path: Path) -> None:
    game = registry.get("tower")
    policy = save(layered(game, *drawn(game, 5)), game, tmp_path / "p.onnx")
    match = Match(game, seed="2", seats=3)
    legal = match.legal()
    game_state = match.game_state()
    before = policy.logits(game_state, legal)
    game.array_rules.determinize(game_state.cells, match.seat_to_move)
    assert game_state.to_bytes() != match.game_state().to_bytes()
    assert (policy.logits(game_state, legal) == before).all()


def test_it_wishes_for_one_report_of_each_throw(tmp_path: Path) -> None:
    game = registry.get("card-barrage")
    match = Match(game, seed="3")
    while not any("miss" in match.text(action) for action in match.legal()):
        match.play(match.legal()[0])
    misses = [action for action in match.legal() if "miss" in match.text(action)]
    wishes = save(liking(game, *misses), game, tmp_path / "wish.onnx")
    reports = save(liking(game, *misses), game, tmp_path / "any.onnx", skill="any")
    assert reports.choose(match.game_state(), match.legal()) == misses[0]
    assert wishes.choose(match.game_state(), match.legal()) not in misses
    name = admit(game, wishes.path, "thrower")
    assert [skill_of(game, each) for each in (name, f"{name}:child", f"{name}:expert")] == [3, 1, 4]
    assert Player.named(game, f"{name}:child", 1).skill == 1
    hits = [action for action in match.legal() if " hit " in match.text(action)]
    hitting = save(liking(game, *hits), game, tmp_path / "hit.onnx")
    name = admit(game, hitting.path, "hitter")
    thrown = {
        match.text(Player.named(game, f"{name}:child", seed).choose(match.game_state(), match.legal()))
        for seed in range(30)
    }
    assert {"miss" in text for text in thrown} == {True, False}


# --- Who may play, and where ------------------------------------------------------


def test_it_sits_at_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.get("castle-danger")
    match = Match(game, seed="5")
    liked = match.legal()[7]
    file = save(liking(game, liked), game, tmp_path / "My Policy.onnx").path
    words = ["trace", "castle-danger", "--games", "1", "--json", "--seed", "5"]
    assert main([*words, "--seats", f"policy:{file},random"]) == 0
    first, *rest = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first["move"] == match.text(liked)
    assert "result" in rest[-1]
    assert main([*words, "--players", f"policy:{file},random"]) == 0  # the same games again
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [first, *rest]
    assert main(["ladder", "castle-danger", "--players", f"policy:{file},random", "--games", "2"]) == 0
    assert f"policy:{file} against random" in capsys.readouterr().out


def test_it_makes_data(tmp_path: Path) -> None:
    game = registry.get("castle-danger")
    file = save(liking(game), game, tmp_path / "p.onnx").path
    name = admit(game, file)
    given: dict[str, Any] = {"players": [name, "random"], "max_plies": 3}
    assert export(game, tmp_path / "set", 2, **given).plies == 6
    save(liking(game, 5), game, file)
    admit(game, file)
    with pytest.raises(NoDataSet, match="its digests are"):
        export(game, tmp_path / "set", 2, **given)


def test_no_batch_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.get("castle-danger")
    name = admit(game, save(liking(game), game, tmp_path / "p.onnx").path)
    with pytest.raises(UnknownPlayer, match="asks a network, and batches are for players that do not"):
        policy_of(game, name)
    assert main(["simulate", "castle-danger", "--games", "1", "--players", name]) == 2
    assert "bartizan ladder castle-danger" in capsys.readouterr().err


def test_a_server_knows_what_lies_in_its_folder_alone(tmp_path: Path) -> None:
    games = [registry.get(name) for name in GAMES]
    for game in games[:2]:
        save(liking(game), game, tmp_path / f"{game.name}-7.onnx")
    kept(liking(games[0]), tmp_path / "unsigned.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"\xff" * 40)
    (tmp_path / "notes.txt").write_text("no policy")
    refused = admit_folder(games, tmp_path)
    assert sorted(refused) == ["broken.onnx", "unsigned.onnx"]
    assert "isn't an ONNX file" in refused["broken.onnx"]
    assert "does not say for which game" in refused["unsigned.onnx"]
    for game in games[:2]:
        name = f"policy:{game.name}-7"
        assert name in game.players()
        assert game.check_player(name) == name
        assert not any(str(tmp_path) in each for each in game.players())
    assert not any("policy:" in each for each in games[2].players())
    for outside in ("policy:unsigned", f"policy:{tmp_path}/unsigned.onnx", "policy:../p", "policy:"):
        with pytest.raises(UnknownPlayer):
            games[0].check_player(outside)
    with pytest.raises(BadPolicy, match="holds no policy"):
        admit_folder(games, Path(__file__).parent)
    with pytest.raises(BadPolicy, match="cannot be read"):
        admit_folder(games, tmp_path / "missing")


def test_it_sits_at_a_table_in_the_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.get("castle-danger")
    match = Match(game, seed="5")
    liked = match.legal()[-1]
    save(liking(game, liked), game, tmp_path / "Keen.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"")
    monkeypatch.setattr("bartizan.server.run.serve", lambda *given, processes, **more: processes.prepare())
    assert main(["serve", "--policies", str(tmp_path)]) == 0
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 1
    assert "broken.onnx" in err[0]
    assert game_info(game).players[-1] == "policy:Keen"
    move = Installed().player(game.name, "policy:Keen").choose(match)
    assert move.action == liked
    assert main(["serve", "--policies", str(tmp_path / "none")]) == 2
    assert "none cannot be read: no such file" in capsys.readouterr().err


# --- What files may say ------------------------------------------------------------


def hostile() -> dict[str, tuple[onnx.ModelProto, str]]:
    """Return models that no table may take, and what is said of each."""
    game = registry.get("castle-danger")
    size, actions, width = game.observer.OBSERVATION.size, game.actions.size, game.observer.TOKENS.width
    seen, told = ("observation", FLOAT, [1, size]), ("logits", FLOAT, [1, actions])

    def wrong(inputs: list[Any], outputs: list[Any], op: str = "Identity", **attributes: Any) -> Any:
        node = helper.make_node(op, [inputs[0][0]], [outputs[0][0]], **attributes)
        return model([node], inputs, outputs)

    outside = liking(game)
    outside.graph.initializer[0].data_location = TensorProto.EXTERNAL
    outside.graph.initializer[0].external_data.add(key="location", value="/etc/passwd")
    inside = liking(game)
    constant = helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(np.zeros(1), "c"))
    constant.attribute[0].t.external_data.add(key="location", value="../secret")
    inside.graph.node.append(constant)
    loop = liking(game)
    body = helper.make_graph([], "body", [], [])
    loop.graph.node.append(helper.make_node("Loop", ["", ""], ["never"], body=body))
    foreign = wrong([seen], [told], "Run", domain="com.example")
    functions = liking(game)
    functions.functions.add(name="f", domain="own")
    other = liking(game)
    other.metadata_props.add(key="bartizan.game", value="tower")
    fewer = wrong([seen], [told])  # whatever it declares
    return {
        "outside": (outside, "weights 'first' lie in another file"),
        "outside, inside an operator": (inside, "weights 'c' lie in another file"),
        "a loop": (loop, "operator 'Loop' has a network inside"),
        "an operator from elsewhere": (foreign, "operator 'Run' is of 'com.example'"),
        "functions": (functions, "functions of its own"),
        "another game's": (other, "made for 'tower'"),
        "nothing": (onnx.ModelProto(), "isn't an ONNX file, or has no network"),
        "another input": (wrong([("obs", FLOAT, [1, size])], [told]), "its inputs are 'obs'; they must be"),
        "an input too many": (wrong([seen, ("mask", FLOAT, [1])], [told]), "its inputs are"),
        "another output": (wrong([seen], [("value", FLOAT, [1, size])]), "there is no 'logits'"),
        "another size": (
            wrong([("observation", FLOAT, [1, size + 1])], [told]),
            rf"'observation' has the shape \(1, {size + 1}\); here it must be \(1, {size}\)",
        ),
        "other actions": (
            wrong([seen], [("logits", FLOAT, [1, size])]),
            rf"'logits' has the shape \(1, {size}\); here it must be \(1, {actions}\)",
        ),
        "another rank": (wrong([("observation", FLOAT, [size])], [told]), "'observation' has the shape"),
        "another type": (
            wrong([("observation", INT64, [1, size])], [told], "Cast", to=FLOAT),
            r"'observation' is tensor\(int64\)",
        ),
        "another type of output": (
            wrong([seen], [("logits", INT8, [1, actions])], "Cast", to=INT8), r"'logits' is tensor\(int8\)",
        ),
        "a fixed number of tokens": (
            model(
                [
                    helper.make_node("Cast", ["tokens"], ["x"], to=FLOAT),
                    helper.make_node("ReduceSum", ["x", "axis"], ["sums"], keepdims=0),
                    helper.make_node("ReduceMax", ["observation"], ["most"], keepdims=0),
                    helper.make_node("Add", ["sums", "most"], ["logits"]),
                ],
                [seen, ("tokens", INT64, [4, width])], [("logits", FLOAT, [4])], axis=np.array([1]),
            ),
            r"'tokens' has the shape \(4, ",
        ),
        "fewer logits than it says": (fewer, f"came out with the shape .1, {size}., not {actions}"),
        "an operator that is none": (wrong([seen], [told], "Nonsense"), "ONNX Runtime rejects it"),
    }  # fmt: skip


@pytest.mark.parametrize("what", hostile())
def test_what_is_no_policy_is_told(what: str, tmp_path: Path) -> None:
    made, told = hostile()[what]
    file = kept(made, tmp_path / "p.onnx")
    game = registry.get("castle-danger")
    with pytest.raises(BadPolicy, match=told) as raised:
        Policy(game, file)
    assert "\n" not in str(raised.value)
    if what != "another game's":  # its mark is written anew
        with pytest.raises(BadPolicy):
            save(made, game, tmp_path / "saved.onnx")
        assert not (tmp_path / "saved.onnx").exists()


def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.get("castle-danger")
    whole = liking(game).SerializeToString()
    for data in (b"", b"\0" * 100, os.urandom(300), whole[: len(whole) // 2], b"PK\3\4" + whole):
        (tmp_path / "p.onnx").write_bytes(data)
        with pytest.raises(BadPolicy):
            Policy(game, tmp_path / "p.onnx")
    os.mkfifo(tmp_path / "pipe.onnx")
    for name, told in (("", "is a folder"), ("none.onnx", "is not there"), ("pipe.onnx", "isn't a file")):
        assert main(["play", "castle-danger", "--players", f"person,policy:{tmp_path / name}"]) == 2
        err = capsys.readouterr().err
        assert told in err
        assert len(err.splitlines()) == 1
    for file, meant in (("shiped", "shipped"), (str(tmp_path / "p.onx"), str(tmp_path / "p.onnx"))):
        assert main(["play", "castle-danger", "--players", f"person,policy:{file}"]) == 2
        assert f"Did you mean {meant!r}?" in capsys.readouterr().err
    for game_name, skill, meant in (
        ("card-barrage", "expret", "shipped:expert"),
        ("tower", "expert", "shipped"),
    ):
        assert main(["play", game_name, "--players", f"person,policy:shipped:{skill}"]) == 2
        assert f"Did you mean 'policy:{meant}'?" in capsys.readouterr().err
    assert main(["play", "castle-danger", "--players", "person,policy:mine"]) == 2
    assert "Did you mean" not in capsys.readouterr().err
    with pytest.raises(BadPolicy, match="must end in"):
        save(liking(game), game, tmp_path / "p.txt")
    with pytest.raises(Unwritable):
        save(liking(game), game, tmp_path / "missing" / "p.onnx")


def test_what_cannot_be_saved_is_told_and_the_callers_model_stays(tmp_path: Path) -> None:
    path, game = tmp_path / "p.onnx", registry.get("card-barrage")
    with pytest.raises(BadPolicy, match=r"a str isn't an ONNX model; `from_torch` makes one"):
        save("mine.onnx", game, path)  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match=r"skill .*Any"):
        save(liking(game), game, path, skill="Any")
    other = liking(registry.get("tower"))
    with pytest.raises(BadPolicy, match=rf"^{re.escape(str(path))} isn't a policy for Card Barrage"):
        save(other, game, path)
    own = liking(game)
    before = own.SerializeToString()
    save(own, game, path, skill="any")
    assert own.SerializeToString() == before


@pytest.mark.parametrize("missing", ["onnx", "onnxruntime"])
def test_a_missing_extra_is_named(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = kept(liking(registry.get("castle-danger")), tmp_path / "p.onnx")
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["play", "castle-danger", "--players", f"person,policy:{file}"]) == 2
    assert "pip install 'bartizan[policy]'" in capsys.readouterr().err


def test_large_and_slow_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("castle-danger")
    file = save(liking(game), game, tmp_path / "p.onnx").path
    with monkeypatch.context() as patch:
        patch.setattr(policies, "LARGEST", file.stat().st_size - 1)
        with pytest.raises(BadPolicy, match="is larger than"):
            Policy(game, file)
    with monkeypatch.context() as patch:
        patch.setattr(policies, "SLOWEST", 0.0)
        with pytest.raises(BadPolicy, match=re.escape("seconds per evaluation; at most")):
            Policy(game, file)
    assert Policy(game, file).digest == Policy(game, file).digest


def test_a_module_of_pytorch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch; CONTRIBUTING says how to run it")
    game = registry.get("castle-danger")
    observer = game.observer
    match = Match(game, seed="1")

    class ByTokens(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.seen = torch.nn.Linear(observer.OBSERVATION.size, 8)
            self.about = torch.nn.Embedding(observer.TOKENS.size, 8, padding_idx=0)

        def forward(self, observation: Any, tokens: Any) -> Any:
            return (self.about(tokens).sum(1) * torch.tanh(self.seen(observation))).sum(1)

    torch.manual_seed(1)
    by_ids, by_tokens = torch.nn.Linear(observer.OBSERVATION.size, game.actions.size), ByTokens()
    for module, tokens in ((by_ids, False), (by_tokens, True)):
        policy = save(from_torch(module, game, tokens=tokens), game, tmp_path / f"{tokens}.onnx")
        assert policy.reads_tokens == tokens
        found = policy.logits(match.game_state(), match.legal())
        assert found.shape == (len(match.legal()),)
        if not tokens:
            seen = observed(game, match.game_state(), match.seat_to_move)
            wanted = by_ids(torch.from_numpy(seen).float()).detach().numpy()[match.legal()]
            assert found == pytest.approx(wanted, rel=1e-4, abs=1e-5)
        assert module.training


def test_a_module_that_reads_another_observation_gets_a_sentence() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch; CONTRIBUTING says how to run it")
    size = registry.get("castle-danger").observer.OBSERVATION.size
    with pytest.raises(BadPolicy, match=rf"can't be called with observation \(1, {size}\): "):
        from_torch(torch.nn.Linear(size + 1, 8), "castle-danger")
    with pytest.raises(BadPolicy, match=r"observation .* and tokens \(3, "):
        from_torch(torch.nn.Linear(size, 8), "castle-danger", tokens=True)
    with pytest.raises(BadPolicy, match="a function isn't a PyTorch module"):
        from_torch(lambda observation: observation, "castle-danger")
