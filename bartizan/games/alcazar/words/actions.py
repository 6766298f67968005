"""Define the verbs to defend, repair and end the turn: notation, choices, refusals (ALC-19 to ALC-27)."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.engine.scene import Choice
from bartizan.engine.words import VARIANT, Explained, Verb, offer
from bartizan.games.alcazar import defence, values
from bartizan.games.alcazar.state import ACE, SUBSETS, State
from bartizan.games.alcazar.words.look import CONTEST, Look
from bartizan.games.alcazar.words.names import (
    cards_of,
    enemies_of,
    id_at,
    name_at,
    phrase,
    place_words,
    rank_of,
    slots_of,
    token,
    tokens,
)
from bartizan.games.alcazar.words.spelling import PAID, PLACE, hand_card, nth_order

NO_MORE = "You can't take another action of this kind this turn."
NO_SPECIALS = "You can't use specials while a Necromancer is face up."


class Defend(Verb):
    """Beat an enemy with cards of the other colour (ALC-19 to ALC-23)."""

    form, example = "defend {place} with {cards}", "defend left.front with 5h 4d"
    words = {"place": PLACE, "cards": PAID}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the place, and the cards in the order they are paid."""
        return {"place": fields["place"], "cards": fields["cards"] + SUBSETS * fields[VARIANT]}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the place, the cards and the number of their order."""
        order, cards = divmod(words["cards"], SUBSETS)
        return {"place": words["place"], "cards": cards, VARIANT: order}

    def choice(self, look: Look, place: int, cards: int, variant: int) -> Choice:
        """Offer a defence with its value."""
        observation = look.observation
        paid = [look.hand[slot] for slot in nth_order(slots_of(cards), variant)]
        enemy = observation.enemy[place]
        total = sum(defence.defence_of(observation, card) for card in paid)
        cost = values.defence_cost(observation, place)
        after = look.without(place)
        return offer(
            "Defend",
            label=f"Beat the {POKER.name(enemy)}, {place_words(place)}, with {phrase(paid)}",
            items=(*tokens(paid), token(enemy)),
            target=token(enemy),
            marks={token(enemy): "beaten", **dict.fromkeys(tokens(paid), "spent")},
            contests={CONTEST: after},
            note=f"{total} against {cost}; {look.outlook(after)}",
        )

    def refusal(self, look: Look, clause: str, place: int, cards: int, variant: int) -> Explained:
        """Explain whether the enemy, the cards or their total prevents it."""
        observation = look.observation
        there = [id_at(observation, place)]
        if clause == "ALC-17":
            return NO_MORE, there
        if clause == "ALC-60":
            why = "You can't use specials, even to defend, while a Necromancer is face up."
            return why, enemies_of(observation, ACE)
        if clause == "ALC-66c":
            aces = [card for card in cards_of(observation, cards) if rank_of(card) == ACE]
            return "You can't defend with an Ace.", tokens(aces)
        what = name_at(observation, place)
        if clause == "ALC-58":
            traitor = token(observation.tower.listed()[0])
            return f"The Traitor on your tower protects {what} from you.", [traitor, *there]
        if not observation.face_up[place]:
            return (
                f"There is {what} at the {place_words(place)}. You can defend only against a face-up enemy.",
                there,
            )
        if clause == "ALC-19":
            return _wrong_cards(observation, place, cards), there
        return _wrong_sum(observation, place, cards), there


def _wrong_cards(observation: State, place: int, cards: int) -> str:
    what = name_at(observation, place)
    if not cards or cards >> observation.hand.count:
        return f"Choose cards from your hand to beat {what}."
    wanted = "black" if values.is_red(observation.enemy[place]) else "red"
    return f"Only {wanted} cards can beat {what}."


def _wrong_sum(observation: State, place: int, cards: int) -> str:
    total = sum(defence.defence_of(observation, card) for card in cards_of(observation, cards))
    cost = values.defence_cost(observation, place)
    if total >= cost:
        return f"{total} is more than you need. Leave out a card: {cost} is enough."
    rear = ", one more than its value because it is in the rear" if place % 2 else ""
    return f"{total} is not enough: {name_at(observation, place)} costs {cost}{rear}."


class Repair(Verb):
    """Repair: put a card under the tower (ALC-25 to ALC-27)."""

    form, example = "repair with {slot}", "repair with 6c"
    words = {"slot": hand_card("ALC-25")}

    def choice(self, look: Look, slot: int) -> Choice:
        """Offer a repair."""
        card = look.tokens[slot]
        return offer(
            "Repair",
            label=f"Repair the tower with the {POKER.name(look.hand[slot])}",
            items=(card, "tower"),
            target="tower",
            marks={card: "joins", "tower": "joined"},
            note=f"the tower will have {look.observation.tower.count + 1} cards",
        )

    def refusal(self, look: Look, clause: str, slot: int) -> Explained:
        """Explain what the tower or the card forbids."""
        if clause == "ALC-17":
            return NO_MORE, []
        if clause == "ALC-60":
            return NO_SPECIALS, enemies_of(look.observation, ACE)
        if clause == "ALC-27":
            return "The tower already has five cards.", ["tower"]
        if clause == "ALC-52":
            return "The tower already has six cards, the limit with a Queen in play.", ["tower"]
        return _no_match(look, clause, slot), ["tower"]


def _no_match(look: Look, clause: str, slot: int) -> str:
    if slot >= len(look.hand):
        return "Repair the tower with a card from your hand."
    card, top = look.hand[slot], look.observation.tower.listed()[0]
    if values.is_red(card) != values.is_red(top):
        colour = "red" if values.is_red(top) else "black"
        return f"The {POKER.name(card)} doesn't match the top of the tower, which is {colour}."
    reach = "exactly one"
    if clause == "ALC-50":
        reach = "one or two" if values.nearest_repair(look.observation) == 1 else "exactly two"
    worth, wall = values.tower_value(card), values.tower_value(top)
    what = f"The {POKER.name(card)} is worth {worth} and the top of the tower {wall}"
    return f"{what}. They must differ by {reach}."


class End(Verb):
    """End the turn. The enemies attack (ALC-34)."""

    form = example = "end"

    def choice(self, look: Look) -> Choice:
        """Offer it, with what the attack will do."""
        strength = look.attack()
        falls = "the tower's top falls" if strength >= look.wall else "the tower holds"
        return offer(
            "End turn",
            label="End your turn: the enemies attack",
            note=f"{strength} against {look.wall}: {falls}",
        )
