"""Write and read the parts of Alcazar's moves: hand cards, Advantages, places and cards in payment order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import factorial

from bartizan.engine.cards import CARD, POKER
from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation.grammar import Word, one_of
from bartizan.engine.notation.text import squeeze
from bartizan.games.alcazar.state import SUBSETS, State
from bartizan.games.alcazar.words.names import PLACE_NAMES, hand_of, slots_of

PLACE = one_of(*PLACE_NAMES)


def hand_card(clause: str) -> Word:
    """Return the word for a hand card, by its slot; `clause` is cited for a card that is missing."""
    return Word(CARD, _write_hand_card, lambda state, text: _slot_of(state, text, clause))


def _write_hand_card(state: State, slot: int) -> str:
    return POKER.text(state.hand.cards[slot]) if slot < state.hand.count else "?"


def _slot_of(state: State, text: str, clause: str) -> int:
    card = POKER.parse(text)
    if card not in hand_of(state):
        raise IllegalMove(f"You don't hold the {POKER.name(card)}.", clause)
    return hand_of(state).index(card)


# Any card of the deck, by its id: what a Reinforcement fetches.
ANY_CARD = Word(CARD, lambda state, card: POKER.text(card), lambda state, text: POKER.parse(text))


def _laid_card(state: State, text: str) -> int:
    """Return the number of an Advantage, from 0."""
    card = POKER.parse(text)
    laid = [state.advantages.cards[place] for place in range(state.advantages.count)]
    if card not in laid:
        raise IllegalMove(f"The {POKER.name(card)} isn't one of your Advantages.", "ALC-32")
    return laid.index(card)


def _write_laid_card(state: State, place: int) -> str:
    return POKER.text(state.advantages.cards[place])


LAID = Word(CARD, _write_laid_card, _laid_card)
REPLACED = Word(  # the same, numbered from 1; left out where nothing is replaced
    CARD,
    lambda state, number: _write_laid_card(state, number - 1) if number else "",
    lambda state, text: 1 + _laid_card(state, text),
)


# --- The cards of a defence, which are paid in the order named (ALC-Q14) ------


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


def _write_paid(state: State, number: int) -> str:
    order, cards = divmod(number, SUBSETS)
    return " ".join(_write_hand_card(state, slot) for slot in nth_order(slots_of(cards), order))


def _read_paid(state: State, text: str) -> int:
    slots = [_slot_of(state, POKER.text(card), "ALC-19") for card in POKER.split(text)]
    if len(set(slots)) < len(slots):
        raise IllegalMove("You named a card twice.", "ALC-19")
    return sum(1 << slot for slot in slots) + SUBSETS * order_number(slots)


# Cards of the hand: their subset, and SUBSETS times the number of their order.
PAID = Word(rf"(?:{CARD})+", _write_paid, _read_paid)


def misread(state: State, text: str, beginnings: Sequence[str]) -> None:
    """Raise `UnknownCard` for a move that starts with a known verb but names an unknown card."""
    if not squeeze(text).lower().startswith(tuple(beginnings)):
        return
    for word in re.findall(r"\b(?:10|\w)\w\b", text.partition(" ")[2]):
        if word.lower() != "at":
            POKER.parse(word)
