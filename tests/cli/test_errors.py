"""Bad input: one sentence on stderr, exit code 2, never a stack trace, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bartizan.cli.main import COMMANDS, INTERRUPTED, PIPE_CLOSED, main

BARTIZAN = [sys.executable, "-m", "bartizan"]

# The words typed, and what the sentence must say.
WRONG = {
    "a game for a command": ("tower", "tower is a game. `bartizan play tower` plays it."),
    "no such command": ("game", "There is no command 'game'. Did you mean 'games'?"),
    "nothing like it": ("xyzzy", "The commands are games, play"),
    "an option where a command goes": ("--jsn", "There is no option '--jsn'."),
    "no such option": ("play alcazar --sed 1", "no option --sed. Did you mean '--seed'?"),
    "an option shortened": ("simulate alcazar --game 3", "no option --game. Did you mean '--games'?"),
    "an option without its value": ("play alcazar --seed", "--seed: expected one argument"),
    "an argument too many": ("rules alcazar 1 2", "does not know what to do with '2'"),
    "a missing argument": ("trace", "GAME is missing."),
    "a missing part": ("policies", "PART is missing: list, get. "),
    "a wrong value": ("serve --log xml", "`bartizan serve` does not know 'xml' for --log. Choose from text"),
    "a policy without a file": ("play tower --players person,policy:", "policy: names no file: write"),
    "no such game": ("rules alcazr", "There is no game 'alcazr'. Did you mean 'alcazar'?"),
    "no such game to play": ("play alcasar", "Did you mean 'alcazar'?"),
    "no such game to simulate": ("simulate alcasar --games 1", "Did you mean 'alcazar'?"),
    "no such game to trace": ("trace alcasar --games 1 --json", "Did you mean 'alcazar'?"),
    "no such game to compile": ("compile alcasar", "Did you mean 'alcazar'?"),
    "no such clause": ("rules alcazar ALC-199", "no clause 'ALC-199'"),
    "no number": ("simulate alcazar --games ten", "'ten' isn't a whole number from 1"),
    "no games": ("trace alcazar --games 0 --json", "'0' isn't a whole number from 1"),
    "no threads": ("simulate alcazar --threads 0", "'0' isn't a whole number from 1"),
    "no port": ("serve --port 99999", "'99999' isn't a whole number from 1 to 65535"),
    "no setting": ("play alcazar --set havoc", "'havoc' is not of the form key=value"),
    "a setting twice": ("play alcazar --set havoc=on --set havoc=off", "havoc is given twice"),
    "no such setting": ("play alcazar --set havok=true", "Did you mean 'havoc'?"),
    "no such setting in a trace": ("trace alcazar --set havok=true", "Did you mean 'havoc'?"),
    "no such setting in a simulation": (
        "simulate alcazar --games 1 --set havok=true",
        "Did you mean 'havoc'?",
    ),
    "no such value": ("play alcazar --set overpay=minimum", "Did you mean 'minimal'?"),
    "a value out of range": ("play alcazar --set round_cap=0", "round_cap is '0'"),
    "no seed": ("play alcazar --seed xyz", "xyz"),
    "a seed that is too long": ("play alcazar --seed " + "1" * 33, "1 to 32"),
    "no seed in a trace": ("trace alcazar --seed xyz --json", "xyz"),
    "no seed in a simulation": ("simulate alcazar --games 1 --seed xyz", "xyz"),
    "no such player": (
        "play alcazar --players greedi",
        "no player 'greedi' for Alcazar. Did you mean 'greedy'?",
    ),
    "no such player in the older spelling": ("play alcazar --seats greedi", "Did you mean 'greedy'?"),
    "a person in a simulation": ("simulate alcazar --games 1 --players person", "no player 'person'"),
    "too many players": ("play alcazar --players person,greedy", "1 seat"),
    "too many seats": ("play alcazar --seats 2", "Alcazar is for 1 seat, not 2."),
    "nobody": ("play alcazar --players=", "--players is empty"),
    "nobody in the older spelling": ("play alcazar --seats=", "--seats is empty"),
    "a number of players": ("play tower --players 3", "To set the number of seats, use --seats 3."),
    "more players than seats": (
        "trace tower --seats 3 --players random,greedy",
        "--players names 2 players, but --seats is 3.",
    ),
    "players told twice": (
        "trace tower --seats random,random --players greedy",
        "--seats is 'random,random'; with --players it must be a number of seats.",
    ),
    "no such record": ("replay no/such/record.toml", "no/such/record.toml cannot be read: no such file"),
    "a folder for a record": ("replay .", "is a folder"),
    "no such scenario": ("judge no/such.toml", "no/such.toml cannot be read: no such file"),
    "no such record to look back on": ("analyse no/such.toml", "no/such.toml cannot be read: no such file"),
    "a folder to look back on": ("analyse .", "is a folder"),
    "no record to look back on": ("analyse", "RECORD is missing."),
    "hardly a look": ("analyse x.toml --iterations 9", "'9' isn't a whole number from 10"),
    "another spelling": ("analyze x.toml", "Did you mean 'analyse'?"),
    "an export to nowhere": ("export alcazar --games 3", "--out is missing."),
    "an export to a file": ("export alcazar --games 3 --out README.md", "README.md cannot be made a folder"),
    "an export into other files": (
        "export alcazar --out docs",
        "Nothing was written; choose an empty folder.",
    ),
    "no such game to export": ("export alcasar --out no/such", "Did you mean 'alcazar'?"),
    "no such player to export": ("export tower --players gredy --out no/such", "Did you mean 'greedy'?"),
    "players of different skill": (
        "export card-barrage --players greedy:expert,greedy:child --out no/such",
        "the players throw with different skills, child and expert; in a data set all have one",
    ),
    "a ply below zero": ("replay x.toml --ply -1", "'-1' isn't a whole number from 0"),
}


@pytest.mark.parametrize(("words", "sentence"), WRONG.values(), ids=list(WRONG))
def test_one_sentence_and_exit_code_two(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: PTH123, SIM115 - closed with the process
    code = main(words.split(" "))
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert code == 2
    assert sentence in err
    assert lines[-1].startswith("bartizan: ")
    assert len(lines) == 1, err
    assert "Traceback" not in out + err


def test_no_command_prints_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    listed = capsys.readouterr().out
    assert all(name in listed for name in COMMANDS)
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == listed


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert f"usage: bartizan {command}" in capsys.readouterr().out


def test_an_error_of_ours_is_a_sentence_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(found: object) -> int:
        raise ZeroDivisionError("by nothing")

    monkeypatch.delenv("BARTIZAN_DEBUG", raising=False)
    monkeypatch.setattr("bartizan.cli.games_command.run", broken)
    assert main(["games"]) == 70
    err = capsys.readouterr().err
    assert "ZeroDivisionError: by nothing" in err
    assert "Traceback" not in err
    monkeypatch.setenv("BARTIZAN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["games"])


def test_an_unwritable_record_stops_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "alcazar", "--record", str(tmp_path / "missing" / "game.toml")]) == 2
    assert "cannot be written: no such file or directory" in capsys.readouterr().err


def test_ctrl_c_leaves_quietly() -> None:
    running = subprocess.Popen(
        [*BARTIZAN, "play", "alcazar"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdin is not None
    while "Alcazar" not in running.stdout.readline():
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (INTERRUPTED, "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    running = subprocess.Popen(
        [*BARTIZAN, "trace", "alcazar", "--games", "100000", "--seed", "1", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline().startswith("{")
    running.stdout.close()
    assert running.wait(timeout=60) == PIPE_CLOSED
    assert running.stderr.read() == ""
    running.stderr.close()


def processor_seconds(stat: Path) -> float:
    """Return what a process has used so far, 0 where the system does not say."""
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_a_simulation_can_be_stopped() -> None:
    assert main(["compile", "alcazar", "--batches"]) == 0
    running = subprocess.Popen(
        [*BARTIZAN, "simulate", "alcazar", "--games", "100000000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        stat = Path(f"/proc/{running.pid}/stat")
        began = time.monotonic()
        while time.monotonic() < began + 15 and processor_seconds(stat) < 4:  # past the imports
            time.sleep(0.1)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=60) == ("", "")
        assert running.returncode == INTERRUPTED
    finally:
        running.kill()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("words", ["games", "trace alcazar --games 50 --json"])
def test_a_full_disk_is_told(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*BARTIZAN, *words.split()], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "bartizan: The output cannot be used: no space left on device.\n"


@pytest.mark.parametrize("data", [b"end\n\xff\xfe\x00\nhint\n", b"", b"\x1b[2J\n" * 3])
def test_a_pipe_may_bring_anything(data: bytes) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0", "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        [*BARTIZAN, "play", "alcazar", "--seed", "7"],
        input=data,
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"it stands at move {1 if b'end' in data else 0}.\n".encode() in done.stdout
    assert b"\x1b" not in done.stdout


def test_closed_streams_are_no_error() -> None:
    here = f"{sys.executable} -m bartizan"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{here} play alcazar <&- && {here} games >&-"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "it stands at move 0" in done.stdout
