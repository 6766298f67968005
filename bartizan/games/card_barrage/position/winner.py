"""Write and read who has won: a seat, or the seats of all such sides; alone ``player`` or ``loss``."""

from __future__ import annotations

from typing import Any

from bartizan.engine.notation import PositionReader
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.state import SOLO, Phase, State

Winner = str | int | list[int]
NOBODY = "none"
ALONE: dict[int, Winner] = {1: "player", 2: "loss", 3: "draw"}  # by the bits of the sides that have won


def winner_of(state: State) -> Winner:
    """Return who has won, as positions write it."""
    return _written(state, state.winners) if state.phase == Phase.OVER else NOBODY


def _written(state: State, sides: int) -> Winner:
    """Return some sides, which are the bits of a number, as positions write them."""
    if state.seats == SOLO:
        return ALONE.get(sides, "draw")
    seats = [seat + 1 for seat in range(state.castles) if sides >> table.side_of(state, seat) & 1]
    return seats[0] if len(seats) == 1 else seats


def read_winner(reader: PositionReader, state: State) -> None:
    """Read who has won; a finished game has a winner, a running one has none.

    Left out of a finished game, the rules find it once all is read (see `checks`).
    """
    given = reader.given.get("winner", NOBODY)
    known = {NOBODY: 0} | {str(_written(state, sides)): sides for sides in range(1, 1 << state.sides)}
    word = _sorted_text(given)
    if word not in known:
        reader.fault("CB-24", f"winner is {given!r}; it can be {', '.join(known)}")
        return
    state.winners = known[word]
    is_over = state.phase == Phase.OVER
    is_left_out = is_over and "winner" not in reader.given
    if is_over != bool(state.winners) and not is_left_out:
        reader.fault("CB-24", "a finished game has phase 'over' and a winner, a running one has neither")


def _sorted_text(given: Any) -> str:
    """Return a given winner as a text; of several the order does not matter."""
    are_seats = isinstance(given, list) and all(type(each) is int for each in given)
    return str(sorted(given) if are_seats else given)
