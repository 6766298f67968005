"""Work out which moves touching things could mean, and where several steps in a row lead."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from bartizan.games.castle_danger import rules
from bartizan.games.castle_danger.board import (
    BOARD,
    COLUMNS,
    NEIGHBOURS,
    SQUARES,
    half_of,
    name,
    squares_of,
)
from bartizan.games.castle_danger.state import ACTIONS, STEP_OFFSETS, State
from bartizan.games.castle_danger.words.names import KINDS, own_portal, token, unit_at

LIKELIEST = (3, 1, 2, 0)  # the directions of a step: up, to the sides, down


def _step(at: int, direction: int) -> int:
    return ACTIONS.encode("step", square=at, direction=direction)


def intents(observation: State, items: Sequence[str]) -> list[int | str]:
    """Return the actions, legal or not, that touching these ids could mean, or text if there is none."""
    touched = [at for at in range(SQUARES) if token(observation, at) in items or name(at) in items]
    mine = rules.own(observation, rules.units(observation))
    units = [at for at in touched if mine >> at & 1]
    if len(touched) == 1:
        return [*_alone(observation, touched[0])]
    if len(touched) != 2:
        return []
    intents: list[int | str] = []
    for at in units:
        intents += _together(observation, at, touched[1] if touched[0] == at else touched[0])
    return intents or [*_foreign(observation, *touched)]


def _alone(observation: State, at: int) -> list[int]:
    """Return what touching one square, or a piece on it, could mean."""
    steps = [_step(at, direction) for direction in LIKELIEST]
    if at == own_portal(observation) and not unit_at(observation, at):
        return [ACTIONS.encode("add", kind=kind) for kind in range(len(KINDS))]
    if observation.walls >> at & 1:
        return [ACTIONS.encode("raze", square=at)]
    return steps if unit_at(observation, at) else [ACTIONS.encode("wall", square=at)]


def _together(observation: State, at: int, to: int) -> list[int | str]:
    """Return what touching one of your units and another square could mean; moving there comes last."""
    intents: list[int | str] = []
    letter = unit_at(observation, at)
    ahead = at % COLUMNS == to % COLUMNS
    if (
        letter == "C"
        and ahead
        and (half_of(to) != observation.to_move or rules.pieces(observation) >> to & 1)
    ):
        intents.append(ACTIONS.encode("fire", square=at, row=to // COLUMNS))
    if letter == "B" and observation.walls >> to & 1:
        intents.append(ACTIONS.encode("raze", square=to))
    intents += [
        _step(at, direction) for direction, offset in enumerate(STEP_OFFSETS) if _leads(at, to, offset)
    ]
    if letter == "B":
        intents.append(ACTIONS.encode("wall", square=to))
    return [*intents, f"{name(at)}-{name(to)}"]


def _leads(at: int, to: int, offset: int) -> bool:
    """Return whether a step by `offset` leads towards a square, whatever is in the way."""
    if abs(offset) == COLUMNS:
        return (to // COLUMNS - at // COLUMNS) * offset > 0
    return (to % COLUMNS - at % COLUMNS) * offset > 0


def _foreign(observation: State, one: int, other: int) -> list[int]:
    """Return what touching two squares without a unit of the player's could mean."""
    for at, to in ((one, other), (other, one)):
        if unit_at(observation, at):
            if unit_at(observation, at) == "C" and at % COLUMNS == to % COLUMNS:
                return [ACTIONS.encode("fire", square=at, row=to // COLUMNS)]
            return [_step(at, d) for d in LIKELIEST]
    return []


# --- Several steps of one unit -----------------------------------------------


def paths_of(observation: State) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, for each of the player's units, the squares two or more steps away, and the steps."""
    free = BOARD & ~(rules.pieces(observation) | rules.flames(observation))
    targets = {
        token(observation, at): _paths(at, observation.moves_left, free)
        for at in squares_of(rules.own(observation, rules.units(observation)))
    }
    return {unit: paths for unit, paths in targets.items() if paths}


# By square: the squares beside it on land, and the step that leads to each.
STEPS = tuple(
    tuple((to, _step(at, STEP_OFFSETS.index(to - at))) for to in squares_of(int(NEIGHBOURS[at])))
    for at in range(SQUARES)
)


def _paths(start: int, moves: int, free: int) -> dict[str, tuple[int, ...]]:
    """Return a shortest path to each square more than one step away that the moves allow."""
    ways: dict[int, tuple[int, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        way = ways[at]
        if len(way) == moves:
            break
        for to, step in STEPS[at]:
            if free >> to & 1 and to not in ways:
                ways[to] = (*way, step)
                waiting.append(to)
    return {name(to): way for to, way in ways.items() if len(way) > 1}
