"""Explain why a move is not possible, with the figures of the moment and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.clauses import Rulebook
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Refusal
from bartizan.games.castle_danger.board import (
    AHEAD,
    COLUMNS,
    FARTHEST,
    NOBODY,
    PORTALS,
    SQUARES,
    half_of,
    name,
)
from bartizan.games.castle_danger.choices import own_portal
from bartizan.games.castle_danger.notation import KINDS
from bartizan.games.castle_danger.options import AddTiming, FriendlyFire
from bartizan.games.castle_danger.state import ACTIONS, STEP_OFFSETS, State, Winner
from bartizan.games.castle_danger.words import (
    COLOUR_NAMES,
    first_wall,
    moves,
    thing,
    token,
    unit_at,
    upper,
)

if TYPE_CHECKING:
    from bartizan.games.castle_danger import rules as plain
else:
    from bartizan.games.castle_danger import rules

    plain = interpreted(rules)

RULEBOOK = Rulebook.load(Path(__file__).parent / "clauses.toml")


def refusal(observation: State, action: int, clause: int) -> Refusal:
    """Return why `clause` forbids an action here: a sentence, the rule, the ids in the way."""
    verb, field = ACTIONS.decode(action)
    explain = _over if observation.winner != Winner.NONE else _EXPLAINED[verb]
    sentence, squares = explain(observation, field, RULEBOOK.id_of(clause))
    return Refusal(
        clause=RULEBOOK.id_of(clause),
        sentence=sentence,
        rule=RULEBOOK.get(RULEBOOK.id_of(clause)).text.strip(),
        blockers=tuple(token(observation, at) for at in squares),
    )


Explained = tuple[str, list[int]]  # a sentence, and the squares of what stands in the way


def _over(observation: State, field: dict[str, int], clause: str) -> Explained:
    if observation.winner == Winner.DRAW:
        return "The game is over: it is drawn.", []
    return f"The game is over: {COLOUR_NAMES[observation.winner - 1]} has won.", []


def _add(observation: State, field: dict[str, int], clause: str) -> Explained:
    portal = own_portal(observation)
    kind = KINDS[field["kind"]].title()
    if clause == "CD-24":
        return (
            f"A new piece costs {moves(plain.price(observation))} now; you have {observation.moves_left}.",
            [portal],
        )
    if not plain.portal_is_open(observation):
        return f"{upper(thing(observation, portal))} stands on your Portal {name(portal)}.", [portal]
    if not observation.may_add:
        late = observation.options.add_timing == AddTiming.STEP3
        rest = " before the first move is spent" if late else ""
        return f"One new piece a turn, if the Portal was open when the turn began{rest}.", [portal]
    return f"The box has no {kind} left for you.", []


def _step(observation: State, field: dict[str, int], clause: str) -> Explained:
    at = field["square"]
    to = at + STEP_OFFSETS[field["direction"]]
    if not plain.own(observation, plain.units(observation)) >> at & 1:
        return _not_yours(observation, at, "go")
    if clause == "CD-28":
        return f"{name(to)} is river; nothing goes onto it.", [to]
    beside = abs(field["direction"] * 2 - 3) == 3 or to // COLUMNS == at // COLUMNS
    if not 0 <= to < SQUARES or not beside:
        return f"{name(at)} lies at the edge of the board.", [at]
    return f"{upper(thing(observation, to))} is in the way on {name(to)}.", [to]


def _not_yours(observation: State, at: int, verb: str) -> Explained:
    what = thing(observation, at)
    if unit_at(observation, at):
        whose = COLOUR_NAMES[observation.to_move]
        return f"{what} on {name(at)} is not yours to {verb}: it is {whose}'s turn.", [at]
    return f"There is {what or 'nothing'} on {name(at)}; only units of your own {verb}.", [at]


def _wall(observation: State, field: dict[str, int], clause: str) -> Explained:
    at = field["square"]
    if clause == "CD-28":
        return f"{name(at)} is river; nothing goes onto it.", [at]
    if clause == "CD-5":
        return f"{name(at)} is sand; a wall needs grass.", [at]
    if not plain.within_reach(observation) >> at & 1:
        return _no_builder(observation, at)
    if plain.pieces(observation) >> at & 1:
        return f"{upper(thing(observation, at))} stands on {name(at)} already.", [at]
    if not observation.options.wall_on_portal and PORTALS >> at & 1:
        return f"{name(at)} is a Portal; these rules allow no wall there.", [at]
    if plain.flames(observation) >> at & 1:
        return f"{upper(thing(observation, at))} burns on {name(at)}; no wall can be built there.", [at]
    return f"All {plain.WALLS} walls of the box are on the board.", []


def _no_builder(observation: State, at: int) -> Explained:
    how = "or diagonally beside" if observation.options.builder_diagonal else "orthogonally beside"
    return f"None of your Builders stands {how} {name(at)}.", [at]


def _raze(observation: State, field: dict[str, int], clause: str) -> Explained:
    at = field["square"]
    if not observation.walls >> at & 1:
        return f"There is no wall on {name(at)}.", [at]
    return _no_builder(observation, at)


def _fire(observation: State, field: dict[str, int], clause: str) -> Explained:
    at = field["square"]
    to = plain.landing(at, field["row"])
    if not plain.own(observation, observation.cannons) >> at & 1:
        return _no_cannon(observation, at)
    if clause == "CD-39":
        return f"The Cannon on {name(at)} has fired this turn.", [at]
    if clause == "CD-33":
        return f"A Cannon shoots towards the other side; {name(to)} is not ahead of {name(at)}.", [at]
    if clause == "CD-37":
        ahead = AHEAD[at * (FARTHEST + 1) + FARTHEST] & observation.walls
        wall = first_wall(int(ahead), observation.to_move)
        return f"The wall on {name(wall)} stops the ball before {name(to)}.", [wall]
    if clause == "CD-38":
        far = plain.distance(at, to)
        return f"{name(to)} is {far} squares away; you have {moves(observation.moves_left)} left.", [at]
    return _no_target(observation, to)


def _no_cannon(observation: State, at: int) -> Explained:
    if observation.cannons >> at & 1:
        return _not_yours(observation, at, "fire")
    what = thing(observation, at)
    return f"There is {what or 'nothing'} on {name(at)}; only Cannons fire.", [at]


def _no_target(observation: State, to: int) -> Explained:
    if half_of(to) == observation.to_move and plain.pieces(observation) >> to & 1:
        spared = (
            "units" if observation.options.friendly_fire == FriendlyFire.WALLS_ONLY else "units and walls"
        )
        return f"{upper(thing(observation, to))} is your own; these rules spare your own {spared}.", [to]
    if half_of(to) != NOBODY:
        return f"On your own side a ball needs something to hit; {name(to)} is empty.", [to]
    return f"{name(to)} is river; there is nothing to hit.", [to]


def _end(observation: State, field: dict[str, int], clause: str) -> Explained:
    return "The turn can always be ended.", []


_EXPLAINED = {"add": _add, "step": _step, "wall": _wall, "raze": _raze, "fire": _fire, "end": _end}


# --- What touching things could mean -----------------------------------------


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, the likeliest first."""
    touched = [at for at in range(SQUARES) if token(observation, at) in items or name(at) in items]
    mine = plain.own(observation, plain.units(observation))
    units = [at for at in touched if mine >> at & 1]
    if len(touched) == 1:
        return _alone(observation, touched[0])
    if len(touched) != 2:
        return []
    found: list[int] = []
    for at in units:
        found += _together(observation, at, touched[1] if touched[0] == at else touched[0])
    return found or _foreign(observation, *touched)


def _alone(observation: State, at: int) -> list[int]:
    """Return what touching one square, or what stands there, could mean."""
    steps = [ACTIONS.encode("step", square=at, direction=direction) for direction in (3, 1, 2, 0)]
    if at == own_portal(observation) and not unit_at(observation, at):
        return [ACTIONS.encode("add", kind=kind) for kind in range(len(KINDS))]
    if observation.walls >> at & 1:
        return [ACTIONS.encode("raze", square=at)]
    return steps if unit_at(observation, at) else [ACTIONS.encode("wall", square=at)]


def _together(observation: State, at: int, to: int) -> list[int]:
    """Return what touching an own unit and another square could mean."""
    found: list[int] = []
    letter = unit_at(observation, at)
    ahead = at % COLUMNS == to % COLUMNS
    if (
        letter == "C"
        and ahead
        and (half_of(to) != observation.to_move or plain.pieces(observation) >> to & 1)
    ):
        found.append(ACTIONS.encode("fire", square=at, row=to // COLUMNS))
    if letter == "B" and observation.walls >> to & 1:
        found.append(ACTIONS.encode("raze", square=to))
    found += [
        ACTIONS.encode("step", square=at, direction=direction)
        for direction, offset in enumerate(STEP_OFFSETS)
        if _leads(at, to, offset)
    ]
    if letter == "B":
        found.append(ACTIONS.encode("wall", square=to))
    return found


def _leads(at: int, to: int, offset: int) -> bool:
    """Say whether a step by `offset` leads towards a square, whatever is in the way."""
    if abs(offset) == COLUMNS:
        return (to // COLUMNS - at // COLUMNS) * offset > 0
    return (to % COLUMNS - at % COLUMNS) * offset > 0


def _foreign(observation: State, one: int, other: int) -> list[int]:
    """Return what touching two squares without a unit of the player's could mean."""
    for at, to in ((one, other), (other, one)):
        if unit_at(observation, at):
            if unit_at(observation, at) == "C" and at % COLUMNS == to % COLUMNS:
                return [ACTIONS.encode("fire", square=at, row=to // COLUMNS)]
            return [ACTIONS.encode("step", square=at, direction=d) for d in (3, 1, 2, 0)]
    return []


__all__ = ["intents", "refusal"]
