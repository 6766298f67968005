"""Turn legal actions into choices: what to touch, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bartizan.engine.cards import JANKEN
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Choice
from bartizan.games.tower.notation import print_move
from bartizan.games.tower.state import ACTIONS, JOKER, SUITS, Phase, State
from bartizan.games.tower.words import (
    LEVEL_NAMES,
    LEVELS,
    Tokens,
    card_of,
    cards,
    face_name,
    level_name,
    seat_name,
    slot_id,
    tower_zone,
)

if TYPE_CHECKING:
    from bartizan.games.tower import values as plain
else:
    from bartizan.games.tower import values

    plain = interpreted(values)


def choices_of(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action."""
    maker = _Choices(observation)
    return tuple(maker.make(action) for action in actions)


def effect_of(observation: State, target: int, face: int) -> dict[int, str]:
    """Return what an attack would do to each level of a tower if it arrived now (TWR-24 to TWR-28)."""
    player = observation.players[target - 1]
    return {
        level: "destroyed" if plain.would_destroy(player, level, face) else "damaged"
        for level in range(SUITS)
        if plain.is_vulnerable(player, level, face)
    }


def effect_words(effect: dict[int, str]) -> str:
    """Say what an attack could do as the tower stands: it hits one of these levels."""
    if not effect:
        return "no level that stands would be harmed"
    verbs = {"destroyed": "destroy", "damaged": "damage"}
    sentences = [
        f"{verb} the {' or the '.join(LEVEL_NAMES[level] for level in effect if effect[level] == fate)}"
        for fate, verb in verbs.items()
        if fate in effect.values()
    ]
    return f"as the tower stands it would {' or '.join(sentences)}"


class _Choices:
    """Make the choices of one position; what several share is worked out once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.tokens = Tokens(observation)
        self.seat = observation.to_move

    def make(self, action: int) -> Choice:
        """Return the choice for one action."""
        verb, field = ACTIONS.decode(action)
        parts = getattr(self, f"_{verb}")(field)
        text = print_move(self.observation, action)
        return Choice(action=action, text=text, **{"verb": verb.title(), **parts})

    def _card(self, face: int) -> str:
        """Return the id of a card in the hand of the seat to move."""
        return self.tokens.in_hand(self.observation, self.seat, card_of(face))

    def _touching(self, face: int, *target: str) -> dict[str, object]:
        """Return what a choice with a hand card has in common: equal cards will do in its place."""
        hand = self.observation.players[self.seat - 1].hand.listed()[::-1]
        same = [
            token
            for card, token in zip(hand, self.tokens.hands[self.seat - 1], strict=True)
            if card == card_of(face)
        ]
        parts: dict[str, object] = {"items": (same[0], *target), "target": target[-1] if target else ""}
        return parts | ({"instead": {same[0]: tuple(same[1:])}} if same[1:] else {})

    def _exchange(self, field: dict[str, int]) -> dict[str, object]:
        card = field["card"]
        return {
            "label": f"Put the {JANKEN.name(card)} down",
            "note": self._suits_left(card),
            "marks": {self._card(card): "spent"},
            **self._touching(card, "discard"),
        }

    def _suits_left(self, card: int) -> str:
        """Say which suits a hand lacks without a card."""
        hand = self.observation.players[self.seat - 1].hand.listed()
        hand.remove(card)
        missing = [
            name
            for suit, name in enumerate(LEVELS)
            if not any(each < JOKER and each % SUITS == suit for each in hand)
        ]
        return f"you then lack {' and '.join(missing)}" if missing else "you still hold every suit"

    def _draw(self, field: dict[str, int]) -> dict[str, object]:
        return {"label": "Take the draw pile's top card", "items": ("deck",), "note": self._drawing()}

    def _take(self, field: dict[str, int]) -> dict[str, object]:
        card = self.observation.discard.listed()[0]
        return {
            "label": f"Take the {JANKEN.name(card)} from the discard pile",
            "items": ("discard",),
            "marks": {self.tokens.discard[0]: "taken"},
            "note": "; ".join(filter(None, (self._drawing(), "everybody sees it"))),
        }

    def _drawing(self) -> str:
        """Say how many cards are still drawn after this one."""
        if self.observation.phase != Phase.DRAW:
            return ""
        return f"{cards(self.observation.draws_left - 1)} more after it"

    def _lay(self, field: dict[str, int]) -> dict[str, object]:
        return {
            "verb": "Lay the tower",
            "label": "Lay the five cards out as your tower",
            "items": (tower_zone(self.seat),),
            "note": "you draw three cards; from now on you can attack and be attacked",
        }

    def _stop(self, field: dict[str, int]) -> dict[str, object]:
        words = {
            Phase.LAY: ("Go on exchanging", "Keep the hand and look for higher cards"),
            Phase.DRAW: ("Stop drawing", "Leave the cards that are optional"),
            Phase.BATTLE: ("Stop playing", "Leave the other plays of this turn"),
        }[Phase(self.observation.phase)]
        return {"verb": words[0], "label": words[1]}

    def _attack(self, field: dict[str, int]) -> dict[str, object]:
        target, face = field["target"] + 1, field["face"]
        effect = effect_of(self.observation, target, face)
        levels = self.tokens.levels[target - 1]
        return {
            "label": f"Send the {face_name(face)} at {seat_name(target)}'s tower",
            "marks": {levels[level]: fate for level, fate in effect.items()}
            or {tower_zone(target): "unharmed"},
            "note": effect_words(effect),
            **self._touching(face, tower_zone(target)),
        }

    def _deflect(self, field: dict[str, int]) -> dict[str, object]:
        number, card = field["attack"], field["card"]
        attack = self.observation.attacks[number]
        token = self.tokens.attacks[number]
        whose = "your" if attack.target == self.seat else f"{seat_name(attack.target)}'s"
        parts = self._touching(card, token)
        alike = [
            self.tokens.attacks[other]
            for other in range(number + 1, self.observation.flying)
            if self.observation.attacks[other] == attack
        ]
        if alike:
            instead = parts.get("instead", {})
            assert isinstance(instead, dict)
            parts["instead"] = instead | {token: tuple(alike)}
        return {
            "label": f"Deflect {seat_name(attack.sender)}'s {face_name(attack.face)} from {whose} tower "
            f"with the {JANKEN.name(card)}",
            "marks": {token: "deflected", self._card(card): "spent"},
            "note": effect_words(effect_of(self.observation, attack.target, attack.face)),
            **parts,
        }

    def _repair(self, field: dict[str, int]) -> dict[str, object]:
        face, level = field["face"], field["face"] % SUITS
        token = self.tokens.levels[self.seat - 1][level]
        card = card_of(face)
        return {
            "label": f"Repair the {level_name(level)} with the {JANKEN.name(card)}",
            "marks": {token: "repaired", self._card(card): "spent"},
            **self._touching(face, token),
        }

    def _rebuild(self, field: dict[str, int]) -> dict[str, object]:
        face, level = field["face"], field["face"] % SUITS
        card = card_of(face)
        return {
            "label": f"Rebuild the {level_name(level)} with the {JANKEN.name(card)}",
            "marks": {self._card(card): "joins", slot_id(self.seat, level): "rebuilt"},
            **self._touching(face, slot_id(self.seat, level)),
        }

    def _discard(self, field: dict[str, int]) -> dict[str, object]:
        card = field["card"]
        return {
            "label": f"Discard the {JANKEN.name(card)}",
            "marks": {self._card(card): "spent"},
            **self._touching(card, "discard"),
        }

    def _hit(self, field: dict[str, int]) -> dict[str, object]:
        number, level = field["attack"], field["level"]
        attack = self.observation.attacks[number]
        token, hit = self.tokens.attacks[number], self.tokens.levels[attack.target - 1][level]
        fate = effect_of(self.observation, attack.target, attack.face)[level]
        last = fate == "destroyed" and self._stands_alone(attack.target)
        alike = [
            self.tokens.attacks[other]
            for other in range(number + 1, self.observation.flying)
            if self.observation.attacks[other] == attack
        ]
        what = f"{seat_name(attack.target)}'s {level_name(level)}"
        return {
            "label": f"Hit {what} with the {face_name(attack.face)}",
            "items": (token, hit),
            "target": hit,
            "marks": {hit: fate},
            "note": f"it is {fate}" + (f"; {seat_name(attack.target)} is out" if last else ""),
            **({"instead": {token: tuple(alike)}} if alike else {}),
        }

    def _stands_alone(self, seat: int) -> bool:
        player = self.observation.players[seat - 1]
        return sum(player.tower[level] != EMPTY for level in range(SUITS)) == 1

    def _pass(self, field: dict[str, int]) -> dict[str, object]:
        return {"label": "Let the attacks come"}
