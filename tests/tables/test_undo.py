"""No seat takes back a move that has shown it something: that would be a second look."""

from __future__ import annotations

import random

from bartizan.match import Match
from bartizan.tables.entries import take_in
from bartizan.tables.provider import PERSON
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, TableRow
from tests.card_cassonne.tables import table
from tests.card_cassonne.test_rules import BLOCK
from tests.tables.sessions import allows

# A table on which seats are passed over now and then, and the others move twice in a row.
ALONE: dict[str, object] = {"board": "9x5", "same_suit": "placed"}


def fresh(match: Match) -> TableState:
    """Return a table of persons without any move."""
    row = TableRow(
        table="t",
        game=match.game.name,
        rules=match.game.rules_version,
        options={},
        seats=match.seats,
        players=(PERSON,) * match.seats,
        seed=match.seed,
        tokens=(),
    )
    return TableState(row, match)


def play_on(state: TableState, dice: random.Random) -> int:
    """Play a random move; return whose it was."""
    match = state.match
    seat = match.seat_to_move
    take_in(state, EntryRow(seat=seat, kind="move", text=match.check(dice.choice(match.legal())).text))
    return seat


def test_card_and_token_are_taken_back_together_until_the_turn_is_handed_on() -> None:
    state = fresh(table(BLOCK, ["Th", "9s", "Ah"], deck=["5d"], rest="aside", others={"hand": ["2c"]}))
    for move in ("play Th at 0,2", "token"):
        take_in(state, EntryRow(seat=1, kind="move", text=move))
    for _ in range(2):
        assert allows(state, 1, "undo")
        take_in(state, EntryRow(seat=1, kind="undo"))
    assert state.match.ply == 0
    for move in ("play Th at 0,2", "token", "score 0,0"):
        assert state.seat_to_move == 1
        take_in(state, EntryRow(seat=1, kind="move", text=move))
    assert state.seat_to_move == 2  # seat 1 has drawn
    assert not allows(state, 1, "undo")
    assert not allows(state, 2, "undo")


def test_a_drawn_card_is_not_put_back() -> None:
    """A seat whose neighbours cannot play is asked again after its draw."""
    found = {True: 0, False: 0}
    for number in range(8):
        state = fresh(Match("card-cassonne", ALONE, 2, f"{number + 1:x}"))
        dice = random.Random(number)
        while not state.is_over:
            seat = play_on(state, dice)
            if state.seat_to_move != seat:
                assert not allows(state, seat, "undo")
                continue
            told = " ".join(state.match.views.log(seat)[-1].events)
            learned = "You draw" in told or "passed over" in told
            if learned or dice.random() < 0.3:
                assert allows(state, seat, "undo") != learned, told
                found[learned] += 1
    assert min(found.values()) >= 5, found
