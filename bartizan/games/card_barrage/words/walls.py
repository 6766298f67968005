"""The words of building, upgrading and replacing walls (CB-12, CB-18 to CB-20, CB-42)."""

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
    """Build a wall, or lay one of the first (CB-12, CB-18)."""

    form, example = "build {card} at {slot}", "build 7t at 3"
    words = {"card": CARD, "slot": SLOT}

    def choice(self, look: Look, card: int, slot: int) -> Choice:
        """Offer a card at a slot."""
        first = look.observation.phase == Phase.WALLS
        verb = "Lay" if first else "Build"
        return offer(
            verb,
            label=f"{verb} the {TECH.name(card)} at slot {slot + 1}",
            note="one of your first walls" if first else "no attack this turn then",
            **look.on_site(card, slot),
        )

    def refusal(self, look: Look, clause: str, card: int, slot: int) -> Explained:
        """Explain what the turn, the slot or the hand forbid."""
        observation = look.observation
        if clause == "CB-11":
            return no_slot(observation)
        if observation.phase == Phase.TURN:
            if observation.built:
                return "A wall has been built this turn; once is all.", ()
            if observation.attacked:
                return "After the attack nothing is built; end the turn.", ()
            if observation.upgraded:
                return "Building comes before upgrading, and a wall has been upgraded this turn.", ()
        return no_site(look, look.seat, slot, card)


def exchanged(look: Look, slot: int, card: int, leave: bool = False) -> dict[str, Any]:
    """Return the parts of a choice by which a wall and a hand card change places."""
    wall, old = look.wall(slot), look.standing(slot)
    there = ", where it lies" if leave else ""
    return {
        **look.with_card(card, wall),
        "label": f"Exchange wall {slot + 1}, the {TECH.name(old)}, with the {TECH.name(card)}{there}",
        "target": wall,
        "marks": {wall: "spent"},
        "note": f"the wall is then worth {table.value(card)}, not {table.value(old)}",
    }


class Upgrade(Verb):
    """Let a wall and a hand card change places (CB-19, CB-20)."""

    form = "upgrade {slot} with {card}[ {leave}]"
    example, also = "upgrade 2 with 9t", ("upgrade 2 with 9t leave",)
    words = {"slot": SLOT, "card": CARD, "leave": flag("leave")}

    def choice(self, look: Look, slot: int, card: int, leave: int) -> Choice:
        """Offer a card for a wall; a wall that was moved may be left where it lies."""
        return offer("Upgrade, leave it" if leave else "Upgrade", **exchanged(look, slot, card, bool(leave)))

    def refusal(self, look: Look, clause: str, slot: int, card: int, leave: int) -> Explained:
        """Explain what the turn, the wall, the hand or the card's value forbid."""
        observation, seat = look.observation, look.observation.active
        if clause == "CB-11":
            return no_slot(observation)
        if observation.upgraded:
            return "A wall has been upgraded this turn; once is all.", ()
        if observation.attacked:
            return "After the attack nothing is upgraded; end the turn.", ()
        if not table.stands(observation, seat, slot):
            return f"Slot {slot + 1} is empty; only a standing wall is upgraded.", (spot(seat, slot),)
        if not table.holds(observation, seat, card):
            return not_held(observation, seat, card)
        wall = (look.ids.target(seat, slot),)
        if clause == "CB-20":
            return f"Wall {slot + 1} lies where it should; there is nothing to leave.", wall
        standing = TECH.text(observation.wall[table.wall_at(seat, slot)])
        return f"The {TECH.text(card)} is not higher than the {standing} at slot {slot + 1}.", wall


class Replace(Verb):
    """Put a hand card where a wall was destroyed (CB-42, CB-47)."""

    form, example = "replace {slot} with {card}", "replace 3 with 2s"
    words = {"slot": SLOT, "card": CARD}

    def choice(self, look: Look, slot: int, card: int) -> Choice:
        """Offer a card for a destroyed wall."""
        return offer(
            "Replace",
            label=f"Replace wall {slot + 1} with the {TECH.name(card)}",
            note=f"{table.value(card)}, where {table.value(look.fallen(slot))} stood",
            **look.on_site(card, slot),
        )

    def refusal(self, look: Look, clause: str, slot: int, card: int) -> Explained:
        """Explain what the slot, the hand or the card's value forbid."""
        observation, seat = look.observation, look.seat
        if slot >= observation.slots:
            return no_slot(observation)
        fallen = look.fallen(slot)
        if fallen == EMPTY:
            return f"Slot {slot + 1} does not await a replacement.", (look.wall(slot),)
        if not table.holds(observation, seat, card):
            return not_held(observation, seat, card)
        sentence = (
            f"The {TECH.text(card)} is higher than the {TECH.text(fallen)} that stood there; "
            f"it takes {table.value(fallen)} or less."
        )
        return sentence, look.held(card)[:1]
