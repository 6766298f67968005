"""List what a player can do in Card-cassonne, where asking about every card and cell would take too long."""

from __future__ import annotations

from bartizan.engine.clauses import OK
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import cell_of_card
from bartizan.games.card_cassonne.cells import fits, rank_of, suit_of
from bartizan.games.card_cassonne.rules import is_area, is_second_copy, why_no_scoring
from bartizan.games.card_cassonne.state import PLAY, SCORE, State


@rule
def list_play(s: State, out: Array, n: int) -> int:
    """List where each hand card may go (CC-12 to CC-15)."""
    hand = s.players[s.to_move - 1].hand
    for slot in range(hand.count):
        if is_second_copy(s, slot):
            continue
        rank, suit = rank_of(s, hand.cards[slot]), suit_of(hand.cards[slot])
        for place in range(s.frontier):
            if fits(rank, suit, s.low[place], s.high[place], s.suit[place]):
                out[n] = PLAY.id(slot, s.cell[place])
                n += 1
    return n


@rule
def list_score(s: State, out: Array, n: int) -> int:
    """List the areas that the mover may choose to score, each by its corner."""
    first = n
    for number in range(s.laid):
        if s.tokens[number] > 0 and is_area(s, number) and why_no_scoring(s, number) == OK:
            action = SCORE.id(cell_of_card(s, s.corner[number]))
            place = n
            while place > first and out[place - 1] > action:
                out[place] = out[place - 1]
                place -= 1
            out[place] = action
            n += 1
    return n
