"""Define the answers to a Thief, a Necromancer or a Bard (ALC-57, ALC-59, ALC-64)."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.alcazar import values
from bartizan.games.alcazar.words.look import Look
from bartizan.games.alcazar.words.names import token
from bartizan.games.alcazar.words.spelling import LAID, hand_card


class Discard(Verb):
    """Discard a hand card above the limit (ALC-9, ALC-64)."""

    form, example = "discard {slot}", "discard 4h"
    words = {"slot": hand_card("ALC-64")}

    def choice(self, look: Look, slot: int) -> Choice:
        """Offer a card."""
        card = look.tokens[slot]
        return offer(
            "Discard",
            label=f"Discard the {POKER.name(look.hand[slot])}",
            items=(card,),
            marks={card: "spent"},
        )

    def refusal(self, look: Look, clause: str, slot: int) -> Explained:
        """Explain that the player must discard a card from the hand."""
        limit = values.hand_limit(look.observation)
        return f"Your hand limit is {limit} cards now. Discard first.", []


class Forfeit(Verb):
    """Choose which of two Advantages a Necromancer removes first (ALC-59)."""

    form, example = "discard {advantage}", "discard 4h"
    words = {"advantage": LAID}

    def choice(self, look: Look, advantage: int) -> Choice:
        """Offer an Advantage."""
        card = look.observation.advantages.cards[advantage]
        return offer(
            "Discard first",
            label=f"Discard the {POKER.name(card)} first",
            items=(token(card),),
            marks={token(card): "spent"},
        )


class Draw(Verb):
    """Draw the Bard's second card (ALC-57)."""

    form = example = "draw"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer("Draw", label="Draw a second card")


class Stay(Verb):
    """Leave the second card in the deck (ALC-57)."""

    form = example = "stay"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer("Stay", label="Keep your hand as it is")
