"""The solver: it agrees with trying everything, its lines replay, and it can stop and go on anywhere."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import UnknownMove, Unsolvable
from bartizan.engine.game import Game
from bartizan.engine.rule import interpreted
from bartizan.lab.solve import Solution, Solver, play_line
from bartizan.match import Match
from tests.games.tables import GAMES, every_ply
from tests.search.brute import Brute, tiny

NAME = "alcazar"
GAME = registry.get(NAME)
MODULE: Any = GAME.bind("bartizan.search.solver")
CARRY: dict[str, object] = {"overflow": "carry"}
HOPELESS = "14"  # a deal that cannot be won where what is left of an attack strikes on
MOST = 400  # states that the plain search looks at

# Options, whether a Joker lies in the deck, and how many of the positions the plain search must get through.
# The Joker and the endless night shuffle, so there the future goes by the ply.
VARIED: dict[str, tuple[dict[str, object], bool, int]] = {
    "as usual": ({}, False, 35),
    "a Joker": ({"havoc": True}, True, 30),
    "a second pass": ({"endless_night": True}, False, 25),
    "all beaten": ({"total_victory": True}, False, 20),
    "the rest strikes on": (CARRY, False, 38),
    "a Joker, and a second pass": ({"havoc": True, "endless_night": True}, True, 20),
}


def position(number: int, options: dict[str, object], jokers: bool = False) -> Match:
    return Match(NAME, options, seed=f"{number:x}", position=tiny(number, jokers=jokers))


def solved(match: Match, **limits: Any) -> Solution:
    return Solver(match.game).solve(match.game_state(), match.seed, match.ply, **limits)


@pytest.mark.parametrize(("options", "jokers", "least"), VARIED.values(), ids=list(VARIED))
def test_it_agrees_with_trying_everything(options: dict[str, object], jokers: bool, least: int) -> None:
    solver = Solver(GAME)
    verdicts = []
    for number in range(40):
        match = position(number, options, jokers)
        solution = solver.solve(match.game_state(), match.seed)
        wins = Brute(match, MOST).wins()
        if wins is not None:
            assert solution.verdict == ("won" if wins else "lost"), number
            verdicts.append(solution.verdict)
        play_line(match, solution)
        assert (match.is_over and match.returns() == [1.0]) == (solution.verdict == "won"), number
    assert len(verdicts) >= least
    assert set(verdicts) == {"won", "lost"}


def test_a_whole_deal_that_cannot_be_won_has_no_win() -> None:
    match = Match(NAME, CARRY, seed=HOPELESS)
    plain = Brute(match, 10_000)
    assert plain.wins() is False
    assert len(plain.lost) > 30
    assert solved(match).verdict == "lost"


def test_a_deal_is_won_that_needs_another_order_of_payment() -> None:
    match = position(468, {"total_victory": True})
    assert Brute(match, 2_000, orders=False).wins() is False
    solution = solved(match)
    assert solution.verdict == "won"
    assert any(code >= GAME.actions.size for code in solution.line)
    play_line(match, solution)
    assert match.result() == "player"


@pytest.mark.parametrize("name", [name for name in GAMES if registry.get(name).max_seats == 1])
def test_variants_are_the_codes_that_have_a_text(name: str) -> None:
    count = getattr(registry.get(name).rules, "variants", None)
    dice = random.Random(name)
    most = 0
    for match in every_ply(name, 3, 60):
        for action in dice.sample(match.legal(), min(3, len(match.legal()))):
            among = int(interpreted_variants(match, action)) if count else 1
            most = max(most, among)
            codes = [action + match.game.actions.size * number for number in range(among + 1)]
            assert all(match.why_not(code) is None for code in codes[:-1])
            with pytest.raises(UnknownMove):
                match.why_not(codes[-1])
    assert (most > 1) == (count is not None)


def interpreted_variants(match: Match, action: int) -> int:
    return int(interpreted(match.game.rules).variants(match.view(), action))


# --- Stopping and going on ---------------------------------------------------


@pytest.mark.parametrize("seed", ["5", HOPELESS, "5a"])
def test_slices_come_to_the_same_as_one_search(seed: str) -> None:
    match = Match(NAME, CARRY, seed=seed)
    whole = MODULE.DiscrepancySearch(match.game_state(), seed)
    assert whole.run(300_000) in (MODULE.WON, MODULE.LOST)
    sliced = MODULE.DiscrepancySearch(match.game_state(), seed)
    until, dice = 0, random.Random(seed)
    while sliced.run(until) == MODULE.OPEN:
        assert sliced.positions == until
        assert sliced.line() == []
        until += dice.choice([0, 1, 2, 7, 1_000])
    assert (sliced.status, sliced.positions, sliced.width, sliced.line()) == (
        whole.status,
        whole.positions,
        whole.width,
        whole.line(),
    )
    assert whole.run(10**9) == whole.status
    assert whole.positions == sliced.positions


def test_a_budget_that_is_spent_leaves_the_question_open() -> None:
    match = Match(NAME, seed="7")
    solution = solved(match, positions=20)
    assert (solution.verdict, solution.positions, solution.line) == ("unknown", 20, ())
    assert not solution.is_final(21)
    assert solution.is_final(20)


def test_a_line_longer_than_the_room_is_never_called_lost() -> None:
    match = Match(NAME, CARRY, seed="1")
    line = solved(match).line
    assert len(line) > 20
    table = MODULE.DiscrepancySearch(match.game_state(), "1").workspace.table
    for depth in range(1, len(line)):
        assert (
            MODULE.DiscrepancySearch(match.game_state(), "1", depth=depth, table=table).run(20_000)
            != MODULE.LOST
        )
    assert (
        MODULE.DiscrepancySearch(match.game_state(), "1", depth=len(line), table=table).run(20_000)
        == MODULE.WON
    )
    lost = Match(NAME, CARRY, seed=HOPELESS)
    assert MODULE.DiscrepancySearch(lost.game_state(), HOPELESS, depth=2).run(10**6) == MODULE.TOO_DEEP
    assert MODULE.DiscrepancySearch(lost.game_state(), HOPELESS, depth=40).run(10**6) == MODULE.LOST


def test_a_table_that_other_searches_used_changes_nothing() -> None:
    seeds = [f"{number:x}" for number in range(12)]
    options = {"havoc": True, "endless_night": True, "overflow": "carry"}
    shared = Solver(GAME)
    for match in (Match(NAME, options, seed=seed) for seed in seeds):
        while not match.is_over and match.ply < 6:
            assert shared.solve(match.game_state(), match.seed, match.ply, positions=20_000) == solved(
                match, positions=20_000
            )
            match.play(match.legal()[match.ply % len(match.legal())])


@pytest.mark.parametrize("jokers", [False, True])
def test_positions_are_kept_with_their_ply_where_chance_comes_after_them(jokers: bool) -> None:
    met = set()
    for number in range(40):
        match = position(number, {"havoc": True}, jokers)
        search = MODULE.DiscrepancySearch(match.game_state(), match.seed)
        if search.run(100_000) != MODULE.LOST:
            continue
        root, kept = search.workspace.names[0], search.workspace.table
        row = kept[int(root[MODULE.HIGH]) & (len(kept) - 1)]
        drawn = bool(search.workspace.head[MODULE.BOUND])
        # An early pass, which left moves out, may have met no chance yet; the last one left out none.
        refuted_at_any_ply = list(row) == [*root, MODULE.ALL]
        assert refuted_at_any_ply != drawn, number
        met.add(drawn)
    assert met == ({True, False} if jokers else {False})


@pytest.mark.parametrize(
    ("beyond", "bound", "left", "known", "met"),
    [
        (MODULE.ALL, False, 2, True, 0),
        (MODULE.ALL, False, 200, True, 0),
        (3, False, 2, True, MODULE.CUT),
        (3, False, 3, False, 0),
        (MODULE.ALL, True, 2, True, MODULE.CHANCE),
        (3, True, 2, True, MODULE.CHANCE | MODULE.CUT),
        (3, True, 3, False, 0),
    ],
)
def test_what_is_recalled_counts_for_what_it_was(
    beyond: int, bound: bool, left: int, known: bool, met: int
) -> None:
    plain: Any = interpreted(MODULE)
    table = np.zeros((64, MODULE.ROW), np.uint64)
    workspace = MODULE.DiscrepancySearch(
        Match(NAME, seed="1").game_state(), "1", depth=2, table=table
    ).workspace
    workspace.head[MODULE.BOUND] = bound
    workspace.names[1] = 5, 7
    workspace.frames[1, MODULE.LEFT] = left
    high = plain.at_ply(5, 1) if bound else 5
    table[high % 64] = high, 7, beyond
    assert plain.recall(workspace, 1) == known
    assert workspace.frames[1, MODULE.MET] == met
    workspace.names[1, MODULE.LOW] = 8  # half a name is no name
    workspace.frames[1, MODULE.MET] = 0
    assert not plain.recall(workspace, 1)


def test_a_small_table_forgets_but_never_errs() -> None:
    for seed in (HOPELESS, "5", "5a"):
        match = Match(NAME, CARRY, seed=seed)
        table = np.zeros((64, MODULE.ROW), np.uint64)
        small = MODULE.DiscrepancySearch(match.game_state(), seed, table=table)
        large = MODULE.DiscrepancySearch(match.game_state(), seed)
        assert small.run(10**7) == large.run(10**7) != MODULE.OPEN
        assert small.positions >= large.positions


def test_the_state_that_is_searched_stays_as_it_was() -> None:
    match = Match(NAME, seed="3")
    game_state = match.game_state()
    before = game_state.to_bytes()
    MODULE.DiscrepancySearch(game_state, "3").run(1_000)
    assert game_state.to_bytes() == before


def test_a_game_that_is_over_needs_no_line() -> None:
    match = Match(NAME, seed="1")
    play_line(match, solved(match))
    assert solved(match) == Solution(seed="1", verdict="won", positions=1)
    lost = Match(NAME, seed="1", position={**tiny(1), "phase": "over", "tower": [], "winner": "loss"})
    assert lost.is_over
    assert solved(lost).verdict == "lost"


# --- The same interpreted ----------------------------------------------------

PLAIN = """
import json, sys
from tests.search.test_solver import position, solved
print(json.dumps([[each.verdict, list(each.line)] for each in
                  (solved(position(number, {"endless_night": True})) for number in range(8))]))
"""


def test_interpreted_rules_give_the_same_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        env={**os.environ, "BARTIZAN_MODE": "python"},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = json.loads(done.stdout)
    compiled = [solved(position(number, {"endless_night": True})) for number in range(8)]
    assert plain == [[each.verdict, list(each.line)] for each in compiled]
    assert {verdict for verdict, _ in plain} == {"won", "lost"}


def test_only_games_for_one_are_searched() -> None:
    several: list[Game] = [registry.get(name) for name in GAMES if registry.get(name).max_seats > 1]
    assert several
    for game in several:
        with pytest.raises(Unsolvable, match=f"{game.title} is for "):
            Solver(game)
