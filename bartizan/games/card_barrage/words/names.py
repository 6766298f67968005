"""Name Card Barrage's seats, sides and places for people, and for clients that draw them."""

from __future__ import annotations

from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.state import CASTLE, SOLO, UNTOLD, State
from bartizan.games.card_barrage.visibility import UNSEEN

HIDDEN = (UNSEEN, UNTOLD)


COLOURS = ("Red", "Blue", "Orange", "Green", "Yellow", "Purple")


def spot(seat: int, place: int) -> str:
    """Return a place in notation, which is also its id: ``2.3``, ``2.castle``."""
    return f"{seat + 1}.castle" if place == CASTLE else f"{seat + 1}.{place + 1}"


def seat_name(observation: State, seat: int) -> str:
    """Return a seat's name: ``Blue``, ``the simulacrum``."""
    return "the simulacrum" if table.is_simulacrum(observation, seat) else COLOURS[seat]


def side_name(observation: State, side: int) -> str:
    """Return a side's name: its first seat's, or ``Red's side`` where seats play together."""
    first = seat_name(observation, side)
    return first if observation.castles == observation.sides else f"{first}'s side"


def keeper_name(observation: State, keeper: int) -> str:
    """Return the name of a score pile's owner: a seat, or a side with several seats."""
    return (
        seat_name(observation, keeper) if observation.options.target_per else side_name(observation, keeper)
    )


def keepers(observation: State) -> list[int]:
    """Return the numbers of the score piles in use."""
    return [seat for seat in range(observation.castles) if table.keeper(observation, seat) == seat]


def seats_of(observation: State, person: int) -> list[int]:
    """Return the seats that a person runs."""
    own = [seat for seat in range(observation.castles) if table.person_of(observation, seat) == person]
    return own[:1] if observation.seats == SOLO else own


def place_name(observation: State, seat: int, place: int) -> str:
    """Return a place as people say it: ``Blue's wall 3``."""
    whose = seat_name(observation, seat)
    return f"{whose}'s castle" if place == CASTLE else f"{whose}'s wall {place + 1}"


def upper(sentence: str) -> str:
    """Return a sentence with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]


def many(number: int, thing: str) -> str:
    """Return a number of things as a phrase: ``1 card``, ``2 cards``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def numbers_of(bits: int) -> list[int]:
    """Return the numbers of the bits that are set, from 1."""
    return [number + 1 for number in range(bits.bit_length()) if bits >> number & 1]
