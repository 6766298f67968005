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
    return f"You don't hold the {JANKEN.name(card_of(face))}.", ()


def _missing(hand: list[int]) -> list[str]:
    """Return the suits missing from some cards, ignoring Jokers."""
    held = {card % SUITS for card in hand if card < JOKER}
    return [name for suit, name in enumerate(SUIT_NAMES) if suit not in held]


def _listed(names: list[str]) -> str:
    """Return names as a phrase: ``rock, water and lizard``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


class Exchange(Verb):
    """Exchange a card for another (TWR-7)."""

    form, example = "exchange {card}", "exchange 4w"
    words = {"card": CARD_HELD}

    def choice(self, look: Look, card: int) -> Choice:
        """Offer a card."""
        hand = look.observation.players[look.seat - 1].hand.listed()
        hand.remove(card)
        missing = _missing(hand)
        return offer(
            "Exchange",
            label=f"Put down the {JANKEN.name(card)}",
            marks={look.card(card): "spent"},
            note=f"leaves you without {_listed(missing)}" if missing else "you keep every suit",
            **look.touching(card, "discard"),
        )

    def refusal(self, look: Look, clause: str, card: int) -> Explained:
        """Explain that it is not in the hand."""
        return no_card(card)


def _still_drawn(observation: State) -> str:
    """Say how many cards are still drawn after this one."""
    if observation.phase != Phase.DRAW:
        return ""
    return f"then {cards(observation.draws_left - 1)} more"


class Draw(Verb):
    """Draw the top card of the draw pile, as a replacement or at the end of a turn (TWR-8, TWR-19)."""

    form = example = "draw"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        note = _still_drawn(look.observation)
        return offer("Draw", label="Draw the top card of the draw pile", items=("deck",), note=note)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain that there is none."""
        return "There are no cards left to draw.", ("deck",)


class Take(Verb):
    """Take the top card of the discard pile, as a replacement or at the end of a turn (TWR-8, TWR-55)."""

    form = example = "take"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        card = look.observation.discard.listed()[0]
        return offer(
            "Take",
            label=f"Take the {JANKEN.name(card)} from the discard pile",
            items=("discard",),
            marks={look.discard[0]: "taken"},
            note="; ".join(filter(None, (_still_drawn(look.observation), "everyone sees it"))),
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
            label="Lay out your five cards as a tower",
            items=(tower_zone(look.seat),),
            note="then draw three cards; from now on you can attack and be attacked",
        )

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain which suits are missing from the hand."""
        missing = _missing(look.observation.players[look.seat - 1].hand.listed())
        return f"A tower needs every suit. You're missing {_listed(missing)}.", ()


class Stop(Verb):
    """Decline to lay the tower, draw or keep playing (TWR-9, TWR-13, TWR-19)."""

    form = example = "stop"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        verb, label = {
            Phase.LAY: ("Keep exchanging", "Keep your hand and look for higher cards"),
            Phase.DRAW: ("Stop drawing", "Don't draw the optional card"),
            Phase.BATTLE: ("Stop playing", "Skip this turn's other plays"),
        }[Phase(look.observation.phase)]
        return offer(verb, label=label)

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain what must still be drawn or played."""
        blockers = ("deck",) if look.observation.phase == Phase.DRAW else ()
        return why_no_stop(look.observation), blockers
