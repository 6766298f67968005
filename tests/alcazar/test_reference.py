"""Compare the engine with the second implementation of the rules, and that one with the scenarios."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bartizan.match import Match, trace
from tests.alcazar.reference import (
    Guided,
    audit,
    clauses_against,
    compare,
    legal_moves,
    main,
    play,
    run_on,
)
from tests.alcazar.reference_cards import (
    CHOICES,
    DEFAULTS,
    GivenOrder,
    Position,
    deck_of,
    full_options,
    read_move,
)
from tests.alcazar.reference_positions import random_options, random_position
from tests.alcazar.reference_scenarios import cards_named_twice, run_scenario
from tests.corpus import sample
from tests.games import audits
from tests.reference.audit import sentences
from tests.reference.scenarios import scenario_files

REFERENCE = Path(__file__).with_name("reference.py")
# Every clause that acts on its own in the reference shows in some trace below.
ACTING = {
    *(
        "ALC-8",
        "ALC-9",
        "ALC-12",
        "ALC-13",
        "ALC-14",
        "ALC-15",
        "ALC-19",
        "ALC-26",
        "ALC-31",
        "ALC-34",
        "ALC-36",
    ),
    *("ALC-43", "ALC-44", "ALC-45", "ALC-46", "ALC-53", "ALC-54", "ALC-57", "ALC-59", "ALC-62", "ALC-64"),
    *("ALC-67", "ALC-68", "ALC-71", "ALC-72", "ALC-73", "ALC-74", "ALC-75", "ALC-Q40"),
}


# --- the reference and the scenarios ----------------------------------------------------------------


@pytest.mark.parametrize("path", scenario_files("alcazar"), ids=lambda path: path.stem)
def test_scenario_agrees_with_the_reference(path: Path) -> None:
    assert run_scenario(path) == []
    assert not cards_named_twice(path) or "refused" in path.read_text()


def test_every_option_value_has_a_scenario() -> None:
    texts = "\n".join(path.read_text() for path in scenario_files("alcazar"))
    missing = [
        f'{key} = "{value}"'
        for key, values in CHOICES.items()
        for value in values
        if value != DEFAULTS[key] and f'{key} = "{value}"' not in texts
    ]
    missing += [key for key, value in DEFAULTS.items() if value is False and f"{key} = true" not in texts]
    assert not missing, f"add to tests/scenarios/alcazar a scenario for each of {missing}"


def test_every_clause_with_testable_content_has_a_scenario() -> None:
    cited = set()
    for path in scenario_files("alcazar"):
        for word in path.read_text().replace('"', " ").replace(",", " ").split():
            cited.add(word.strip("[]"))
    # 1, 3, 4, 7: what the game is and how cards are dealt; 69: the flags mix; 76: a picture
    numbers = [n for n in range(1, 76) if n not in (1, 3, 4, 7, 69)]
    assert [n for n in numbers if f"ALC-{n}" not in cited] == []


# --- the reference by itself ------------------------------------------------------------------------


def quiet(**changes: Any) -> Position:
    data: dict[str, Any] = {
        "round": 3,
        "tower": ["9c", "~4h", "~9d"],
        "right": ["8s", "~2c"],
        "left": ["5s", "~3c"],
        "top": ["6s", "~Td"],
        "hand": ["8d", "5h", "4h"],
        "deck": ["3s", "4s"],
        **changes,
    }
    return Position.read(data)


def test_legal_moves_of_a_plain_position() -> None:
    fives = {"5h", "8d", "8d 5h", "8d 4h", "5h 4h", "8d 5h 4h"}
    sixes = fives - {"5h"}
    expected = {f"defend left.front with {cards}" for cards in fives}
    expected |= {f"defend top.front with {cards}" for cards in sixes}
    expected |= {f"defend right.front with {cards}" for cards in sixes}
    assert legal_moves(quiet(), full_options({})) == expected | {"end"}


def test_a_given_order_is_what_is_drawn_after_a_joker() -> None:
    start = quiet(hand=["8d"], deck=["*", "3s"], discard=["Kh", "Qh", "2d"])
    end = play(start, full_options({"havoc": True}), "end", GivenOrder([["Qh", "2d", "3s", "Kh"]]))
    assert end.hand == ["8d", "Qh", "2d"]
    assert end.deck == ["3s", "Kh"]
    assert (end.discard, end.aside) == ([], ["*"])


def test_playing_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="ALC-20"):
        play(quiet(), full_options({}), "defend right.front with 5h", GivenOrder([]))
    assert clauses_against(quiet(), full_options({}), "repair with 8d") == ["ALC-25", "ALC-51"]


@pytest.mark.parametrize(
    "text", ["", "defend", "defend left with 5h", "swap Kd left.front paying 3h", "repair 5h"]
)
def test_a_text_of_no_form_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text)


# --- the audit notices ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_lines() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in trace.lines("alcazar", 6, "5", options={"havoc": True})]
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
        if line.get("ply", 0) > 6
        and len(line["position"]["discard"]) > 1
        and len(line["position"]["hand"]) > 1
    )
    position = game_lines[number]["position"]
    assert keys_after(game_lines, number, {}) == set()
    assert "round" in keys_after(game_lines, number, {"round": position["round"] + 1})
    assert "still" in keys_after(game_lines, number, {"still": 1})
    assert "changed" in keys_after(game_lines, number, {"changed": not position["changed"]})
    assert "passes" in keys_after(game_lines, number, {"passes": 1})
    assert "traded" in keys_after(game_lines, number, {"traded": not position["traded"]})
    assert "deck" in keys_after(game_lines, number, {"deck": position["deck"][::-1]})
    assert "discard" in keys_after(game_lines, number, {"discard": position["discard"][::-1]})
    assert {"hand", "cards"} <= keys_after(game_lines, number, {"hand": position["hand"][1:]})
    assert keys_after(game_lines, number, {"hand": position["hand"][::-1]}) == set()
    assert "tower" in keys_after(game_lines, number, {"tower": [*position["tower"][::-1], "~2c"]})


def test_the_audit_notices_a_missing_an_extra_and_an_unsorted_move(game_lines: list[dict[str, Any]]) -> None:
    audits.notices_wrong_lists(audit, game_lines[0], "repair with 2c")


def test_the_audit_notices_a_wrong_result(game_lines: list[dict[str, Any]]) -> None:
    number = next(n for n, line in enumerate(game_lines) if "result" in line)
    last = game_lines[number]
    other = "player" if last["position"]["winner"] == "loss" else "loss"
    lines = [*game_lines[:number], {**last, "result": {**last["result"], "winner": other}}]
    assert audits.differing_keys(audit, lines) == {"result"}
    lines = [*game_lines[:number], {**last, "position": {**last["position"], "winner": other}}]
    assert "winner" in audits.differing_keys(audit, lines)


def test_main_counts_and_says_what_differs(game_lines: list[dict[str, Any]], tmp_path: Path) -> None:
    audits.main_counts_and_says_what_differs(main, game_lines, tmp_path, 6)


# --- the engine against the reference ---------------------------------------------------------------


def test_the_command_audits_a_trace() -> None:
    audits.command_audits_a_trace(REFERENCE, "alcazar", 5, "--set", "havoc=true", "--set", "overpay=minimal")


def test_games_over_random_options_agree() -> None:
    """Games from a fresh deal, played at random and with care, under many mixes of options."""
    rng = random.Random(7)
    clauses: Counter[str] = Counter()
    deals = sample(20, 50)
    games = 0
    for number in range(deals):
        players = ["greedy"] if number % 5 == 0 else ["random"]
        options = random_options(rng)
        report = audit(
            trace.lines("alcazar", 4, f"{rng.getrandbits(40):x}", options=options, players=players)
        )
        assert not report.differences, sentences(report)
        games += report.games
        clauses.update(report.clauses)
    assert games == 4 * deals
    assert clauses.keys() >= {"ALC-13", "ALC-34", "ALC-36", "ALC-46", "ALC-62", "ALC-68", "ALC-71", "ALC-73"}


def test_games_from_random_positions_agree() -> None:
    """Short games from positions in which rare things happen: every clause that acts does so here."""
    rng = random.Random(11)
    clauses: Counter[str] = Counter()
    for number in range(sample(350, 500)):
        options = random_options(rng)
        start = random_position(rng, options)
        match = Match("alcazar", options, None, f"{rng.getrandbits(40):x}", position=start)
        assert loading_differences(start, options, match.position()) == []
        report = audit(audits.short_game(rng, match, number))
        assert not report.differences, sentences(report)
        clauses.update(report.clauses)
    assert ACTING - clauses.keys() <= {"ALC-8"}  # set-up


def loading_differences(
    start: dict[str, Any], options: dict[str, Any], found: dict[str, Any]
) -> list[tuple[str, Any, Any]]:
    """Compare a loaded position with the one written, or run on from it."""
    if start["phase"] != "movement":
        return compare(start, found)
    script: list[int] | None = []
    different: list[tuple[str, Any, Any]] = []
    while script is not None:
        chance = Guided(found, script)
        different = compare(run_on(Position.read(start), full_options(options), chance).write(), found)
        if not different:
            break
        script = chance.next_script()
    return different


def test_why_not_and_the_reference_agree_on_what_is_legal() -> None:
    """Moves tried with the cards at hand: both say the same, and the clause named is one that is broken."""
    rng = random.Random(3)
    clauses: Counter[str] = Counter()
    for _ in range(100):
        options = random_options(rng)
        start = random_position(rng, options)
        if start["phase"] != "action":
            continue
        match = Match("alcazar", options, None, "1", position=start)
        position, full = Position.read(start), full_options(options)
        for move in tries(rng, position):
            broken = clauses_against(position, full, move)
            refusal = match.why_not(move)
            assert (refusal is None) == (not broken), (move, broken, refusal, start, options)
            if refusal is not None:
                assert refusal.clause in broken, (move, broken, refusal.clause, start, options)
                clauses[refusal.clause] += 1
    assert clauses.keys() >= {"ALC-17", "ALC-19", "ALC-20", "ALC-25", "ALC-27", "ALC-28", "ALC-30", "ALC-31"}
    assert clauses.keys() >= {"ALC-43", "ALC-44", "ALC-54", "ALC-60", "ALC-66c"}


def tries(rng: random.Random, position: Position) -> list[str]:
    """Write moves with the hand's cards, legal or not."""
    hand = position.hand
    moves = []
    for card in hand:
        moves += [f"repair with {card}", f"trade {card}"]
        for pay in hand:
            if pay == card:
                continue
            places = sorted(
                rng.sample([f"{a}.{r}" for a in ("left", "right", "top") for r in ("front", "rear")], 2)
            )
            moves += [
                f"defend {places[0]} with {card}",
                f"defend {places[1]} with {card} {pay}",
                f"missile {card} at {places[0]} paying {pay}",
                f"swap {card} {places[0]} {places[1]} paying {pay}",
                f"fortify {card} paying {pay}",
                f"reinforce {card} taking {rng.choice([*position.discard, pay])} paying {pay}",
                f"advantage {card} paying {pay}",
            ]
    return moves


def test_the_reference_knows_every_option_of_the_game() -> None:
    assert Match("alcazar", None, None, "1").options.keys() == DEFAULTS.keys()
    assert len(deck_of(full_options({"havoc": True}))) == 54
