"""Describe what a seat saw happen between two positions."""

from __future__ import annotations

from collections import Counter

from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Motion
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import DRAWN, SUITS, Phase, Standing, State
from bartizan.games.tower.visibility import UNSEEN
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import (
    cards,
    face_name,
    level_name,
    seat_name,
    slot_id,
)


def events(before: State, after: State, seat: int) -> list[str]:
    """Return sentences about towers, attacks without effect, cards drawn and the turn."""
    sentences = []
    for number in range(1, before.seats + 1):
        sentences += _tower(before, after, number)
    sentences += _fizzled(before, after)
    sentences += _drawn(before, after, seat)
    if after.generation > before.generation:
        sentences.append("The discard pile and the Rubble are shuffled into a new draw pile.")
    sentences += _turn(before, after)
    return sentences


def _tower(before: State, after: State, number: int) -> list[str]:
    was, now = before.players[number - 1], after.players[number - 1]
    who = seat_name(number)
    if was.standing == Standing.BUILDING and now.standing != Standing.BUILDING:
        levels = sum(now.tower[level] != EMPTY for level in range(SUITS))
        return [f"{who} lays a tower with {levels} level{'' if levels == 1 else 's'}."]
    sentences = []
    for level in range(SUITS):
        if was.tower[level] != EMPTY and now.tower[level] == EMPTY:
            sentences.append(f"{who}'s {level_name(level)} is destroyed.")
        elif now.damaged[level] and not was.damaged[level]:
            sentences.append(f"{who}'s {level_name(level)} is damaged.")
        elif was.damaged[level] and not now.damaged[level] and now.tower[level] != EMPTY:
            sentences.append(f"{who}'s {level_name(level)} is repaired.")
        elif was.tower[level] == EMPTY and now.tower[level] != EMPTY:
            sentences.append(f"{who}'s {level_name(level)} is rebuilt.")
    if was.standing == Standing.DEFENDING and now.standing == Standing.OUT:
        sentences.append(f"{who} is out.")
    return sentences


def _flying(state: State) -> Counter[tuple[int, int, int]]:
    return Counter((attack.sender, attack.target, attack.face) for attack in state.attacks[: state.flying])


def _fizzled(before: State, after: State) -> list[str]:
    """Describe attacks that arrived without effect; hits and deflections have their own sentences."""
    if not before.flying:
        return []
    gone = (_flying(before) - _flying(after)).elements()
    arriving = [each for each in gone if each[0] == after.active]
    if not arriving:
        return []
    if before.phase in (Phase.ARRIVAL, Phase.DEFEND) or after.active != before.active:
        hits = _count_hits(before, after)
        return [
            f"{seat_name(sender)}'s {face_name(face)} has no effect and goes to the Rubble."
            for sender, _, face in arriving[hits:]
        ]
    return []


def _count_hits(before: State, after: State) -> int:
    """Return how many attacks the move itself resolved, by a hit or a deflection."""
    harmed = sum(
        bool(was.damaged[level] != now.damaged[level] or was.tower[level] != now.tower[level])
        for was, now in zip(before.players, after.players, strict=True)
        for level in range(SUITS)
    )
    if before.phase == Phase.ARRIVAL:
        return harmed
    held = before.players[before.to_move - 1].hand.count if before.phase == Phase.DEFEND else 0
    now = after.players[before.to_move - 1].hand.count if before.phase == Phase.DEFEND else 0
    return int(now < held)


def _drawn(before: State, after: State, seat: int) -> list[str]:
    """Say which cards the viewer got and others took openly, and how many they got without making a move."""
    sentences = []
    for number in range(1, before.seats + 1):
        was, now = before.players[number - 1].hand.listed(), after.players[number - 1].hand.listed()
        if was == now:
            continue
        new = Counter(now) - Counter(was)
        names = [f"the {JANKEN.name(card)}" for card in new.elements() if card != UNSEEN]
        if names:
            who = "You get" if number == seat else f"{seat_name(number)} takes"
            sentences.append(f"{who} {' and '.join(names)}.")
        elif new[UNSEEN] and number != before.to_move:
            sentences.append(f"{seat_name(number)} gets {cards(new[UNSEEN])}.")
    return sentences


def _turn(before: State, after: State) -> list[str]:
    if after.phase == Phase.OVER and before.phase != Phase.OVER:
        if after.winner == DRAWN:
            return ["No one wins."]
        return [f"{seat_name(after.winner)} wins."]
    if after.waiting and not before.waiting:
        return [f"{seat_name(after.active)} gets an extra turn before the attacks arrive."]
    if after.active != before.active:
        return [f"{seat_name(after.active)}'s turn."]
    return []


def motions(before: State, after: State, seat: int) -> list[Motion]:
    """Return what arriving attacks did: each strikes a level, which shakes or falls; the rest fall."""
    if not before.flying:
        return []
    left = _flying(after)
    gone = []
    for number in range(before.flying):
        attack = before.attacks[number]
        key = (attack.sender, attack.target, attack.face)
        if left[key]:
            left[key] -= 1
        else:
            gone.append(number)
    if not gone:
        return []
    tokens = Look(before)
    harmed = _harmed(before, after)
    told: list[Motion] = []
    for number in gone:
        target = before.attacks[number].target
        level = next((level for hit, level in harmed if hit == target), None)
        if level is None:
            told.append(Motion(kind="fall", item=tokens.attacks[number]))
            continue
        harmed.remove((target, level))
        stone = tokens.levels[target - 1][level]
        tower = after.players[target - 1].tower
        fallen = tower[level] == EMPTY
        weight = 1 if not fallen else 2 if any(card != EMPTY for card in tower) else 3
        told.append(Motion(kind="strike", item=tokens.attacks[number], goal=slot_id(target, level)))
        told.append(Motion(kind="fall" if fallen else "shake", item=stone, weight=weight))
    return told


def _harmed(before: State, after: State) -> list[tuple[int, int]]:
    """Return the seats and levels that were damaged or destroyed, from the top level down."""
    return [
        (number, level)
        for number in range(1, before.seats + 1)
        for level in range(SUITS - 1, -1, -1)
        if before.players[number - 1].tower[level] != EMPTY
        and (
            after.players[number - 1].tower[level] == EMPTY
            or after.players[number - 1].damaged[level] > before.players[number - 1].damaged[level]
        )
    ]
