"""What each command prints when all is well, and how it fails on files."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bartizan.cli.compile_command import compile_missing
from bartizan.cli.main import main
from bartizan.match import GameRecord, Match

SCENARIOS = Path(__file__).parent.parent / "scenarios"
BARTIZAN = [sys.executable, "-m", "bartizan"]

GOOD = """
game = "alcazar"
title = "Ending a turn is always possible"
[position]
tower = ["7c"]
right = ["2d", "-"]
hand = ["8d", "5h", "4h"]
[[step]]
legal = ["end"]
illegal = { "repair with 5h" = "ALC-25" }
"""
FAILING = GOOD.replace('"ALC-25"', '"ALC-27"').replace('legal = ["end"]', 'legal = ["trade 5h"]')


class Shell:
    """Run command lines in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: object, stdin: str = "") -> tuple[int, str, str]:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)


# --- play and replay ----------------------------------------------------------


@pytest.fixture
def record(shell: Shell, tmp_path: Path) -> Path:
    """Play a game by pipe to its end, after every hint."""
    match = Match("alcazar", {"havoc": True}, seed="c0ffee")
    moves = []
    while not match.is_over:
        moves.append(match.play(match.legal()[0]))
    path = tmp_path / "game.toml"
    script = "# a game\n" + "\n".join(f"  {move}  " for move in moves) + "\n"
    code, out, err = shell(
        "play", "alcazar", "--set", "havoc=on", "--seed", "C0FFEE", "--record", path, stdin=script
    )
    assert (code, err) == (0, "")
    result = match.views.scene(1).result
    assert result is not None
    assert result.headline in out
    kept = GameRecord.parse(path.read_text(encoding="utf-8"))
    assert kept.moves == tuple(moves)
    assert Match.of(kept).digest() == match.digest()
    return path


def test_a_piped_game_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [*BARTIZAN, "play", "alcazar", "--seed", "7"],
        input="end\nfoo\nundo\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "'foo' isn't a move" in done.stdout
    assert "The game isn't over: it stands at move 0.\nIt wasn't saved." in done.stdout
    assert "\x1b" not in done.stdout


def test_a_program_plays_alone(shell: Shell) -> None:
    code, out, _ = shell("play", "alcazar", "--players", "random", "--seed", "5")
    assert code == 0
    assert "not over" not in out
    for spelling in ("--players", "--seats"):  # the older one
        assert shell("play", "alcazar", spelling, "random", "--seed", "5")[1] == out


def test_a_kept_file_is_not_overwritten(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("notes")
    assert shell("play", "alcazar", "--record", path)[0] == 0
    assert (tmp_path / "game.toml.1").read_text() == "notes"


def test_a_game_is_continued_from_its_file(shell: Shell, tmp_path: Path) -> None:
    match = Match("tower", seed="c0ffee", seats=3)
    typed = [match.play(match.legal()[0]) for _ in range(12)]
    path, other = tmp_path / "game.toml", tmp_path / "other.toml"
    first = shell("play", "tower", "--seats", "3", "--resume", path, stdin="\n".join(typed[:5]))
    assert first[::2] == (0, "")
    code, out, err = shell("play", "--resume", path, stdin="\n".join(typed[5:]))  # it names the game
    assert (code, err) == (0, "")
    assert "already existed" not in out
    seed = GameRecord.parse(path.read_text(encoding="utf-8")).need_seed()
    shell("play", "tower", "--seats", "3", "--seed", seed, "--record", other, stdin="\n".join(typed))
    assert path.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")


def test_a_game_begins_at_a_position(shell: Shell, tmp_path: Path) -> None:
    """A scenario names the game, its options, its seats and the position."""
    scenario = SCENARIOS / "castle_danger/cd-23_new_wizard.toml"
    path = tmp_path / "game.toml"
    code, _, err = shell("play", "--position", scenario, "--resume", path, stdin="end")
    assert (code, err) == (0, "")
    record = GameRecord.parse(path.read_text(encoding="utf-8"))
    assert (record.game, record.moves) == ("castle-danger", ("end",))
    assert record.position is not None
    code, _, err = shell("play", "castle-danger", "--resume", path, stdin="end")
    assert (code, err) == (0, "")
    assert len(GameRecord.parse(path.read_text(encoding="utf-8")).moves) == 2


def test_seats_in_a_file_are_checked_before_anybody_sits_down(shell: Shell, tmp_path: Path) -> None:
    scenario = tmp_path / "start.toml"
    scenario.write_text('game = "tower"\nseats = 1_000_000_000_000\n')
    code, _, err = shell("play", "--position", scenario)
    assert (code, err.count("\n")) == (2, 1)
    assert "Tower is for 2 to 6 seats, not 1000000000000." in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("alcazar", "is about tower, not alcazar."),
        ("--players person,greedy", "has a game for 3, not for 2."),
        ("--set jokers=2", "--set jokers=2 says otherwise."),
        ("--position no.toml", "no.toml cannot be read: no such file"),
    ],
)
def test_a_position_that_does_not_fit_is_refused(words: str, told: str, shell: Shell, tmp_path: Path) -> None:
    scenario = tmp_path / "start.toml"
    scenario.write_text('game = "tower"\nseats = 3\n[options]\njokers = 0\n')
    code, _, err = shell("play", "--position", scenario, *words.split())
    assert (code, err.count("\n")) == (2, 1)
    assert told in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("alcazar --resume", "has a game of Tower, not of Alcazar."),
        ("tower --seed 7 --resume", "has a game already. Leave out --seed to continue it."),
        ("tower --set jokers=2 --resume", "Leave out --set to continue it."),
        ("tower --record new.toml --resume", "--resume writes the record, too. Leave out --record."),
        ("tower --seats 3 --resume", "has a game for 2, not for 3."),
        ("tower --players person,greedy,greedy --resume", "has a game for 2, not for 3."),
        (
            f"tower --position {SCENARIOS}/tower/twr-10_go_on_exchanging.toml --resume",
            "Leave out --position to continue it.",
        ),
    ],
)
def test_a_game_that_cannot_be_continued_is_left_as_it_is(
    words: str, told: str, shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / "game.toml"
    path.write_text(Match("tower", seed="7").record(secret_seed=True).text())
    before = path.read_text()
    code, _, err = shell("play", *words.split(), path)
    assert code == 2
    assert told in err
    assert path.read_text() == before


def test_a_game_that_is_over_is_not_continued(shell: Shell, record: Path) -> None:
    code, _, err = shell("play", "alcazar", "--resume", record)
    assert (code, err.count("\n")) == (2, 1)
    assert f"The game in {record} is over. `bartizan replay {record}` shows it." in err


def test_a_record_replays_at_any_ply(shell: Shell, record: Path) -> None:
    moves = GameRecord.parse(record.read_text()).moves
    code, out, _ = shell("replay", record)
    assert code == 0
    assert "with havoc=True" in out
    assert re.findall(r"^ *(\d+)\. (.*)$", out, re.MULTILINE) == [(str(n), m) for n, m in enumerate(moves, 1)]
    for ply in (0, 1, len(moves)):
        code, out, _ = shell("replay", record, "--ply", ply)
        match = Match.of(GameRecord.parse(record.read_text()), ply)
        assert code == 0
        assert f"Deck {len(match.position()['deck'])}" in out
    assert shell("replay", record, "--ply", len(moves) + 1)[0] == 2


def test_a_replay_names_the_players(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    assert shell("play", "castle-danger", "--players", "random,random", "--record", path)[0] == 0
    assert "   1. Blue: " in shell("replay", path)[1]


def test_options_are_broken_in_their_column(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second line of a sentence began at the left."""
    monkeypatch.setenv("COLUMNS", "60")
    lines = shell("games", "card-barrage")[1].partition("Options")[2].partition("Players")[0].splitlines()
    assert all(line.startswith("  ") and len(line) <= 60 for line in lines[1:])


def test_verify_says_that_it_holds(shell: Shell, record: Path) -> None:
    match = Match.of(GameRecord.parse(record.read_text()))
    code, out, _ = shell("replay", record, "--verify")
    assert code == 0
    end = "The tower stands." if match.result() == "player" else "The tower has fallen."
    told = f"{match.ply} moves, all legal. {end} Final position {match.digest()}."
    assert out.endswith(f"holds: {told}\n")


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (lambda text: text.replace("\n2. ", "\n2. repair with 2c # "), "Ply 2, 'repair with 2c'"),
        (lambda text: text.replace("\n2. ", "\n3. "), "ply 3 where 2 is due"),
        (lambda text: re.sub(r"result = .*", 'result = "player"', text), "the result is player"),
        (lambda text: re.sub(r"seed_hash = .*", 'seed_hash = "00"', text), "not the one whose hash"),
        (lambda text: re.sub(r"seed = .*", "", text, count=1), "hash only"),
        (lambda text: text.replace("alcazar", "alcasar"), "Did you mean 'alcazar'?"),
        (lambda text: text.replace("havoc = true", "havok = true"), "Did you mean 'havoc'?"),
        (lambda text: text.replace("rules = 1", "rules = 99"), "version 99"),
        (lambda text: text.replace("rules = 1", "rules = "), "not the record of a game"),
        (lambda text: "a = " + "[" * 5000, ""),
        (lambda text: "", "game"),
        (lambda text: "\x00\x01", "not the record of a game"),
    ],
)
def test_a_corrupt_record_is_told_by_its_ply(
    shell: Shell, record: Path, what: Callable[[str], str], sentence: str
) -> None:
    broken = record.with_name("broken.toml")
    broken.write_text(what(record.read_text()))
    code, out, err = shell("replay", broken, "--verify")
    assert code == 2
    assert sentence in err
    assert str(broken) in err
    assert len(err.splitlines()) == 1
    assert out == ""


# --- judge --------------------------------------------------------------------


def test_judge_counts_what_holds(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "good.toml").write_text(GOOD)
    (tmp_path / "deep" / "also.toml").write_text(GOOD)
    assert shell("judge", tmp_path) == (0, "2 scenarios, 0 failures.\n", "")
    assert shell("judge", tmp_path / "good.toml", tmp_path / "good.toml")[1] == "1 scenario, 0 failures.\n"


def test_judge_names_each_failure_with_what_was_expected_and_found(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(FAILING)
    (tmp_path / "good.toml").write_text(GOOD)
    code, out, err = shell("judge", tmp_path)
    lines = out.splitlines()
    assert (code, err) == (1, "")
    assert lines[-1] == "2 scenarios, 2 failures in 1 file."
    assert len(lines) == 3
    for line, words in zip(
        lines, ("'trade 5h' to be legal", "'repair with 5h' to be forbidden by ALC-27"), strict=False
    ):
        assert line.startswith(f"{tmp_path / 'bad.toml'}: step 1: expected {words}; found ")


@pytest.mark.parametrize(
    "text",
    [
        "this is no TOML",
        'game = "alcazar"\ntitel = "x"',
        'game = "alcasar"',
        'game = "alcazar"\n[position]\nhand = 7',
        'game = "alcazar"\nstep = 7',
        'game = "alcazar"\n[[step]]\nplai = "end"',
        'game = "alcazar"\n[[step]]\nillegal = ["end"]',
        'game = "alcazar"\n[[step]]\nlegal = [7]',
        'game = "alcazar"\n[[step]]\nexpect = { hand = { a = 1 } }',
        'game = "alcazar"\n[options]\nhavok = true',
        'game = "alcazar"\nseats = 4',
        "game = " + "[" * 5000,
        'game = "alcazar"\n[position]\ntower = ["7c", "7c"]',
    ],
)
def test_judge_goes_on_after_a_file_that_is_none(shell: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    (tmp_path / "b.toml").write_text(GOOD)
    code, out, err = shell("judge", tmp_path)
    assert code in (1, 2)
    told = err if code == 2 else out
    assert str(tmp_path / "a.toml") in told.splitlines()[0]
    assert re.fullmatch(
        r"(1 scenario, 0 failures, 1 unusable|2 scenarios, 1 failure in 1 file)\.", out.splitlines()[-1]
    )


def test_judge_of_an_empty_folder(shell: Shell, tmp_path: Path) -> None:
    code, _, err = shell("judge", tmp_path)
    assert code == 2
    assert "has no *.toml file" in err


# --- trace, simulate, compile -------------------------------------------------


def test_trace_prints_games_in_full(shell: Shell) -> None:
    words = ("trace", "alcazar", "--games", 2, "--seed", "2a", "--set", "havoc=true", "--json")
    code, out, err = shell(*words)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert lines[0]["options"]["havoc"] is True
    assert lines[0]["seats"] == 1
    assert {line["game_no"] for line in lines} == {0, 1}
    assert [set(line) for line in lines if "result" in line] == [{"game_no", "position", "result"}] * 2
    for line in lines:
        assert "result" in line or (line["move"] in line["legal"] and line["legal"] == sorted(line["legal"]))
    assert shell(*words)[1] == out
    readable = shell(*words[:-1])[1].splitlines()
    assert len(readable) == len(lines)
    assert readable[0] == f"game 0 ply 0: {lines[0]['move']} ({len(lines[0]['legal'])} legal)"


def test_simulate_counts(shell: Shell) -> None:
    code, out, err = shell("simulate", "alcazar", "--games", 300, "--seed", "1", "--threads", 2, "--json")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert report["games"] == 300
    assert report["threads"] == 2
    assert set(report) >= {"wins", "draws", "plies", "actions_per_second", "seconds"}
    assert 0 <= report["wins"]["1"] <= 300
    code, out, _ = shell("simulate", "alcazar", "--games", 300, "--seed", "1")
    assert code == 0
    assert f"won {report['wins']['1']}:" in out
    assert f"plies: mean {report['plies']['mean']:.2f}" in out


def test_what_is_compiled_is_not_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    compile_missing(["alcazar", "castle-danger"], ["table"])
    capsys.readouterr()
    compile_missing(["alcazar", "castle-danger"], ["table"])
    assert capsys.readouterr().out == ""


def test_what_cannot_be_compiled_is_one_sentence(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bartizan.compile.targets.is_compiled", lambda name, target: False)
    monkeypatch.setattr("bartizan.compile.pool.WORKER", "bartizan.no_such_worker")
    code, _, err = shell("compile", "alcazar")
    assert code == 2
    assert "alcazar could not be compiled" in err
    assert "Traceback" not in err


def test_compile_says_why(shell: Shell) -> None:
    code, out, _ = shell("compile", "alcazar")
    assert code == 0
    assert "once on each machine" in out
    assert "Alcazar: ready" in out


def test_serve_hands_its_settings_on(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[tuple[Any, Any]] = []

    def serve(*settings: object, **more: object) -> None:
        called.append((settings, more))

    monkeypatch.setattr("bartizan.server.run.serve", serve)
    monkeypatch.setenv("BARTIZAN_DATABASE", "postgresql://somewhere/tables")
    words = ("--workers", 3, "--keep-unplayed", 0, "--most-tables", 7)
    assert shell("serve", "--port", 1234, "--data", tmp_path, "--open", *words)[0] == 0
    settings, more = called[0]
    assert settings == ("127.0.0.1", 1234, tmp_path, True)
    assert more["processes"][:2] == (3, "postgresql://somewhere/tables")
    assert (more["limits"].keep_unplayed_days, more["limits"].tables_kept) == (0, 7)


# --- a terminal ---------------------------------------------------------------


PROMPT = "\x1b[?2004h"  # what a line editor sends when it begins to read


class Terminal:
    """A pseudo-terminal with a game in it; a thread reads all that is shown."""

    def __init__(self, *words: str) -> None:
        import pty

        self._here, there = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        self.running = subprocess.Popen(
            [*BARTIZAN, *words],
            stdin=there, stdout=there, stderr=subprocess.PIPE, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(there)
        self.shown = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._here, 65536)
            except OSError:  # the game has left
                return
            self.shown += data.decode(errors="replace")
            for _ in range(data.count(b"\x1b[6n")):  # the terminal is asked where its cursor is
                self.type("\x1b[1;1R")

    def type(self, text: str) -> None:
        os.write(self._here, text.encode())

    def wait_for(self, text: str, times: int = 1) -> None:
        deadline = time.monotonic() + 60
        while self.shown.count(text) < times:
            assert time.monotonic() < deadline, f"{text!r} not in {self.shown!r}"
            time.sleep(0.02)

    def leave(self) -> tuple[int, bytes]:
        assert self.running.stderr is not None
        code, told = self.running.wait(timeout=30), self.running.stderr.read()
        self.running.stderr.close()
        self._reader.join(timeout=5)
        os.close(self._here)
        return code, told


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_typed_moves_with_completion(tmp_path: Path) -> None:
    """Type at a real terminal: Tab completes, a record is kept, Ctrl-C leaves quietly."""
    path = tmp_path / "game.toml"
    terminal = Terminal("play", "alcazar", "--seed", "7", "--record", str(path))
    terminal.wait_for(PROMPT)
    assert "Your hand" in terminal.shown
    terminal.type("hin\t")
    terminal.wait_for("suggest moves")  # the menu tells what a word does
    terminal.type("\x15end\r")
    terminal.wait_for("the seven of spades.")
    terminal.wait_for(PROMPT, 2)
    assert GameRecord.parse(path.read_text()).moves == ("end",)
    terminal.type("legal\x03")  # drops what is typed
    terminal.wait_for(PROMPT, 3)
    terminal.type("\x03")
    assert terminal.leave() == (130, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_end_of_input_at_a_terminal_leaves(tmp_path: Path) -> None:
    terminal = Terminal("play", "alcazar", "--seed", "7")
    terminal.wait_for(PROMPT)
    terminal.type("\x04")
    assert terminal.leave() == (0, b"")
    assert "The game isn't over" in terminal.shown
