"""Know how to play Connect Four decently: win, do not let the other win, stay near the middle."""

from __future__ import annotations

from bartizan.engine.bits import count
from bartizan.engine.levels import Tuning
from bartizan.engine.rule import rule
from connect_four.rules import has_line, is_full, resting_place, taken
from connect_four.state import ACTIONS, COLUMNS, RED, ROWS, STRIDE, YELLOW, State

WIN, SAVE, GIFT = 1_000, 500, 400
MIDDLE = COLUMNS // 2
MIDDLE_COLUMN = ((1 << ROWS) - 1) << MIDDLE * STRIDE

TUNING = Tuning(exploration=700, widening=3_000, sample=2)


@rule
def score_drop(s: State, column: int) -> int:
    """Value a disc: a line made, a line prevented, a line that the next disc above would allow the other."""
    sign = -1 if s.options.misere else 1
    place = resting_place(s, column)
    total = 2 * MIDDLE - abs(column - MIDDLE)
    if has_line(s.discs[s.to_move] | place):
        return sign * WIN + total
    if has_line(s.discs[1 - s.to_move] | place):
        total += sign * SAVE
    above = place << 1
    if not is_full(s, column) and above & (1 << column * STRIDE + ROWS) == 0:
        if has_line(s.discs[1 - s.to_move] | above):
            total -= sign * GIFT
    return total


action_score = ACTIONS.rule("action_score", "score_{}")


@rule
def evaluate(s: State, seat: int) -> float:
    """Return what an unfinished game is worth to a seat, from -1 to 1: discs in the middle column."""
    if taken(s) == 0:
        return 0.0
    lead = count(s.discs[RED] & MIDDLE_COLUMN) - count(s.discs[YELLOW] & MIDDLE_COLUMN)
    value = lead / (2.0 * ROWS)
    return value if seat == RED + 1 else -value
