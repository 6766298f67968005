"""Tell which suit beats which, as the rules have it: in a table and around a wheel (TWR-24)."""

from __future__ import annotations

from bartizan.engine.scene import Aid
from bartizan.games.tower import values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import ROCK, SUITS
from bartizan.games.tower.words.names import LEVEL_NAMES, SUIT_NAMES


def _wheel() -> Aid:
    """Return the strength of the suits, as the rules have it (TWR-24)."""
    rows = [("Suit", "level", "beats", "is beaten by")]
    for suit in range(SUITS):
        beaten = [SUIT_NAMES[other] for other in range(SUITS) if values.beats(suit, other)]
        beating = [SUIT_NAMES[other] for other in range(SUITS) if values.beats(other, suit)]
        rows.append((SUIT_NAMES[suit], LEVEL_NAMES[suit], " and ".join(beaten), " and ".join(beating)))
    text = (
        "An attack harms levels of the suits it beats; a card of a suit that beats the attack deflects it. "
        "Equal ranks favour the defender; an ace is high, but low in an attack."
    )
    return Aid(id="suits", title="Which suit beats which", text=text, table=tuple(rows), wheel=_around())


def _around() -> dict[str, tuple[str, ...]]:
    """Return those that each suit beats, the suits in such an order that each beats the next two."""
    names: dict[str, tuple[str, ...]] = {}
    suit = ROCK
    for _ in range(SUITS):
        near, far = (other for other in range(SUITS) if values.beats(suit, other))
        if values.beats(far, near):
            near, far = far, near
        names[JANKEN.suits[suit]] = (JANKEN.suits[near], JANKEN.suits[far])
        suit = near
    return names


AID = _wheel()
