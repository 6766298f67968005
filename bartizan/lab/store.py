"""Keep an experiment in a folder: what it is, and its games in numbered Parquet files.

    experiment.toml       the experiment as settled, with the versions it was played with
    chunks.jsonl          a line for each chunk that is whole: its digests and how long it took
    games/000000.parquet  a row a game; clauses/000000.parquet, where clauses are counted
    measures.parquet      what it all comes to; report.html

A chunk's files are written whole or not at all, and only then its line: whatever stops a run, finished chunks
are kept and no other is half there.  The files of two runs of one experiment are equal to the byte, apart
from ``chunks.jsonl``, which has chunks in the order in which they were finished, and their times.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from bartizan import __version__
from bartizan.engine.errors import BartizanError, CorruptRecord, first_difference
from bartizan.engine.files import alone, read_text, reason, write_atomically
from bartizan.engine.game import Game
from bartizan.lab.chunk import FAST, RECORDED, SLOW, Chunk, chunks_of, deals_a_chunk, games_a_deal, parts_of
from bartizan.lab.design import BadExperiment, Design, to_toml, toml_value
from bartizan.lab.journal import Journal
from bartizan.lab.parquet import write_frame
from bartizan.lab.reading import design_of

SETTLED = "experiment.toml"
CHUNK = "deals_a_chunk"  # a key of its table made_with
COLUMNS = "recorded"  # and another: which columns games have
DECK = "records_deck"  # and another, of a game whose cards are derived: that games have columns of them
SEED = "seed"  # and another: the word that the seed was made from
CONFIRMS_FIRST = "confirms_first_cell"  # and another: not there, games that confirm have default options
JOURNAL = "chunks.jsonl"
LOCK = "lock"  # held by the process that plays it
MEASURES = "measures.parquet"
REPORT = "report.html"
ANSWERS = "answers.json"  # those of the report, for the Lab page
FILE = re.compile(r"[a-z_]+/[0-9]{6,}\.parquet")  # of a chunk, within the folder


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that is whole: its number, how many deals of it are played, the digests of its files."""

    number: int
    deals: int  # in the cells of the grid
    confirming: int = 0  # in those that confirm
    files: dict[str, str]
    seconds: float


def rules_digest(game: Game) -> str:
    """Return a digest of a game's sources: other rules are another experiment."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted([*game.folder.glob("*.py"), *game.folder.glob("*.toml"), *game.folder.glob("data/*")]):
        digest.update(path.name.encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


class Folder:
    """The folder of one experiment."""

    def __init__(self, path: Path, design: Design, faults: list[str]) -> None:
        self.path = path
        self.design = replace(design, confirms_defaults=CONFIRMS_FIRST not in _made_with(path))
        self.faults = faults  # sentences about files that are damaged
        self._whole: dict[int, Written] = {}
        self._journal: Journal[Written] | None = None
        self._deals_a_chunk = _deals_a_chunk(path, design)

    # --- Opening

    @classmethod
    def create(cls, path: Path, design: Design) -> Folder:
        """Open the folder of an experiment, or begin it.

        Raises `BadExperiment` where another experiment, or another version, has it; `Unwritable`.
        """
        settled = path / SETTLED
        made_with = {**versions(design.game), CHUNK: deals_a_chunk(design), COLUMNS: RECORDED}
        made_with |= {DECK: True} if _derives_cards(design) else {}
        made_with |= {CONFIRMS_FIRST: True, **({SEED: design.seed_word} if design.seed_word else {})}
        head = to_toml({**design.written(), "made_with": made_with})
        if settled.exists():
            _check_same(path, design)
            head = to_toml({**design.written(), "made_with": _read_tables(settled)["made_with"]})
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadExperiment(f"{path} isn't an experiment's folder. Name another one.")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadExperiment(f"{path} cannot be made: {reason(error)}.") from error
        write_atomically(settled, head)
        return cls._look_through(path, design)

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Open the folder of an experiment to read it; raises `BadExperiment` where there is none."""
        if path.name == SETTLED and path.is_file():
            path = path.parent
        settled = path / SETTLED
        if not settled.is_file():
            raise BadExperiment(f"{path} isn't an experiment's folder: it has no {SETTLED}.")
        tables = _read_tables(settled)
        design = design_of({key: value for key, value in tables.items() if key != "made_with"})
        return cls._look_through(path, design)

    @classmethod
    def _look_through(cls, path: Path, design: Design) -> Folder:
        folder = cls(path, design, [])
        journal = path / JOURNAL
        if journal.is_file():
            with Journal(journal, about(design), Written, reading=True) as kept:
                findings = list(kept.findings)
            for finding in {each.number: each for each in findings}.values():  # a chunk's last line counts
                folder._take_in(finding)
        elif any((path / "games").glob("*.parquet")):  # it is there before the first game is
            raise BadExperiment(
                f"{journal} is missing, which lists the games that are complete. "
                f"Restore it, or delete {path / 'games'} to play them again."
            )
        return folder

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the folder against other runs, and see what those before have left.

        Raises `InUse` where another process plays it at the moment; `Unwritable`.
        """
        with alone(self.path / LOCK, wait=False):
            now = self._look_through(self.path, self.design)
            self.faults, self._whole = now.faults, now._whole
            yield

    def _take_in(self, finding: Written) -> None:
        for name, digest in finding.files.items():
            own = FILE.fullmatch(name) and name.endswith(f"/{finding.number:06d}.parquet")
            fault = self._fault_of(self.path / name, digest) if own else "isn't a file of an experiment"
            if fault:
                self.faults.append(f"{self.path / name} {fault}; its games are left out.")
                self._whole.pop(finding.number, None)
                return
        self._whole[finding.number] = finding

    def _fault_of(self, path: Path, digest: str) -> str:
        try:
            return "" if _digest_of(path) == digest else "is damaged"
        except OSError as error:
            return f"cannot be read ({reason(error)})"

    # --- What is there

    def missing(self) -> list[Chunk]:
        """Return what is still to be played, in the order to keep it: of a chunk only the further deals."""
        left: list[Chunk] = []
        for chunk in chunks_of(self.design, self._deals_a_chunk):
            if there := self._whole.get(chunk.number):
                chunk = replace(chunk, had=there.deals, had_confirming=there.confirming)
            left += parts_of(self.design, chunk)
        return left

    @property
    def numbers(self) -> list[int]:
        """The numbers of the chunks that are whole, ascending."""
        return sorted(self._whole)

    @property
    def played(self) -> int:
        """How many games it holds."""
        return sum(map(self.games_in, self.numbers))

    def games_in(self, number: int) -> int:
        """Return how many games a chunk that is whole has; 0 if it is not there."""
        if (there := self._whole.get(number)) is None:
            return 0
        return sum(
            self.design.games_of(cell) * (there.confirming if cell.confirms else there.deals)
            for cell in self.design.cells
        )

    @property
    def seconds(self) -> float:
        """How long the chunks took, all together, on one thread each."""
        return sum(written.seconds for written in self._whole.values())

    def file(self, kind: str, number: int) -> Path:
        """Return the file of a chunk's games, or clauses."""
        return self.path / kind / f"{number:06d}.parquet"

    def frame(self, number: int, kind: str = "games") -> pl.DataFrame:
        """Read a chunk; raises `CorruptRecord` for a file that cannot be read."""
        path = self.file(kind, number)
        try:
            return pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise CorruptRecord(f"{path} cannot be read: {error}.") from error

    def frames(self, kind: str = "games") -> Iterator[pl.DataFrame]:
        """Yield the chunks that are whole, in order, one in memory at a time."""
        for number in self.numbers:
            yield self.frame(number, kind)

    def scan(self, kind: str = "games") -> pl.LazyFrame:
        """Return all games as a lazy frame."""
        paths = [self.file(kind, number) for number in self.numbers]
        if not paths:
            raise BadExperiment(f"{self.path} has no finished games yet.")
        return pl.scan_parquet(paths)

    # --- Writing

    def write(self, chunk: Chunk, frames: Mapping[str, pl.DataFrame], seconds: float) -> None:
        """Keep a chunk, or further deals of one; they are there when this returns.  Raises `Unwritable`."""
        if self._journal is None:  # before the first file: games without it have lost it
            self._journal = Journal(self.path / JOURNAL, about(self.design), Written)
        had = self._whole.get(chunk.number)
        files: dict[str, str] = {}
        for kind, frame in frames.items():
            path = self.file(kind, chunk.number)
            path.parent.mkdir(exist_ok=True)
            whole = frame
            if had:  # in the order in which all would have been played at once
                whole = pl.concat([self.frame(chunk.number, kind), frame]).sort("game", "cell").rechunk()
            data = write_frame(path, whole)
            files[path.relative_to(self.path).as_posix()] = hashlib.blake2b(data, digest_size=16).hexdigest()
        written = Written(
            number=chunk.number,
            deals=self._played(chunk, confirms=False),
            confirming=self._played(chunk, confirms=True),
            files=files,
            seconds=round(seconds + (had.seconds if had else 0.0), 3),
        )
        self._journal.add(written)
        self._whole[chunk.number] = written

    def _played(self, chunk: Chunk, *, confirms: bool) -> int:
        """Return how many deals are played by cells of a kind, once a chunk is; they all have as many."""
        own = (chunk.of(cell).stop for cell in self.design.cells if cell.confirms == confirms)
        return max(own, default=chunk.first) - chunk.first

    def close(self) -> None:
        """Close the journal; reading still works."""
        if self._journal is not None:
            self._journal.__exit__(None, None, None)
            self._journal = None


def about(design: Design) -> dict[str, Any]:
    """Return what the journal of an experiment is about: all but how many games are wanted."""
    tables = {
        key: value for key, value in design.written().items() if key not in ("games", "until", "search")
    }
    if design.confirm:
        tables["confirm"] = {"players": list(design.confirm)}
    else:
        del tables["confirm"]
    return tables


def versions(game: Game) -> dict[str, Any]:
    """Return what an experiment is played with."""
    return {
        "bartizan": __version__,
        "rules": game.rules_version,
        "rules_digest": rules_digest(game),
    }


def _deals_a_chunk(path: Path, design: Design) -> int:
    """Return how many deals a chunk of a folder has; before that was kept, it had fewer with slow players."""
    kept = _made_with(path).get(CHUNK)
    if isinstance(kept, int) and 1 <= kept <= FAST:
        return kept
    return max(1, (SLOW if design.looks_ahead else FAST) // games_a_deal(design))


def _made_with(path: Path) -> dict[str, Any]:
    """Return what a folder says about the version that it was begun with."""
    made_with = _read_tables(path / SETTLED).get("made_with")
    return made_with if isinstance(made_with, dict) else {}


def _digest_of(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _read_tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadExperiment(f"{path} isn't valid TOML: {error}.") from error


def can_hold(path: Path, design: Design) -> bool:
    """Say whether a path is free, or the folder of this experiment."""
    if not (path / SETTLED).is_file():
        return not path.exists() and not path.is_symlink()
    return is_begun_as(path, design)


def is_begun_as(path: Path, design: Design) -> bool:
    """Say whether a path is the folder of this experiment."""
    if not (path / SETTLED).is_file():
        return False
    try:
        _check_same(path, design)
    except BartizanError:
        return False
    return True


def _check_same(path: Path, design: Design) -> None:
    """Raise `BadExperiment` where a folder holds another experiment, or one of other rules."""
    tables = _read_tables(path / SETTLED)
    made_with = tables.pop("made_with", {})
    if not isinstance(made_with, dict):
        raise BadExperiment(f"{path / SETTLED} does not say what it was played with. Choose another folder.")
    try:
        other = design_of(tables)
    except BartizanError as error:
        raise BadExperiment(f"{path} holds another experiment: {error} Choose another folder.") from error
    one, two = about(other), about(design)
    for key in {**two, **one}:
        if one.get(key) != two.get(key):
            if key == "seed":
                one[key], two[key] = made_with.get(SEED, other.seed), design.seed_word or design.seed
            unlike = _unlike(key, one.get(key), two.get(key))
            raise BadExperiment(f"{path} holds another experiment: {unlike}. Choose another folder.")
    now = versions(design.game)
    for key, value in now.items():
        if made_with.get(key) != value:
            raise BadExperiment(
                f"{path} was played with another version: its {key} is {made_with.get(key)}, "
                f"and this is {value}. Choose another folder."
            )
    if made_with.get(COLUMNS, 1) != RECORDED and {"choice", "pieces"} & set(design.measures):
        raise BadExperiment(
            f"{path} was played by another version of the Lab, which did not record where points come from "
            "or what seats start with. `bartizan lab show` still reads it. Name another folder to play more."
        )
    if _derives_cards(design) and DECK not in made_with:
        raise BadExperiment(
            f"{path} was played by another version of the Lab, which did not record which cards are held and "
            "played. `bartizan lab show` still reads it. Choose another folder to play more."
        )


def _derives_cards(design: Design) -> bool:
    """Say whether cards are measured that the game itself doesn't name."""
    return design.measures_group("pieces") and hasattr(design.game.playtest, "DERIVED")


def _unlike(key: str, one: Any, two: Any) -> str:
    """Say how a folder's key differs from the one that is wanted; of a table, the first part that does."""
    name, nothing = key, "none"
    if isinstance(one, dict) or isinstance(two, dict):
        part, one, two = first_difference(one or {}, two or {})
        name = {"options": f"option {part}", "confirm": "confirming players"}.get(key, f"values of {part}")
        nothing = "varied" if key == "options" else nothing  # which is why it isn't among those that are set
    is_list = isinstance(one, list) or isinstance(two, list)
    said = [
        ", ".join(toml_value(each) for each in (value if isinstance(value, list) else [value]))
        if value is not None
        else nothing
        for value in (one, two)
    ]
    return f"its {name} {'are' if is_list else 'is'} {said[0]}, not {said[1]}".replace('"', "")
