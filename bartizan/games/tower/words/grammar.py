"""Write and read what Tower's moves name: cards, seats, levels, and attacks in flight."""

from __future__ import annotations

from bartizan.engine.cards import CARD
from bartizan.engine.errors import AmbiguousMove, IllegalMove
from bartizan.engine.notation.grammar import Word, one_of
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import FACES, JOKER, SEATS, State
from bartizan.games.tower.words.names import SUIT_NAMES, card_of, face_name, face_text, seat_name

PLAIN = CARD.removesuffix(r"|\*")  # any card except a Joker
ANY_JOKER = FACES  # a Joker in flight whose suit is not named
NOT_FLYING = -1  # the card of an attack that doesn't exist
UNNAMED = 0  # a seat that doesn't have to be named


def _read_suit(letter: str) -> int:
    if letter.lower() not in JANKEN.suits:
        listed = ", ".join(f"{each} ({name})" for each, name in zip(JANKEN.suits, SUIT_NAMES, strict=True))
        raise ValueError(f"a Joker counts as one of the suits {listed}")
    return JOKER + JANKEN.suits.index(letter.lower())


def _read_seat(text: str) -> int:
    if not 1 <= int(text) <= SEATS:
        raise ValueError(f"there is no seat {text}; seats are numbered 1 to {SEATS}")
    return int(text)


def _write_sent(state: State, face: int) -> str:
    return JANKEN.text(face) if face < JOKER else f"* as {JANKEN.suits[face - JOKER]}"


def _read_sent(state: State, text: str) -> int:
    return _read_suit(text[-1]) if text.startswith("*") else JANKEN.parse(text)


def _read_flying(state: State, text: str) -> int:
    if text == "*":
        return ANY_JOKER
    return _read_suit(text[1:]) if text.startswith("*") else JANKEN.parse(text)


CARD_HELD = Word(CARD, lambda state, card: JANKEN.text(card), lambda state, text: JANKEN.parse(text))
SENT = Word(rf"{PLAIN}|\*AS[A-Z]", _write_sent, _read_sent)
FLYING = Word(
    rf"{PLAIN}|\*[A-Z]?", lambda state, face: "?" if face == NOT_FLYING else face_text(face), _read_flying
)
LEVEL = one_of(*SUIT_NAMES)
SEAT = Word(r"\d+", lambda state, seat: str(seat) if seat else "?", lambda state, text: _read_seat(text))
# The same for a target, which is numbered from 0.
TARGET = Word(r"\d+", lambda state, target: str(target + 1), lambda state, text: _read_seat(text) - 1)


# --- Attacks in flight --------------------------------------------------------


def words_for_attack(state: State, number: int) -> dict[str, int]:
    """Return the words that name an attack: its card, sender, and target if that makes it clear."""
    if number >= state.flying:
        return {"flying": NOT_FLYING, "sender": UNNAMED, "target": UNNAMED}
    attack = state.attacks[number]
    unclear = any(
        (other.sender, other.face) == (attack.sender, attack.face) and other.target != attack.target
        for other in state.attacks[: state.flying]
    )
    target = attack.target if unclear else UNNAMED
    return {"flying": attack.face, "sender": attack.sender, "target": target}


def find_attack(state: State, face: int, sender: int, target: int, clause: str) -> int:
    """Return the number of the attack that a move names.

    Raises `IllegalMove` by the clause where it is not in flight, and `AmbiguousMove` where the target, or a
    Joker's suit, must be named to tell attacks apart.
    """
    faces = range(JOKER, FACES) if face == ANY_JOKER else (face,)
    meanings = [
        number
        for number, attack in enumerate(state.attacks[: state.flying])
        if attack.sender == sender and attack.face in faces and target in (UNNAMED, attack.target)
    ]
    name = JANKEN.name(JOKER) if face == ANY_JOKER else face_name(face)
    if not meanings:
        where = f" at {seat_name(target)}" if target else ""
        raise IllegalMove(f"{seat_name(sender)} has no {name} in flight{where}.", clause)
    different = {(state.attacks[number].target, state.attacks[number].face) for number in meanings}
    if len(different) > 1:
        ways = [f"{face_text(other)} at {seat}" for seat, other in sorted(different)]
        card = JANKEN.name(card_of(face))
        raise AmbiguousMove(f"{seat_name(sender)}'s {card} could be {' or '.join(ways)}.", ways)
    return meanings[0]
