"""The words for the third card's effect and the discard it may ask for (CB-40)."""

from __future__ import annotations

from typing import Any

from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.card_barrage import effects, table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import CASTLE, State
from bartizan.games.card_barrage.words.grammar import CARD, DROPPED, PICKED, SCORED, SLOT
from bartizan.games.card_barrage.words.hands import no_site, no_slot, not_held
from bartizan.games.card_barrage.words.look import Look
from bartizan.games.card_barrage.words.names import seat_name, spot, upper
from bartizan.games.card_barrage.words.walls import exchanged

EFFECT_NAMES = ("nothing", "draw two, discard one", "exchange a wall", "build a wall", "pick an enemy")
NOT_SCORED: Explained = ("You didn't just score that card.", ())


def effects_offered(observation: State) -> list[str]:
    """Return the effects of the newly scored cards by name."""
    cards = [observation.scored[place] for place in range(observation.newly)]
    return sorted({EFFECT_NAMES[effects.effect_of(observation, card)] for card in cards})


class _Effect(Verb):
    """Use the effect of a newly scored card."""

    def offer(self, look: Look, scored: int, verb: str, **parts: Any) -> Choice:
        """Return a choice that also involves touching the newly scored card."""
        card = look.observation.scored[scored]
        pile = look.ids.piles[table.keeper(look.observation, look.seat)]
        touched = next(each for kind, each in pile if kind == card)
        items = (touched, *parts.get("items", ()))
        return offer(verb, **{**parts, "items": items, "label": f"{TECH.name(card)}: {parts['label']}"})

    def not_offered(self, look: Look, scored: int) -> Explained:
        """Explain that the card has not been scored, or has another effect."""
        if scored >= look.observation.newly:
            return NOT_SCORED
        return f"The {TECH.name(look.observation.scored[scored])} has a different effect.", ()


class Draw(_Effect):
    """Draw two cards, then discard one."""

    form, example = "effect {scored}", "effect 7k"
    words = {"scored": SCORED}

    def choice(self, look: Look, scored: int) -> Choice:
        """Offer it."""
        return self.offer(look, scored, "Draw two", label="draw two cards, then discard one")

    def refusal(self, look: Look, clause: str, scored: int) -> Explained:
        """Explain that the card does not offer it."""
        return self.not_offered(look, scored)


class Exchange(_Effect):
    """Exchange a wall with a card from the hand."""

    form, example = "effect {scored} exchange {slot} with {card}", "effect 7s exchange 2 with 9t"
    words = {"scored": SCORED, "slot": SLOT, "card": CARD}

    def choice(self, look: Look, scored: int, slot: int, card: int) -> Choice:
        """Offer a card for a wall."""
        return self.offer(look, scored, "Exchange", **exchanged(look, slot, card))

    def refusal(self, look: Look, clause: str, scored: int, slot: int, card: int) -> Explained:
        """Explain whether the slot, the hand or the scored card prevents it."""
        observation = look.observation
        if clause == "CB-11":
            return no_slot(observation)
        if scored < observation.newly and not table.holds(observation, observation.active, card):
            return not_held(observation, observation.active, card)
        return self.not_offered(look, scored)


class Erect(_Effect):
    """Build a wall and keep the attack."""

    form, example = "effect {scored} build {card} at {slot}", "effect 7t build 9t at 3"
    words = {"scored": SCORED, "card": CARD, "slot": SLOT}

    def choice(self, look: Look, scored: int, card: int, slot: int) -> Choice:
        """Offer a card at a slot."""
        label = f"Build the {TECH.name(card)} in slot {slot + 1}"
        site = look.on_site(card, slot)
        return self.offer(look, scored, "Build", label=label, note="you can still attack", **site)

    def refusal(self, look: Look, clause: str, scored: int, card: int, slot: int) -> Explained:
        """Explain whether the slot, the hand or the scored card prevents it."""
        observation, seat = look.observation, look.observation.active
        if clause == "CB-11":
            return no_slot(observation)
        if scored >= observation.newly:
            return NOT_SCORED
        if clause == "CB-44":
            return no_site(look, seat, slot, card)
        if not table.holds(observation, seat, card):
            return not_held(observation, seat, card)
        if clause == "CB-18":
            return no_site(look, seat, slot, card)
        return self.not_offered(look, scored)


class Pick(_Effect):
    """Make an enemy discard a hand card."""

    form, example = "effect {scored} pick {seat}", "effect 7v pick 2"
    words = {"scored": SCORED, "seat": PICKED}

    def choice(self, look: Look, scored: int, seat: int) -> Choice:
        """Offer an enemy, by its castle."""
        castle = spot(seat, CASTLE)
        return self.offer(
            look,
            scored,
            "Pick",
            label=f"{seat_name(look.observation, seat)} must discard a card",
            items=(castle,),
            target=castle,
            note="they choose which",
        )

    def refusal(self, look: Look, clause: str, scored: int, seat: int) -> Explained:
        """Explain that the seat isn't an enemy, has no cards, or that the scored card offers no pick."""
        observation = look.observation
        if scored < observation.newly and seat < observation.castles:
            whose = upper(seat_name(observation, seat))
            if table.side_of(observation, seat) == table.side_of(observation, observation.active):
                return f"{whose} isn't an enemy.", ()
            if not observation.hand[seat].count:
                return f"{whose} has no card to discard.", ()
        return self.not_offered(look, scored)


class Discard(Verb):
    """Discard a hand card, for an effect."""

    form, example = "discard {card}", "discard 4k"
    words = {"card": DROPPED}

    def choice(self, look: Look, card: int) -> Choice:
        """Offer a card."""
        return offer("Discard", label=f"Discard the {TECH.name(card)}", **look.with_card(card))

    def refusal(self, look: Look, clause: str, card: int) -> Explained:
        """Explain that it is not in the hand."""
        return not_held(look.observation, look.seat, card)
