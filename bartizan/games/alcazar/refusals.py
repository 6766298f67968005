"""Explain why a move is not possible, with the figures of the moment and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.cards import POKER
from bartizan.engine.clauses import Rulebook
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Refusal
from bartizan.games.alcazar.position import PLACE_NAMES
from bartizan.games.alcazar.state import (
    ACE,
    ACTIONS,
    JACK,
    KING,
    PAIR_HIGH,
    PAIR_LOW,
    PLACES,
    QUEEN,
    Phase,
    State,
)
from bartizan.games.alcazar.words import UNSEEN, name_at, place_words, rank_of, token

if TYPE_CHECKING:
    from bartizan.games.alcazar import rules as plain_rules
    from bartizan.games.alcazar import values as plain
else:
    from bartizan.games.alcazar import rules, values

    plain, plain_rules = interpreted(values), interpreted(rules)

RULEBOOK = Rulebook.load(Path(__file__).parent / "clauses.toml")

PLAIN_SENTENCES = {
    "ALC-9": "Your hand is above its limit; discard first.",
    "ALC-17": "This turn allows no further action of this kind.",
    "ALC-27": "The tower already has five cards.",
    "ALC-28": "Only a jack, queen, king or ace in your hand can be played as a special.",
    "ALC-30": "An instant is paid with another hand card of the special's colour.",
    "ALC-31": "An Advantage is paid with another hand card of the special's suit.",
    "ALC-32": "Two Advantages already lie in play, and nothing can take their place.",
    "ALC-33": "An Advantage of this kind already lies in play.",
    "ALC-43": "Only an ace is a missile, and it needs a face-up enemy.",
    "ALC-44": "Only a king swaps, and it needs two face-up enemies.",
    "ALC-45": "Only a queen fortifies.",
    "ALC-46": "Only a jack fetches a card, and it must lie in the discard.",
    "ALC-52": "The tower already has six cards, the most that a Queen in play allows.",
    "ALC-54": "Trading needs a Jack in play that has not traded this turn, a hand card and a deck card.",
    "ALC-57": "The Bard's second card is the only question now, or is not offered.",
    "ALC-59": "Two Advantages leave before a Necromancer; that comes first, and only then.",
    "ALC-60": "A Necromancer stands in the enemy ranks; you cannot use specials.",
    "ALC-64": "Your hand is within its limit; there is nothing to discard.",
    "ALC-66c": "An ace has no value in a defence.",
    "ALC-67": "The game is over: you have won.",
    "ALC-68": "The game is over: the tower has fallen.",
}


def refusal(observation: State, action: int, clause: int) -> Refusal:
    """Return why `clause` forbids an action here: a sentence, the rule, the ids in the way."""
    name = RULEBOOK.id_of(clause)
    verb, field = ACTIONS.decode(action)
    sentence = PLAIN_SENTENCES.get(name, "")
    if name in ("ALC-19", "ALC-20", "ALC-22", "ALC-58"):
        sentence = _defence_sentence(observation, name, field)
    elif name in ("ALC-25", "ALC-50", "ALC-51"):
        sentence = _repair_sentence(observation, name, field)
    elif observation.phase == Phase.THIEF and name in ("ALC-9", "ALC-64"):
        sentence = f"Your hand may hold {plain.hand_limit(observation)} cards now; discard first."
    elif verb == "defend" and name == "ALC-60":
        sentence = "A Necromancer stands in the enemy ranks; specials cannot even help to defend."
    return Refusal(
        clause=name,
        sentence=sentence or RULEBOOK.get(name).text.strip(),
        rule=RULEBOOK.get(name).text.strip(),
        blockers=_blockers(observation, verb, field, name),
    )


def _defence_sentence(observation: State, name: str, field: dict[str, int]) -> str:
    place = field["place"]
    what = name_at(observation, place)
    if name == "ALC-58":
        return f"The Traitor on your tower shields {what} from your defences."
    if observation.enemy[place] == EMPTY or not observation.face_up[place]:
        return f"There is {what} at the {place_words(place)}; a defence needs a face-up enemy."
    cards = _cards(observation, field["cards"])
    if name == "ALC-19":
        if not cards or field["cards"] >> observation.hand.count:
            return f"A defence against {what} needs cards from your hand."
        wanted = "black" if plain.is_red(observation.enemy[place]) else "red"
        return f"{what[0].upper()}{what[1:]} is beaten by {wanted} cards only."
    total = sum(plain_rules.defence_of(observation, card) for card in cards)
    cost = plain.defence_cost(observation, place)
    if total >= cost:
        return f"{total} is more than it takes: {cost} would do without one of these cards."
    rear = ", one more than its value because it stands in the rear" if place % 2 else ""
    return f"{total} is not enough: {what} costs {cost}{rear}."


def _repair_sentence(observation: State, name: str, field: dict[str, int]) -> str:
    if field["slot"] >= observation.hand.count:
        return "A repair takes a card from your hand."
    card, top = observation.hand.cards[field["slot"]], observation.tower.listed()[0]
    colour = "red" if plain.is_red(top) else "black"
    if plain.is_red(card) != plain.is_red(top):
        return f"The {POKER.name(card)} does not match the tower's top, which is {colour}."
    reach = "one or two" if name == "ALC-50" else "exactly one"
    worth, wall = plain.tower_value(card), plain.tower_value(top)
    return f"The {POKER.name(card)} counts {worth} and the tower's top {wall}; they must differ by {reach}."


def _cards(observation: State, subset: int) -> list[int]:
    return [observation.hand.cards[slot] for slot in range(observation.hand.count) if subset >> slot & 1]


def _enemies(observation: State, rank: int) -> list[str]:
    return [
        token(observation.enemy[place])
        for place in range(PLACES)
        if observation.face_up[place] and rank_of(observation.enemy[place]) == rank
    ]


def _blockers(observation: State, verb: str, field: dict[str, int], name: str) -> tuple[str, ...]:
    """Return the ids of what stands in the way."""
    if name in ("ALC-60", "ALC-59"):
        return tuple(_enemies(observation, ACE))
    if name == "ALC-64":
        return tuple(_enemies(observation, JACK))
    if name in ("ALC-32", "ALC-33"):
        return tuple(token(card) for card in observation.advantages.listed())
    if name in ("ALC-25", "ALC-27", "ALC-50", "ALC-51", "ALC-52"):
        return ("tower",)
    if name == "ALC-58":
        return (token(observation.tower.listed()[0]), token(observation.enemy[field["place"]]))
    if name == "ALC-66c":
        return tuple(token(card) for card in _cards(observation, field["cards"]) if rank_of(card) == ACE)
    if name in ("ALC-30", "ALC-31") and field["paying"] < observation.hand.count:
        return (token(observation.hand.cards[field["paying"]]),)
    if "place" in field:
        return (_id_at(observation, field["place"]),)
    if verb == "swap":
        return tuple(
            _id_at(observation, place) for place in (PAIR_LOW[field["pair"]], PAIR_HIGH[field["pair"]])
        )
    return ()


def _id_at(observation: State, place: int) -> str:
    if observation.enemy[place] == EMPTY:
        return PLACE_NAMES[place]
    return (
        f"{PLACE_NAMES[place]}:down"
        if observation.enemy[place] == UNSEEN
        else token(observation.enemy[place])
    )


# --- What touching things could mean -----------------------------------------


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, the likeliest first."""
    hand = [slot for slot in range(observation.hand.count) if token(observation.hand.cards[slot]) in items]
    places = [
        place for place in range(PLACES) if _id_at(observation, place) in items or PLACE_NAMES[place] in items
    ]
    fetched = [card for card in observation.discard.listed() if token(card) in items]
    laid = [
        index
        for index in range(observation.advantages.count)
        if token(observation.advantages.cards[index]) in items
    ]
    tower = any(item == "tower" or item.startswith("tower:") for item in items) or (
        observation.tower.count > 0 and token(observation.tower.listed()[0]) in items
    )
    actions: list[int] = []
    if len(places) == 2:
        pair = next(p for p in range(len(PAIR_LOW)) if [PAIR_LOW[p], PAIR_HIGH[p]] == places)
        actions += [_instant("swap", observation, hand, KING, pair=pair)]
    elif places:
        if len(hand) == 2 and any(rank_of(observation.hand.cards[slot]) == ACE for slot in hand):
            actions.append(_instant("missile", observation, hand, ACE, place=places[0]))
        actions.append(ACTIONS.encode("defend", place=places[0], cards=sum(1 << slot for slot in hand)))
    elif fetched:
        actions.append(_instant("reinforce", observation, hand, JACK, card=fetched[0]))
    elif tower:
        actions += [ACTIONS.encode("repair", slot=slot) for slot in hand[:1]]
    elif laid:
        actions += [ACTIONS.encode("trade", slot=slot) for slot in hand[:1]]
        actions += [ACTIONS.encode("yield", advantage=laid[0])]
    elif len(hand) == 2:
        special, paying = hand  # ascending slots have the high ranks first
        actions.append(ACTIONS.encode("advantage", slot=special, paying=paying, replacing=0))
        if rank_of(observation.hand.cards[special]) == QUEEN:
            actions.append(ACTIONS.encode("fortify", slot=special, paying=paying))
    elif len(hand) == 1:
        actions.append(ACTIONS.encode("discard", slot=hand[0]))
    return actions


def _instant(verb: str, observation: State, hand: Sequence[int], rank: int, **field: int) -> int:
    """Return the instant that these hand cards could mean; a missing card is taken from beyond the hand."""
    special = next(
        (slot for slot in hand if rank_of(observation.hand.cards[slot]) == rank), hand[0] if hand else 6
    )
    paying = next((slot for slot in hand if slot != special), special)
    return ACTIONS.encode(verb, slot=special, paying=paying, **field)
