"""What the engine calls: refuse and play Alcazar's actions, and say who has won."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.alcazar.defence import defend, orders, repair, why_not_defend, why_not_repair
from bartizan.games.alcazar.determinization import determinize
from bartizan.games.alcazar.listing import legal_actions
from bartizan.games.alcazar.phases import why_not_in_phase
from bartizan.games.alcazar.rules import discard_by_force, draw_second, end_turn, keep_hand, run, setup
from bartizan.games.alcazar.specials import (
    fortify,
    lay_advantage,
    missile,
    reinforce,
    swap,
    trade,
    why_not_advantage,
    why_not_fortify,
    why_not_missile,
    why_not_reinforce,
    why_not_swap,
    why_not_trade,
)
from bartizan.games.alcazar.state import ACTIONS, TRADE, Phase, State, Step, Winner
from bartizan.games.alcazar.table import forfeit_advantages, settle

__all__ = [
    "apply",
    "determinize",
    "ended_by",
    "has_won",
    "legal_actions",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "variants",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide: 1, or 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else 1


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round


# --- Refusing and playing ----------------------------------------------------

HAND_FULL = code("ALC-9")


@rule
def why_not_discard(s: State, slot: int) -> int:
    """Tell why no card can be discarded from a place in the hand (ALC-9)."""
    return OK if slot < s.hand.count else HAND_FULL


why_not = ACTIONS.rule(
    "why_not",
    guard=why_not_in_phase,
    defend=why_not_defend,
    repair=why_not_repair,
    missile=why_not_missile,
    swap=why_not_swap,
    fortify=why_not_fortify,
    reinforce=why_not_reinforce,
    advantage=why_not_advantage,
    trade=why_not_trade,
    discard=why_not_discard,
    otherwise=OK,
)

variants = ACTIONS.rule("variants", defend=orders, otherwise=1)  # ALC-Q14


@rule
def begin(s: State, verb: int) -> None:
    """Let the round run; after an action of the turn it goes on with the turn."""
    s.phase = Phase.RUNNING
    if verb <= TRADE.number:
        s.step = Step.ACTION


@rule
def go_on(s: State, verb: int) -> None:
    """Draw the consequences and run on to the next decision."""
    if s.phase == Phase.RUNNING:
        settle(s)
    run(s)


apply = ACTIONS.rule(
    "apply",
    before=begin,
    after=go_on,
    defend=defend,
    repair=repair,
    missile=missile,
    swap=swap,
    fortify=fortify,
    reinforce=reinforce,
    advantage=lay_advantage,
    trade=trade,
    discard=discard_by_force,
    forfeit=forfeit_advantages,
    draw=draw_second,
    stay=keep_hand,
    end=end_turn,
)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.THIEF or s.phase == Phase.NECROMANCER:
        settle(s)
    run(s)


# --- The outcome (ALC-67, ALC-68) --------------------------------------------


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether the player has won."""
    return s.winner == Winner.PLAYER


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 while the game runs."""
    if s.winner == Winner.NONE:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause by which the player has won or lost, 0 while the game runs."""
    return s.ended_by
