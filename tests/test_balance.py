"""Hold the balance sheets to the figures that their experiments came to, and their maker to its rules."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.lab.design import BadExperiment
from scripts import balance, sheet_pages, sheets
from scripts.sheets import BadSheet, Claim, KeptFigure, doubt, read_kept, read_plan, say

ROOT = Path(__file__).resolve().parent.parent
SHEETS = ROOT / "docs" / "balance"
GAMES = sorted(name for name in registry.names() if (SHEETS / name).is_dir())


def figure(estimate: float, low: float, high: float, measure: str = "won.seat_1") -> KeptFigure:
    return KeptFigure(
        measure=measure,
        share=measure.startswith("won"),
        kind="level",
        cell="",
        estimate=estimate,
        low=low,
        high=high,
        p=None,
        n=100,
        games=100,
        method="Wilson",
    )


# --- The sheets that are there ------------------------------------------------------


def test_every_game_of_ours_has_a_sheet_and_the_readme_links_it() -> None:
    ours = [
        path.parent.name.replace("_", "-") for path in (ROOT / "bartizan" / "games").glob("*/clauses.toml")
    ]
    assert sorted(ours) == GAMES
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"docs/balance/{name}.md" in readme for name in GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_says_what_its_experiments_came_to(name: str) -> None:
    plan = read_plan(SHEETS / name)
    kept = read_kept(plan)
    page = plan.page.read_text(encoding="utf-8")
    assert page == sheet_pages.render(plan, kept)
    assert [verdict.sentence() for verdict in sheets.verdicts(plan.sheet, kept) if not verdict.holds] == []
    for one in kept.values():
        assert f"Bartizan {one.made_with['bartizan']}, rules {one.made_with['rules_digest']}" in page
    drawn = {path.name for path in plan.folder.glob("*.svg")}
    assert drawn == {f"{picture.name}.svg" for picture in plan.sheet.picture}
    links = re.findall(r"\]\(([^)#]+)\)", page)
    assert links
    assert [link for link in links if not (plan.page.parent / link).is_file()] == []


@pytest.mark.parametrize(
    "path", sorted(SHEETS.glob("*/*.svg")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_picture_is_small_and_has_the_colours_of_light_and_dark(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert len(text) < 60_000
    asked = {*re.findall(r"var\((--[a-z0-9-]+)\)", text)}
    light, _, dark = text.partition("@media(prefers-color-scheme:dark)")
    assert asked <= {*re.findall(r"(--[a-z0-9-]+):#", light)}
    assert asked <= {*re.findall(r"(--[a-z0-9-]+):#", dark)}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


# --- Claims -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "chance"),
    [(0.5, None, 0.05), (None, 0.7, 0.05), (0.6, None, 1.0), (0.61, None, 1.0), (0.5, 0.99, 0.05)],
)
def test_a_claim_is_as_doubtful_as_its_border_is_near(
    low: float | None, high: float | None, chance: float
) -> None:
    claim = Claim(name="one", says="{figure}", experiment="x", measure="won.seat_1", low=low, high=high)
    assert doubt(claim, figure(0.6, 0.5, 0.7)) == pytest.approx(chance, abs=1e-6)


def test_a_claim_without_a_figure_does_not_hold() -> None:
    claim = Claim(name="one", says="{figure}", experiment="x", measure="won.seat_1", low=0.5)
    unknown = msgspec.structs.replace(figure(0, 0, 0), estimate=None, low=None, high=None)
    assert doubt(claim, unknown) == 1


def test_claims_are_judged_together() -> None:
    """What one claim alone would be sure of is not sure among twenty."""
    claims = tuple(
        Claim(name=f"c{n}", says="{figure}", experiment="x", measure="won.seat_1", low=0.48)
        for n in range(20)
    )
    one = sheets.KeptExperiment(
        experiment="",
        made_with={},
        players=("greedy",),
        seed="1",
        games=100,
        seconds=1,
        figures=(figure(0.6, 0.5, 0.7),),
    )
    assert sheets.verdicts(sheets.Sheet(claim=claims[:1]), {"x": one})[0].holds
    together = sheets.verdicts(sheets.Sheet(claim=claims), {"x": one})
    assert not any(each.holds for each in together)
    assert not any(each.fails for each in together)


def test_a_difference_is_told_by_its_size() -> None:
    fewer = msgspec.structs.replace(figure(-0.12, -0.15, -0.09), kind="difference")
    assert say(fewer) == "12 ± 3 percentage points"
    points = msgspec.structs.replace(figure(-600.0, -620.0, -580.0, "points.seat_1"), kind="difference")
    assert say(points) == "600 ± 20"


# --- Making one ---------------------------------------------------------------------

EXPERIMENT = """
game = "castle-danger"
players = ["greedy", "greedy"]
games = 6
seed = "first"
measures = ["fairness", "length", "choice"]

[each]
friendly_fire = ["none"]
"""
SHEET = """
[[ratio]]
name = "shots"
experiment = "small"
words = "shots a game"
top = "chosen_fire_1 + chosen_fire_2"

[[claim]]
name = "long"
says = "A game has {figure} decisions"
experiment = "small"
measure = "decisions"
low = 3

[[claim]]
name = "shots"
says = "and {figure} shots"
experiment = "small"
measure = "shots"
low = 0.5

[[table]]
name = "all"
experiment = "small"
columns = [{ head = "first", measure = "won.seat_1" }]
rows = [{ name = "unchanged" }, { name = "none", cell = "friendly_fire = none" }]

[[picture]]
name = "who"
experiment = "small"
caption = "Who wins"
axis = "share"
series = [{ head = "first", measure = "won.seat_1" }, { head = "second", measure = "won.seat_2" }]
rows = [{ name = "unchanged" }, { name = "none", cell = "friendly_fire = none" }]
"""
PROSE = '# A sheet\n\n{{ says("long") }} {{ says("shots") }}.\n\n{{ table("all") }}\n\n{{ picture("who") }}\n'


def lead_to(root: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(balance, "SHEETS", root / "docs")
    patch.setattr(balance, "PLAYED", root / "played")
    patch.setattr(balance, "ROOT", root)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sheet that is made, and its games."""
    root = tmp_path_factory.mktemp("balance")
    folder = root / "docs" / "castle-danger"
    folder.mkdir(parents=True)
    for name, text in (("small.toml", EXPERIMENT), ("sheet.toml", SHEET), ("text.md", PROSE)):
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        lead_to(root, patch)
        assert balance.main(["castle-danger", "--threads", "1"]) == 0
    return root


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it: nothing has to be played again."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    lead_to(tmp_path, monkeypatch)
    return tmp_path / "docs" / "castle-danger"


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    paths = [*folder.iterdir(), *folder.parent.glob("*.md")]
    return {path.name: path.read_bytes() for path in paths}


def test_a_sheet_is_made_and_made_again_from_what_was_kept(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = files(folder)
    assert {"castle-danger.md", "measures.json", "who.svg"} <= set(made)
    page = made["castle-danger.md"].decode()
    assert re.search(r"A game has \*\*\S+.* decisions and \*\*\S+.* shots\.", page)
    assert balance.main(["castle-danger", "--kept"]) == 0
    assert files(folder) == made

    # A claim that does not hold is told by its name, and nothing is written.
    change(folder / "sheet.toml", "low = 3", "low = 3000")
    before = files(folder)
    capsys.readouterr()
    assert balance.main(["--threads", "1"]) == 1
    told = capsys.readouterr()
    assert "castle-danger: long: does not hold" in told.out
    assert "above 3,000" in told.out
    assert files(folder) == before

    # With other deals the claims are only told.
    change(folder / "sheet.toml", "low = 3000", "low = 3")
    before = files(folder)
    assert balance.main(["--threads", "1", "--seed", "other"]) == 0
    assert "castle-danger: shots: " in capsys.readouterr().out
    assert files(folder) == before

    # Figures of another experiment are not taken for its own.
    change(folder / "small.toml", 'seed = "first"', 'seed = "second"')
    assert balance.main(["--kept"]) == 2
    assert "small.toml has changed since it was played" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("text.md", "# A sheet", "# A sheet: 57% win", "'57%' is a figure that no claim holds"),
        ("text.md", 'says("long")', 'says("lonk")', "there is no claim 'lonk'. Did you mean 'long'"),
        ("text.md", '{{ says("shots") }}', "", "does not tell the claim 'shots'"),
        ("text.md", '{{ table("all") }}', "{{ tabel }}", "'tabel' is undefined"),
        ("sheet.toml", "low = 3\n", "", "long: a claim needs low or high"),
        ("sheet.toml", "and {figure} shots", "and 3 shots", "shots: it must say {figure}"),
        ("sheet.toml", 'measure = "decisions"', 'measure = "decision"', "Did you mean 'decisions'"),
        (
            "sheet.toml",
            'cell = "friendly_fire = none"',
            'cell = "friendly_fire = nome"',
            "Did you mean 'friendly_f",
        ),
        ("sheet.toml", 'name = "long"', 'name = "shots"', "'shots' is there twice"),
        ("sheet.toml", "low = 3\n", "lov = 3\n", "unknown field `lov`"),
        (
            "sheet.toml",
            'experiment = "small"\nmeasure',
            'experiment = "smal"\nmeasure',
            "Did you mean 'small'",
        ),
        ("sheet.toml", "chosen_fire_1 +", "chosen_fir_1 +", "chosen_fir_1"),
        ("sheet.toml", "low = 3\n", 'kind = "difference"\nlow = -3\n', "on one side of 0"),
        ("small.toml", '"castle-danger"', '"tower"', "small.toml is about tower"),
    ],
)
def test_a_fault_is_told_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, before: str, after: str, said: str
) -> None:
    change(folder / file, before, after)
    if file == "small.toml":
        change(folder / file, '[each]\nfriendly_fire = ["none"]', "")
    page = files(folder)["castle-danger.md"]
    assert balance.main(["--threads", "1"]) == 2
    assert said in capsys.readouterr().err
    assert files(folder)["castle-danger.md"] == page


def test_games_and_parts_that_do_not_exist_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert balance.main(["castle-dange"]) == 2
    assert "Did you mean 'castle-danger'" in capsys.readouterr().err
    assert balance.main(["--threads", "0"]) == 2
    assert balance.main(["--seed", "x", "--part", "2"]) == 2


def test_two_runs_do_not_play_into_one_experiment(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with balance._alone():
        assert balance.main(["--threads", "1"]) == 2
    assert "Another command plays in" in capsys.readouterr().err


def test_an_experiment_with_a_fault_is_told_by_its_file(folder: Path) -> None:
    change(folder / "small.toml", "games = 6", "games = 0")
    with pytest.raises(BadExperiment, match=r"small\.toml, line 4: games is 0"):
        read_plan(folder)


def test_a_part_of_the_games_is_played_with_another_seed(folder: Path) -> None:
    text = EXPERIMENT.replace("games = 6", "games = 1000") + "[search]\nrounds = 40\n"
    design = balance._other(text, "other", 0.1)
    whole = read_plan(folder).designs["small"]
    assert (design.games, design.search.rounds) == (100, 4)
    assert design.seed != whole.seed
    assert replace(design, seed=whole.seed, games=6, search=whole.search).written() == whole.written()


def test_a_claim_that_has_no_games_yet_is_no_sheet(folder: Path) -> None:
    (folder / "measures.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadSheet, match=r"small\.toml has changed since it was played"):
        read_kept(read_plan(folder))
    (folder / "measures.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadSheet, match=r"measures\.json: "):
        read_kept(read_plan(folder))


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.51, 0.55, "holds"),
        (0.49, 0.55, "not sure"),
        (0.45, 0.52, "not sure"),
        (0.45, 0.5, "not sure"),
        (0.41, 0.49, "does not hold"),
    ],
)
def test_a_claim_whose_interval_holds_the_border_is_not_sure(low: float, high: float, word: str) -> None:
    claim = Claim(name="first", says="{figure}", experiment="one", measure="won.seat_1", low=0.5)
    at = (low + high) / 2
    verdict = sheets.Verdict(claim, figure(at, low, high), doubt(claim, figure(at, low, high)))
    assert verdict.sentence().startswith(f"first: {word}: ")
    assert verdict.fails == (word == "does not hold")
