"""Say what attacks would do, and when they land."""

from __future__ import annotations

from bartizan.games.tower import values
from bartizan.games.tower.state import SUITS, Phase, Standing, State
from bartizan.games.tower.words.names import LEVEL_NAMES


def effect_of(observation: State, target: int, face: int) -> dict[int, str]:
    """Return what an attack would do to each level of a tower if it arrived now (TWR-24 to TWR-28)."""
    player = observation.players[target - 1]
    return {
        level: "destroyed" if values.would_destroy(player, level, face) else "damaged"
        for level in range(SUITS)
        if values.is_vulnerable(player, level, face)
    }


def effect_words(effect: dict[int, str]) -> str:
    """Say what an attack could do to the tower right now: it hits one of these levels."""
    if not effect:
        return "it would not harm any level now"
    verbs = {"destroyed": "destroy", "damaged": "damage"}
    sentences = [
        f"{verb} the {' or the '.join(LEVEL_NAMES[level] for level in effect if effect[level] == fate)}"
        for fate, verb in verbs.items()
        if fate in effect.values()
    ]
    return f"right now it would {' or '.join(sentences)}"


def turns_until(observation: State, seat: int) -> int:
    """Return how many turns end before a seat's next turn begins, skipping players who are out."""
    if seat == observation.active and observation.phase in (Phase.DEFEND, Phase.ARRIVAL):
        return 0
    past = observation.waiting - 1 if observation.waiting else observation.active
    between = (seat - past - 1) % observation.seats
    others = [(past + step) % observation.seats for step in range(between)]
    return 1 + sum(observation.players[other].standing != Standing.OUT for other in others)


def landing(observation: State, seat: int) -> str:
    """Say when the attacks of a seat land: ``right after this turn``."""
    turns = turns_until(observation, seat)
    if turns < 2:
        return "right after this turn" if turns else "now"
    return f"after {turns} more turns, including this one"
