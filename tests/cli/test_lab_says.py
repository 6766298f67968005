"""What ``bartizan lab`` says so that nobody has to guess: which variants, which seeds, how to resume."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from bartizan.cli.main import main
from bartizan.lab.experiment import Experiment
from bartizan.lab.reading import design_of
from bartizan.lab.tables import lines

QUICK = ("run", "--game", "castle-danger", "--players", "random", "--games", "2")
ALONE = (*QUICK, "--measures", "fairness", "--confirm", "none")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lab(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints, whatever its exit code is."""
    main(["lab", *words])
    return "".join(capsys.readouterr())


def test_a_comparison_says_that_it_is_about_the_first_variants(capsys: pytest.CaptureFixture[str]) -> None:
    lab(capsys, *ALONE, "--vary", "friendly_fire=none,all", "--out", "one")
    lab(capsys, *ALONE, "--out", "two")
    said = lab(capsys, "compare", "one", "two")
    assert "two minus one (friendly_fire = none)" in said
    assert "Only the first variant of one is compared." in said
    assert "Only the first variant of one and of one is" in lab(capsys, "compare", "one", "one")
    assert "variant" not in lab(capsys, "compare", "two", "two")


def test_every_number_of_a_variant_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    said = lab(capsys, *ALONE, "--each", "friendly_fire=none", "--out", "one")
    assert "  cell 0: the rules as they are\n  cell 1: friendly_fire = none\n" in said
    assert "[0]" in said
    assert "cell 0" not in lab(capsys, *ALONE, "--out", "two")


def test_a_stopped_experiment_says_how_to_resume_it(capsys: pytest.CaptureFixture[str]) -> None:
    lab(capsys, *ALONE, "--out", "one two")
    assert "resumes" not in lab(capsys, "show", "one two")
    design = Experiment.open(Path("one two")).design
    Experiment.begin(replace(design, games=6), Path("one two"))
    said = lab(capsys, "show", "one two")
    assert "2 of 6 games are played. `bartizan lab run 'one two'` resumes it." in said


def test_commands_that_are_suggested_can_be_pasted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "`bartizan lab run 'one two.toml'` runs it." in lab(
        capsys, "new", "castle-danger", "--out", "one two.toml"
    )

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "run", stop)
    said = lab(capsys, "run", "one two.toml")
    assert "Stopped. `bartizan lab run 'one two'` resumes it." in said


def test_another_experiment_is_told_apart_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    lab(capsys, *ALONE, "--seed", "spring", "--set", "turn_limit=9", "--out", "one")
    same = (*ALONE, "--seed", "spring", "--set", "turn_limit=9", "--out", "one")
    for words, said in (
        (("--seed", "autumn"), "its seed is spring, not autumn."),
        (("--players", "greedy,random"), "its players are random, random, not greedy, random."),
        (("--measures", "fairness,length"), "its measures are fairness, not fairness, length."),
        (("--confirm", "greedy"), "its confirming players are none, not greedy."),
        (("--repeats", "2"), "its repeats is 1, not 2."),
        (("--set", "friendly_fire=none"), "its option friendly_fire is all, not none."),
        (("--vary", "friendly_fire=all,none"), "its option friendly_fire is all, not varied."),
    ):
        given = [*same, *words] if words[0] != "--set" else [*same, "--set", words[1]]
        told = lab(capsys, *given)
        assert f"one holds another experiment: {said}" in told
        assert "{" not in told


def test_an_option_is_set_or_varied(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--vary", "--each"):
        said = lab(capsys, *ALONE, "--set", "turn_limit=9", flag, "turn-limit=9,10", "--out", "one")
        assert f"--set turn_limit fixes what {flag} turn_limit varies. Leave one of them out." in said
    assert not Path("one").exists()


def test_a_column_that_is_not_there_is_named_and_columns_are_listed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lab(capsys, *ALONE, "--out", "one")
    said = lab(capsys, "games", "one", "--where", "ply > 3")
    assert "there is no column 'ply'" in said
    assert said.count("ninetieth_legal") == 1
    for column in ("game", "cell", "seed", "plies"):
        said = lab(capsys, "games", "one", "--best", column, "--take", "1")
        assert len(re.findall(rf"\b{column} \w", said)) <= 1, said


def test_no_heading_stands_alone() -> None:
    design = design_of({"game": "castle-danger", "vary": {"friendly_fire": ["all", "none"]}})
    row = {"group": "what-if", "measure": "drawn", "kind": "difference", "cell": 1, "estimate": 0.1}
    row |= {"low": -0.1, "high": 0.3, "p": 0.4, "games": 9, "method": "", "counts": "", "words": "x"}
    frame = pl.DataFrame([row, {**row, "measure": "rounds"}])
    assert lines(design, frame)[-2:] == ["what-if", "  None of 2 figures stands out: --all shows them"]
    assert len(lines(design, frame, everything=True)) == 7
