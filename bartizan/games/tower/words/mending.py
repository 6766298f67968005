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
    """Repair or rebuild a level with a card of its suit. The notation names both."""

    words = {"level": LEVEL, "card": CARD_HELD}
    clause = ""  # the clause that allows it

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the level and the card."""
        return {"level": fields["face"] % SUITS, "card": card_of(fields["face"])}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the face, a Joker taking the level's suit. Raises `IllegalMove` for another suit."""
        level, card = words["level"], words["card"]
        if card == JOKER:
            return {"face": JOKER + level}
        if card % SUITS != level:
            what = f"The {JANKEN.name(card)} isn't {SUIT_NAMES[level]}."
            raise IllegalMove(f"{what} Use a card of the level's own suit.", self.clause)
        return {"face": card}

    def refusal(self, look: Look, clause: str, face: int) -> Explained:
        """Explain whether the Government, the turn, the level or the hand prevents it."""
        level = face % SUITS
        government, here = look.own_level(PAPER), look.own_level(level)
        if clause == "TWR-40":
            return "Without a Government you can no longer repair or rebuild anything.", (government,)
        if clause == "TWR-43":
            return "You have already repaired or rebuilt a level this turn.", (here,)
        if clause == "TWR-39":
            return "Repair your damaged Government before any other level.", (government,)
        why_not = self.why_not_level(look, level)
        if why_not:
            return f"The {level_name(level)} {why_not}.", (here,)
        return self.why_not_here(look, face)

    def why_not_level(self, look: Look, level: int) -> str:
        """Say what about the level prevents it; ``""`` if it is something else."""
        raise NotImplementedError

    def why_not_here(self, look: Look, face: int) -> Explained:
        """Explain what else prevents it: the card is not in the hand."""
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
            return "is destroyed; you can only rebuild it"
        return "" if _own(look).damaged[level] else "is not damaged"


class Rebuild(_Mending):
    """Fill a gap in the tower with a card (TWR-40 to TWR-42)."""

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
        """Say that the level isn't a gap."""
        return "" if _own(look).tower[level] == EMPTY else "is still standing; you can only fill a gap"

    def why_not_here(self, look: Look, face: int) -> Explained:
        """Explain which level must be intact, or that the card is not in the hand."""
        for needed in (ROCK, PAPER):
            if not values.is_intact(_own(look), needed):
                return f"To rebuild, you need an intact {level_name(needed)}.", (look.own_level(needed),)
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
