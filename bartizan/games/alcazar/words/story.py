"""Describe what the player saw happen between two positions."""

from __future__ import annotations

from msgspec.structs import replace

from bartizan.engine.cards import POKER
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Motion
from bartizan.games.alcazar.state import PLACES, Phase, State
from bartizan.games.alcazar.visibility import UNSEEN
from bartizan.games.alcazar.words.names import (
    ENEMY_NAMES,
    PLACE_NAMES,
    TOWER_NAMES,
    phrase,
    place_words,
    rank_of,
    token,
    upper,
)


def events(before: State, after: State, seat: int) -> list[str]:
    """Return sentences about what changed, in the order of the round."""
    sentences = [*_advantages_lost(before, after), *_tower(before, after)]
    if after.round > before.round:
        sentences.append(f"Round {after.round} begins.")
    sentences += _enemies(before, after)
    sentences += _drawn(before, after)
    sentences += _jokers(before, after)
    if (
        after.deck.count > before.deck.count
        and after.discard.count < before.discard.count
        and _shuffled(after)
    ):
        sentences.append("The discard pile is shuffled into the deck.")
    return sentences


def _shuffled(after: State) -> bool:
    """Return whether the deck looks shuffled: the player knows none of its cards."""
    return all(card == UNSEEN for card in after.deck.listed()) and after.deck.count > 4


def _advantages_lost(before: State, after: State) -> list[str]:
    gone = [card for card in before.advantages.listed() if card not in after.advantages.listed()]
    laid = after.advantages.count >= before.advantages.count
    return (
        []
        if not gone or laid or after.phase == Phase.NECROMANCER
        else [f"{upper(phrase(gone))} leaves play."]
    )


def _tower(before: State, after: State) -> list[str]:
    if before.tower.count == 0:
        return []
    old = before.tower.listed()[0]
    if after.tower.count == 0:
        return [f"The {POKER.name(old)} falls. The tower is gone."]
    new = after.tower.listed()[0]
    if old == new:
        return []
    role = f", a {TOWER_NAMES[rank_of(new)]}," if rank_of(new) in TOWER_NAMES else ""
    fallen = "falls" if after.tower.count < before.tower.count else "goes to the bottom"
    return [f"The {POKER.name(old)} on the tower {fallen}. The {POKER.name(new)}{role} is the new top."]


def _enemies(before: State, after: State) -> list[str]:
    sentences = []
    were = {before.enemy[place] for place in range(PLACES) if before.face_up[place]}
    for place in range(PLACES):
        card = after.enemy[place]
        if card == EMPTY:
            continue
        if after.face_up[place] and card not in were:
            role = f", a {ENEMY_NAMES[rank_of(card)]}," if rank_of(card) in ENEMY_NAMES else ""
            sentences.append(f"The {POKER.name(card)}{role} is revealed at the {place_words(place)}.")
        elif after.face_up[place] and before.enemy[place] != card:
            sentences.append(f"The {POKER.name(card)} moves to the {place_words(place)}.")
        elif not after.face_up[place] and (before.enemy[place] == EMPTY or before.face_up[place]):
            sentences.append(f"A new face-down card is placed at the {place_words(place)}.")
    return sentences


def _drawn(before: State, after: State) -> list[str]:
    elsewhere = set(before.hand.listed()) | set(before.discard.listed()) | set(before.advantages.listed())
    drawn = [card for card in after.hand.listed() if card not in elsewhere]
    returned = [
        card
        for card in before.borrowed.listed()
        if card in after.discard.listed() and after.round > before.round
    ]
    sentences = [f"You draw {phrase(drawn)}."] if drawn else []
    if returned:
        sentences.append(f"{upper(phrase(returned))} goes back to the discard pile.")
    return sentences


def _jokers(before: State, after: State) -> list[str]:
    return ["A Joker strikes and leaves the game."] * max(0, after.aside.count - before.aside.count)


def motions(before: State, after: State, seat: int) -> list[Motion]:
    """Return the motions in order: defences, Advantages, the tower, the armies, drawn cards."""
    told = [*_defended(before, after)]
    told += [
        Motion(kind="move", item=token(card))
        for card in before.advantages.listed()
        if card not in after.advantages.listed()
    ]
    if before.tower.count and after.tower.count < before.tower.count and before.tower.listed()[0] != UNSEEN:
        weight = 2 if after.tower.count else 3
        told.append(Motion(kind="fall", item=token(before.tower.listed()[0]), weight=weight))
        if after.tower.count:
            told.append(Motion(kind="turn", item=token(after.tower.listed()[0])))
    told += _advanced(before, after)
    held = before.hand.listed()
    told += [Motion(kind="deal", item=token(card)) for card in after.hand.listed() if card not in held]
    if told and after.passes > before.passes:  # the last card of the night
        told[-1] = replace(told[-1], weight=3)
    return told


def _defended(before: State, after: State) -> list[Motion]:
    """Return the motions of hand cards that beat an enemy: each strikes it, then it falls."""
    if after.round > before.round:
        return []
    discarded = after.discard.listed()
    beaten = [place for place in range(PLACES) if before.enemy[place] in discarded]
    spent = [card for card in before.hand.listed() if card in discarded]
    if len(beaten) != 1 or not spent:
        return []
    [place] = beaten
    strikes = [Motion(kind="strike", item=token(card), goal=PLACE_NAMES[place]) for card in spent]
    return [*strikes, Motion(kind="fall", item=token(before.enemy[place]), weight=1)]


def _advanced(before: State, after: State) -> list[Motion]:
    """Return the armies' motions: cards that leave, advance, are new, then are revealed."""
    were = {before.enemy[place] for place in range(PLACES) if before.face_up[place]}
    left = were - {after.enemy[place] for place in range(PLACES)} - {EMPTY}
    leaves = [Motion(kind="move", item=token(card)) for card in sorted(left)]
    moved: list[Motion] = []
    new: list[Motion] = []
    turned: list[Motion] = []
    for place in range(PLACES):
        card = after.enemy[place]
        if card == EMPTY or (card == before.enemy[place] and after.face_up[place] == before.face_up[place]):
            continue
        if not after.face_up[place]:
            name = f"{PLACE_NAMES[place]}:down" if card == UNSEEN else token(card)
            new.append(Motion(kind="deal", item=name, goal=PLACE_NAMES[place]))
        else:
            motion = Motion(
                kind="move" if card in were else "turn", item=token(card), goal=PLACE_NAMES[place]
            )
            (moved if card in were else turned).append(motion)
    return [*leaves, *moved, *new, *turned]
