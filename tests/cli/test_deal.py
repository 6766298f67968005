"""``bartizan deal``: deals shown, solved, looked for and counted."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bartizan.cli.main import INTERRUPTED, main
from bartizan.match import GameRecord, Match
from bartizan.match.progress import hash_of_seed

CARRY = ("--set", "overflow=carry")
HOPELESS = "14"  # cannot be won where what is left of an attack strikes on
EASY = "1"  # can
SHORT = "7e6b70b85c2708df"  # a deal whose first round is soon searched
WRONG = {
    "a game for two": (
        "castle-danger --solve",
        "Castle Danger is for 2 seats, and only a deal for one can be solved; "
        "`bartizan simulate castle-danger` shows how often each seat wins.",
    ),
    "a winnable one for two": ("castle-danger --winnable", "only a deal for one can be solved"),
    "a count for two": ("castle-danger --count 3", "only a deal for one can be solved"),
    "no such game": ("alcazr", "Did you mean 'alcazar'?"),
    "no seed": ("alcazar --seed xyz --winnable", "'xyz' isn't a seed"),
    "no seed to count from": ("alcazar --seed xyz --count 2", "'xyz' isn't a seed"),
    "no such setting": ("alcazar --count 2 --set havok=true", "Did you mean 'havoc'?"),
    "too many seats": ("alcazar --seats 2", "for 1 seat, not 2"),
    "too many seats to count": ("alcazar --seats 2 --count 5", "for 1 seat, not 2"),
    "two questions": ("alcazar --solve --winnable", "not allowed with argument"),
    "a line of nothing": ("alcazar --line", "--line goes with --solve or --winnable."),
    "a line of many": ("alcazar --count 3 --line", "--line goes with"),
    "a record of many": ("alcazar --count 3 --record x.txt", "--record saves one deal"),
    "nothing to resume": ("alcazar --solve --resume x.jsonl", "--resume goes with --count."),
    "nothing for threads": ("alcazar --threads 2", "--threads goes with --count."),
    "no positions": ("alcazar --solve --positions 0", "'0' isn't a whole number from 1"),
    "no such folder": ("alcazar --record no/such/file", "no/such/file cannot be written"),
    "no such folder to resume": (
        "alcazar --count 2 --resume no/such/file",
        "no/such/file cannot be used: no such file",
    ),
}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["deal", *words])
    out, err = capsys.readouterr()
    return code, out, err


def json_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    result = json.loads(out)
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize(("words", "sentence"), WRONG.values(), ids=list(WRONG))
def test_bad_input_is_one_sentence(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_a_deal_is_shown_as_its_player_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "alcazar", "--seed", "c0ffee", "--set", "havoc=true")
    match = Match("alcazar", {"havoc": True}, seed="c0ffee")
    assert code == 0
    assert out.startswith("Alcazar, seed c0ffee\nwith havoc=True\n")
    assert hash_of_seed("c0ffee") in out
    assert "Your hand 5/5\n" + " ".join(match.position()["hand"]) in out
    hidden = match.position()["tower"][1:]
    assert not any(card.removeprefix("~") in out for card in hidden)
    assert out.endswith("To play it: bartizan play alcazar --seed c0ffee --set havoc=True\n")


def test_a_deal_is_drawn_anew_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (json_of(capsys, "alcazar") for _ in range(2))
    assert one["seed"] != two["seed"]
    assert one["seed_hash"] == hash_of_seed(one["seed"])
    again = json_of(capsys, "alcazar", "--seed", one["seed"])
    assert again == one
    assert {zone["id"] for zone in one["scene"]["zones"]} >= {"hand", "tower", "deck"}


def test_games_for_several_are_dealt_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "tower", "--seats", "3", "--seed", "5")
    assert code == 0
    assert out.endswith("To play it: bartizan play tower --seed 5 --seats 3\n")
    assert json_of(capsys, "tower", "--seats", "3", "--seed", "5")["seats"] == 3


def test_a_deal_alone_can_be_kept_as_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deal.txt"
    assert run(capsys, "alcazar", "--seed", "7", "--record", str(path))[0] == 0
    assert Match.of(GameRecord.parse(path.read_text())).digest() == Match("alcazar", seed="7").digest()


def test_a_winning_line_is_a_record_that_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "line.txt"
    code, out, _ = run(capsys, "alcazar", "--seed", EASY, *CARRY, "--solve", "--line", "--record", str(path))
    assert code == 0
    assert out.startswith("This deal can be won by a player who knows every card (")
    match = Match.of(GameRecord.parse(path.read_text()))
    assert match.result() == "player"
    assert [line.split(". ", 1)[1] for line in out.splitlines()[1:-1]] == match.moves
    assert main(["replay", str(path), "--verify"]) == 0
    assert "all legal. The tower stands." in capsys.readouterr().out


def test_the_line_is_not_told_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "alcazar", "--seed", EASY, *CARRY, "--solve")
    assert len(out.splitlines()) == 2
    result = json_of(capsys, "alcazar", "--seed", EASY, *CARRY, "--solve")
    assert result["verdict"] == "won"
    assert "moves" not in result
    told = json_of(capsys, "alcazar", "--seed", EASY, *CARRY, "--solve", "--line")
    assert len(told["moves"]) == told["plies"] == result["plies"] > 10


def test_a_deal_that_cannot_be_won_is_told_apart_from_one_that_is_not_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "alcazar", "--seed", HOPELESS, *CARRY, "--solve")
    assert code == 0
    assert out.startswith("This deal cannot be won, whatever is played (")
    code, out, _ = run(capsys, "alcazar", "--seed", HOPELESS, *CARRY, "--solve", "--positions", "50")
    assert code == 1
    assert out.startswith("It is unknown whether this deal can be won (50 positions searched).\nMore may be")


def test_a_winnable_deal_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "line.txt"
    words = ("alcazar", "--seed", HOPELESS, *CARRY, "--winnable")
    found = json_of(capsys, *words)
    assert found["tried"] > 1
    assert found["seed"] != HOPELESS
    code, out, _ = run(capsys, *words, "--record", str(path))
    assert code == 0
    assert f"bartizan play alcazar --seed {found['seed']} --set overflow=carry\n" in out
    assert Match.of(GameRecord.parse(path.read_text())).result() == "player"


def test_no_winnable_deal_is_an_answer_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bartizan.lab.solve.TRIES", 1)
    words = ("alcazar", "--seed", SHORT, "--set", "round_cap=1", "--winnable")
    code, out, _ = run(capsys, *words)
    assert code == 1
    assert (
        out == f"No deal that can be won was found: 1 tried from seed {SHORT} on, 1 of which cannot be won.\n"
    )
    code, out, _ = run(capsys, *words, "--json")
    assert code == 1
    assert json.loads(out)["verdict"] == "unknown"


def test_a_count_tells_all_three_apart(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("alcazar", "--seed", "5", *CARRY, "--count", "24", "--positions", "2000")
    result = json_of(capsys, *words, "--threads", "2")
    assert result["deals"] == result["won"] + result["lost"] + result["unknown"] == 24
    assert min(result["won"], result["lost"], result["unknown"]) > 0
    low, high = result["interval"]
    assert low < result["won"] / 24 < (result["won"] + result["unknown"]) / 24 < high
    code, out, _ = run(capsys, *words)
    lines = out.splitlines()
    assert code == 0
    assert lines[1] == f"  can be won     {result['won']}: {100 * result['won'] / 24:.2f}%"
    assert lines[2].startswith(f"  cannot be won  {result['lost']} (")
    assert lines[3].startswith(f"  unknown        {result['unknown']} (")
    assert f"{100 * low:.2f}% to {100 * high:.2f}%, however the unknown ones would turn out" in lines[4]


def test_a_count_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "deals.jsonl")
    words = ("alcazar", *CARRY, "--positions", "2000", "--resume", path)
    json_of(capsys, *words, "--count", "5")
    result = json_of(capsys, *words, "--count", "9")
    assert (result["known_before"], result["deals"]) == (5, 9)
    fresh = json_of(capsys, *words[:-2], "--count", "9")
    assert all(result[key] == fresh[key] for key in ("won", "lost", "unknown", "positions", "lost_seeds"))
    code, _, err = run(capsys, "alcazar", "--count", "9", "--resume", path)
    assert code == 2
    assert 'is about other work: its options overflow is "carry", and here it is "none". Choose' in err


def test_ctrl_c_leaves_what_is_known(tmp_path: Path) -> None:
    assert main(["compile", "alcazar", "--batches"]) == 0
    path = tmp_path / "deals.jsonl"
    words = ["deal", "alcazar", "--count", "1000000", "--threads", "2", "--resume", str(path)]
    running = subprocess.Popen(
        [sys.executable, "-m", "bartizan", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < 10:
            assert running.poll() is None
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, err) == (INTERRUPTED, "")
    assert "stopped before all 1,000,000 were" in out
    assert "can be won" in out
    assert path.read_bytes().endswith(b"\n")


def test_an_interruption_that_a_library_renames_leaves_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An extension module in which Ctrl-C comes may raise an error of its own because of it."""

    def interrupted(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise SystemError("a call ended with an error set") from error

    monkeypatch.setattr("bartizan.lab.solve.Counting.run", interrupted)
    code, out, err = run(capsys, "alcazar", "--count", "9")
    assert (code, err) == (INTERRUPTED, "")
    assert "0 deals solved, stopped before all 9 were" in out


def test_a_bar_tells_how_far_it_is() -> None:
    master, slave = pty.openpty()
    words = ["deal", "alcazar", "--count", "300", "--positions", "500"]
    with subprocess.Popen(
        [sys.executable, "-m", "bartizan", *words],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    ) as running:
        os.close(slave)
        shown = b""
        try:
            while block := os.read(master, 4096):
                shown += block
        except OSError:  # the other end was closed
            pass
        assert running.wait(timeout=60) == 0
    os.close(master)
    assert b"deals solved" in shown
    assert b"/300" in shown
