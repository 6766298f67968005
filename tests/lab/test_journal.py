"""Files of findings: gone on with, mended after a cut, refused where they are about something else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bartizan.engine.errors import CorruptRecord
from bartizan.lab.journal import Journal


class Finding(msgspec.Struct, frozen=True):
    """What these tests find."""

    number: int


def test_findings_are_there_again(tmp_path: Path) -> None:
    file = tmp_path / "work.jsonl"
    with Journal(file, {"work": "a"}, Finding) as journal:
        assert journal.findings == []
        journal.add(Finding(1))
        journal.add(Finding(2))
        assert file.read_text() == '{"work":"a"}\n{"number":1}\n{"number":2}\n'
    with Journal(file, {"work": "a"}, Finding) as journal:
        assert journal.findings == [Finding(1), Finding(2)]
        journal.add(Finding(3))
    assert file.read_text().count("\n") == 4


@pytest.mark.parametrize("cut", range(1, 13))
def test_a_line_that_was_cut_short_is_written_over(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "work.jsonl"
    with Journal(file, {"work": "a"}, Finding) as journal:
        journal.add(Finding(1))
        journal.add(Finding(2))
    file.write_bytes(file.read_bytes()[:-cut])
    with Journal(file, {"work": "a"}, Finding) as journal:
        assert journal.findings == [Finding(1)]
        journal.add(Finding(3))
    assert file.read_text() == '{"work":"a"}\n{"number":1}\n{"number":3}\n'


def test_a_first_line_that_was_cut_short_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "work.jsonl"
    file.write_text("")
    with Journal(file, {"work": "a"}, Finding) as journal:
        journal.add(Finding(1))
    assert file.read_text() == '{"work":"a"}\n{"number":1}\n'


def test_other_work_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "work.jsonl"
    file.write_text('{"work":"b"}\n')
    with pytest.raises(CorruptRecord, match=r'its work is "b", and here it is "a"\. Choose'):
        Journal(file, {"work": "a"}, Finding)
    assert file.read_text() == '{"work":"b"}\n'
    file.write_text('{"work":[1,3]}\n')
    with pytest.raises(CorruptRecord, match=r"its work 2 is 3, and here it is 4\. Choose"):
        Journal(file, {"work": [1, 4]}, Finding)
    file.write_text("notes\n")
    with pytest.raises(CorruptRecord, match=r"work.jsonl doesn't say what work it belongs to\. Choose"):
        Journal(file, {"work": "a"}, Finding)
    file.write_text('{"work":"a"}\n{"nomber":1}\n')
    with pytest.raises(CorruptRecord, match="line 2"):
        Journal(file, {"work": "a"}, Finding)


def test_without_a_file_findings_stay_in_memory() -> None:
    with Journal(None, {}, Finding) as journal:
        journal.add(Finding(1))
        assert journal.findings == [Finding(1)]
