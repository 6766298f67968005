"""Puzzles: what their files hold is true, and what finds them finds what there is."""

from __future__ import annotations

import tomllib
from collections import Counter

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.lab.puzzles import Finder, graded, told
from bartizan.match import Match
from bartizan.match.expectation import Expectation
from bartizan.match.lessons import LEVELS, Kind, Puzzle, find_lesson, read_puzzles
from bartizan.match.turns import TooManyLines, TurnSearch
from bartizan.match.tutor import Tutor
from tests.corpus import THOROUGH

GAMES = [name for name in registry.names() if registry.get(name).has_puzzles]
KILL = [".w.k...", ".......", ".......", ".......", "~~~~~~~", ".......", "...C...", ".......", "K......"]


@pytest.mark.parametrize("name", GAMES)
def test_every_puzzle_is_solved_by_the_line_that_it_shows(name: str) -> None:
    game = registry.get(name)
    book = read_puzzles(game)
    assert len(book.puzzle) >= 12
    assert set(Counter(puzzle.level for puzzle in book.puzzle)) == set(range(1, LEVELS + 1))
    for kind in book.kind.values():
        assert game.clauses.get(kind.clause).id == kind.clause
    for puzzle in book.puzzle:
        tutor = Tutor(*find_lesson(name, puzzle.id))
        assert Expectation(tutor.game, puzzle.goal).faults(tutor.match.position()), "it is reached already"
        assert len(puzzle.show) <= puzzle.within
        for move in puzzle.show:
            assert tutor.next_shown is not None
            assert tutor.next_shown.text == move
            assert tutor.lit == ()  # it is to be found
            assert tutor.attempt(move).accepted
        assert tutor.task is None


@pytest.mark.parametrize("name", GAMES)
def test_what_is_called_exact_is(name: str) -> None:
    """Every line of play is looked at again, with the rules interpreted; of all puzzles in a thorough run."""
    game = registry.get(name).plain
    book = read_puzzles(game)
    small = sorted(book.puzzle, key=lambda puzzle: len(str(puzzle.position)))
    for puzzle in book.puzzle if THOROUGH else small[:1]:
        kind = book.kind[puzzle.kind]
        assert kind.exact
        match = Match(game, puzzle.options, puzzle.seats, "1e55", puzzle.position)
        turns = TurnSearch(game, kind.measure, tuple(kind.wrong), kind.most, kind.depth)
        lines = turns.lines(match.game_state())
        best = max(line.value for line in lines.values())
        assert sum(line.value == best for line in lines.values()) == puzzle.ways
        for move in puzzle.show:
            match.play(move)
        if not kind.also:  # else the line goes on to the end of the turn, where the goal is reached
            assert turns.value(match.game_state()) == best


def test_a_turn_is_looked_at_to_its_end() -> None:
    game = registry.get("castle-danger").plain
    match = Match(game, position={"board": KILL, "moves_left": 6, "may_add": False}, seed="1")
    lines = TurnSearch(game, "win", depth=2).lines(match.game_state())
    texts = {match.text(action): line for action, line in lines.items()}
    assert texts["fire d3 d9"].value == 1
    assert len(texts["fire d3 d9"].actions) == 1
    assert texts["end"].value == 0
    assert texts["d3-d4"].value == 1  # then five squares are left
    assert texts["d3-c3"].value == 0
    with pytest.raises(TooManyLines):
        TurnSearch(game, "win", most=5).lines(match.game_state())
    without = TurnSearch(game, "win", leaves_out=["fire *"], depth=1).lines(match.game_state())
    assert {line.value for line in without.values()} == {0.0}


def test_a_finder_makes_a_puzzle_of_a_position_only_where_there_is_something_to_find() -> None:
    game = registry.get("castle-danger")
    kind = msgspec.structs.replace(read_puzzles(game).kind["kill"], least=1)
    board = [*KILL[:6], "..C....", *KILL[7:]]
    seen = Match(game.plain, position={"board": board, "moves_left": 7, "may_add": False}, seed="1")
    finder = Finder(game.plain, "kill", msgspec.structs.replace(kind, least=2, depth=2), 1)
    finder.levels = ()  # which would think
    puzzle = finder.puzzle(seen, "kill-1")
    assert puzzle is not None
    assert puzzle.show == ("c3-d3", "fire d3 d9")
    assert puzzle.goal == {"winner": "blue"}
    assert puzzle.within == 2
    over = Match(game.plain, position={"board": KILL, "moves_left": 1, "may_add": False}, seed="1")
    assert finder.puzzle(over, "kill-2") is None


def test_puzzles_are_written_as_they_are_read() -> None:
    book = read_puzzles(registry.get("card-cassonne"))
    again = msgspec.convert(tomllib.loads(told(book.puzzle))["puzzle"], tuple[Puzzle, ...])
    assert again == book.puzzle
    assert graded(again) == list(book.puzzle)
    assert isinstance(next(iter(book.kind.values())), Kind)
