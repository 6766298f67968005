"""Properties that Hypothesis looks for counter-examples to, in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bartizan.engine import registry
from bartizan.engine.clauses import OK
from bartizan.engine.errors import BadPosition, IllegalMove
from bartizan.engine.game import Game
from bartizan.engine.options import OptionSpec
from bartizan.match import GameRecord, Match
from tests.corpus import sample
from tests.games.cards import CARDS, holds_cards
from tests.games.tables import GAMES, seat_counts

pytestmark = pytest.mark.parametrize("name", GAMES)


def values(spec: OptionSpec) -> st.SearchStrategy[Any]:
    """Draw a written value of an option."""
    if spec.kind == "bool":
        return st.booleans()
    if spec.kind in ("choice", "text"):
        return st.sampled_from(spec.values)
    return st.one_of(st.just(spec.default), st.integers(spec.low, spec.high))


def options(game: Game, seats: int) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a choice of options that this number of seats can play with."""
    given = st.fixed_dictionaries({}, optional={spec.key: values(spec) for spec in game.options})
    return given.filter(lambda given: game.option_set.goes_together(given, seats))


def flat(written: dict[str, Any]) -> dict[str, Any]:
    """Return written options with those of a group beside the others, as ``group.key``."""
    found: dict[str, Any] = {}
    for key, value in written.items():
        found |= (
            {f"{key}.{name}": each for name, each in value.items()}
            if isinstance(value, dict)
            else {key: value}
        )
    return found


@st.composite
def tables(draw: st.DrawFn, name: str, most: int = 40) -> Match:
    """Draw a table some way into a game; the moves are drawn too, so that they shrink."""
    game = registry.get(name)
    seats = draw(st.sampled_from(list(seat_counts(game))))
    match = Match(game, draw(options(game, seats)), seats, f"{draw(st.integers(0, 2**64 - 1)):x}")
    plies = draw(st.integers(0, most))
    for pick in draw(st.lists(st.integers(0, 10**6), min_size=plies, max_size=plies)):
        if match.is_over:
            break
        match.play(match.legal()[pick % len(match.legal())])
    return match


def test_cards_are_conserved_after_every_ply(name: str) -> None:
    game = registry.get(name)
    count = CARDS.get(name) or getattr(game.playtest, "all_cards", None)
    if count is None:
        assert not holds_cards(game.state.dtype) or not game.package.startswith(registry.GROUP), (
            "cards.py counts each of our games' cards"
        )
        pytest.skip("it has no cards, or no all_cards in its playtest.py")

    @given(match=tables(name))
    def check(match: Match) -> None:
        all_cards = None
        for ply in range(match.last_ply + 1):
            match.go_to(ply)
            cards = count(match.view())
            assert max(cards.values()) == 1 or not set(cards.values()) - {1, 2, 3, 4}
            all_cards = all_cards or cards
            assert cards == all_cards

    check()


def test_undo_to_any_ply_gives_the_same_bytes(name: str) -> None:
    @given(match=tables(name), data=st.data())
    @settings(max_examples=sample(25, 60))
    def check(match: Match, data: st.DataObject) -> None:
        moves, last = match.moves, match.ply
        record = Match(match.game, match.options, match.seats, match.seed)
        states = [record.game_state().to_bytes()]
        for move in moves:
            record.play(move)
            states.append(record.game_state().to_bytes())
        for ply in data.draw(st.lists(st.integers(0, last), max_size=5)):
            match.go_to(ply)
            assert match.game_state().to_bytes() == states[ply]
        match.go_to(last)
        assert match.digest() == record.digest()

    check()


def test_what_is_printed_reads_back(name: str) -> None:
    """Moves, positions, records and options: ``print(parse(x)) == x``."""
    game = registry.get(name)

    @given(match=tables(name), pick=st.integers(0, 10**6))
    @settings(max_examples=sample(25, 60))
    def check(match: Match, pick: int) -> None:
        if match.legal():
            text = match.legal_texts()[pick % len(match.legal())]
            assert match.text(match.parse(text)) == text
        chosen = game.option_set.read(match.options)
        position = match.position()
        state = game.positions.read(position, chosen, match.seats, "1")
        assert game.positions.write(state) == position
        record = match.record(secret_seed=True).text()
        assert GameRecord.parse(record).text() == record
        assert game.option_set.read(chosen.write()).write() == chosen.write() == match.options

    check()


def test_options_read_their_own_writing_in_any_dress(name: str) -> None:
    game = registry.get(name)

    @given(given_options=options(game, game.min_seats), shout=st.booleans())
    def check(given_options: dict[str, Any], shout: bool) -> None:
        read = game.option_set.read(given_options)
        dressed = {key: f" {str(value).upper() if shout else value} " for key, value in given_options.items()}
        assert game.option_set.read(dressed) == read
        written = flat(read.write())
        assert list(written) == [spec.key for spec in game.options]
        assert {key: written[key] for key in given_options} == given_options
        assert len(read.numbers()) == len(written)

    check()


def test_every_legal_action_leaves_a_valid_state(name: str) -> None:
    game = registry.get(name)

    @given(match=tables(name), dice=st.integers(0, 2**32))
    @settings(max_examples=sample(25, 60))
    def check(match: Match, dice: int) -> None:
        chosen = game.option_set.read(match.options)
        legal = match.legal()
        for action in random.Random(dice).sample(legal, min(8, len(legal))):
            text = match.play(action)
            try:
                game.positions.read(match.position(), chosen, match.seats, "1")
            except BadPosition as error:
                pytest.fail(f"after '{text}': {error}")
            match.undo()

    check()


def test_an_illegal_id_has_one_primary_clause(name: str) -> None:
    game = registry.get(name)

    @given(match=tables(name), ids=st.lists(st.integers(0, game.actions.size - 1), min_size=1, max_size=30))
    @settings(max_examples=sample(25, 60))
    def check(match: Match, ids: list[int]) -> None:
        game_state = match.game_state()
        for action in ids:
            number = int(game.array_rules.why_not(game_state.cells, action))
            assert (number == OK) == (action in match.legal())
            refusal = match.why_not(action)
            if refusal is None:
                assert number == OK
            else:
                assert refusal.clause == game.clauses.id_of(number)
                assert game.clauses.get(refusal.clause).id == refusal.clause

    check()


def test_an_illegal_move_changes_nothing(name: str) -> None:
    game = registry.get(name)

    @given(
        match=tables(name, 15), back=st.integers(0, 3), ids=st.lists(st.integers(0, game.actions.size - 1))
    )
    @settings(max_examples=sample(25, 60))
    def check(match: Match, back: int, ids: list[int]) -> None:
        match.go_to(max(0, match.ply - back))  # with moves left to redo
        before = (match.digest(), match.ply, match.last_ply, match.moves, match.legal(), match.views.scene(1))
        for action in ids:
            if match.is_over or action in match.legal():
                continue
            with pytest.raises(IllegalMove) as caught:
                match.play(action)
            refusal = match.why_not(action)
            assert refusal is not None
            assert (caught.value.clause, str(caught.value)) == (refusal.clause, refusal.sentence)
            assert (caught.value.blockers, caught.value.rule) == (refusal.blockers, refusal.rule)
        assert before == (
            match.digest(), match.ply, match.last_ply, match.moves, match.legal(), match.views.scene(1)
        )  # fmt: skip
        match.go_to(match.last_ply)

    check()
