"""Find every rule that a position of Tower breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bartizan.engine.notation import PositionReader
from bartizan.engine.rule import interpreted
from bartizan.games.tower.options import DefenceWindow, ForcedLeftovers, LayDown
from bartizan.games.tower.state import (
    AFTER_LAYING,
    DEAL,
    DRAWN,
    HAND_WITH_MOAT,
    Phase,
    Standing,
    State,
)
from bartizan.games.tower.words import cards

if TYPE_CHECKING:
    from bartizan.games.tower import arrivals as plain_arrivals
    from bartizan.games.tower import rules as plain_rules
    from bartizan.games.tower import values as plain
else:
    from bartizan.games.tower import arrivals, rules, values

    plain, plain_rules, plain_arrivals = interpreted(values), interpreted(rules), interpreted(arrivals)

BUILDING_PHASES = (Phase.EXCHANGE, Phase.SOURCE, Phase.LAY)


def check_table(reader: PositionReader, state: State) -> None:
    """Note every rule that the cards and the figures break."""
    for seat in range(1, state.seats + 1):
        _check_hand(reader, state, seat)
    _check_attacks(reader, state)
    if state.phase == Phase.OVER:
        _check_end(reader, state)
        return
    if state.winner:
        reader.fault("TWR-64", "a game that has a winner has phase 'over'")
    if state.left == 0:
        reader.fault("TWR-65", "every tower has fallen, so the game is over")
    elif plain_rules.is_decided(state):
        reader.fault("TWR-64", f"seat {plain_rules.survivor(state)} alone is left, so the game is over")
    _check_phase(reader, state)


def _check_hand(reader: PositionReader, state: State, seat: int) -> None:
    player = state.players[seat - 1]
    held = player.hand.count
    asked = state.phase == Phase.SOURCE and state.active == seat
    if player.standing == Standing.OUT and held:
        reader.fault("TWR-61", f"seat {seat} is out and still holds {cards(held)}")
    if player.standing == Standing.BUILDING and state.phase != Phase.OVER:
        wanted = DEAL - 1 if asked else DEAL
        if held != wanted and not (held < wanted and not _can_refill(state)):
            reader.fault("TWR-7", f"seat {seat} has no tower and holds {cards(held)}; it must be {wanted}")
    keep = state.options.forced_leftovers == ForcedLeftovers.KEEP
    most = DEAL - 1 + AFTER_LAYING if keep else HAND_WITH_MOAT
    if player.standing == Standing.DEFENDING and held > most:
        reader.fault("TWR-49", f"seat {seat} holds {cards(held)}; it may be {most}")


def _can_refill(state: State) -> bool:
    return bool(state.deck.count + state.discard.count + state.rubble.count)


def _check_attacks(reader: PositionReader, state: State) -> None:
    for number in range(state.flying):
        attack = state.attacks[number]
        if attack.sender == attack.target:
            reader.fault("TWR-17", f"seat {attack.sender} attacks its own tower")
        for seat in (attack.sender, attack.target):
            if state.players[seat - 1].standing == Standing.BUILDING:
                what = "attacks" if seat == attack.sender else "is attacked"
                reader.fault("TWR-17", f"seat {seat} {what} and has no tower yet")
    for seat in range(1, state.seats + 1):
        if plain.count_sent(state, seat) > 2:
            reader.fault("TWR-29", f"seat {seat} has more than two attacks in flight")


def _check_end(reader: PositionReader, state: State) -> None:
    if not state.winner:
        reader.fault("TWR-64", "a game that is over has a winner, or 'draw'")
    elif state.winner != DRAWN and state.players[state.winner - 1].standing == Standing.OUT:
        reader.fault("TWR-64", f"seat {state.winner} has won and has no tower")


def _check_phase(reader: PositionReader, state: State) -> None:
    """Check what a phase asks of the seat to move."""
    player = state.players[state.to_move - 1]
    name = f"seat {state.to_move}"
    if state.phase in BUILDING_PHASES and player.standing != Standing.BUILDING:
        reader.fault("TWR-12", f"{name} is asked to build and has laid a tower")
    if state.phase in (Phase.BATTLE, Phase.DRAW, Phase.DEFEND) and player.standing != Standing.DEFENDING:
        reader.fault("TWR-13", f"{name} is asked to play and has no tower that stands")
    if state.phase == Phase.ARRIVAL and player.standing == Standing.BUILDING:
        reader.fault("TWR-17", f"{name} has no tower and no attack that could arrive")
    if state.phase == Phase.SOURCE and state.spent.count != 1:
        reader.fault("TWR-8", f"one card has been put down for a replacement, not {state.spent.count}")
    if state.phase == Phase.LAY and not plain.is_complete(player):
        reader.fault("TWR-9", f"{name} is asked to lay a tower and lacks a suit")
    if state.plays_left and not _may_have_plays(state):
        reader.fault("TWR-13", f"plays_left is {state.plays_left}; plays belong to phase 'battle'")
    if state.phase == Phase.DEFEND:
        _check_window(reader, state)


def _may_have_plays(state: State) -> bool:
    """Say whether plays can be left now: in the battle, or behind the draws of a tower just laid."""
    laying = state.phase == Phase.DRAW and state.options.lay_down == LayDown.ANY_TIME
    return state.phase == Phase.BATTLE or laying


def _check_window(reader: PositionReader, state: State) -> None:
    if state.options.defence_window != DefenceWindow.ANY_TIME:
        reader.fault("TWR-31", "phase 'defend' needs defence_window = any_time")
    elif state.to_move == state.active or not plain_arrivals.may_defend(state, state.to_move):
        reader.fault(
            "TWR-31", f"seat {state.to_move} has nothing to deflect of seat {state.active}'s attacks"
        )
