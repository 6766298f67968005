"""What the engine calls: set up, list, refuse and play Card Barrage's actions."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.aftermath import (
    decline,
    give,
    replace,
    settle,
    why_not_decline,
    why_not_give,
    why_not_replace,
)
from bartizan.games.card_barrage.attack import attack, why_not_report
from bartizan.games.card_barrage.deal import deal
from bartizan.games.card_barrage.determinization import determinize, forget
from bartizan.games.card_barrage.effects import (
    discard,
    draw,
    erect,
    exchange,
    pick,
    why_not_discard,
    why_not_draw,
    why_not_erect,
    why_not_exchange,
    why_not_pick,
)
from bartizan.games.card_barrage.listing import legal_actions
from bartizan.games.card_barrage.phases import why_not_in_phase
from bartizan.games.card_barrage.rules import (
    build,
    end_turn,
    figure_of,
    pass_on,
    start_turn,
    upgrade,
    why_not_build,
    why_not_upgrade,
)
from bartizan.games.card_barrage.solo import reveal, turn_up, why_not_reveal, why_not_turn_up
from bartizan.games.card_barrage.state import ACTIONS, REPORT, Phase, State
from bartizan.games.card_barrage.table import person_of, side_of

OVER = code("CB-24")

__all__ = [
    "apply",
    "forget",
    "determinize",
    "ended_by",
    "has_won",
    "is_over",
    "legal_actions",
    "points",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "why_not",
]


@rule
def setup(s: State) -> None:
    """Deal a new game into `s`, all zeros but for its stream, its options and the number of people."""
    deal(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def turn_of(s: State) -> int:
    """Return the person to decide, from 1; 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else person_of(s, s.to_move)


@rule
def is_over(s: State) -> bool:
    """Say whether the game has ended."""
    return s.phase == Phase.OVER


@rule
def points(s: State, seat: int) -> int:
    """Return the points of a person's side (CB-24)."""
    return figure_of(s, side_of(s, seat - 1), 0)


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether a person's side has won, alone or with others (CB-24)."""
    return s.phase == Phase.OVER and s.winners >> side_of(s, seat - 1) & 1 == 1


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 to a person of the only side that has won, -1 to a loser, less than 1 for a shared victory."""
    if s.phase != Phase.OVER:
        return 0.0
    winners = 0
    for side in range(s.sides):
        winners += s.winners >> side & 1
    return 2.0 / winners - 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game."""
    return OVER if s.phase == Phase.OVER else OK


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round


# --- Refusing and playing ----------------------------------------------------

why_not = ACTIONS.rule(
    "why_not",
    guard=why_not_in_phase,
    build=why_not_build,
    upgrade=why_not_upgrade,
    report=why_not_report,
    replace=why_not_replace,
    give=why_not_give,
    draw=why_not_draw,
    exchange=why_not_exchange,
    erect=why_not_erect,
    pick=why_not_pick,
    decline=why_not_decline,
    discard=why_not_discard,
    reveal=why_not_reveal,
    turn_up=why_not_turn_up,
    end=OK,  # CB-15
)


@rule
def wait_no_more(s: State, verb: int) -> None:
    """Settle what an attack has left, unless the action asks for more; after building the turn goes on."""
    if verb >= REPORT.number:
        s.phase = Phase.SETTLING


@rule
def go_on(s: State, verb: int) -> None:
    """Run on to the next decision."""
    run(s)


apply = ACTIONS.rule(
    "apply",
    before=wait_no_more,
    after=go_on,
    build=build,
    upgrade=upgrade,
    report=attack,
    replace=replace,
    give=give,
    draw=draw,
    exchange=exchange,
    erect=erect,
    pick=pick,
    decline=decline,
    discard=discard,
    reveal=reveal,
    turn_up=turn_up,
    end=pass_on,
)


@rule
def run(s: State) -> None:
    """Go on to the next decision."""
    if s.phase == Phase.SETTLING:
        settle(s)
    if s.phase == Phase.PASSING:
        end_turn(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.GIVE or s.phase == Phase.EFFECT or s.phase == Phase.REPLACE:
        s.phase = Phase.SETTLING
    run(s)
