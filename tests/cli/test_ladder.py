"""``bartizan ladder``: tables, JSON, files to go on with, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bartizan.cli import ladder_command
from bartizan.cli.main import main
from bartizan.engine.mode import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games want compiled rules")

PAIR = ("castle-danger", "--players", "greedy,random", "--games", "4")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["ladder", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_pair_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *PAIR, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["games"]) == ("greedy", "random", 4)
    assert pair["score"] == 1.0
    assert {rating["player"]: rating["elo"] for rating in found["ratings"]}["random"] < -100


def test_older_spellings_go_on_working(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = json.loads(run(capsys, *PAIR, "--json")[1])
    older = ("castle-danger", "--pair", "greedy,random", "--games", "4", "--players", "2")
    code, out, _ = run(capsys, *older, "--json", "--file", str(tmp_path / "rounds"))
    assert code == 0
    assert [pair["wins"] for pair in json.loads(out)["pairs"]] == [pair["wins"] for pair in found["pairs"]]
    assert (tmp_path / "rounds").exists()


def test_more_than_two_meet_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("castle-danger", "--players", "greedy,page,random", "--games", "2", "--json")
    pairs = json.loads(run(capsys, *words)[1])["pairs"]
    met = [(pair["first"], pair["second"]) for pair in pairs]
    assert met == [("greedy", "page"), ("greedy", "random"), ("page", "random")]


def test_a_pair_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *PAIR)
    assert code == 0
    assert "greedy against random" in out
    assert "100.0% of the points" in out
    assert "won 4 and 0 of 4" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines()[4:]}
    assert rows["greedy"][2:5] == ["+0", "to", "+0"]
    assert rows["random"][2] == "–"  # a bootstrap over deals that all ended alike knows no interval


def test_a_file_is_gone_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "rounds.jsonl")
    code, first, _ = run(capsys, *PAIR, "--json", "--resume", file)
    assert code == 0
    monkeypatch.setattr("bartizan.lab.ladder.LadderGame.meet", None)  # nothing is left to play
    assert run(capsys, *PAIR, "--json", "--resume", file)[:2] == (0, first)
    code, _, err = run(capsys, *PAIR, "--seed", "1", "--resume", file)
    assert code == 2
    assert 'is about other work: its seed is "0", and here it is "1". Choose' in err


def test_the_table_of_the_docs_is_written_between_its_marks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "players.md"
    page.write_text(
        "# Players\n<!-- ladder castle-danger -->\nold\n<!-- end of ladder castle-danger -->\nrest\n"
    )
    assert run(capsys, *PAIR, "--table", str(page))[0] == 0
    text = page.read_text()
    assert text.startswith("# Players\n<!-- ladder castle-danger -->\n\n| player | Elo |")
    assert text.endswith("<!-- end of ladder castle-danger -->\nrest\n")
    assert "| greedy | +0 |" in text
    assert "old" not in text


@pytest.mark.parametrize("players", ["squire,page", "page,squire"])
def test_a_table_for_more_seats_has_marks_of_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, players: str
) -> None:
    marks = "<!-- ladder card-barrage -->\n<!-- end of ladder card-barrage -->\n"
    more = marks.replace("card-barrage", "card-barrage 2")
    page = tmp_path / "players.md"
    page.write_text(marks + more)
    words = ("card-barrage", "--players", players, "--games", "4", "--seats", "2")
    assert run(capsys, *words, "--table", str(page))[0] == 0
    text = page.read_text()
    assert text.startswith(marks + "<!-- ladder card-barrage 2 -->\n\n| player | Elo |")
    rows = {line.split(" | ")[0]: line for line in text.splitlines()[4:]}
    assert " of 4 | " in rows["| squire"]  # it has met the level below
    assert " of 4 | " not in rows["| page"]  # which has none below


def test_an_interruption_shows_what_there_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from bartizan.lab import ladder

    whole = ladder.meetings

    def stops(*given: object, **named: object) -> object:
        found = whole(*given, **named)  # type: ignore[arg-type]
        yield next(found)
        raise KeyboardInterrupt

    monkeypatch.setattr(ladder, "meetings", stops)
    code, out, _ = run(capsys, *PAIR, "--resume", str(tmp_path / "rounds"))
    assert code == 130
    assert "of 2" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("castle-danger", "--players", "greedy"), "name at least two players"),
        (("castle-danger", "--players", "greedi,random"), "Did you mean 'greedy'?"),
        (("castle-danger", "--players", "top,castellan"), "play against itself"),
        (("castle-danger", "--pair", "greedy"), "name at least two players"),
        (
            ("castle-danger", "--pair", "greedy,random", "--players", "top,greedy"),
            "old spelling of --players",
        ),
        (("castle-danger", "--players", "2", "--seats", "2"), "old spelling of --seats"),
        (("castle-danger", "--players", "3"), "Castle Danger is for 2 seats, not 3."),
        (("castle-danger", "--players", "0"), "Castle Danger is for 2 seats, not 0."),
        (("castle-danger", "--seats", "3"), "Castle Danger is for 2 seats, not 3."),
        (("castle-danger", "--resume", "a", "--file", "b"), "not allowed with argument"),
        (("castle", "--players", "top,greedy"), "castle-danger"),
        (("castle-danger", "--table", "nowhere.md"), "nowhere.md"),
        (("castle-danger", "--games", "0"), "whole number"),
    ],
)
def test_refusals_are_sentences(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_page_without_marks_is_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    code, _, err = run(capsys, *PAIR, "--table", str(page))
    assert code == 2
    assert "has no place for this table" in err
    assert page.read_text() == "nothing\n"


def test_every_level_meets_somebody() -> None:
    from bartizan.engine import registry

    game = registry.get("tower")
    pairs = ladder_command._all_pairs(game)
    assert {level.name for level in game.player_levels} <= {name for pair in pairs for name in pair}
    assert len(set(pairs)) == len(pairs)
