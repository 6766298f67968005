"""Rate the actions of Card-cassonne: what each one is worth.

Everything here reads only what the mover knows: the layout, the tokens, the supplies and the own hand.

The guiding thought is the text's own leave to score one area again and again (CC-31): a card that
joins the largest free area that is partially complete takes a token and scores twice its size at
once, every turn.  So growing such an area and keeping it dense comes first, and the token that
comes home the same turn is spent at once.
"""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.levels import Tuning
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import (
    NO_AREA,
    area_at,
    area_beside,
    balance,
    shared_beside,
    worth_of,
)
from bartizan.games.card_cassonne.cells import beside, is_empty, is_face_card, suit_of
from bartizan.games.card_cassonne.keys import action_of, key_of
from bartizan.games.card_cassonne.options import RescoreGrowth
from bartizan.games.card_cassonne.rules import FACE_POINTS
from bartizan.games.card_cassonne.state import ACTIONS, State

__all__ = ["TUNING", "action_of", "evaluate", "key_of", "action_score"]

TUNING = Tuning(exploration=100, horizon=10, patience=32, sample=16)

# What things are worth, in hundredths of a point.
POINT = 100
GROWTH = 150  # each card of a free area that the mover can use again
DENSITY = 25  # each empty place more than the area has cards
WALL = 12  # each card of a free area that a card of another suit hems in
SPENT = 250  # a token that lies waiting
LAST_TOKENS = 2  # so many are kept for areas that score at once


@rule
def score_play(s: State, slot: int, cell: int) -> int:
    """Value a card at a cell by the area that it makes and by what it does to the others beside it."""
    suit = suit_of(s.players[s.to_move - 1].hand.cards[slot])
    size, spaces, tokens, ahead, worth = 1, 0, 0, 0, 0
    for direction in range(4):
        if is_empty(s, beside(cell, direction)):
            spaces += 1
    for direction in range(4):
        area = area_beside(s, cell, direction)
        if area == NO_AREA:
            continue
        if suit_of(s.face[area]) == suit:
            size += s.size[area]
            spaces += s.spaces[area] - 1 - shared_beside(s, area, cell)
            tokens += s.tokens[area]
            ahead += balance(s, area)
        elif s.spaces[area] == 1:
            worth += POINT * (s.options.complete_bonus + balance(s, area) * worth_of(s.size[area]))
        elif s.tokens[area] == 0:
            worth -= WALL * s.size[area]
        else:
            worth += WALL * balance(s, area)
    return worth + new_area_value(s, size, larger(spaces, 0), tokens, ahead)


@rule
def new_area_value(s: State, size: int, spaces: int, tokens: int, ahead: int) -> int:
    """Value the area that a card makes: what it scores now, and what it promises."""
    complete = POINT * s.options.complete_bonus if spaces == 0 else 0
    scores = spaces <= size
    if tokens > 0:
        return complete + (POINT * worth_of(size) if scores else GROWTH) * ahead
    if s.players[s.to_move - 1].supply == 0:
        return complete
    promise = GROWTH * size + DENSITY * smaller(size - spaces, 0) if spaces > 0 else 0
    return complete + promise + (POINT * worth_of(size) if scores else 0)


@rule
def score_token(s: State) -> int:
    """Value a token on the card just played; none is worth 0."""
    area = s.area[s.last]
    open_places = s.spaces[area] - s.size[area]
    gain = POINT * worth_of(s.size[area])
    waits = s.options.rescore_growth == RescoreGrowth.TOKEN_WAITS_A_TURN or not s.options.token_before_score
    if open_places <= 0 and not waits:
        return gain
    player = s.players[s.to_move - 1]
    if s.deck.count == 0 and player.hand.count < LAST_TOKENS:
        return POINT * FACE_POINTS if is_face_card(s.face[s.last]) else 0
    if open_places <= 0:
        return gain
    return gain // (1 + open_places) - (SPENT if player.supply > LAST_TOKENS else 4 * SPENT)


@rule
def score_score(s: State, cell: int) -> int:
    """Value scoring an area: what the mover gets more than the others."""
    area = area_at(s, cell)
    return POINT * balance(s, area) * worth_of(s.size[area])


# In hundredths of a point; that no more is scored comes before an area that brings nothing.
@rule
def score_done(s: State) -> int:
    """Value scoring no more: better than an area that is worth nothing."""
    return 1


action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)


# --- For searches ------------------------------------------------------------

SCORED_SOON = 60  # hundredths of what an own area would score, that it is worth while it waits
EVEN = 200 * POINT  # a lead of so much is worth half a win


@rule
def standing(s: State, seat: int) -> int:
    """Return what a seat has and may hope for, in hundredths of a point."""
    total = POINT * s.players[seat - 1].score + SPENT * s.players[seat - 1].supply
    for card in range(s.laid):
        if s.token[card] == seat:
            area = s.area[card]
            share = SCORED_SOON if s.spaces[area] <= s.size[area] else SCORED_SOON // 3
            total += share * worth_of(s.size[area])
    return total


@rule
def evaluate(s: State, seat: int) -> float:
    """Return what an unfinished game is worth to a seat, from -1 to 1: its lead over the best other."""
    best = -(1 << 30)
    for other in range(1, s.seats + 1):
        if other != seat:
            best = larger(best, standing(s, other))
    ahead = standing(s, seat) - best
    return ahead / (abs(ahead) + float(EVEN))
