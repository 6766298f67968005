"""Write and read Tower's moves; positions are in ``position.py``."""

from __future__ import annotations

import re

from bartizan.engine.cards import CARD, JANKEN
from bartizan.engine.errors import AmbiguousMove, IllegalMove, UnknownMove
from bartizan.engine.notation import squeeze, unknown_move
from bartizan.games.tower.position import read_position, write_position
from bartizan.games.tower.state import ACTIONS, FACES, JOKER, SEATS, SUITS, State
from bartizan.games.tower.words import LEVELS, face_name, face_text, seat_name

__all__ = ["MOVE_FORMS", "parse_move", "print_move", "read_position", "write_position"]

MOVE_FORMS = (
    "exchange 4w",
    "draw",
    "take",
    "lay",
    "stop",
    "attack 2 with 9l",
    "attack 2 with * as r",
    "deflect 9w from 2 with 6p",
    "deflect 9w from 2 at 3 with 6p",
    "repair paper with 3p",
    "rebuild water with 5w",
    "discard 4w",
    "hit paper with 9l",
    "hit paper of 3 with 9l",
    "pass",
)
VERBS = tuple(block.name for block in ACTIONS.blocks)

_C = rf"({CARD})"
_PLAIN = CARD.removesuffix(r"|\*")
_FACE = rf"({_PLAIN}|\*[A-Z]?)"
_LEVEL = rf"({'|'.join(LEVELS)})"
_SEAT = r"([0-9]+)"
_PATTERNS = {
    "exchange": rf"EXCHANGE{_C}",
    "draw": "DRAW",
    "take": "TAKE",
    "lay": "LAY",
    "stop": "STOP",
    "attack": rf"ATTACK{_SEAT}WITH(?:({_PLAIN})|\*AS([A-Z]))",
    "deflect": rf"DEFLECT{_FACE}FROM{_SEAT}(?:AT{_SEAT})?WITH{_C}",
    "repair": rf"REPAIR{_LEVEL}WITH{_C}",
    "rebuild": rf"REBUILD{_LEVEL}WITH{_C}",
    "discard": rf"DISCARD{_C}",
    "hit": rf"HIT{_LEVEL}(?:OF{_SEAT})?WITH{_FACE}",
    "pass": "PASS",
}


# --- Writing -----------------------------------------------------------------


def print_move(view: State, action: int) -> str:
    """Return an action in canonical notation, as the state `view` stands."""
    verb, field = ACTIONS.decode(action)
    if not field:
        return verb
    if verb == "attack":
        return f"attack {field['target'] + 1} with {_sent(field['face'])}"
    if verb in ("repair", "rebuild"):
        return f"{verb} {LEVELS[field['face'] % SUITS]} with {JANKEN.text(min(field['face'], JOKER))}"
    if verb == "deflect":
        return f"deflect {_attack_text(view, field['attack'])} with {JANKEN.text(field['card'])}"
    if verb == "hit":
        return _hit_text(view, field["attack"], field["level"])
    return f"{verb} {JANKEN.text(field['card'])}"


def _sent(face: int) -> str:
    return JANKEN.text(face) if face < JOKER else f"* as {JANKEN.suits[face - JOKER]}"


def _alike(view: State, number: int) -> bool:
    """Say whether another attack with an equal card of the same sender has another target."""
    attack = view.attacks[number]
    return any(
        (other.sender, other.face) == (attack.sender, attack.face) and other.target != attack.target
        for other in view.attacks[: view.flying]
    )


def _attack_text(view: State, number: int) -> str:
    """Return how a deflection names an attack; ``?`` stands for one that is not in flight."""
    if number >= view.flying:
        return "?"
    attack = view.attacks[number]
    target = f" at {attack.target}" if _alike(view, number) else ""
    return f"{face_text(attack.face)} from {attack.sender}{target}"


def _hit_text(view: State, number: int, level: int) -> str:
    if number >= view.flying:
        return f"hit {LEVELS[level]} with ?"
    attack = view.attacks[number]
    target = f" of {attack.target}" if _alike(view, number) else ""
    return f"hit {LEVELS[level]}{target} with {face_text(attack.face)}"


# --- Reading -----------------------------------------------------------------


def parse_move(view: State, text: str) -> int:
    """Read a move in full notation and return its action; it may be illegal.

    Raises `UnknownMove` for a text of no form, `UnknownCard` for a card that is none,
    `IllegalMove` where no action could stand for the move, and `AmbiguousMove` where
    the target must be named to tell two attacks apart.
    """
    squeezed = squeeze(text)
    for verb, pattern in _PATTERNS.items():
        found = re.fullmatch(pattern, squeezed, re.IGNORECASE | re.ASCII)
        if found is not None:
            return _encode(view, verb, text, list(found.groups()))
    raise unknown_move(text, MOVE_FORMS, VERBS)


def _encode(view: State, verb: str, text: str, words: list[str]) -> int:
    if not words:
        return ACTIONS.encode(verb)
    if verb == "attack":
        face = JANKEN.parse(words[1]) if words[1] else JOKER + _suit(words[2], text)
        return ACTIONS.encode(verb, target=_seat(words[0], text) - 1, face=face)
    if verb in ("repair", "rebuild"):
        return ACTIONS.encode(verb, face=_mending(verb, words[0].lower(), words[1], text))
    if verb == "deflect":
        number = _attack(view, words[0], _seat(words[1], text), words[2], text)
        return ACTIONS.encode(verb, attack=number, card=JANKEN.parse(words[3]))
    if verb == "hit":
        number = _attack(view, words[2], 0, words[1], text)
        return ACTIONS.encode(verb, attack=number, level=LEVELS.index(words[0].lower()))
    return ACTIONS.encode(verb, card=JANKEN.parse(words[0]))


def _suit(letter: str, text: str) -> int:
    if letter.lower() not in JANKEN.suits:
        listed = ", ".join(f"{each} ({name})" for each, name in zip(JANKEN.suits, LEVELS, strict=True))
        raise UnknownMove(f"{text.strip()!r} is no move: a Joker counts as one of the suits {listed}.", text)
    return JANKEN.suits.index(letter.lower())


def _seat(word: str, text: str) -> int:
    if not 1 <= int(word) <= SEATS:
        raise UnknownMove(f"{text.strip()!r} is no move: seats are numbered 1 to {SEATS}.", text)
    return int(word)


def _mending(verb: str, level: str, word: str, text: str) -> int:
    """Return the face with which a level is repaired or rebuilt; raises `IllegalMove` for another suit."""
    card = JANKEN.parse(word)
    if card == JOKER:
        return JOKER + LEVELS.index(level)
    if LEVELS[card % SUITS] != level:
        clause = "TWR-36" if verb == "repair" else "TWR-41"
        raise IllegalMove(
            f"The {JANKEN.name(card)} is no {level}: a level takes a card of its own suit.", clause, text
        )
    return card


def _attack(view: State, word: str, sender: int, target: str | None, text: str) -> int:
    """Return the number of an attack in flight; `sender` 0 is the seat whose attacks arrive."""
    if word.startswith("*"):
        wanted = [JOKER + _suit(word[1], text)] if word[1:] else list(range(JOKER, FACES))
    else:
        wanted = [JANKEN.parse(word)]
    seat = sender or view.active
    at = _seat(target, text) if target else 0
    found = [
        number
        for number in range(view.flying)
        if view.attacks[number].sender == seat
        and view.attacks[number].face in wanted
        and at in (0, view.attacks[number].target)
    ]
    if not found:
        where = f" at {seat_name(at)}" if at else ""
        raise IllegalMove(
            f"No {face_name(wanted[0])} of {seat_name(seat)}{where} is in flight.",
            "TWR-30" if sender else "TWR-21",
            text,
        )
    different = {(view.attacks[number].target, view.attacks[number].face) for number in found}
    if len(different) > 1:
        of = "at" if sender else "of"
        ways = [f"{face_text(face)} {of} {seat}" for seat, face in sorted(different)]
        raise AmbiguousMove(f"{text.strip()!r} fits several attacks: {', '.join(ways)}.", ways)
    return found[0]
