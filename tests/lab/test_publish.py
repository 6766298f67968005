"""What is published stands by itself: page, pictures, figures, games.  A notebook shows the first screen."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from bartizan.cli.main import main
from bartizan.lab import Experiment
from bartizan.lab.report.gather import answers_of
from bartizan.lab.report.publish import publish
from bartizan.match import Match
from bartizan.match.record import GameRecord
from tests.lab.reporting import HOSTILE
from tests.lab.test_report import Reader

DESIGN = {
    "game": "castle-danger",
    "games": 40,
    "measures": ["fairness", "length"],
    "confirm": {"players": []},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    experiment = Experiment.begin(DESIGN, tmp_path_factory.mktemp("lab") / HOSTILE.replace("/", "_"))
    experiment.run()
    return experiment


@pytest.fixture(scope="module")
def site(played: Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(played, tmp_path_factory.mktemp("web") / "site").parent


def test_every_link_of_the_page_leads_to_a_file(site: Path) -> None:
    links = [
        attributes["href"]
        for tag, attributes in Reader((site / "index.html").read_text()).tags
        if tag == "a" and not attributes["href"].startswith("#")
    ]
    files = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert set(links) == files - {"index.html"}
    assert {"measures.csv", "pictures/answers.png", "pictures/answers.csv"} < files


def test_pictures_have_their_figures_beside_them(played: Experiment, site: Path) -> None:
    bars = answers_of(played, played.measures()).bars
    told = pl.read_csv(site / "pictures" / "answers.csv")
    assert told["estimate"].to_list() == pytest.approx([bar.estimate for bar in bars])
    for path in (site / "pictures").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG\r\n")
        assert b"var(" not in path.read_bytes()
    measured = pl.read_csv(site / "measures.csv")
    assert measured["measure"].to_list() == played.measures()["measure"].to_list()


def test_its_games_are_whole_and_told_move_by_move(site: Path) -> None:
    page = Reader((site / "index.html").read_text())
    games = list((site / "games").iterdir())
    assert games
    for path in games:
        match = Match.of(GameRecord.parse(path.read_text()))
        assert match.is_over
    assert "move by move" in page.text
    assert "Blue: " in page.text


def test_a_server_is_named_only_if_there_is_one(played: Experiment, tmp_path: Path) -> None:
    assert "127.0.0.1" not in publish(played, tmp_path / "alone").read_text()
    text = publish(played, tmp_path / "served", server="https://games.example.org/").read_text()
    assert 'href="https://games.example.org/replay#record=' in text


def test_only_what_was_published_is_replaced(played: Experiment, tmp_path: Path) -> None:
    site = tmp_path / "site"
    publish(played, site)
    (site / "games" / "old.txt").write_text("x")
    publish(played, site)
    assert not (site / "games" / "old.txt").exists()
    own = tmp_path / "own"
    own.mkdir()
    (own / "index.html").write_text("mine")
    assert main(["lab", "publish", str(played.folder.path), "--out", str(own)]) == 2
    assert (own / "index.html").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("address", ["games", "javascript:alert(1)", "https://", "https://a?b"])
def test_an_address_is_checked(
    played: Experiment, tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    words = ["lab", "publish", str(played.folder.path), "--out", str(tmp_path / "s"), f"--server={address}"]
    assert main(words) == 2
    assert "isn't an address such as https://" in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_a_notebook_shows_the_first_screen(played: Experiment, tmp_path: Path) -> None:
    shown = played._repr_html_()
    read = Reader(shown)
    for each in answers_of(played, played.measures()).answers:
        assert each.sentence in read.text
    assert "svg" in {tag for tag, _ in read.tags}
    assert "var(" not in shown
    fresh = Experiment.begin(DESIGN, tmp_path / "fresh")
    assert "No games are finished yet" in fresh._repr_html_()
