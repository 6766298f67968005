"""Compare cards and inspect towers: suits, ranks, levels, and the bonuses of intact levels."""

from __future__ import annotations

from bartizan.engine.record import EMPTY, table
from bartizan.engine.rule import rule
from bartizan.games.tower.state import (
    JOKER,
    LIZARD,
    MOAT_CARDS,
    PAPER,
    ROCK,
    SCISSORS,
    SUITS,
    WATER,
    Player,
    Standing,
    State,
)

# --- The suits (TWR-24) ------------------------------------------------------

# For each suit the two that it beats, one bit each.
BEATS = table(
    [
        1 << SCISSORS | 1 << LIZARD,
        1 << ROCK | 1 << WATER,
        1 << PAPER | 1 << LIZARD,
        1 << ROCK | 1 << SCISSORS,
        1 << PAPER | 1 << WATER,
    ]
)


@rule
def beats(suit: int, other: int) -> bool:
    """Return whether a suit is stronger than another (TWR-24, TWR-30)."""
    return BEATS[suit] >> other & 1 == 1


@rule
def suit_of(face: int) -> int:
    """Return a face's suit; a Joker that has none yet counts as rock (see state.py for faces)."""
    return face % SUITS


# --- The ranks (TWR-59) ------------------------------------------------------

ACE = 14


@rule
def rank_of(face: int) -> int:
    """Return a card's rank as a level or when deflecting: 2 to 14, 0 for a Joker (TWR-59, TWR-Q3)."""
    return 0 if face >= JOKER else ACE - face // SUITS


@rule
def attack_rank(face: int) -> int:
    """Return a card's rank as an attack: 1 for an Ace, 0 for a Joker (TWR-59, TWR-Q2)."""
    rank = rank_of(face)
    return 1 if rank == ACE else rank


# --- Towers ------------------------------------------------------------------


@rule
def is_intact(p: Player, level: int) -> bool:
    """Return whether a level stands undamaged."""
    return p.tower[level] != EMPTY and not p.damaged[level]


@rule
def count_levels(p: Player) -> int:
    """Return how many levels stand, damaged ones too."""
    levels = 0
    for level in range(SUITS):
        if p.tower[level] != EMPTY:
            levels += 1
    return levels


@rule
def is_vulnerable(p: Player, level: int, face: int) -> bool:
    """Return whether an attack can harm a level: it stands and has a weaker suit (TWR-24)."""
    return p.tower[level] != EMPTY and beats(suit_of(face), level)


@rule
def would_destroy(p: Player, level: int, face: int) -> bool:
    """Return whether an attack that harms a level also destroys it (TWR-25 to TWR-27, TWR-60)."""
    return p.damaged[level] == 1 or attack_rank(face) > rank_of(p.tower[level])


@rule
def can_be_harmed(p: Player, face: int) -> bool:
    """Return whether an attack can harm any level of a tower (TWR-28)."""
    if p.standing != Standing.DEFENDING:
        return False
    harmed = 0
    for level in range(SUITS):
        harmed += is_vulnerable(p, level, face)
    return harmed > 0


# --- Bonuses, while a level is intact (TWR-44 to TWR-48) ---------------------


@rule
def hand_limit(s: State, p: Player) -> int:
    """Return how many cards may be held: three (`hand`), or two more with the Moat (TWR-14, TWR-47)."""
    return s.options.hand + (MOAT_CARDS if is_intact(p, WATER) else 0)


@rule
def attack_limit(p: Player) -> int:
    """Return how many attacks a turn allows: one, or two with the Dragon (TWR-29, TWR-48)."""
    return 2 if is_intact(p, LIZARD) else 1


@rule
def deflection_limit(p: Player) -> int:
    """Return how many deflections a turn allows: one, or two with the Soldiers (TWR-33, TWR-46)."""
    return 2 if is_intact(p, SCISSORS) else 1


# --- Hands -------------------------------------------------------------------


@rule
def is_complete(p: Player) -> bool:
    """Return whether a hand holds every suit, with Jokers for missing ones (TWR-5, TWR-9, TWR-Q2)."""
    suits, jokers = 0, 0
    for slot in range(p.hand.count):
        if p.hand.cards[slot] >= JOKER:
            jokers += 1
        else:
            suits |= 1 << suit_of(p.hand.cards[slot])
    for level in range(SUITS):
        jokers += suits >> level & 1
    return jokers >= SUITS


# --- Attacks in flight -------------------------------------------------------


@rule
def count_sent(s: State, seat: int) -> int:
    """Return how many attacks a seat has in flight; during its plays, only those of this turn (TWR-29)."""
    sent = 0
    for number in range(s.flying):
        if s.attacks[number].sender == seat:
            sent += 1
    return sent


@rule
def is_repeated(s: State, number: int) -> bool:
    """Return whether an equal attack comes earlier in the list: both are the same choice."""
    for earlier in range(number):
        if (
            s.attacks[earlier].sender == s.attacks[number].sender
            and s.attacks[earlier].target == s.attacks[number].target
            and s.attacks[earlier].face == s.attacks[number].face
        ):
            return True
    return False


@rule
def is_under_attack(s: State, seat: int) -> bool:
    """Return whether an attack on a seat is in flight (TWR-63)."""
    threats = 0
    for number in range(s.flying):
        threats += s.attacks[number].target == seat
    return threats > 0
