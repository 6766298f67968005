"""Go on with a loaded position of Card-cassonne; say whose turn it is, and who has won (CC-32, CC-Q20)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.rules import (
    begin_turn,
    best_score,
    count_winners,
    end_game,
    is_last_round,
    run_after_token,
    run_from_scoring,
    why_no_token,
)
from bartizan.games.card_cassonne.state import Phase, State

ENDED = code("CC-32")


@rule
def turn_of(s: State) -> int:
    """Return the seat whose move it is, 0 when the game is over."""
    return s.to_move


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


@rule
def points(s: State, seat: int) -> int:
    """Return the points of a seat."""
    return s.players[seat - 1].score


@rule
def has_won(s: State, seat: int) -> bool:
    """Return whether a seat has the most points, alone or with others (CC-Q20)."""
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
