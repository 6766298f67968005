"""The words of building and drawing: exchange, draw, take, lay, stop (TWR-5 to TWR-12, TWR-19, TWR-55)."""

from __future__ import annotations

from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.phases import why_no_stop
from bartizan.games.tower.state import JOKER, SUITS, Phase, State
from bartizan.games.tower.words.grammar import CARD_HELD
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import SUIT_NAMES, card_of, cards, tower_zone


def no_card(face: int) -> Explained:
    """Explain that a card is not in the hand."""
    return f"There is no {JANKEN.name(card_of(face))} in your hand.", ()


def _missing(hand: list[int]) -> list[str]:
    """Return the suits that some cards lack, Jokers left aside."""
    held = {card % SUITS for card in hand if card < JOKER}
    return [name for suit, name in enumerate(SUIT_NAMES) if suit not in held]


class Exchange(Verb):
    """Put a card down for another (TWR-7)."""

    form, example = "exchange {card}", "exchange 4w"
    words = {"card": CARD_HELD}

    def choice(self, look: Look, card: int) -> Choice:
        """Offer a card."""
        hand = look.observation.players[look.seat - 1].hand.listed()
        hand.remove(card)
        missing = _missing(hand)
        return offer(
            "Exchange",
            label=f"Put the {JANKEN.name(card)} down",
            marks={look.card(card): "spent"},
            note=f"you then lack {' and '.join(missing)}" if missing else "you still hold every suit",
            **look.touching(card, "discard"),
        )

    def refusal(self, look: Look, clause: str, card: int) -> Explained:
        """Explain that it is not in the hand."""
        return no_card(card)


def _still_drawn(observation: State) -> str:
    """Say how many cards are still drawn after this one."""
    if observation.phase != Phase.DRAW:
        return ""
    return f"{cards(observation.draws_left - 1)} more after it"


class Draw(Verb):
    """Take the draw pile's top card, as a replacement or at the end of a turn (TWR-8, TWR-19)."""

    form = example = "draw"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        note = _still_drawn(look.observation)
        return offer("Draw", label="Take the draw pile's top card", items=("deck",), note=note)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain that there is none."""
        return "There is no card left to draw.", ("deck",)


class Take(Verb):
    """Take the discard pile's top card, as a replacement or at the end of a turn (TWR-8, TWR-55)."""

    form = example = "take"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        card = look.observation.discard.listed()[0]
        return offer(
            "Take",
            label=f"Take the {JANKEN.name(card)} from the discard pile",
            items=("discard",),
            marks={look.discard[0]: "taken"},
            note="; ".join(filter(None, (_still_drawn(look.observation), "everybody sees it"))),
        )

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain that there is none."""
        return "The discard pile is empty.", ("discard",)


class Lay(Verb):
    """Lay the tower (TWR-9)."""

    form = example = "lay"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer(
            "Lay the tower",
            label="Lay the five cards out as your tower",
            items=(tower_zone(look.seat),),
            note="you draw three cards; from now on you can attack and be attacked",
        )

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain which suits the hand lacks."""
        missing = _missing(look.observation.players[look.seat - 1].hand.listed())
        return f"A tower needs every suit; you lack {' and '.join(missing)}.", ()


class Stop(Verb):
    """Decline to lay the tower, to draw, or to play on (TWR-9, TWR-13, TWR-19)."""

    form = example = "stop"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        verb, label = {
            Phase.LAY: ("Go on exchanging", "Keep the hand and look for higher cards"),
            Phase.DRAW: ("Stop drawing", "Leave the cards that are optional"),
            Phase.BATTLE: ("Stop playing", "Leave the other plays of this turn"),
        }[Phase(look.observation.phase)]
        return offer(verb, label=label)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain what must still be drawn or played."""
        blockers = ("deck",) if look.observation.phase == Phase.DRAW else ()
        return why_no_stop(look.observation), blockers
