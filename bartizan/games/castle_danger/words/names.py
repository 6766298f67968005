"""Name Castle Danger's pieces and squares for people, and for clients that draw them."""

from __future__ import annotations

from bartizan.engine.bits import highest, lowest
from bartizan.games.castle_danger.board import (
    BLUE,
    BLUE_PORTAL,
    LAND,
    PORTALS,
    RED_PORTAL,
    RIVER,
    SAND,
    half_of,
    name,
)
from bartizan.games.castle_danger.position import COLOURS, FLAMES, sign_at
from bartizan.games.castle_danger.state import State

COLOUR_NAMES = ("Blue", "Red")
KINDS = ("wizard", "builder", "cannon")  # as written in moves, in the order of `state.Kind`
UNIT_NAMES = {"K": "King", "W": "Wizard", "B": "Builder", "C": "Cannon"}
A_WALL = "a wall"
ROLES = {
    "K": "If a ball hits this King, its owner loses.",
    "W": "Gives three more moves a turn.",
    "B": "Builds and removes walls on adjacent squares.",
    "C": "Fires straight ahead, one move a square. Walls stop the ball.",
}


def unit_at(observation: State, at: int) -> str:
    """Return the letter of the unit on a square, ``K W B C`` for either colour; ``""`` if there is none."""
    here = 1 << at
    if observation.kings & here:
        return "K"
    if observation.wizards & here:
        return "W"
    if observation.builders & here:
        return "B"
    return "C" if observation.cannons & here else ""


def token(observation: State, at: int) -> str:
    """Return the id of what is on a square, or the square's name if it is empty.

    A unit is named by its letter and its serial, which it keeps on its way; walls and Fire by their place.
    """
    letter = unit_at(observation, at)
    if letter:
        return unit_token(letter, at, observation.serials[at])
    sign = sign_at(observation, at)
    return sign + name(at) if sign in "#" + FLAMES else name(at)


def unit_token(letter: str, at: int, serial: int) -> str:
    """Return the id of a unit on a square."""
    return f"{letter if half_of(at) == BLUE else letter.lower()}-{serial}"


def unit_phrase(letter: str, at: int) -> str:
    """Return a unit on a square as a phrase: ``Blue's King``."""
    return f"{COLOUR_NAMES[half_of(at)]}'s {UNIT_NAMES[letter]}"


def flame_phrase(colour: int) -> str:
    """Return the Fire of a colour as a phrase."""
    return f"{COLOUR_NAMES[colour]}'s Fire"


def thing(observation: State, at: int) -> str:
    """Return what is on a square, as a phrase: ``Blue's King``, ``a wall``; ``""`` for nothing."""
    letter = unit_at(observation, at)
    if letter:
        return unit_phrase(letter, at)
    if observation.walls >> at & 1:
        return A_WALL
    for colour in range(len(COLOURS)):
        if observation.fire[colour] >> at & 1:
            return flame_phrase(colour)
    return ""


def ground(at: int) -> str:
    """Return the ground of a square: ``river``, ``portal``, ``sand`` or ``grass``."""
    for board, kind in ((RIVER, "river"), (PORTALS, "portal"), (SAND, "sand"), (LAND, "grass")):
        if board >> at & 1:
            return kind
    raise ValueError(f"{at} is not a square")


def own_portal(observation: State) -> int:
    """Return the square of the Portal of the player to move."""
    return BLUE_PORTAL if observation.to_move == BLUE else RED_PORTAL


def first_wall(walls: int, colour: int) -> int:
    """Return the first wall in a ball's way, from walls in one column."""
    return lowest(walls) if colour == BLUE else highest(walls)


def upper(sentence: str) -> str:
    """Return a sentence with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]


def moves(number: int) -> str:
    """Return a number of moves as a phrase."""
    return f"{number} move{'' if number == 1 else 's'}"
