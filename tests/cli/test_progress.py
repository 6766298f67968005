"""The bar that long commands draw: for who watches, and apart from what they print."""

from __future__ import annotations

import io
import sys

import pytest

from bartizan.cli.progress import bar


class Stream(io.StringIO):
    """Standard error, which somebody watches or which goes to a file."""

    def __init__(self, watched: bool) -> None:
        super().__init__()
        self.watched = watched

    def isatty(self) -> bool:
        return self.watched


def drawn(monkeypatch: pytest.MonkeyPatch, *, watched: bool) -> str:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Stream(watched)
    monkeypatch.setattr(sys, "stderr", stream)
    with bar("playing", 10) as progress:
        progress(3, 12)
    return stream.getvalue()


def test_a_bar_counts_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = drawn(monkeypatch, watched=True)
    assert "playing" in shown
    assert "3/12" in shown
    assert capsys.readouterr().out == ""


def test_nothing_is_drawn_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, watched=False) == ""


def renamed() -> None:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        raise SystemError("a call ended with an error set") from error


def test_ctrl_c_stays_ctrl_c_whatever_a_library_makes_of_it() -> None:
    with pytest.raises(KeyboardInterrupt), bar("playing"):
        renamed()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), bar("playing"):
        raise ZeroDivisionError
