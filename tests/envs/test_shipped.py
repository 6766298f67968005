"""The policies that come with the package: undamaged, small, and as good as their index says."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path
from statistics import mean

import pytest

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.engine.mode import COMPILED
from bartizan.envs import shipped
from bartizan.envs.policy import SHIPPED, BadPolicy, admit, save
from bartizan.lab.ladder import LadderGame
from bartizan.train.tables import SKILL, tables_of
from tests.corpus import sample
from tests.envs.networks import liking
from tests.games.tables import GAMES

INDEX = shipped.index()
ROUNDS = sample(6, 12)  # of the sanity check
CLOSE = 0.3  # how far a few dozen games may lie from what thousands gave


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in place of the package's, with one made-up policy in it."""
    game = registry.get("castle-danger")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "policies")
    made = save(liking(game), game, tmp_path / "made.onnx")
    shipped.ship(made.path, game, command="bartizan train castle-danger", deals=40, wins=(0.25, 0.5))
    return tmp_path / "policies"


@pytest.mark.parametrize("name", INDEX)
def test_a_shipped_policy_is_undamaged_and_small(name: str) -> None:
    told = INDEX[name]
    data = shipped.data_of(registry.get(name))
    assert (len(data), sha256(data).hexdigest()) == (told.size, told.sha256)
    assert told.size <= shipped.LARGEST_SHIPPED
    assert told.made.startswith(f"bartizan train {name} ")
    assert len(told.wins) == max(1, min(2, registry.get(name).max_seats))


def test_the_folder_holds_nothing_else() -> None:
    names = {path.name for path in shipped.FOLDER.iterdir()}
    assert names == {shipped.INDEX, *(told.file for told in INDEX.values())}
    assert set(INDEX) <= set(GAMES)


@pytest.mark.skipif(not COMPILED, reason="whole games want compiled rules")
@pytest.mark.parametrize("name", INDEX)
def test_a_shipped_policy_plays_as_well_as_its_index_says(name: str) -> None:
    game = registry.get(name)
    skill = f":{SKILL}" if game.throw_skills else ""
    try:
        policy = admit(game, shipped.path_of(game), SHIPPED) + skill
    except BadPolicy as error:
        pytest.fail(f"{error} If {game.title} has changed: make baselines ARGS={name}")
    contest = LadderGame(game, len(INDEX[name].wins))
    met = [contest.meet(policy, "greedy" + skill, number) for number in range(ROUNDS)]
    alone = contest.seats == 1
    won = mean(meeting.wins[0] if alone else mean(meeting.points) for meeting in met)
    assert won == pytest.approx(mean(INDEX[name].wins), abs=CLOSE)


def test_a_player_may_be_the_shipped_policy(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["trace", "castle-danger", "--games", "1", "--players", "policy:shipped,random"]
    assert main(words) == 0
    assert main([*words[:1], "tower", *words[2:]]) == 2
    assert "No policy for Tower comes with Bartizan" in capsys.readouterr().err


def test_policies_are_listed(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["policies", "list"]) == 0
    out = capsys.readouterr().out
    assert "Castle Danger: wins 25.0% and 50.0% against greedy, by seat (40 fresh deals)" in out
    assert main(["policies", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["castle-danger"]["wins"] == [0.25, 0.5]


def test_a_policy_is_copied(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["policies", "get", "castle-danger"]) == 0
    assert "castle-danger.onnx is written" in capsys.readouterr().out
    assert (tmp_path / "castle-danger.onnx").read_bytes() == (own / "castle-danger.onnx").read_bytes()
    assert main(["policies", "get", "castle-danger"]) == 0  # the same file again
    (tmp_path / "other.onnx").write_text("mine")
    assert main(["policies", "get", "castle-danger", "--out", "other.onnx"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "other.onnx").read_text() == "mine"


@pytest.mark.parametrize(
    ("game", "told"),
    [("castel-danger", "Did you mean 'castle-danger'?"), ("tower", "There are some for castle-danger.")],
)
def test_a_game_without_one_is_refused(
    game: str, told: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["policies", "get", game]) == 2
    assert told in capsys.readouterr().err


def test_a_damaged_policy_is_refused(own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = own / "castle-danger.onnx"
    file.write_bytes(file.read_bytes()[:-1] + b"\0")
    out = tmp_path / "out.onnx"
    for words in (["get", "castle-danger", "--out", str(out)], ["list"]):
        assert main(["policies", *words]) == 2
        assert "is damaged" in capsys.readouterr().err
    assert not out.exists()
    file.unlink()
    with pytest.raises(BadPolicy, match="Install Bartizan again"):
        shipped.path_of(registry.get("castle-danger"))
    (own / shipped.INDEX).write_text("[castle-danger]\nfile = 3\n")
    with pytest.raises(BadPolicy, match="isn't an index of policies"):
        shipped.index()
    shutil.rmtree(own)
    assert shipped.index() == {}


def test_what_is_too_large_is_not_shipped(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("castle-danger")
    monkeypatch.setattr(shipped, "LARGEST_SHIPPED", 100)
    with pytest.raises(BadPolicy, match="a shipped policy has at most 100"):
        shipped.ship(own / "castle-danger.onnx", game, command="", deals=2, wins=(1.0,))


@pytest.mark.parametrize("name", [name for name in GAMES if registry.get(name).throw_skills])
def test_a_learners_opponents_throw_as_well_as_it_does(name: str) -> None:
    """They threw worse once, and a network that had learned nothing won more than half of its games."""
    env = tables_of(registry.get(name), 2, seats=2, seed=1, learner=0)
    assert env.settings.opponents == {2: f"greedy:{env.settings.skill}"}
