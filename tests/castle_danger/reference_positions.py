"""Make random options, positions and games of Castle Danger for the comparisons."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.castle_danger.reference_board import (
    CHOICES,
    DEFAULTS,
    FILES,
    OTHER,
    PORTAL,
    SETUP,
    Position,
    full_options,
    in_colour,
    position_faults,
    start,
)
from tests.castle_danger.reference_rules import legal_moves, played


def random_options(rng: random.Random) -> dict[str, Any]:
    """Choose about half of the options anew, written as people write them."""
    options: dict[str, Any] = {}
    for key, default in DEFAULTS.items():
        if key in SETUP or rng.random() < 0.5:
            continue
        value = rng.choice(CHOICES[key])
        options[key] = ("yes" if value else "no") if isinstance(default, bool) else value
    if rng.random() < 0.4:
        king, wizard = rng.sample(CHOICES["king_file"], 2)
        options["setup"] = {
            "king_file": king,
            "wizard_file": wizard,
            "symmetry": rng.choice(CHOICES["symmetry"]),
        }
    return options


def random_position(rng: random.Random, options: Mapping[str, Any]) -> dict[str, Any]:
    """Make a position in which much can happen: full boards, Fire, few moves left, late turns."""
    full = full_options(options)
    while True:
        given = scattered(rng, full)
        if not position_faults(given, full):
            return given


def scattered(rng: random.Random, full: Mapping[str, Any]) -> dict[str, Any]:
    board: dict[str, str] = {}
    density = rng.choice([0.1, 0.25, 0.45])
    for side, rows in (("blue", (1, 2, 3, 4)), ("red", (9, 8, 7, 6))):
        squares = [f"{file}{row}" for row in rows for file in FILES]
        king = rng.choice(squares)
        board[king] = in_colour("k", side)
        for square in squares:
            if square == king or rng.random() > density:
                continue
            grass = square[1] not in "46"
            fire = "+x" if square not in PORTAL.values() else ""
            piece = rng.choice("wbccf" + ("###" if grass else "") + fire)
            board[square] = in_colour(piece, side) if piece.isalpha() and piece != "x" else piece
    position = Position(board, rng.choice(list(OTHER)))
    limit = full["turn_limit"]
    position.turn = rng.choice([limit, limit - 1, 7]) if limit else rng.choice([1, 50, 51, 300])
    most = position.allowance()
    position.moves_left = rng.choice([1, 2, 3, most, most, rng.randint(1, most)])
    # On a Portal that is taken while all moves are left nobody has stepped since the turn began.
    closed = not position.portal_is_empty(position.to_move) and position.moves_left >= most
    position.may_add = rng.random() < 0.6 and not closed
    position.seen = [position.key()]
    return position.write()


def own_trace(rng: random.Random, games: int, options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Play random games with this implementation and write them as a trace."""
    full = full_options(options)
    for number in range(games):
        position, ply = start(full), 0
        while position.winner == "none":
            legal = legal_moves(position, full)
            move = rng.choice(legal)
            line = {"game_no": number, "ply": ply, "position": position.write(), "legal": legal, "move": move}
            if ply == 0:
                line = {"options": full, "seats": 2, **line}
            yield json.dumps(line)
            position, ply = played(position, full, move), ply + 1
        yield json.dumps(
            {
                "game_no": number,
                "position": position.write(),
                "result": {"winner": position.winner, "scores": []},
            }
        )
