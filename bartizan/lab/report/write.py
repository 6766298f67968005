"""Write the report of an experiment."""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.files import check_replaceable, write_atomically
from bartizan.lab.experiment import Experiment
from bartizan.lab.report.findings import SECONDS
from bartizan.lab.report.gather import Progress, gather
from bartizan.lab.report.page import render
from bartizan.lab.store import REPORT


def write_report(
    experiment: Experiment,
    out: Path | None = None,
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Path:
    """Write the report as one HTML file, by default to the experiment's folder; return its path.

    `progress` gets the number of replayed sample games and the total, `seconds` is how long a decision takes.
    Raises `BadExperiment` if no game is finished, `CorruptRecord`, `Unwritable`.
    """
    path = out or experiment.folder.path / REPORT
    check_replaceable(path)
    write_atomically(path, render(gather(experiment, progress, seconds)))
    return path
