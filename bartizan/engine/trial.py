"""Try someone else's game before its rules are compiled, because compiled rules check no indices or ranges.

A separate process plays the game interpreted for a few seconds, once per version of its sources, and stores
the result beside the compiled rules.
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from bartizan.engine.data import own_data
from bartizan.engine.errors import BrokenGame
from bartizan.engine.files import alone, write_atomically
from bartizan.engine.rule import ENGINE, PACKAGE, cache_root, digest_of

WORKER = "bartizan.match.trial"
COMPILER = "bartizan.cli.compile_once"
FAULTY = 1  # its exit code if it found a fault and wrote a sentence about it
_tried: dict[Path, str] = {}  # the known result for a folder: what is wrong, "" for nothing


class FailedTrial(BrokenGame):
    """A game whose rules fail when they are played interpreted."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"The game {name!r} can't be compiled: {fault}")
        self.fault = fault  # a sentence with file and line


def require_trial(name: str, package: str, folder: Path) -> None:
    """Play interpreted games of a game that Bartizan's own tests don't cover, unless this was done before.

    Args:
        name: the game's.
        package: its Python package.
        folder: where that is.

    Raises:
        FailedTrial: something is wrong; it says what, in which file and in which line.
    """
    if folder not in _tried:
        _tried[folder] = "" if _is_ours(folder) else _fault_of(name, package, folder)
    if _tried[folder]:
        raise FailedTrial(name, _tried[folder])


def compile_fault(package: str, folder: Path) -> str:
    """Compile a game's rules for playing, and return a sentence on what can't be compiled.

    Returns "" if everything can, and for Bartizan's own games, whose tests do this.
    """
    if _is_ours(folder):
        return ""
    fault, is_certain = _try(package, folder, COMPILER, "compiled")
    return fault if is_certain or not fault else f"The rules could not be compiled: {fault}"


def note_success(name: str, folder: Path) -> None:
    """Record that a game has no fault: `bartizan check` found none."""
    if not _is_ours(folder):
        write_atomically(_mark(name, folder), "")


def noted_fault(name: str, folder: Path) -> str:
    """Return what the last trial of a game's current version found, ``""`` for nothing or no trial."""
    mark = None if _is_ours(folder) else _mark(name, folder)
    return mark.read_text(encoding="utf-8") if mark is not None and mark.is_file() else ""


def _is_ours(folder: Path) -> bool:
    return folder.resolve().is_relative_to(PACKAGE / "games")


@functools.cache
def _mark(name: str, folder: Path) -> Path:
    """Return the file that holds the result of a trial; every edit to the game leads to a new file."""
    digest = hashlib.blake2b(digest_size=10)
    digest.update(digest_of(ENGINE, PACKAGE / "search", folder, *own_data(folder)).encode())
    book = folder / "clauses.toml"
    digest.update(book.read_bytes() if book.is_file() else b"")
    home = cache_root() / "trials"
    home.mkdir(parents=True, exist_ok=True)
    return home / f"{name}-{digest.hexdigest()}"


def _fault_of(name: str, package: str, folder: Path) -> str:
    """Return what is wrong with a game; a fault is looked for again each time, as its place may change."""
    mark = _mark(name, folder)
    with alone(mark.parent / f"{name}.lock"):
        if mark.is_file() and not mark.read_text(encoding="utf-8"):
            return ""
        fault, is_certain = _try(package if package != "__main__" else folder.name, folder)
        if is_certain:
            write_atomically(mark, fault)
    return fault


def _try(package: str, folder: Path, worker: str = WORKER, mode: str = "python") -> tuple[str, bool]:
    """Play, or compile, in another process; return what is wrong, and whether the game is to blame."""
    above = folder.parents[package.count(".")]
    paths = [str(PACKAGE.parent), *filter(None, sys.path), str(above)]
    done = subprocess.run(
        [sys.executable, "-m", worker, package],
        env={**os.environ, "BARTIZAN_MODE": mode, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode in (0, FAULTY):
        return done.stdout.strip() if done.returncode else "", True
    last = done.stderr.strip().rpartition("\n")[2]
    return f"its trial ended with status {done.returncode}{f' ({last})' if last else ''}.", False
