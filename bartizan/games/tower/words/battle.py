"""The words of the battle: attack, deflect, hit, pass (TWR-17 to TWR-34)."""

from __future__ import annotations

from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Narration, Verb, offer
from bartizan.games.tower import values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import JOKER, LIZARD, SCISSORS, SUITS, Standing, State
from bartizan.games.tower.state import Attack as Flying
from bartizan.games.tower.words.building import no_card
from bartizan.games.tower.words.effects import effect_of, effect_words
from bartizan.games.tower.words.grammar import (
    CARD_HELD,
    FLYING,
    LEVEL,
    SEAT,
    SENT,
    TARGET,
    find_attack,
    words_for_attack,
)
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import SUIT_NAMES, face_name, level_name, seat_name, tower_zone

NO_SUCH_ATTACK: Explained = ("That attack is not in flight.", ())


def _name(attack: Flying) -> str:
    """Return the name of an attack: ``Red's four of scissors``."""
    return f"{seat_name(attack.sender)}'s {face_name(attack.face)}"


class Attack(Verb):
    """Send a card to a tower (TWR-17, TWR-20, TWR-29)."""

    form, example, also = "attack {target} with {face}", "attack 2 with 9l", ("attack 2 with * as r",)
    words = {"target": TARGET, "face": SENT}

    def choice(self, look: Look, target: int, face: int) -> Choice:
        """Offer a target and say what the attack would harm there."""
        seat = target + 1
        effect = effect_of(look.observation, seat, face)
        marks = {look.level(seat, level): fate for level, fate in effect.items()}
        return offer(
            "Attack",
            label=f"Send the {face_name(face)} at {seat_name(seat)}'s tower",
            marks=marks or {tower_zone(seat): "unharmed"},
            note=effect_words(effect),
            **look.touching(face, tower_zone(seat)),
        )

    def narrate(self, look: Look, target: int, face: int) -> Narration:
        """Say who is attacked, and with what."""
        return f"Attack {seat_name(target + 1)} with the {face_name(face)}", ()

    def refusal(self, look: Look, clause: str, target: int, face: int) -> Explained:
        """Explain whether the target, the hand or the Dragon prevents it."""
        if clause == "TWR-17":
            return _no_target(look, target + 1)
        if clause == "TWR-20":
            return no_card(face)
        dragon = (look.own_level(LIZARD),)
        if values.attack_limit(look.observation.players[look.seat - 1]) == 2:
            return "You can send at most two attacks a turn.", dragon
        return "You can send only one attack a turn without an intact Dragon.", dragon


def _no_target(look: Look, seat: int) -> Explained:
    """Explain why a seat has no tower that can be attacked."""
    if seat == look.seat:
        return "You cannot attack your own tower.", (tower_zone(seat),)
    if seat > look.observation.seats:
        return f"This table has no seat {seat}.", ()
    if look.observation.players[seat - 1].standing == Standing.BUILDING:
        return f"{seat_name(seat)} has not laid a tower yet.", (tower_zone(seat),)
    return f"{seat_name(seat)}'s tower has fallen.", (tower_zone(seat),)


class Deflect(Verb):
    """Stop an attack with a stronger card (TWR-30 to TWR-34). The notation names the attack."""

    form = "deflect {flying} from {sender}[ at {target}] with {card}"
    example, also = "deflect 9w from 2 with 6p", ("deflect 9w from 2 at 3 with 6p",)
    words = {"flying": FLYING, "sender": SEAT, "target": SEAT, "card": CARD_HELD}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the words that name the attack, and the card."""
        return {**words_for_attack(state, fields["attack"]), "card": fields["card"]}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the attack's number and the card. Raises what `find_attack` raises."""
        number = find_attack(state, words["flying"], words["sender"], words["target"], "TWR-30")
        return {"attack": number, "card": words["card"]}

    def choice(self, look: Look, attack: int, card: int) -> Choice:
        """Offer a card and say what the attack would do."""
        flying, token = look.observation.attacks[attack], look.attacks[attack]
        whose = "your" if flying.target == look.seat else f"{seat_name(flying.target)}'s"
        parts = look.touching(card, token)
        if look.alike(attack):
            parts["instead"][token] = look.alike(attack)
        return offer(
            "Deflect",
            label=f"Deflect {_name(flying)} from {whose} tower with the {JANKEN.name(card)}",
            marks={token: "deflected", look.card(card): "spent"},
            note=effect_words(effect_of(look.observation, flying.target, flying.face)),
            **parts,
        )

    def narrate(self, look: Look, attack: int, card: int) -> Narration:
        """Say which attack is deflected, and with what."""
        return f"Deflect {_name(look.observation.attacks[attack])} with the {JANKEN.name(card)}", ()

    def refusal(self, look: Look, clause: str, attack: int, card: int) -> Explained:
        """Explain whether the attack, the hand, the Soldiers or the card's suit and rank prevent it."""
        if attack >= look.observation.flying:
            return NO_SUCH_ATTACK
        flying, token = look.observation.attacks[attack], look.attacks[attack]
        if values.is_repeated(look.observation, attack):
            return f"{_name(flying)} is in flight twice. Choose the first one.", (token,)
        if flying.sender == look.seat:
            return "You cannot deflect your own attack.", (token,)
        if clause == "TWR-31":
            return f"{_name(flying)} does not land now.", (token,)
        if clause == "TWR-34":
            return "In this game you can deflect only attacks on your own tower.", (token,)
        if not look.held(card):
            return no_card(card)
        if clause == "TWR-33":
            return _no_deflection(look)
        return _too_weak(flying.face, card), (token, look.card(card))


def _no_deflection(look: Look) -> Explained:
    """Explain why no more attacks can be deflected."""
    soldiers = (look.own_level(SCISSORS),)
    if values.deflection_limit(look.observation.players[look.seat - 1]) == 2:
        return "You can deflect at most two attacks a turn.", soldiers
    return "You can deflect only one attack a turn without intact Soldiers.", soldiers


def _too_weak(face: int, card: int) -> str:
    """Say which suits and ranks would deflect an attack."""
    suit = values.suit_of(face)
    if card < JOKER and not values.beats(values.suit_of(card), suit):
        stronger = " or ".join(SUIT_NAMES[other] for other in range(SUITS) if values.beats(other, suit))
        return f"{SUIT_NAMES[card % SUITS].title()} does not beat {SUIT_NAMES[suit]}. Use {stronger}."
    return f"The {JANKEN.name(card)} is too low: the attack has rank {values.attack_rank(face)}."


class Hit(Verb):
    """Choose the level that an arriving attack hits (TWR-21 to TWR-28). The notation names the attack."""

    form = "hit {level}[ of {target}] with {flying}"
    example, also = "hit paper with 9l", ("hit paper of 3 with 9l",)
    words = {"level": LEVEL, "target": SEAT, "flying": FLYING}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the level and the words that name the attack, which belongs to the seat whose turn it is."""
        return {**words_for_attack(state, fields["attack"]), "level": fields["level"]}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the attack's number and the level. Raises what `find_attack` raises."""
        number = find_attack(state, words["flying"], state.active, words["target"], "TWR-21")
        return {"attack": number, "level": words["level"]}

    def choice(self, look: Look, attack: int, level: int) -> Choice:
        """Offer a level and say what happens to it."""
        flying, token = look.observation.attacks[attack], look.attacks[attack]
        who, hit = seat_name(flying.target), look.level(flying.target, level)
        fate = effect_of(look.observation, flying.target, flying.face)[level]
        last = fate == "destroyed" and _stands_alone(look.observation, flying.target)
        alike = look.alike(attack)
        return offer(
            "Hit",
            label=f"Hit {who}'s {level_name(level)} with the {face_name(flying.face)}",
            items=(token, hit),
            target=hit,
            marks={hit: fate},
            note=f"it is {fate}" + (f"; {who} is out" if last else ""),
            instead={token: alike} if alike else {},
        )

    def refusal(self, look: Look, clause: str, attack: int, level: int) -> Explained:
        """Explain whose attack it is, or why it can't harm the level."""
        if attack >= look.observation.flying:
            return NO_SUCH_ATTACK
        flying, token = look.observation.attacks[attack], look.attacks[attack]
        if flying.sender != look.observation.active:
            return f"{_name(flying)} does not land now.", (token,)
        if values.is_repeated(look.observation, attack):
            return f"The {face_name(flying.face)} is in flight twice. Choose the first one.", (token,)
        here = look.level(flying.target, level)
        if look.observation.players[flying.target - 1].tower[level] == EMPTY:
            return f"{seat_name(flying.target)} has no {level_name(level)}.", (here,)
        suit = values.suit_of(flying.face)
        weaker = [SUIT_NAMES[other] for other in range(SUITS) if values.beats(suit, other)]
        sentence = (
            f"{SUIT_NAMES[suit].title()} does not beat {SUIT_NAMES[level]}. It beats {' and '.join(weaker)}."
        )
        return sentence, (here, token)


def _stands_alone(observation: State, seat: int) -> bool:
    """Return whether a tower has only one level left."""
    return bool(values.count_levels(observation.players[seat - 1]) == 1)


class Pass(Verb):
    """Stop deflecting before the attacks arrive (TWR-31)."""

    form = example = "pass"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer("Pass", label="Let the attacks arrive")

    def refusal(self, look: Look, clause: str) -> Explained:
        """Explain that there is nothing to pass on; in other phases, the phase table answers."""
        return "You have nothing to pass on.", ()
