"""Predict what a card at a cell does: the areas it joins and completes, and who scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bartizan.games.card_cassonne import areas
from bartizan.games.card_cassonne.options import RescoreGrowth
from bartizan.games.card_cassonne.words.look import Forecast, Look, Outlook
from bartizan.games.card_cassonne.words.names import area_name, counted, seat_name


def forecast(look: Look, cell: int, suit: int) -> Forecast:
    """Return marks for the areas a card joins or completes, and a note about the points."""
    if (cell, suit) not in look.forecasts:
        look.forecasts[cell, suit] = _tell(look, look.outlook(cell, suit))
    return look.forecasts[cell, suit]


def _tell(look: Look, outlook: Outlook) -> Forecast:
    observation = look.observation
    marks = {look.area_id(area): "joined" for area in outlook.joined}
    parts = [_merged(look, outlook)]
    for area in outlook.completed:
        gains = _gains(look.token_seats(area), observation.size[area])
        brings = f": {_listed(look, gains)}" if gains else ""
        marks[look.area_id(area)] = f"completed{brings}"
        parts.append(f"completes {area_name(observation, area)}{brings}")
    done = len(outlook.completed) + outlook.is_complete
    bonus = observation.options.complete_bonus * done
    if bonus:
        parts.append(f"+{bonus} for you for completing {'it' if done == 1 else f'{done} areas'}")
    return marks, "; ".join([*parts, *_estimates(look, outlook)])


def _merged(look: Look, outlook: Outlook) -> str:
    """Describe the card's own area, and its points if it is complete."""
    names = [area_name(look.observation, area) for area in outlook.joined]
    size = f"an area of {counted(outlook.size, 'card')}"
    text = f"joins {' and '.join(names)} to {size}" if names else size
    if not outlook.is_complete:
        return f"{text} with {counted(outlook.spaces, 'empty place')}"
    gains = _gains(outlook.tokens, outlook.size)
    return f"{text}, complete: {_listed(look, gains)}" if gains else f"{text}, complete"


def _estimates(look: Look, outlook: Outlook) -> list[str]:
    """Say what the card's area may score next, with its tokens or a new one."""
    if outlook.tokens:
        if outlook.is_complete or not outlook.is_partial:
            return []
        return [f"can then score {_listed(look, _gains(outlook.tokens, outlook.size))}"]
    if look.player.supply == 0:
        return []
    options = look.observation.options
    waits = options.rescore_growth == RescoreGrowth.TOKEN_WAITS_A_TURN and not outlook.is_complete
    if outlook.is_partial and options.token_before_score and not waits and not _must_grow(look, outlook):
        return [f"a token on it can score {areas.worth_of(outlook.size)} at once"]
    return ["a token on it can't score yet"]


def _must_grow(look: Look, outlook: Outlook) -> bool:
    """Return whether the card's area was scored too recently to choose it again (CC-Q21)."""
    last = max((look.observation.scored[area] for area in outlook.joined), default=0)
    return not outlook.is_complete and 0 < last > outlook.size - 2


def gains_of(look: Look, area: int) -> str:
    """Return what an area scores now and who gets it: ``+8 for you, +4 for Orange``."""
    return _listed(look, _gains(look.token_seats(area), look.observation.size[area]))


def _gains(seats: Iterable[int], size: int) -> Counter[int]:
    """Return what these seats' tokens score in an area of this size."""
    return Counter({seat: areas.worth_of(size) * n for seat, n in Counter(seats).items()})


def _listed(look: Look, gains: Counter[int]) -> str:
    order = sorted(gains, key=lambda seat: (seat != look.seat, seat))
    return ", ".join(f"+{gains[seat]} for {seat_name(seat, look.seat)}" for seat in order)
