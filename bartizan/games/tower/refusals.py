"""Explain why a move is not possible, with the figures of the moment and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.cards import JANKEN
from bartizan.engine.clauses import OK, Rulebook
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Refusal
from bartizan.games.tower.state import ACTIONS, DRAWN, JOKER, PAPER, ROCK, SUITS, Phase, Standing, State
from bartizan.games.tower.words import (
    LEVELS,
    Tokens,
    card_of,
    cards,
    face_name,
    level_name,
    plays_to_come,
    seat_name,
    slot_id,
    tower_zone,
    upper,
)

if TYPE_CHECKING:
    from bartizan.games.tower import draw as plain_draw
    from bartizan.games.tower import values as plain
else:
    from bartizan.games.tower import draw, values

    plain, plain_draw = interpreted(values), interpreted(draw)

RULEBOOK = Rulebook.load(Path(__file__).parent / "clauses.toml")

Explained = tuple[str, Sequence[str]]  # a sentence, and the ids of what stands in the way


def refusal(observation: State, action: int, clause: int) -> Refusal:
    """Return why `clause` forbids an action here: a sentence, the rule, the ids in the way."""
    verb, field = ACTIONS.decode(action)
    name = RULEBOOK.id_of(clause)
    sentence, blockers = _Explanation(observation, verb, field, name).give()
    return Refusal(
        clause=name,
        sentence=sentence,
        rule=RULEBOOK.get(name).text.strip(),
        blockers=tuple(dict.fromkeys(filter(None, blockers))),
    )


class _Explanation:
    """Explain one refused action."""

    def __init__(self, observation: State, verb: str, field: dict[str, int], clause: str) -> None:
        self.observation = observation
        self.verb = verb
        self.field = field
        self.clause = clause
        self.tokens = Tokens(observation)
        self.seat = observation.to_move

    def give(self) -> Explained:
        """Return the sentence and the blockers."""
        if self.observation.phase == Phase.OVER:
            return self._over(), ()
        if self._is_out_of_phase():
            return self._asked(), ()
        explained: Explained = getattr(self, f"_{self.verb}")()
        return explained

    def _over(self) -> str:
        if self.observation.winner == DRAWN:
            return "The game is over: nobody has won."
        return f"The game is over: {seat_name(self.observation.winner)} has won."

    def _is_out_of_phase(self) -> bool:
        """Say whether the table does not wait for this kind of action at all."""
        return self.verb not in _ASKED[Phase(self.observation.phase)]

    def _asked(self) -> str:
        """Say what the table waits for instead."""
        phase = Phase(self.observation.phase)
        if self.verb == "pass":
            return self._no_passing(phase)
        if phase == Phase.EXCHANGE and self.verb in ("draw", "take"):
            return "Put a card down first; the replacement is taken after that."
        if phase == Phase.EXCHANGE and self.verb == "stop":
            return "There is no passing while you build: exchange a card."
        if phase <= Phase.LAY and self.verb in ("attack", "deflect", "repair", "rebuild", "discard", "hit"):
            return f"You have not laid your tower yet; {_WAITS[phase]}."
        if phase > Phase.LAY and self.verb in ("exchange", "lay"):
            return f"Your tower has been laid; {_WAITS[phase]}."
        return f"{upper(_WAITS[phase])}."

    def _no_passing(self, phase: Phase) -> str:
        """Say what is done instead of passing."""
        if phase in (Phase.BATTLE, Phase.DRAW):
            if self._may_stop(phase):
                return f"There is no passing; stop {'drawing' if phase == Phase.DRAW else 'playing'} instead."
            return f"There is no passing. {self._stop()[0]}"
        return f"There is no passing{' while you build' if phase <= Phase.LAY else ''}; {_WAITS[phase]}."

    def _may_stop(self, phase: Phase) -> bool:
        """Say whether drawing or playing can be left off now."""
        if phase == Phase.DRAW:
            return plain_draw.why_not_stop_drawing(self.observation) == OK
        return plain_draw.why_not_stop_playing(self.observation) == OK

    # --- What the hand lacks

    def _holds(self, face: int) -> bool:
        return bool(self.tokens.in_hand(self.observation, self.seat, card_of(face)))

    def _no_card(self, face: int) -> Explained:
        return f"There is no {JANKEN.name(card_of(face))} in your hand.", ()

    def _exchange(self) -> Explained:
        return self._no_card(self.field["card"])

    def _discard(self) -> Explained:
        return self._no_card(self.field["card"])

    # --- Part 1 and drawing

    def _draw(self) -> Explained:
        return "There is no card left to draw.", ("deck",)

    def _take(self) -> Explained:
        return "The discard pile is empty.", ("discard",)

    def _lay(self) -> Explained:
        hand = self.observation.players[self.seat - 1].hand.listed()
        missing = [
            name for suit, name in enumerate(LEVELS) if not any(c % SUITS == suit for c in hand if c < JOKER)
        ]
        return f"A tower needs every suit; you lack {' and '.join(missing)}.", ()

    def _stop(self) -> Explained:
        player = self.observation.players[self.seat - 1]
        if self.observation.phase == Phase.DRAW:
            due = f"{cards(self.observation.draws_must)} must still be drawn"
            if self.clause == "TWR-12":
                return f"After laying a tower all three cards are drawn; {due}.", ("deck",)
            return f"{due}; only a third one is optional.", ("deck",)
        if self.clause == "TWR-52":
            return (
                f"You hold {cards(player.hand.count)} and may hold {plain.hand_limit(player)}: play on.",
                (),
            )
        return (
            f"Two cards are played each turn; {plays_to_come(self.observation)} left, if only as a discard.",
            (),
        )

    # --- Attacking and deflecting

    def _attack(self) -> Explained:
        target, face = self.field["target"] + 1, self.field["face"]
        if self.clause == "TWR-17":
            return self._no_target(target)
        if self.clause == "TWR-20":
            return self._no_card(face)
        dragon = self.tokens.levels[self.seat - 1][SUITS - 1] or slot_id(self.seat, SUITS - 1)
        if plain.attack_limit(self.observation.players[self.seat - 1]) == 2:
            return "Two attacks a turn are the most.", (dragon,)
        return "Without an intact Dragon you send one attack a turn.", (dragon,)

    def _no_target(self, target: int) -> Explained:
        if target == self.seat:
            return "You cannot attack your own tower.", (tower_zone(target),)
        if target > self.observation.seats:
            return f"There is no seat {target} at this table.", ()
        if self.observation.players[target - 1].standing == Standing.BUILDING:
            return f"{seat_name(target)} has not laid a tower yet.", (tower_zone(target),)
        return f"{seat_name(target)}'s tower has fallen.", (tower_zone(target),)

    def _deflect(self) -> Explained:
        number, card = self.field["attack"], self.field["card"]
        if number >= self.observation.flying:
            return "There is no such attack in flight.", ()
        attack, token = self.observation.attacks[number], self.tokens.attacks[number]
        what = f"{seat_name(attack.sender)}'s {face_name(attack.face)}"
        if plain.is_repeated(self.observation, number):
            return f"{what} is in flight twice; name the first.", (token,)
        if attack.sender == self.seat:
            return "You cannot deflect your own attack.", (token,)
        if self.clause == "TWR-31":
            return f"{what} does not land now.", (token,)
        if self.clause == "TWR-34":
            return "These rules let you deflect attacks on your own tower only.", (token,)
        if not self._holds(card):
            return self._no_card(card)
        if self.clause == "TWR-33":
            soldiers = self.tokens.levels[self.seat - 1][2] or slot_id(self.seat, 2)
            if plain.deflection_limit(self.observation.players[self.seat - 1]) == 2:
                return "Two deflections are the most.", (soldiers,)
            return "Without intact Soldiers you deflect one attack a turn.", (soldiers,)
        return self._too_weak(attack.face, card), (
            token,
            self.tokens.in_hand(self.observation, self.seat, card),
        )

    def _too_weak(self, face: int, card: int) -> str:
        """Say which suits and ranks would deflect an attack."""
        suit, needed = plain.suit_of(face), plain.attack_rank(face)
        stronger = [LEVELS[other] for other in range(SUITS) if plain.beats(other, suit)]
        if card < JOKER and not plain.beats(plain.suit_of(card), suit):
            return (
                f"{LEVELS[card % SUITS].title()} does not beat {LEVELS[suit]}; {' and '.join(stronger)} do."
            )
        return f"The {JANKEN.name(card)} ranks below the attack, which counts {needed}."

    # --- Repairing, rebuilding, hitting

    def _level_id(self, seat: int, level: int) -> str:
        return self.tokens.levels[seat - 1][level] or slot_id(seat, level)

    def _mending(self, done: str) -> Explained:
        """Explain what repairs and rebuilding have in common."""
        face = self.field["face"]
        level = face % SUITS
        here = self._level_id(self.seat, level)
        government = self._level_id(self.seat, PAPER)
        if self.clause == "TWR-40":
            return "Your Government is destroyed: nothing can be repaired or rebuilt any more.", (government,)
        if self.clause == "TWR-43":
            return "One level a turn can be repaired or rebuilt, and that has been done.", (here,)
        if self.clause == "TWR-39":
            return "Your Government is damaged and must be repaired before any other level.", (government,)
        return f"The {level_name(level)} {done}.", (here,)

    def _repair(self) -> Explained:
        player, level = self.observation.players[self.seat - 1], self.field["face"] % SUITS
        if self.clause != "TWR-36":
            return self._mending("")
        if player.tower[level] == EMPTY:
            return self._mending("is destroyed; it can only be rebuilt")
        if not player.damaged[level]:
            return self._mending("is not damaged")
        return self._no_card(self.field["face"])

    def _rebuild(self) -> Explained:
        player, level = self.observation.players[self.seat - 1], self.field["face"] % SUITS
        if self.clause != "TWR-41":
            return self._mending("")
        if player.tower[level] != EMPTY:
            return self._mending("still stands; only a gap can be filled")
        for needed in (ROCK, PAPER):
            if not plain.is_intact(player, needed):
                sentence = f"Rebuilding needs an intact {level_name(needed)}."
                return sentence, (self._level_id(self.seat, needed),)
        return self._no_card(self.field["face"])

    def _hit(self) -> Explained:
        number, level = self.field["attack"], self.field["level"]
        if number >= self.observation.flying:
            return "There is no such attack in flight.", ()
        attack, token = self.observation.attacks[number], self.tokens.attacks[number]
        if attack.sender != self.observation.active:
            return f"{seat_name(attack.sender)}'s {face_name(attack.face)} does not land now.", (token,)
        if plain.is_repeated(self.observation, number):
            return f"The {face_name(attack.face)} is in flight twice; name the first.", (token,)
        here = self._level_id(attack.target, level)
        if self.observation.players[attack.target - 1].tower[level] == EMPTY:
            return f"{seat_name(attack.target)} has no {level_name(level)}.", (here,)
        suit = LEVELS[plain.suit_of(attack.face)]
        weaker = [LEVELS[other] for other in range(SUITS) if plain.beats(plain.suit_of(attack.face), other)]
        return f"{suit.title()} does not beat {LEVELS[level]}; it beats {' and '.join(weaker)}.", (
            here,
            token,
        )

    def _pass(self) -> Explained:
        return "There is nothing to pass on.", ()


_ASKED = {
    Phase.EXCHANGE: ("exchange", "lay"),
    Phase.SOURCE: ("draw", "take"),
    Phase.LAY: ("lay", "stop"),
    Phase.ARRIVAL: ("hit",),
    Phase.BATTLE: ("stop", "attack", "deflect", "repair", "rebuild", "discard"),
    Phase.DRAW: ("draw", "take", "stop"),
    Phase.DEFEND: ("deflect", "pass"),
    Phase.OVER: (),
}
_WAITS = {
    Phase.EXCHANGE: "exchange a card, or lay the tower when you hold every suit",
    Phase.SOURCE: "take the replacement first, from the draw pile or the discard pile",
    Phase.LAY: "say first whether you lay the tower",
    Phase.ARRIVAL: "your attacks arrive first: choose what is hit",
    Phase.BATTLE: "now cards are played: attack, deflect, repair, rebuild or discard",
    Phase.DRAW: "now cards are drawn",
    Phase.DEFEND: "attacks are about to arrive: deflect one of them, or pass",
}


# --- What touching things could mean -----------------------------------------


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, the likeliest first."""
    if observation.phase == Phase.OVER:
        return []
    touched = _Touched(observation, items)
    return [*touched.with_card(), *touched.without_card()]


class _Touched:
    """Sort what was touched by what it is."""

    def __init__(self, observation: State, items: Sequence[str]) -> None:
        tokens = Tokens(observation)
        seat = observation.to_move
        hand = observation.players[seat - 1].hand.listed()[::-1]
        self.observation, self.items, self.seat = observation, items, seat
        self.cards = [
            card for card, token in zip(hand, tokens.hands[seat - 1], strict=True) if token in items
        ]
        self.attacks = [number for number, token in enumerate(tokens.attacks) if token in items]
        self.levels = [
            (owner, level)
            for owner in range(1, observation.seats + 1)
            for level in range(SUITS)
            if tokens.levels[owner - 1][level] in items or slot_id(owner, level) in items
        ]
        zones = [owner for owner in range(1, observation.seats + 1) if tower_zone(owner) in items]
        self.towers = list(dict.fromkeys([owner for owner, _ in self.levels] + zones))
        self.discard = "discard" in items or any(token in items for token in tokens.discard)
        self.deck = any(item.split(":")[0] == "deck" for item in items)

    def with_card(self) -> list[int]:
        """Return what a hand card and another thing could mean."""
        found: list[int] = []
        for card in self.cards[:1]:
            found += [ACTIONS.encode("deflect", attack=number, card=card) for number in self.attacks]
            for owner, level in self.levels:
                if owner == self.seat:
                    found += self._mend(card, level)
            for owner in self.towers:
                if owner != self.seat:
                    found.append(ACTIONS.encode("attack", target=owner - 1, face=card))
            if self.discard or not found:
                verb = "exchange" if self.observation.phase <= Phase.LAY else "discard"
                found.append(ACTIONS.encode(verb, card=card))
        return found

    def _mend(self, card: int, level: int) -> list[int]:
        face = JOKER + level if card == JOKER else card
        gone = self.observation.players[self.seat - 1].tower[level] == EMPTY
        return [ACTIONS.encode("rebuild" if gone else "repair", face=face)] if face % SUITS == level else []

    def without_card(self) -> list[int]:
        """Return what touching things other than hand cards could mean."""
        if self.cards:
            return []
        found = [
            ACTIONS.encode("hit", attack=number, level=level)
            for number in self.attacks
            for owner, level in self.levels
            if owner == self.observation.attacks[number].target
        ]
        if self.deck:
            found.append(ACTIONS.encode("draw"))
        if self.discard:
            found.append(ACTIONS.encode("take"))
        if self.seat in self.towers and not self.attacks:
            found.append(ACTIONS.encode("lay"))
        return found
