"""What every game must do: rules, notation, positions, records, traces, scenes, hiding."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.engine.clauses import OK
from bartizan.engine.errors import (
    CorruptRecord,
    GameOver,
    IllegalMove,
    NothingToUndo,
    NotYourTurn,
    UnknownMove,
)
from bartizan.engine.game import GameState
from bartizan.engine.layout import is_throw
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Refusal, Scene
from bartizan.match import GameRecord, Match, trace
from bartizan.match.close_look import hidden, ids_in
from tests.corpus import LONGEST, sample
from tests.games.tables import (
    GAMES,
    dealt,
    digests,
    every_ply,
    finished,
    legal_of,
    played,
    positions,
    random_options,
    seat_counts,
    simulated,
    some_ids,
)

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.parametrize("name", GAMES)


def respaced(text: str, dice: random.Random) -> str:
    """Return a move with other spaces and letter case."""
    words = [dice.choice([word, word.upper(), word.title()]) for word in text.split()]
    return dice.choice(["", " ", "\t"]) + dice.choice(["  ", " \t "]).join(words) + dice.choice(["", "  "])


# --- Rules -------------------------------------------------------------------


def test_legal_actions_are_ascending_ids(name: str) -> None:
    most = 0
    for match in every_ply(name, 60):
        legal = match.legal()
        assert legal == sorted(set(legal))
        assert all(0 <= action < match.game.actions.size for action in legal)
        assert bool(legal) == (not match.is_over)
        most = max(most, len(legal))
    assert 1 < most <= registry.get(name).max_legal


def test_why_not_forbids_exactly_the_illegal_ids_each_by_a_clause(name: str) -> None:
    game = registry.get(name)
    looked_at = 0
    for match, _ in positions(name, 60, 0.15):
        legal = set(match.legal())
        game_state = match.game_state()
        before = game_state.to_bytes()
        refused = set()
        for action in range(game.actions.size):
            number = int(game.array_rules.why_not(game_state.cells, action))
            listed = action in legal
            which = "is listed and forbidden" if listed else "isn't listed, and no clause forbids it"
            assert (number == OK) == listed, f"{match.text(action)!r} {which}: see legal_actions"
            refused.add(number)
        assert game_state.to_bytes() == before  # asking changes nothing
        for number in refused - {OK}:
            assert game.clauses.get(game.clauses.id_of(number)).text
        looked_at += 1
    assert looked_at > 40


def test_every_id_can_be_decoded_and_encoded(name: str) -> None:
    actions = registry.get(name).actions
    assert actions.size > 0
    for action in range(actions.size):
        block, fields = actions.decode(action)
        assert actions.encode(block, **fields) == action


def check_outcome(match: Match) -> None:
    """Check what a finished game came to, and that all who tell of it say the same."""
    outcome = match.outcome
    assert outcome is not None
    assert len(outcome.returns) == match.seats
    assert list(outcome.returns) == match.returns()
    assert all(-1 <= each <= 1 for each in outcome.returns)
    assert set(outcome.winners) <= set(range(1, match.seats + 1))
    best = max(outcome.returns)
    assert all(outcome.returns[seat - 1] == best for seat in outcome.winners)
    assert len(outcome.points) == (match.seats if match.game.counts_points else 0)
    assert match.scores() == list(outcome.points or outcome.returns)
    assert match.game.clauses.get(outcome.clause).id == outcome.clause
    assert match.winner() == match.position()["winner"]
    assert match.result() != "none"
    result = match.views.scene(1).result
    assert result is not None
    assert result.outcome == outcome
    record = match.record()
    assert (list(record.scores), list(record.returns)) == (match.scores(), match.returns())


def test_the_game_ends_with_an_outcome(name: str) -> None:
    game = registry.get(name)
    plies = 0
    for number in range(60):
        seats_seen: set[int] = set()
        rounds = 0
        match, _ = dealt(name, number)
        for match in played(name, number):
            seats_seen.add(match.seat_to_move)
            assert match.round >= rounds
            rounds = match.round
            if not match.is_over:
                assert match.result() == match.winner() == "none"
                assert match.outcome is None
                assert match.returns() == [0.0] * match.seats
        plies += match.ply
        assert seats_seen <= set(range(match.seats + 1))
        assert match.is_over
        assert match.legal() == []
        check_outcome(match)
        with pytest.raises(GameOver):
            match.play(0)
        assert match.views.hints() == []
        refusal = match.why_not(0)
        assert refusal is not None
        assert game.clauses.get(refusal.clause).id == refusal.clause
        if plies > sample(1_000, 3_000):
            break


def test_copies_stay_equal_and_untouched(name: str) -> None:
    game = registry.get(name)
    for match, dice in positions(name, 30, 0.2):
        if match.is_over:
            continue
        game_state = match.game_state()
        copy, record = game_state.copy(), game_state.view()
        before = game_state.to_bytes()
        assert copy.to_bytes() == record.to_array().tobytes() == record.copy().to_array().tobytes() == before
        game.array_rules.apply(game_state.cells, dice.choice(match.legal()))
        assert game_state.to_bytes() != before
        assert copy.to_bytes() == record.to_array().tobytes() == match.game_state().to_bytes() == before
        record.rng = record.rng ^ 1
        assert copy.to_bytes() == before


# --- Interpreted and compiled ------------------------------------------------


def records(name: str, number: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the state of a game after each ply as compiled and as interpreted rules leave it."""
    match, dice = dealt(name, number)
    game = match.game
    plain: Any = interpreted(game.rules)
    game_state = game.blank(game.option_set.read(match.options), match.seats, number)
    record = game.state.from_array(game_state.array)
    game.array_rules.setup(game_state.cells)
    plain.setup(record)
    yield game_state.to_bytes(), record.to_array().tobytes()
    out = [0] * game.max_legal
    longest = LONGEST if number % 25 == 0 else 25  # all openings, and some games to the end
    for _ in range(longest):
        seat = int(game.array_rules.turn_of(game_state.cells))
        if seat == 0:
            break
        legal = legal_of(game, game_state)
        assert plain.turn_of(record) == seat
        assert plain.rounds(record) == game.array_rules.rounds(game_state.cells)
        assert out[: plain.legal_actions(record, out)] == legal
        action = dice.choice(legal)
        any_id = dice.randrange(game.actions.size)
        assert plain.why_not(record, any_id) == game.array_rules.why_not(game_state.cells, any_id)
        game.array_rules.apply(game_state.cells, action)
        plain.apply(record, action)
        yield game_state.to_bytes(), record.to_array().tobytes()
    assert plain.turn_of(record) == game.array_rules.turn_of(game_state.cells)
    for seat in range(1, match.seats + 1):
        assert plain.returns(record, seat) == game.array_rules.returns(game_state.cells, seat)
        before = game_state.to_bytes()
        game.array_rules.determinize(game_state.cells, seat)
        plain.determinize(record, seat)
        assert game_state.to_bytes() == record.to_array().tobytes()
        game_state.load(before)
        record = game.state.from_array(game_state.array)


def test_interpreted_and_compiled_rules_leave_the_same_bytes(name: str) -> None:
    plies = 0
    for number in range(sample(80, 240)):
        for compiled, plain in records(name, number):
            assert compiled == plain, f"game {number}"
            plies += 1
    assert plies > sample(700, 2_000)


def test_a_process_without_a_compiler_plays_the_same_games(name: str) -> None:
    """Match, notation, programs, traces and batches too, under ``BARTIZAN_MODE=python``."""
    games = sample(5, 12)
    code = (
        "import sys; sys.modules['numba'] = None\n"  # an import of it would raise
        "from bartizan.match import trace\n"
        "from tests.games.tables import digests, only_plain_numbers, simulated\n"
        f"only_plain_numbers({name!r})\n"
        f"print(*digests({name!r}, {games}), *trace.lines({name!r}, 2, 'c0de'), sep='\\n')\n"
        f"print(simulated({name!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "BARTIZAN_MODE": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    mine = [*digests(name, games), *trace.lines(name, 2, "c0de"), simulated(name)]
    assert len(mine) > 40
    assert done.stdout.splitlines() == mine


# --- Moves as text -----------------------------------------------------------


def test_moves_have_one_text_each_which_reads_back(name: str) -> None:
    for match, dice in positions(name, 60, 0.3):
        texts = match.legal_texts()
        assert len(set(texts)) == len(texts)
        for action, text in zip(match.legal(), texts, strict=True):
            assert match.parse(text) == action
            assert match.why_not(text) is None
        for action, text in dice.sample(list(zip(match.legal(), texts, strict=True)), min(5, len(texts))):
            odd = respaced(text, dice)
            assert match.parse(odd) == action, odd
            assert match.text(match.parse(odd)) == text


def test_only_ids_and_their_variants_are_actions(name: str) -> None:
    for match, dice in positions(name, 20, 0.2):
        if match.is_over:
            continue
        size, before = match.game.actions.size, match.digest()
        for action in (-1, -size, 2**63 - size, 2**63, 2**200):
            with pytest.raises(UnknownMove):
                match.why_not(action)
            with pytest.raises(UnknownMove):
                match.play(action)
        legal = match.legal()
        for action in dice.sample(legal, min(len(legal), sample(24, 240))):
            for variant in (1, 2, 3, 10**6, 10**9):
                code = action + variant * size
                try:
                    assert match.why_not(code) is None
                except UnknownMove:
                    with pytest.raises(UnknownMove):
                        match.play(code)
                else:
                    assert match.parse(match.text(code)) == code
        assert match.digest() == before


def test_forms_of_moves_are_explained(name: str) -> None:
    match, _ = dealt(name, 1)
    for text in ("", "   ", "xyzzy", "\x00", "🂡", "9" * 50):
        with pytest.raises(UnknownMove, match=r"isn't a move"):
            match.play(text)
    for form in match.game.vocabulary.move_forms:
        verb = form.split()[0]
        with pytest.raises((UnknownMove, IllegalMove)):
            match.play(f"{verb} qqqqq")


# --- Undo --------------------------------------------------------------------


def test_undo_redo_and_jumps_give_the_same_bytes(name: str) -> None:
    plies = 0
    for number in range(25):
        if plies > sample(200, 500):
            break
        match, dice = dealt(name, number)
        states = [match.game_state().to_bytes()]
        scenes = [msgspec.json.encode(match.views.scene(1))]
        for match in played(name, number):
            if match.ply:
                states.append(match.game_state().to_bytes())
                scenes.append(msgspec.json.encode(match.views.scene(1)))
        moves = match.moves
        plies += len(moves)
        for ply in [*range(len(states)), *(dice.randrange(len(states)) for _ in range(10))]:
            match.go_to(ply)
            assert (match.ply, match.last_ply) == (ply, len(moves))
            assert match.game_state().to_bytes() == states[ply]
            assert msgspec.json.encode(match.views.scene(1)) == scenes[ply]
            assert match.moves == moves[:ply]
        match.go_to(len(moves))
        for ply in range(len(moves) - 1, -1, -1):
            match.undo()
            assert match.game_state().to_bytes() == states[ply]
        with pytest.raises(NothingToUndo):
            match.undo()
        for ply in range(1, len(moves) + 1):
            match.redo()
            assert match.game_state().to_bytes() == states[ply]
        with pytest.raises(NothingToUndo):
            match.redo()
        for wrong in (-1, len(moves) + 1):
            with pytest.raises(NothingToUndo):
                match.go_to(wrong)
        half = len(moves) // 2
        match.go_to(half)  # playing the same moves again is the same game
        for ply, move in enumerate(moves[half:], half + 1):
            match.play(move)
            assert match.game_state().to_bytes() == states[ply]
            assert match.last_ply == ply


def test_another_move_after_undo_forgets_the_line(name: str) -> None:
    for match, dice in positions(name, 20, 0.2):
        if match.ply == 0:
            continue
        match.go_to(dice.randrange(match.ply))
        text = match.play(dice.choice(match.legal()))
        assert match.ply == match.last_ply
        assert match.moves[-1] == text


# --- Records, positions, traces ----------------------------------------------


def test_records_read_back_and_replay_to_the_same_state(name: str) -> None:
    plies = 0
    for number in range(25):
        match = finished(name, number)
        plies += match.ply
        if plies > sample(500, 1_500) and number:
            break
        record = match.record()
        text = record.text()
        assert GameRecord.parse(text) == record
        assert GameRecord.parse(text).text() == text
        assert record.seed == match.seed
        replayed = Match.of(GameRecord.parse(text))
        assert replayed.digest() == match.digest()
        assert replayed.record() == record
        ply = match.ply // 2
        match.go_to(ply)
        assert Match.of(record, ply).digest() == match.digest()
        assert Match.of(match.record(secret_seed=True)).digest() == match.digest()
        if ply:
            running = match.record()
            assert running.seed is None
            assert match.seed not in running.text()
            with pytest.raises(CorruptRecord, match="hash only"):
                Match.of(running)


def test_positions_read_back(name: str) -> None:
    """A position holds everything that the rules need; a table begun from one replays from its record too."""
    for match, _ in positions(name, 80, 0.25, most=sample(60, 150)):
        position = match.position()
        again = Match(name, match.options, match.seats, match.seed, json.loads(json.dumps(position)))
        assert again.position() == position
        assert again.legal_texts() == match.legal_texts()
        assert again.seat_to_move == match.seat_to_move
        assert again.round == match.round
        assert again.outcome == match.outcome
        if match.is_over:
            continue
        again.play(again.legal()[-1])
        record = again.record(secret_seed=True)
        assert GameRecord.parse(record.text()) == record
        assert Match.of(GameRecord.parse(record.text())).digest() == again.digest()


def test_traces_hold_whole_games(name: str) -> None:
    game = registry.get(name)
    games = sample(2, 4)
    for seats in seat_counts(game):
        options = random_options(game, random.Random(f"{name}/{seats}/trace"), seats)
        lines = list(trace.lines(name, games, "beef", seats, options))
        if seats == game.max_seats:  # the same seed gives the same games
            assert lines == list(trace.lines(name, games, "beef", seats, options))
        parsed = [json.loads(line) for line in lines]
        assert [entry["game_no"] for entry in parsed] == sorted(entry["game_no"] for entry in parsed)
        for number in range(games):
            mine = [entry for entry in parsed if entry["game_no"] == number]
            *plies, last = mine
            assert set(last) == {"game_no", "position", "result"}
            assert set(last["result"]) == {"winner", "scores", "returns"}
            assert len(last["result"]["scores"]) == len(last["result"]["returns"]) == seats
            assert last["result"]["winner"] == last["position"]["winner"] != "none"
            for ply, entry in enumerate(plies):
                extra = {"options", "seats"} if ply == 0 else set()
                assert set(entry) == {"game_no", "ply", "position", "legal", "move"} | extra
                assert entry["ply"] == ply
                assert entry["legal"] == sorted(set(entry["legal"]))
                assert entry["move"] in entry["legal"]
                assert entry["position"]["winner"] == "none"
            assert plies[0]["seats"] == seats
            assert plies[0]["options"] == game.read_options(options, seats).write()


# --- Scenes ------------------------------------------------------------------


def check_scene(scene: Scene, match: Match, seat: int) -> None:
    """Check one scene against the table it shows."""
    ids = ids_in(scene)
    assert len(set(ids)) == len(ids)
    assert all(ids)
    known = set(ids)
    asked = seat != 0 and seat == match.seat_to_move
    offered = [choice.action for choice in scene.choices]
    legal = match.legal() if asked else []
    if match.throws.game:  # in place of its reports a throw of each card
        throwing = match.game.throwing
        assert throwing is not None
        assert offered == [action for action in legal if action in offered]
        assert all(throwing.is_report(action) for action in legal if action not in offered)
        assert all(choice.throw == throwing.is_report(choice.action) for choice in scene.choices)
    else:
        assert offered == legal
    for choice in scene.choices:
        assert choice.text == match.text(choice.action) or (choice.throw and is_throw(choice.text))
        assert choice.verb
        assert set(choice.items) <= known, choice
        assert len(set(choice.items)) == len(choice.items)
        assert not choice.target or choice.target in choice.items
        assert set(choice.marks) <= known, choice
        assert set(choice.instead) <= set(choice.items), choice
        assert all(set(others) <= known for others in choice.instead.values()), choice
        assert set(choice.contests) <= {contest.id for contest in scene.contests}, choice
    for contest in scene.contests:
        assert contest.zone in {zone.id for zone in scene.zones}
        assert len(contest.sides) == 2
        for side in contest.sides:
            assert not side.segments or sum(each.value for each in side.segments) == side.value, side
        shape = tuple(max(1, len(side.segments)) for side in contest.sides)
        changed = [choice.contests[contest.id] for choice in scene.choices if contest.id in choice.contests]
        assert all(tuple(map(len, values)) == shape for values in changed), contest
    for race in scene.races:
        assert race.goal > 0
        assert all(0 <= racer.seat <= max(2, match.seats) for racer in race.racers), race
    for moved, ways in scene.paths.items():
        assert known.issuperset([moved, *ways])
        assert all(len(way) > 1 and way[0] in match.legal() for way in ways.values())
    asked_as = [(frozenset(choice.items), choice.verb, choice.label) for choice in scene.choices]
    assert len(set(asked_as)) == len(asked_as), "two choices cannot be told apart"
    for zone in scene.zones:
        slots = {slot.id for slot in zone.slots}
        for rows in (scene.areas or match.views.setting.areas).values():
            assert zone.layout.area in " ".join(rows).split(), zone.id
        for item in zone.items:
            assert bool(item.face) != bool(item.back), item
            assert not slots or item.at in slots, item
        for region in zone.regions:
            assert region.label
            assert region.cells
            assert set(region.cells) <= slots, region
            assert set(region.owners) <= set(range(1, match.seats + 1)), region
    assert scene.seat == seat
    assert (scene.status.ply, scene.status.round) == (match.ply, match.round)
    assert scene.status.seat == match.seat_to_move
    assert scene.status.prompt
    assert (scene.result is not None) == match.is_over
    assert [line.ply for line in scene.log] == list(range(max(0, match.ply - 12) + 1, match.ply + 1))
    assert [line.move for line in scene.log] == match.moves[-12:]
    data = msgspec.json.encode(scene)
    assert msgspec.json.decode(data, type=Scene) == scene


def test_scenes_offer_the_legal_actions_and_hold_together(name: str) -> None:
    for match in every_ply(name, 40, sample(180, 450)):
        for seat in range(match.seats + 1):
            check_scene(match.views.scene(seat), match, seat)
        bare = match.views.scene(1, choices=False)
        assert bare == msgspec.structs.replace(match.views.scene(1), choices=(), paths={})


def check_refusal(refusal: Refusal | None, match: Match, ids: set[str]) -> None:
    """Check that a refusal speaks and points at things that lie on the table."""
    assert refusal is not None
    assert refusal.sentence.strip()
    assert set(refusal.blockers) <= ids, refusal
    if refusal.clause:
        assert refusal.rule == match.game.clauses.get(refusal.clause).text.strip()


def test_refusals_speak_and_point_at_things_on_the_table(name: str) -> None:
    for match, dice in positions(name, 60, 0.25, most=sample(60, 150)):
        legal = set(match.legal())
        ids = ids_in(match.views.scene(match.seat_to_move or 1))
        for action in some_ids(match.game, dice, 25):
            if action not in legal:
                check_refusal(match.why_not(action), match, set(ids))
                with pytest.raises((IllegalMove, GameOver)):
                    match.play(action)
        for _ in range(10):
            touched = dice.sample(ids, min(len(ids), dice.randint(1, 4)))
            check_refusal(match.views.why_not_items(touched), match, set(ids))


def test_only_the_seat_that_is_asked_can_play(name: str) -> None:
    for match, _ in positions(name, 20, 0.2):
        if match.is_over:
            continue
        for seat in set(range(-1, match.seats + 2)) - {match.seat_to_move}:
            with pytest.raises(NotYourTurn):
                match.play(match.legal()[0], seat)
        match.play(match.legal()[0], match.seat_to_move)


def test_hints_are_legal_moves_with_reasons(name: str) -> None:
    for match, _ in positions(name, 20, 0.3):
        hints = match.views.hints(3, iterations=20)
        ranked = match.views.hints(3, player="greedy")
        assert len(hints) == len(ranked) == min(3, len(match.legal()))
        for hint in hints + ranked:
            assert hint.action in match.legal()
            assert match.why_not(hint.text) is None
            assert hint.text == match.text(hint.action) or match.throws.game
            assert hint.reason


# --- Hiding ------------------------------------------------------------------


def test_hiding_keeps_the_position_valid_and_the_view_the_same(name: str) -> None:
    game = registry.get(name)
    for match, dice in positions(name, 60, 0.25, most=sample(60, 150)):
        for seat in range(1, match.seats + 1):
            other = hidden(match, seat, dice.getrandbits(32))
            view = other.view()
            position = game.positions.write(view)
            options = game.option_set.read(match.options)
            assert game.positions.write(game.positions.read(position, options, match.seats, "0")) == position
            assert view.to_array().tobytes() == other.to_bytes()
            if seat == match.seat_to_move:
                assert legal_of(game, other) == match.legal()
            for eyes in (0, seat):
                seen = game.observe(match.view(), eyes)
                assert game.observe(view, eyes) == seen
            again = GameState(game, view)
            game.array_rules.determinize(again.cells, seat)
            assert game.observe(again.view(), seat) == game.observe(match.view(), seat)
