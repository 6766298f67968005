"""Describe what happened between two positions."""

from __future__ import annotations

from bartizan.engine.scene import Motion
from bartizan.games.castle_danger import repetition, rules
from bartizan.games.castle_danger.board import name, squares_of
from bartizan.games.castle_danger.state import State, Winner
from bartizan.games.castle_danger.words.names import COLOUR_NAMES, moves, thing, token, upper


def events(before: State, after: State, seat: int) -> list[str]:
    """Return sentences about what a ball hit, and about a turn that ended and the next one."""
    sentences = _losses(before, after)
    sentences += _new_fire(before, after)
    sentences += _turn(before, after)
    return sentences


def motions(before: State, after: State, seat: int) -> list[Motion]:
    """Return the flight of a ball and what falls where it lands; steps show in the scenes."""
    if not is_shot(before, after):
        return []
    [cannon] = squares_of(before.cannons & ~before.fired & after.fired & rules.half(before.to_move))
    gone = squares_of(rules.pieces(before) & ~rules.pieces(after))
    lit = squares_of(after.fire[before.to_move] & ~before.fire[before.to_move])
    landed = [*gone, *lit]
    shots = [Motion(kind="shot", item=token(before, cannon), goal=name(landed[0]))] if landed else []
    falls = (Motion(kind="fall", item=token(before, at), weight=_weight(before, at)) for at in gone)
    return [*shots, *falls]


def _weight(before: State, at: int) -> int:
    """Return how much of a moment it is when a piece falls: a King decides the game."""
    return 3 if before.kings >> at & 1 else 1


def _losses(before: State, after: State) -> list[str]:
    """Say what a ball destroyed; a wall removed by a Builder is clear from the move."""
    if not is_shot(before, after):
        return []
    gone = squares_of(rules.pieces(before) & ~rules.pieces(after))
    return [f"{upper(thing(before, at))} on {name(at)} is {_fate(before, at)}." for at in gone]


def _fate(before: State, at: int) -> str:
    return "hit" if before.kings >> at & 1 else "destroyed"


def is_shot(before: State, after: State) -> bool:
    """Return whether the move between two positions was a shot: a ready Cannon has fired."""
    ready, fired = before.cannons & ~before.fired, after.cannons & after.fired
    return bool(ready & fired & rules.half(before.to_move))


def _new_fire(before: State, after: State) -> list[str]:
    mover = before.to_move
    lit = after.fire[mover] & ~before.fire[mover] & ~rules.pieces(before)
    return [f"Fire burns on {name(at)}." for at in squares_of(lit)]


def _turn(before: State, after: State) -> list[str]:
    if after.winner == Winner.DRAW:
        if is_third_occurrence(after):
            return ["A turn begins with this position for the third time. The game is a draw."]
        return [f"Turn {after.turn} was the last. The game is a draw."]
    if after.winner != Winner.NONE:
        return [f"{COLOUR_NAMES[after.winner - 1]} wins."]
    if after.to_move == before.to_move:
        return []
    return [f"{COLOUR_NAMES[after.to_move]}'s turn {after.turn}: {moves(after.moves_left)}."]


def is_third_occurrence(drawn: State) -> bool:
    """Return whether a draw was by repetition rather than by the turn limit."""
    return repetition.is_repeated(drawn)
