"""Compare the engine with the second implementation of the rules, and that one with the scenarios."""

from __future__ import annotations

import json
import random
import tomllib
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BadPosition, UnknownOption
from bartizan.match import Match, trace
from tests.castle_danger.reference import audit, compare, main, perft
from tests.castle_danger.reference_board import (
    CHOICES,
    DEFAULTS,
    SETUP,
    Position,
    colour,
    full_options,
    position_faults,
    start,
)
from tests.castle_danger.reference_positions import own_trace, random_options, random_position
from tests.castle_danger.reference_rules import clauses_against, every_text, legal_moves, play, read_move
from tests.castle_danger.reference_scenarios import run_scenario
from tests.corpus import sample
from tests.games import audits
from tests.reference.audit import sentences
from tests.reference.scenarios import scenario_files, scenarios

GAME = "castle-danger"
REFERENCE = Path(__file__).with_name("reference.py")
TRUTH = tomllib.loads(Path(__file__).with_name("perft_truth.toml").read_text(encoding="utf-8"))["count"]
QUICK = 30_000  # lines that the plain program counts in a moment


# --- the reference and the scenarios ----------------------------------------------------------------


@pytest.mark.parametrize("path", scenario_files("castle_danger"), ids=lambda path: path.stem)
def test_scenario_agrees_with_the_reference(path: Path) -> None:
    assert run_scenario(path) == []


def test_every_option_value_has_a_scenario() -> None:
    used = {
        (key, value)
        for scenario in scenarios("castle_danger")
        for key, value in full_options(scenario.get("options")).items()
        if value != DEFAULTS[key]
    }
    wanted = {
        (key, value)
        for key, values in CHOICES.items()
        for value in values
        if value != DEFAULTS[key] and key not in SETUP
    }
    missing = wanted - used
    assert not missing, f"add to tests/scenarios/castle_danger a scenario for each of {missing}"
    assert {key for key, _ in used} >= set(SETUP)


def test_every_clause_with_testable_content_has_a_scenario() -> None:
    cited = {clause for scenario in scenarios("castle_danger") for clause in scenario["clauses"]}
    # 43 is layout; Q25 says that all is public
    wanted = [f"CD-{n}" for n in range(1, 43)] + [f"CD-Q{n}" for n in range(1, 27) if n != 25]
    assert [clause for clause in wanted if clause not in cited] == []


def test_both_sides_move_in_the_scenarios() -> None:
    movers = Counter(
        scenario.get("position", {}).get("to_move", "blue") for scenario in scenarios("castle_danger")
    )
    assert movers["red"] >= 30


# --- the reference by itself ------------------------------------------------------------------------


def quiet(**changes: Any) -> Position:
    rows = [".....k.", "...w...", ".......", ".......", "~~~~~~~", ".......", "..C....", "..#....", ".KB...."]
    return Position.read({"board": rows, "turn": 4, **changes}, full_options({}))


def test_legal_moves_of_a_plain_position() -> None:
    assert legal_moves(quiet(), full_options({})) == [
        *("add builder", "add cannon", "add wizard", "b1-a1", "b1-b2", "c1-d1", "c3-b3", "c3-c4", "c3-d3"),
        *("end", "fire c3 c6", "raze c2", "wall d1"),
    ]


def test_a_move_leaves_the_position_before_it_alone() -> None:
    before = quiet()
    after = play(before, full_options({}), "raze c2")
    assert before == quiet()
    assert (after.at("c2"), after.moves_left, after.may_add) == ("", 2, False)


def test_playing_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="CD-38"):
        play(quiet(), full_options({}), "fire c3 c7")


@pytest.mark.parametrize(
    "text", ["", "add", "add king", "d1", "d1-h1", "wall", "wall d0", "fire d3", "d1xd2", "pass"]
)
def test_a_text_of_no_form_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text)


def test_the_list_of_moves_and_the_clauses_agree() -> None:
    """The two ways in which the reference decides what is legal, on random positions."""
    rng = random.Random(2)
    for _ in range(60):
        options = random_options(rng)
        full = full_options(options)
        position = Position.read(random_position(rng, options), full)
        allowed = [text for text in every_text() if not clauses_against(position, full, text)]
        assert sorted(allowed) == legal_moves(position, full)


def test_moves_left_run_out_and_turns_alternate() -> None:
    """Whatever is played: each move costs at least one, adding aside, and a running game shows no 0."""
    rng = random.Random(4)
    for _ in range(30):
        full = full_options(random_options(rng))
        position, added = start(full), False
        while position.winner == "none":
            move = rng.choice(legal_moves(position, full))
            after = play(position, full, move)
            same_turn = (after.to_move, after.turn) == (position.to_move, position.turn)
            if same_turn and after.winner == "none":
                assert after.moves_left > 0
                assert after.moves_left < position.moves_left or (move.startswith("add") and not added)
            added = same_turn and (added or move.startswith("add"))
            assert position_faults(after.write(), full) == []
            position = after


# --- the audit notices ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_lines() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in own_trace(random.Random(5), 4, {"turn_limit": 25})]
    report = audit(map(json.dumps, lines))
    assert not report.differences, sentences(report)
    return lines


def keys_after(lines: list[dict[str, Any]], number: int, change: dict[str, Any]) -> set[str]:
    """Change a line's position and say which keys the audit then complains of."""
    return audits.keys_after(audit, lines, number, change)


def test_the_audit_notices_each_changed_key(game_lines: list[dict[str, Any]]) -> None:
    number = next(
        n
        for n, line in enumerate(game_lines)
        if line.get("ply", 0) > 20 and line["position"]["moves_left"] > 2
    )
    position = game_lines[number]["position"]
    board = position["board"]
    assert keys_after(game_lines, number, {}) == set()
    assert "board" in keys_after(game_lines, number, {"board": [board[0].replace(".", "+", 1), *board[1:]]})
    assert "turn" in keys_after(game_lines, number, {"turn": position["turn"] + 1})
    assert "moves_left" in keys_after(game_lines, number, {"moves_left": position["moves_left"] - 1})
    assert "may_add" in keys_after(game_lines, number, {"may_add": not position["may_add"]})
    other = {"blue": "red", "red": "blue"}[position["to_move"]]
    assert "to_move" in keys_after(game_lines, number, {"to_move": other})
    assert "seen" in keys_after(game_lines, number, {"seen": position["seen"][1:]})
    assert "winner" in keys_after(game_lines, number, {"winner": "draw"})
    assert "extra" in keys_after(game_lines, number, {"extra": 1})


def test_the_audit_notices_a_wrong_set_up(game_lines: list[dict[str, Any]]) -> None:
    board = [row[::-1] for row in game_lines[0]["position"]["board"]]
    assert "board" in keys_after(game_lines, 0, {"board": board})


def test_the_audit_notices_a_missing_an_extra_and_an_unsorted_move(game_lines: list[dict[str, Any]]) -> None:
    audits.notices_wrong_lists(audit, game_lines[0], "wall c2")


def test_the_audit_notices_a_wrong_result(game_lines: list[dict[str, Any]]) -> None:
    number = next(n for n, line in enumerate(game_lines) if "result" in line)
    last = game_lines[number]
    other = "red" if last["position"]["winner"] != "red" else "blue"
    lines = [*game_lines[:number], {**last, "result": {**last["result"], "winner": other}}]
    assert audits.differing_keys(audit, lines) == {"result"}
    lines = [*game_lines[:number], {**last, "position": {**last["position"], "winner": other}}]
    assert "winner" in audits.differing_keys(audit, lines)


def test_main_counts_and_says_what_differs(game_lines: list[dict[str, Any]], tmp_path: Path) -> None:
    audits.main_counts_and_says_what_differs(main, game_lines, tmp_path, 4)


def test_main_counts_lines_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "3"]) == 0
    assert capsys.readouterr().out == "1 8\n2 57\n3 414\n"


# --- counting lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", TRUTH, ids=lambda count: count["name"])
def test_the_reference_counts_the_lines(count: dict[str, Any]) -> None:
    options = full_options(count.get("options"))
    given = count.get("position", {})
    assert position_faults(given, options) == []
    position = Position.read(given, options)
    quick = [number for number in count["lines"] if number <= QUICK]
    assert len(quick) >= 2
    assert [perft(position, options, depth) for depth in range(1, len(quick) + 1)] == quick


@pytest.mark.parametrize("count", TRUTH, ids=lambda count: count["name"])
def test_the_engine_counts_the_lines(count: dict[str, Any]) -> None:
    from bartizan.lab.perft import divide

    match = Match(GAME, count.get("options"), None, "1", position=count.get("position"))
    found = [sum(divide(match, depth).values()) for depth in range(1, len(count["lines"]) + 1)]
    assert found == count["lines"]


# --- the engine against the reference ---------------------------------------------------------------


def test_the_command_audits_a_trace() -> None:
    audits.command_audits_a_trace(REFERENCE, GAME, 5, "--set", "add_cost=3", "--set", "turn_limit=25")


def test_games_over_random_options_agree() -> None:
    """Games from the set-up, played at random and with care, under many mixes of options."""
    rng = random.Random(7)
    kinds: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    deals = sample(15, 30)
    games = 0
    for number in range(deals):
        players = ["greedy"] if number % 5 == 0 else ["random"]
        options = random_options(rng)
        report = audit(trace.lines(GAME, 2, f"{rng.getrandbits(40):x}", options=options, players=players * 2))
        assert not report.differences, sentences(report)
        games += report.games
        kinds.update(report.kinds)
        winners.update(report.winners)
    assert games == 2 * deals
    assert kinds.keys() == {"add", "wall", "raze", "fire", "step or end"}
    assert winners.keys() == {"blue", "red", "draw"}


def test_games_from_random_positions_agree() -> None:
    """Short games from positions in which rare things happen."""
    rng = random.Random(11)
    winners: Counter[str] = Counter()
    for number in range(300):
        options = random_options(rng)
        given = random_position(rng, options)
        match = Match(GAME, options, None, "1", position=given)
        assert compare(given, match.position()) == []
        report = audit(
            audits.short_game(rng, match, number, choose=partial(audits.even_hand, kind_of=kind_of))
        )
        assert not report.differences, sentences(report)
        winners.update(report.winners)
    assert winners.keys() == {"blue", "red", "draw"}


def kind_of(move: str) -> str:
    """Return a move's verb; a step's hyphen."""
    return move.split(maxsplit=1)[0] if " " in move else move[2:3]


def test_why_not_and_the_reference_agree_on_what_is_legal() -> None:
    """Both say the same of every kind of text, and the clause named is one that is broken."""
    rng = random.Random(3)
    texts = every_text()
    clauses: Counter[str] = Counter()
    for _ in range(60):
        options = random_options(rng)
        given = random_position(rng, options)
        match = Match(GAME, options, None, "1", position=given)
        full = full_options(options)
        position = Position.read(given, full)
        near = [text for text in texts if own_squares(position) & {text[:2], text[5:7]}]
        tried = rng.sample(texts, 80) + rng.sample(near, min(len(near), 120)) + legal_moves(position, full)
        for move in tried:
            broken = clauses_against(position, full, move)
            refusal = match.why_not(move)
            assert (refusal is None) == (not broken), (move, broken, refusal, given, options)
            if refusal is not None:
                assert refusal.clause in broken, (move, broken, refusal.clause, given, options)
                clauses[refusal.clause] += 1
    assert clauses.keys() >= {"CD-5", "CD-14", "CD-22", "CD-26", "CD-28", "CD-30", "CD-32", "CD-33"}
    assert clauses.keys() >= {"CD-37", "CD-38", "CD-39", "CD-40"}


def own_squares(position: Position) -> set[str]:
    return {square for square, piece in position.board.items() if colour(piece) == position.to_move}


def test_both_refuse_the_same_positions() -> None:
    """A random piece at a time, and a turn or moves left out of range, written into a good position."""
    rng = random.Random(13)
    refused: Counter[str] = Counter()
    for _ in range(400):
        options = random_options(rng)
        given = random_position(rng, options)
        given.pop("seen")
        square, piece = rng.randrange(63), rng.choice("kKwWbBcCfF#+x.")
        rows = [list(row) for row in given["board"]]
        rows[square // 7][square % 7] = piece
        given["board"] = ["".join(row) for row in rows]
        given["turn"] = rng.choice([given["turn"], given["turn"], 26, 51])
        given["moves_left"] = rng.choice([given["moves_left"], given["moves_left"], 1, 0])
        given["may_add"] = given["may_add"] and "add_timing" not in options
        faults = {clause for clause, _ in position_faults(given, full_options(options))}
        found: set[str] = set()
        try:
            Match(GAME, options, None, "1", position=given)
        except BadPosition as error:
            found = {clause for clause, _ in error.faults}
        assert bool(found) == bool(faults), (given, options, faults, found)
        assert found & faults or not faults, (given, options, faults, found)
        refused.update(found)
    assert refused.keys() >= {"CD-2", "CD-3", "CD-5", "CD-9", "CD-22", "CD-41", "CD-42"}


def test_a_set_up_on_the_portal_or_on_one_square_is_refused() -> None:
    for setup in ({"king_file": "d"}, {"king_file": "f"}, {"wizard_file": "b"}, {"king_file": "h"}):
        with pytest.raises(UnknownOption):
            Match(GAME, {"setup": setup}, None, "1")


def test_the_reference_knows_every_option_of_the_game() -> None:
    assert full_options(Match(GAME, None, None, "1").options) == full_options({})
