"""Write and read Alcazar's cards and moves; positions are in ``position.py``."""

from __future__ import annotations

import re
from math import factorial
from typing import TYPE_CHECKING

from bartizan.engine.cards import CARD, POKER
from bartizan.engine.clauses import OK
from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation import squeeze, unknown_move
from bartizan.engine.rule import interpreted
from bartizan.games.alcazar.position import PLACE_NAMES, read_position, write_position
from bartizan.games.alcazar.refusals import refusal
from bartizan.games.alcazar.state import ACTIONS, END, NUM_ACTIONS, PAIR_HIGH, PAIR_LOW, State

if TYPE_CHECKING:
    from bartizan.games.alcazar import api as plain_api
else:
    from bartizan.games.alcazar import api

    plain_api = interpreted(api)

__all__ = ["MOVE_FORMS", "PLACE_NAMES", "parse_move", "print_move", "read_position", "write_position"]

MOVE_FORMS = (
    "defend left.front with 5h 4d",
    "repair with 6c",
    "missile As at left.front paying 2c",
    "swap Kd left.front right.rear paying 3h",
    "fortify Qh paying 5d",
    "reinforce Jc taking 9c paying 4s",
    "advantage Qh paying 5h",
    "advantage Qh paying 5h replacing Jc",
    "trade 4h",
    "discard 4h",
    "draw",
    "stay",
    "end",
)
VERBS = (
    "defend",
    "repair",
    "missile",
    "swap",
    "fortify",
    "reinforce",
    "advantage",
    "trade",
    "discard",
    "draw",
    "stay",
    "end",
)

_PLACE = r"(?:RIGHT|LEFT|TOP)\.(?:FRONT|REAR)"
_C = rf"({CARD})"
_PATTERNS = {
    "defend": rf"DEFEND({_PLACE})WITH((?:{CARD})+)",
    "repair": rf"REPAIRWITH{_C}",
    "missile": rf"MISSILE{_C}AT({_PLACE})PAYING{_C}",
    "swap": rf"SWAP{_C}({_PLACE})({_PLACE})PAYING{_C}",
    "fortify": rf"FORTIFY{_C}PAYING{_C}",
    "reinforce": rf"REINFORCE{_C}TAKING{_C}PAYING{_C}",
    "advantage": rf"ADVANTAGE{_C}PAYING{_C}(?:REPLACING{_C})?",
    "trade": rf"TRADE{_C}",
    "discard": rf"DISCARD{_C}",
    "draw": "DRAW",
    "stay": "STAY",
    "end": "END",
}

# The clause that speaks of the card a move must find in the hand.
_HAND_CLAUSE = {
    "defend": "ALC-19",
    "repair": "ALC-25",
    "missile": "ALC-28",
    "swap": "ALC-28",
    "fortify": "ALC-28",
    "reinforce": "ALC-28",
    "advantage": "ALC-28",
    "trade": "ALC-54",
    "discard": "ALC-64",
}


def print_move(view: State, action: int) -> str:
    """Return an action in canonical notation, as the state `view` stands."""
    verb, field = ACTIONS.decode(action)
    hand = _hand(view)
    if verb == "defend":
        slots = [slot for slot in range(len(hand)) if field["cards"] >> slot & 1]
        cards = " ".join(hand[slot] for slot in nth_order(slots, ACTIONS.variant(action)))
        return f"defend {PLACE_NAMES[field['place']]} with {cards}"
    if verb == "yield":
        return f"discard {POKER.text(view.advantages.cards[field['advantage']])}"
    if verb in ("draw", "stay", "end"):
        return verb
    card = hand[field["slot"]]
    if verb == "repair":
        return f"repair with {card}"
    if verb in ("trade", "discard"):
        return f"{verb} {card}"
    paying = f"paying {hand[field['paying']]}"
    if verb == "missile":
        return f"missile {card} at {PLACE_NAMES[field['place']]} {paying}"
    if verb == "swap":
        places = sorted((PLACE_NAMES[PAIR_LOW[field["pair"]]], PLACE_NAMES[PAIR_HIGH[field["pair"]]]))
        return f"swap {card} {places[0]} {places[1]} {paying}"
    if verb == "reinforce":
        return f"reinforce {card} taking {POKER.text(field['card'])} {paying}"
    if verb == "advantage" and field["replacing"]:
        return (
            f"advantage {card} {paying} replacing {POKER.text(view.advantages.cards[field['replacing'] - 1])}"
        )
    return f"{verb} {card} {paying}"


def _hand(view: State) -> list[str]:
    """Return the hand's cards by slot; a slot without a card reads ``?``."""
    count = view.hand.count
    return [POKER.text(view.hand.cards[slot]) if slot < count else "?" for slot in range(8)]


def nth_order(slots: list[int], number: int) -> list[int]:
    """Return the permutation of `slots` with this number in lexicographic order.

    Raises `ValueError` for a number that no permutation has.
    """
    if not 0 <= number < factorial(len(slots)):
        raise ValueError(f"{len(slots)} cards have no order number {number}")
    left, order = list(slots), []
    while left:
        index, number = divmod(number, factorial(len(left) - 1))
        order.append(left.pop(index))
    return order


def order_number(order: list[int]) -> int:
    """Return the number of a permutation in lexicographic order; `nth_order` is its inverse."""
    number = 0
    for index, slot in enumerate(order):
        later = order[index + 1 :]
        number += sum(other < slot for other in later) * factorial(len(later))
    return number


def parse_move(view: State, text: str) -> int:
    """Read a move in full notation and return its action code; it may be illegal.

    Raises `UnknownMove` for a text of no form, `UnknownCard` for a card that is
    none, and `IllegalMove` where a card is not in the hand or named twice, so
    that no action could stand for the move.
    """
    squeezed = squeeze(text)
    for verb, pattern in _PATTERNS.items():
        match = re.fullmatch(pattern, squeezed, re.IGNORECASE | re.ASCII)
        if match is not None:
            try:
                return _encode(view, verb, text, list(match.groups()))
            except IllegalMove as error:
                raise _refused_by_phase(view, verb, text) or error from None
    first = next((verb for verb in VERBS if squeezed.lower().startswith(verb)), None)
    if first is not None:
        for word in re.findall(r"\b(?:10|\w)\w\b", text.partition(" ")[2]):
            if word.lower() not in ("at",):
                POKER.parse(word)
    raise unknown_move(text, MOVE_FORMS, VERBS)


def _refused_by_phase(view: State, verb: str, text: str) -> IllegalMove | None:
    """Return the error for a kind of move that the table does not wait for, or None if it does.

    It goes before any fault of the cards named, as it does for moves that an action stands for.
    """
    clause = plain_api.why_not_in_phase(view, ACTIONS.base(verb))
    if clause == OK:
        return None
    reason = refusal(
        view, END, clause
    )  # the reason lies in the phase alone: any action without cards will do
    return IllegalMove(reason.sentence, reason.clause, text, reason.blockers, reason.rule)


def _encode(view: State, verb: str, text: str, words: list[str]) -> int:
    def slot(word: str, clause: str = "") -> int:
        card = POKER.parse(word)
        for index in range(view.hand.count):
            if view.hand.cards[index] == card:
                return index
        rule = clause or _HAND_CLAUSE[verb]
        raise IllegalMove(f"There is no {POKER.text(card)} in the hand.", rule, text)

    if verb == "defend":
        cards = [slot(POKER.text(card)) for card in POKER.split(words[1])]
        if len(set(cards)) < len(cards):
            raise IllegalMove("A card is named twice.", "ALC-19", text)
        subset = sum(1 << card for card in cards)
        return ACTIONS.encode("defend", place=_place(words[0]), cards=subset) + NUM_ACTIONS * order_number(
            cards
        )
    if verb == "discard":
        for index in range(view.advantages.count):
            if view.advantages.cards[index] == POKER.parse(words[0]):
                return ACTIONS.encode("yield", advantage=index)
    if verb in ("repair", "trade", "discard"):
        return ACTIONS.encode(verb, slot=slot(words[0]))
    if verb in ("draw", "stay", "end"):
        return ACTIONS.encode(verb)
    if verb == "advantage":
        return ACTIONS.encode(
            verb,
            slot=slot(words[0]),
            paying=slot(words[1], "ALC-31"),
            replacing=_replacing(view, words[2], text),
        )
    special, paying = slot(words[0]), slot(words[-1], "ALC-30")
    if verb == "missile":
        return ACTIONS.encode(verb, slot=special, place=_place(words[1]), paying=paying)
    if verb == "swap":
        return ACTIONS.encode(verb, slot=special, pair=_pair(words[1], words[2], text), paying=paying)
    if verb == "reinforce":
        card = POKER.parse(words[1])
        if card >= POKER.plain:
            raise IllegalMove("A Joker never lies in the discard.", "ALC-46", text)
        return ACTIONS.encode(verb, slot=special, card=card, paying=paying)
    return ACTIONS.encode(verb, slot=special, paying=paying)


def _place(word: str) -> int:
    return PLACE_NAMES.index(word.lower())


def _pair(one: str, two: str, text: str) -> int:
    low, high = sorted((_place(one), _place(two)))
    if low == high:
        raise IllegalMove("A swap takes two different enemies.", "ALC-44", text)
    return next(pair for pair in range(len(PAIR_LOW)) if (PAIR_LOW[pair], PAIR_HIGH[pair]) == (low, high))


def _replacing(view: State, word: str | None, text: str) -> int:
    if word is None:
        return 0
    for index in range(view.advantages.count):
        if view.advantages.cards[index] == POKER.parse(word):
            return index + 1
    raise IllegalMove(f"{POKER.text(POKER.parse(word))} does not lie as an Advantage.", "ALC-32", text)
