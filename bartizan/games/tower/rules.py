"""Set up Tower, pass the turn, and end the game."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.tower.arrivals import arrive, ask_next_defender
from bartizan.games.tower.battle import begin_plays, why_no_deflection
from bartizan.games.tower.build import ask_for_source, ask_to_exchange
from bartizan.games.tower.draw import count_draws
from bartizan.games.tower.options import CapResult, Decks, DefenceWindow, Jokers
from bartizan.games.tower.state import (
    AFTER_LAYING,
    DEAL,
    DRAWN,
    JOKER,
    PLAIN,
    SUITS,
    Phase,
    Standing,
    State,
    Step,
)
from bartizan.games.tower.table import (
    can_draw,
    clear_spent,
    deal,
    draw_card,
    lay_forced,
    onto_deck,
    shuffle_deck,
)
from bartizan.games.tower.values import count_levels, count_sent, is_under_attack

LAST_STANDING = code("TWR-64")
NOBODY_LEFT = code("TWR-65")

# --- Set-up (TWR-1, TWR-3, TWR-4) --------------------------------------------


@rule
def decks_of(s: State) -> int:
    """Return how many decks are in play (TWR-1, TWR-Q1: `decks`, settled by the number of seats before)."""
    return 2 if s.options.decks == Decks.TWO else 1


@rule
def jokers_of(s: State) -> int:
    """Return how many Jokers are in play (TWR-3, TWR-Q2: `jokers`)."""
    return 2 if s.options.jokers == Jokers.TWO else 0


@rule
def setup(s: State) -> None:
    """Deal five cards to each seat; the dealer is random and not first (TWR-4, TWR-6, TWR-Q0)."""
    for seat in range(s.seats):
        clear_tower(s, seat)
    s.left = s.seats
    for _ in range(decks_of(s)):
        for card in range(PLAIN):
            onto_deck(s, card, 0)
    for _ in range(jokers_of(s)):
        onto_deck(s, JOKER, 0)
    shuffle_deck(s)
    for seat in range(s.seats):
        for _ in range(DEAL):
            deal(s, seat + 1)
    s.active = below(s, s.seats) + 1
    s.step = Step.TURN
    run(s)


@rule
def clear_tower(s: State, seat: int) -> None:
    """Empty every level of a tower."""
    for level in range(SUITS):
        s.players[seat].tower[level] = EMPTY


# --- The order of a turn (TWR-6, TWR-18) -------------------------------------


@rule
def run(s: State) -> None:
    """Run until someone has a decision or the game is over."""
    while s.phase == Phase.RUNNING:
        if is_decided(s):
            finish(s)
        elif s.step == Step.TURN:
            begin_turn(s)
        elif s.step == Step.WINDOW:
            ask_next_defender(s)
        elif s.step == Step.ARRIVE:
            begin_arrivals(s)
        elif s.step == Step.PLAY:
            go_on_playing(s)
        elif s.step == Step.DRAW:
            count_draws(s)
            s.step = Step.DRAWING
        elif s.step == Step.DRAWING:
            go_on_drawing(s)
        elif s.step == Step.END:
            end_turn(s)
        elif s.step == Step.LAST:
            give_last_turn(s)
        elif s.waiting > 0:
            resume_arrivals(s)
        else:
            pass_turn(s)


@rule
def before_action(s: State, verb: int) -> None:
    """Resume the turn; an action's effects may interrupt it again."""
    s.phase = Phase.RUNNING


@rule
def after_action(s: State, verb: int) -> None:
    """Continue to the next decision."""
    run(s)


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


@rule
def begin_turn(s: State) -> None:
    """Begin the turn of the active seat; first, its attacks may be deflected (TWR-18, TWR-Q18)."""
    s.to_move = s.active
    s.plays_left, s.deflected, s.mended = 0, 0, 0
    open_window = s.options.defence_window == DefenceWindow.ANY_TIME and count_sent(s, s.active) > 0
    s.step = Step.WINDOW if open_window else Step.ARRIVE


@rule
def begin_arrivals(s: State) -> None:
    """Let attacks arrive; then players without a tower exchange, and others play (TWR-13, TWR-18).

    A seat that is out has nothing left to do after its last attacks (TWR-62, TWR-Q31).
    """
    arrive(s)
    if s.phase != Phase.RUNNING or is_decided(s):
        return
    standing = s.players[s.active - 1].standing
    if standing == Standing.BUILDING:
        ask_to_exchange(s)
    elif standing == Standing.DEFENDING:
        begin_plays(s)
        s.step = Step.PLAY
    else:
        s.step = Step.NEXT


@rule
def go_on_playing(s: State) -> None:
    """Ask for the next play; without plays or cards, count the draws (TWR-13, TWR-18, TWR-Q12)."""
    if s.plays_left > 0 and s.players[s.active - 1].hand.count > 0:
        s.phase = Phase.BATTLE
    else:
        s.step = Step.DRAW


@rule
def go_on_drawing(s: State) -> None:
    """Ask for the next card while one is due and available (TWR-19, TWR-Q17)."""
    if s.draws_left > 0 and can_draw(s):
        s.phase = Phase.DRAW
        return
    s.draws_left, s.draws_must = 0, 0
    if s.plays_left > 0:  # a full turn after laying (`lay_down`)
        begin_plays(s)
        s.step = Step.PLAY
    else:
        s.step = Step.END


@rule
def end_turn(s: State) -> None:
    """End the turn: no one builds forever (TWR-Q7); the cards set aside join the discard pile (TWR-Q16)."""
    p = s.players[s.active - 1]
    p.turns += 1
    if p.standing == Standing.BUILDING and p.turns >= s.options.build_cap:
        lay_forced(s, s.active)
        for _ in range(AFTER_LAYING):
            if can_draw(s):
                draw_card(s, s.active)
    clear_spent(s)
    s.step = Step.NEXT


@rule
def pass_turn(s: State) -> None:
    """Pass the turn; a seat that is out keeps its turn while its attacks are in flight (TWR-6, TWR-Q31)."""
    seat = s.active % s.seats + 1
    while s.players[seat - 1].standing == Standing.OUT and count_sent(s, seat) == 0:
        seat = seat % s.seats + 1
    give_turn(s, seat)


@rule
def give_turn(s: State, seat: int) -> None:
    """Give a seat the turn; a player who has used up all turns ends the game (TWR-Q36: `turn_cap`)."""
    if s.players[seat - 1].standing != Standing.OUT and s.players[seat - 1].turns >= s.options.turn_cap:
        break_off(s)
    else:
        s.active = seat
        s.step = Step.TURN


# --- An extra turn for the last player (TWR-63, TWR-Q32: `last_turn`) --------


@rule
def give_last_turn(s: State) -> None:
    """Give the last player a turn at once if an attack arrives before the next one; arrivals wait for it."""
    last = survivor(s)
    if arrives_first(s, s.active, last):
        s.waiting = s.active
        give_turn(s, last)
    else:
        s.step = Step.ARRIVE


@rule
def arrives_first(s: State, first: int, last: int) -> bool:
    """Return whether an attack on a seat arrives before its turn, if seat `first` is next."""
    seat = first
    while seat != last:
        for number in range(s.flying):
            if s.attacks[number].sender == seat and s.attacks[number].target == last:
                return True
        seat = seat % s.seats + 1
    return False


@rule
def resume_arrivals(s: State) -> None:
    """Continue the turn that the extra one interrupted: the rest of its attacks arrive."""
    s.active, s.waiting = s.waiting, 0
    begin_turn(s)
    s.step = Step.ARRIVE  # no one is asked to deflect a second time (`defence_window`)


# --- The end (TWR-61 to TWR-65) ----------------------------------------------


@rule
def is_decided(s: State) -> bool:
    """Return whether at most one player is left and not under threat (TWR-63, TWR-64, TWR-Q32)."""
    return s.left <= 1 and (s.left == 0 or not is_under_attack(s, survivor(s)))


@rule
def survivor(s: State) -> int:
    """Return the first seat that is not out, 0 if all are."""
    for seat in range(1, s.seats + 1):
        if s.players[seat - 1].standing != Standing.OUT:
            return seat
    return 0


@rule
def finish(s: State) -> None:
    """End the game: the last player standing wins, if there is one (TWR-64, TWR-65)."""
    s.phase, s.waiting = Phase.OVER, 0
    s.winner = survivor(s) if s.left == 1 else DRAWN


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game, with or without a winner; OK while it runs."""
    if s.phase != Phase.OVER:
        return OK
    return NOBODY_LEFT if s.left == 0 else LAST_STANDING


@rule
def break_off(s: State) -> None:
    """End a game that has gone on for too long (TWR-Q36: `turn_cap`, `cap_result`)."""
    s.phase, s.waiting = Phase.OVER, 0
    s.winner = DRAWN
    if s.options.cap_result == CapResult.LEVELS:
        best = -1
        for seat in range(1, s.seats + 1):
            worth = strength(s, seat)
            if worth > best:
                best, s.winner = worth, seat
            elif worth == best:
                s.winner = DRAWN


@rule
def strength(s: State, seat: int) -> int:
    """Return what decides a stopped game: intact levels, then damaged ones; -1 for players who are out."""
    p = s.players[seat - 1]
    if p.standing == Standing.OUT:
        return -1
    damaged = 0
    for level in range(SUITS):
        damaged += p.damaged[level]
    return (count_levels(p) - damaged) * (SUITS + 1) + damaged
