"""Searches in every game: the same everywhere, blind to what is hidden, and whole after each step."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.game import Game, GameState
from bartizan.engine.levels import Level
from bartizan.engine.mode import COMPILED
from bartizan.match import Match
from bartizan.match.close_look import hidden, standing_on
from bartizan.search.node import NONE, ROOT
from bartizan.search.players import Player, SearchPlayer, skill_of
from bartizan.search.tree import Budget, SearchLine, Tree, TreeSearch
from bartizan.search.workspace import tuning_of
from tests.games.tables import GAMES, hides_by_swaps, played, positions

ROOT_FOLDER = Path(__file__).resolve().parents[2]
LONG_HORIZON = 40  # plies of a playout here, so that interpreted rules take part
LEAST_WIDENING = 1_500  # so that what is played at random has a node

each_game = pytest.mark.parametrize("name", GAMES)


def searching(match: Match, seed: int = 1, threads: int = 1) -> TreeSearch:
    """Return a search for a table, with short playouts and nodes that widen fast."""
    tuned = tuning_of(match.game)
    widening = max(tuned.widening, LEAST_WIDENING)
    short = replace(tuned, horizon=min(tuned.horizon, LONG_HORIZON), widening=widening)
    skill = skill_of(match.game, "greedy")
    return TreeSearch(match.game, match.seats, seed, threads=threads, skill=skill, tuning=short)


def thought(match: Match, iterations: int, seed: int = 1, threads: int = 1) -> list[SearchLine]:
    """Return what a fresh search finds at the present ply."""
    search = searching(match, seed, threads)
    budget = Budget(iterations=iterations)
    return search.think(match.game_state(), match.seat_to_move, match.legal(), budget, to_choose=False)


def undecided(name: str, games: int, chance: float, first: int, most: int) -> list[Match]:
    """Return tables at which there is something to choose; they stay as they are."""
    found = []
    for match, _ in positions(name, games, chance, first=first):
        if not match.is_over and len(match.legal()) > 1:
            found.append(standing_on(match, match.game_state()))
        if len(found) == most:
            break
    assert found
    return found


def searched(name: str) -> str:
    """Return what searches find in some positions, as this process runs them."""
    tables = undecided(name, 6, 0.2, first=3_000, most=4)
    return repr([thought(match, 30, seed) for seed, match in enumerate(tables)])


@each_game
@pytest.mark.skipif(not COMPILED, reason="compares compiled searches with interpreted ones")
def test_searches_are_the_same_interpreted(name: str) -> None:
    code = f"from tests.games.test_search import searched\nprint(searched({name!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BARTIZAN_MODE": "python"},
        cwd=ROOT_FOLDER,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == searched(name)


@each_game
def test_the_same_seed_and_budget_give_the_same(name: str) -> None:
    for match in undecided(name, 20, 0.1, first=3_100, most=5):
        lines = thought(match, 200)
        assert thought(match, 200) == lines
        stepwise = searching(match)
        for each in (50, 100, 50):
            budget = Budget(iterations=each)
            stepwise.think(match.game_state(), match.seat_to_move, match.legal(), budget, to_choose=False)
        assert stepwise.lines(match.legal()) == lines
        assert sum(line.visits for line in lines) == 200
        assert sorted(line.action for line in lines) == match.legal()
        assert all(-1 <= line.value <= 1 for line in lines)
    assert thought(match, 200, threads=2) == thought(match, 200, threads=2)


@each_game
def test_other_dice_find_something_else(name: str) -> None:
    tables = undecided(name, 20, 0.1, first=3_100, most=5)
    assert any(thought(match, 100, 1) != thought(match, 100, 2) for match in tables)


@each_game
def test_keys_name_actions_and_nothing_else(name: str) -> None:
    for match, _ in positions(name, 40, 0.3, first=3_200):
        mcts = match.game.bind("bartizan.search.mcts")
        if match.is_over:
            continue
        state = match.game_state().cells[0] if not COMPILED else match.view()
        key_of, action_of = (getattr(each, "py_func", each) for each in (mcts.key_of, mcts.action_of))
        keys = [_plain(key_of, match)(state, action) for action in match.legal()]
        assert len(set(keys)) == len(keys)
        assert [_plain(action_of, match)(state, key) for key in keys] == match.legal()


def _plain(function: Any, match: Match) -> Any:
    """Return a rule as plain Python, so that it reads a table's record."""
    from bartizan.engine.rule import interpreted

    home = sys.modules[function.__module__]
    return getattr(interpreted(home), function.__name__)


def outcomes_of_hiding(match: Match, game_state: GameState, number: int) -> bytes:
    """Return a state re-dealt with a stream of its own, as bytes."""
    other = game_state.copy()
    other.rekey(number)
    match.game.bind("bartizan.search.mcts").prepare(other.cells, match.seat_to_move)
    match.game.array_rules.determinize(other.cells, match.seat_to_move)
    return other.to_bytes()


@each_game
def test_dealing_anew_forgets_what_was_dealt(name: str) -> None:
    """What the search plays on depends on its own dice and on what the seat knows, and on nothing else."""
    if not registry.get(name).chance:
        return
    compared = 0
    for match, _ in positions(name, 60, 0.15, first=3_300):
        if match.is_over or hides_by_swaps(match):
            continue
        other = hidden(match, match.seat_to_move, match.ply)
        assert outcomes_of_hiding(match, match.game_state(), 7) == outcomes_of_hiding(match, other, 7)
        compared += 1
    assert compared > 30


@each_game
def test_levels_choose_by_what_their_seat_can_know(name: str) -> None:
    for match in undecided(name, 30, 0.1, first=3_400, most=12):
        if hides_by_swaps(match):
            continue
        other = standing_on(match, hidden(match, match.seat_to_move, 5))
        for level in (
            Level("slips", random_move_percent=50),
            Level("looks", iterations=60, threads=2),
            *(level for level in match.game.player_levels if level.learned),
        ):
            choices = [
                SearchPlayer(table.game, level, 9).choose(table.game_state(), table.legal())
                for table in (match, other)
            ]
            assert choices[0] == choices[1]


def check_whole(tree: Tree) -> None:
    """Check that a tree hangs together: every node once, behind its parent, visited less than it."""
    nodes = np.asarray(tree.workspace.nodes[: tree.nodes])
    found = set()
    for number in range(tree.nodes):
        child, visits = int(nodes[number]["first"]), 0
        while child != NONE:
            assert int(nodes[child]["parent"]) == number < child < tree.nodes
            assert child not in found
            assert int(nodes[child]["visits"]) <= int(nodes[child]["availability"])
            found.add(child)
            visits += int(nodes[child]["visits"])
            child = int(nodes[child]["next"])
        assert visits <= int(nodes[number]["visits"])
    assert found == set(range(ROOT + 1, tree.nodes))


@each_game
@pytest.mark.skipif(not COMPILED, reason="looks into the compiled tree")
def test_trees_go_on_from_move_to_move(name: str) -> None:
    kept = 0
    for number in range(3_500, 3_504):
        searches: dict[int, TreeSearch] = {}  # one for each seat, as players have them
        for match in itertools.islice(played(name, number), 40):
            if match.is_over:
                break
            if match.ply:
                before, action, seat = match.step(match.ply - 1)
                for search in searches.values():
                    search.follow(before, action, seat)
                    check_whole(search._trees[0])
            search = searches.setdefault(match.seat_to_move, searching(match))
            held = search.iterations
            kept += held > 0
            search.think(
                match.game_state(), match.seat_to_move, match.legal(), Budget(iterations=60), to_choose=False
            )
            assert search.iterations == held + 60
            check_whole(search._trees[0])
    assert kept > 20


@each_game
def test_a_search_without_playouts_looks_ahead_all_the_same(name: str) -> None:
    match = undecided(name, 3, 0.5, 60, 1)[0]
    bare = replace(tuning_of(match.game), horizon=0)
    search = TreeSearch(match.game, match.seats, 1, tuning=bare)
    lines = search.think(
        match.game_state(), match.seat_to_move, match.legal(), Budget(iterations=40), to_choose=False
    )
    assert sum(line.visits for line in lines) == 40


@each_game
@pytest.mark.skipif(not COMPILED, reason="looks into the compiled tree")
def test_a_node_has_no_more_children_than_it_may(name: str) -> None:
    """The root has as many as there are actions to choose from."""
    most = {}
    match = undecided(name, 6, 0.5, first=3_200, most=1)[0]
    for children in (3, 1_000):
        tuning = replace(tuning_of(match.game), children=children, widening=20_000)
        tree = Tree(match.game, match.seats, 1, tuning)
        tree.look_at(match.game_state(), match.seat_to_move)
        tree.run(3_000)
        assert tree.visits == 3_000
        parents = np.asarray(tree.workspace.nodes[ROOT + 1 : tree.nodes])["parent"]
        most[children] = int(np.bincount(parents[parents != ROOT]).max())
    assert most[3] == min(3, most[1_000])
    assert most[1_000] > 3 or name == "tower"  # whose decisions are between two or three things here


@pytest.mark.parametrize("name", ["alcazar", "tower"])
def test_what_can_be_done_is_tried_whatever_was_thought_before(name: str) -> None:
    """Though a node has few children, a tree that goes on from it compares all that the hand allows."""
    thoughts = 0
    for number in range(3_600, 3_603):
        match = Match(name, seed=f"{number:x}")
        tuning = replace(tuning_of(match.game), children=4, widening=20_000, horizon=0)
        searches: dict[int, TreeSearch] = {}
        while not match.is_over and match.ply < 60:
            legal, seat = match.legal(), match.seat_to_move
            search = searches.setdefault(seat, TreeSearch(match.game, match.seats, 1, tuning=tuning))
            lines = search.think(match.game_state(), seat, legal, Budget(iterations=400), to_choose=False)
            if len(legal) < 30:
                assert all(line.visits for line in lines)
                thoughts += len(legal) > 4
            before = match.game_state()
            match.play(lines[0].action)
            for other in searches.values():
                other.follow(before, lines[0].action, seat)
    assert thoughts > 10


@each_game
@pytest.mark.skipif(not COMPILED, reason="looks into the compiled tree")
@pytest.mark.parametrize("opponents_as_chance", [False, True], ids=["searched", "opponents_as_chance"])
def test_nodes_of_others_are_there_unless_they_are_left_to_chance(
    name: str, opponents_as_chance: bool
) -> None:
    game = registry.get(name)
    if game.max_seats == 1:
        return
    others = 0
    for match in undecided(name, 20, 0.1, first=3_100, most=5):
        tree = Tree(game, match.seats, 1, replace(tuning_of(game), opponents_as_chance=opponents_as_chance))
        tree.look_at(match.game_state(), match.seat_to_move)
        tree.run(400)
        seats = set(np.asarray(tree.workspace.nodes[ROOT + 1 : tree.nodes])["seat"].tolist())
        assert match.seat_to_move in seats
        others += len(seats) > 1
    assert opponents_as_chance == (others == 0)


@each_game
def test_players_play_whole_games(name: str) -> None:
    """Every level makes legal moves to the end of a short stretch, with and without the history."""
    game = registry.get(name)
    for number, level in enumerate((Level("slips", random_move_percent=50), Level("looks", iterations=20))):
        match = Match(game, seats=game.max_seats, seed=f"{number:x}")
        players = [SearchPlayer(game, level, seat, skill_of(game, "greedy")) for seat in range(match.seats)]
        for _ in range(40):
            if match.is_over:
                break
            history = match if number else None
            action = players[match.seat_to_move - 1].choose(match.game_state(), match.legal(), history)
            assert action in match.legal()
            match.play(action)


@each_game
def test_players_notice_another_line_of_play(name: str) -> None:
    """After moves were taken back and others played, a player thinks as if it had seen nothing else."""
    game = registry.get(name)
    match = Match(game, seed="7")
    level = Level("looks", iterations=40)
    player = SearchPlayer(game, level, 3)
    dice = random.Random(name)
    for _ in range(6):
        if match.is_over:
            return
        player.choose(match.game_state(), match.legal(), match)
        match.play(dice.choice(match.legal()))
    match.go_to(2)
    for _ in range(4):
        player.choose(match.game_state(), match.legal(), match)
        match.play(dice.choice(match.legal()))
        assert match.is_over or player.choose(match.game_state(), match.legal(), match) in match.legal()


# --- Names and strength ------------------------------------------------------


@each_game
def test_ladders_have_five_levels_with_names_of_their_own(name: str) -> None:
    game: Game = registry.get(name)
    names = [level.name for level in game.player_levels]
    assert len(set(names)) == len(names) >= 5
    assert not set(names) & {"random", "greedy", "top", "person"}
    assert game.check_player("top") == names[-1]
    with pytest.raises(UnknownPlayer, match="Did you mean 'top'"):
        game.check_player("topp")
    assert isinstance(Player.named(game, "top", 1), SearchPlayer)


def test_a_won_game_is_won() -> None:
    """A shot that ends the game is found whatever else may be played, and its worth is certain."""
    position = {
        "board": [
            "...k...",
            ".......",
            "...c...",
            ".......",
            "~~~~~~~",
            "...C.B.",
            ".......",
            ".W.....",
            "...K...",
        ],
        "moves_left": 9,
    }
    match = Match("castle-danger", seed="1", position=position)
    best = thought(match, 3_000)[0]
    match.play(best.action)
    while not match.is_over and match.seat_to_move == 1:
        match.play(thought(match, 3_000)[0].action)
    assert match.returns() == [1.0, -1.0]
    assert best.value > 0.9


def test_a_choice_that_is_settled_takes_no_more_time() -> None:
    match = Match("castle-danger", seed="1")
    search = searching(match)
    search.think(match.game_state(), match.seat_to_move, match.legal()[:1], Budget(iterations=10**6))
    assert search.iterations < 10**4


def test_time_ends_a_search() -> None:
    match = Match("castle-danger", seed="1")
    search = searching(match)
    search.think(
        match.game_state(), match.seat_to_move, match.legal(), Budget(milliseconds=50), to_choose=False
    )
    assert search.iterations > 0
