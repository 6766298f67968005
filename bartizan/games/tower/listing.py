"""List a player's legal actions in Tower without asking about every card and place."""

from __future__ import annotations

from bartizan.engine.clauses import OK
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.tower.arrivals import why_not_hit
from bartizan.games.tower.battle import (
    why_no_attack,
    why_no_deflection,
    why_no_target,
    why_not_deflectable,
    why_not_mend,
    why_not_rebuild_level,
    why_not_repair_level,
    why_not_strong_enough,
)
from bartizan.games.tower.build import why_not_lay
from bartizan.games.tower.draw import why_not_draw, why_not_stop_drawing, why_not_stop_playing, why_not_take
from bartizan.games.tower.state import (
    ATTACK,
    DEFLECT,
    DISCARD,
    DRAW,
    EXCHANGE,
    HIT,
    JOKER,
    LAY,
    PASS,
    REBUILD,
    REPAIR,
    STOP,
    SUITS,
    TAKE,
    Phase,
    Player,
    State,
)
from bartizan.games.tower.values import suit_of


@rule
def list_cards(p: Player, out: Array, n: int) -> int:
    """Write the different cards of a hand to `out`, to be turned into actions there."""
    last = -1
    for slot in range(p.hand.count):
        card = p.hand.cards[slot]
        if card != last:
            out[n] = card
            n += 1
        last = card
    return n


@rule
def list_faces(p: Player, out: Array, n: int) -> int:
    """Write the faces that the cards of a hand can have to `out`: a Joker has every suit."""
    n = list_cards(p, out, n)
    if p.hand.count > 0 and out[n - 1] == JOKER:
        for suit in range(1, SUITS):
            out[n] = JOKER + suit
            n += 1
    return n


@rule
def list_exchange(s: State, out: Array, n: int) -> int:
    """List the cards that can be exchanged."""
    first = n
    n = list_cards(s.players[s.to_move - 1], out, first)
    for index in range(first, n):
        out[index] = EXCHANGE.id(out[index])
    return n


@rule
def list_attack(s: State, out: Array, n: int) -> int:
    """List the cards that can be sent to each tower (TWR-20)."""
    if why_no_attack(s) != OK:
        return n
    for target in range(s.seats):
        if why_no_target(s, target + 1) == OK:
            first = n
            n = list_faces(s.players[s.active - 1], out, first)
            for index in range(first, n):
                out[index] = ATTACK.id(target, out[index])
    return n


@rule
def list_deflect(s: State, out: Array, n: int) -> int:
    """List the attacks that the seat to move can deflect, each with the cards that can do it (TWR-30)."""
    if why_no_deflection(s) != OK:
        return n
    p = s.players[s.to_move - 1]
    for number in range(s.flying):
        if why_not_deflectable(s, number) != OK:
            continue
        last = -1
        for slot in range(p.hand.count):
            card = p.hand.cards[slot]
            if card != last and why_not_strong_enough(s.attacks[number].face, card) == OK:
                out[n] = DEFLECT.id(number, card)
                n += 1
            last = card
    return n


@rule
def list_repair(s: State, out: Array, n: int) -> int:
    """List the levels that can be repaired, each with the cards that can do it (TWR-36)."""
    if why_not_mend(s) != OK:
        return n
    kept = n
    for index in range(n, list_faces(s.players[s.active - 1], out, n)):
        face = out[index]
        if why_not_repair_level(s, suit_of(face)) == OK:
            out[kept] = REPAIR.id(face)
            kept += 1
    return kept


@rule
def list_rebuild(s: State, out: Array, n: int) -> int:
    """List the gaps that can be filled, each with the cards that can do it (TWR-41)."""
    if why_not_mend(s) != OK:
        return n
    kept = n
    for index in range(n, list_faces(s.players[s.active - 1], out, n)):
        face = out[index]
        if why_not_rebuild_level(s, suit_of(face)) == OK:
            out[kept] = REBUILD.id(face)
            kept += 1
    return kept


@rule
def list_discard(s: State, out: Array, n: int) -> int:
    """List the cards that can be discarded."""
    first = n
    n = list_cards(s.players[s.active - 1], out, first)
    for index in range(first, n):
        out[index] = DISCARD.id(out[index])
    return n


@rule
def list_hit(s: State, out: Array, n: int) -> int:
    """List each arriving attack with each level that it can harm (TWR-22)."""
    for number in range(s.flying):
        for level in range(SUITS):
            if why_not_hit(s, number, level) == OK:
                out[n] = HIT.id(number, level)
                n += 1
    return n


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.BATTLE:
        return list_plays(s, out)
    if s.phase == Phase.DRAW or s.phase == Phase.SOURCE:
        return list_draws(s, out)
    n = 0
    if s.phase == Phase.EXCHANGE:
        n = list_laying(s, out, list_exchange(s, out, n))
    elif s.phase == Phase.ARRIVAL:
        n = list_hit(s, out, n)
    elif s.phase == Phase.LAY:
        n = list_laying(s, out, n)
        out[n] = STOP.id()
        n += 1
    elif s.phase == Phase.DEFEND:
        n = list_deflect(s, out, n)
        out[n] = PASS.id()
        n += 1
    return n


@rule
def list_plays(s: State, out: Array) -> int:
    """List the plays of a turn: attacks, deflections, repairs, rebuilding, discards (TWR-13)."""
    n = 0
    if why_not_stop_playing(s) == OK:
        out[n] = STOP.id()
        n += 1
    n = list_attack(s, out, n)
    n = list_deflect(s, out, n)
    n = list_repair(s, out, n)
    n = list_rebuild(s, out, n)
    return list_discard(s, out, n)


@rule
def list_draws(s: State, out: Array) -> int:
    """List the piles from which a card can be drawn, and stopping."""
    n = 0
    if why_not_draw(s) == OK:
        out[n] = DRAW.id()
        n += 1
    if why_not_take(s) == OK:
        out[n] = TAKE.id()
        n += 1
    if s.phase == Phase.DRAW and why_not_stop_drawing(s) == OK:
        out[n] = STOP.id()
        n += 1
    return n


@rule
def list_laying(s: State, out: Array, n: int) -> int:
    """List laying the tower."""
    if why_not_lay(s) == OK:
        out[n] = LAY.id()
        n += 1
    return n
