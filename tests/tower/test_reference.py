"""Compare the engine with the second implementation of the rules, and that one with the scenarios."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bartizan.match import Match, trace
from tests.corpus import sample
from tests.games import audits
from tests.reference.audit import sentences
from tests.reference.scenarios import scenario_files, scenarios
from tests.tower.reference import audit, compare, main
from tests.tower.reference_moves import clauses_against, every_text, legal_moves, read_move
from tests.tower.reference_positions import game_from, last_stand, own_trace, random_options, random_position
from tests.tower.reference_rules import Dice, play, run_on
from tests.tower.reference_scenarios import run_scenario
from tests.tower.reference_table import (
    BEATS,
    CAPS,
    CHOICES,
    DEFAULTS,
    SUITS,
    Position,
    deck_of,
    full_options,
    position_faults,
)

GAME = "tower"
REFERENCE = Path(__file__).with_name("reference.py")
KINDS = {
    *("exchange", "draw", "take", "lay", "stop", "attack", "deflect", "repair", "rebuild", "discard", "hit"),
    "pass",
}


# --- the reference and the scenarios ----------------------------------------------------------------


@pytest.mark.parametrize("path", scenario_files("tower"), ids=lambda path: path.stem)
def test_scenario_agrees_with_the_reference(path: Path) -> None:
    """Under two orders of the cards that it leaves open."""
    assert run_scenario(path, seed=20) == []
    assert run_scenario(path, seed=21) == []


def test_every_option_value_has_a_scenario() -> None:
    used = {
        (key, value)
        for scenario in scenarios("tower")
        for key, value in full_options(scenario.get("options"), scenario["seats"]).items()
    }
    wanted = {(key, value) for key, values in CHOICES.items() for value in values}
    missing = wanted - used
    assert not missing, f"add to tests/scenarios/tower a scenario for each of {missing}"
    assert {key for key, value in used if key in CAPS and value != DEFAULTS[key]} == set(CAPS)


def test_every_clause_and_ruling_has_a_scenario() -> None:
    cited = {clause for scenario in scenarios("tower") for clause in scenario["clauses"]}
    wanted = [f"TWR-{n}" for n in range(1, 67)] + [f"TWR-Q{n}" for n in range(38)]
    assert [clause for clause in wanted if clause not in cited] == []


def test_every_illegal_move_names_a_clause_of_the_book() -> None:
    for scenario in scenarios("tower"):
        for step in scenario.get("step", []):
            for move, clauses in step.get("illegal", {}).items():
                named = [clauses] if isinstance(clauses, str) else clauses
                assert any(clause.removeprefix("TWR-").isdecimal() for clause in named), move


# --- the reference by itself ------------------------------------------------------------------------


def quiet(**changes: Any) -> Position:
    data: dict[str, Any] = {
        "players": [
            {
                "hand": ["2r", "3p"],
                "tower": {
                    "rock": "Kr",
                    "paper": "Qp",
                    "scissors": "6s!",
                    "water": "-",
                    "lizard": "9l",
                },
            },
            {"hand": ["4l"], "tower": {"rock": "Qr", "paper": "Jp"}},
        ],
        "attacks": [{"from": 2, "at": 1, "card": "2w"}],
        "deck": ["5r", "5p", "5s"],
        **changes,
    }
    return Position.read(data, full_options({}, 2))


def test_every_suit_beats_two_and_is_beaten_by_two() -> None:
    assert all(len(BEATS[suit]) == 2 for suit in SUITS)
    assert Counter("".join(BEATS.values())) == dict.fromkeys(SUITS, 2)
    assert not any(one in BEATS[other] and other in BEATS[one] for one in SUITS for other in SUITS)


def test_legal_moves_of_a_plain_position() -> None:
    assert legal_moves(quiet(), full_options({}, 2)) == [
        *("attack 2 with 2r", "attack 2 with 3p", "deflect 2w from 2 with 3p", "discard 2r", "discard 3p"),
    ]


def test_a_move_leaves_the_position_before_it_alone() -> None:
    before = quiet()
    after = play(before, full_options({}, 2), "discard 2r", Dice(random.Random(1)))
    assert before == quiet()
    assert (after.plays_left, after.spent, after.mover.hand) == (1, ["2r"], ["3p"])


def test_playing_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="TWR-30"):
        play(quiet(), full_options({}, 2), "deflect 2w from 2 with 2r", Dice(random.Random(1)))


@pytest.mark.parametrize(
    "text", ["", "attack", "attack 2 with *", "attack 2 with 4l as r", "hit dragon with 4l", "lay 4l", "end"]
)
def test_a_text_of_no_form_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move"):
        read_move(text)


def test_unknown_keys_cards_and_options_are_no_position() -> None:
    wrong: list[dict[str, Any]] = [
        {"reserve": []},
        {"discard": ["1r"]},
        {"players": [{"tower": {"moat": "2w"}}]},
    ]
    for changes in wrong:
        with pytest.raises(ValueError, match="no"):
            quiet(**changes)
    with pytest.raises(ValueError, match="option"):
        full_options({"havoc": True}, 2)


def test_the_list_of_moves_and_the_clauses_agree() -> None:
    """The two ways in which the reference decides what is legal, on random positions."""
    rng = random.Random(2)
    phases: Counter[str] = Counter()
    for _ in range(120):
        seats, options = rng.randint(2, 6), random_options(rng)
        full = full_options(options, seats)
        position = random_position(rng, options, seats)
        phases[position.phase] += 1
        allowed = [text for text in every_text(position, full) if not clauses_against(position, full, text)]
        assert allowed == legal_moves(position, full), (position.write(), options)
    assert phases.keys() >= {"exchange", "source", "arrival", "battle", "draw", "defend"}


def test_own_games_keep_the_cards_and_read_back() -> None:
    """Whatever is played: every card stays in the game, and the text of a position says all there is.

    Games are played until there was a move of every kind, which some options rarely ask for.
    """
    rng = random.Random(4)
    kinds: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    for number in range(200):
        if number >= sample(12, 24) and kinds.keys() == KINDS and winners.keys() == {"draw", "won"}:
            break
        seats = (2, 3, 4, 2, 3, 4, 5, 6)[number % 8]
        report = audit(own_trace(rng, 1, seats, random_options(rng)))
        assert not report.differences, sentences(report)
        kinds.update(report.kinds)
        winners.update(report.winners)
    assert kinds.keys() == KINDS
    assert winners.keys() == {"draw", "won"}


# --- the audit notices ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game_lines() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in own_trace(random.Random(6), 1, 3)]
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
        if line.get("ply", 0) > 60
        and line["position"]["phase"] == "battle"
        and line["position"]["plays_left"] == 1
        and line["position"]["attacks"]
        and line["position"]["rubble"]
        and len(line["position"]["discard"]) > 1
    )
    position = game_lines[number]["position"]
    assert keys_after(game_lines, number, {}) == set()
    assert "deck" in keys_after(game_lines, number, {"deck": position["deck"][::-1]})
    assert "discard" in keys_after(game_lines, number, {"discard": position["discard"][::-1]})
    assert {"rubble", "cards"} <= keys_after(game_lines, number, {"rubble": position["rubble"][1:]})
    assert "attacks" in keys_after(game_lines, number, {"attacks": position["attacks"][1:]})
    assert "plays_left" in keys_after(game_lines, number, {"plays_left": 0})
    assert "deflected" in keys_after(game_lines, number, {"deflected": 1 - position["deflected"]})
    assert "mended" in keys_after(game_lines, number, {"mended": not position["mended"]})
    assert "phase" in keys_after(game_lines, number, {"phase": "arrival"})
    players = position["players"]
    assert "players.1.hand" in keys_after(
        game_lines, number, {"players": [{**players[0], "hand": ["2r"]}, *players[1:]]}
    )
    assert "players.2.turns" in keys_after(
        game_lines, number, {"players": [players[0], {**players[1], "turns": 0}, players[2]]}
    )
    hands = [{**player, "hand": player["hand"][::-1]} for player in players]
    assert keys_after(game_lines, number, {"players": hands}) == set()
    assert keys_after(game_lines, number, {"rubble": position["rubble"][::-1]}) == set()


def test_the_audit_notices_a_wrong_deal(game_lines: list[dict[str, Any]]) -> None:
    deck = game_lines[0]["position"]["deck"]
    assert "discard" in keys_after(game_lines, 0, {"deck": deck[1:], "discard": deck[:1]})


def test_the_audit_notices_a_missing_an_extra_and_an_unsorted_move(game_lines: list[dict[str, Any]]) -> None:
    audits.notices_wrong_lists(audit, game_lines[0], "draw")


def test_the_audit_notices_a_wrong_result(game_lines: list[dict[str, Any]]) -> None:
    last = game_lines[-1]
    winner = last["position"]["winner"]
    other = "draw" if winner != "draw" else 1
    lines = [*game_lines[:-1], {**last, "result": {**last["result"], "winner": other}}]
    assert audits.differing_keys(audit, lines) == {"result"}
    lines = [*game_lines[:-1], {**last, "position": {**last["position"], "winner": other}}]
    assert "winner" in audits.differing_keys(audit, lines)


def test_main_counts_and_says_what_differs(game_lines: list[dict[str, Any]], tmp_path: Path) -> None:
    audits.main_counts_and_says_what_differs(main, game_lines, tmp_path, 1)


# --- the engine against the reference ---------------------------------------------------------------


def test_the_command_audits_a_trace() -> None:
    audits.command_audits_a_trace(REFERENCE, GAME, 3, "--seats", "random,random,random", "--set", "jokers=2")


def test_games_over_random_options_agree() -> None:
    """Games from the deal under many mixes of options, mostly at two to four seats."""
    rng = random.Random(7)
    kinds: Counter[str] = Counter()
    winners: Counter[str] = Counter()
    for number in range(sample(20, 40)):
        seats = (2, 3, 4, 2, 3, 4, 2, 3, 4, 5 + number // 10 % 2)[number % 10]
        options = random_options(rng)
        seed = f"{rng.getrandbits(40):x}"
        report = audit(trace.lines(GAME, 1, seed, seats=seats, options=options))
        assert not report.differences, sentences(report)
        kinds.update(report.kinds)
        winners.update(report.winners)
    assert kinds.keys() == KINDS
    assert winners.keys() == {"draw", "won"}


def test_games_from_random_positions_agree() -> None:
    """Short games from positions in which rare things happen."""
    rng = random.Random(11)
    phases: Counter[str] = Counter()
    for number in range(sample(75, 150)):
        seats, options = rng.randint(2, 4), random_options(rng)
        position = random_position(rng, options, seats)
        match = Match(GAME, options, seats, "1", position=position.write())
        assert compare(position, Position.read(match.position(), full_options(options, seats))) == []
        report = audit(audits.short_game(rng, match, number, most=16))
        assert not report.differences, sentences(report)
        phases.update(report.phases)
    assert phases.keys() >= {"exchange", "source", "arrival", "battle", "draw", "defend", "over"}


def test_games_of_the_last_player_agree() -> None:
    """Games in which one seat is left while attacks fly, with an extra turn and without (TWR-63)."""
    rng = random.Random(13)
    extra: Counter[str] = Counter()
    for number in range(sample(60, 240)):
        seats, options = (
            rng.randint(3, 6),
            random_options(rng) | {"last_turn": rng.choice(["window", "extra"])},
        )
        full = full_options(options, seats)
        cards = deck_of(full)
        rng.shuffle(cards)
        position = run_on(last_stand(rng, cards, seats), full, Dice(rng))
        if position.phase == "over" or position_faults(position, full):
            continue
        match = Match(GAME, options, seats, "1", position=position.write())
        lines = list(audits.short_game(rng, match, number, most=16))
        report = audit(lines)
        assert not report.differences, sentences(report)
        for line in map(json.loads, lines):
            if "arriving" in line["position"]:
                extra[line["position"]["phase"]] += 1
                again = Match(GAME, options, seats, "1", position=line["position"])
                assert again.position() == line["position"]
    assert extra.keys() >= {"battle", "draw", "defend"}


def test_why_not_and_the_reference_agree_on_what_is_legal() -> None:
    """Both say the same of every kind of text about random positions."""
    rng = random.Random(3)
    for _ in range(30):
        seats, options = rng.randint(2, 4), random_options(rng)
        full = full_options(options, seats)
        position = random_position(rng, options, seats)
        match = Match(GAME, options, seats, "1", position=position.write())
        held = [
            t
            for t in every_text(position, full)
            if not read_move(t).card or read_move(t).card in hands(position)
        ]
        for text in rng.sample(held, min(len(held), 80)) + legal_moves(position, full):
            broken = clauses_against(position, full, text)
            refusal = match.why_not(text)
            assert (refusal is None) == (not broken), (text, broken, refusal, position.write(), options)


def hands(position: Position) -> set[str]:
    return {card for player in position.players for card in player.hand}


def test_the_reference_knows_every_option_of_the_game() -> None:
    assert full_options(Match(GAME, None, 2, "1").options, 2) == full_options({}, 2)


# --- positions of any kind --------------------------------------------------------------------------


def test_games_from_random_positions_read_back() -> None:
    """The reference's own short games from odd positions, audited like a trace."""
    rng = random.Random(12)
    phases: Counter[str] = Counter()
    for number in range(60):
        seats, options = rng.randint(2, 6), random_options(rng)
        full = full_options(options, seats)
        position = random_position(rng, options, seats)
        assert position_faults(position, full) == []
        report = audit(game_from(rng, position, full, number, most=40))
        assert not report.differences, sentences(report)
        phases.update(report.phases)
    assert phases.keys() >= {"exchange", "source", "lay", "arrival", "battle", "draw", "defend", "over"}
