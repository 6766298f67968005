"""Say what each Cannon could hit from where it stands: now, or at the start of its side's next turn."""

from __future__ import annotations

from bartizan.engine.bits import highest, lowest
from bartizan.engine.scene import Line
from bartizan.games.castle_danger import rules
from bartizan.games.castle_danger.board import BLUE, name, squares_of
from bartizan.games.castle_danger.state import State, Winner
from bartizan.games.castle_danger.words.names import thing, token, unit_at, unit_phrase


def lines_of(observation: State) -> tuple[Line, ...]:
    """Return the lines of fire of both sides' ready Cannons, those of the player to move first."""
    if observation.winner != Winner.NONE:
        return ()
    lines = _lines(observation, "can")
    if observation.cannons & ~rules.half(observation.to_move):
        later = observation.copy()
        later.to_move = 1 - observation.to_move
        rules.begin_turn(later)
        lines += _lines(later, "will be able to")
    return tuple(lines)


def _lines(state: State, can: str) -> list[Line]:
    return [
        _line(state, at, shots, can)
        for at in squares_of(rules.ready_cannons(state))
        if (shots := rules.shots_of(state, at))
    ]


def _line(state: State, at: int, shots: int, can: str) -> Line:
    """Return the line of a Cannon to the farthest square where its ball can land."""
    hits = squares_of(shots & rules.pieces(state))
    end = highest(shots) if state.to_move == BLUE else lowest(shots)
    told = [f"{thing(state, to)} on {name(to)}" for to in hits]
    what = f"hit {' or '.join(told)}" if told else f"fire as far as {name(end)}, where nothing stands"
    return Line(
        item=token(state, at),
        to=name(end),
        hits={token(state, to): "game over" if unit_at(state, to) == "K" else "destroyed" for to in hits},
        label=f"{unit_phrase('C', at)} on {name(at)} {can} {what}.",
    )
