"""Moves are read and checked once, then played as they are."""

from __future__ import annotations

import msgspec
import pytest

from bartizan.engine.errors import (
    AmbiguousMove,
    GameOver,
    IllegalMove,
    NotYourTurn,
    StalePly,
    UnknownCard,
    UnknownMove,
)
from bartizan.engine.game import Game
from bartizan.match import CheckedMove, Match
from bartizan.match.views import Views

SEED = "c0ffee"


def test_a_checked_move_is_played_as_it_is() -> None:
    match = Match("castle-danger", seed=SEED)
    checked = match.check("add w", 1)
    assert checked == CheckedMove(ply=0, seat=1, action=match.parse("add wizard"), text="add wizard")
    assert match.ply == 0  # nothing is played by checking
    match.push(checked)
    assert match.moves == ["add wizard"]
    assert match.movers == [1]


def test_a_move_is_parsed_once_and_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("alcazar", seed=SEED)
    calls = {"parse_move": 0, "print_move": 0}
    vocabulary = match.game.vocabulary

    def count(name: str) -> None:
        plain = getattr(vocabulary, name)

        def counted(*args: object) -> object:
            calls[name] += 1
            return plain(*args)

        monkeypatch.setattr(vocabulary, name, counted)

    move = match.legal_texts()[0]
    count("parse_move")
    count("print_move")
    assert match.play(move) == move
    assert calls == {"parse_move": 1, "print_move": 1}


def test_another_match_in_the_same_position_takes_a_checked_move() -> None:
    first, second = Match("alcazar", seed=SEED), Match("alcazar", seed=SEED)
    for _ in range(5):
        checked = first.check(first.legal()[-1])
        first.push(checked)
        second.push(checked)
    assert first.digest() == second.digest()
    assert first.moves == second.moves


def test_a_move_of_another_ply_is_stale() -> None:
    match = Match("castle-danger", seed=SEED)
    checked = match.check("end")
    match.push(checked)
    with pytest.raises(StalePly, match="checked at ply 0; the game stands at ply 1"):
        match.push(checked)
    assert match.ply == 1


def test_a_move_is_checked_for_the_seat_that_is_asked() -> None:
    match = Match("castle-danger", seed=SEED)
    with pytest.raises(NotYourTurn, match="seat 1's decision, not seat 2's"):
        match.check("end", 2)


def test_nothing_is_played_in_a_finished_game() -> None:
    match = Match("castle-danger", {"turn_limit": 1}, seed=SEED)
    while not match.is_over:
        match.play("end")
    with pytest.raises(GameOver):
        match.check("end")
    refusal = match.why_not("end")  # which may still be asked
    assert refusal is not None
    assert refusal.clause == "CD-42"


@pytest.mark.parametrize(
    ("game", "move", "error"),
    [
        ("alcazar", "frobnicate", UnknownMove),
        ("alcazar", "", UnknownMove),
        ("alcazar", -1, UnknownMove),
        ("alcazar", 10**9, UnknownMove),
        ("alcazar", "repair with 1z", UnknownCard),
        ("castle-danger", "add", AmbiguousMove),
    ],
)
def test_check_and_why_not_raise_alike(game: str, move: str | int, error: type[Exception]) -> None:
    match = Match(game, seed=SEED)
    for ask in (match.check, match.why_not):
        with pytest.raises(error):
            ask(move)
    assert match.ply == 0


@pytest.mark.parametrize("move", ["wall a4", "d3-d4", "fire d3 d7"])
def test_check_and_why_not_give_the_same_reasons(move: str) -> None:
    match = Match("castle-danger", seed=SEED)
    refusal = match.why_not(move)
    assert refusal is not None
    with pytest.raises(IllegalMove) as caught:
        match.check(move)
    error = caught.value
    assert (str(error), error.clause, error.rule, error.blockers) == (
        refusal.sentence,
        refusal.clause,
        refusal.rule,
        refusal.blockers,
    )
    assert error.rule


def test_a_checked_move_cannot_be_changed() -> None:
    checked = Match("castle-danger", seed=SEED).check("end")
    with pytest.raises(AttributeError):
        checked.action = 0  # type: ignore[misc]
    assert msgspec.to_builtins(checked)["text"] == "end"


def test_a_legal_move_that_no_touching_makes_is_offered_to_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("castle-danger", seed="1")
    action = match.legal()[0]
    items = [zone.id for zone in match.views.scene(1).zones][:2] or ["x"]
    monkeypatch.setattr(Game, "intents", lambda game, observation, items: [action])
    assert "Type this move" not in match.views.why_not_items(items).sentence
    bare = msgspec.structs.replace(match.views.scene(1), choices=())
    monkeypatch.setattr(Views, "scene", lambda views, seat: bare)
    refusal = match.views.why_not_items(items)
    assert refusal.sentence == f"Type this move to play it: {match.text(action)}."
    assert (refusal.clause, refusal.blockers) == ("", ())
