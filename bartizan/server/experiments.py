"""Keep the experiments of the data folder: list them, run one at a time, and serve their reports.

An experiment runs in its own process, so that neither the event loop nor the programs at the tables wait for
it.  It stores everything that it finishes (see `bartizan.lab.store`), so it can be stopped and continued at
any time.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import read_text, write_atomically
from bartizan.server.schema import LabAnswers, LabExperiment, LabPace
from bartizan.tables.errors import NotAllowed, TooMany

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
MOST_LISTED = 200
STOP_SECONDS = 5.0  # seconds that an experiment gets to stop properly
SETTLING_SECONDS = 5.0  # between finished chunks, before the time that is left can be estimated
TAIL = 600  # bytes of a process's last output
SLOW_GAME = 200  # games of players who don't search that take as long as one of those who do
LARGEST_REPORT = 8 * 2**20
LARGEST_ANSWERS = 2**20
SETTLED, JOURNAL, REPORT = "experiment.toml", "chunks.jsonl", "report.html"
ANSWERS = "answers.json"


class UnknownExperiment(BartizanError):
    """An experiment or a report that doesn't exist."""

    code = "unknown_experiment"


class _Chunk(msgspec.Struct):
    """The fields that are read from a line of an experiment's journal."""

    number: int
    deals: int
    confirming: int = 0


class _SavedAnswers(LabAnswers, omit_defaults=False):  # type: ignore[misc]  # it is frozen as its base
    """Answers as they are stored; folders of before have none for other paces."""

    seconds: float = 10.0
    paces: tuple[LabPace, ...] = ()


class _Saved(msgspec.Struct):
    """The fields that are read from a report's answers."""

    finished: bool
    games: int
    answers: _SavedAnswers


class _Work(NamedTuple):
    """The size of an experiment, in games of players who don't search."""

    of_the_grid: int  # per deal, in the cells of the grid
    confirming: int  # and in the confirming cells
    all_of_it: int
    games: int  # counted one by one
    checking: int  # of these, in the confirming cells


@dataclass
class Running:
    """An experiment that is running here."""

    name: str
    # When a chunk was found finished, and the share that was finished then: at first, and at last.
    first: tuple[float, float] | None = None
    last: tuple[float, float] = (0.0, 0.0)
    process: asyncio.subprocess.Process | None = None
    reporting: bool = False
    stopping: bool = False

    def left(self, share: float) -> float | None:
        """Estimate how many seconds are left; None before games have been played for a while.

        The clock starts with the first finished chunk: until then the rules are compiled.
        """
        now = time.monotonic()
        if share > self.last[1]:
            self.last = now, share
            self.first = self.first or self.last
        (began, before), (at, _) = self.first or self.last, self.last
        if at - began < SETTLING_SECONDS:
            return None
        left = (at - began) / (share - before) * (1 - share) - (now - at)
        return left if left > 0 else None


class Experiments:
    """The experiments in a folder; a name is checked before it becomes a path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: Running | None = None
        self._task: asyncio.Task[None] | None = None
        self._faults: dict[str, str] = {}  # how the last run of an experiment ended
        self._work: dict[tuple[str, int], _Work] = {}  # by an experiment's file

    def path(self, name: str) -> Path:
        """Return an experiment's folder; raises `UnknownExperiment`."""
        path = self.folder / name
        if not NAME.fullmatch(name) or path.is_symlink() or not (path / SETTLED).is_file():
            raise UnknownExperiment(f"There is no experiment {name[:80]!r} here.")
        return path

    # --- Listing

    def listed(self) -> tuple[LabExperiment, ...]:
        """Describe all experiments, the newest first."""
        try:
            folders = [path for path in self.folder.iterdir() if NAME.fullmatch(path.name) and path.is_dir()]
        except OSError:
            folders = []
        kept = [(path / SETTLED, path.name) for path in folders if (path / SETTLED).is_file()]
        dated = sorted(((path.stat().st_mtime, name) for path, name in kept), reverse=True)
        names = [name for _, name in dated]
        begun = [self._running.name] if self._running else []  # it may have no folder yet, or never get one
        shown = dict.fromkeys([*begun, *self._faults, *names][:MOST_LISTED])
        return tuple(self._described(name) for name in shown)

    def _described(self, name: str) -> LabExperiment:
        path = self.folder / name
        running = self._running if self._running and self._running.name == name else None
        phase: Literal["rests", "plays", "reports"] = "rests"
        if running:
            phase = "reports" if running.reporting else "plays"
        known = LabExperiment(
            name=name,
            game="",
            players=(),
            varied=(),
            games=0,
            checking=0,
            share=0.0,
            finished=False,
            answers=None,
            phase=phase,
            seconds_left=None,
            report=(path / REPORT).is_file(),
            fault=self._faults.get(name, ""),
        )
        if not (path / SETTLED).is_file():
            return known
        try:
            tables = tomllib.loads(read_text(path / SETTLED))
            work = self._work_of(path, tables)
        except (BartizanError, tomllib.TOMLDecodeError, RecursionError) as error:
            return msgspec.structs.replace(known, fault=f"It cannot be read: {error}")
        share = min(1.0, self._done(path, work) / max(1, work.all_of_it))
        saved = self._saved(path)
        return msgspec.structs.replace(
            known,
            game=str(tables.get("game", "")),
            players=tuple(map(str, tables.get("players", ()))),
            varied=tuple(
                f"{key}: {', '.join(map(str, each))}"
                for key, each in {**tables.get("vary", {}), **tables.get("each", {})}.items()
            ),
            games=saved.games if saved and saved.finished else work.games,
            checking=work.checking,
            share=share,
            finished=share >= 1 or (saved is not None and saved.finished),
            answers=saved.answers if saved else None,
            seconds_left=running.left(share) if running and phase == "plays" else None,
        )

    def _work_of(self, path: Path, tables: Mapping[str, Any]) -> _Work:
        """Return the size of an experiment; its file is checked only once."""
        from bartizan.lab.reading import design_of

        key = (path.name, (path / SETTLED).stat().st_mtime_ns)
        if key not in self._work:
            design = design_of({word: value for word, value in tables.items() if word != "made_with"})
            effort = SLOW_GAME if design.confirms_slowly else 1
            per_deal = dict.fromkeys((False, True), 0)
            all_of_it = 0
            for cell in design.cells:
                games = design.games_of(cell) * (effort if cell.confirms else 1)
                per_deal[cell.confirms] += games
                all_of_it += cell.deals * games
            checking = sum(cell.deals * design.games_of(cell) for cell in design.cells if cell.confirms)
            self._work[key] = _Work(per_deal[False], per_deal[True], all_of_it, design.total_games, checking)
        return self._work[key]

    def _saved(self, path: Path) -> _Saved | None:
        """Return the answers of a report; None if there are none, or more games have been played since."""
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            if (path / ANSWERS).stat().st_mtime_ns >= (path / JOURNAL).stat().st_mtime_ns:
                with (path / ANSWERS).open("rb") as source:
                    return msgspec.json.decode(source.read(LARGEST_ANSWERS), type=_Saved)
        return None

    def _done(self, path: Path, work: _Work) -> int:
        chunks: dict[int, _Chunk] = {}
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            for line in (path / JOURNAL).read_bytes().splitlines()[1:]:
                chunk = msgspec.json.decode(line, type=_Chunk)
                chunks[chunk.number] = chunk
        return sum(
            max(0, each.deals) * work.of_the_grid + max(0, each.confirming) * work.confirming
            for each in chunks.values()
        )

    def report(self, name: str) -> bytes:
        """Return an experiment's report; raises `UnknownExperiment`."""
        path = self.path(name) / REPORT
        try:
            with path.open("rb") as source:
                return source.read(LARGEST_REPORT)
        except OSError as error:
            raise UnknownExperiment(f"The experiment {name!r} has no report yet.") from error

    # --- Running

    def check_free(self) -> None:
        """Raise `TooMany` if an experiment is already running."""
        if self._running is not None:
            raise TooMany(f"{self._running.name} is running. Only one experiment can run at a time.")

    def lay_out(self, game: str, text: str) -> str:
        """Write a checked experiment under a free name; return the name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1
        while (self.folder / f"{game}-{number}").exists() or (self.folder / f"{game}-{number}.toml").exists():
            number += 1
        name = f"{game}-{number}"
        write_atomically(self.folder / f"{name}.toml", text)
        return name

    def start(self, name: str) -> None:
        """Run a new experiment or continue one; raises `TooMany`."""
        self.check_free()
        self._faults.pop(name, None)
        self._running = Running(name)
        self._task = asyncio.get_running_loop().create_task(self._run(self._running))

    async def _run(self, running: Running) -> None:
        name, folder = running.name, self.folder / running.name
        known = (folder / SETTLED).is_file()
        if known:
            tables = tomllib.loads(read_text(folder / SETTLED))
            work = await asyncio.to_thread(self._work_of, folder, tables)
            running.last = 0.0, self._done(folder, work) / max(1, work.all_of_it)
        threads = str(max(1, (os.cpu_count() or 2) - 1))
        source = str(folder) if known else f"{folder}.toml"
        try:
            code = await self._call(running, "run", source, "--out", str(folder), "--threads", threads)
            if code == 0 and not running.stopping:
                running.reporting = True
                await self._call(running, "report", str(folder))
        except (OSError, BartizanError) as error:
            self._faults[name] = str(error)
        finally:
            self._running = None

    async def _call(self, running: Running, *words: str) -> int:
        """Run one part of ``bartizan lab`` to its end; keep its error message."""
        running.process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bartizan", "lab", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which stops the experiment properly
        )
        assert process.stderr is not None
        said = b""
        while part := await process.stderr.read(4096):
            said = (said + part)[-TAIL:]
        code = await process.wait()
        if code != 0 and not running.stopping:
            self._faults[running.name] = (
                said.decode(errors="replace").strip() or f"It ended with code {code}."
            )
        return code

    async def stop(self, name: str) -> None:
        """Stop an experiment; finished games are kept. Raises `NotAllowed` if it isn't running."""
        running, task = self._running, self._task
        if running is None or task is None or running.name != name:
            raise NotAllowed(f"{name} isn't running.")
        running.stopping = True
        with contextlib.suppress(ProcessLookupError):
            if running.process is not None:
                running.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        done, _ = await asyncio.wait([task], timeout=STOP_SECONDS)
        if not done and running.process is not None:
            with contextlib.suppress(ProcessLookupError):
                running.process.kill()
            await asyncio.wait([task], timeout=STOP_SECONDS)

    async def close(self) -> None:
        """Stop whatever is running, with the server."""
        if self._running is not None:
            await self.stop(self._running.name)
