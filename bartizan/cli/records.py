"""Read records from files, as several commands do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.errors import BartizanError, CorruptRecord

if TYPE_CHECKING:
    from bartizan.match import GameRecord, Match


def load(path: Path) -> Match:
    """Read a record and play it through; raises `CorruptRecord`, which names the file and what is wrong."""
    from bartizan.engine.files import read_text
    from bartizan.match import GameRecord, Match

    text = read_text(path)
    try:
        try:
            record = GameRecord.parse(text)
            match = Match.of(record)
        except RecursionError:
            raise CorruptRecord("its head is nested too deeply.") from None
        _check(record, match)
    except BartizanError as error:
        raise CorruptRecord(f"{path}: {error}", getattr(error, "ply", -1)) from error
    return match


def _check(record: GameRecord, match: Match) -> None:
    """Compare the result in a record's header with that of its moves; raises `CorruptRecord`."""
    if record.seed_hash and record.seed_hash != match.seed_hash:
        raise CorruptRecord("the seed is not the one whose hash was published.")
    if record.result != match.result():
        raise CorruptRecord(
            f"the head says the result is {record.result}, but the moves lead to {match.result()}.",
            match.last_ply,
        )
