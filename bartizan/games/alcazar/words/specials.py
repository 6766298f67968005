"""Define the specials: instants, Advantages and the Jack's trade (ALC-28 to ALC-33, ALC-43 onwards)."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.cards import POKER
from bartizan.engine.errors import IllegalMove
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Verb, offer
from bartizan.games.alcazar.state import ACE, JACK, JOKER, PAIR_HIGH, PAIR_LOW, State
from bartizan.games.alcazar.words.actions import NO_MORE, NO_SPECIALS
from bartizan.games.alcazar.words.look import CONTEST, Look
from bartizan.games.alcazar.words.names import (
    ADVANTAGE_NAMES,
    PLACE_NAMES,
    enemies_of,
    id_at,
    place_words,
    rank_of,
    token,
    tokens,
)
from bartizan.games.alcazar.words.spelling import ANY_CARD, PLACE, REPLACED, hand_card

SPECIAL = hand_card("ALC-28")
COLOUR_PAYMENT = hand_card("ALC-30")
SUIT_PAYMENT = hand_card("ALC-31")

SENTENCES = {
    "ALC-17": NO_MORE,
    "ALC-28": "You can play only a Jack, Queen, King or Ace from your hand as a special.",
    "ALC-30": "Pay for an instant with another card of the special's colour from your hand.",
    "ALC-31": "Pay for an Advantage with another card of the special's suit from your hand.",
    "ALC-32": "You already have two Advantages, and you can't replace them.",
    "ALC-33": "You already have an Advantage of this kind.",
    "ALC-43": "Choose an Ace and a face-up enemy for a Missile.",
    "ALC-44": "Choose a King and two face-up enemies for a Swap.",
    "ALC-45": "Only a Queen can fortify.",
    "ALC-46": "Choose a Jack and a card in the discard pile for a Reinforcement.",
    "ALC-60": NO_SPECIALS,
}


class _Special(Verb):
    """A special with its payment; the fields between them are its targets."""

    def aim(self, observation: State, **fields: int) -> Sequence[str]:
        """Return the ids of its targets."""
        return ()

    def refusal(self, look: Look, clause: str, *, slot: int, paying: int, **fields: int) -> Explained:
        """Explain whether the special, its payment or its target prevents it."""
        observation = look.observation
        blockers = self.aim(observation, **fields)
        if clause == "ALC-60":
            blockers = enemies_of(observation, ACE)
        elif clause in ("ALC-30", "ALC-31") and paying < len(look.tokens):
            blockers = [look.tokens[paying]]
        elif clause in ("ALC-32", "ALC-33"):
            blockers = tokens(observation.advantages.listed())
        return SENTENCES[clause], blockers


def _spent(look: Look, *slots: int) -> dict[str, str]:
    """Return the marks of discarded hand cards."""
    return {look.tokens[slot]: "spent" for slot in slots}


def _the(look: Look, slot: int) -> str:
    """Return a hand card as a phrase."""
    return f"the {POKER.name(look.hand[slot])}"


class Missile(_Special):
    """Remove a face-up enemy with an ace (ALC-43)."""

    form, example = "missile {slot} at {place} paying {paying}", "missile As at left.front paying 2c"
    words = {"slot": SPECIAL, "place": PLACE, "paying": COLOUR_PAYMENT}

    def aim(self, observation: State, **fields: int) -> Sequence[str]:
        """Return the id of the enemy."""
        return [id_at(observation, fields["place"])]

    def choice(self, look: Look, slot: int, place: int, paying: int) -> Choice:
        """Offer a missile."""
        enemy = look.observation.enemy[place]
        after = look.without(place)
        return offer(
            "Missile",
            label=f"Missile: remove the {POKER.name(enemy)}, {place_words(place)}, "
            f"with {_the(look, slot)}, paying {_the(look, paying)}",
            items=(look.tokens[slot], look.tokens[paying], token(enemy)),
            target=token(enemy),
            marks={token(enemy): "beaten", **_spent(look, slot, paying)},
            contests={CONTEST: after},
            note=look.outlook(after),
        )


class Swap(_Special):
    """Swap two face-up enemies with a King (ALC-44)."""

    form = "swap {slot} {one} {other} paying {paying}"
    example = "swap Kd left.front right.rear paying 3h"
    words = {"slot": SPECIAL, "one": PLACE, "other": PLACE, "paying": COLOUR_PAYMENT}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return both places, in the order of their names."""
        pair = fields["pair"]
        one, other = sorted((PAIR_LOW[pair], PAIR_HIGH[pair]), key=PLACE_NAMES.__getitem__)
        return {**fields, "one": one, "other": other}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the pair. Raises `IllegalMove` if one place is named twice."""
        places = sorted((words["one"], words["other"]))
        if places[0] == places[1]:
            raise IllegalMove("Choose two different enemies to swap.", "ALC-44")
        return {"slot": words["slot"], "pair": pair_of(places), "paying": words["paying"]}

    def aim(self, observation: State, **fields: int) -> Sequence[str]:
        """Return the ids of both enemies."""
        pair = fields["pair"]
        return [id_at(observation, place) for place in (PAIR_LOW[pair], PAIR_HIGH[pair])]

    def choice(self, look: Look, slot: int, pair: int, paying: int) -> Choice:
        """Offer a swap."""
        low, high = PAIR_LOW[pair], PAIR_HIGH[pair]
        one, other = (token(look.observation.enemy[place]) for place in (low, high))
        after = look.swapped(low, high)
        return offer(
            "Swap",
            label=f"Swap the enemies {place_words(low)} and {place_words(high)} "
            f"with {_the(look, slot)}, paying {_the(look, paying)}",
            items=(look.tokens[slot], look.tokens[paying], one, other),
            marks={one: "swapped", other: "swapped", **_spent(look, slot, paying)},
            contests={CONTEST: after},
            note=look.outlook(after),
        )


def pair_of(places: Sequence[int]) -> int:
    """Return the number of a pair of two different places, in ascending order."""
    return list(zip(PAIR_LOW, PAIR_HIGH, strict=True)).index((places[0], places[1]))


class Fortify(_Special):
    """Put the top of the tower at the bottom with a Queen (ALC-45)."""

    form, example = "fortify {slot} paying {paying}", "fortify Qh paying 5d"
    words = {"slot": SPECIAL, "paying": COLOUR_PAYMENT}

    def choice(self, look: Look, slot: int, paying: int) -> Choice:
        """Offer a fortification."""
        return offer(
            "Fortify",
            label=f"Fortify with {_the(look, slot)}, paying {_the(look, paying)}: "
            "the top of the tower goes to the bottom",
            items=(look.tokens[slot], look.tokens[paying]),
            marks={"tower": "turned", **_spent(look, slot, paying)},
        )


class Reinforce(_Special):
    """Take a card from the discard pile with a Jack (ALC-46)."""

    form, example = "reinforce {slot} taking {card} paying {paying}", "reinforce Jc taking 9c paying 4s"
    words = {"slot": SPECIAL, "card": ANY_CARD, "paying": COLOUR_PAYMENT}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the fields unchanged. Raises `IllegalMove` for a Joker."""
        if words["card"] >= JOKER:
            raise IllegalMove("The discard pile never contains a Joker.", "ALC-46")
        return words

    def choice(self, look: Look, slot: int, card: int, paying: int) -> Choice:
        """Offer a card; you may take the payment itself."""
        return offer(
            "Reinforce",
            label=f"Reinforce with {_the(look, slot)}: take the {POKER.name(card)}, "
            f"paying {_the(look, paying)}",
            items=tuple(dict.fromkeys((look.tokens[slot], look.tokens[paying], token(card)))),
            marks={**_spent(look, slot, paying), token(card): "taken"},
            note="" if look.observation.options.reinforcement else "only for this turn",
        )


class Advantage(_Special):
    """Play a special as an Advantage (ALC-31 to ALC-33)."""

    form = "advantage {slot} paying {paying}[ replacing {replacing}]"
    example, also = "advantage Qh paying 5h", ("advantage Qh paying 5h replacing Jc",)
    words = {"slot": SPECIAL, "paying": SUIT_PAYMENT, "replacing": REPLACED}

    def choice(self, look: Look, slot: int, paying: int, replacing: int) -> Choice:
        """Offer it, for an empty place or in place of another."""
        replaced = [look.observation.advantages.cards[replacing - 1]] if replacing else []
        more = "".join(f", replacing the {POKER.name(card)}" for card in replaced)
        return offer(
            "Play as Advantage",
            label=f"Play {_the(look, slot)} as {ADVANTAGE_NAMES[rank_of(look.hand[slot])]}, "
            f"paying {_the(look, paying)}{more}",
            items=(look.tokens[slot], look.tokens[paying], *tokens(replaced)),
            marks={look.tokens[slot]: "laid", **_spent(look, paying)},
        )


class Trade(Verb):
    """Trade a hand card for a new one with the Jack in play (ALC-54)."""

    form, example = "trade {slot}", "trade 4h"
    words = {"slot": hand_card("ALC-54")}

    def choice(self, look: Look, slot: int) -> Choice:
        """Offer a card to trade."""
        jack = next(card for card in look.observation.advantages.listed() if rank_of(card) == JACK)
        return offer(
            "Trade",
            label=f"Trade {_the(look, slot)} for a new card",
            items=(look.tokens[slot], token(jack)),
            target=token(jack),
            marks=_spent(look, slot),
        )

    def refusal(self, look: Look, clause: str, slot: int) -> Explained:
        """Explain what it needs."""
        wanted = "a Jack in play that hasn't traded this turn, a card in your hand and a card in the deck"
        return f"To trade you need {wanted}.", []
