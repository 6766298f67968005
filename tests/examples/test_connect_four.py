"""A game in a package of its own: installed as its metadata says, it is played and measured like any other.

It is one module and its clauses; the engine derives the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.mode import COMPILED
from tests.examples.installing import install, run, run_generic
from tests.server.serving import ROOT, Serving

EXAMPLE = ROOT / "examples" / "connect_four"
NAME = "connect-four"
LINES = (7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234)  # of 1 to 8 plies; known since long
PLAYED = ("drop d", "drop d", "drop d", "drop d", "drop d", "drop d", "drop a", "drop b", "drop a", "drop b")
WON = (*PLAYED, "drop a", "drop b", "drop a")
# Runs command lines one after the other and writes what came of each: its exit code, its output, its errors.
DRIVER = """
import contextlib, io, json, sys
from bartizan.cli.main import main

answers = {}
for key, (words, typed) in json.load(sys.stdin).items():
    sys.stdin = io.StringIO(typed)
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(words)
    answers[key] = code, out.getvalue(), err.getvalue()
print(json.dumps(answers))
"""

Answers = dict[str, tuple[int, str, str]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which the example is installed and rules are interpreted."""
    return install(EXAMPLE, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def said(installed: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """Return what the commands say of the game, all from one process."""
    folder = tmp_path_factory.mktemp("records")
    record, wrong = str(folder / "game.txt"), folder / "wrong.toml"
    text = (EXAMPLE / "scenarios" / "cf-4_a_full_column.toml").read_text(encoding="utf-8")
    wrong.write_text(text.replace('= "CF-4" }', '= "CF-3" }'), encoding="utf-8")
    commands: dict[str, tuple[list[str], str]] = {
        "games": (["games"], ""),
        "options": (["games", NAME], ""),
        "rules": (["rules", NAME], ""),
        "clause": (["rules", NAME, "CF-4"], ""),
        "judge": (["judge", str(EXAMPLE / "scenarios")], ""),
        "wrong": (["judge", str(wrong)], ""),
        "perft": (["perft", NAME, "--depth", "5"], ""),
        "simulate": (["simulate", NAME, "--games", "40", "--seed", "1", "--json"], ""),
        "ladder": (["ladder", NAME, "--players", "greedy,random", "--games", "4", "--json"], ""),
        "typed": (
            ["play", NAME, "--record", record],
            "\n".join([*PLAYED, "drop d", *WON[10:-1], "hint", WON[-1]]),
        ),
        "replay": (["replay", record, "--verify"], ""),
        "programs": (["play", NAME, "--players", "greedy,random", "--seed", "5"], ""),
        "misspelt": (["rules", "conect-four"], ""),
        "bad": (["play", NAME, "--set", "miser=on"], ""),
    }
    answers: Answers = json.loads(run(installed, "-c", DRIVER, typed=json.dumps(commands)))
    assert not [key for key, (_, out, err) in answers.items() if "Traceback" in out + err]
    failing = {"wrong": 1, "misspelt": 2, "bad": 2}
    assert {key: code for key, (code, _, _) in answers.items() if code} == failing
    return answers


def test_its_lines_are_as_many_as_is_told() -> None:
    package = EXAMPLE / "connect_four"
    written = [*package.rglob("*.py"), package / "clauses.toml"]
    count = sum(len(path.read_text("utf-8").splitlines()) for path in written)
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert re.findall(r"(\d+) lines in its Python files", told) == [str(count)]


def test_make_bench_has_a_row_for_it(installed: dict[str, str]) -> None:
    """It is found in examples/ where it is not installed; what it is measured beside may be missing."""
    code = """
import sys
sys.modules["pyspiel"] = sys.modules["pgx"] = sys.modules["jax"] = None  # an import of them raises
from benchmarks import peers
peers.RUNS, peers.RUN_SECONDS = 1, 0.01
peers.run()
"""
    lines = run({**installed, "PYTHONPATH": str(ROOT)}, "-c", code).splitlines()
    assert lines[1] == "Connect Four (examples/), random play, actions per second of processor time:"
    assert re.fullmatch(r"  ours: \d+\.\d\d M", lines[2])
    assert lines[3:] == [
        f"  {name} is not installed; `make openspiel` puts its figure here." for name in ("OpenSpiel", "Pgx")
    ]


def test_it_is_listed_and_its_rules_are_told(said: Answers) -> None:
    assert re.search(r"^connect-four +Connect Four, for 2$", said["games"][1], re.MULTILINE)
    assert "misere" in said["options"][1]
    rules = said["rules"][1]
    assert [
        clause for clause in ("CF-1", "CF-2", "CF-3", "CF-4", "CF-5", "CF-6") if clause not in rules
    ] == []
    assert "is full" in said["clause"][1]
    assert said["misspelt"][2] == "bartizan: There is no game 'conect-four'. Did you mean 'connect-four'?\n"
    assert "Did you mean 'misere'?" in said["bad"][2]
    assert said["bad"][2].count("\n") == 1


def test_its_scenarios_hold(said: Answers) -> None:
    number = len(list((EXAMPLE / "scenarios").glob("*.toml")))
    assert f"{number} scenarios, 0 failures." in said["judge"][1]
    assert "CF-4" in said["wrong"][1]  # a wrong one is seen


def test_lines_of_play_are_as_many_as_is_known(said: Answers, installed: dict[str, str]) -> None:
    assert said["perft"][1] == f"{LINES[4]}\n"
    if not COMPILED:
        return
    code = f"""
from bartizan.lab.perft import divide
from bartizan.match import Match
print(*(sum(divide(Match({NAME!r}, seed="1"), depth).values()) for depth in range(1, {len(LINES) + 1})))
"""
    compiled = {**installed, "BARTIZAN_MODE": "compiled"}
    assert tuple(map(int, run(compiled, "-c", code).split())) == LINES


def test_a_game_is_typed_kept_and_replayed(said: Answers) -> None:
    out = said["typed"][1]
    assert "> hint\ndrop a (100% to win): " in out
    assert "A column that holds six discs is full." in out
    assert "Red wins." in out
    assert f"{len(WON)} moves, all legal. Red wins." in said["replay"][1]
    assert "wins." in said["programs"][1]


def test_games_are_counted_and_players_rated(said: Answers) -> None:
    counted = json.loads(said["simulate"][1])
    assert sum(counted["wins"].values()) + counted["draws"] == counted["games"] == 40
    assert 7 <= counted["plies"]["mean"] <= 42
    (pair,) = json.loads(said["ladder"][1])["pairs"]
    assert (pair["first"], pair["games"]) == ("greedy", 4)
    assert pair["score"] >= 0.75


def test_it_does_what_every_game_must(installed: dict[str, str]) -> None:
    """The suites for all games, run on this one: nothing in them may go by a list of names."""
    assert run_generic(installed, NAME) > 25


@pytest.fixture
def serving(installed: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A server where the example is installed."""
    for key in ("PYTHONPATH", "BARTIZAN_MODE"):
        monkeypatch.setenv(key, installed[key])
    with Serving("bartizan.server.run", tmp_path / "data") as serving:
        yield serving
        assert serving.stop() == 0
        assert serving.errors.read_text() == ""


@pytest.mark.anyio
async def test_a_table_is_served(serving: Serving) -> None:
    _, listed = serving.json("GET", "/api/games")
    assert NAME in [game["name"] for game in listed["games"]]
    links = serving.table(NAME, players=["person", "greedy"], seed="1")
    async with serving.sit(links["table"], links["seats"][0]) as client:
        sync: dict[str, Any] = await client.hello()
        assert client.opened["setting"]["seat_names"] == ["Red", "Yellow"]
        (rack,) = sync["scene"]["zones"]
        assert len(rack["slots"]) == 42
        assert [choice["text"] for choice in sync["scene"]["choices"]] == [
            f"drop {file}" for file in "abcdefg"
        ]
        version = 0
        while "result" not in sync["scene"]:
            move = sync["scene"]["choices"][0]["text"]
            answer = await client.ask("move", version=version, move=move)
            assert answer["type"] == "ack"
            sync = await client.until("sync")
            while "result" not in sync["scene"] and "choices" not in sync["scene"]:
                sync = await client.until("sync")  # the program's move
            version = sync["version"]
    assert sync["scene"]["result"]["headline"] == "Yellow wins."
    status, _, record = serving.request("GET", f"/api/tables/{links['table']}/record", key=links["seats"][0])
    assert status == 200
    assert b"connect-four" in record
