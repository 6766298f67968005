"""Compare the engine with the second implementation of the rules, and that one with the scenarios."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BadPosition
from bartizan.match import Match, trace
from tests.card_barrage.reference import audit, compare, main
from tests.card_barrage.reference_board import (
    CHOICES,
    DEFAULTS,
    RANGES,
    SUITED,
    UNTOLD,
    Position,
    Table,
    domain_of,
    fresh,
    full_options,
    read_position,
)
from tests.card_barrage.reference_faults import position_faults
from tests.card_barrage.reference_moves import clauses_against, read_move, write_target
from tests.card_barrage.reference_positions import (
    checked,
    own_trace,
    random_move,
    random_options,
    random_position,
    random_report,
    shuffling,
    write_report,
)
from tests.card_barrage.reference_rules import legal_moves, play, run_on, start
from tests.card_barrage.reference_scenarios import run_scenario
from tests.corpus import sample
from tests.games import audits
from tests.reference.audit import sentences
from tests.reference.scenarios import scenario_files, scenarios

GAME = "card-barrage"
FOLDER = "card_barrage"
REFERENCE = Path(__file__).with_name("reference.py")
PEOPLE = (1, 2, 3, 4, 6)
# The events of the reference; each shows in some trace below.
ACTING = {
    *("CB-16", "CB-17", "CB-18", "CB-19", "CB-20", "CB-22", "CB-24", "CB-31", "CB-32", "CB-35", "CB-36"),
    *("CB-37", "CB-38", "CB-40 k", "CB-40 s", "CB-40 t", "CB-40 v", "CB-42", "CB-43", "CB-46", "CB-47"),
    *("CB-Q9", "CB-Q19", "CB-Q29", "CB-Q30", "CB-Q33"),
}


def table_for(people: int, **options: Any) -> Table:
    return Table(people, full_options(options))


# --- the reference and the scenarios ----------------------------------------------------------------


@pytest.mark.parametrize("path", scenario_files(FOLDER), ids=lambda path: path.stem)
def test_scenario_agrees_with_the_reference(path: Path) -> None:
    """However the hidden cards fall."""
    for seed in range(3):
        assert run_scenario(path, seed) == []


def test_every_option_value_has_a_scenario() -> None:
    used = {
        (key, value)
        for scenario in scenarios(FOLDER)
        for key, value in full_options(scenario.get("options")).items()
        if value != DEFAULTS[key]
    }
    wanted: set[tuple[str, Any]] = {
        (key, value) for key, values in CHOICES.items() for value in values if value != DEFAULTS[key]
    }
    wanted |= {("castle_trigger_wins", True), ("upgrade_must_be_higher", True)}
    missing = wanted - used
    assert not missing, f"add to tests/scenarios/{FOLDER} a scenario for each of {missing}"
    assert {key for key, _ in used} == DEFAULTS.keys()


def test_every_clause_with_testable_content_has_a_scenario() -> None:
    cited = {clause for scenario in scenarios(FOLDER) for clause in scenario["clauses"]}
    # Background and glossary without effect; how one throws; nobody is neutral; nobody expels.
    untold = {3, 4, 8, 26, 41, 49, 53, 55}
    wanted = [f"CB-{n}" for n in range(1, 56) if n not in untold]
    # 16 and 41 are about who sees what, 28 about the table's measures.
    wanted += [f"CB-Q{n}" for n in range(1, 42) if n not in (16, 28, 41)]
    assert [clause for clause in wanted if clause not in cited] == []


def test_scenarios_for_each_number_of_people() -> None:
    assert {scenario["seats"] for scenario in scenarios(FOLDER)} == {1, 2, 3, 4, 5, 6}


# --- the reference by itself ------------------------------------------------------------------------


def duel(hand: str = "6v 8k", other: str = "2s 9k", **changes: Any) -> Position:
    players = [
        {"hand": hand.split(), "walls": ["3t", "-", "9s", "-", "12v"]},
        {"hand": other.split(), "walls": ["7t", "4v", "-", "-", "-"]},
    ]
    return read_position({"players": players, **changes}, table_for(2))


def test_legal_moves_of_a_plain_position() -> None:
    reports = {
        f"report {card} {verdict}"
        for card in ("6v", "8k")
        for verdict in (
            *("miss", "hit 2.1", "hit 2.1 perfect", "hit 2.2", "hit 2.2 perfect", "hit 2.castle"),
            *("hit 2.1 2.2", "hit 2.1 2.castle", "hit 2.2 2.castle"),
        )
    }
    builds = {f"build {card} at {slot}" for card in ("6v", "8k") for slot in (2, 4)}
    upgrades = {f"upgrade {slot} with {card}" for card in ("6v", "8k") for slot in (1, 3, 5)}
    assert legal_moves(duel()) == sorted({*reports, *builds, *upgrades, "end"})


def test_equal_cards_are_one_move() -> None:
    players = [{"hand": ["6v", "6v"], "walls": ["-"] * 5}, {"hand": ["6v"], "walls": ["-"] * 5}]
    now = read_position({"players": players}, table_for(2, decks=2))
    wanted = [*(f"build 6v at {slot}" for slot in range(1, 6)), "end", "report 6v hit 2.castle"]
    assert legal_moves(now) == [*wanted, "report 6v miss"]


def test_a_move_leaves_the_position_before_it_alone() -> None:
    before = duel()
    after = play(before, "report 6v hit 2.1", shuffling(random.Random(1)))
    assert before == duel()
    assert (after.phase, after.to_move, after.open) == ("replace", 2, {(2, 1): "7t"})


def test_playing_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="CB-34"):
        play(duel(), "report 6v hit 2.3", shuffling(random.Random(1)))


@pytest.mark.parametrize(
    "text",
    [
        *("", "build", "build 7t", "build W at 1", "build 14t at 1", "upgrade 2 with", "report 6v"),
        *("report 6v hit", "report 6v hit castle", "throw", "effect", "effect 7v pick", "pass", "give"),
    ],
)
def test_a_text_of_no_form_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text)


def test_impossible_verdicts() -> None:
    """Three targets, one target twice, a castle hit perfectly, a wall pushed that has been scored."""
    for text in (
        *("hit 2.1 2.2 2.castle", "hit 2.1 2.1", "hit 2.castle perfect", "hit 2.1 moved 2.1"),
        *("hit 2.1 moved 2.2 2.2", "hit 3.1", "miss moved 2.4"),
    ):
        assert clauses_against(duel(), f"report 6v {text}"), text


def test_what_the_list_leaves_out_breaks_a_clause_and_what_it_holds_breaks_none() -> None:
    """But for the reports that need not be listed: those break none either."""
    refused = unlisted = 0
    for rng, now in many_positions(60):
        legal = legal_moves(now)
        assert legal
        for move in [*legal, *tries(rng, now)]:
            allowed = not clauses_against(now, move)
            if move in legal or not need_not_be_listed(move):
                assert allowed == (move in legal), (move, now)
            refused += not allowed
            unlisted += allowed and move not in legal
    assert refused > 5_000
    assert unlisted > 100


def need_not_be_listed(move: str) -> bool:
    """Say whether a report names pushed walls, or two targets of two seats or perfect ones."""
    targets = [word for word in move.partition(" moved")[0].split() if "." in word]
    two = len(targets) == 2 and ("perfect" in move or targets[0][0] != targets[1][0])
    return move.startswith("report") and (two or "moved" in move)


def many_positions(games: int, plies: int = 12) -> Iterator[tuple[random.Random, Position]]:
    """Play some plies from fresh and from strange positions; yield what is found on the way."""
    rng = random.Random(2)
    shuffle = shuffling(rng)
    for number in range(games):
        table = Table(number % 6 + 1, full_options(random_options(rng)))
        now = random_position(rng, table) if number % 4 else start(fresh(table, rng), shuffle)
        for _ in range(plies):
            if now.phase == "over":
                break
            yield rng, now
            now = play(now, random_move(rng, now), shuffle)


def test_what_holds_between_moves() -> None:
    """No card is lost, no slot holds two walls, and every position on the way is one that may be loaded."""
    for _, now in many_positions(90, 40):
        checked(now)
        written = now.write()
        assert position_faults(written, now.table) == []
        again = run_on(read_position(written, now.table), shuffling(random.Random(1)))
        assert again.write() == written


def tries(rng: random.Random, now: Position) -> list[str]:
    """Write moves of every kind, legal or not, whose slots exist and whose verbs fit."""
    table = now.table
    seats, slots = range(1, table.seats + 1), range(1, table.walls + 1)
    hands = [card for player in now.players for card in player.hand]
    cards = sorted({*rng.sample(hands, min(4, len(hands))), *now.at(now.active).hand[:3], "7t"} - {UNTOLD})
    places = [(seat, slot) for seat in seats for slot in [*slots, 0]]
    moves = []
    for card in [*cards, rng.choice(SUITED)] if table.untold else cards:
        moves += [f"give {card}", f"build {card} at {rng.choice(slots)}"]
        for slot in slots:
            moves += [f"upgrade {slot} with {card}", f"replace {slot} with {card}"]
            moves += [f"upgrade {slot} with {card} leave", f"build {card} at {slot}"]
    for card in [*cards, *([UNTOLD] * (3 if table.untold else 1))]:
        for _ in range(6):
            targets = {
                place: place[1] > 0 and rng.random() < 0.3 for place in rng.sample(places, rng.choice([1, 2]))
            }
            enemies = [place for place in places if place[0] in table.enemies(now.active) and place[1]]
            pushed = [place for place in rng.sample(enemies, rng.choice([0, 0, 1])) if place not in targets]
            moves.append(write_report(card, targets, pushed))
        moves += [f"report {card} miss", f"discard {card}"]
    for scored in sorted({*now.scored, "7t", "4v", rng.choice(SUITED)}):
        card, slot, seat = rng.choice(cards), rng.choice(slots), rng.choice(seats)
        uses = {"k": "", "s": f" exchange {slot} with {card}", "t": f" build {card} at {slot}"}
        moves.append(f"effect {scored}{uses.get(domain_of(scored), f' pick {seat}')}")
    return [*moves, "decline", "reveal", "reveal hit", "reveal miss", "end"]


# --- the audit notices ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_lines() -> list[dict[str, Any]]:
    options = {"perfect_slot": "lost", "target": 6, "castle_trigger_wins": True}
    lines = [json.loads(line) for line in own_trace(random.Random(5), 3, options, 4)]
    report = audit(map(json.dumps, lines))
    assert not report.differences, sentences(report)
    return lines


def keys_after(lines: list[dict[str, Any]], number: int, change: dict[str, Any]) -> set[str]:
    """Change a line's position and say which keys the audit then complains of."""
    return {key.split(".")[-1] for key in audits.keys_after(audit, lines, number, change)}


def with_player(position: dict[str, Any], seat: int, **change: Any) -> dict[str, Any]:
    players = [dict(player) for player in position["players"]]
    players[seat - 1].update(change)
    return {"players": players}


def test_the_audit_notices_each_changed_key(game_lines: list[dict[str, Any]]) -> None:
    number = next(
        n
        for n, line in enumerate(game_lines)
        if line["position"]["phase"] == "turn"
        and line.get("ply", 0) > 8
        and not line["position"]["ending"]
        and len(line["position"]["players"][0]["hand"]) > 1
    )
    position = game_lines[number]["position"]
    first = position["players"][0]
    assert keys_after(game_lines, number, {}) == set()
    for key, other in {
        "active": position["active"] % 4 + 1,
        "first": position["first"] % 4 + 1,
        "round": position["round"] + 1,
        "upgraded": not position["upgraded"],
        "ending": True,
        "stormed": [2],
        "scored": ["7t"],
        "gives": [2],
        "open": {"2.1": "7t"},
    }.items():
        assert key in keys_after(game_lines, number, {key: other}), key
    assert "hand" in keys_after(game_lines, number, with_player(position, 1, hand=first["hand"][1:]))
    assert "aside" in keys_after(game_lines, number, with_player(position, 1, hand=first["hand"][1:]))
    reversed_hand = with_player(position, 1, hand=first["hand"][::-1])
    assert keys_after(game_lines, number, reversed_hand) == set()
    assert "deck" in keys_after(game_lines, number, with_player(position, 1, deck=first["deck"][::-1]))
    assert "points" in keys_after(game_lines, number, with_player(position, 1, points=5))
    assert "walls" in keys_after(game_lines, number, with_player(position, 1, walls=first["walls"][::-1]))
    assert "position" in keys_after(game_lines, number, {"extra": 1})


def test_the_audit_notices_moved_and_lost_slots(game_lines: list[dict[str, Any]]) -> None:
    for key in ("moved", "lost"):
        number, seat = next(
            (n, seat)
            for n, line in enumerate(game_lines)
            for seat, player in enumerate(line["position"]["players"], 1)
            if player[key] and "result" not in line
        )
        change = with_player(game_lines[number]["position"], seat, **{key: []})
        assert key in keys_after(game_lines, number, change)


def test_the_audit_notices_a_wrong_set_up(game_lines: list[dict[str, Any]]) -> None:
    position = game_lines[0]["position"]
    assert "set-up points" in keys_after(game_lines, 0, with_player(position, 2, points=1))
    deck = position["players"][1]["deck"]
    fewer = with_player(position, 2, deck=deck[1:])
    assert keys_after(game_lines, 0, fewer) == {"set-up decks", "set-up aside"}


def test_the_audit_notices_a_missing_an_extra_and_an_unsorted_move(game_lines: list[dict[str, Any]]) -> None:
    audits.notices_wrong_lists(audit, game_lines[0], "decline")


def test_the_audit_notices_a_wrong_result(game_lines: list[dict[str, Any]]) -> None:
    number = next(n for n, line in enumerate(game_lines) if "result" in line)
    last = game_lines[number]
    other = [seat for seat in (1, 2, 3, 4) if str(seat) not in last["result"]["winner"]]
    assert len(other) == 2
    lines = [
        *game_lines[:number],
        {**last, "result": {**last["result"], "winner": ", ".join(map(str, other))}},
    ]
    assert audits.differing_keys(audit, lines) == {"result"}
    lines = [*game_lines[:number], {**last, "position": {**last["position"], "winner": other}}]
    assert {"winner", "result"} <= audits.differing_keys(audit, lines)
    returns = [-each for each in last["result"]["returns"]]
    lines = [*game_lines[:number], {**last, "result": {**last["result"], "returns": returns}}]
    assert audits.differing_keys(audit, lines) == {"returns"}


def test_the_audit_accepts_any_order_of_a_shuffled_discard_but_no_other_card() -> None:
    lines = [json.loads(line) for line in own_trace(random.Random(3), 2, {"decks": 1, "turn_cap": 30}, 4)]
    report = audit(map(json.dumps, lines))
    assert not report.differences, sentences(report)
    assert report.clauses["CB-17"] > 1


def test_main_counts_and_says_what_differs(game_lines: list[dict[str, Any]], tmp_path: Path) -> None:
    audits.main_counts_and_says_what_differs(main, game_lines, tmp_path, 3)


# --- the engine against the reference ---------------------------------------------------------------


def test_the_command_audits_a_trace() -> None:
    settings = ("--seats", "2", "--set", "target=3", "--set", "castle_hit_empty=deck_card")
    audits.command_audits_a_trace(REFERENCE, GAME, 2, *settings)


@pytest.mark.parametrize("people", PEOPLE)
def test_games_over_random_options_agree(people: int) -> None:
    """Games from a fresh deal, played at random, under many mixes of options."""
    rng = random.Random(7 + people)
    clauses: Counter[str] = Counter()
    for number in range(6):
        options = random_options(rng) if number else {}
        report = audit(trace.lines(GAME, 1, f"{rng.getrandbits(40):x}", seats=people, options=options))
        assert not report.differences, sentences(report)
        assert report.games == 1
        clauses.update(report.clauses)
    assert clauses.keys() >= {"CB-16", "CB-24", "CB-35", "CB-37"}


def test_games_from_random_positions_agree() -> None:
    """Short games from positions in which rare things happen: every clause that acts does so here."""
    rng = random.Random(11)
    clauses: Counter[str] = Counter()
    for number in range(sample(100, 240)):
        people = rng.randint(1, 6)
        options = random_options(rng)
        table = Table(people, full_options(options))
        given = random_position(rng, table).write()
        match = Match(GAME, options, people, f"{rng.getrandbits(40):x}", position=given)
        found = read_position(match.position(), table, fill=False)
        assert compare(read_position(given, table), found) == [], (given, options)
        report = audit(audits.short_game(rng, match, number, 14, throwing(match, table)))
        assert not report.differences, sentences(report)
        clauses.update(report.clauses)
    assert clauses.keys() >= ACTING


def throwing(match: Match, table: Table) -> Callable[[random.Random, Sequence[str]], str]:
    """Choose with an even hand for the kinds of move, unlisted reports among them."""

    def choose(rng: random.Random, legal: Sequence[str]) -> str:
        move = audits.even_hand(rng, legal)
        if audits.first_word(move) == "report" and rng.random() < 0.5:
            return random_report(rng, read_position(match.position(), table, fill=False))
        return move

    return choose


def test_why_not_and_the_reference_agree_on_what_is_legal() -> None:
    """Both say the same of every kind of move, and the clause named is one that is broken."""
    clauses: Counter[str] = Counter()
    for number, (rng, now) in enumerate(many_positions(60)):
        if number % 5:
            continue
        match = Match(GAME, now.table.options, now.table.people, "1", position=now.write())
        for move in tries(rng, now):
            broken = clauses_against(now, move)
            refusal = match.why_not(move)
            assert (refusal is None) == (not broken), (move, broken, refusal, now)
            if refusal is not None:
                assert refusal.clause in broken, (move, broken, refusal.clause, now)
                clauses[refusal.clause] += 1
    assert len(clauses) >= 8


def test_both_refuse_the_same_positions() -> None:
    """One random fault at a time, written into a good position."""
    rng = random.Random(13)
    refused = 0
    shuffle = shuffling(rng)
    tried = sample(120, 240)
    for _ in range(tried):
        people = rng.randint(1, 6)
        options = random_options(rng)
        table = Table(people, full_options(options))
        now = random_position(rng, table) if rng.random() < 0.8 else start(fresh(table, rng), shuffle)
        for _ in range(rng.randrange(8)):
            if now.phase != "over":
                now = play(now, random_move(rng, now), shuffle)
        given = spoilt(rng, now, table)
        faults = position_faults(given, table)
        try:
            Match(GAME, options, people, "1", position=given)
            found = set()
        except BadPosition as error:
            found = {clause for clause, _ in error.faults}
        assert bool(found) == bool(faults), (given, options, faults, found)
        assert found <= {clause for clause, _ in faults}, (given, options, faults, found)
        refused += bool(faults)
    assert tried // 2 < refused < tried


def spoilt(rng: random.Random, now: Position, table: Table) -> dict[str, Any]:
    """Change one thing, which may do no harm."""
    given = now.write()
    player = given["players"][rng.randrange(table.seats)]
    cards = ["copy", "wild", "slot", "castle", "lost", "fewer", "empty"]
    turn = ["both", "mover", "attacked", "stormed", *["phase", "scored", "gives", "open"] * 2]
    kind = rng.choice(cards + turn)
    if kind == "copy":
        given["players"][0]["deck"] = [*given["players"][0]["deck"], rng.choice(SUITED)]
    elif kind == "wild":
        given["players"][0]["hand"] = [*given["players"][0]["hand"], "W"]
    elif kind == "slot":
        player["walls"] = player["walls"][1:]
        player["moved"] = player["lost"] = []
    elif kind == "castle":
        player["castle"] = rng.choice(["W", "5k", "13v"])
    elif kind == "both" and given["phase"] == "turn":
        given["built"], given["attacked"] = True, rng.choice([True, False])
    elif kind == "lost":
        empty = [slot for slot, card in enumerate(player["walls"], 1) if card == "-"]
        player["lost"] = empty[:1]
    elif kind == "fewer":
        given["players"] = given["players"][:-1]
    elif given["phase"] != "over":
        spoil_the_turn(rng, given, table, kind)
    return given


def spoil_the_turn(rng: random.Random, given: dict[str, Any], table: Table, kind: str) -> None:
    """Change the phase, or what an attack has left to settle."""
    seat = rng.randint(1, table.seats)
    pile = given["players"][table.scorer(given["active"]) - 1]["pile"]
    if kind == "phase":
        given["phase"] = rng.choice(["walls", "turn", "give", "effect", "discard", "replace", "reveal"])
    elif kind == "scored":
        given["scored"] = rng.sample(pile, min(len(pile), rng.choice([0, 1, 2, 3])))
    elif kind == "gives":
        given["gives"] = sorted({seat, *given["gives"]}) if rng.random() < 0.7 else []
    elif kind == "open":
        given["open"] = {
            f"{seat}.{rng.randint(1, table.walls)}": card for card in pile[: rng.choice([0, 1, 3])]
        }
    elif kind == "mover":
        given["to_move"] = seat
    elif kind == "attacked":
        given["attacked"] = not given["attacked"]
    elif kind == "stormed":
        given["stormed"] = [rng.randint(1, table.sides)]
    elif kind == "empty":
        given["players"][seat - 1]["hand"] = []


def test_the_reference_knows_every_option_of_the_game() -> None:
    """The defaults are the same, and so are the written values of each choice."""
    for people in PEOPLE:
        match = Match(GAME, None, people, "1")
        assert full_options(match.options) == DEFAULTS
    for key, values in CHOICES.items():
        for value in values:
            assert Match(GAME, {key: value}, 2, "1").options[key] == value
    for key, (low, _) in RANGES.items():
        assert Match(GAME, {key: max(low, 4)}, 2, "1").options[key] == max(low, 4)


def test_targets_are_written_by_seat_and_slot_with_the_castle_last() -> None:
    written = write_report("6v", {(4, 0): False, (2, 0): False, (2, 3): True}, [(2, 4), (2, 1)])
    assert written == "report 6v hit 2.3 perfect 2.castle 4.castle moved 2.1 2.4"
    assert write_target((2, 0)) == "2.castle"
