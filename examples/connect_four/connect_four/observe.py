"""Say what a program observes of the rack, and what its moves are about."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.observation import ObservationLayout, TokenLayout, group, put_verb
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from connect_four.state import ACTIONS, COLUMNS, ROWS, STRIDE, State

OBSERVATION = ObservationLayout(
    rack=group(2, COLUMNS, ROWS, meaning="own discs, the other's, by column and from the bottom up")
)
TOKENS = TokenLayout(width=2, verb=len(ACTIONS.blocks), column=COLUMNS)
COLUMN = TOKENS.first("column")


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what a seat, or a spectator (0), who sees with Red, observes to `out` (int8, zeros)."""
    own = 1 if seat == 2 else 0
    for side in range(2):
        discs = s.discs[(own + side) % 2]
        while discs != 0:
            place = lowest(discs)
            discs &= discs - 1
            out[side * COLUMNS * ROWS + place // STRIDE * ROWS + place % STRIDE] = 1


@rule
def tokens_of_drop(s: State, column: int, out: Array) -> None:
    """Tell into which column the disc falls."""
    out[1] = COLUMN + column


tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, more=("out",))
