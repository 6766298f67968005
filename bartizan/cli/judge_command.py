"""``bartizan judge``: run scenario files and say which expectations did not hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from bartizan.cli.errors import BAD_INPUT, FAILED
from bartizan.cli.parser import Parser
from bartizan.engine.errors import BartizanError


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog, description=f"{meaning}; exit code 1 if an expectation fails, 2 if a file can't be used"
    )
    parsing.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a scenario file, or a folder of them"
    )
    return parsing


def expand(paths: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """Return the scenario files among and below `paths`, each once, and a complaint for each empty folder."""
    files: dict[Path, None] = {}
    complaints = []
    for path in paths:
        if path.is_dir():
            below = sorted(path.rglob("*.toml"))
            if not below:
                complaints.append(f"{path} has no *.toml file in it.")
            files.update(dict.fromkeys(below))
        else:
            files[path] = None
    return list(files), complaints


def run(args: argparse.Namespace) -> int:
    """Run the scenarios; a line for each failure, the last line counts."""
    from bartizan.engine.files import read_text
    from bartizan.match.scenario import run_file

    files, complaints = expand(args.files)
    unusable = len(complaints)
    for sentence in complaints:
        print(f"bartizan: {sentence}", file=sys.stderr)
    scenarios = failures = failed = 0
    for path in files:
        try:
            read_text(path)  # says in our words why a file cannot be read
            report = run_file(path)
        except BartizanError as error:
            complain(path, str(error))
            unusable += 1
            continue
        scenarios += report.scenarios
        failures += len(report.failures)
        failed += bool(report.failures)
        for line in report.failures:
            print(line if str(path) in line else f"{path}: {line}")
    sys.stderr.flush()
    print(
        f"{_number(scenarios, 'scenario')}, {_number(failures, 'failure')}"
        + (f" in {_number(failed, 'file')}" if failed else "")
        + (f", {unusable} unusable" if unusable else "")
        + "."
    )
    if unusable:
        return BAD_INPUT
    return FAILED if failures else 0


def complain(path: Path, sentence: str) -> None:
    """Say on stderr why a file is unusable, naming it."""
    line = " ".join(sentence.split())
    print(f"bartizan: {line if str(path) in line else f'{path}: {line}'}", file=sys.stderr)


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
