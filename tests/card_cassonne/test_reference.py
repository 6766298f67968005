"""Compare the engine with the second implementation of the rules, and that one with the scenarios."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadPosition
from bartizan.match import Match, trace
from tests.card_cassonne.reference import audit, compare, main
from tests.card_cassonne.reference_board import (
    CHOICES,
    DECK,
    DEFAULTS,
    Cell,
    Position,
    full_options,
    neighbours,
    position_faults,
    read_position,
    removed,
    write_cell,
)
from tests.card_cassonne.reference_positions import checked, own_trace, random_options, random_position
from tests.card_cassonne.reference_rules import (
    area_of,
    areas,
    clauses_against,
    is_complete,
    is_partially_complete,
    legal_moves,
    play,
    read_move,
    run_on,
)
from tests.card_cassonne.reference_scenarios import run_scenario
from tests.corpus import sample
from tests.games import audits
from tests.reference.audit import sentences
from tests.reference.scenarios import scenario_files, scenarios

GAME = "card-cassonne"
REFERENCE = Path(__file__).with_name("reference.py")
# The events of the reference; each shows in some trace below.
ACTING = {
    *("CC-19", "CC-22", "CC-23", "CC-24", "CC-26", "CC-27", "CC-32"),
    *("CC-Q6", "CC-Q18", "CC-Q19"),
}


# --- the reference and the scenarios ----------------------------------------------------------------


@pytest.mark.parametrize("path", scenario_files("card_cassonne"), ids=lambda path: path.stem)
def test_scenario_agrees_with_the_reference(path: Path) -> None:
    """However the hidden cards fall."""
    for seed in range(3):
        assert run_scenario(path, seed) == []


def test_every_option_value_has_a_scenario() -> None:
    used = {
        (key, value)
        for scenario in scenarios("card_cassonne")
        for key, value in full_options(scenario.get("options")).items()
        if value != DEFAULTS[key]
    }
    wanted = {(key, value) for key, values in CHOICES.items() for value in values if value != DEFAULTS[key]}
    wanted |= {("final_partial_scoring", True), ("token_before_score", False)}
    assert wanted - used == set()
    assert {key for key, _ in used} == DEFAULTS.keys()


def test_every_clause_with_testable_content_has_a_scenario() -> None:
    cited = {clause for scenario in scenarios("card_cassonne") for clause in scenario["clauses"]}
    # 1 says nothing that can be tried
    wanted = [f"CC-{n}" for n in range(2, 33)] + [f"CC-Q{n}" for n in range(1, 26)]
    assert [clause for clause in wanted if clause not in cited] == []


def test_scenarios_for_each_number_of_seats() -> None:
    assert {scenario["seats"] for scenario in scenarios("card_cassonne")} == {2, 3, 4}


# --- the reference by itself ------------------------------------------------------------------------


def row(*cards: str, hand: str = "9s 2c Ah", **changes: Any) -> Position:
    board = {f"{x},0": card for x, card in enumerate(cards)}
    players = [{"hand": hand.split()}, {"hand": ["3d", "3s", "3c"]}]
    return read_position({"board": board, "players": players, **changes}, full_options({}), 2)


def test_legal_moves_of_a_plain_position() -> None:
    places = ["-1,0", "0,-1", "0,1", "1,-1", "1,1", "2,0"]
    expected = sorted(f"play {card} at {place}" for card in ("9s", "2c", "Ah") for place in places)
    assert legal_moves(row("7h", "Kd"), full_options({})) == expected


def test_equal_cards_are_one_move() -> None:
    assert len(legal_moves(row("7h", "Kd", hand="9s 9s 2c"), full_options({}))) == 12


def test_a_move_leaves_the_position_before_it_alone() -> None:
    before = row("7h", "Kd")
    after = play(before, full_options({}), "play 9s at 2,0")
    assert before == row("7h", "Kd")
    assert (after.board[2, 0], after.phase, after.last) == ("9s", "token", (2, 0))


def test_playing_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="CC-12"):
        play(row("7h", "Kd"), full_options({}), "play 9s at 2,1")


@pytest.mark.parametrize(
    "text", ["", "play", "play 9s", "play 1s at 0,1", "play 9s 0,1", "score", "score 1", "tokens", "pass"]
)
def test_a_text_of_no_form_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text)


def test_the_numbers_of_an_area() -> None:
    """Three hearts round a corner: seven cells around them, eight edges."""
    options = full_options({})
    corner: dict[Cell, str] = {(0, 0): "7h", (1, 0): "8h", (0, 1): "9h"}
    now = row("7h", "8h")
    now.board = dict(corner)
    spaces = {each for cell in corner for each in neighbours(options, cell)} - corner.keys()
    fillers = iter(card for card in DECK if card[1] != "h")
    assert len(spaces) == 7
    left = []
    for space in [*sorted(spaces - {(1, 1)}), (1, 1)]:  # the inner corner last
        now.board[space] = next(fillers)
        area = area_of(now, options, (0, 0))
        by_cells = is_partially_complete(now, options, area)
        by_edges = is_partially_complete(now, {**options, "count": "edges"}, area)
        left.append((by_cells, by_edges, is_complete(now, options, area)))
    no, cells = (False, False, False), (True, False, False)
    assert left == [no, no, no, cells, (True, True, False), (True, True, False), (True, True, True)]


def test_what_the_list_leaves_out_breaks_a_clause_and_what_it_holds_breaks_none() -> None:
    rng = random.Random(2)
    refused = 0
    for _ in range(60):
        seats = rng.randint(2, 4)
        options = random_options(rng, seats)
        full = full_options(options)
        now = run_on(read_position(random_position(rng, options, seats), full, seats), full)
        legal = legal_moves(now, full)
        assert legal
        for move in tries(rng, now):
            assert (move in legal) == (not clauses_against(now, full, move)), (move, now, options)
            refused += move not in legal
    assert refused > 1_000


def test_what_holds_between_moves() -> None:
    """No card is lost, tokens are on the board or in the supply, complete areas keep none."""
    rng = random.Random(4)
    for number in range(12):
        seats = number % 3 + 2
        full = full_options(random_options(rng, seats, short=True))
        now = read_position({}, full, seats, rng)
        while now.phase != "over":
            checked(now, full)
            assert position_faults(now.write(), full, seats) == []
            now = play(now, full, rng.choice(legal_moves(now, full)))
        assert not now.deck or full["board"] != "unbounded"
        if full["end"] == "hands_empty" and full["board"] == "unbounded":
            assert not any(player.hand for player in now.players)


def tries(rng: random.Random, now: Position) -> list[str]:
    """Write moves of every kind, legal or not, by the names that a list of moves would use."""
    reach = range(-2, 3)
    cells = {
        (x + right, y + down) for x, y in rng.sample(list(now.board), 3) for right in reach for down in reach
    }
    hands = [card for player in now.players for card in player.hand] + ["7h"]
    cards = sorted(set(hands))
    moves = [f"play {rng.choice(cards)} at {write_cell(cell)}" for cell in sorted(cells)]
    options = full_options({})
    names = [min(area) for area in areas(now, options)]
    moves += [f"score {write_cell(cell)}" for cell in names]
    return [*moves, "token", "no token", "done"]


# --- the audit notices ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_lines() -> list[dict[str, Any]]:
    options = {"rescore_growth": "must_have_grown_by_2", "removed": 43}
    lines = [json.loads(line) for line in own_trace(random.Random(5), 4, options, 3)]
    report = audit(map(json.dumps, lines))
    assert not report.differences, sentences(report)
    return lines


def keys_after(lines: list[dict[str, Any]], number: int, change: dict[str, Any]) -> set[str]:
    """Change a line's position and say which keys the audit then complains of."""
    return {key.split(".")[0] for key in audits.keys_after(audit, lines, number, change)}


def with_player(position: dict[str, Any], seat: int, **change: Any) -> dict[str, Any]:
    players = [dict(player) for player in position["players"]]
    players[seat - 1].update(change)
    return {"players": players}


def test_the_audit_notices_each_changed_key(game_lines: list[dict[str, Any]]) -> None:
    number = next(
        n
        for n, line in enumerate(game_lines)
        if line.get("ply", 0) > 20
        and {"scored", "last"} <= line["position"].keys()
        and line["position"]["phase"] == "token"
        and line["position"]["tokens"]
    )
    position = game_lines[number]["position"]
    hand, deck = position["players"][0]["hand"], position["deck"]
    assert keys_after(game_lines, number, {}) == set()
    other = next(card for card in DECK if card not in position["board"].values())
    assert "board" in keys_after(game_lines, number, {"board": {**position["board"], "0,0": other}})
    assert "tokens" in keys_after(game_lines, number, {"tokens": {}})
    assert "to_move" in keys_after(game_lines, number, {"to_move": position["to_move"] % 3 + 1})
    assert "first" in keys_after(game_lines, number, {"first": 2})
    assert "phase" in keys_after(game_lines, number, {"phase": "score"})
    assert "last" in keys_after(game_lines, number, {"last": "0,0"})
    assert "scored" in keys_after(game_lines, number, {"scored": {}})
    assert "deck" in keys_after(game_lines, number, {"deck": deck[::-1]})
    assert {"aside", "cards"} <= keys_after(game_lines, number, {"aside": position["aside"][1:]})
    assert keys_after(game_lines, number, {"aside": position["aside"][::-1]}) == set()
    assert {"players", "cards"} <= keys_after(game_lines, number, with_player(position, 1, hand=hand[1:]))
    assert keys_after(game_lines, number, with_player(position, 1, hand=hand[::-1])) == set()
    assert "players" in keys_after(game_lines, number, with_player(position, 2, score=99))
    assert {"players", "position"} <= keys_after(game_lines, number, with_player(position, 2, supply=20))
    assert "position" in keys_after(game_lines, number, {"extra": 1})


def test_the_audit_notices_a_wrong_set_up(game_lines: list[dict[str, Any]]) -> None:
    position = game_lines[0]["position"]
    assert "set-up players" in keys_after(game_lines, 0, with_player(position, 2, score=1))
    fewer = {"deck": position["deck"][1:], "aside": [*position["aside"], position["deck"][0]]}
    assert keys_after(game_lines, 0, fewer) == {"set-up aside"}


def test_the_audit_notices_a_missing_an_extra_and_an_unsorted_move(game_lines: list[dict[str, Any]]) -> None:
    audits.notices_wrong_lists(audit, game_lines[0], "done")


def test_the_audit_notices_a_wrong_result(game_lines: list[dict[str, Any]]) -> None:
    number = next(n for n, line in enumerate(game_lines) if "result" in line)
    last = game_lines[number]
    other = next(seat for seat in (1, 2, 3) if last["result"]["winner"] != str(seat))
    lines = [*game_lines[:number], {**last, "result": {**last["result"], "winner": str(other)}}]
    assert audits.differing_keys(audit, lines) == {"result"}
    lines = [*game_lines[:number], {**last, "position": {**last["position"], "winner": other}}]
    assert {"winner", "result"} <= audits.differing_keys(audit, lines)
    scores = [-score for score in last["result"]["scores"]]
    lines = [*game_lines[:number], {**last, "result": {**last["result"], "scores": scores}}]
    assert audits.differing_keys(audit, lines) == {"scores"}


def test_main_counts_and_says_what_differs(game_lines: list[dict[str, Any]], tmp_path: Path) -> None:
    audits.main_counts_and_says_what_differs(main, game_lines, tmp_path, 4)


# --- the engine against the reference ---------------------------------------------------------------


def test_the_command_audits_a_trace() -> None:
    audits.command_audits_a_trace(
        REFERENCE, GAME, 2, "--set", "same_suit=placed", "--set", "token_before_score=no"
    )


def test_games_over_random_options_agree() -> None:
    """Games from a fresh deal, played at random and with care, under many mixes of options."""
    rng = random.Random(7)
    games = 0
    clauses: Counter[str] = Counter()
    deals = sample(12, 24)
    for number in range(deals):
        seats = number % 3 + 2
        players = ["greedy"] if number % 6 == 0 else ["random"]
        options = random_options(rng, seats, short=number % 4 != 0)
        seed = f"{rng.getrandbits(40):x}"
        report = audit(trace.lines(GAME, 1, seed, seats=seats, options=options, players=players * seats))
        assert not report.differences, sentences(report)
        games += report.games
        clauses.update(report.clauses)
    assert games == deals
    assert clauses.keys() >= {"CC-19", "CC-22", "CC-23", "CC-24", "CC-27", "CC-32", "CC-Q6", "CC-Q18"}


def test_games_from_random_positions_agree() -> None:
    """Short games from positions in which rare things happen: every clause that acts does so here."""
    rng = random.Random(11)
    clauses: Counter[str] = Counter()
    for number in range(sample(100, 250)):
        seats = rng.randint(2, 4)
        options = random_options(rng, seats)
        full = full_options(options)
        given = random_position(rng, options, seats)
        match = Match(GAME, options, seats, f"{rng.getrandbits(40):x}", position=given)
        loaded = run_on(read_position(given, full, seats), full)
        assert compare(loaded, match.position(), full) == [], (given, options)
        report = audit(audits.short_game(rng, match, number))
        assert not report.differences, sentences(report)
        clauses.update(report.clauses)
    assert clauses.keys() == ACTING


def test_why_not_and_the_reference_agree_on_what_is_legal() -> None:
    """Both say the same of every kind of move, and the clause named is one that is broken."""
    rng = random.Random(3)
    clauses: Counter[str] = Counter()
    for _ in range(60):
        seats = rng.randint(2, 4)
        options = random_options(rng, seats)
        full = full_options(options)
        match = Match(GAME, options, seats, "1", position=random_position(rng, options, seats))
        position = read_position(match.position(), full, seats)
        for move in tries(rng, position):
            broken = clauses_against(position, full, move)
            refusal = match.why_not(move)
            assert (refusal is None) == (not broken), (move, broken, refusal, match.position(), options)
            if refusal is not None:
                names = match.game.clauses.names(refusal.clause)
                assert not names.isdisjoint(broken), (move, broken, refusal.clause, match.position(), options)
                clauses[refusal.clause] += 1
    assert clauses.keys() >= {"CC-11", "CC-12", "CC-15"}
    assert len(clauses) >= 6


def test_both_refuse_the_same_positions() -> None:
    """One random fault at a time, written into a good position."""
    rng = random.Random(13)
    refused = 0
    for _ in range(120):
        seats = rng.randint(2, 4)
        options = random_options(rng, seats)
        given = spoilt(rng, random_position(rng, options, seats))
        faults = position_faults(given, full_options(options), seats)
        try:
            Match(GAME, options, seats, "1", position=given)
            found = set()
        except BadPosition as error:
            found = {clause for clause, _ in error.faults}
        assert bool(found) == bool(faults), (given, options, faults, found)
        cited = {clause for clause, _ in faults}
        for clause in found:
            names = registry.get(GAME).clauses.names(clause)
            assert not names.isdisjoint(cited), (given, options, faults, found)
        refused += bool(faults)
    assert 40 < refused < 120


def spoilt(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    """Change one thing, which may do no harm."""
    x, y = (int(part) for part in rng.choice(list(given["board"])).split(","))
    away = f"{x + rng.choice([-2, -1, 1, 2])},{y}"
    board, deck, aside = given["board"], given["deck"], given["aside"]
    seat = rng.randrange(len(given["players"]))
    player = dict(given["players"][seat])
    kind = rng.choice(["lay", "copy", "deal", "token", "supply"])
    if kind == "lay" and aside and away not in board:
        return given | {"board": board | {away: aside[0]}, "aside": aside[1:]}
    if kind == "copy":
        return given | {"deck": [*deck, rng.choice(DECK)]}
    if kind == "deal" and len(aside) > 1:
        player["hand"] = player["hand"] + aside[:2]
        return given | {"players": replaced(given["players"], seat, player), "aside": aside[2:]}
    if kind == "token":
        player["supply"] = max(0, player["supply"] - 1)
        players = replaced(given["players"], seat, player)
        return given | {"tokens": given["tokens"] | {away: seat + 1}, "players": players}
    player["supply"] = max(0, player["supply"] + rng.choice([-1, 0, 1]))
    return given | {"players": replaced(given["players"], seat, player)}


def replaced(players: list[dict[str, Any]], seat: int, player: dict[str, Any]) -> list[dict[str, Any]]:
    return [*players[:seat], player, *players[seat + 1 :]]


def test_the_reference_knows_every_option_of_the_game() -> None:
    for seats in (2, 3, 4):
        found = full_options(Match(GAME, None, seats, "1").options)
        assert removed(found, seats) == removed(DEFAULTS, seats)
        assert {**found, "removed": None} == DEFAULTS
