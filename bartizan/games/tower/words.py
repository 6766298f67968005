"""Name Tower's cards, levels and seats for people, and tell equal cards apart for clients."""

from __future__ import annotations

from bartizan.engine.cards import JANKEN
from bartizan.engine.record import EMPTY
from bartizan.games.tower.state import JOKER, SUITS, Phase, Standing, State

UNSEEN = -2  # stands for a card that the seat does not know

LEVELS = JANKEN.names  # rock, paper, scissors, water, lizard: the suits are the levels, from the bottom
LEVEL_NAMES = ("Foundation", "Government", "Soldiers", "Moat", "Dragon")
BONUSES = (
    "with the Government: destroyed levels can be rebuilt",
    "damaged levels can be repaired",
    "two deflections a turn",
    "five cards in hand",
    "two attacks a turn",
)
SHORT_BONUSES = ("rebuilding", "repairs", "2 deflections", "5 cards", "2 attacks")
COLOURS = ("Blue", "Red", "Green", "Orange", "Purple", "Yellow")


def face_text(face: int) -> str:
    """Return a face in notation: ``7w``, or ``*r`` for a Joker that counts as rock."""
    return JANKEN.text(face) if face < JOKER else "*" + JANKEN.suits[face - JOKER]


def level_text(card: int, level: int) -> str:
    """Return a card that lies as a level in notation; a Joker counts as the level's suit."""
    return face_text(JOKER + level if card == JOKER else card)


def face_name(face: int) -> str:
    """Return a face's spoken name: ``seven of water``, ``Joker as rock``."""
    return JANKEN.name(face) if face < JOKER else f"Joker as {JANKEN.names[face - JOKER]}"


def card_of(face: int) -> int:
    """Return the card that a face is."""
    return min(face, JOKER)


def seat_name(seat: int) -> str:
    """Return what a seat is called."""
    return COLOURS[seat - 1]


def level_name(level: int) -> str:
    """Return a level's name with its suit: ``Moat (water)``."""
    return f"{LEVEL_NAMES[level]} ({LEVELS[level]})"


def cards(number: int) -> str:
    """Return a number of cards as a phrase."""
    return f"{number} card{'' if number == 1 else 's'}"


def plays_to_come(observation: State) -> int:
    """Return how many plays are still made this turn: those left, as far as the hand goes (TWR-Q12)."""
    return min(observation.plays_left, observation.players[observation.active - 1].hand.count)


def upper(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


class Tokens:
    """Give every visible card on the table an id of its own; of equal cards the later ones are numbered."""

    def __init__(self, observation: State) -> None:
        self._met: dict[int, int] = {}
        players = observation.players[: observation.seats]
        self.hands = [[self._next(card) for card in player.hand.listed()[::-1]] for player in players]
        self.levels = [[self._next(player.tower[level]) for level in range(SUITS)] for player in players]
        self.attacks = [
            self._next(card_of(observation.attacks[number].face)) for number in range(observation.flying)
        ]
        self.spent = [self._next(card) for card in observation.spent.listed()]
        self.discard = [self._next(card) for card in observation.discard.listed()[::-1]][::-1]

    def _next(self, card: int) -> str:
        """Return the id of the next card like this; ``""`` for one that is not there or not known."""
        if card in (EMPTY, UNSEEN):
            return ""
        self._met[card] = self._met.get(card, 0) + 1
        number = self._met[card]
        return JANKEN.text(card) if number == 1 else f"{JANKEN.text(card)}:{number}"

    def in_hand(self, observation: State, seat: int, card: int) -> str:
        """Return the id of a card in a hand (the first of equal ones), ``""`` where it is not there."""
        hand = observation.players[seat - 1].hand.listed()[::-1]
        return self.hands[seat - 1][hand.index(card)] if card in hand else ""


# --- Ids ---------------------------------------------------------------------


def tower_zone(seat: int) -> str:
    """Return the id of a tower."""
    return f"tower:{seat}"


def hand_zone(seat: int) -> str:
    """Return the id of a hand."""
    return f"hand:{seat}"


def slot_id(seat: int, level: int) -> str:
    """Return the id of a level's place."""
    return f"{seat}.{LEVELS[level]}"


def turns_until(observation: State, seat: int) -> int:
    """Return how many turns end before the next one of a seat begins; who is out has none in between."""
    if seat == observation.active and observation.phase in (Phase.DEFEND, Phase.ARRIVAL):
        return 0
    between = (seat - observation.active - 1) % observation.seats
    others = [(observation.active + step) % observation.seats for step in range(between)]
    return 1 + sum(observation.players[other].standing != Standing.OUT for other in others)


def landing(observation: State, seat: int) -> str:
    """Say when the attacks of a seat land: ``right after this turn``."""
    turns = turns_until(observation, seat)
    if turns < 2:
        return "right after this turn" if turns else "now"
    return f"after {turns} more turns, this one included"
