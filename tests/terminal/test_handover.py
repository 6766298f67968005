"""One terminal for several people: it is passed on covered, where not all may see the same."""

from __future__ import annotations

import io

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from bartizan.match import Match
from bartizan.terminal.programs import chooser
from bartizan.terminal.prompt import typed_lines
from bartizan.terminal.session import Session


class Shared:
    """A session at which several people sit, and what it has printed since it was last asked."""

    def __init__(self, game: str, *players: str, interactive: bool = True) -> None:
        self.out = io.StringIO()
        self.match = Match(game, seats=len(players), seed="4")
        console = Console(file=self.out, width=100, color_system=None)
        self.session = Session(
            self.match, console, list(players), chooser(self.match), interactive=interactive
        )

    def printed(self) -> str:
        """Return what has been printed since the last call."""
        text = self.out.getvalue()
        self.out.seek(0)
        self.out.truncate()
        return text

    def type(self, line: str) -> str:
        """Type a line and return what it prints."""
        self.session.command(line)
        return self.printed()

    def hand(self, seat: int) -> list[str]:
        return [str(card) for card in self.match.position()["players"][seat - 1]["hand"]]


def test_the_next_hand_appears_only_when_its_player_has_the_screen() -> None:
    """It appeared at once."""
    shared = Shared("card-barrage", "person", "person")
    shared.session.start()
    first = shared.match.seat_to_move
    names = {1: "Red", 2: "Blue"}
    assert f"Pass the device to {names[first]}" in shared.printed()
    assert f"{names[first]}: Build" in shared.type("")
    covered = shared.type("end")
    second = 3 - first
    assert covered.split() == f"Pass the device to {names[second]}. Press Enter to see the table.".split()
    assert list(shared.session.offers()) == [""]
    for line in ("board", "legal", "hint", "end", "look"):
        assert "Pass the device" in shared.type(line)
    assert shared.match.seat_to_move == second
    shown = shared.type("")
    assert f"{names[second]}: Build" in shown
    assert len(shared.session.offers()[""]) > len(shared.match.legal())
    assert "Pass the device" in shared.type("undo")


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_nothing_of_a_hand_is_left_to_scroll_back_to(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    """Only the visible screen was cleared, and a dumb terminal not at all."""
    monkeypatch.setenv("TERM", term)
    shared = Shared("card-barrage", "person", "person")
    shared.session.console = Console(file=shared.out, width=100, height=30, force_terminal=True)
    shared.session.start()
    wiped = "\x1b[2J\x1b[H\x1b[3J" if term == "xterm" else "\n" * 30
    assert wiped in shared.printed().partition("Pass the device")[0]


def test_each_seat_recalls_only_its_own_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Up key showed what the one before had typed."""
    recalled: list[list[str]] = []

    def prompt(self: PromptSession[str], _: str) -> str:
        recalled.append(list(self.history.get_strings()))
        self.history.append_string(str(len(recalled)))
        return ""

    monkeypatch.setattr(PromptSession, "prompt", prompt)
    seats = iter([1, 2, 1])
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        lines = typed_lines(dict, lambda: next(seats))
        for _ in range(3):
            next(lines)
    assert recalled == [[], [], ["1"]]


def test_nothing_is_covered_from_a_single_person_or_in_a_script() -> None:
    alone = Shared("card-barrage", "person", "random")
    alone.session.start()
    assert "Pass the device" not in alone.printed() + alone.type("end")
    script = Shared("card-barrage", "person", "person", interactive=False)
    script.session.start()
    assert "Pass the device" not in script.printed() + script.type("end")


@pytest.mark.parametrize("move", ["d1-d2", "end"])
def test_nothing_is_covered_where_all_see_the_same(move: str) -> None:
    shared = Shared("castle-danger", "person", "person")
    shared.session.start()
    assert "Pass the device" not in shared.printed() + shared.type(move)


def test_one_may_leave_while_the_table_is_covered() -> None:
    shared = Shared("card-barrage", "person", "person")
    shared.session.run(iter(["board", "quit", "end"]))
    assert shared.match.ply == 0
