"""Turn legal actions into choices: what to touch, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bartizan.engine.cards import POKER
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Choice
from bartizan.games.alcazar.notation import nth_order, print_move
from bartizan.games.alcazar.state import ACTIONS, PAIR_HIGH, PAIR_LOW, State
from bartizan.games.alcazar.words import ADVANTAGE_NAMES, listed, place_words, rank_of, token

if TYPE_CHECKING:
    from bartizan.games.alcazar import rules as plain_rules
    from bartizan.games.alcazar import table as plain_table
    from bartizan.games.alcazar import values as plain
else:
    from bartizan.games.alcazar import rules, table, values

    plain, plain_rules, plain_table = interpreted(values), interpreted(rules), interpreted(table)

VERBS = {
    "defend": "Defend",
    "repair": "Repair",
    "missile": "Missile",
    "swap": "Swap",
    "fortify": "Fortify",
    "reinforce": "Reinforce",
    "trade": "Trade",
    "discard": "Discard",
    "yield": "Discard first",
    "draw": "Draw",
    "stay": "Stay",
    "end": "End turn",
}


def choices_of(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action."""
    maker = _Choices(observation)
    return tuple(maker.make(action) for action in actions)


class _Choices:
    """Make the choices of one position; what several share is worked out once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.hand = observation.hand.listed()[::-1]
        self.tokens = [token(card) for card in self.hand]
        self.without: dict[int, int] = {}  # by place: the attack if the enemy there were gone
        self.wall = plain.tower_value(observation.tower.listed()[0]) if observation.tower.count else 0

    def _strength_without(self, place: int) -> int:
        """Return what the attack would be if the enemy at `place` were gone."""
        if place not in self.without:
            after = self.observation.copy()
            plain_table.take_enemy(after, place)
            self.without[place] = max(plain_rules.attack_strength(after), 0)
        return self.without[place]

    def make(self, action: int) -> Choice:
        """Return the choice for one action."""
        verb, field = ACTIONS.decode(action)
        parts = getattr(self, f"_{verb}")(field, action)
        text = print_move(self.observation, action)
        return Choice(action=action, text=text, **{"verb": VERBS.get(verb, verb.title()), **parts})

    def _after(self, place: int) -> str:
        return f"the attack is then {self._strength_without(place)} against {self.wall}"

    def _defend(self, field: dict[str, int], action: int) -> dict[str, object]:
        slots = [slot for slot in range(len(self.hand)) if field["cards"] >> slot & 1]
        cards = [self.hand[slot] for slot in nth_order(slots, ACTIONS.variant(action))]
        place = field["place"]
        target = token(self.observation.enemy[place])
        total = sum(plain_rules.defence_of(self.observation, card) for card in cards)
        cost = plain.defence_cost(self.observation, place)
        return {
            "label": f"Beat the {POKER.name(self.observation.enemy[place])}, {place_words(place)}, "
            f"with {listed(cards)}",
            "items": (*[token(card) for card in cards], target),
            "target": target,
            "marks": {target: "beaten", **{token(card): "spent" for card in cards}},
            "note": f"{total} against {cost}; {self._after(place)}",
        }

    def _repair(self, field: dict[str, int], action: int) -> dict[str, object]:
        card = self.hand[field["slot"]]
        return {
            "label": f"Repair the tower with the {POKER.name(card)}",
            "items": (token(card), "tower"),
            "target": "tower",
            "marks": {token(card): "joins", "tower": "joined"},
            "note": f"the tower then has {self.observation.tower.count + 1} cards",
        }

    def _missile(self, field: dict[str, int], action: int) -> dict[str, object]:
        special, paying = self._pair_of(field)
        place = field["place"]
        target = token(self.observation.enemy[place])
        return {
            "label": f"Missile: remove the {POKER.name(self.observation.enemy[place])}, "
            f"{place_words(place)}, "
            f"with the {POKER.name(special)}, paying the {POKER.name(paying)}",
            "items": (token(special), token(paying), target),
            "target": target,
            "marks": {target: "beaten", token(special): "spent", token(paying): "spent"},
            "note": self._after(place),
        }

    def _swap(self, field: dict[str, int], action: int) -> dict[str, object]:
        special, paying = self._pair_of(field)
        places = (PAIR_LOW[field["pair"]], PAIR_HIGH[field["pair"]])
        one, two = (token(self.observation.enemy[place]) for place in places)
        after = self.observation.copy()
        after.enemy[places[0]], after.enemy[places[1]] = after.enemy[places[1]], after.enemy[places[0]]
        strength = max(plain_rules.attack_strength(after), 0)
        return {
            "label": f"Swap the enemies {place_words(places[0])} and {place_words(places[1])} "
            f"with the {POKER.name(special)}, paying the {POKER.name(paying)}",
            "items": (token(special), token(paying), one, two),
            "marks": {one: "swapped", two: "swapped", token(special): "spent", token(paying): "spent"},
            "note": f"the attack is then {strength} against {self.wall}",
        }

    def _fortify(self, field: dict[str, int], action: int) -> dict[str, object]:
        special, paying = self._pair_of(field)
        return {
            "label": f"Fortify with the {POKER.name(special)}, paying the {POKER.name(paying)}: "
            "the tower's top goes to its bottom",
            "items": (token(special), token(paying)),
            "marks": {"tower": "turned", token(special): "spent", token(paying): "spent"},
        }

    def _reinforce(self, field: dict[str, int], action: int) -> dict[str, object]:
        special, paying = self._pair_of(field)
        fetched = token(field["card"])
        return {
            "label": f"Reinforce with the {POKER.name(special)}: take the {POKER.name(field['card'])}, "
            f"paying the {POKER.name(paying)}",
            "items": tuple(dict.fromkeys((token(special), token(paying), fetched))),
            "marks": {token(special): "spent", token(paying): "spent", fetched: "taken"},
            "note": "" if self.observation.options.reinforcement else "for this turn",
        }

    def _advantage(self, field: dict[str, int], action: int) -> dict[str, object]:
        special, paying = self._pair_of(field)
        replaced = self.observation.advantages.cards[field["replacing"] - 1] if field["replacing"] else EMPTY
        more = f", replacing the {POKER.name(replaced)}" if replaced != EMPTY else ""
        return {
            "verb": "Lay down",
            "label": f"Lay the {POKER.name(special)} down as {ADVANTAGE_NAMES[rank_of(special)]}, "
            f"paying the {POKER.name(paying)}{more}",
            "items": (token(special), token(paying), *([token(replaced)] if replaced != EMPTY else [])),
            "marks": {token(special): "laid", token(paying): "spent"},
        }

    def _trade(self, field: dict[str, int], action: int) -> dict[str, object]:
        card = self.hand[field["slot"]]
        jack = next(each for each in self.observation.advantages.listed() if rank_of(each) == 11)
        return {
            "label": f"Trade the {POKER.name(card)} for a new card",
            "items": (token(card), token(jack)),
            "target": token(jack),
            "marks": {token(card): "spent"},
        }

    def _discard(self, field: dict[str, int], action: int) -> dict[str, object]:
        card = self.hand[field["slot"]]
        return {
            "label": f"Discard the {POKER.name(card)}",
            "items": (token(card),),
            "marks": {token(card): "spent"},
        }

    def _yield(self, field: dict[str, int], action: int) -> dict[str, object]:
        card = self.observation.advantages.cards[field["advantage"]]
        return {
            "label": f"Discard the {POKER.name(card)} first",
            "items": (token(card),),
            "marks": {token(card): "spent"},
        }

    def _draw(self, field: dict[str, int], action: int) -> dict[str, object]:
        return {"label": "Draw a second card"}

    def _stay(self, field: dict[str, int], action: int) -> dict[str, object]:
        return {"label": "Keep the hand as it is"}

    def _end(self, field: dict[str, int], action: int) -> dict[str, object]:
        strength = max(plain_rules.attack_strength(self.observation), 0)
        falls = "the tower's top falls" if strength >= self.wall else "the tower holds"
        return {
            "label": "End the turn; the enemies attack",
            "note": f"{strength} against {self.wall}: {falls}",
        }

    def _pair_of(self, field: dict[str, int]) -> tuple[int, int]:
        return self.hand[field["slot"]], self.hand[field["paying"]]
