"""Experiments over HTTP: run from a form, stopped, reported; strangers run none."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.lab.experiment import Experiment
from bartizan.lab.report.write import write_report
from bartizan.server.experiments import SLOW_GAME, Experiments, Running, UnknownExperiment
from bartizan.server.operator import FILE, VARIABLE, Operator, operator_key
from bartizan.tables import audit
from bartizan.tables.errors import NotAllowed, StartError, TooMany
from tests.server.serving import Serving

PATIENCE = 120.0
WANTED = {"game": "castle-danger", "players": ["random", "random"], "games": 4, "confirm": False}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with a folder of its own, whose experiments are played by the interpreted rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BARTIZAN_MODE", "python")
        with Serving("bartizan.server.run", tmp_path_factory.mktemp("lab") / "data") as serving:
            yield serving
            assert serving.stop() == 0


def listed(lab: Serving, name: str) -> dict[str, Any]:
    _, shelf = lab.json("GET", "/api/lab")
    return next(each for each in shelf["experiments"] if each["name"] == name)


def until(lab: Serving, name: str, **fields: object) -> dict[str, Any]:
    end, one = time.monotonic() + PATIENCE, listed(lab, name)
    while time.monotonic() < end:
        one = listed(lab, name)
        if all(one[key] == value for key, value in fields.items()):
            return one
        time.sleep(0.2)
    raise AssertionError(one)


def test_an_experiment_is_run_and_reported(lab: Serving) -> None:
    _, shelf = lab.json("GET", "/api/lab")
    assert shelf["experiments"] == []
    assert not shelf["needs_key"]
    assert "fairness" in [group["name"] for group in shelf["groups"]]
    status, begun = lab.json("POST", "/api/lab", WANTED)
    assert (status, begun) == (201, {"name": "castle-danger-1"})
    status, problem = lab.json("POST", "/api/lab", WANTED)
    assert status == 429
    assert "castle-danger-1 is running" in problem["sentence"]
    done = until(lab, "castle-danger-1", phase="rests")
    assert done["fault"] == ""
    assert (done["share"], done["games"], done["report"]) == (1.0, 4, True)
    assert done["players"] == ["random", "random"]
    assert done["finished"]
    assert [each["question"] for each in done["answers"]["answers"]] == [
        "Is it fair?",
        "How long is it?",
        "What did my change do?",
    ]
    assert done["answers"]["note"] == "Only random played. Stronger players may change this."
    assert len(done["answers"]["bars"]) == 2
    paces = {each["seconds"]: each["answers"] for each in done["answers"]["paces"]}
    assert paces[done["answers"]["seconds"]] == done["answers"]["answers"]
    assert "20 seconds a decision" in paces[20][1]["sentence"]
    assert paces[20][0] == paces[10][0]
    status, headers, page = lab.request("GET", "/api/lab/castle-danger-1/report")
    assert status == 200
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert b"A report of the Lab" in page
    assert b'href="/replay#record=' in page  # at this server, not at where one usually listens
    assert b"127.0.0.1" not in page


def test_a_running_experiment_is_stopped_and_gone_on_with(lab: Serving) -> None:
    long = {**WANTED, "games": 50_000, "vary": {"add_cost": [1, 2]}}
    _, begun = lab.json("POST", "/api/lab", long)
    name = begun["name"]
    until(lab, name, games=100_000)
    assert lab.json("POST", f"/api/lab/{name}/stop")[0] == 201
    stopped = listed(lab, name)
    assert (stopped["phase"], stopped["fault"], stopped["report"]) == ("rests", "", False)
    assert (stopped["finished"], stopped["answers"]) == (False, None)
    assert stopped["varied"] == ["add_cost: 1, 2"]
    assert lab.json("POST", f"/api/lab/{name}/stop")[0] == 403
    assert lab.json("GET", f"/api/lab/{name}/report")[0] == 404
    assert lab.json("POST", f"/api/lab/{name}/run")[0] == 201
    assert listed(lab, name)["phase"] == "plays"
    # The server's end is its end, too: the fixture demands that it stops in good order.


def test_games_that_confirm_are_still_to_come_when_the_others_are_played(tmp_path: Path) -> None:
    """They are few but slow: neither is it finished, nor nearly."""
    tables = {"game": "castle-danger", "games": 40, "confirm": {"players": ["search@2"], "games": 8}}
    experiment = Experiment.begin(tables, tmp_path / "one")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        experiment.run(progress=stop)
    (shown,) = Experiments(tmp_path).listed()
    assert (shown.finished, shown.games, shown.checking) == (False, 48, 8)
    assert shown.share == pytest.approx(40 / (40 + 8 * SLOW_GAME))
    Experiment.open(tmp_path / "one").run()
    (shown,) = Experiments(tmp_path).listed()
    assert (shown.finished, shown.share) == (True, 1.0)


def test_nothing_is_left_to_estimate_while_the_rules_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((300.0, 301.0, 303.0, 311.0, 316.0, 400.0))
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    running = Running("one", last=(0.0, 0.2))
    told = [running.left(share) for share in (0.2, 0.4, 0.5, 0.6, 0.6, 0.6)]
    assert told == [None, None, None, pytest.approx(20.0), pytest.approx(15.0), None]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "castle-dangre"}, "castle-danger"),
        ({"players": ["greedi", "greedy"]}, "greedy"),
        ({"players": ["greedy"] * 5}, "2"),
        ({"measures": ["fairnes"]}, "fairness"),
        ({"vary": {"add_cots": [1]}}, "add_cost"),
        ({"vary": {"add_cost": ["much"]}}, "add_cost"),
        ({"games": 0}, "games"),
        ({"games": 10**9}, "games"),
        ({"players": []}, "players"),
        ({"measure": ["fairness"]}, "no key 'measure'"),
    ],
)
def test_what_cannot_be_run_is_refused(lab: Serving, change: dict[str, object], sentence: str) -> None:
    before = {path.name for path in (lab_folder(lab)).iterdir()} if lab_folder(lab).exists() else set()
    if any(each["phase"] != "rests" for each in lab.json("GET", "/api/lab")[1]["experiments"]):
        lab.json("POST", f"/api/lab/{lab.json('GET', '/api/lab')[1]['experiments'][0]['name']}/stop")
    status, problem = lab.json("POST", "/api/lab", {**WANTED, **change})
    assert status in (400, 404)
    assert sentence in problem["sentence"]
    assert before == (
        {path.name for path in lab_folder(lab).iterdir()} if lab_folder(lab).exists() else set()
    )


def lab_folder(lab: Serving) -> Path:
    return lab.errors.with_name("data") / "lab"


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2f..%2fetc", ".hidden", "A", "a" * 81, "no-such", "%00", "a%5cb"]
)
def test_no_name_leaves_the_folder(lab: Serving, name: str) -> None:
    for method, what in (("GET", "report"), ("POST", "run")):
        assert lab.json(method, f"/api/lab/{name}/{what}")[0] == 404
    assert lab.json("POST", f"/api/lab/{name}/stop")[0] in (403, 404)


def test_a_link_is_no_experiment(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "experiment.toml").write_text("game = 'castle-danger'")
    (other / "report.html").write_text("secret")
    shelf = Experiments(tmp_path / "lab")
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "link").symlink_to(other)
    with pytest.raises(UnknownExperiment):
        shelf.report("link")


@pytest.mark.parametrize(
    "text", ["game =", "game = 3", 'game = "nobody"', "[vary]\nx = 1", "\0", "a = " + "[" * 3000]
)
def test_a_damaged_experiment_is_listed_with_its_fault(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "one-1"
    folder.mkdir()
    (folder / "experiment.toml").write_text(text)
    [one] = Experiments(tmp_path).listed()
    assert one.fault.startswith("It cannot be read: ")


def test_a_run_that_stopped_early_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its figure was known well enough: it has fewer games than it could have, and none are left to play."""
    monkeypatch.setenv("BARTIZAN_MODE", "python")
    until = {"measure": "won.seat_1", "width": 0.99, "most": 20_000}
    none: dict[str, object] = {"players": []}
    tables = {
        **WANTED,
        "players": ["page", "page"],
        "confirm": none,
        "until": until,
        "measures": ["fairness"],
    }
    experiment = Experiment.begin(tables, tmp_path / "one-1")
    assert not experiment.is_finished
    experiment.run()
    [one] = Experiments(tmp_path).listed()
    assert (one.finished, one.answers) == (False, None)
    write_report(experiment)
    [one] = Experiments(tmp_path).listed()
    assert one.finished
    assert one.share < 1
    assert one.games == experiment.games().collect().height
    assert one.answers is not None
    assert len(one.answers.paces) == 5
    assert one.answers.note == "Only Beginner played. Stronger players may change this."
    # Answers of before have no other paces.
    answers = tmp_path / "one-1" / "answers.json"
    told = json.loads(answers.read_text("utf-8"))
    del told["answers"]["paces"], told["answers"]["seconds"]
    answers.write_text(json.dumps(told), "utf-8")
    [one] = Experiments(tmp_path).listed()
    assert one.answers is not None
    assert json.loads(msgspec.json.encode(one))["answers"]["paces"] == []
    # More games since: the answers are no longer those of the folder.
    journal = tmp_path / "one-1" / "chunks.jsonl"
    later = (tmp_path / "one-1" / "answers.json").stat().st_mtime_ns + 10**9
    os.utime(journal, ns=(later, later))
    [one] = Experiments(tmp_path).listed()
    assert (one.finished, one.answers) == (False, None)


@pytest.mark.parametrize("text", [b"", b"{}", b"[" * 10_000, b"\xff", b'{"finished": 1}'])
def test_damaged_answers_are_left_out(tmp_path: Path, text: bytes) -> None:
    folder = tmp_path / "one-1"
    folder.mkdir()
    (folder / "experiment.toml").write_text('game = "castle-danger"\nplayers = ["random", "random"]')
    (folder / "chunks.jsonl").write_text("")
    (folder / "answers.json").write_bytes(text)
    [one] = Experiments(tmp_path).listed()
    assert (one.answers, one.fault) == (None, "")


def test_a_server_that_is_open_to_others_asks_for_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert operator_key(tmp_path, loopback_only=True) == ""
    Operator("").check("")
    key = operator_key(tmp_path, loopback_only=False)
    assert len(key) >= 24
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert operator_key(tmp_path, loopback_only=False) == key
    operator = Operator(key)
    operator.check(key)
    for wrong in ("", "x", key + "x", key[:-1], "é"):
        with pytest.raises(NotAllowed):
            operator.check(wrong)
    kinds = set()
    for _ in range(20):
        with pytest.raises((NotAllowed, TooMany)) as refused:
            operator.check("guess")
        kinds.add(refused.type)
    assert TooMany in kinds
    operator.check(key)  # who has it is not kept out by those who guess


def test_a_key_may_be_given_and_is_no_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0123456789abcdef")
    assert operator_key(tmp_path, loopback_only=True) == "0123456789abcdef"
    monkeypatch.setenv(VARIABLE, "secret")
    with pytest.raises(StartError, match="too short"):
        operator_key(tmp_path, loopback_only=False)
    assert not (tmp_path / FILE).exists()


def test_without_the_key_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0123456789abcdef")
    with Serving("bartizan.server.run", tmp_path / "data") as serving:
        assert serving.json("GET", "/api/lab")[1]["needs_key"]
        for path in ("/api/lab", "/api/lab/one-1/run", "/api/lab/one-1/stop"):
            assert serving.json("POST", path, WANTED)[0] == 403
            status, _, _ = serving.request("POST", path, WANTED, {"authorization": "Bearer 0123456789abcdeg"})
            assert status == 403
        status, _, body = serving.request(
            "POST", "/api/lab/one-1/run", WANTED, {"authorization": "Bearer 0123456789abcdef"}
        )
        assert (status, b"unknown_experiment" in body) == (404, True)
        key = {"authorization": "Bearer 0123456789abcdef"}
        status, _, body = serving.request("POST", "/api/lab", WANTED, key)
        assert status == 201
        noted, unreadable = audit.read(tmp_path / "data")
        assert [(each.what, list(each.about)) for each in noted] == [
            ("start experiment", [json.loads(body)["name"]])
        ]
        assert not unreadable
        assert serving.stop() == 0
