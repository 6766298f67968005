"""The words for building, upgrading and replacing walls (CB-12, CB-18 to CB-20, CB-42)."""

from __future__ import annotations

from typing import Any

from bartizan.engine.notation.grammar import flag
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import Phase
from bartizan.games.card_barrage.words.grammar import CARD, SLOT
from bartizan.games.card_barrage.words.hands import no_site, no_slot, not_held
from bartizan.games.card_barrage.words.look import Look
from bartizan.games.card_barrage.words.names import spot


class Build(Verb):
    """Build a wall, or place one of the first walls (CB-12, CB-18)."""

    form, example = "build {card} at {slot}", "build 7t at 3"
    words = {"card": CARD, "slot": SLOT}

    def choice(self, look: Look, card: int, slot: int) -> Choice:
        """Offer a card at a slot."""
        first = look.observation.phase == Phase.WALLS
        verb = "Place" if first else "Build"
        return offer(
            verb,
            label=f"{verb} the {TECH.name(card)} in slot {slot + 1}",
            note="one of your first walls" if first else "you then can't attack this turn",
            **look.on_site(card, slot),
        )

    def refusal(self, look: Look, clause: str, card: int, slot: int) -> Explained:
        """Explain whether the turn, the slot or the hand prevents it."""
        observation = look.observation
        if clause == "CB-11":
            return no_slot(observation)
        if observation.phase == Phase.TURN:
            if observation.built:
                return "You have already built a wall this turn.", ()
            if observation.attacked:
                return "You can't build after attacking. End your turn.", ()
            if observation.upgraded:
                return "You have already upgraded this turn, so you can't build any more.", ()
        return no_site(look, look.seat, slot, card)


def exchanged(look: Look, slot: int, card: int, leave: bool = False) -> dict[str, Any]:
    """Return the parts of a choice that exchanges a wall with a card from the hand."""
    wall, old = look.wall(slot), look.standing(slot)
    there = ", leaving it where it lies" if leave else ""
    return {
        **look.with_card(card, wall),
        "label": f"Exchange wall {slot + 1}, the {TECH.name(old)}, with the {TECH.name(card)}{there}",
        "target": wall,
        "marks": {wall: "spent"},
        "note": f"the wall changes from {table.value(old)} to {table.value(card)}",
    }


class Upgrade(Verb):
    """Exchange a wall with a card from the hand (CB-19, CB-20)."""

    form = "upgrade {slot} with {card}[ {leave}]"
    example, also = "upgrade 2 with 9t", ("upgrade 2 with 9t leave",)
    words = {"slot": SLOT, "card": CARD, "leave": flag("leave")}

    def choice(self, look: Look, slot: int, card: int, leave: int) -> Choice:
        """Offer a card for a wall; a moved wall may stay where it lies."""
        return offer("Upgrade, leave it" if leave else "Upgrade", **exchanged(look, slot, card, bool(leave)))

    def refusal(self, look: Look, clause: str, slot: int, card: int, leave: int) -> Explained:
        """Explain whether the turn, the wall, the hand or the card's value prevents it."""
        observation, seat = look.observation, look.observation.active
        if clause == "CB-11":
            return no_slot(observation)
        if observation.upgraded:
            return "You have already upgraded a wall this turn.", ()
        if observation.attacked:
            return "You can't upgrade after attacking. End your turn.", ()
        if not table.stands(observation, seat, slot):
            return f"Slot {slot + 1} is empty. You can only upgrade a standing wall.", (spot(seat, slot),)
        if not table.holds(observation, seat, card):
            return not_held(observation, seat, card)
        wall = (look.ids.target(seat, slot),)
        if clause == "CB-20":
            return f"Wall {slot + 1} hasn't been moved, so you can't leave it out of place.", wall
        standing = TECH.text(observation.wall[table.wall_at(seat, slot)])
        return f"The {TECH.name(card)} isn't higher than the {standing} in slot {slot + 1}.", wall


class Replace(Verb):
    """Replace a destroyed wall with a card from the hand (CB-42, CB-47)."""

    form, example = "replace {slot} with {card}", "replace 3 with 2s"
    words = {"slot": SLOT, "card": CARD}

    def choice(self, look: Look, slot: int, card: int) -> Choice:
        """Offer a card for a destroyed wall."""
        return offer(
            "Replace",
            label=f"Replace wall {slot + 1} with the {TECH.name(card)}",
            note=f"{table.value(card)} instead of {table.value(look.fallen(slot))}",
            **look.on_site(card, slot),
        )

    def refusal(self, look: Look, clause: str, slot: int, card: int) -> Explained:
        """Explain whether the slot, the hand or the card's value prevents it."""
        observation, seat = look.observation, look.seat
        if slot >= observation.slots:
            return no_slot(observation)
        fallen = look.fallen(slot)
        if fallen == EMPTY:
            return f"Slot {slot + 1} has no wall to replace.", (look.wall(slot),)
        if not table.holds(observation, seat, card):
            return not_held(observation, seat, card)
        sentence = (
            f"The {TECH.name(card)} is higher than the wall it would replace. "
            f"Use a card of value {table.value(fallen)} or less."
        )
        return sentence, look.held(card)[:1]
