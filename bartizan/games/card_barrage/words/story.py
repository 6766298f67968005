"""Describe what a person saw happen between two positions."""

from __future__ import annotations

from collections import Counter

from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Motion
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import CASTLE, SOLO, WALLS, Phase, State
from bartizan.games.card_barrage.words.look import Ids
from bartizan.games.card_barrage.words.names import (
    HIDDEN,
    keeper_name,
    keepers,
    many,
    place_name,
    seat_name,
    side_name,
    spot,
    upper,
)


def events(before: State, after: State, seat: int) -> list[str]:
    """Return sentences about what an attack or a decision changed, in rules order."""
    sentences = [*_revealed(before, after), *_walls(before, after), *_scored(before, after)]
    sentences += [
        f"{upper(side_name(after, side))} shuffles its discard pile."
        for side in range(after.sides)
        if after.shuffles[side] > before.shuffles[side]
    ]
    sentences += _drawn(before, after)
    if after.ending and not before.ending:
        sentences.append("The end is triggered. This is the last round.")
    if after.phase == Phase.OVER:
        sentences.append("The game is over.")
    elif after.round > before.round:
        sentences.append(f"Round {after.round} begins.")
    return sentences


def _revealed(before: State, after: State) -> list[str]:
    """Say which card the simulacrum revealed."""
    if before.phase != Phase.REVEAL or not after.discard[1].count:
        return []
    card = after.discard[1].listed()[0]
    return [f"The simulacrum reveals the {TECH.name(card)}."] if card not in HIDDEN else []


def _walls(before: State, after: State) -> list[str]:
    """Say which walls fell, and which were replaced at once."""
    sentences = []
    for wall in range(after.castles * WALLS):
        old, new = before.wall[wall], after.wall[wall]
        own = table.side_of(after, wall // WALLS) == table.side_of(after, before.active)
        if own or old in (new, EMPTY):  # the move already says who upgrades
            continue
        place = place_name(after, *divmod(wall, WALLS))
        fate = "is scored" if new == EMPTY else f"is scored. The {TECH.name(new)} takes its place"
        sentences.append(f"{upper(place)}, the {TECH.name(old)}, {fate}.")
    for wall in range(after.castles * WALLS):
        if before.open[wall] != EMPTY and after.open[wall] == EMPTY and after.wall[wall] == EMPTY:
            sentences.append(f"{upper(place_name(after, *divmod(wall, WALLS)))} stays empty.")
    return sentences


def _scored(before: State, after: State) -> list[str]:
    sentences = []
    for keeper in keepers(after):
        old, new = before.score[keeper], after.score[keeper]
        who = upper(keeper_name(after, keeper))
        if new.points > old.points:
            sentences.append(f"{who} scores {many(new.points - old.points, 'point')}: {new.points} in total.")
        if new.count // 3 > old.count // 3:
            sentences.append(f"{who} scores card number {new.count // 3 * 3}, a third card.")
    return sentences


def _drawn(before: State, after: State) -> list[str]:
    """Say who drew how many cards when a turn or effect began, and which ones if visible."""
    begins = before.active != after.active or before.round != after.round or before.phase == Phase.WALLS
    drawing = after.phase == Phase.DISCARD and before.phase == Phase.EFFECT and after.to_move == after.active
    if not (begins or drawing):
        return []
    seat = after.active
    old, new = (Counter(each.hand[seat].cards[place] for place in range(each.hand[seat].count))
                for each in (before, after))  # fmt: skip
    number = after.hand[seat].count - before.hand[seat].count
    if number <= 0:
        return []
    drawn = [card for card in (new - old).elements() if card not in HIDDEN]
    named = f": the {' and the '.join(TECH.name(card) for card in drawn)}" if len(drawn) == number else ""
    return [f"{upper(seat_name(after, seat))} draws {many(number, 'card')}{named}."]


def mover_name(observation: State) -> str:
    """Return the seat that decides if there are fewer people than seats; otherwise ``""``."""
    if observation.seats == SOLO or observation.castles == observation.seats:
        return ""
    return upper(seat_name(observation, observation.to_move))


def motions(before: State, after: State, seat: int) -> list[Motion]:
    """Return the motion of the thrown card from its hand to its target, and the walls that fell."""
    side = table.side_of(before, before.active)
    fallen = [
        wall
        for wall in range(before.castles * WALLS)
        if before.wall[wall] != EMPTY
        and after.wall[wall] != before.wall[wall]
        and table.side_of(before, wall // WALLS) != side
    ]
    thrown = before.phase == Phase.TURN and after.attacked > before.attacked
    if not (thrown or fallen):
        return []
    was, now = Ids(before), Ids(after)
    told = []
    if thrown and after.discard[side].count > before.discard[side].count and now.discards[side]:
        goal = spot(*divmod(fallen[0], WALLS)) if fallen else ""
        _, item = now.discards[side][0]
        told.append(Motion(kind="throw", item=item, origin=f"hand:{before.active + 1}", goal=goal))
    return told + [
        Motion(kind="fall", item=was.walls[divmod(wall, WALLS)], weight=3 if wall % WALLS == CASTLE else 1)
        for wall in fallen
    ]
