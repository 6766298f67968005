"""Which moves of Castle Danger are legal and what they do (part of the second implementation).

`legal_moves` builds the list from the pieces, `clauses_against` asks of one move what forbids it; a test
holds the two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.castle_danger.reference_board import (
    ADDABLE,
    BESIDE,
    FILES,
    FIRE,
    FORWARD,
    HALF,
    NEAR,
    OTHER,
    PORTAL,
    RIVER,
    SAND,
    TABLETOP,
    TABLETOP_WALLS,
    WALL,
    Position,
    colour,
    file_of,
    in_colour,
    row_of,
)

Options = Mapping[str, Any]
FORMS = re.compile(
    r"(?P<end>end)|add (?P<add>wizard|builder|cannon)|(?P<from>[a-g][1-9])-(?P<to>[a-g][1-9])"
    r"|wall (?P<wall>[a-g][1-9])|raze (?P<raze>[a-g][1-9])|fire (?P<gun>[a-g][1-9]) (?P<target>[a-g][1-9])"
)


def read_move(text: str) -> dict[str, str]:
    """Read a move into its named parts; ValueError for a text of no form."""
    found = FORMS.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise ValueError(f"{text!r} is no move; add the form of a new verb to FORMS")
    return {name: part for name, part in found.groupdict().items() if part is not None}


# --- the legal moves, built from the pieces -------------------------------------------------------------


def legal_moves(position: Position, options: Options) -> list[str]:
    """List the legal moves in canonical notation, sorted."""
    if position.winner != "none":
        return []
    moves = {"end", *additions(position, options)}
    for square, piece in position.board.items():
        if colour(piece) != position.to_move:
            continue
        moves.update(steps(position, square))
        if piece in "Bb":
            moves.update(walls(position, options, square))
        if piece in "Cc":
            moves.update(shots(position, options, square))
    return sorted(moves)


def price(position: Position, options: Options) -> int:
    """CD-24: what adding costs now."""
    own, enemy = position.units(position.to_move), position.units(OTHER[position.to_move])
    return int(options["add_cost"]) if len(own) >= len(enemy) else 0


def limit_reached(position: Position, options: Options, letter: str) -> bool:
    """CD-Q23: whether the box holds no more of this unit."""
    units = [("c" if each == "f" else each) for each in position.units(position.to_move)]
    return options["piece_limits"] == "tabletop" and units.count(letter) >= TABLETOP[letter]


def additions(position: Position, options: Options) -> Iterator[str]:
    """CD-22, CD-24."""
    if not position.may_add or not position.portal_is_empty(position.to_move):
        return
    if price(position, options) > position.moves_left:
        return
    for word, letter in ADDABLE.items():
        if not limit_reached(position, options, letter):
            yield f"add {word}"


def steps(position: Position, square: str) -> Iterator[str]:
    """CD-26: one square straight, onto nothing at all."""
    for target in BESIDE[square]:
        if target not in position.board:
            yield f"{square}-{target}"


def may_stand(position: Position, options: Options, square: str) -> bool:
    """CD-30, CD-Q8, CD-Q11, CD-Q23: whether a wall may be put on a square."""
    if row_of(square) in SAND:
        return False
    there = position.at(square)
    if there and not (there in FIRE.values() and options["build_on_fire"]):
        return False
    if square in PORTAL.values() and not options["wall_on_portal"]:
        return False
    return options["piece_limits"] == "none" or list(position.board.values()).count(WALL) < TABLETOP_WALLS


def walls(position: Position, options: Options, square: str) -> Iterator[str]:
    """CD-30, CD-32: what a Builder can put up and take down."""
    for target in NEAR[square] if options["builder_diagonal"] else BESIDE[square]:
        if position.at(target) == WALL:
            yield f"raze {target}"
        elif may_stand(position, options, target):
            yield f"wall {target}"


def shots(position: Position, options: Options, square: str) -> Iterator[str]:
    """CD-33, CD-37, CD-38, CD-Q14: go forward until the moves end or a wall stops the ball."""
    side = position.to_move
    row = row_of(square)
    for _ in range(position.moves_left):
        row += FORWARD[side]
        if not 1 <= row <= 9:
            return
        target = f"{square[0]}{row}"
        if row != RIVER and is_target(position, options, target):
            yield f"fire {square} {target}"
        if position.at(target) == WALL:
            return


def is_target(position: Position, options: Options, target: str) -> bool:
    """CD-Q14: every square over the river; on this side what is worth a ball."""
    if row_of(target) not in HALF[position.to_move]:
        return True
    there = position.at(target)
    if there == WALL:
        return bool(options["friendly_fire"] != "none")
    return colour(there) is not None and bool(options["friendly_fire"] == "all")


# --- what forbids a move --------------------------------------------------------------------------------


def clauses_against(position: Position, options: Options, text: str) -> list[str]:
    """List the clauses that forbid a move; none: it is legal."""
    move = read_move(text)
    if position.winner != "none":
        return ["CD-8", "CD-9", "CD-42", "CD-Q21", "CD-Q22"]
    if "add" in move:
        return against_adding(position, options, move["add"])
    if "from" in move:
        return against_step(position, move["from"], move["to"])
    if "wall" in move:
        return against_wall(position, options, move["wall"])
    if "raze" in move:
        return against_razing(position, options, move["raze"])
    if "gun" in move:
        return against_shot(position, options, move["gun"], move["target"])
    return []


def against_adding(position: Position, options: Options, word: str) -> list[str]:
    broken = []
    if not position.may_add:
        broken += ["CD-7", "CD-22", "CD-Q3", "CD-Q4"]
    if not position.portal_is_empty(position.to_move):
        broken += ["CD-7", "CD-22", "CD-Q3", "CD-Q11", "CD-Q12"]
    if price(position, options) > position.moves_left:
        broken += ["CD-24", "CD-Q5"]
    if limit_reached(position, options, ADDABLE[word]):
        broken += ["CD-22", "CD-Q23"]
    return broken


def against_step(position: Position, origin: str, target: str) -> list[str]:
    broken = []
    if colour(position.at(origin)) != position.to_move:
        broken += ["CD-25", "CD-26"]
    across, along = distance(origin, target)
    if across + along != 1:
        broken += ["CD-26", "CD-27", "CD-29"]
    if row_of(target) == RIVER:
        broken += ["CD-2", "CD-28"]
    there = position.at(target)
    if there in FIRE.values():
        broken += ["CD-14", "CD-26", "CD-Q8", "CD-Q9"]
    elif there:
        broken += ["CD-26", "CD-Q8"]
    return broken


def distance(origin: str, target: str) -> tuple[int, int]:
    return abs(file_of(origin) - file_of(target)), abs(row_of(origin) - row_of(target))


def out_of_reach(position: Position, options: Options, square: str) -> bool:
    """CD-Q13: whether no own Builder stands beside a square."""
    for origin, piece in position.board.items():
        if colour(piece) != position.to_move or piece.lower() != "b":
            continue
        across, along = distance(origin, square)
        if across + along == 1 or (options["builder_diagonal"] and across == along == 1):
            return False
    return True


def against_wall(position: Position, options: Options, square: str) -> list[str]:
    broken = []
    if out_of_reach(position, options, square):
        broken += ["CD-11", "CD-30", "CD-Q13"]
    if row_of(square) in SAND:
        broken += ["CD-5", "CD-30"]
    if row_of(square) == RIVER:
        broken += ["CD-2", "CD-28", "CD-30"]
    there = position.at(square)
    if there in FIRE.values():
        broken += [] if options["build_on_fire"] else ["CD-14", "CD-30", "CD-Q8"]
    elif there:
        broken += ["CD-30", "CD-Q8"]
    if square in PORTAL.values() and not options["wall_on_portal"]:
        broken += ["CD-30", "CD-Q11"]
    if options["piece_limits"] == "tabletop" and len(walls_of(position)) >= TABLETOP_WALLS:
        broken += ["CD-30", "CD-Q23"]
    return broken


def walls_of(position: Position) -> list[str]:
    return [square for square, piece in position.board.items() if piece == WALL]


def against_razing(position: Position, options: Options, square: str) -> list[str]:
    broken = []
    if position.at(square) != WALL:
        broken += ["CD-32"]
    if out_of_reach(position, options, square):
        broken += ["CD-11", "CD-32", "CD-Q13"]
    return broken


def against_shot(position: Position, options: Options, origin: str, target: str) -> list[str]:
    side = position.to_move
    broken = []
    gun = position.at(origin)
    if colour(gun) != side or gun.lower() not in "cf":
        broken += ["CD-12", "CD-25", "CD-33"]
    elif gun.lower() == "f":
        broken += ["CD-39"]
    far = (row_of(target) - row_of(origin)) * FORWARD[side]
    if file_of(origin) != file_of(target) or far < 1:
        return [*broken, "CD-33"]
    if far > position.moves_left:
        broken += ["CD-34", "CD-38"]
    passed = [f"{origin[0]}{row_of(origin) + step * FORWARD[side]}" for step in range(1, far)]
    if any(position.at(square) == WALL for square in passed):
        broken += ["CD-12", "CD-13", "CD-37"]
    if row_of(target) == RIVER:
        broken += ["CD-2", "CD-33", "CD-40", "CD-Q14"]
    elif row_of(target) in HALF[side] and not is_target(position, options, target):
        broken += ["CD-33", "CD-40", "CD-Q14"]
        broken += ["CD-Q15"] if position.at(target) in ("K", "k") else []
    return broken


# --- what a move does -----------------------------------------------------------------------------------


def play(position: Position, options: Options, text: str) -> Position:
    """Play a move on a copy; ValueError where it is illegal."""
    against = clauses_against(position, options, text)
    if against or position.winner != "none":
        raise ValueError(f"{text} is illegal: {', '.join(against)}")
    return played(position, options, text)


def played(position: Position, options: Options, text: str) -> Position:
    """Play a legal move on a copy."""
    now = position.copy()
    move = read_move(text)
    if "add" in move:
        now.moves_left -= price(now, options)
        now.may_add = False
        now.board[PORTAL[now.to_move]] = in_colour(ADDABLE[move["add"]], now.to_move)
    elif "from" in move:
        now.board[move["to"]] = now.board.pop(move["from"])
        spend(now, options, 1)
    elif "wall" in move:
        now.board[move["wall"]] = WALL
        spend(now, options, 1)
    elif "raze" in move:
        del now.board[move["raze"]]
        spend(now, options, 1)
    elif "gun" in move:
        shoot(now, options, move["gun"], move["target"])
    if now.winner == "none" and ("end" in move or now.moves_left == 0):
        end_turn(now, options)
    return now


def spend(now: Position, options: Options, moves: int) -> None:
    """CD-27, CD-31, CD-34; under `step3` the first move spent ends the time for adding (CD-Q3)."""
    now.moves_left -= moves
    if options["add_timing"] == "step3":
        now.may_add = False


def shoot(now: Position, options: Options, origin: str, target: str) -> None:
    """CD-34 to CD-39, CD-42."""
    hit = now.board.pop(target, "")
    if target not in PORTAL.values():
        now.board[target] = FIRE[now.to_move]
    now.board[origin] = in_colour("f", now.to_move)
    spend(now, options, abs(row_of(target) - row_of(origin)))
    if hit in ("K", "k"):
        now.winner = "red" if hit == "K" else "blue"
        now.may_add = False


def end_turn(now: Position, options: Options) -> None:
    """CD-41, then the cap (CD-Q22) or the other side's turn."""
    if now.to_move == "red" and now.turn == options["turn_limit"]:
        now.winner, now.may_add = "draw", False
        return
    if now.to_move == "red":
        now.turn += 1
    now.to_move = OTHER[now.to_move]
    begin_turn(now, options)


def begin_turn(now: Position, options: Options) -> None:
    """CD-18 to CD-20, CD-7, CD-Q22."""
    fired, ready = in_colour("f", now.to_move), in_colour("c", now.to_move)
    for square, piece in list(now.board.items()):
        if piece == FIRE[now.to_move]:
            del now.board[square]
        elif piece == fired:
            now.board[square] = ready
    now.moves_left = now.allowance()
    now.may_add = now.portal_is_empty(now.to_move)
    key = now.key()
    now.seen.append(key)
    if options["repetition"] and now.seen.count(key) >= options["repetition"]:
        now.winner, now.may_add = "draw", False


def every_text() -> list[str]:
    """Write every move that could ever be legal, and many that never are."""
    squares = [f"{file}{row}" for row in range(1, 10) for file in FILES]
    texts = ["end", *(f"add {word}" for word in ADDABLE)]
    for origin in squares:
        texts += [f"wall {origin}", f"raze {origin}"]
        for target in squares:
            across, along = distance(origin, target)
            if 0 < across + along <= 2:
                texts.append(f"{origin}-{target}")
            if across <= 1 and (across or along):
                texts.append(f"fire {origin} {target}")
    return texts
