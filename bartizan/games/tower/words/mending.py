"""The words of repairs, rebuilding and discards (TWR-15, TWR-36 to TWR-43)."""

from __future__ import annotations

from bartizan.engine.errors import IllegalMove
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.tower import values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import JOKER, PAPER, ROCK, SUITS, Player, State
from bartizan.games.tower.words.building import no_card
from bartizan.games.tower.words.grammar import CARD_HELD, LEVEL
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import SUIT_NAMES, card_of, level_name, slot_id


def _own(look: Look) -> Player:
    return look.observation.players[look.seat - 1]


class _Mending(Verb):
    """What a card of its suit does to a level; the text names both."""

    words = {"level": LEVEL, "card": CARD_HELD}
    clause = ""  # that allows it

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the level and the card."""
        return {"level": fields["face"] % SUITS, "card": card_of(fields["face"])}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the face, a Joker in the level's suit; raises `IllegalMove` for a card of another suit."""
        level, card = words["level"], words["card"]
        if card == JOKER:
            return {"face": JOKER + level}
        if card % SUITS != level:
            what = f"The {JANKEN.name(card)} is no {SUIT_NAMES[level]}"
            raise IllegalMove(f"{what}: a level takes a card of its own suit.", self.clause)
        return {"face": card}

    def refusal(self, look: Look, clause: str, face: int) -> Explained:
        """Explain what the Government, the turn, the level or the hand forbid."""
        level = face % SUITS
        government, here = look.own_level(PAPER), look.own_level(level)
        if clause == "TWR-40":
            return "Your Government is destroyed: nothing can be repaired or rebuilt any more.", (government,)
        if clause == "TWR-43":
            return "One level a turn can be repaired or rebuilt, and that has been done.", (here,)
        if clause == "TWR-39":
            return "Your Government is damaged and must be repaired before any other level.", (government,)
        why_not = self.why_not_level(look, level)
        if why_not:
            return f"The {level_name(level)} {why_not}.", (here,)
        return self.why_not_here(look, face)

    def why_not_level(self, look: Look, level: int) -> str:
        """Say what a level is that forbids it; ``""`` if it is not the level."""
        raise NotImplementedError

    def why_not_here(self, look: Look, face: int) -> Explained:
        """Explain what else forbids it: the hand lacks the card."""
        return no_card(face)


class Repair(_Mending):
    """Turn a damaged level upright again (TWR-36 to TWR-40)."""

    form, example = "repair {level} with {card}", "repair paper with 3p"
    clause = "TWR-36"

    def choice(self, look: Look, face: int) -> Choice:
        """Offer a card."""
        level = look.own_level(face % SUITS)
        return offer(
            "Repair",
            label=f"Repair the {level_name(face % SUITS)} with the {JANKEN.name(card_of(face))}",
            marks={level: "repaired", look.card(face): "spent"},
            **look.touching(face, level),
        )

    def why_not_level(self, look: Look, level: int) -> str:
        """Say that it is destroyed, or not damaged."""
        if _own(look).tower[level] == EMPTY:
            return "is destroyed; it can only be rebuilt"
        return "" if _own(look).damaged[level] else "is not damaged"


class Rebuild(_Mending):
    """Put a card into a gap of the tower (TWR-40 to TWR-42)."""

    form, example = "rebuild {level} with {card}", "rebuild water with 5w"
    clause = "TWR-41"

    def choice(self, look: Look, face: int) -> Choice:
        """Offer a card."""
        gap = slot_id(look.seat, face % SUITS)
        return offer(
            "Rebuild",
            label=f"Rebuild the {level_name(face % SUITS)} with the {JANKEN.name(card_of(face))}",
            marks={look.card(face): "joins", gap: "rebuilt"},
            **look.touching(face, gap),
        )

    def why_not_level(self, look: Look, level: int) -> str:
        """Say that it is no gap."""
        return "" if _own(look).tower[level] == EMPTY else "still stands; only a gap can be filled"

    def why_not_here(self, look: Look, face: int) -> Explained:
        """Explain which level must be intact, or that the hand lacks the card."""
        for needed in (ROCK, PAPER):
            if not values.is_intact(_own(look), needed):
                return f"Rebuilding needs an intact {level_name(needed)}.", (look.own_level(needed),)
        return no_card(face)


class Discard(Verb):
    """Discard a card instead of a play (TWR-15)."""

    form, example = "discard {card}", "discard 4w"
    words = {"card": CARD_HELD}

    def choice(self, look: Look, card: int) -> Choice:
        """Offer a card."""
        return offer(
            "Discard",
            label=f"Discard the {JANKEN.name(card)}",
            marks={look.card(card): "spent"},
            **look.touching(card, "discard"),
        )

    def refusal(self, look: Look, clause: str, card: int) -> Explained:
        """Explain that it is not in the hand."""
        return no_card(card)
