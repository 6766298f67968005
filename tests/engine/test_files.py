"""Files are written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from bartizan.engine.files import (
    LARGEST,
    Unreadable,
    Unwritable,
    check_replaceable,
    keep_old,
    read_text,
    replacing,
    write_atomically,
)


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    write_atomically(path, "one")
    path.chmod(0o600)
    write_atomically(path, "two é")
    assert path.read_text(encoding="utf-8") == "two é"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["game.toml"]


def test_a_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.toml"
    write_atomically(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match=r"game\.toml cannot be written: no space left on device\."):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["game.toml"]


def test_a_link_keeps_pointing_where_it_did(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.parametrize("name", [".", "missing/game.toml"])
def test_a_path_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unwritable, match="cannot be written"):
        write_atomically(tmp_path / name, "text")
    with pytest.raises(Unwritable, match="cannot be written"):
        check_replaceable(tmp_path / name)


def test_looking_whether_a_file_can_be_written_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    check_replaceable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    check_replaceable(path)
    assert path.read_text() == "old"
    with pytest.raises(Unwritable, match="it isn't a file"):
        check_replaceable(Path(os.devnull))


def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    listener.start()
    write_atomically(pipe, "text")
    listener.join(10)
    assert heard == ["text"]
    with pytest.raises(Unwritable, match="it isn't a file"), replacing(pipe):
        pass
    assert pipe.is_fifo()


def test_what_was_there_is_kept_under_a_free_name(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    assert keep_old(path) is None
    path.touch()
    assert keep_old(path) is None
    path.write_text("first")
    assert keep_old(path) == tmp_path / "game.toml.1"
    path.write_text("second")
    assert keep_old(path) == tmp_path / "game.toml.2"
    assert (tmp_path / "game.toml.1").read_text() == "first"


def test_unreadable_files_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    (tmp_path / "big").write_bytes(b" " * (LARGEST + 1))
    for name, sentence in {
        "gone": "no such file",
        ".": "is a folder",
        "latin": "byte 4 is not UTF-8",
        "big": "larger than 8 MiB",
    }.items():
        with pytest.raises(Unreadable, match=sentence):
            read_text(tmp_path / name)
