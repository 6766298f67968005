"""Which moves of Alcazar are legal, and which clauses a move breaks (part of the second implementation)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tests.alcazar.reference_cards import (
    ARMIES,
    VACANT,
    Move,
    home_value,
    in_order,
    is_down,
    is_red,
    is_special,
    is_up,
    opposite,
)
from tests.alcazar.reference_rules import Table

PLAY_OF = {"missile": "A", "swap": "K", "fortify": "Q", "reinforce": "J"}


def legal_texts(table: Table) -> set[str]:
    """List the canonical texts of all legal moves."""
    return {move.text for move in candidates(table) if not faults(table, move)}


def candidates(table: Table) -> Iterator[Move]:
    """Go through every move that the cards at hand could make; `faults` sorts out the illegal ones."""
    now = table.now
    if now.phase == "over":
        return
    if now.phase == "draw":
        yield from (Move("draw"), Move("stay"))
        return
    if now.phase in ("thief", "necromancer"):
        for card in now.hand if now.phase == "thief" else now.advantages:
            yield Move("discard", card)
        return
    yield Move("end")
    up = now.face_up()
    usable = [card for card in now.hand if card[0] != "A"]
    for size in range(1, len(usable) + 1):
        for cards in combinations(in_order(usable), size):
            for place in up:
                yield Move("defend", places=(place,), cards=cards)
    for card in now.hand:
        yield Move("repair", card)
        yield Move("trade", card)
        for pay in now.hand:
            if is_special(card) and pay != card:
                yield from specials(table, card, pay)


def specials(table: Table, card: str, pay: str) -> Iterator[Move]:
    """Go through what this special could do, paid with that card."""
    now = table.now
    up = now.face_up()
    match card[0]:
        case "A":
            for place in up:
                yield Move("missile", card, (place,), (pay,))
        case "K":
            for pair in combinations(sorted(up), 2):
                yield Move("swap", card, pair, (pay,))
        case "Q":
            yield Move("fortify", card, (), (pay,))
        case _:
            for taking in [*now.discard, pay]:
                yield Move("reinforce", card, (), (pay,), taking)
    yield Move("advantage", card, (), (pay,))
    if table.options["advantage_replace"]:
        for replaced in now.advantages:
            yield Move("advantage", card, (), (pay,), "", replaced)


def faults(table: Table, move: Move) -> list[str]:
    """List the clauses that forbid the move; none: it is legal."""
    now = table.now
    if now.phase == "over":
        return ["ALC-67", "ALC-68"]
    if now.phase == "draw":
        return [] if move.kind in ("draw", "stay") else ["ALC-57", "ALC-15"]
    if now.phase in ("thief", "necromancer"):
        cards = now.hand if now.phase == "thief" else now.advantages
        if move.kind == "discard" and move.card in cards:
            return []
        return ["ALC-64", "ALC-9", "ALC-57"] if now.phase == "thief" else ["ALC-59"]
    if move.kind == "end":
        return []
    if move.kind in ("draw", "stay", "discard"):
        return ["ALC-15", "ALC-57", "ALC-64", "ALC-59"]
    broken: list[str] = []
    own = [card for card in (move.card, *move.cards) if card]
    if not set(own) <= set(now.hand):
        broken += ["ALC-19", "ALC-25", "ALC-28", "ALC-30", "ALC-31", "ALC-54"]
    if len(set(own)) < len(own):
        broken += ["ALC-30", "ALC-31", "ALC-20"]
    if move.kind == "defend":
        broken += defend_faults(table, move.places[0], move.cards)
    elif move.kind == "repair":
        broken += repair_faults(table, move.card)
    elif move.kind == "trade":
        broken += trade_faults(table)
    else:
        broken += special_faults(table, move)
    kind = move.kind if move.kind in ("defend", "repair", "trade") else "special"
    if kind != "trade" and used_up(table, kind):
        broken += ["ALC-17", "ALC-Q8"]
    if table.options["necromancer_blocks"] == "all_uses" and table.necromancers():
        if any(is_special(card) for card in own):
            broken += ["ALC-60", "ALC-Q26"]
    return broken


def used_up(table: Table, kind: str) -> bool:
    """Q8: whether the number of actions forbids another of this kind."""
    limit = table.options["actions_per_turn"]
    if limit.isdecimal():
        return len(table.now.done) >= int(limit)
    return limit == "one_of_each" and kind in table.now.done


def defend_faults(table: Table, place: str, cards: Sequence[str]) -> list[str]:
    now = table.now
    enemy = now.at(place)
    if not is_up(enemy):
        return ["ALC-19", "ALC-Q11", "ALC-11", "ALC-12", "ALC-8"]
    broken = []
    if any(card[0] == "A" for card in cards):
        broken += ["ALC-66c"]
    if not table.has_advantage("A"):
        if len({is_red(card) for card in cards}) > 1 or not all(opposite(card, enemy) for card in cards):
            broken += ["ALC-19"]
    cost = table.effective(place) + place.endswith("rear")
    values = [home_value(card) + table.has_advantage("K") for card in cards if card[0] != "A"]
    if sum(values) < cost:
        broken += ["ALC-20", "ALC-22", "ALC-63", "ALC-63b"]
    elif table.options["overpay"] == "minimal" and sum(values) - min(values) >= cost:
        broken += ["ALC-Q12", "ALC-20"]
    if protected(table, place):
        broken += ["ALC-58"]
    return broken


def protected(table: Table, place: str) -> bool:
    """ALC-58: the Traitor's highest front of the other colour (Q33)."""
    now = table.now
    army, rank = place.split(".")
    if not table.top_is("J") or rank == "rear" or not opposite(now.at(place), now.tower[0]):
        return False
    value = table.effective(place)
    others = [
        table.effective(f"{other}.front")
        for other, (front, _) in now.lanes.items()
        if other != army and is_up(front) and opposite(front, now.tower[0])
    ]
    if table.options["traitor_ties"] == "all":
        return not any(other > value for other in others)
    return not any(other >= value for other in others)


def repair_faults(table: Table, card: str) -> list[str]:
    top = table.now.tower[0]
    revive = table.has_advantage("Q")
    broken = []
    if opposite(card, top):
        broken += ["ALC-25", "ALC-51"]
    fitting = {1}
    if revive:  # ALC-Q16
        fitting = {2} if table.options["revive_range"] == "exactly_2" else {1, 2}
    if abs(home_value(card) - home_value(top)) not in fitting:
        broken += ["ALC-25", "ALC-50", "ALC-66b"]
    if len(table.now.tower) >= table.tower_limit():
        broken += ["ALC-27", "ALC-52"]
    if is_special(card) and table.options["special_repair"] == "none":
        broken += ["ALC-Q15", "ALC-25", "ALC-66b"]
    return broken


def trade_faults(table: Table) -> list[str]:
    now = table.now
    if not table.has_advantage("J"):
        return ["ALC-54"]
    if now.traded and table.options["trade_limit"] == "1":
        return ["ALC-54", "ALC-Q21"]
    return [] if now.deck else ["ALC-54", "ALC-Q21", "ALC-Q43b"]


def special_faults(table: Table, move: Move) -> list[str]:
    """ALC-28 to 33, 43 to 47, 60."""
    now = table.now
    if not is_special(move.card):
        return ["ALC-28", "ALC-43", "ALC-44", "ALC-45", "ALC-46"]
    broken = []
    pay = move.cards[0]
    if table.necromancers():
        broken += ["ALC-60"]
    if move.kind == "advantage":
        if pay[1] != move.card[1]:
            broken += ["ALC-31"]
        return broken + advantage_faults(table, move)
    if PLAY_OF[move.kind] != move.card[0]:
        broken += ["ALC-42", "ALC-43", "ALC-44", "ALC-45", "ALC-46"]
    if opposite(pay, move.card):
        broken += ["ALC-30"]
    if move.kind == "missile" and not is_up(now.at(move.places[0])):
        broken += ["ALC-43"]
    if move.kind == "swap" and (
        len(set(move.places)) < 2 or not all(is_up(now.at(place)) for place in move.places)
    ):
        broken += ["ALC-44"]
    if move.kind == "reinforce" and move.taking not in [*now.discard, pay]:
        broken += ["ALC-46"]
    return broken


def advantage_faults(table: Table, move: Move) -> list[str]:
    now = table.now
    left = list(now.advantages)
    broken = []
    if move.replacing:
        if move.replacing not in left or not table.options["advantage_replace"]:
            return ["ALC-32", "ALC-Q19"]
        left.remove(move.replacing)
    if len(left) >= 2:
        broken += ["ALC-32"]
    if any(card[0] == move.card[0] for card in left):
        broken += ["ALC-33"]
    return broken


def position_faults(table: Table) -> list[str]:
    """List the clauses that a position breaks as it stands."""
    now, broken = table.now, []
    cards = now.everything()
    most = {card: 2 if card == "*" else 1 for card in cards}
    if any(cards.count(card) > most[card] for card in most):
        broken += ["ALC-2"]
    if "*" in cards and not table.options["havoc"]:
        broken += ["ALC-2", "ALC-70"]
    running = now.phase != "over"
    if running and not now.tower:
        broken += ["ALC-68"]
    stalled = now.still >= 2 or now.round >= table.options["round_cap"]  # ALC-Q40
    if now.winner == "loss" and now.tower and not stalled:
        broken += ["ALC-68"]
    if now.winner == "player" and not now.tower:
        broken += ["ALC-67", "ALC-68"]
    if len(now.tower) > table.tower_limit():
        broken += ["ALC-5", "ALC-52"]
    if running and now.phase not in ("thief", "necromancer") and len(now.hand) > table.hand_limit():
        broken += ["ALC-9", "ALC-64", "ALC-57"]
    if len(now.advantages) > 2:
        broken += ["ALC-32"]
    if len({card[0] for card in now.advantages}) < len(now.advantages):
        broken += ["ALC-33"]
    if not all(is_special(card) for card in now.advantages if card != "*"):
        broken += ["ALC-28"]
    if "*" in now.hand:
        broken += ["ALC-73", "ALC-70"]
    if now.tower[:1] == ["*"]:
        broken += ["ALC-72", "ALC-70"]
    if "*" in [now.at(place) for place in now.face_up()]:
        broken += ["ALC-71", "ALC-70"]
    if any(is_down(front) and is_up(rear) for front, rear in now.lanes.values()):
        broken += ["ALC-12"]
    if len(now.borrowed) > len(set(now.borrowed)) or not set(now.borrowed) <= set(now.hand):
        broken += ["ALC-46"]
    if len(now.hand) > 7:
        broken += ["ALC-9"]
    if running and now.phase != "necromancer" and now.advantages and table.necromancers():
        broken += ["ALC-59"]
    if "*" in now.discard:
        broken += ["ALC-70"]
    if running and now.still > 1:
        broken += ["ALC-68", "ALC-Q40"]
    if now.phase == "draw":
        broken += offer_faults(table)
    if now.phase in ("thief", "necromancer"):
        broken += resume_faults(table)
    return broken


def offer_faults(table: Table) -> list[str]:
    """List the clauses by which no second card is on offer (ALC-57, 16, 74)."""
    now, broken = table.now, []
    if not table.bard() or not now.deck or len(now.hand) >= table.hand_limit():
        broken += ["ALC-57", "ALC-65", "ALC-Q43b"]
    if len(now.hand) < 3:
        broken += ["ALC-16", "ALC-Q9"]
    if table.options["endless_night"]:
        broken += ["ALC-74"]
    return broken


def resume_faults(table: Table) -> list[str]:
    """List the clauses by which an interrupted step cannot go on where the position says."""
    now = table.now
    word, _, place = now.resume.partition(" ")
    if place.endswith(".rear") and now.at(place) != VACANT:
        return ["ALC-13", "ALC-14"]
    if word == "setup":
        closed = [is_down(now.lanes[army][0]) for army in ARMIES]
        if now.round != 1 or closed != [number >= ARMIES.index(place) for number in range(len(ARMIES))]:
            return ["ALC-8"]
    return []
