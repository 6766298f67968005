"""What the engine calls: set up, list, refuse and play Card-cassonne's actions."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import cell_of_card
from bartizan.games.card_cassonne.determinization import determinize
from bartizan.games.card_cassonne.layout import fits, rank_of, suit_of
from bartizan.games.card_cassonne.phases import why_not_in_phase
from bartizan.games.card_cassonne.rules import (
    begin_turn,
    best_score,
    count_winners,
    end_game,
    finish_scoring,
    is_area,
    is_last_round,
    is_second_copy,
    place_token,
    play_card,
    rounds,
    run_after_token,
    run_from_scoring,
    score_chosen,
    setup,
    why_no_token,
    why_not_play,
    why_not_score,
    why_not_score_at,
)
from bartizan.games.card_cassonne.state import ACTIONS, DECLINE, DONE, PLAY, SCORE, TOKEN, Phase, State

__all__ = [
    "apply",
    "determinize",
    "ended_by",
    "has_won",
    "legal_actions",
    "points",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide, 0 when the game is over."""
    return s.to_move


# --- Refusing, playing, listing ----------------------------------------------

why_not = ACTIONS.rule(
    "why_not",
    guard=why_not_in_phase,
    play=why_not_play,
    token=OK,
    decline=OK,
    score=why_not_score_at,
    done=OK,
)

apply = ACTIONS.rule(
    "apply",
    play=play_card,
    token=place_token,
    decline=run_after_token,
    score=score_chosen,
    done=finish_scoring,
)


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.PLAY:
        return list_plays(s, out)
    if s.phase == Phase.TOKEN:
        out[0] = TOKEN.id()
        out[1] = DECLINE.id()
        return 2
    if s.phase == Phase.SCORE:
        return list_scorings(s, out)
    return 0


@rule
def list_plays(s: State, out: Array) -> int:
    """List where each hand card may go (CC-12 to CC-15)."""
    n = 0
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
def list_scorings(s: State, out: Array) -> int:
    """List the areas that the mover may choose to score, each by its corner, and that no more is scored."""
    n = 0
    for number in range(s.laid):
        if s.tokens[number] > 0 and is_area(s, number) and why_not_score(s, number) == OK:
            action = SCORE.id(cell_of_card(s, s.corner[number]))
            place = n
            while place > 0 and out[place - 1] > action:
                out[place] = out[place - 1]
                place -= 1
            out[place] = action
            n += 1
    out[n] = DONE.id()
    return n + 1


@rule
def resume(s: State) -> None:
    """Run a loaded position on to its next decision."""
    if s.phase == Phase.PLAY:
        if s.to_move == s.first and s.laid > 1 and is_last_round(s):
            end_game(s)
        else:
            begin_turn(s, s.to_move)
    elif s.phase == Phase.TOKEN:
        if why_no_token(s) != OK:
            run_after_token(s)
    elif s.phase == Phase.SCORE:
        run_from_scoring(s)


# --- The outcome (CC-32, CC-Q20) ---------------------------------------------

ENDED = code("CC-32")


@rule
def points(s: State, seat: int) -> int:
    """Return the points of a seat."""
    return s.players[seat - 1].score


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether a seat has the most points, alone or with others (CC-Q20)."""
    return s.phase == Phase.OVER and points(s, seat) == best_score(s)


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for the only winner, -1 for who has lost, between for a share in the victory (CC-Q20)."""
    if s.phase != Phase.OVER:
        return 0.0
    return 2.0 / count_winners(s) - 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game."""
    return ENDED if s.phase == Phase.OVER else OK
