"""Write and read Card-cassonne's moves; positions are in ``position.py``."""

from __future__ import annotations

import re

from bartizan.engine.cards import POKER
from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation import squeeze, unknown_move
from bartizan.games.card_cassonne.plain import areas, layout
from bartizan.games.card_cassonne.position import read_position, write_position
from bartizan.games.card_cassonne.state import ACTIONS, State
from bartizan.games.card_cassonne.words import cell_name

__all__ = ["MOVE_FORMS", "parse_move", "print_move", "read_position", "write_position"]

MOVE_FORMS = ("play 7h at 1,2", "token", "no token", "score 0,0", "done")
VERBS = ("play", "token", "no", "score", "done")

_CELL = r"([+-]?\d{1,4}),([+-]?\d{1,4})"
_PLAY = rf"PLAY(.+?)AT{_CELL}"
_SCORE = rf"SCORE{_CELL}"
_WORDS = {"TOKEN": "token", "NOTOKEN": "decline", "DONE": "done"}


def print_move(view: State, action: int) -> str:
    """Return an action in canonical notation, as the state `view` stands."""
    verb, field = ACTIONS.decode(action)
    if verb == "play":
        return f"play {_card(view, field['slot'])} at {cell_name(view, field['cell'])}"
    if verb == "score":
        return f"score {cell_name(view, field['cell'])}"
    return "no token" if verb == "decline" else verb


def _card(view: State, slot: int) -> str:
    """Return the mover's hand card in a slot; a slot that names none reads ``?``."""
    if view.to_move == 0:
        return "?"
    hand = view.players[view.to_move - 1].hand
    return POKER.text(hand.cards[slot]) if slot < hand.count else "?"


def parse_move(view: State, text: str) -> int:
    """Read a move in full notation and return its action; it may be illegal.

    Raises `UnknownMove` for a text of no form, `UnknownCard` for a card that is
    none, and `IllegalMove` where a card is not in the mover's hand, a place is
    so far away that no action stands for it, or the game is over.
    """
    squeezed = squeeze(text).upper()
    if squeezed in _WORDS:
        return ACTIONS.base(_WORDS[squeezed])
    found = re.fullmatch(_PLAY, squeezed, re.ASCII)
    if found is not None:
        face = POKER.parse(found[1])
        _check_running(view, text)
        cell = _cell(view, text, int(found[2]), int(found[3]), "CC-12")
        return ACTIONS.encode("play", slot=_slot(view, text, face), cell=cell)
    found = re.fullmatch(_SCORE, squeezed, re.ASCII)
    if found is not None:
        _check_running(view, text)
        cell = _cell(view, text, int(found[1]), int(found[2]), "CC-16")
        return ACTIONS.encode("score", cell=_corner(view, cell))
    raise unknown_move(text, MOVE_FORMS, VERBS)


def _check_running(view: State, text: str) -> None:
    """Raise `IllegalMove` where the game is over: nobody has a hand to play from then (CC-32)."""
    if not view.to_move:
        raise IllegalMove("The game is over.", "CC-32", text)


def _slot(view: State, text: str, face: int) -> int:
    """Return the first slot of the mover's hand that holds this face (CC-11)."""
    hand = view.players[view.to_move - 1].hand
    for slot in range(hand.count):
        if hand.cards[slot] == face:
            return slot
    raise IllegalMove(f"There is no {POKER.text(face)} in the hand.", "CC-11", text)


def _cell(view: State, text: str, x: int, y: int, clause: str) -> int:
    """Return the cell for x and y, where it is near enough to the layout to have one."""
    cell = layout.cell_of(x, y)
    if (layout.x_of(view, cell), layout.y_of(view, cell)) == (x, y):
        return int(cell)
    if not layout.is_on_table(view, x, y):
        raise IllegalMove(f"{x},{y} lies beyond the edge of the table.", "CC-34", text)
    raise IllegalMove(f"{x},{y} is far from every card of the layout.", clause, text)


def _corner(view: State, cell: int) -> int:
    """Return the cell by which the area in a cell is named; any of its cells may be written."""
    area = areas.area_at(view, cell)
    if area == areas.NO_AREA:
        return cell
    return int(areas.cell_of_card(view, view.corner[area]))
