"""Let attacks arrive: the last chance to deflect, the hits, and what they destroy (TWR-21 to TWR-28)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import push
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.tower.options import LastTurn
from bartizan.games.tower.state import Phase, Standing, State, Step
from bartizan.games.tower.table import eliminate, land
from bartizan.games.tower.values import can_be_harmed, count_levels, is_repeated, is_vulnerable, would_destroy

NO_SUCH_ATTACK = code("TWR-21")
NOT_WEAKER = code("TWR-24")


# --- Out of turn (TWR-Q18: `defence_window`) ---------------------------------


@rule
def may_defend(s: State, seat: int) -> bool:
    """Return whether a seat may deflect before the active seat's attacks arrive (TWR-31, TWR-Q24)."""
    p = s.players[seat - 1]
    if p.standing != Standing.DEFENDING or p.hand.count == 0:
        return False
    for number in range(s.flying):
        attack = s.attacks[number]
        if attack.sender == s.active and (s.options.deflect_for_others or attack.target == seat):
            return True
    return False


@rule
def ask_next_defender(s: State) -> None:
    """Ask the next seat to deflect; when all have been asked, the attacks arrive."""
    s.deflected = 0
    seat = s.to_move % s.seats + 1
    while seat != s.active and not may_defend(s, seat):
        seat = seat % s.seats + 1
    s.to_move = seat
    if seat == s.active:
        s.step = Step.ARRIVE
    else:
        s.phase = Phase.DEFEND


# --- Arrival -----------------------------------------------------------------


@rule
def arrive(s: State) -> None:
    """Remove the active seat's attacks that have no effect; ask about the others (TWR-22, TWR-Q21)."""
    number = 0
    while number < s.flying:
        attack = s.attacks[number]
        if attack.sender != s.active:
            number += 1
        elif can_be_harmed(s.players[attack.target - 1], attack.face):
            s.phase = Phase.ARRIVAL
            number += 1
        else:
            land(s, number)


@rule
def why_not_hit(s: State, number: int, level: int) -> int:
    """Return why an arriving attack cannot hit a level (TWR-21, TWR-22, TWR-24)."""
    if number >= s.flying or s.attacks[number].sender != s.active or is_repeated(s, number):
        return NO_SUCH_ATTACK
    attack = s.attacks[number]
    if not is_vulnerable(s.players[attack.target - 1], level, attack.face):
        return NOT_WEAKER
    return OK


@rule
def hit(s: State, number: int, level: int) -> None:
    """Damage or destroy a level (TWR-25, TWR-26, TWR-27)."""
    target, face = s.attacks[number].target, s.attacks[number].face
    p = s.players[target - 1]
    land(s, number)
    s.step = Step.ARRIVE
    if would_destroy(p, level, face):
        push(s.rubble, p.tower[level])
        p.tower[level], p.damaged[level] = EMPTY, 0
        if count_levels(p) == 0:
            eliminate(s, target)
            if s.left == 1 and s.options.last_turn == LastTurn.EXTRA:
                s.step = Step.LAST
    else:
        p.damaged[level] = 1


@rule
def why_not_pass(s: State) -> int:
    """Return OK: no one has to deflect (TWR-31)."""
    return OK


@rule
def pass_(s: State) -> None:
    """Do nothing: the next seat is asked (TWR-31)."""
