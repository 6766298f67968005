"""Use the effect of every third scored card (CB-40, CB-Q27).

The printed effects are not in the rulebook.  House effects stand in for them, one for each domain;
whoever owns a printed deck can type its effects into ``data/effects.toml``.
"""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Any

from bartizan.engine.clauses import OK, code
from bartizan.engine.data import data_file
from bartizan.engine.errors import BadData, UnknownCard, nearest
from bartizan.engine.record import table
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.options import Effects
from bartizan.games.card_barrage.rules import change_places, put_wall, why_no_exchange, why_no_site
from bartizan.games.card_barrage.state import DOMAINS, KINDS, Phase, State
from bartizan.games.card_barrage.table import (
    can_draw,
    can_drop,
    count_walls,
    discard_from_hand,
    draw_card,
    forget_scored,
    holds,
    is_simulacrum,
    keeper,
    side_of,
)

EFFECT = code("CB-40")


class Effect(IntEnum):
    """What a third card can do."""

    NONE = 0
    DRAW = 1  # two cards, then discard one
    EXCHANGE = 2  # a wall with a hand card, and put it where it belongs
    BUILD = 3  # from hand; the next attack stays possible
    PICK = 4  # an enemy seat; it discards a hand card of its choice


NAMES = tuple(effect.name.lower() for effect in Effect)
HOUSE = (Effect.DRAW, Effect.EXCHANGE, Effect.BUILD, Effect.PICK)  # knowledge, science, technology, services


def load_effects(path: Path) -> list[int]:
    """Read a table of effects: under ``[domains]`` what a domain does, under ``[cards]`` what a card does.

    Cards that are not named have no effect.  Raises `BadData` with every fault.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadData(f"{path} cannot be read: {error}.") from error
    faults = [f"there is no table {key!r}.{nearest(key, _TABLES)}" for key in given if key not in _TABLES]
    effects = [int(Effect.NONE)] * KINDS
    for key in _TABLES:
        entries = given.get(key, {})
        if not isinstance(entries, dict):
            faults.append(f"{key} must be a table, such as [{key}]")
            continue
        for name, effect in entries.items():
            _enter(effects, faults, key, name, effect)
    if faults:
        raise BadData(f"{path}: {'; '.join(faults)}.")
    return effects


_TABLES = ("domains", "cards")


def _enter(effects: list[int], faults: list[str], key: str, name: str, effect: Any) -> None:
    """Enter what one line of a table says, or note what is wrong with it."""
    if effect not in NAMES:
        faults.append(
            f"{key}.{name} is {effect!r}; it can be {', '.join(NAMES)}.{nearest(str(effect), NAMES)}"
        )
        return
    if key == "domains":
        if name not in TECH.names:
            faults.append(
                f"domains.{name}: the domains are {', '.join(TECH.names)}.{nearest(name, TECH.names)}"
            )
            return
        for card in range(TECH.names.index(name), KINDS, DOMAINS):
            effects[card] = NAMES.index(effect)
        return
    try:
        card = TECH.parse(name)
    except UnknownCard as error:
        faults.append(f"cards: {error}")
        return
    if card == KINDS:
        faults.append("cards.W: a wild card is a castle and is never scored")
    else:
        effects[card] = NAMES.index(effect)


OWN_TABLE = table(load_effects(data_file(Path(__file__).parent, "effects.toml")))
HOUSE_TABLE = table(HOUSE[card % DOMAINS] for card in range(KINDS))


# --- What a card offers ------------------------------------------------------


@rule
def effect_of(s: State, card: int) -> int:
    """Return the effect of a card."""
    if s.options.effects == Effects.HOUSE:
        return HOUSE_TABLE[card]
    return OWN_TABLE[card] if s.options.effects == Effects.TABLE else Effect.NONE


@rule
def is_third(s: State) -> bool:
    """Return whether one of this attack's cards is the third, sixth, ninth … of its pile (CB-40)."""
    return s.score[keeper(s, s.active)].count % 3 < s.newly


@rule
def can_do(s: State, effect: int) -> bool:
    """Return whether an effect can do anything for the active seat (CB-Q27)."""
    if effect == Effect.DRAW:
        return can_draw(s, s.active)
    if effect == Effect.EXCHANGE:
        return s.hand[s.active].count > 0 and count_walls(s, s.active) > 0
    if effect == Effect.BUILD:
        return s.hand[s.active].count > 0 and has_site(s)
    return effect == Effect.PICK and has_pick(s)


@rule
def has_site(s: State) -> bool:
    """Return whether the active seat has a slot to build in."""
    sites = 0
    for slot in range(s.slots):
        sites += 1 if why_no_site(s, s.active, slot) == OK else 0
    return sites > 0


@rule
def has_pick(s: State) -> bool:
    """Return whether an enemy seat has a hand card."""
    for seat in range(s.castles):
        if side_of(s, seat) != side_of(s, s.active) and s.hand[seat].count > 0:
            return True
    return False


@rule
def is_offered(s: State) -> bool:
    """Return whether a card of this attack offers a usable effect; the simulacrum uses none."""
    if is_simulacrum(s, s.active) or not is_third(s):
        return False
    offers = 0
    for place in range(s.newly):
        offers += 1 if can_do(s, effect_of(s, s.scored[place])) else 0
    return offers > 0


# --- May it be used? ---------------------------------------------------------


@rule
def why_no_effect(s: State, scored: int, effect: int) -> int:
    """Return why a newly scored card does not offer this effect; the first of two equal ones does."""
    if scored >= s.newly or (scored == 1 and s.scored[0] == s.scored[1]):
        return EFFECT
    return OK if effect_of(s, s.scored[scored]) == effect and can_do(s, effect) else EFFECT


@rule
def why_not_draw(s: State, scored: int) -> int:
    """Return why two cards cannot be drawn."""
    return why_no_effect(s, scored, Effect.DRAW)


@rule
def why_not_exchange(s: State, scored: int, slot: int, card: int) -> int:
    """Return why a wall cannot be exchanged by an effect; it need not become higher."""
    refused = why_no_effect(s, scored, Effect.EXCHANGE)
    return why_no_exchange(s, slot, card, EFFECT) if refused == OK else refused


@rule
def why_not_erect(s: State, scored: int, card: int, slot: int) -> int:
    """Return why a wall cannot be built by an effect."""
    refused = why_no_effect(s, scored, Effect.BUILD)
    if refused == OK:
        refused = why_no_site(s, s.active, slot)
    if refused == OK and not holds(s, s.active, card):
        refused = EFFECT
    return refused


@rule
def why_not_pick(s: State, scored: int, seat: int) -> int:
    """Return why a seat cannot be picked: only an enemy with a hand card."""
    refused = why_no_effect(s, scored, Effect.PICK)
    if refused != OK:
        return refused
    if seat >= s.castles or side_of(s, seat) == side_of(s, s.active):
        return EFFECT
    return OK if s.hand[seat].count > 0 else EFFECT


@rule
def why_not_discard(s: State, card: int) -> int:
    """Return why a card cannot be discarded where an effect asks for one."""
    return OK if can_drop(s, s.to_move, card) else EFFECT


# --- What it does: the offer is settled by that -------------------------------


@rule
def draw(s: State, scored: int) -> None:
    """Draw two cards; the player must then discard one."""
    forget_scored(s)
    for _ in range(2):
        draw_card(s, s.active)
    ask_for_discard(s, s.active)


@rule
def exchange(s: State, scored: int, slot: int, card: int) -> None:
    """Exchange a wall with a hand card, and put the wall where it belongs."""
    forget_scored(s)
    change_places(s, slot, card, 0)


@rule
def erect(s: State, scored: int, card: int, slot: int) -> None:
    """Build a wall, which costs no attack."""
    forget_scored(s)
    put_wall(s, card, slot)


@rule
def pick(s: State, scored: int, seat: int) -> None:
    """Make an enemy discard a hand card."""
    forget_scored(s)
    ask_for_discard(s, seat)


@rule
def ask_for_discard(s: State, seat: int) -> None:
    """Wait for a seat to discard a card of its choice."""
    s.phase = Phase.DISCARD
    s.to_move = seat


@rule
def discard(s: State, card: int) -> None:
    """Discard the hand card that an effect asked for."""
    discard_from_hand(s, s.to_move, card)
