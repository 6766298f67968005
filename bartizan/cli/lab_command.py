"""``bartizan lab``: run experiments that say whether a game works, and how sure that is."""

from __future__ import annotations

import argparse
import shlex
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bartizan.cli import lab_flags, lab_report
from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_parts, add_threads, whole
from bartizan.cli.progress import bar
from bartizan.engine.extras import require

if TYPE_CHECKING:
    import polars as pl

    from bartizan.lab.experiment import Experiment
    from bartizan.lab.runner import Workers

WORDS = {
    "new": "write an experiment with comments, ready to run",
    "run": "run an experiment, or resume one",
    "show": "print the results of an experiment",
    "games": "find games by their figures and write their records",
    "compare": "compare two experiments, deal by deal if they share deals",
    "report": "write the report as one HTML file",
    "publish": "write a folder to share: the report, pictures (PNG), data (CSV) and games",
}


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    add_part = add_parts(parsing, WORDS)
    new = add_part("new")
    new.add_argument("game", metavar="GAME")
    new.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: standard output)")
    run_ = add_part("run")
    run_.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="an experiment (TOML), or its folder"
    )
    run_.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder for the results (default: named after the file or the game)",
    )
    add_threads(
        run_,
        "number of threads (default: 1); on a cluster, tasks at the same time (default: its processors)",
        None,
    )
    run_.add_argument(
        "--on", metavar="CLUSTER", help="run on a Ray cluster: ray (this machine) or ray://HOST:PORT"
    )
    lab_flags.add_flags(run_)
    show = add_part("show")
    show.add_argument("folder", type=Path, metavar="FOLDER")
    show.add_argument("--all", action="store_true", help="print all figures, not only the main ones")
    show.add_argument("--json", action="store_true", help="print JSON")
    lab_report.add_seconds(show)
    games = add_part("games")
    games.add_argument("folder", type=Path, metavar="FOLDER")
    games.add_argument(
        "--where",
        default="",
        metavar="CONDITION",
        help="condition on the games, such as 'plies > 300 AND won_1 = 1'",
    )
    games.add_argument(
        "--best",
        default="",
        metavar="COLUMN",
        help="games with the largest COLUMN first; --best -COLUMN: with the smallest",
    )
    games.dashed = {"--best"}
    games.add_argument(
        "--take", type=whole(1, 10_000), default=5, metavar="N", help="number of games (default: 5)"
    )
    games.add_argument("--out", type=Path, metavar="FOLDER", help="write their records to this folder")
    report = add_part("report")
    lab_report.add_arguments(report)
    publish = add_part("publish")
    lab_report.add_publish_arguments(publish)
    compare = add_part("compare")
    compare.add_argument("one", type=Path, metavar="A")
    compare.add_argument("other", type=Path, metavar="B")
    compare.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Run the subcommand."""
    require("lab", "The Lab")
    parts = {
        "new": _new,
        "run": _run,
        "show": _show,
        "games": _games,
        "compare": _compare,
        "report": lab_report.run_report,
        "publish": lab_report.run_publish,
    }
    return parts[args.part](args)


def _new(args: argparse.Namespace) -> int:
    from bartizan.engine import registry
    from bartizan.engine.files import write_atomically
    from bartizan.lab.template import template

    text = template(registry.get(args.game))
    if args.out is None:
        print(text, end="")
        return 0
    if args.out.exists():
        raise UsageError(f"{args.out} is there already; name another file.")
    write_atomically(args.out, text)
    print(f"{args.out} is written; `{_run_command(args.out)}` runs it.")
    return 0


def _run_command(path: Path) -> str:
    return f"bartizan lab run {shlex.quote(str(path))}"


def _run(args: argparse.Namespace) -> int:
    if args.on is not None:  # before there is a folder
        from bartizan.lab.cluster import check_cluster

        check_cluster(args.on)
    experiment = _begin(args)
    design = experiment.design
    for sentence in (*experiment.faults, *experiment.missing().values()):
        print(f"  {sentence}")
    try:
        with _workers(args) as workers:
            if design.until is None:
                print(f"  {_power(design.games)}", flush=True)
            with bar("games", design.total_games) as progress:
                measures = experiment.run(progress=progress, workers=workers)
            if experiment.thinks:
                measures = _think(experiment, workers)
    except KeyboardInterrupt:
        print(f"Stopped. `{_run_command(experiment.folder.path)}` resumes it.")
        raise
    _print_figures(experiment, measures, everything=False)
    print(f"  {experiment.folder.path}")
    return 0


def _power(games: int) -> str:
    """Say how small a difference so many games can show."""
    from bartizan.lab.intervals import smallest_difference

    points = 100 * smallest_difference(games)
    told = f"{points:.0f}" if points >= 10 else f"{points:.1f}"
    return f"{games:,} games in a cell can show a difference in win share of about {told} points, or more."


def _workers(args: argparse.Namespace) -> AbstractContextManager[Workers]:
    """Return the workers: threads, or a cluster that lives as long as it is needed."""
    from bartizan.lab.runner import ThreadWorkers

    if args.on is None:
        return nullcontext(ThreadWorkers(args.threads or 1))
    from bartizan.lab.cluster import ray_workers

    return ray_workers(args.on, args.threads, lambda sentence: print(f"  {sentence}", flush=True))


def _think(experiment: Experiment, workers: Workers) -> pl.DataFrame:
    """Do what needs a search, after a word on how long that will take; return all measures."""
    seconds = experiment.forecast(workers.capacity)
    if seconds > 1:
        print(f"  Looking at games decision by decision takes about {duration(seconds)}.", flush=True)
    with bar("thinking") as progress:
        return experiment.think(progress=progress, workers=workers)


def duration(seconds: float) -> str:
    """Write a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5_400 else f"{seconds / 3_600:.1f} hours"


def _begin(args: argparse.Namespace) -> Experiment:
    """Open the experiment that a file or flags describe, or that a folder holds."""
    from bartizan.lab.experiment import Experiment

    design, out = lab_flags.read_experiment(args)
    return Experiment.begin(design, out)


def _show(args: argparse.Namespace) -> int:
    from bartizan.lab.experiment import Experiment

    experiment = Experiment.open(args.folder)
    for sentence in experiment.faults:
        print(f"  {sentence}")
    measures = experiment.measures()
    if args.json:
        from bartizan.lab.report.gather import answers_of

        answers = answers_of(experiment, measures, args.seconds_per_decision)
        encoded = msgspec.json.encode(
            {"answers": answers, "measures": msgspec.Raw(measures.write_json().encode())}
        )
        print(encoded.decode())
        return 0
    if not experiment.is_finished:
        most = f"{'at most ' if experiment.design.until else ''}{experiment.design.total_games:,}"
        command = _run_command(experiment.folder.path)
        print(f"  {experiment.folder.played:,} of {most} games are played. `{command}` resumes it.")
    _print_figures(experiment, measures, everything=args.all, seconds=args.seconds_per_decision)
    return 0


def _print_figures(
    experiment: Experiment, measures: pl.DataFrame, *, everything: bool, seconds: float | None = None
) -> None:
    """Print the three answers, then the tables."""
    from bartizan.lab.report.findings import SECONDS
    from bartizan.lab.report.gather import answers_of
    from bartizan.lab.tables import answer_lines, lines

    answers = answers_of(experiment, measures, SECONDS if seconds is None else seconds)
    shown = [
        *answer_lines(answers, everything=everything),
        "",
        *lines(experiment.design, measures, everything=everything),
    ]
    print("\n".join(shown))


def _games(args: argparse.Namespace) -> int:
    from bartizan.engine.files import write_atomically
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.tables import game_lines

    experiment = Experiment.open(args.folder)
    games = experiment.select(args.where, args.best, args.take)
    print("\n".join(game_lines(games, args.best.removeprefix("-"))))
    if args.out is None or games.height == 0:
        return 0
    args.out.mkdir(parents=True, exist_ok=True)
    for number in games["game"]:
        path = args.out / f"game_{number}.txt"
        write_atomically(path, experiment.record(number).text())
        print(f"  {path}")
    return 0


def _compare(args: argparse.Namespace) -> int:
    from bartizan.lab.compare import compare
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.tables import comparison_lines

    one, other = Experiment.open(args.one), Experiment.open(args.other)
    frame = compare(one, other)
    if args.json:
        print(frame.write_json())
        return 0
    print("\n".join(comparison_lines(frame, one, other)))
    return 0


__all__ = ["parser", "run"]
