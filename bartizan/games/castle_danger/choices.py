"""Turn legal actions into choices: what to touch, and what would come of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Choice
from bartizan.games.castle_danger.board import (
    BLUE,
    BLUE_PORTAL,
    PORTALS,
    RED_PORTAL,
    half_of,
    name,
    squares_of,
)
from bartizan.games.castle_danger.notation import KINDS, print_move
from bartizan.games.castle_danger.state import ACTIONS, STEP_OFFSETS, State
from bartizan.games.castle_danger.words import COLOUR_NAMES, UNIT_NAMES, moves, thing, token, unit_at

if TYPE_CHECKING:
    from bartizan.games.castle_danger import rules as plain
else:
    from bartizan.games.castle_danger import rules

    plain = interpreted(rules)


def choices_of(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action; ending the turn asks again while something else can be done."""
    choices = tuple(_choice(observation, action) for action in actions)
    if len(choices) < 2:
        return choices
    left = f"{moves(observation.moves_left)} {'is' if observation.moves_left == 1 else 'are'} left."
    end = ACTIONS.encode("end")
    return tuple(replace(one, confirm=left) if one.action == end else one for one in choices)


def _choice(observation: State, action: int) -> Choice:
    verb, field = ACTIONS.decode(action)
    return _MAKERS[verb](observation, action, field)


def own_portal(observation: State) -> int:
    """Return the square of the Portal of the player to move."""
    return BLUE_PORTAL if observation.to_move == BLUE else RED_PORTAL


def _left(observation: State, spent: int) -> str:
    """Say what remains after spending some moves."""
    left = observation.moves_left - spent
    return f"{moves(left)} left" if left else "the last move: your turn ends"


def _add(observation: State, action: int, field: dict[str, int]) -> Choice:
    kind = KINDS[field["kind"]].title()
    cost = plain.price(observation)
    portal = name(own_portal(observation))
    return Choice(
        action=action,
        text=print_move(observation, action),
        verb=f"Add {kind}",
        label=f"Bring a new {kind} onto {portal}",
        items=(portal,),
        marks={portal: "joined"},
        note=f"costs {moves(cost)}; {_left(observation, cost)}"
        if cost
        else "costs nothing: you have fewer units",
    )


def _step(observation: State, action: int, field: dict[str, int]) -> Choice:
    at = field["square"]
    to = at + STEP_OFFSETS[field["direction"]]
    unit, target = token(observation, at), name(to)
    return Choice(
        action=action,
        text=print_move(observation, action),
        verb="Go",
        label=f"{UNIT_NAMES[unit_at(observation, at)]} from {name(at)} to {target}",
        items=(unit, target),
        target=target,
        note=_left(observation, 1),
    )


def _wall(observation: State, action: int, field: dict[str, int]) -> Choice:
    return _building(observation, action, field["square"], "Build", "Build a wall on", "joined")


def _raze(observation: State, action: int, field: dict[str, int]) -> Choice:
    return _building(observation, action, field["square"], "Remove", "Remove the wall from", "destroyed")


def _building(observation: State, action: int, at: int, verb: str, words: str, mark: str) -> Choice:
    """Return what Builders do to a square; any of those beside it may be touched for it."""
    builders = [token(observation, each) for each in builders_beside(observation, at)]
    target = token(observation, at) if verb == "Remove" else name(at)
    return Choice(
        action=action,
        text=print_move(observation, action),
        verb=verb,
        label=f"{words} {name(at)}",
        items=(builders[0], target),
        target=target,
        marks={target: mark},
        note=_left(observation, 1),
        instead={builders[0]: tuple(builders[1:])} if builders[1:] else {},
    )


def builders_beside(observation: State, at: int) -> list[int]:
    """Return the squares of the player's Builders that reach a square."""
    beside = plain.around(1 << at)
    if observation.options.builder_diagonal:
        beside |= plain.corners(1 << at)
    return squares_of(plain.own(observation, observation.builders) & beside)


def _fire(observation: State, action: int, field: dict[str, int]) -> Choice:
    at = field["square"]
    to = plain.landing(at, field["row"])
    hit = thing(observation, to) if plain.pieces(observation) >> to & 1 else ""
    mine = half_of(to) == observation.to_move
    cannon, target = token(observation, at), token(observation, to) if hit else name(to)
    return Choice(
        action=action,
        text=print_move(observation, action),
        verb="Fire",
        label=f"Fire the Cannon on {name(at)} at {name(to)}" + (f", {hit}" if hit else ""),
        items=(cannon, target),
        target=target,
        marks={target: "destroyed" if hit else "burning"},
        note=shot_note(observation, at, to),
        careful=mine,
    )


def shot_note(observation: State, at: int, to: int) -> str:
    """Say what a shot would do."""
    cost = plain.distance(at, to)
    letter = unit_at(observation, to)
    mine = half_of(to) == observation.to_move
    if letter == "K":
        return "hits your own King: you lose" if mine else "hits the King: you win"
    fire = "" if PORTALS >> to & 1 else f"leaves Fire on {name(to)}"
    if letter:
        effect = f"destroys {'your own' if mine else 'the'} {UNIT_NAMES[letter]}"
    elif observation.walls >> to & 1:
        effect = f"destroys {'your own' if mine else 'the'} wall"
    else:
        effect, fire = fire or "hits the empty Portal, to no effect", ""
    return f"{effect}{' and ' if fire else ''}{fire}; {moves(cost)}, {_left(observation, cost)}"


def _end(observation: State, action: int, field: dict[str, int]) -> Choice:
    other = COLOUR_NAMES[1 - observation.to_move]
    return Choice(
        action=action,
        text=print_move(observation, action),
        verb="End turn",
        label=f"End the turn; {other} is next",
        note=f"{moves(observation.moves_left)} unused",
    )


_MAKERS = {"add": _add, "step": _step, "wall": _wall, "raze": _raze, "fire": _fire, "end": _end}


def narrate(observation: State, action: int) -> tuple[str, tuple[str, ...]]:
    """Return a move as a sentence, and the squares it goes from and to."""
    choice = _choice(observation, action)
    verb, field = ACTIONS.decode(action)
    if verb == "add":
        return choice.label, (name(own_portal(observation)),)
    if verb == "end":
        return choice.label, ()
    at = field["square"]
    if verb == "step":
        return choice.label, (name(at), name(at + STEP_OFFSETS[field["direction"]]))
    if verb == "fire":
        return choice.label, (name(at), name(plain.landing(at, field["row"])))
    return choice.label, (name(at),)


# --- Several steps of one unit -----------------------------------------------


def paths_of(observation: State) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, for each unit of the player, the squares that two steps or more bring it to, and the steps."""
    found = {
        token(observation, at): _paths(observation, at)
        for at in squares_of(plain.own(observation, plain.units(observation)))
    }
    return {unit: paths for unit, paths in found.items() if paths}


def _paths(observation: State, start: int) -> dict[str, tuple[int, ...]]:
    """Return a shortest way to each square that is farther off than one step, as far as the moves last."""
    ways: dict[int, tuple[int, ...]] = {start: ()}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        if len(ways[at]) == observation.moves_left:
            break
        for to in squares_of(plain.steps_of(observation, at)):
            if to not in ways:
                step = ACTIONS.encode("step", square=at, direction=STEP_OFFSETS.index(to - at))
                ways[to] = (*ways[at], step)
                waiting.append(to)
    return {name(to): way for to, way in ways.items() if len(way) > 1}
