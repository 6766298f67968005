"""``bartizan lab report`` and ``publish``: write an experiment's results as one HTML file, or as a site."""

from __future__ import annotations

import argparse
from pathlib import Path

from bartizan.cli.progress import bar

MOST_SECONDS = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this part of ``bartizan lab`` takes."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of an experiment")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: in the folder)")
    add_seconds(parser)


def add_publish_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what ``bartizan lab publish`` takes."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of an experiment")
    parser.add_argument(
        "--out", type=Path, metavar="SITE", help="folder to write (default: site/ in the folder)"
    )
    parser.add_argument(
        "--server", type=_address, metavar="URL", help="a server on which readers can watch the games"
    )
    add_seconds(parser)


def add_seconds(parser: argparse.ArgumentParser) -> None:
    """Add the option that turns decisions into minutes."""
    parser.add_argument(
        "--seconds-per-decision",
        type=_seconds,
        default=10.0,
        metavar="N",
        help="how many seconds a person takes for a decision (default: 10)",
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0, up to {MOST_SECONDS:,}")
    return seconds


def _address(text: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text} isn't an address such as https://games.example.org")
    return text


def run_publish(args: argparse.Namespace) -> int:
    """Write the site, and say where its page is."""
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.report.publish import publish

    experiment = Experiment.open(args.folder)
    out = args.out or args.folder / "site"
    with bar("games shown") as progress:
        path = publish(
            experiment, out, server=args.server or "", progress=progress, seconds=args.seconds_per_decision
        )
    print(path)
    return 0


def run_report(args: argparse.Namespace) -> int:
    """Write the report, and say where it is."""
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.report.write import write_report

    experiment = Experiment.open(args.folder)
    with bar("games shown") as progress:
        path = write_report(experiment, args.out, progress, args.seconds_per_decision)
    print(path)
    return 0
