"""Show which suit beats which, in a table and around a wheel (TWR-24)."""

from __future__ import annotations

from bartizan.engine.scene import Aid
from bartizan.games.tower import values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import ROCK, SUITS
from bartizan.games.tower.words.names import LEVEL_NAMES, SUIT_NAMES


def _wheel() -> Aid:
    """Return the table of which suit beats which (TWR-24)."""
    rows = [("Suit", "level", "beats", "loses to")]
    for suit in range(SUITS):
        beaten = [SUIT_NAMES[other] for other in range(SUITS) if values.beats(suit, other)]
        beating = [SUIT_NAMES[other] for other in range(SUITS) if values.beats(other, suit)]
        rows.append((SUIT_NAMES[suit], LEVEL_NAMES[suit], " and ".join(beaten), " and ".join(beating)))
    text = (
        "An attack harms levels of the suits it beats. A card whose suit beats the attack can deflect it. "
        "Equal ranks favour the defender. An ace is high, except as an attack."
    )
    return Aid(id="suits", title="Which suit beats which", text=text, table=tuple(rows), wheel=_around())


def _around() -> dict[str, tuple[str, ...]]:
    """Return the suits each suit beats, ordered so that each beats the next two."""
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
