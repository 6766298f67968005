"""Describe what a seat saw happen between two positions."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.games.card_cassonne import areas
from bartizan.games.card_cassonne.state import Phase, State
from bartizan.games.card_cassonne.words.names import SEATS, area_name, counted, seat_name


def events(before: State, after: State, seat: int) -> list[str]:
    """Return sentences about what changed, in the order of the turn."""
    mover = before.to_move
    sentences = _completed(before, after, mover, seat)
    sentences += _scored(before, after, mover, seat)
    sentences += _drawn(before, after, mover, seat)
    sentences += _passed(before, after, mover, seat)
    if after.phase == Phase.OVER:
        sentences.append("The game is over.")
    return sentences


def _completed(before: State, after: State, mover: int, seat: int) -> list[str]:
    points = after.players[mover - 1].from_completing - before.players[mover - 1].from_completing
    if not points:
        return []
    count = points // after.options.complete_bonus
    what = "an area" if count == 1 else f"{count} areas"
    return [f"{_gets(mover, seat)} {counted(points, 'point')} for completing {what}."]


def _scored(before: State, after: State, mover: int, seat: int) -> list[str]:
    """Say which areas were scored and who got points."""
    gone: dict[int, list[int]] = {}  # tokens that went home, by area
    for number in range(before.laid):
        if before.token[number] and not after.token[number]:
            gone.setdefault(after.area[number], []).append(before.token[number])
    sentences = []
    explained = dict.fromkeys(range(1, after.seats + 1), 0)
    for area, owners in gone.items():
        worth = areas.worth_of(after.size[area])
        for owner in owners:
            explained[owner] += worth
        gains = [f"{worth * owners.count(owner)} for {seat_name(owner, seat)}" for owner in sorted({*owners})]
        sentences.append(f"Scored: {area_name(after, area)}, {', '.join(gains)}.")
    more = after.players[mover - 1].from_areas - before.players[mover - 1].from_areas - explained[mover]
    if more:  # a token that was placed, scored and came back at once (CC-30)
        area = after.area[before.last]
        sentences.append(f"Scored: {area_name(after, area)}, {more} for {seat_name(mover, seat)}.")
    return sentences


def _drawn(before: State, after: State, mover: int, seat: int) -> list[str]:
    if after.deck.count == before.deck.count:
        return []
    if mover != seat:
        return [f"{SEATS[mover - 1]} draws a card."]
    had = before.players[seat - 1].hand.listed()
    has = after.players[seat - 1].hand.listed()
    if after.laid > before.laid:
        had.remove(after.face[before.laid])
    for face in had:
        has.remove(face)
    return [f"You draw the {POKER.name(face)}." for face in has]


def _passed(before: State, after: State, mover: int, seat: int) -> list[str]:
    """Say who was skipped (CC-34)."""
    if after.to_move in (0, mover) and after.phase != Phase.PLAY:
        return []
    sentences = []
    other = mover % after.seats + 1
    while after.to_move and other != after.to_move and after.phase == Phase.PLAY:
        if after.players[other - 1].hand.count:
            who = (
                "You can't play a card and are"
                if other == seat
                else f"{SEATS[other - 1]} can't play a card and is"
            )
            sentences.append(f"{who} skipped.")
        other = other % after.seats + 1
    return sentences


def _gets(mover: int, seat: int) -> str:
    return "You get" if mover == seat else f"{SEATS[mover - 1]} gets"
