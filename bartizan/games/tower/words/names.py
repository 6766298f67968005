"""Name Tower's cards, levels and seats for people, and for clients that draw them."""

from __future__ import annotations

from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import JOKER, State

SUIT_NAMES = JANKEN.names  # rock, paper, scissors, water, lizard: the suits are the levels, from the bottom
LEVEL_NAMES = ("Foundation", "Government", "Soldiers", "Moat", "Dragon")
BONUSES = (
    "with the Government, you can rebuild destroyed levels",
    "you can repair damaged levels",
    "two deflections a turn",
    "you can hold two more cards",
    "two attacks a turn",
)
SHORT_BONUSES = ("rebuilding", "repairs", "2 deflections", "+2 cards", "2 attacks")
COLOURS = ("Blue", "Red", "Green", "Orange", "Purple", "Yellow")


def face_text(face: int) -> str:
    """Return a face in notation: ``7w``, or ``*r`` for a Joker that counts as rock."""
    return JANKEN.text(face) if face < JOKER else "*" + JANKEN.suits[face - JOKER]


def level_text(card: int, level: int) -> str:
    """Return a level's card in notation; a Joker counts as the level's suit."""
    return face_text(JOKER + level if card == JOKER else card)


def face_name(face: int) -> str:
    """Return a face's spoken name: ``seven of water``, ``Joker as rock``."""
    return JANKEN.name(face) if face < JOKER else f"Joker as {JANKEN.names[face - JOKER]}"


def card_of(face: int) -> int:
    """Return the card behind a face."""
    return min(face, JOKER)


def seat_name(seat: int) -> str:
    """Return a seat's name."""
    return COLOURS[seat - 1]


def level_name(level: int) -> str:
    """Return a level's name with its suit: ``Moat (water)``."""
    return f"{LEVEL_NAMES[level]} ({SUIT_NAMES[level]})"


def cards(number: int) -> str:
    """Return a number of cards as a phrase."""
    return f"{number} card{'' if number == 1 else 's'}"


def plays(number: int) -> str:
    """Return a number of plays as a phrase."""
    return f"{number} play{'' if number == 1 else 's'}"


def plays_to_come(observation: State) -> int:
    """Return how many plays are left this turn, limited by the hand (TWR-Q12)."""
    return min(observation.plays_left, observation.players[observation.active - 1].hand.count)


def upper(sentence: str) -> str:
    """Return a sentence with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]


# --- Ids ---------------------------------------------------------------------


def tower_zone(seat: int) -> str:
    """Return the id of a tower."""
    return f"tower:{seat}"


def hand_zone(seat: int) -> str:
    """Return the id of a hand."""
    return f"hand:{seat}"


def slot_id(seat: int, level: int) -> str:
    """Return the id of a level's place."""
    return f"{seat}.{SUIT_NAMES[level]}"
