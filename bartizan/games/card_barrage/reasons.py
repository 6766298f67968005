"""Say in a sentence what speaks for an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bartizan.games.card_barrage.choices import choices_of
from bartizan.games.card_barrage.skill import METHODS
from bartizan.games.card_barrage.state import ACTIONS, MISS, PLACES, State
from bartizan.games.card_barrage.words import place_name

if TYPE_CHECKING:
    from bartizan.games.card_barrage import attack as plain_attack
    from bartizan.games.card_barrage import thrower as plain_thrower
else:
    from bartizan.engine.rule import interpreted
    from bartizan.games.card_barrage import attack, thrower

    plain_attack, plain_thrower = interpreted(attack), interpreted(thrower)

THROWS = {"lob": "a lob", "frisbee": "a Frisbee throw", "flip": "a flip"}


def reason(observation: State, action: int) -> str:
    """Return what the action brings; for a report, how to throw for it."""
    verb, field = ACTIONS.decode(action)
    if verb == "report" and field["verdict"] != MISS:
        return _aim(observation, field["verdict"])
    choice = choices_of(observation, [action])[0]
    return f"{choice.label}: {choice.note}." if choice.note else f"{choice.label}."


def _aim(observation: State, verdict: int) -> str:
    """Recommend a target, with the method that lands most often and how often that is."""
    target = plain_attack.first_target(verdict)
    level = plain_thrower.USUAL
    method = plain_thrower.best_method(level, target)
    often = round(plain_thrower.landing(level, method, target) / 10)
    return (
        f"Aim at {place_name(observation, *divmod(target, PLACES))} with {THROWS[METHODS[method]]}: "
        f"a {plain_thrower.DEFAULT} thrower lands there {often} times in a hundred."
    )
