"""Throw cards for programs by a model of skill (see `bartizan.engine.throws` and ``data/skill.toml``).

An *aim* is a card and the target to hit with it: card * TARGETS + target (see ``verdicts.py``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bartizan.engine.data import data_file
from bartizan.engine.record import EMPTY, Array, table
from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.skill import METHODS, OUTCOMES, THOUSAND, load_skill
from bartizan.games.card_barrage.skill import TARGETS as KINDS_OF_TARGET
from bartizan.games.card_barrage.state import ACTIONS, CASTLE, MISS, PLACES, REPORT, SEATS, State
from bartizan.games.card_barrage.table import side_of, stands
from bartizan.games.card_barrage.verdicts import (
    first_target,
    is_pair,
    is_perfect,
    seat_hit,
    verdict_on,
    verdict_on_two,
)

SKILL = load_skill(data_file(Path(__file__).parent, "skill.toml"))
SKILLS, DEFAULT = SKILL.levels, SKILL.default
USUAL = 1 + SKILLS.index(DEFAULT)
LEVELS = len(SKILLS)

FIGURES = table(SKILL.figures)
CASTLE_DOUBLES = SKILL.castle_doubles
NUM_METHODS = len(METHODS)
PER_METHOD = len(KINDS_OF_TARGET) * len(OUTCOMES)
PER_LEVEL = NUM_METHODS * PER_METHOD
TARGETS = SEATS * PLACES


@rule
def share(s: State, level: int, method: int, target: int, outcome: int) -> int:
    """Return in how many of a thousand throws at a target this outcome comes: 0 hit, 1 perfect, 2 double."""
    kind = 1 if target % PLACES == CASTLE else 0
    cell = s.options.battlefield * LEVELS + level - 1
    return FIGURES[cell * PER_LEVEL + method * PER_METHOD + kind * len(OUTCOMES) + outcome]


@rule
def landing(s: State, level: int, method: int, target: int) -> int:
    """Return how many of a thousand throws land on the target."""
    return (
        share(s, level, method, target, 0)
        + share(s, level, method, target, 1)
        + share(s, level, method, target, 2)
    )


@rule
def best_method(s: State, level: int, target: int) -> int:
    """Return the method that lands most often."""
    best = 0
    for method in range(1, NUM_METHODS):
        if landing(s, level, method, target) > landing(s, level, best, target):
            best = method
    return best


@rule
def report(s: State, seat: int, aim: int, method: int, level: int, dice: Any) -> int:
    """Throw a card of `seat`'s and return the report of what it did, as an action."""
    card, target = aim // TARGETS, aim % TARGETS
    roll = below(dice, THOUSAND)
    verdict = MISS
    hits = share(s, level, method, target, 0)
    perfect = hits + share(s, level, method, target, 1)
    if roll < hits:
        verdict = verdict_on(target, False)
    elif roll < perfect:
        verdict = verdict_on(target, True)
    elif roll < perfect + share(s, level, method, target, 2):
        verdict = double_verdict(s, target, dice)
    return REPORT.id(card, verdict)


@rule
def double_verdict(s: State, target: int, dice: Any) -> int:
    """Return the verdict that a target and another card of that seat were hit; alone if there is no other."""
    seat, place = target // PLACES, target % PLACES
    other = CASTLE
    if place == CASTLE or below(dice, THOUSAND) >= CASTLE_DOUBLES:
        other = another_wall(s, seat, place, dice)
        if other == EMPTY and place != CASTLE:
            other = CASTLE
    return verdict_on(target, False) if other == EMPTY else verdict_on_two(target, other)


@rule
def another_wall(s: State, seat: int, place: int, dice: Any) -> int:
    """Return a wall that stands beside a wall, or any wall before the castle, at random; or EMPTY."""
    pick, number = EMPTY, 0
    for slot in range(s.slots):
        if is_beside(s, seat, place, slot):
            number += 1
            if below(dice, number) == 0:
                pick = slot
    return pick


@rule
def card_of_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return the card that was thrown."""
    return card


@rule
def verdict_of_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return what it did."""
    return verdict


card_thrown = ACTIONS.rule("card_thrown", "card_of_{}", otherwise=EMPTY)
verdict_of = ACTIONS.rule("verdict_of", "verdict_of_{}", otherwise=EMPTY)


@rule
def attempt(s: State, action: int, level: int, careful: bool, dice: Any) -> int:
    """Throw if an action is a report: at what it says was hit, or at any target if it says nothing was."""
    card, verdict = card_thrown(s, action), verdict_of(s, action)
    if card == EMPTY:
        return action
    target = any_target(s, dice) if verdict == MISS else first_target(verdict)
    method = best_method(s, level, target) if careful else below(dice, NUM_METHODS)
    return report(s, s.active, card * TARGETS + target, method, level, dice)


# --- What a throw may come to --------------------------------------------------


@rule
def add_share(card: int, verdict: int, part: float, out: Array, parts: Array, n: int) -> int:
    """Add to the outcomes of a throw, where it is none of them yet; return how many there are."""
    if part <= 0.0:
        return n
    action = REPORT.id(card, verdict)
    for known in range(n):
        if out[known] == action:
            parts[known] += part
            return n
    out[n], parts[n] = action, part
    return n + 1


@rule
def shares(s: State, action: int, level: int, out: Array, parts: Array) -> int:
    """Write what may come of a careful throw to `out`, how likely to `parts`: what `attempt` draws from."""
    card, verdict = card_thrown(s, action), verdict_of(s, action)
    if card == EMPTY or verdict == MISS:
        out[0], parts[0] = action, 1.0
        return 1
    target = first_target(verdict)
    method = best_method(s, level, target)
    hit = share(s, level, method, target, 0) / THOUSAND
    perfect = share(s, level, method, target, 1) / THOUSAND
    double = share(s, level, method, target, 2) / THOUSAND
    n = add_share(card, MISS, 1.0 - hit - perfect - double, out, parts, 0)
    n = add_share(card, verdict_on(target, False), hit, out, parts, n)
    n = add_share(card, verdict_on(target, True), perfect, out, parts, n)
    return add_doubles(s, card, target, double, out, parts, n)


@rule
def add_doubles(s: State, card: int, target: int, double: float, out: Array, parts: Array, n: int) -> int:
    """Add the outcomes in which a target and another card of its seat are hit (see `double_verdict`)."""
    seat, place = target // PLACES, target % PLACES
    walls = 0
    for slot in range(s.slots):
        walls += 1 if is_beside(s, seat, place, slot) else 0
    castle = 0.0
    if place != CASTLE:
        castle = CASTLE_DOUBLES / THOUSAND if walls > 0 else 1.0
        n = add_share(card, verdict_on_two(target, CASTLE), double * castle, out, parts, n)
    elif walls == 0:
        return add_share(card, verdict_on(target, False), double, out, parts, n)
    for slot in range(s.slots):
        if is_beside(s, seat, place, slot):
            part = double * (1.0 - castle) / walls
            n = add_share(card, verdict_on_two(target, slot), part, out, parts, n)
    return n


@rule
def is_beside(s: State, seat: int, place: int, slot: int) -> bool:
    """Return whether a wall stands in a slot, and beside a place: any wall stands before the castle."""
    return (place == CASTLE or slot == place - 1 or slot == place + 1) and stands(s, seat, slot)


# --- What can be aimed at --------------------------------------------------------


@rule
def is_aim(verdict: int) -> bool:
    """Return whether a verdict can stand for aiming at a target: a plain hit."""
    return verdict != MISS and not is_pair(verdict) and not is_perfect(verdict)


@rule
def is_choice_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return whether a report stands for aiming at a target of the enemy's: 1, else 0."""
    return 1 if is_aim(verdict) and side_of(s, seat_hit(verdict)) != side_of(s, s.active) else 0


is_choice = ACTIONS.rule("is_choice", "is_choice_{}", otherwise=1)


@rule
def aims(s: State, legal: Array, count: int) -> int:
    """Leave of the legal actions one report for each card and target; return how many are left."""
    kept = 0
    for place in range(count):
        action = legal[place]
        if is_choice(s, action) != 0:
            legal[kept] = action
            kept += 1
    return kept if kept > 0 else count


@rule
def any_target(s: State, dice: Any) -> int:
    """Return a random target to aim at."""
    pick, number = 0, 0
    for target in range(s.castles * PLACES):
        if is_target(s, target):
            number += 1
            if below(dice, number) == 0:
                pick = target
    return pick


@rule
def is_target(s: State, target: int) -> bool:
    """Return whether the active seat may aim there: at an enemy's castle, or at a wall that stands."""
    seat, place = target // PLACES, target % PLACES
    if side_of(s, seat) == side_of(s, s.active):
        return False
    return place == CASTLE or (place < s.slots and stands(s, seat, place))
