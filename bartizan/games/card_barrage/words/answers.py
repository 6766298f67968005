"""The words for answering a phase and ending the turn: give, decline, reveal, turn up, end."""

from __future__ import annotations

from bartizan.engine.notation.grammar import one_of
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.phases import REFILLED
from bartizan.games.card_barrage.state import KINDS, Phase
from bartizan.games.card_barrage.words.effects import effects_offered
from bartizan.games.card_barrage.words.grammar import CARD
from bartizan.games.card_barrage.words.hands import not_held
from bartizan.games.card_barrage.words.look import Look


class Give(Verb):
    """Give a card when a castle was hit (CB-38)."""

    form, example = "give {card}", "give 2s"
    words = {"card": CARD}

    def choice(self, look: Look, card: int) -> Choice:
        """Offer a card."""
        label = f"Give the {TECH.name(card)} for your castle"
        return offer("Give", label=label, note="to the attacker's score pile", **look.with_card(card))

    def refusal(self, look: Look, clause: str, card: int) -> Explained:
        """Explain that it is not in the hand."""
        return not_held(look.observation, look.seat, card)


class Decline(Verb):
    """Decline an effect, or say that no card can replace a wall (CB-40, CB-43)."""

    form = example = "decline"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        if look.observation.phase == Phase.REPLACE:
            label = "You hold no card of equal or lower value"
            return offer("Nothing fits", label=label, note="the slot stays empty")
        note = f"available: {', '.join(effects_offered(look.observation))}"
        return offer("Decline", label="Don't use an effect", note=note)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain which cards must be placed."""
        if table.is_simulacrum(look.observation, look.seat):
            return REFILLED, ()
        return "You hold a card that fits, so you must replace the destroyed wall.", _fitting(look)


def _fitting(look: Look) -> list[str]:
    """Return the ids of the hand cards that can replace one of the seat's destroyed walls."""
    hand = look.observation.hand[look.seat]
    fallen = [look.fallen(slot) for slot in range(look.observation.slots) if look.fallen(slot) != EMPTY]
    fitting = [
        token
        for gone in fallen
        for place, token in enumerate(look.ids.hands[look.seat])
        if 0 <= hand.cards[place] < KINDS and table.value(hand.cards[place]) <= table.value(gone)
    ]
    return list(dict.fromkeys(fitting))


class Reveal(Verb):
    """Reveal the simulacrum's card here (CB-46)."""

    form = example = "reveal"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        note = f"below {look.observation.options.solo_hit_below} it hits your lowest wall"
        return offer("Reveal", label="Reveal the simulacrum's card", note=note)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain that it is a real card."""
        return "Turn up the real card and report what it does: 'reveal hit' or 'reveal miss'.", ()


class TurnUp(Verb):
    """Say what the simulacrum's real card did (CB-46)."""

    form, example = "reveal {hit}", "reveal hit"
    words = {"hit": one_of("miss", "hit")}

    def choice(self, look: Look, hit: int) -> Choice:
        """Offer the two results."""
        low = look.observation.options.solo_hit_below
        if hit:
            return offer("It hits", label=f"The card is below {low}: it hits", note="your lowest wall")
        return offer("It misses", label=f"The card is {low} or higher: it misses")

    def refusal(self, look: Look, clause: str, hit: int) -> Explained:
        """Explain that there is no real card to turn up."""
        if look.untold:
            return "The simulacrum has no cards left. Use 'reveal'.", ()
        return "The card is on screen. Use 'reveal'.", ()


class End(Verb):
    """End the turn (CB-15)."""

    form = example = "end"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        observation = look.observation
        may_attack = not observation.attacked and not observation.built and observation.hand[look.seat].count
        return offer("End turn", label="End the turn", note="without attacking" if may_attack else "")

    def refusal(self, look: Look, clause: str) -> Explained:
        """Say that you can always end the turn; in other phases, the phase table answers."""
        return "You can do that now.", ()
