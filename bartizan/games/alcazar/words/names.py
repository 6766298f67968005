"""Name Alcazar's cards and places for people, and for clients that draw them."""

from __future__ import annotations

from collections.abc import Iterable

from bartizan.engine.cards import POKER
from bartizan.engine.record import EMPTY
from bartizan.games.alcazar.state import ACE, HAND_SLOTS, JACK, JOKER, KING, PLACES, QUEEN, State
from bartizan.games.alcazar.visibility import UNSEEN

ARMY_NAMES = ("right", "left", "top")
PLACE_NAMES = tuple(f"{army}.{rank}" for army in ARMY_NAMES for rank in ("front", "rear"))

ARMY_WORDS = ("Right", "Left", "Top")
RANK_WORDS = ("front", "rear")

ENEMY_NAMES = {ACE: "Necromancer", KING: "Warlord", QUEEN: "Banshee", JACK: "Thief"}
TOWER_NAMES = {ACE: "Wizard", KING: "Knight", QUEEN: "Bard", JACK: "Traitor"}
ADVANTAGE_NAMES = {ACE: "Power", KING: "Shield", QUEEN: "Revive", JACK: "Trade"}

ROLES = {
    "enemy": {
        ACE: "Necromancer: removes your Advantages, and you can't play specials.",
        KING: "Warlord: every face-up enemy is worth two more.",
        QUEEN: "Banshee: every face-up rear card is worth one more.",
        JACK: "Thief: your hand limit is four, and a Bard has no effect.",
    },
    "tower": {
        ACE: "Wizard: a Necromancer has no effect.",
        KING: "Knight: every face-up enemy is worth one less.",
        QUEEN: "Bard: you may hold seven cards and draw two.",
        JACK: "Traitor: you can't defend against the strongest front enemy of the other colour.",
    },
    "advantage": {
        ACE: "Power: defend with cards of any colour.",
        KING: "Shield: each defending card is worth one more.",
        QUEEN: "Revive: repair with cards two away. The tower can hold six.",
        JACK: "Trade: once a turn, discard a card and draw one.",
    },
    "hand": {
        ACE: "Instant: Missile. Advantage: Power.",
        KING: "Instant: Swap. Advantage: Shield. Worth 9 when you defend.",
        QUEEN: "Instant: Fortify. Advantage: Revive. Worth 9 when you defend.",
        JACK: "Instant: Reinforcement. Advantage: Trade. Worth 9 when you defend.",
    },
}


def rank_of(card: int) -> int:
    """Return a card's rank, 2 to 14; 0 for a Joker or an unknown card."""
    return ACE - card // 4 if 0 <= card < JOKER else 0


def role_of(card: int, where: str) -> str:
    """Return what a special does in this place; ``""`` for other cards."""
    return ROLES[where].get(rank_of(card), "")


def token(card: int) -> str:
    """Return the id of a known card; Jokers are numbered."""
    return POKER.text(card) if card < JOKER else f"*{card - JOKER + 1}"


def tokens(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the ids of cards whose identity is known."""
    return tuple(token(card) for card in cards)


def enemies_of(observation: State, rank: int) -> tuple[str, ...]:
    """Return the ids of the face-up enemies of a rank."""
    return tokens(
        observation.enemy[place]
        for place in range(PLACES)
        if observation.face_up[place] and rank_of(observation.enemy[place]) == rank
    )


def id_at(observation: State, place: int) -> str:
    """Return the id of the card at a place, or the place's name if it is empty."""
    card = observation.enemy[place]
    if card == EMPTY:
        return PLACE_NAMES[place]
    return f"{PLACE_NAMES[place]}:down" if card == UNSEEN else token(card)


def hand_of(observation: State) -> list[int]:
    """Return the hand's cards by their slots."""
    return [observation.hand.cards[slot] for slot in range(observation.hand.count)]


def cards_of(observation: State, subset: int) -> list[int]:
    """Return the cards of a subset of the hand."""
    return [card for slot, card in enumerate(hand_of(observation)) if subset >> slot & 1]


def slots_of(subset: int) -> list[int]:
    """Return the slots of a subset of the hand."""
    return [slot for slot in range(HAND_SLOTS) if subset >> slot & 1]


def place_words(place: int) -> str:
    """Return a place as people say it: ``left front``."""
    return f"{ARMY_WORDS[place // 2].lower()} {RANK_WORDS[place % 2]}"


def name_at(observation: State, place: int) -> str:
    """Return the card at a place as a phrase."""
    if observation.enemy[place] == EMPTY:
        return "nothing"
    return f"the {POKER.name(observation.enemy[place])}" if observation.face_up[place] else "a face-down card"


def phrase(cards: list[int]) -> str:
    """Return cards as a phrase: ``the five of hearts and the four of clubs``."""
    names = [f"the {POKER.name(card)}" for card in cards]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def upper(sentence: str) -> str:
    """Return a sentence with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]
