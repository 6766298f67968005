"""Say what is wrong with a written position of Card Barrage (part of the second implementation)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.card_barrage.reference_board import (
    NOTHING,
    PHASES,
    UNTOLD,
    WILD,
    Position,
    Table,
    is_card,
    named_cards,
    read_position,
    value_of,
)
from tests.card_barrage.reference_rules import finish

Fault = tuple[str, str]  # the clause, or nothing where the form is broken, and a sentence

FLAGS = ("built", "upgraded", "attacked", "ending")
KEYS = {
    *("to_move", "active", "first", "round", "phase", *FLAGS, "stormed", "gives", "scored", "open"),
    *("players", "winner", "rest", "aside"),
}
PILES = ("hand", "pile", "deck", "discard")
PLAYER_KEYS = {*PILES, "walls", "moved", "lost", "castle", "points", "side"}


def position_faults(given: Mapping[str, Any], table: Table) -> list[Fault]:
    """List everything that is wrong with a written position."""
    faults = [*form_faults(given, table), *player_form_faults(given, table)]
    if faults:
        return faults
    position = read_position(given, table)
    return [
        *card_faults(given, table),
        *wall_faults(position),
        *turn_faults(position),
        *first_wall_faults(position),
        *end_faults(position),
        *attack_faults(position),
        *phase_faults(position),
        *throw_faults(position),
        *solo_faults(position),
    ]


def each(sentence: str, *clauses: str) -> list[Fault]:
    """Name a fault under each clause that somebody may find broken."""
    return [(clause, sentence) for clause in clauses]


def is_whole(value: Any, low: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= low


def form_faults(given: Mapping[str, Any], table: Table) -> list[Fault]:
    """List what keeps a position from being read at all."""
    faults = each(f"no key {[key for key in given if key not in KEYS]}", *[""] * (not given.keys() <= KEYS))
    seats, sides = range(1, table.seats + 1), range(1, table.sides + 1)
    if given.get("phase", "turn") not in PHASES:
        faults += each(f"phase is one of {PHASES}", "")
    if given.get("to_move", 1) not in range(table.seats + 1):
        faults += each("to_move is a seat", "CB-1", "CB-6", "CB-9")
    for key in ("active", "first"):
        if given.get(key, 1) not in seats:
            faults += each(f"{key} is a seat", "CB-1", "CB-6", "CB-9", "CB-14")
    if any(seat not in seats for seat in given.get("gives", [])):
        faults += each("gives are seats", "CB-1", "CB-6", "CB-38")
    if any(side not in sides for side in given.get("stormed", [])):
        faults += each("stormed are sides", "CB-6", "CB-22", "CB-5")
    if not all(isinstance(given.get(key, False), bool) for key in FLAGS):
        faults += each("flags are true or false", "")
    if not is_whole(given.get("round", 1), 1):
        faults += each("round counts from 1", "CB-23", "CB-Q33")
    for place, card in given.get("open", {}).items():
        if not re.fullmatch(r"\d\.\d", place) or not is_card(card):
            faults += each(f"open {place} = {card}", "")
        elif int(place[0]) not in seats or not 1 <= int(place[2]) <= table.walls:
            faults += each(f"there is no wall {place}", "CB-9", "CB-11", "CB-42")
    if not all(is_card(card) for card in given.get("scored", [])):
        faults += each("scored are cards", "", "CB-2", "CB-9")
    if len(given.get("scored", [])) > 2:
        faults += each("a throw scores two cards", "CB-37", "CB-40")
    return faults


def player_form_faults(given: Mapping[str, Any], table: Table) -> list[Fault]:
    players = given.get("players", [])
    if "players" in given and len(players) != table.seats:
        return each(f"{len(players)} castles for {table.people}", "CB-6", "CB-9", "CB-1", "CB-Q4", "CB-Q13")
    faults: list[Fault] = []
    for seat, player in enumerate(players, 1):
        if not player.keys() <= PLAYER_KEYS:
            faults += each(f"seat {seat} has unknown keys", "")
        misplaced = [
            key
            for key in ("deck", "discard", "points", "pile")
            if key in player and not table.starts_pile(key, seat)
        ]
        if misplaced:
            faults += each(f"{misplaced} of seat {seat} stand with its side's lowest", "", "CB-10", "CB-24")
        walls = player.get("walls", [NOTHING] * table.walls)
        if len(walls) != table.walls:
            faults += each(f"seat {seat} has {len(walls)} slots", "CB-11")
        cards = [card for key in PILES for card in player.get(key, [])]
        cards += [card for card in walls if card != NOTHING]
        if any(card == WILD for card in cards):
            faults += each(f"a wild card of seat {seat} is no castle", "CB-9", "CB-2", "CB-7", "CB-Q3")
        faults += untold_faults(player, table, seat)
        if not all(is_card(card) for card in cards if card not in (WILD, *[UNTOLD] * table.untold)):
            faults += each(f"seat {seat} has what is no card", "")
        castle = player.get("castle", WILD)
        if table.untold and castle not in (WILD, UNTOLD):
            faults += each(f"castle {castle} of seat {seat} is told", "CB-41", "CB-9")
        elif castle not in (WILD, *[UNTOLD] * table.untold) and not (
            is_card(castle) and value_of(castle) == 1
        ):
            faults += each(f"{castle} is no castle", "CB-9", "CB-Q3")
        for key in ("moved", "lost"):
            if any(slot not in range(1, table.walls + 1) for slot in player.get(key, [])):
                faults += each(f"{key} of seat {seat} are slots", "CB-11")
        if not is_whole(player.get("points", 0)):
            faults += each(f"points of seat {seat} are a number", "CB-5", "CB-34")
    return faults


def untold_faults(player: Mapping[str, Any], table: Table, seat: int) -> list[Fault]:
    """CB-41: real cards in hands and decks are not told, those in sight are."""
    if not table.untold:
        return []
    hidden = [card for key in ("hand", "deck", "discard") for card in player.get(key, [])]
    told = any(card != UNTOLD for card in hidden)
    shown = [*player.get("walls", []), *player.get("pile", [])]
    if told or UNTOLD in shown:
        return each(f"seat {seat} tells what is hidden, or hides what is in sight", "CB-41")
    return []


def card_faults(given: Mapping[str, Any], table: Table) -> list[Fault]:
    """CB-2, CB-7: each card as often as there are decks."""
    named = Counter(card for card in named_cards(given) if card != UNTOLD)
    over = sorted(named - Counter(table.cards))
    over += [UNTOLD] * (len(named_cards(given)) - named[WILD] > 52 * table.decks)
    return each(f"too many {over}", "CB-2", "CB-7", "CB-9", "CB-10", "CB-Q1") if over else []


def wall_faults(now: Position) -> list[Fault]:
    """CB-Q23: only a slot of a perfectly hit wall is lost, and only under the option."""
    faults: list[Fault] = []
    for seat, player in enumerate(now.players, 1):
        if player.lost and now.table.options["perfect_slot"] != "lost":
            faults += each(f"seat {seat} loses no slots", "CB-18", "CB-36", "CB-44", "CB-Q23")
        if not player.lost <= set(player.empty()):
            faults += each(f"a lost slot of seat {seat} has a wall", "CB-18", "CB-36", "CB-44", "CB-Q23")
    return faults


def end_faults(now: Position) -> list[Fault]:
    """CB-22 to CB-24: a game ends by points, by a castle or at the cap, and the score says who has won."""
    if now.phase != "over":
        return [("CB-24", "nobody has won a game that goes on")] if now.winner else []
    options = now.table.options
    if not now.ending and now.round < options["turn_cap"]:
        if all(player.points < options["target"] for player in now.players):
            return each("nobody has the points, and rounds are left", "CB-22", "CB-23", "CB-24")
    ended = now.copy()
    finish(ended)
    return [] if now.winner in ([], ended.winner) else [("CB-24", f"{ended.winner} have won")]


def turn_faults(now: Position) -> list[Fault]:
    """CB-15, CB-18 and whose decision it is."""
    faults: list[Fault] = []
    if now.built and now.attacked:
        faults += each("who has built does not attack", "CB-18", "CB-21", "CB-15")
    if (now.phase == "over") != (now.to_move == 0):
        faults += each("nobody is to move, and only then, when it is over", "CB-15", "CB-22", "CB-23", "CB-5")
    if now.phase in ("turn", "effect") and now.to_move != now.active:
        faults += each("it is the acting seat's decision", "CB-15", "CB-23", "CB-40")
    if now.phase == "walls" and not now.table.lays_walls:
        faults += each("walls are dealt", "CB-12", "CB-11", "CB-Q6")
    if now.phase == "reveal" and not now.table.solo:
        faults += each("there is no simulacrum", "CB-45", "CB-46", "CB-6")
    if now.round > now.table.options["turn_cap"]:
        faults += each("the turns are used up", "CB-5", "CB-23", "CB-24", "CB-Q33")
    if now.stormed and not now.table.options["castle_trigger_wins"]:
        faults += each("a storm wins nothing", "CB-5", "CB-22", "CB-Q29", "CB-Q30")
    if now.stormed and (not now.ending or now.table.options["castle_trigger"] == "off"):
        faults += each("a storm ends the game", "CB-5", "CB-22", "CB-Q29", "CB-Q30")
    return faults


def first_wall_faults(now: Position) -> list[Fault]:
    """CB-12, CB-Q6: the walls are laid seat by seat, before anything else; real ones from left to right."""
    if now.phase != "walls":
        return []
    faults: list[Fault] = []
    if now.built or now.upgraded or now.attacked:
        faults += each("no turn has begun", "CB-12", "CB-15")
    if not now.table.lays_walls:
        return faults
    missing: Counter[int] = Counter()
    for seat, player in enumerate(now.players, 1):
        if now.table.is_simulacrum(seat) and not now.table.untold:
            continue
        done, begun = not player.empty(), bool(player.standing())
        if done != (seat < now.to_move) or (begun and seat > now.to_move):
            faults += each(f"the walls of seat {seat} are not laid in order", "CB-11", "CB-12", "CB-Q6")
        if now.table.untold and player.standing() != list(range(1, len(player.standing()) + 1)):
            faults += each(f"the walls of seat {seat} have a gap", "CB-12", "CB-Q6")
        if player.lost:
            faults += each(f"seat {seat} cannot have lost a slot", "CB-12", "CB-36", "CB-44", "CB-Q23")
        chooses = now.table.options["wall_setup"] == "chosen_from_9" and not now.table.is_simulacrum(seat)
        if chooses and len(player.hand) < len(player.empty()):
            faults += each(f"seat {seat} has too few cards to lay", "CB-12", "CB-13", "CB-Q6")
        missing[now.table.side(seat)] += 0 if chooses else len(player.empty())
    for side, cards in missing.items():
        if cards > len(now.at(side).deck) + len(now.at(side).discard):
            faults += each(f"side {side} has too few cards to lay", "CB-10", "CB-12", "CB-Q6")
    return faults


def attack_faults(now: Position) -> list[Fault]:
    """CB-38, CB-42: gifts and destroyed walls are the defenders'."""
    faults: list[Fault] = []
    enemies = now.table.enemies(now.active)
    if not now.gives <= set(enemies):
        faults += each("only defenders give", "CB-38")
    if now.phase == "give" and (not now.gives or now.to_move != min(now.gives)):
        faults += each("the lowest seat that owes a card gives", "CB-38", "CB-15")
    if any(not now.at(seat).hand and not gives_off_deck(now, seat) for seat in now.gives):
        faults += each("who gives has a card", "CB-38", "CB-Q19")
    for seat, slot in now.open:
        if seat not in enemies or now.at(seat).wall(slot) != NOTHING:
            faults += each(f"{seat}.{slot} is no destroyed wall", "CB-42", "CB-35", "CB-43")
    if now.phase == "replace" and (not now.open or now.to_move != min(now.open)[0]):
        faults += each("the lowest seat with a destroyed wall replaces", "CB-42", "CB-15")
    pile = now.score_of(now.active).pile
    if Counter([*now.scored, *now.open.values()]) - Counter(pile) - Counter(now.scored):
        faults += each("destroyed walls are in the attacker's pile", "CB-35", "CB-42")
    if Counter(now.scored) - Counter(pile):
        faults += each("what was scored is in the pile", "CB-35", "CB-40")
    return faults


AFTER_A_THROW = ("give", "effect", "discard", "replace")


def phase_faults(now: Position) -> list[Fault]:
    """CB-15, CB-Q21: each step after an attack has its own things to settle, and no other step has any."""
    faults: list[Fault] = []
    if now.phase in AFTER_A_THROW and not now.attacked and not now.table.is_simulacrum(now.active):
        faults += each(f"{now.phase} without an attack", "CB-15", "CB-21")
    wrong = {
        "gives": bool(now.gives) and now.phase != "give",
        "scored": bool(now.scored) and now.phase not in ("give", "effect"),
        "open": bool(now.open) and now.phase not in AFTER_A_THROW,
    }
    clauses = {"gives": "CB-38", "scored": "CB-40", "open": "CB-42"}
    for key, is_wrong in wrong.items():
        faults += each(f"{key} in phase {now.phase}", *["CB-15", clauses[key]] * is_wrong)
    if now.phase == "effect" and len(now.score_of(now.active).pile) % 3 >= len(now.scored):
        faults += each("no third card was scored", "CB-40", "CB-Q27")
    mate = now.to_move in now.table.seats_of(now.table.side(now.active))
    if now.phase == "discard" and mate and now.to_move != now.active:
        faults += each("no effect makes a mate discard", "CB-40", "CB-54", "CB-Q27")
    if now.phase == "discard" and not now.at(now.to_move).hand:
        faults += each("who discards has a card", "CB-40", "CB-50", "CB-Q27")
    return faults


def throw_faults(now: Position) -> list[Fault]:
    """CB-37, CB-Q37: a throw hits two targets at most, the simulacrum's card one."""
    faults: list[Fault] = []
    simulacrum = now.table.is_simulacrum(now.active)
    if len(now.gives) + max(len(now.scored), len(now.open)) > (1 if simulacrum else 2):
        faults += each("too many targets", "CB-46" if simulacrum else "CB-37")
    if Counter(now.open.values()) - Counter(now.score_of(now.active).pile):
        faults += each("a destroyed wall is scored", "CB-35", "CB-42")
    if now.phase in ("give", "effect") and Counter(now.open.values()) - Counter(now.scored):
        faults += each("a destroyed wall has just been scored", "CB-35", "CB-40", "CB-42")
    if any(slot in now.at(seat).lost for seat, slot in now.open):
        faults += each("a lost slot is not replaced", "CB-36", "CB-42", "CB-44", "CB-Q23")
    owed = Counter(now.table.side(seat) for seat in now.gives if not now.at(seat).hand)
    if any(cards > len(now.at(side).deck) + len(now.at(side).discard) for side, cards in owed.items()):
        faults += each("a side owes more cards than it has", "CB-38", "CB-Q19")
    return faults


def gives_off_deck(now: Position, seat: int) -> bool:
    """CB-Q19, CB-Q39: a real card off the deck is asked for."""
    pile, options = now.deck_of(seat), now.table.options
    asked = now.table.is_simulacrum(seat) or options["castle_hit_empty"] == "deck_card"
    return now.table.untold and asked and bool(pile.deck or pile.discard)


def solo_faults(now: Position) -> list[Fault]:
    """CB-45, CB-46, CB-Q35: the simulacrum has no hand, and its turn is the card turned up."""
    if not now.table.solo:
        return []
    faults: list[Fault] = []
    if now.at(2).hand:
        faults += each("the simulacrum has no hand", "CB-13", "CB-45", "CB-46", "CB-47", "CB-Q35")
    shows = now.table.untold and now.phase in ("walls", "give", "replace")
    if now.to_move == 2 and not shows:
        faults += each("the person plays for the simulacrum", "CB-45", "CB-46", "CB-Q35")
    wrong = {1: ("reveal",), 2: ("turn", "effect", "discard", "walls")}[now.active]
    if now.phase in wrong and now.phase != "walls":
        faults += each(f"no {now.phase} in seat {now.active}'s turn", "CB-45", "CB-46", "CB-15", "CB-Q35")
    return faults
