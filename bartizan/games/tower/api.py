"""What the engine calls: list, refuse and play Tower's actions."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.clauses import OK
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.tower.arrivals import hit, why_not_hit
from bartizan.games.tower.battle import (
    attack,
    deflect,
    discard,
    rebuild,
    repair,
    why_no_attack,
    why_no_deflection,
    why_no_target,
    why_not_attack,
    why_not_deflect,
    why_not_deflectable,
    why_not_discard,
    why_not_mend,
    why_not_rebuild,
    why_not_rebuild_level,
    why_not_repair,
    why_not_repair_level,
    why_not_strong_enough,
)
from bartizan.games.tower.build import ask_for_source, exchange, lay, replace, why_not_exchange, why_not_lay
from bartizan.games.tower.determinization import determinize
from bartizan.games.tower.draw import (
    draw_at_end,
    stop_drawing,
    stop_playing,
    why_not_draw,
    why_not_stop_drawing,
    why_not_stop_playing,
    why_not_take,
)
from bartizan.games.tower.phases import why_not_in_phase
from bartizan.games.tower.rules import ended_by, run, setup
from bartizan.games.tower.state import (
    ACTIONS,
    ATTACK,
    DEFLECT,
    DISCARD,
    DRAW,
    DRAWN,
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
    Standing,
    State,
    Step,
)
from bartizan.games.tower.values import suit_of

__all__ = [
    "apply",
    "determinize",
    "ended_by",
    "has_won",
    "is_over",
    "legal_actions",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide, 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else s.to_move


@rule
def is_over(s: State) -> bool:
    """Say whether the game has ended."""
    return s.phase == Phase.OVER


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether a seat has won (TWR-64)."""
    return s.winner == seat


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for the winner, -1 for the others, 0 while the game runs and where nobody has won."""
    if s.winner == 0 or s.winner == DRAWN:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def rounds(s: State) -> int:
    """Return the turn that the players still in the game have reached together, or the last."""
    fewest, most = s.options.turn_cap, 0
    for seat in range(s.seats):
        most = larger(most, s.players[seat].turns)
        if s.players[seat].standing != Standing.OUT:
            fewest = smaller(fewest, s.players[seat].turns)
    return smaller(s.options.turn_cap, (most if s.left == 0 else fewest) + 1)


# --- Refusing -----------------------------------------------------------------


@rule
def why_not_stop(s: State) -> int:
    """Tell why what is asked cannot be declined."""
    if s.phase == Phase.DRAW:
        return why_not_stop_drawing(s)
    return OK if s.phase == Phase.LAY else why_not_stop_playing(s)


why_not = ACTIONS.rule(
    "why_not",
    guard=why_not_in_phase,
    exchange=why_not_exchange,
    draw=why_not_draw,
    take=why_not_take,
    lay=why_not_lay,
    stop=why_not_stop,
    attack=why_not_attack,
    deflect=why_not_deflect,
    repair=why_not_repair,
    rebuild=why_not_rebuild,
    discard=why_not_discard,
    hit=why_not_hit,
    pass_=OK,  # TWR-31
)


# --- Playing: `step` tells what the table waited for ---------------------------


@rule
def wait_no_more(s: State, verb: int) -> None:
    """Let the turn run again; what an action does may stop it once more."""
    s.phase = Phase.RUNNING


@rule
def draw(s: State) -> None:
    """Take the draw pile's top card: at the end of a turn, or as a replacement."""
    if s.step == Step.DRAWING:
        draw_at_end(s, False)
    else:
        replace(s, False)


@rule
def take(s: State) -> None:
    """Take the discard pile's top card likewise."""
    if s.step == Step.DRAWING:
        draw_at_end(s, True)
    else:
        replace(s, True)


@rule
def stop(s: State) -> None:
    """Draw no more, play no more, or go on exchanging: the turn ends anyway after the exchange."""
    if s.step == Step.DRAWING:
        stop_drawing(s)
    elif s.step == Step.PLAY:
        stop_playing(s)


@rule
def go_on(s: State, verb: int) -> None:
    """Run on to the next decision."""
    run(s)


apply = ACTIONS.rule(
    "apply",
    before=wait_no_more,
    after=go_on,
    exchange=exchange,
    draw=draw,
    take=take,
    lay=lay,
    stop=stop,
    attack=attack,
    deflect=deflect,
    repair=repair,
    rebuild=rebuild,
    discard=discard,
    hit=hit,
    pass_=OK,  # the next seat is asked
)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.OVER:
        return
    if s.phase == Phase.SOURCE:
        s.phase = Phase.RUNNING
        ask_for_source(s)
    elif s.phase == Phase.DEFEND:
        if why_no_deflection(s) != OK:
            s.phase = Phase.RUNNING
    elif s.phase != Phase.LAY:
        s.phase = Phase.RUNNING
    run(s)


# --- Listing -----------------------------------------------------------------


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.BATTLE:
        return list_plays(s, out)
    if s.phase == Phase.DRAW or s.phase == Phase.SOURCE:
        return list_draws(s, out)
    if s.phase == Phase.EXCHANGE:
        return list_laying(s, out, list_exchanges(s, out))
    if s.phase == Phase.ARRIVAL:
        return list_hits(s, out)
    n = 0
    if s.phase == Phase.LAY:
        n = list_laying(s, out, n)
        out[n] = STOP.id()
        n += 1
    elif s.phase == Phase.DEFEND:
        n = list_deflections(s, out, n)
        out[n] = PASS.id()
        n += 1
    return n


@rule
def list_draws(s: State, out: Array) -> int:
    """List the piles from which a card can be had, and drawing no more."""
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


@rule
def list_cards(p: Player, out: Array, n: int) -> int:
    """Write the different cards of a hand to `out`, to be made actions of there."""
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
    """Write likewise what the cards of a hand may count as: a Joker as every suit."""
    n = list_cards(p, out, n)
    if p.hand.count > 0 and out[n - 1] == JOKER:
        for suit in range(1, SUITS):
            out[n] = JOKER + suit
            n += 1
    return n


@rule
def list_exchanges(s: State, out: Array) -> int:
    """List the cards that can be exchanged."""
    n = list_cards(s.players[s.to_move - 1], out, 0)
    for index in range(n):
        out[index] = EXCHANGE.id(out[index])
    return n


@rule
def list_plays(s: State, out: Array) -> int:
    """List the plays of a turn: attacks, deflections, repairs, rebuilding, discards (TWR-13)."""
    p = s.players[s.active - 1]
    n = 0
    if why_not_stop_playing(s) == OK:
        out[n] = STOP.id()
        n += 1
    if why_no_attack(s) == OK:
        for target in range(s.seats):
            if why_no_target(s, target + 1) == OK:
                n = list_attacks(p, target, out, n)
    n = list_deflections(s, out, n)
    if why_not_mend(s) == OK:
        n = list_repairs(s, p, out, n)
        n = list_rebuilding(s, p, out, n)
    first = n
    n = list_cards(p, out, first)
    for index in range(first, n):
        out[index] = DISCARD.id(out[index])
    return n


@rule
def list_attacks(p: Player, target: int, out: Array, n: int) -> int:
    """List what can be sent to a tower (TWR-20)."""
    first = n
    n = list_faces(p, out, first)
    for index in range(first, n):
        out[index] = ATTACK.id(target, out[index])
    return n


@rule
def list_deflections(s: State, out: Array, n: int) -> int:
    """List the attacks that the seat to move can deflect, each with the cards that do it (TWR-30)."""
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
def list_repairs(s: State, p: Player, out: Array, n: int) -> int:
    """List the levels that can be repaired, each with the cards that do it (TWR-36)."""
    kept = n
    for index in range(n, list_faces(p, out, n)):
        face = out[index]
        if why_not_repair_level(s, suit_of(face)) == OK:
            out[kept] = REPAIR.id(face)
            kept += 1
    return kept


@rule
def list_rebuilding(s: State, p: Player, out: Array, n: int) -> int:
    """List the gaps that can be filled, each with the cards that do it (TWR-41)."""
    kept = n
    for index in range(n, list_faces(p, out, n)):
        face = out[index]
        if why_not_rebuild_level(s, suit_of(face)) == OK:
            out[kept] = REBUILD.id(face)
            kept += 1
    return kept


@rule
def list_hits(s: State, out: Array) -> int:
    """List each arriving attack with each level that it would harm (TWR-22)."""
    n = 0
    for number in range(s.flying):
        for level in range(SUITS):
            if why_not_hit(s, number, level) == OK:
                out[n] = HIT.id(number, level)
                n += 1
    return n
