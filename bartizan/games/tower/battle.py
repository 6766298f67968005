"""Make the plays of a turn: attack, deflect, repair, rebuild, discard (TWR-13 to TWR-43)."""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import find, push
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.tower.arrivals import may_defend
from bartizan.games.tower.state import (
    JOKER,
    PAPER,
    ROCK,
    Phase,
    Standing,
    State,
    Step,
)
from bartizan.games.tower.table import land, launch, lay_level, out_of_hand, put_down
from bartizan.games.tower.values import (
    attack_limit,
    attack_rank,
    beats,
    count_sent,
    deflection_limit,
    is_intact,
    is_repeated,
    rank_of,
    suit_of,
)

NO_CARD_TO_DISCARD = code("TWR-15")
NO_TARGET = code("TWR-17")
NO_CARD_TO_SEND = code("TWR-20")
ONE_ATTACK = code("TWR-29")
NOT_STRONG_ENOUGH = code("TWR-30")
TOO_LATE = code("TWR-31")
ONE_DEFLECTION = code("TWR-33")
NOT_YOURS = code("TWR-34")
NO_REPAIR = code("TWR-36")
GOVERNMENT_FIRST = code("TWR-39")
GOVERNMENT_GONE = code("TWR-40")
NO_REBUILDING = code("TWR-41")
ONE_LEVEL = code("TWR-43")


@rule
def begin_plays(s: State) -> None:
    """Begin the plays of Part 2: two cards (`plays`), or fewer if the hand is smaller (TWR-13, TWR-Q12)."""
    s.plays_left = s.options.plays
    s.deflected, s.mended = 0, 0


@rule
def count_play(s: State) -> None:
    """Count one of the turn's plays."""
    s.plays_left -= 1
    s.step = Step.PLAY


@rule
def why_no_card(s: State, face: int, clause: int) -> int:
    """Return the clause saying that a card is not in the player's hand."""
    return OK if find(s.players[s.to_move - 1].hand, smaller(face, JOKER)) != EMPTY else clause


# --- Attacking (TWR-17, TWR-20, TWR-29) --------------------------------------


@rule
def why_no_target(s: State, seat: int) -> int:
    """Return why a seat can't be attacked: only another player's standing tower can (TWR-17, TWR-Q20)."""
    if seat == s.active or seat > s.seats or s.players[seat - 1].standing != Standing.DEFENDING:
        return NO_TARGET
    return OK


@rule
def why_no_attack(s: State) -> int:
    """Return why no more attacks can be sent this turn (TWR-29)."""
    return OK if count_sent(s, s.active) < attack_limit(s.players[s.active - 1]) else ONE_ATTACK


@rule
def why_not_attack(s: State, target: int, face: int) -> int:
    """Return why a card cannot be sent to a tower; `target` is its seat less one."""
    refused = why_no_target(s, target + 1)
    if refused == OK:
        refused = why_no_card(s, face, NO_CARD_TO_SEND)
    return why_no_attack(s) if refused == OK else refused


@rule
def attack(s: State, target: int, face: int) -> None:
    """Send a card to a tower; it arrives when the sender's next turn begins (TWR-20, TWR-21)."""
    out_of_hand(s.players[s.active - 1], smaller(face, JOKER))
    launch(s, s.active, target + 1, face)
    count_play(s)


# --- Deflecting (TWR-30 to TWR-34) -------------------------------------------


@rule
def why_no_deflection(s: State) -> int:
    """Return why the seat to move can't deflect any more attacks in this turn or window (TWR-33)."""
    return OK if s.deflected < deflection_limit(s.players[s.to_move - 1]) else ONE_DEFLECTION


@rule
def why_not_deflectable(s: State, number: int) -> int:
    """Return why the seat to move may not deflect an attack (TWR-30, TWR-34, TWR-Q23)."""
    if number >= s.flying or s.attacks[number].sender == s.to_move or is_repeated(s, number):
        return NOT_STRONG_ENOUGH
    if s.phase == Phase.DEFEND and s.attacks[number].sender != s.active:
        return TOO_LATE
    if not s.options.deflect_for_others and s.attacks[number].target != s.to_move:
        return NOT_YOURS
    return OK


@rule
def why_not_strong_enough(face: int, card: int) -> int:
    """Return why a card does not stop an attack: stronger suit, equal rank at least (TWR-30, TWR-60)."""
    if card < JOKER and not beats(suit_of(card), suit_of(face)):  # a Joker takes the suit it needs
        return NOT_STRONG_ENOUGH
    return OK if rank_of(card) >= attack_rank(face) else NOT_STRONG_ENOUGH


@rule
def why_not_deflect(s: State, number: int, card: int) -> int:
    """Return why a card cannot deflect an attack."""
    refused = why_not_deflectable(s, number)
    if refused == OK:
        refused = why_no_card(s, card, NOT_STRONG_ENOUGH)
    if refused == OK:
        refused = why_not_strong_enough(s.attacks[number].face, card)
    return why_no_deflection(s) if refused == OK else refused


@rule
def deflect(s: State, number: int, card: int) -> None:
    """Play a card on an attack; both go to the Rubble (TWR-30).

    Out of turn, the seat is asked again while it can deflect more (TWR-Q18).
    """
    p = s.players[s.to_move - 1]
    out_of_hand(p, card)
    push(s.rubble, card)
    land(s, number)
    s.deflected += 1
    if s.step != Step.WINDOW:
        count_play(s)
    elif why_no_deflection(s) == OK and may_defend(s, s.to_move):
        s.phase = Phase.DEFEND


# --- Repairing and rebuilding (TWR-36 to TWR-43) -----------------------------


@rule
def why_not_mend(s: State) -> int:
    """Return why no more levels can be repaired or rebuilt this turn (TWR-43, TWR-Q28)."""
    return ONE_LEVEL if s.mended else OK


@rule
def why_not_repair_level(s: State, level: int) -> int:
    """Return why a level cannot be repaired (TWR-36, TWR-39, TWR-40)."""
    p = s.players[s.active - 1]
    if p.tower[PAPER] == EMPTY:
        return GOVERNMENT_GONE
    if p.tower[level] == EMPTY or not p.damaged[level]:
        return NO_REPAIR
    return GOVERNMENT_FIRST if level != PAPER and p.damaged[PAPER] else OK


@rule
def why_not_repair(s: State, face: int) -> int:
    """Return why a card cannot repair the level of its suit."""
    refused = why_not_repair_level(s, suit_of(face))
    if refused == OK:
        refused = why_no_card(s, face, NO_REPAIR)
    return why_not_mend(s) if refused == OK else refused


@rule
def repair(s: State, face: int) -> None:
    """Turn a damaged level upright again; the card is put down (TWR-36, TWR-38, TWR-39)."""
    p = s.players[s.active - 1]
    put_down(s, p, smaller(face, JOKER))
    p.damaged[suit_of(face)] = 0
    s.mended = 1
    count_play(s)


@rule
def why_not_rebuild_level(s: State, level: int) -> int:
    """Return why a level cannot be rebuilt (TWR-40, TWR-41, TWR-Q25, TWR-Q26)."""
    p = s.players[s.active - 1]
    if p.tower[PAPER] == EMPTY:
        return GOVERNMENT_GONE
    if p.tower[level] != EMPTY or not is_intact(p, ROCK) or not is_intact(p, PAPER):
        return NO_REBUILDING
    return OK


@rule
def why_not_rebuild(s: State, face: int) -> int:
    """Return why a card cannot fill the gap of its suit."""
    refused = why_not_rebuild_level(s, suit_of(face))
    if refused == OK:
        refused = why_no_card(s, face, NO_REBUILDING)
    return why_not_mend(s) if refused == OK else refused


@rule
def rebuild(s: State, face: int) -> None:
    """Put a card into a gap of the tower (TWR-41, TWR-42)."""
    lay_level(s.players[s.active - 1], suit_of(face), smaller(face, JOKER))
    s.mended = 1
    count_play(s)


# --- Discarding (TWR-15) -----------------------------------------------------


@rule
def why_not_discard(s: State, card: int) -> int:
    """Return why a card cannot be discarded instead of a play (TWR-15, TWR-Q11)."""
    return why_no_card(s, card, NO_CARD_TO_DISCARD)


@rule
def discard(s: State, card: int) -> None:
    """Discard a card instead of a play (TWR-15)."""
    put_down(s, s.players[s.active - 1], card)
    count_play(s)
