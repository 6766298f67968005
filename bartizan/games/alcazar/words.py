"""Name Alcazar's cards and places for people."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.games.alcazar.state import ACE, JACK, JOKER, KING, QUEEN, State

UNSEEN = -2  # stands for a card that the player does not know

ARMY_WORDS = ("Right", "Left", "Top")
RANK_WORDS = ("front", "rear")

ENEMY_NAMES = {ACE: "Necromancer", KING: "Warlord", QUEEN: "Banshee", JACK: "Thief"}
TOWER_NAMES = {ACE: "Wizard", KING: "Knight", QUEEN: "Bard", JACK: "Traitor"}
ADVANTAGE_NAMES = {ACE: "Power", KING: "Shield", QUEEN: "Revive", JACK: "Trade"}
INSTANT_NAMES = {ACE: "Missile", KING: "Swap", QUEEN: "Fortify", JACK: "Reinforcement"}

ROLES = {
    "enemy": {
        ACE: "Necromancer: your Advantages leave, and you cannot play specials.",
        KING: "Warlord: every face-up enemy counts two more.",
        QUEEN: "Banshee: every face-up rear card counts one more.",
        JACK: "Thief: your hand holds four, and a Bard falls silent.",
    },
    "tower": {
        ACE: "Wizard: a Necromancer has no effect.",
        KING: "Knight: every face-up enemy counts one less.",
        QUEEN: "Bard: your hand holds seven, and you may draw two.",
        JACK: "Traitor: shields the strongest front enemy of the other colour from defences.",
    },
    "advantage": {
        ACE: "Power: defending cards may have any colour.",
        KING: "Shield: each defending card counts one more.",
        QUEEN: "Revive: repair with cards up to two away; the tower holds six.",
        JACK: "Trade: once a turn, discard a card and draw one.",
    },
    "hand": {
        ACE: "At once: Missile. Laid down: Power.",
        KING: "At once: Swap. Laid down: Shield. Worth 9 in a defence.",
        QUEEN: "At once: Fortify. Laid down: Revive. Worth 9 in a defence.",
        JACK: "At once: Reinforcement. Laid down: Trade. Worth 9 in a defence.",
    },
}


def rank_of(card: int) -> int:
    """Return a card's rank, 2 to 14; 0 for a Joker or an unknown card."""
    return ACE - card // 4 if 0 <= card < JOKER else 0


def role_of(card: int, where: str) -> str:
    """Return what a special does in this place; ``""`` for other cards."""
    return ROLES[where].get(rank_of(card), "")


def token(card: int) -> str:
    """Return the id of a card whose identity is known; Jokers are told apart."""
    return POKER.text(card) if card < JOKER else f"*{card - JOKER + 1}"


def place_words(place: int) -> str:
    """Return a place as people say it: ``left front``."""
    return f"{ARMY_WORDS[place // 2].lower()} {RANK_WORDS[place % 2]}"


def name_at(observation: State, place: int) -> str:
    """Return what stands at a place, as a phrase."""
    card = observation.enemy[place]
    return (
        "nothing"
        if card == -1
        else "a face-down card"
        if not observation.face_up[place]
        else f"the {POKER.name(card)}"
    )


def listed(cards: list[int]) -> str:
    """Return cards as a phrase: ``the five of hearts and the four of clubs``."""
    names = [f"the {POKER.name(card)}" for card in cards]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
