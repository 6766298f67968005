"""Write the report of an experiment."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import msgspec

from bartizan.engine.files import check_replaceable, write_atomically
from bartizan.engine.levels import title_of
from bartizan.lab.experiment import Experiment
from bartizan.lab.report.answers import answers_about
from bartizan.lab.report.findings import SECONDS, Findings
from bartizan.lab.report.gather import Progress, gather
from bartizan.lab.report.page import render
from bartizan.lab.store import ANSWERS, REPORT

PACES = (5.0, 10.0, 20.0, 30.0, 60.0)  # seconds per decision that the Lab page offers


def write_report(
    experiment: Experiment,
    out: Path | None = None,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Path:
    """Write the report as one HTML file, by default to the experiment's folder; return its path.

    In the folder its answers are kept beside it, as ``answers.json``, for the Lab page; they name
    players as lobbies do.
    `progress` gets the number of replayed sample games and the total, `seconds` is how long a decision takes.
    Raises `BadExperiment` if no game is finished, `CorruptRecord`, `Unwritable`.
    """
    path = out or experiment.folder.path / REPORT
    check_replaceable(path)
    findings = gather(experiment, progress, seconds)
    write_atomically(path, render(findings))
    if out is None:
        write_atomically(experiment.folder.path / ANSWERS, _answers(experiment, findings))
    return path


def _answers(experiment: Experiment, findings: Findings) -> str:
    """Return the answers as JSON, at several paces, with the number of games that they are about."""
    games = experiment.folder.played
    cells = tuple(replace(cell, players=tuple(map(title_of, cell.players))) for cell in findings.cells)
    findings = replace(findings, cells=cells)
    found = {
        pace: answers_about(replace(findings, seconds=pace)) for pace in sorted({*PACES, findings.seconds})
    }
    paces = [{"seconds": pace, "answers": each.answers} for pace, each in found.items()]
    answers = asdict(found[findings.seconds]) | {"seconds": findings.seconds, "paces": paces}
    told = {"finished": experiment.is_finished, "games": games, "answers": answers}
    return msgspec.json.encode(told).decode()
