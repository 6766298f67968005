"""Remake the balance sheets in docs/balance: play their experiments, check every claim, write the pages.

What has been played is kept in .build/balance, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.cli.progress import bars
from bartizan.engine.errors import BartizanError, first_line, nearest
from bartizan.engine.files import write_atomically
from bartizan.lab.design import Design
from bartizan.lab.experiment import Experiment
from bartizan.lab.measures import Measure, Ratios, frame_of
from bartizan.lab.reading import design_of
from bartizan.lab.report.figures import unit_of
from bartizan.lab.store import rules_digest, versions
from scripts.progress import ROOT
from scripts.sheet_pages import pictures, render
from scripts.sheets import (
    KEPT,
    BadSheet,
    Kept,
    KeptExperiment,
    KeptFigure,
    Plan,
    Ratio,
    Verdict,
    meaning,
    read_kept,
    read_plan,
    rounded,
    verdicts,
    write_kept,
)

SHEETS = ROOT / "docs" / "balance"
PLAYED = ROOT / ".build" / "balance"
FEWEST = 40  # games of a cell, where a part of them is played


def main(argv: Sequence[str] | None = None) -> int:
    """Make the sheets that are asked for; return 0, 1 where a claim does not hold, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="make balance", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which sheets (all of them)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads (all cores)")
    parser.add_argument(
        "--kept", action="store_true", help="play nothing: write from the figures that are kept"
    )
    parser.add_argument("--seed", help="play other deals, and only say which claims hold with them")
    parser.add_argument("--part", type=float, default=1.0, help="with --seed: which part of the games (1)")
    args = parser.parse_args(argv)
    try:
        if args.threads < 1 or not 0 < args.part <= 1:
            raise BadSheet("--threads must be 1 or more, and --part above 0 and at most 1.")
        plans = [read_plan(SHEETS / name) for name in _named(args.games)]
        with _alone():
            if args.seed is not None:
                return max(_judge_again(plan, args.seed, args.part, args.threads) for plan in plans)
            return max(_make(plan, args.threads, kept=args.kept) for plan in plans)
    except BartizanError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped. What was played is kept; the same command goes on from there.", file=sys.stderr)
        return 130


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock on what is played: two runs would write into one experiment.  Raises `BadSheet`."""
    PLAYED.mkdir(parents=True, exist_ok=True)
    with (PLAYED / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadSheet(f"Another command plays in {PLAYED}: wait until it is done.") from error
        yield


def _named(wanted: Sequence[str]) -> list[str]:
    known = sorted(path.name for path in SHEETS.iterdir() if path.is_dir())
    for name in wanted:
        if name not in known:
            raise BadSheet(
                f"There is no sheet of {name!r}.{nearest(name, known)} There are {', '.join(known)}."
            )
    return list(dict.fromkeys(wanted)) or known


def _make(plan: Plan, threads: int, *, kept: bool) -> int:
    """Write a sheet; where a claim does not hold, nothing is written, and the claims are told."""
    figures = read_kept(plan) if kept else _play(plan, plan.designs, threads)
    failed = [each for each in verdicts(plan.sheet, figures) if not each.holds]
    if failed:
        _tell(plan, failed)
        print(f"{plan.name}: nothing was written. Mend the text, or the claim.", file=sys.stderr)
        return 1
    page, drawn = render(plan, figures), pictures(plan, figures)
    for old in plan.folder.glob("*.svg"):
        if old.name not in drawn:
            old.unlink()
    for name, svg in drawn.items():
        write_atomically(plan.folder / name, svg)
    write_atomically(plan.folder / KEPT, write_kept(figures).decode())
    write_atomically(plan.page, page)
    print(f"{plan.page.relative_to(ROOT)}: {len(plan.sheet.claim)} claims hold")
    return 0


def _judge_again(plan: Plan, seed: str, part: float, threads: int) -> int:
    """Play a part of the games with another seed and say which claims hold."""
    designs = {name: _other(text, seed, part) for name, text in plan.sources.items()}
    found = verdicts(plan.sheet, _play(plan, designs, threads))
    _tell(plan, found)
    return 1 if any(each.fails for each in found) else 0


def _other(text: str, seed: str, part: float) -> Design:
    """Return an experiment with other deals, and a part of the games."""
    tables: dict[str, Any] = tomllib.loads(text)
    tables["seed"] = seed
    for table, usual in ((tables, 2_000), (tables.get("confirm"), 2_000)):
        if table is not None and part < 1:
            table["games"] = max(FEWEST, round(part * table.get("games", usual)))
    if part < 1 and "search" in tables:
        for key in ("games", "rounds"):
            if key in tables["search"]:
                tables["search"][key] = max(1, round(part * tables["search"][key]))
    return design_of(tables)


def _tell(plan: Plan, found: Sequence[Verdict]) -> None:
    for verdict in found:
        print(f"{plan.name}: {verdict.sentence()}", flush=True)


# --- Playing ------------------------------------------------------------------------


def _play(plan: Plan, designs: dict[str, Design], threads: int) -> Kept:
    """Play what is missing of a sheet's experiments, and return the figures that it tells."""
    found: Kept = {}
    for number, (name, design) in enumerate(designs.items(), start=1):
        what = f"{plan.name}, {name} ({number} of {len(designs)})"
        began = time.monotonic()
        found[name] = _play_one(plan, name, design, threads, what)
        print(
            f"  {what}: {found[name].games:,} games, {time.monotonic() - began:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    return found


def _play_one(plan: Plan, name: str, design: Design, threads: int, what: str) -> KeptExperiment:
    experiment = Experiment.begin(design, _folder(plan, name, design))
    with bars(sys.stderr) as shown:
        task = shown.add_task(what, total=design.total_games)

        def progress(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total)

        frame = experiment.run(threads, progress)
        if experiment.thinks:
            shown.reset(task, description=f"{what}, thinking", total=None)
            frame = experiment.think(threads, progress)
    for fault in experiment.faults:
        raise BadSheet(f"{fault} Run it again.")
    frame = pl.concat([frame, own_measures(plan, name, experiment)])
    wanted = plan.sheet.wanted(name)
    own_shares = {each.name for each in plan.sheet.ratio if each.share}
    known = frame["measure"].unique().to_list()
    for measure in sorted({measure for measure, _ in wanted} - set(known)):
        raise BadSheet(f"{plan.folder}: {name} measures no {measure!r}.{nearest(measure, known)}")
    figures = tuple(
        KeptFigure(
            measure=row["measure"],
            share=row["measure"] in own_shares or unit_of(row["measure"]) == "share",
            kind=row["kind"],
            cell=row["label"],
            estimate=rounded(row["estimate"]),
            low=rounded(row["low"]),
            high=rounded(row["high"]),
            p=rounded(row["p"]),
            n=row["n"],
            games=row["games"],
            method=row["method"],
        )
        for row in frame.iter_rows(named=True)
        if (row["measure"], row["label"]) in wanted
    )
    made_with = {key: str(value) for key, value in versions(design.game).items()}
    return KeptExperiment(
        experiment=meaning(plan.sources[name]),
        made_with=made_with,
        players=design.players,
        seed=design.seed,
        games=int(experiment.games().select(pl.len()).collect().item()),
        seconds=round(experiment.folder.seconds),
        figures=figures,
    )


def _folder(plan: Plan, name: str, design: Design) -> Path:
    """Return where an experiment is played: another one, or other rules, have another folder."""
    return PLAYED / plan.name / f"{name}-{rules_digest(design.game)}-{meaning(design.text())}"


def own_measures(plan: Plan, name: str, experiment: Experiment) -> pl.DataFrame:
    """Return the sheet's own measures of an experiment, as the Lab computes its own."""
    own = [each for each in plan.sheet.ratio if each.experiment == name]
    columns = verb_columns(experiment.design)
    ratios = Ratios(experiment.design, [_measure(plan, each) for each in own])
    try:
        for games in experiment.folder.frames() if own else ():
            ratios.add(games.with_columns(columns(games)))
    except pl.exceptions.PolarsError as error:
        raise BadSheet(
            f"{plan.folder}: an own measure of {name} cannot be computed: {first_line(error)}."
        ) from error
    return frame_of(ratios.figures() if own else [])


def verb_columns(design: Design) -> Callable[[pl.DataFrame], list[pl.Expr]]:
    """Return what names the counts of each verb: ``chosen_VERB_SEAT`` and ``offered_VERB_SEAT``."""

    def named(games: pl.DataFrame) -> list[pl.Expr]:
        return [
            pl.col(f"{kind}_{seat}").arr.get(place).cast(pl.Float64).alias(f"{kind}_{block.name}_{seat}")
            for kind in ("offered", "chosen")
            for seat in range(1, design.seats + 1)
            if f"{kind}_{seat}" in games.columns
            for place, block in enumerate(design.game.actions.blocks)
        ]

    return named


def _measure(plan: Plan, own: Ratio) -> Measure:
    try:
        top, bottom = (pl.sql_expr(text).cast(pl.Float64) for text in (own.top, own.bottom))
    except pl.exceptions.PolarsError as error:
        raise BadSheet(f"{plan.folder}: {own.name} is no sum: {first_line(error)}.") from error
    return Measure("own", own.name, own.words, top, bottom, own.share)


if __name__ == "__main__":
    sys.exit(main())
