"""List Card Barrage's legal actions, ascending."""

from __future__ import annotations

from bartizan.engine.clauses import OK
from bartizan.engine.record import EMPTY, Array
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.aftermath import fits, why_not_pass
from bartizan.games.card_barrage.attack import why_no_attack, why_not_verdict
from bartizan.games.card_barrage.effects import Effect, why_no_effect, why_not_draw, why_not_pick
from bartizan.games.card_barrage.rules import (
    why_no_building,
    why_no_improvement,
    why_no_site,
    why_no_upgrade,
)
from bartizan.games.card_barrage.solo import is_turned_up
from bartizan.games.card_barrage.state import (
    BUILD,
    DECLINE,
    DISCARD,
    DRAW,
    END,
    ERECT,
    EXCHANGE,
    GIVE,
    KINDS,
    MISS,
    PER_SEAT,
    PICK,
    REPLACE,
    REPORT,
    REVEAL,
    TURN_UP,
    UPGRADE,
    WALLS,
    Phase,
    State,
)
from bartizan.games.card_barrage.table import can_show, is_untold, side_of, stands, unseen_kinds


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.TURN:
        return list_turn(s, out)
    if s.phase == Phase.REPLACE:
        return list_replacements(s, out)
    if s.phase == Phase.GIVE:
        return list_gifts(s, out)
    if s.phase == Phase.DISCARD:
        return list_discards(s, out)
    if s.phase == Phase.EFFECT:
        return list_effects(s, out)
    if s.phase == Phase.WALLS:
        return list_buildings(s, s.to_move, EMPTY, out, 0)
    return list_reveals(s, out) if s.phase == Phase.REVEAL else 0


@rule
def is_repeated(s: State, seat: int, place: int) -> bool:
    """Return whether a hand card is of the same kind as the one before it."""
    hand = s.hand[seat]
    return place > 0 and hand.cards[place] == hand.cards[place - 1]


@rule
def kinds_to_show(s: State, seat: int) -> int:
    """Return a bit for each kind of card that a seat may lay or give, where that is not told; else 0."""
    return unseen_kinds(s) if is_untold(s) and can_show(s, seat) else 0


@rule
def count_kinds(s: State, seat: int) -> int:
    """Return in how many places `kind_at` finds what a seat may lay or give: its hand's, or all kinds."""
    return KINDS if is_untold(s) else s.hand[seat].count


@rule
def kind_at(s: State, seat: int, place: int, kinds: int) -> int:
    """Return the kind of card that a seat may lay or give from a place; EMPTY for one that is no other."""
    if is_untold(s):
        return place if kinds >> place & 1 else EMPTY
    return EMPTY if is_repeated(s, seat, place) else s.hand[seat].cards[place]


@rule
def list_gifts(s: State, out: Array) -> int:
    """List each kind of card that may be given for a castle (CB-38)."""
    n = 0
    kinds = kinds_to_show(s, s.to_move)
    for place in range(count_kinds(s, s.to_move)):
        card = kind_at(s, s.to_move, place, kinds)
        if card != EMPTY:
            out[n] = GIVE.id(card)
            n += 1
    return n


@rule
def list_discards(s: State, out: Array) -> int:
    """List each kind of card that an effect makes one discard."""
    n = 0
    for place in range(s.hand[s.to_move].count):
        if not is_repeated(s, s.to_move, place):
            out[n] = DISCARD.id(s.hand[s.to_move].cards[place])
            n += 1
    return n


@rule
def list_reveals(s: State, out: Array) -> int:
    """List revealing the simulacrum's card, or what the one turned up did (CB-46)."""
    if not is_turned_up(s):
        out[0] = REVEAL.id()
        return 1
    out[0], out[1] = TURN_UP.id(0), TURN_UP.id(1)
    return 2


@rule
def list_turn(s: State, out: Array) -> int:
    """List what the active player may do: build, upgrade, report an attack, end."""
    n = 0
    if why_no_building(s) == OK:
        n = list_buildings(s, s.active, EMPTY, out, n)
    if why_no_upgrade(s) == OK:
        n = list_upgrades(s, out, n)
    if why_no_attack(s) == OK:
        n = list_reports(s, out, n)
    out[n] = END.id()
    return n + 1


@rule
def list_buildings(s: State, seat: int, scored: int, out: Array, n: int) -> int:
    """List each hand card with each slot that can take a wall.

    `scored` is the place of the scored card whose effect builds, or EMPTY for building in the turn.
    """
    sites = 0
    for slot in range(s.slots):
        if why_no_site(s, seat, slot) == OK:
            sites |= 1 << slot
    if s.phase == Phase.WALLS and is_untold(s):
        sites &= -sites  # from left to right
    kinds = kinds_to_show(s, seat) if sites != 0 else 0
    for place in range(count_kinds(s, seat) if sites != 0 else 0):
        card = kind_at(s, seat, place, kinds)
        for slot in range(s.slots if card != EMPTY else 0):
            if sites >> slot & 1:
                out[n] = BUILD.id(card, slot) if scored == EMPTY else ERECT.id(scored, card, slot)
                n += 1
    return n


@rule
def list_upgrades(s: State, out: Array, n: int) -> int:
    """List each standing wall with each hand card, and leaving a moved one where it lies (CB-20)."""
    kinds = kinds_to_show(s, s.active)
    for slot in range(s.slots):
        if not stands(s, s.active, slot):
            continue
        for place in range(count_kinds(s, s.active)):
            card = kind_at(s, s.active, place, kinds)
            for leave in range(2 if card != EMPTY else 0):
                if why_no_improvement(s, slot, card, leave) == OK:
                    out[n] = UPGRADE.id(slot, card, leave)
                    n += 1
    return n


@rule
def list_reports(s: State, out: Array, n: int) -> int:
    """List every verdict that can be true for each kind of hand card."""
    hand = s.hand[s.active]
    if hand.count == 0:
        return n
    start = n
    n = list_verdicts(s, out, start)
    end = n
    for place in range(1, hand.count):
        if not is_repeated(s, s.active, place):
            card = hand.cards[place]
            for index in range(start, end):
                out[n] = REPORT.id(card, out[index])
                n += 1
    first = hand.cards[0]
    for index in range(start, end):  # last, as the verdicts stood where the first card's reports go
        out[index] = REPORT.id(first, out[index])
    return n


@rule
def list_verdicts(s: State, out: Array, n: int) -> int:
    """Write the verdicts that can be true to `out`, to be made reports of there."""
    out[n] = MISS
    n += 1
    for seat in range(s.castles):
        if side_of(s, seat) != side_of(s, s.active):
            for verdict in range(1 + seat * PER_SEAT, 1 + (seat + 1) * PER_SEAT):
                if why_not_verdict(s, verdict) == OK:
                    out[n] = verdict
                    n += 1
    return n


@rule
def list_replacements(s: State, out: Array) -> int:
    """List each slot that awaits replacement with each card that fits it, or that none does (CB-42)."""
    n = 0
    kinds = kinds_to_show(s, s.to_move)
    for slot in range(s.slots):
        for place in range(count_kinds(s, s.to_move)):
            card = kind_at(s, s.to_move, place, kinds)
            if card != EMPTY and fits(s, s.to_move * WALLS + slot, card):
                out[n] = REPLACE.id(slot, card)
                n += 1
    if why_not_pass(s) == OK:
        out[n] = DECLINE.id()
        n += 1
    return n


@rule
def list_effects(s: State, out: Array) -> int:
    """List the uses of the third card's effect, and declining it."""
    n = list_drawing(s, out, 0)
    n = list_exchanges(s, out, n)
    for place in range(s.newly):
        if why_no_effect(s, place, Effect.BUILD) == OK:
            n = list_buildings(s, s.active, place, out, n)
    for place in range(s.newly):
        for seat in range(s.castles):
            if why_not_pick(s, place, seat) == OK:
                out[n] = PICK.id(place, seat)
                n += 1
    out[n] = DECLINE.id()
    return n + 1


@rule
def list_drawing(s: State, out: Array, n: int) -> int:
    """List the newly scored cards that let one draw."""
    for place in range(s.newly):
        if why_not_draw(s, place) == OK:
            out[n] = DRAW.id(place)
            n += 1
    return n


@rule
def list_exchanges(s: State, out: Array, n: int) -> int:
    """List the newly scored cards that exchange, with each wall and each hand card."""
    kinds = kinds_to_show(s, s.active)
    for place in range(s.newly):
        if why_no_effect(s, place, Effect.EXCHANGE) != OK:
            continue
        for slot in range(s.slots):
            for index in range(count_kinds(s, s.active) if stands(s, s.active, slot) else 0):
                card = kind_at(s, s.active, index, kinds)
                if card != EMPTY:
                    out[n] = EXCHANGE.id(place, slot, card)
                    n += 1
    return n
