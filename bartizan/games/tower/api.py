"""What the engine calls: list, refuse and play Tower's actions."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.clauses import OK, code
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
    draw,
    stop_drawing,
    stop_playing,
    why_draws_are_due,
    why_not_draw,
    why_not_stop_drawing,
    why_not_stop_playing,
    why_not_take,
)
from bartizan.games.tower.rules import run, setup
from bartizan.games.tower.state import (
    ATTACK,
    CARDS,
    DEFLECT,
    DISCARD,
    DRAWN,
    EXCHANGE,
    FACES,
    HIT,
    JOKER,
    LAY,
    PASS,
    REBUILD,
    REPAIR,
    STOP,
    SUITS,
    TAKE_NEW,
    TAKE_OLD,
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

EXCHANGING = code("TWR-7")
CARD_FIRST = code("TWR-8")
LAYING = code("TWR-9")
LAID = code("TWR-12")
PLAYING = code("TWR-13")
NOT_BEFORE_LAYING = code("TWR-17")
IN_ORDER = code("TWR-18")
ARRIVING = code("TWR-21")
LEVEL_ASKED = code("TWR-22")
DEFENDING = code("TWR-31")
WON = code("TWR-64")
NOBODY_WON = code("TWR-65")


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
def ended_by(s: State) -> int:
    """Return the clause that ended the game: somebody stands last, or nobody does."""
    if s.phase != Phase.OVER:
        return OK
    return NOBODY_WON if s.left == 0 else WON


@rule
def rounds(s: State) -> int:
    """Return the turn that the players still in the game have reached together, or the last."""
    fewest, most = s.options.turn_cap, 0
    for seat in range(s.seats):
        most = larger(most, s.players[seat].turns)
        if s.players[seat].standing != Standing.OUT:
            fewest = smaller(fewest, s.players[seat].turns)
    return smaller(s.options.turn_cap, (most if s.left == 0 else fewest) + 1)


# --- What the table waits for ------------------------------------------------


@rule
def why_not_in_phase(s: State, action: int) -> int:
    """Tell why the table does not wait for this kind of action now."""
    if s.phase == Phase.OVER:
        return ended_by(s)
    if action == PASS:
        return why_not_pass(s)
    if s.phase <= Phase.LAY:
        return why_not_building(s, action)
    if action == LAY or action < TAKE_NEW:
        return LAID
    if s.phase == Phase.ARRIVAL:
        return OK if HIT <= action < PASS else LEVEL_ASKED
    if s.phase == Phase.DEFEND:
        return OK if DEFLECT <= action < REPAIR else DEFENDING
    if action >= HIT:
        return ARRIVING
    if s.phase == Phase.DRAW:
        return OK if action <= STOP else IN_ORDER
    return OK if action >= STOP else IN_ORDER


@rule
def why_not_pass(s: State) -> int:
    """Tell why nobody passes now: only a defence out of turn is left off (TWR-7, TWR-13, TWR-18, TWR-31)."""
    if s.phase == Phase.DEFEND:
        return OK
    if s.phase <= Phase.LAY:
        return EXCHANGING
    if s.phase == Phase.ARRIVAL:
        return IN_ORDER
    return PLAYING if s.phase == Phase.BATTLE else why_draws_are_due(s)


@rule
def why_not_building(s: State, action: int) -> int:
    """Tell why a player who builds is not asked for this kind of action now (TWR-7 to TWR-17)."""
    if DEFLECT <= action < REPAIR or DISCARD <= action < HIT:
        return PLAYING
    if action > STOP:
        return LAID if REPAIR <= action < DISCARD else NOT_BEFORE_LAYING
    if s.phase == Phase.SOURCE:
        return OK if TAKE_NEW <= action <= TAKE_OLD else CARD_FIRST
    if s.phase == Phase.LAY:
        return OK if LAY <= action <= STOP else LAYING
    if action == STOP:
        return EXCHANGING
    return OK if action < TAKE_NEW or action == LAY else CARD_FIRST


@rule
def why_not(s: State, action: int) -> int:
    """Return the clause that forbids an action, or OK."""
    refused = why_not_in_phase(s, action)
    if refused != OK:
        return refused
    if action < TAKE_NEW:
        refused = why_not_exchange(s, action - EXCHANGE)
    elif action == TAKE_NEW:
        refused = why_not_draw(s)
    elif action == TAKE_OLD:
        refused = why_not_take(s)
    elif action == LAY:
        refused = why_not_lay(s)
    elif action == STOP:
        refused = why_not_stop(s)
    elif action < DEFLECT:
        refused = why_not_attack(s, (action - ATTACK) // FACES + 1, (action - ATTACK) % FACES)
    elif action < REPAIR:
        refused = why_not_deflect(s, (action - DEFLECT) // CARDS, (action - DEFLECT) % CARDS)
    elif action < REBUILD:
        refused = why_not_repair(s, action - REPAIR)
    elif action < DISCARD:
        refused = why_not_rebuild(s, action - REBUILD)
    elif action < HIT:
        refused = why_not_discard(s, action - DISCARD)
    elif action < PASS:
        refused = why_not_hit(s, (action - HIT) // SUITS, (action - HIT) % SUITS)
    return refused


@rule
def why_not_stop(s: State) -> int:
    """Tell why what is asked cannot be declined."""
    if s.phase == Phase.DRAW:
        return why_not_stop_drawing(s)
    return OK if s.phase == Phase.LAY else why_not_stop_playing(s)


# --- Playing -----------------------------------------------------------------


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    phase = s.phase
    s.phase = Phase.RUNNING
    if action < TAKE_NEW:
        exchange(s, action - EXCHANGE)
    elif action <= TAKE_OLD:
        if phase == Phase.SOURCE:
            replace(s, action == TAKE_OLD)
        else:
            draw(s, action == TAKE_OLD)
    elif action == LAY:
        lay(s, phase == Phase.LAY)
    elif action == STOP:
        stop(s, phase)
    elif action < DEFLECT:
        attack(s, (action - ATTACK) // FACES + 1, (action - ATTACK) % FACES)
    elif action < REPAIR:
        deflect(s, (action - DEFLECT) // CARDS, (action - DEFLECT) % CARDS, phase == Phase.DEFEND)
    elif action < REBUILD:
        repair(s, action - REPAIR)
    elif action < DISCARD:
        rebuild(s, action - REBUILD)
    elif action < HIT:
        discard(s, action - DISCARD)
    elif action < PASS:
        hit(s, (action - HIT) // SUITS, (action - HIT) % SUITS)
    else:
        s.step = Step.WINDOW
    run(s)


@rule
def stop(s: State, phase: int) -> None:
    """Decline to lay the tower, to draw, or to play on."""
    if phase == Phase.LAY:
        s.step = Step.END
    elif phase == Phase.DRAW:
        stop_drawing(s)
    else:
        stop_playing(s)


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
    if s.phase == Phase.EXCHANGE:
        return list_exchanges(s, out)
    if s.phase == Phase.ARRIVAL:
        return list_hits(s, out)
    n = 0
    if s.phase == Phase.DEFEND:
        n = list_deflections(s, out, 0)
        out[n] = PASS
        return n + 1
    if s.phase != Phase.OVER:
        for action in range(TAKE_NEW, ATTACK):
            if why_not(s, action) == OK:
                out[n] = action
                n += 1
    return n


@rule
def list_exchanges(s: State, out: Array) -> int:
    """List the cards that can be exchanged, and laying the tower."""
    n = list_cards(s.players[s.to_move - 1], EXCHANGE, 1, out, 0)
    if why_not_lay(s) == OK:
        out[n] = LAY
        n += 1
    return n


@rule
def list_cards(p: Player, first: int, joker_actions: int, out: Array, n: int) -> int:
    """List the different cards of a hand, in a block of actions that is numbered by cards.

    A Joker has one action there, or one for each suit.
    """
    last = -1
    for slot in range(p.hand.count):
        card = p.hand.cards[slot]
        if card != last:
            for suit in range(1 if card < JOKER else joker_actions):
                out[n] = first + card + suit
                n += 1
        last = card
    return n


@rule
def list_plays(s: State, out: Array) -> int:
    """List the plays of a turn: attacks, deflections, repairs, rebuilding, discards (TWR-13)."""
    p = s.players[s.active - 1]
    n = 0
    if why_not_stop_playing(s) == OK:
        out[n] = STOP
        n += 1
    if why_no_attack(s) == OK:
        for target in range(1, s.seats + 1):
            if why_no_target(s, target) == OK:
                n = list_cards(p, ATTACK + (target - 1) * FACES, SUITS, out, n)
    n = list_deflections(s, out, n)
    if why_not_mend(s) == OK:
        n = list_mending(s, p, out, n)
    return list_cards(p, DISCARD, 1, out, n)


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
                out[n] = DEFLECT + number * CARDS + card
                n += 1
            last = card
    return n


@rule
def list_mending(s: State, p: Player, out: Array, n: int) -> int:
    """List the repairs, then the rebuilding (TWR-36, TWR-41)."""
    first = n
    n = list_cards(p, REPAIR, SUITS, out, n)
    kept = first
    for index in range(first, n):
        if why_not_repair_level(s, suit_of(out[index] - REPAIR)) == OK:
            out[kept] = out[index]
            kept += 1
    first = kept
    n = list_cards(p, REBUILD, SUITS, out, kept)
    for index in range(first, n):
        if why_not_rebuild_level(s, suit_of(out[index] - REBUILD)) == OK:
            out[kept] = out[index]
            kept += 1
    return kept


@rule
def list_hits(s: State, out: Array) -> int:
    """List each arriving attack with each level that it would harm (TWR-22)."""
    n = 0
    for number in range(s.flying):
        for level in range(SUITS):
            if why_not_hit(s, number, level) == OK:
                out[n] = HIT + number * SUITS + level
                n += 1
    return n
