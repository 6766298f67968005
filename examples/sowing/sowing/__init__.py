"""Sowing: two teams of two sow seeds around a ring of pits."""

from __future__ import annotations

from typing import Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.record import Cells
from bartizan.engine.rule import rule
from bartizan.engine.table import Table, counter, tie, win

game = Game(
    name="sowing",
    package=__name__,
    min_seats=4,
    max_seats=4,
    chance=False,
    seat_names=("North", "East", "South", "West"),
)
SEATS, PITS, SEEDS, LONG = 4, 4, 3, 120
ALL = SEATS * PITS * SEEDS
EMPTY_PIT, NO_SEEDS, TOO_LONG = code("SW-3"), code("SW-5"), code("SW-6")
TEAMS = ((1, 3), (2, 4))


class State(Table):
    """One table."""

    pits: Cells = counter("pit", high=ALL, per_seat=SEATS, places=PITS, piece="seed")
    caught: Cells = counter("caught", high=ALL, per_seat=SEATS)


ACTIONS = ActionSpace(block("sow", pit=PITS))


@rule
def deal(s: State) -> None:
    """Put three seeds into each pit (SW-1)."""
    for pit in range(SEATS * PITS):
        s.pits[pit] = SEEDS


@rule
def why_not_sow(s: State, pit: int) -> int:
    """Tell why a pit cannot be sown (SW-3)."""
    return EMPTY_PIT if s.pits[(s.to_move - 1) * PITS + pit] == 0 else OK


@rule
def sow(s: State, pit: int) -> None:
    """Sow a pit, and catch (SW-2, SW-4)."""
    place = (s.to_move - 1) * PITS + pit
    seeds = s.pits[place]
    s.pits[place] = 0
    for _ in range(seeds):
        place = (place + 1) % (SEATS * PITS)
        s.pits[place] += 1
    owner = place // PITS + 1
    if owner % 2 != s.to_move % 2 and (s.pits[place] == 2 or s.pits[place] == 3):
        s.caught[s.to_move - 1] += s.pits[place]
        s.pits[place] = 0
    end(s)


@rule
def seeds_of(s: State, seat: int) -> int:
    """Count the seeds in a seat's pits."""
    total = 0
    for pit in range(PITS):
        total += s.pits[(seat - 1) * PITS + pit]
    return total


@rule
def end(s: State) -> None:
    """End the game when the next player has no seeds, or it is long (SW-5, SW-6)."""
    clause = NO_SEEDS if seeds_of(s, s.to_move % SEATS + 1) == 0 else 0
    if clause == 0 and s.ply >= LONG - 1:
        clause = TOO_LONG
    if clause != 0:
        mine, theirs = points(s, 1), points(s, 2)
        if mine == theirs:
            tie(s, clause)
        else:
            win(s, 1 if mine > theirs else 2, clause)


@rule
def points(s: State, seat: int) -> int:
    """Return what a seat's team has caught."""
    return s.caught[seat - 1] + s.caught[(seat + 1) % SEATS]


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach: no seed is lost, and the seats take turns."""
    total = sum(state.pits) + sum(state.caught)
    if total != ALL:
        reader.fault("SW-1", f"there are {total} seeds; it must be {ALL}")
    if (state.to_move - 1 - state.ply) % SEATS:
        reader.fault("SW-2", f"at ply {state.ply} seat {state.to_move} cannot be to move")
    told, state.ended, state.winner = (state.ended, state.winner), 0, 0
    if state.ply:
        state.to_move, state.ply, kept = (state.to_move - 2) % SEATS + 1, state.ply - 1, state.to_move
        end(state)
        state.to_move, state.ply = kept, state.ply + 1
    if told != (state.ended, state.winner) and not reader.faults:
        reader.fault("SW-5", "ended and winner are not as the table says")
