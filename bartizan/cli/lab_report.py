"""``bartizan lab report``: write an experiment's results as one HTML file."""

from __future__ import annotations

import argparse
from pathlib import Path

from bartizan.cli.progress import bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this part of ``bartizan lab`` takes."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of an experiment")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (the folder)")


def run_report(args: argparse.Namespace) -> int:
    """Write the report, and say where it is."""
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.report import write_report

    experiment = Experiment.open(args.folder)
    with bar("games shown") as progress:
        path = write_report(experiment, args.out, progress)
    print(path)
    return 0
