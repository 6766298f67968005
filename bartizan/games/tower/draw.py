"""Draw at the end of a turn, or after laying a tower (TWR-12, TWR-19, TWR-49 to TWR-55)."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import pop
from bartizan.engine.rule import rule
from bartizan.games.tower.build import replace
from bartizan.games.tower.options import MoatLossNoDraw, ThirdCard
from bartizan.games.tower.state import (
    AFTER_LAYING,
    MOST_DRAWS,
    OPEN,
    WATER,
    Phase,
    Player,
    State,
    Step,
)
from bartizan.games.tower.table import can_draw, draw_card, into_hand
from bartizan.games.tower.values import hand_limit, is_intact

MUST_DRAW = code("TWR-19")
MUST_DRAW_AFTER_LAYING = code("TWR-12")
TWO_PLAYS = code("TWR-13")
MUST_DISCARD = code("TWR-52")
NOTHING_TO_TAKE = code("TWR-55")

OPTIONAL_DRAWS = 1  # the third card (TWR-Q13)


@rule
def count_draws(s: State) -> None:
    """Count the cards to draw: up to the hand's limit, three at most (TWR-19, TWR-53, TWR-Q13)."""
    p = s.players[s.active - 1]
    due = larger(0, smaller(most_draws(s, p), hand_limit(s, p) - p.hand.count))
    began_with = p.hand.count + s.options.plays - s.plays_left
    strict = s.options.moat_loss_no_draw == MoatLossNoDraw.STRICT
    if strict and not is_intact(p, WATER) and began_with > s.options.hand:
        due = 0  # TWR-51, TWR-Q14
    s.draws_left, s.draws_must = due, smaller(due, MOST_DRAWS - OPTIONAL_DRAWS)
    s.plays_left = 0


@rule
def most_draws(s: State, p: Player) -> int:
    """Return how many cards can be drawn at the end of a turn (TWR-19, TWR-53, TWR-Q13: `third_card`)."""
    if s.options.third_card == ThirdCard.MOAT and not is_intact(p, WATER):
        return MOST_DRAWS - OPTIONAL_DRAWS
    return MOST_DRAWS


@rule
def why_not_draw(s: State) -> int:
    """Return why there is nothing to draw (TWR-55, TWR-Q17)."""
    return OK if can_draw(s) else NOTHING_TO_TAKE


@rule
def why_not_take(s: State) -> int:
    """Return why there is nothing to take from the discard pile (TWR-8, TWR-55)."""
    return OK if s.discard.count > 0 else NOTHING_TO_TAKE


@rule
def draw_at_end(s: State, from_discard: bool) -> None:
    """Take one card from the top of either pile (TWR-55, TWR-Q15)."""
    s.draws_left -= 1
    s.draws_must = larger(0, s.draws_must - 1)
    s.step = Step.DRAWING
    if from_discard:
        into_hand(s.players[s.active - 1], pop(s.discard), OPEN)
    else:
        draw_card(s, s.active)


@rule
def why_not_stop_drawing(s: State) -> int:
    """Return why the player can't stop drawing (TWR-12, TWR-19, TWR-Q13)."""
    return OK if s.draws_must == 0 else why_draws_are_due(s)


@rule
def why_draws_are_due(s: State) -> int:
    """Return the clause for drawing now: after laying (TWR-12) or at the end of a turn (TWR-19)."""
    return MUST_DRAW_AFTER_LAYING if is_laying(s) else MUST_DRAW


@rule
def is_laying(s: State) -> bool:
    """Return whether the cards to draw are the three after laying a tower, none optional (TWR-12).

    The tower has taken the whole hand and its Moat is intact; what a turn's end owes with an intact
    Moat fills the hand up to five, or leaves the last card optional.
    """
    if s.plays_left > 0:  # a full turn follows (`lay_down`)
        return True
    p = s.players[s.active - 1]
    fills_three = p.hand.count + s.draws_left == AFTER_LAYING and is_intact(p, WATER)
    return fills_three and s.draws_must == s.draws_left


@rule
def stop_drawing(s: State) -> None:
    """Skip the optional cards (TWR-19)."""
    s.draws_left = 0
    s.step = Step.DRAWING


@rule
def why_not_stop_playing(s: State) -> int:
    """Return why the player can't stop playing (TWR-13, TWR-52, TWR-Q12: `min_plays`)."""
    p = s.players[s.active - 1]
    if s.options.plays - s.plays_left < s.options.min_plays:
        return TWO_PLAYS
    return MUST_DISCARD if p.hand.count > hand_limit(s, p) else OK


@rule
def stop_playing(s: State) -> None:
    """Skip the rest of the plays."""
    s.step = Step.DRAW


# --- Drawing and stopping in any phase ---------------------------------------------


@rule
def draw(s: State) -> None:
    """Take the draw pile's top card: at the end of a turn, or as a replacement."""
    if s.step == Step.DRAWING:
        draw_at_end(s, False)
    else:
        replace(s, False)


@rule
def take(s: State) -> None:
    """Take the discard pile's top card: at the end of a turn, or as a replacement."""
    if s.step == Step.DRAWING:
        draw_at_end(s, True)
    else:
        replace(s, True)


@rule
def why_not_stop(s: State) -> int:
    """Return why the player can't decline."""
    if s.phase == Phase.DRAW:
        return why_not_stop_drawing(s)
    return OK if s.phase == Phase.LAY else why_not_stop_playing(s)


@rule
def stop(s: State) -> None:
    """Stop drawing or playing, or keep exchanging: the turn ends anyway after the exchange."""
    if s.step == Step.DRAWING:
        stop_drawing(s)
    elif s.step == Step.PLAY:
        stop_playing(s)
