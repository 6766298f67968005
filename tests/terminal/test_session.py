"""A game at the terminal, typed or piped."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from rich.console import Console

from bartizan.engine.errors import BartizanError
from bartizan.engine.scene import Scene
from bartizan.match import CheckedMove, GameRecord, Match
from bartizan.match.throws import Throws
from bartizan.match.views import Views
from bartizan.terminal.analysis import bar
from bartizan.terminal.programs import chooser
from bartizan.terminal.session import COMMANDS, Session

SEED = "7"


class Table:
    """A session whose console is a text."""

    def __init__(
        self,
        players: Iterable[str] = ("person",),
        record: Path | None = None,
        *,
        interactive: bool = False,
        seed: str = SEED,
        game: str = "alcazar",
    ) -> None:
        self.out = io.StringIO()
        self.match = Match(game, seed=seed)
        console = Console(file=self.out, width=100, color_system=None)
        self.session = Session(
            self.match, console, list(players), chooser(self.match), interactive=interactive, record=record
        )

    def type(self, line: str) -> str:
        """Type a line and return what it prints."""
        start = len(self.out.getvalue())
        self.session.command(line)
        return " ".join(self.out.getvalue()[start:].split())

    def run(self, *lines: str) -> str:
        self.session.run(iter(lines))
        return self.out.getvalue()


def best(match: Match) -> str:
    return match.views.hints(1, player="greedy")[0].text


def test_a_whole_game_by_its_hints(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    table = Table(record=path)
    table.session.start()
    told = ""
    while not table.match.is_over:
        told = table.type(best(table.match))
        assert GameRecord.parse(path.read_text(encoding="utf-8")).moves == tuple(table.match.moves)
    result = table.match.views.scene(1).result
    assert result is not None
    assert result.headline in told
    assert Match.of(GameRecord.parse(path.read_text(encoding="utf-8"))).digest() == table.match.digest()
    assert "The game is over." in table.type("end")


def test_every_wrong_move_is_refused_with_its_clause_and_changes_nothing() -> None:
    table = Table()
    before = table.match.digest()
    hand = table.match.position()["hand"]
    refused = 0
    for card in hand:
        for line in (f"repair with {card}", f"trade {card}", f"fortify {card} paying {hand[0]}"):
            refusal = table.match.why_not(line)
            if refusal is not None:
                refused += 1
                assert refusal.clause in table.type(line)
                assert refusal.clause in table.type(f"why {line}")
    assert refused > len(hand)
    assert table.match.digest() == before
    assert table.match.ply == 0


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hnt", "Did you mean the command 'hint'?"),
        ("jump over the wall", "isn't a move"),
        ("defend left.front with 9x", "9x"),
        ("missile", "fits 18 legal moves"),
        ("why", "Add the move"),
        ("why jump", "isn't a move"),
        ("save", "Add the file name"),
        ("save /", "cannot be written"),
        ("rules 999", "no clause '999'"),
        ("undo", "There is nothing to undo."),
        ("redo", "There is nothing to redo."),
        ("legal zebra", "None of the 32 legal moves has 'zebra' in it."),
        ("\x00\x1b[31m", "> \ufffd\ufffd[31m"),
        ("9" * 5000, "isn't a move"),
    ],
)
def test_nothing_typed_ends_the_game(line: str, answer: str) -> None:
    table = Table()
    before = table.match.digest()
    assert answer in table.type(line)
    assert table.match.digest() == before
    assert f"{len(table.match.legal())} legal moves." in table.type("legal")


def test_the_commands_are_explained_in_their_column_on_a_narrow_screen() -> None:
    table = Table()
    table.session.console.width = 60
    table.session.command("help")
    assert "chance to win\n" + " " * 19 + "and the reason\n" in table.out.getvalue()


def test_undo_and_redo_are_the_same_table() -> None:
    table = Table()
    first = table.match.digest()
    table.type("end")
    second = table.match.digest()
    assert "move 0 of 1" in table.type("undo")
    assert table.match.digest() == first
    assert "move 1 of 1" in table.type("REDO")
    assert table.match.digest() == second


def test_legal_lists_all_or_those_with_the_words() -> None:
    table = Table()
    moves = table.match.legal_texts()
    assert table.type("legal") == f"> legal {' '.join(moves)} {len(moves)} legal moves."
    chosen = [move for move in moves if move.startswith("missile") and "paying 9h" in move]
    assert (
        table.type("legal mis 9h")
        == f"> legal mis 9h {' '.join(chosen)} {len(chosen)} of {len(moves)} legal moves."
    )


def test_rules_help_look_and_hint() -> None:
    table = Table()
    assert "ALC-19" in table.type("rules 19")
    assert "ALC-76" in table.type("rules")
    told = table.type("help")
    assert all(word in told for word in COMMANDS)
    assert "right front Qd queen of diamonds" in table.type("look")
    assert "no reference cards" in table.type("aids")
    told = "> hint"
    for hint in table.match.views.hints():
        assert hint.chance is not None
        told += f" {hint.text} ({round(100 * hint.chance)}% to win): {hint.reason}"
    assert table.type("hint") == " ".join(told.split())


def finished() -> Table:
    """Return a table whose game is over after a few moves."""
    table = Table()
    while not table.match.is_over:
        table.match.play(table.match.legal()[0])
    return table


def test_the_finished_game_is_looked_back_on() -> None:
    table = Table()
    assert "The game isn't over" in table.type("analyse")
    table = finished()
    assert table.type("hint") == "> hint The game is over. `analyse` reviews it."
    before = table.match.digest()
    told = table.type("analyse")
    for number, move in enumerate(table.match.moves, 1):
        assert f"{number}. " in told
        assert move in told
    assert "Average cost of a decision" in told
    assert "Turning point: " in told
    assert table.match.digest() == before


def test_looking_back_may_be_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    table = finished()
    shown: list[tuple[int, int]] = []

    @contextmanager
    def watch(what: str, total: int) -> Iterator[Callable[[int, int], None]]:
        def stop(done: int, total: int) -> None:
            shown.append((done, total))
            if done == 2:
                raise KeyboardInterrupt

        yield stop

    monkeypatch.setattr(table.session, "_watch", watch)
    assert "Stopped" in table.type("analyse")
    last = table.match.last_ply
    assert shown == [(1, last), (2, last)]
    assert table.match.ply == last
    assert "The game is over" in table.type("end")


@pytest.mark.parametrize(
    ("chances", "drawn"),
    [
        ((0.0,), "░░░░░░░░░░"),
        ((0.52,), "█████░░░░░"),
        ((1.0, 0.0), "██████████"),
        ((0.3, 0.7), "███░░░░░░░"),
        ((0.5, 0.2, 0.3), "1111122333"),
        ((0.0, 1.0, 0.0), "2222222222"),
        ((0.5, 0.5, 0.5), "1112222333"),  # as shares of the whole
    ],
)
def test_chances_are_drawn_as_a_bar(chances: tuple[float, ...], drawn: str) -> None:
    assert bar(chances, 10) == drawn


def test_aids_are_shown_and_moves_told_with_what_they_would_do() -> None:
    table = Table(("person", "person"), interactive=True, game="tower")
    assert "Which suit beats which" in table.type("aids")
    assert "rock Foundation scissors and lizard paper and water" in table.type("aids")
    match = table.match
    while not (
        telling := [choice for choice in match.views.scene(match.seat_to_move).choices if choice.note]
    ):
        match.play(best(match))
    first, verb = telling[0], telling[0].text.split()[0]
    told = f"{first.text}: {first.label}: {first.note}. "
    assert told in table.type(f"legal {verb}")
    assert f" legal moves: {told}" in table.type(verb)
    while len(match.legal()) <= 8 or not (note := match.views.scene(match.seat_to_move).choices[0].note):
        match.play(best(match))
    assert note not in table.type("legal")


def test_who_plays_every_side_reads_how_to_play_the_computer() -> None:
    assert "with `--players person,greedy`." in Table(["person"] * 2, interactive=True, game="tower").run()
    assert "--players" not in Table(["person", "greedy"], interactive=True, game="tower").run()
    assert "--players" not in Table(interactive=True).run()


def test_saved_files_replace_nothing_of_others(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("somebody's notes")
    table = Table()
    assert f"It is now {path}.1" in table.type(f"save {path}")
    assert (tmp_path / "mine.toml.1").read_text() == "somebody's notes"
    table.type("end")
    table.type(f"save {path}")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine.toml", "mine.toml.1"]
    assert GameRecord.parse(path.read_text()).moves == ("end",)


def test_a_record_that_can_no_longer_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    table = Table(record=folder / "game.toml")
    table.session.start()
    (folder / "game.toml").unlink()
    folder.rmdir()
    assert "The game continues" in table.type("end")
    assert table.match.ply == 1


def test_piped_lines_comments_and_the_end_of_input() -> None:
    table = Table()
    told = table.run("# my game", "", "   ", "end  ", "nonsense", "#end")
    assert table.match.moves == ["end"]
    assert "> end" in told
    assert "# my game" not in told
    assert "The game isn't over: it stands at move 1.\nIt wasn't saved." in told


@pytest.mark.parametrize("leaves", ["quit", "Ctrl-C"])
def test_who_leaves_reads_whether_and_how_to_continue(tmp_path: Path, leaves: str) -> None:
    """Ctrl-C said nothing, and `quit` only at which move."""

    def typed(*first: str) -> Iterator[str]:
        yield from first
        if leaves == "Ctrl-C":
            raise KeyboardInterrupt
        yield "quit"

    def left(table: Table, *first: str) -> str:
        with pytest.raises(KeyboardInterrupt) if leaves == "Ctrl-C" else nullcontext():
            table.session.run(typed(*first))
        return table.out.getvalue()

    assert left(Table()).endswith("start it with `--resume FILE`.\n")
    path = tmp_path / "a game.toml"
    again = f"`bartizan play alcazar --resume '{path}'`\n"
    assert left(Table(record=path), "end").endswith(f"To continue: {again}")
    assert left(Table(), f"save {path}", "end").endswith(f"To continue from move 0: {again}")


def test_an_ambiguous_move_is_listed_once() -> None:
    """The first four came in the sentence, and the others below."""
    told = Table().type("missile")
    assert "'missile' fits 18 legal moves: missile" in told
    assert told.endswith("… and 10 more: `legal missile`")
    assert told.count(" missile ") == 1 + 8  # with the echo


def test_quit_leaves_at_once() -> None:
    table = Table()
    table.run("quit", "end")
    assert table.match.ply == 0


def test_a_program_plays_by_itself_and_the_same_each_time() -> None:
    games = []
    for _ in range(2):
        table = Table(["greedy"])
        told = table.run("end")
        assert table.match.is_over
        assert table.match.views.scene(1).result.headline in told  # type: ignore[union-attr]
        games.append(table.match.moves)
    assert games[0] == games[1]
    assert games[0] != ["end"]


def test_completion_offers_exactly_what_may_be_typed() -> None:
    table = Table(interactive=True)
    offers = table.session.offers()
    assert {offer.line for offer in offers["why"]} == set(table.match.legal_texts())
    assert {offer.line for offer in offers[""]} == set(table.match.legal_texts()) | set(COMMANDS)
    table.type("end")
    assert {offer.line for offer in table.session.offers()["why"]} == set(table.match.legal_texts())


class TwoSeats(Match):
    """A solitaire told as if two seats took turns, to see who is asked and whose eyes are used."""

    seen_by: list[int]

    def __init__(self) -> None:
        self.seen_by = []
        super().__init__("alcazar", seed=SEED)

    @property
    def seat_to_move(self) -> int:
        return 0 if super().seat_to_move == 0 else 1 + self.ply % 2

    @property
    def views(self) -> Views:
        return OneSeat(self)


class OneSeat(Views):
    """Shows every seat what the only one sees, and notes who asked."""

    def __init__(self, match: TwoSeats) -> None:
        super().__init__(match, match.throws)
        self._seen_by = match.seen_by

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        self._seen_by.append(seat)
        return super().scene(1, choices=False)


def two(players: list[str]) -> tuple[TwoSeats, Session]:
    match = TwoSeats()
    console = Console(file=io.StringIO(), width=100, color_system=None)
    return match, Session(
        match, console, players, lambda here, name: here.check(here.legal()[-1]), interactive=False
    )


def test_programs_answer_and_an_undo_goes_back_over_them() -> None:
    match, session = two(["person", "random"])
    session.start()
    assert match.ply == 0
    session.command(match.legal_texts()[-1])
    assert match.ply == 2
    session.command("undo")
    assert match.ply == 0
    session.command("redo")
    assert match.ply == 2
    assert set(match.seen_by) == {1}


def test_a_program_that_begins_is_not_undone_away() -> None:
    match, session = two(["random", "person"])
    session.start()
    assert match.ply == 1
    session.command("undo")
    assert match.ply == 1
    assert set(match.seen_by) == {2}


def test_the_table_is_drawn_for_the_person_to_move() -> None:
    match, session = two(["person", "person"])
    assert session.seat == 1
    session.command(match.legal_texts()[-1])
    assert session.seat == 2


def test_errors_of_the_match_are_all_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()

    def odd(throws: Throws, move: str) -> str:
        raise BartizanError("Something unheard of.")

    monkeypatch.setattr(Throws, "check_by_hand", odd)
    assert "Something unheard of." in table.type("end")


def test_the_table_tells_all_that_happened_since_your_own_move() -> None:
    table = Table(("person", "greedy"), interactive=True, game="castle-danger")
    table.type("b1-a1")
    told = table.type("end")
    assert table.match.ply > 6
    assert all(f" {ply} (Red) " in told for ply in range(3, table.match.ply + 1))
    assert " 2 (Blue) end: Red's turn 1" in told


def test_the_log_tells_the_whole_game() -> None:
    table = Table(("person", "greedy"), interactive=True, game="castle-danger")
    assert "No move has been made." in table.type("log")
    for _ in range(3):
        table.type("end")
    told = table.type("log")
    assert table.match.ply > 15  # more than the table shows by itself
    plies = [int(ply) for ply in re.findall(r"(\d+) \((?:Blue|Red)\)", told)]
    assert plies == [*range(1, table.match.ply + 1)]


def test_a_pipe_is_told_every_move_of_a_long_turn() -> None:
    def roam(match: Match, _: str) -> CheckedMove:
        texts = sorted(match.legal_texts(), key=lambda text: (text == "end", text[:2] != "d9"))
        return match.check("add wizard" if "add wizard" in texts else texts[0])

    out = io.StringIO()
    match = Match("castle-danger", seed=SEED)
    console = Console(file=out, width=100, color_system=None)
    session = Session(match, console, ["person", "wanderer"], roam, interactive=False)
    before = 0
    while match.ply < 40:
        start, before = len(out.getvalue()), match.ply
        session.command("end")
        told = out.getvalue()[start:]
        assert all(f"{ply} (Red) " in told for ply in range(before + 2, match.ply + 1))
    assert match.ply - before > 13


@pytest.mark.parametrize(
    ("typed", "shown"), [("?", "show this list"), ("analyze", "`hint` suggests a move.")]
)
def test_usual_words_for_a_command_are_understood(typed: str, shown: str) -> None:
    assert shown in Table().type(typed)


@pytest.mark.parametrize("word", ["exit", "Q", "QUIT"])
def test_usual_words_for_leaving_leave(word: str) -> None:
    for players in (("person",), ("person", "person")):
        table = Table(players, interactive=True, game="tower" if len(players) > 1 else "alcazar")
        lines = iter([word, "end"])
        table.session.run(lines)
        assert list(lines) == ["end"]


def test_a_player_is_told_of_the_help_before_the_first_move() -> None:
    table = Table(interactive=True)
    table.session.start()
    assert table.out.getvalue().endswith("`help` lists the commands, such as `hint` and `undo`.\n")
    table = Table(("greedy",), interactive=True)
    table.session.start()
    assert "`help`" not in table.out.getvalue()


def test_a_hint_may_be_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(views: Views) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Views, "hints", stop)
    assert "Stopped." in Table().type("hint")


def test_no_command_is_offered_for_one_that_was_given() -> None:
    assert "Did you mean" not in Table().type("why Kc")


def test_one_legal_move_is_told_in_the_singular() -> None:
    table = Table(seed="2")
    table.type("discard Qh")
    assert table.type("legal").endswith("1 legal move.")
    assert "The only legal move doesn't have 'defend' in it." in table.type("legal defend")
    assert table.type("legal end").endswith("1 of 1 legal move.")


def test_a_throw_is_offered_as_it_is_typed() -> None:
    out = io.StringIO()
    match = Match("card-barrage", seed="9", options={"throws": "thrown"}, seats=2)
    console = Console(file=out, width=100, color_system=None)
    session = Session(match, console, ["person", "greedy"], chooser(match), interactive=True)
    session.show()
    told = re.search(r"Throw: (\d+) ways, such as (.*) \(legal throw\)", out.getvalue())
    assert told is not None
    throws = [text for text in match.throws.texts() if text.startswith("throw")]
    assert told.groups() == (str(len(throws)), throws[0])
    own, other = ("Red", "Blue") if session.seat == 1 else ("Blue", "Red")
    session.command(throws[0])
    assert f"o {own} cards, # {other} cards, . path" in out.getvalue()
