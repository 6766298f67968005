"""What the engine calls: set up, list, refuse and play Card Barrage's actions."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.aftermath import (
    give,
    leave_open,
    replace,
    replacing,
    settle,
    why_not_give,
    why_not_pass,
    why_not_replace,
)
from bartizan.games.card_barrage.attack import attack, why_not_report
from bartizan.games.card_barrage.deal import deal
from bartizan.games.card_barrage.determinization import determinize, forget
from bartizan.games.card_barrage.effects import (
    Effect,
    ask_for_discard,
    draw_two,
    why_no_effect,
    why_not_effect_exchange,
    why_not_erect,
    why_not_pick,
)
from bartizan.games.card_barrage.listing import legal_actions
from bartizan.games.card_barrage.rules import (
    build,
    choose_wall,
    end_turn,
    exchange,
    figure_of,
    start_turn,
    why_not_build,
    why_not_choose,
    why_not_upgrade,
)
from bartizan.games.card_barrage.solo import is_turned_up, reveal, turn_up
from bartizan.games.card_barrage.state import (
    BUILD,
    DECLINE,
    DISCARD,
    DRAW,
    END,
    ERECT,
    EXCHANGE,
    GIVE,
    KINDS,
    NUM_ACTIONS,
    PICK,
    REPLACE,
    REPORT,
    REVEAL,
    SEATS,
    TURN_UP,
    UPGRADE,
    VERDICTS,
    WALLS,
    Phase,
    State,
)
from bartizan.games.card_barrage.table import (
    can_drop,
    discard_from_hand,
    forget_scored,
    person_of,
    side_of,
)

OVER = code("CB-24")
WALLS_FIRST = code("CB-12")
TURN_ORDER = code("CB-15")
GIVING = code("CB-38")
EFFECT = code("CB-40")
REPLACING = code("CB-42")
REVEALING = code("CB-46")

__all__ = [
    "apply",
    "forget",
    "determinize",
    "ended_by",
    "has_won",
    "is_over",
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
def setup(s: State) -> None:
    """Deal a new game into `s`, all zeros but for its stream, its options and the number of people."""
    deal(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def turn_of(s: State) -> int:
    """Return the person to decide, from 1; 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else person_of(s, s.to_move)


@rule
def is_over(s: State) -> bool:
    """Say whether the game has ended."""
    return s.phase == Phase.OVER


@rule
def points(s: State, seat: int) -> int:
    """Return the points of a person's side (CB-24)."""
    return figure_of(s, side_of(s, seat - 1), 0)


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether a person's side has won, alone or with others (CB-24)."""
    return s.phase == Phase.OVER and s.winners >> side_of(s, seat - 1) & 1 == 1


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 to a person of the only side that has won, -1 to a loser, less than 1 for a shared victory."""
    if s.phase != Phase.OVER:
        return 0.0
    winners = 0
    for side in range(s.sides):
        winners += s.winners >> side & 1
    return 2.0 / winners - 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game."""
    return OVER if s.phase == Phase.OVER else OK


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round


# --- What is asked -----------------------------------------------------------


@rule
def phase_of(identity: int) -> int:
    """Return the phase to which an action belongs."""
    if identity < REPLACE or identity == END:
        return Phase.TURN
    if identity < GIVE:
        return Phase.REPLACE
    if identity < DRAW:
        return Phase.GIVE
    if identity < DISCARD:
        return Phase.EFFECT
    return Phase.REVEAL if identity >= REVEAL else Phase.DISCARD


@rule
def clause_of(phase: int) -> int:
    """Return the clause that speaks of what is asked in a phase."""
    if phase == Phase.WALLS:
        return WALLS_FIRST
    if phase == Phase.GIVE:
        return GIVING
    if phase == Phase.EFFECT or phase == Phase.DISCARD:
        return EFFECT
    if phase == Phase.REPLACE:
        return REPLACING
    if phase == Phase.REVEAL:
        return REVEALING
    return OVER if phase == Phase.OVER else TURN_ORDER


@rule
def why_not_in_phase(s: State, identity: int) -> int:
    """Tell why the table does not wait for this kind of action now."""
    asked = phase_of(identity)
    if s.phase == asked or (s.phase == Phase.WALLS and identity < UPGRADE):
        return OK
    if s.phase == Phase.REPLACE and identity == DECLINE:
        return why_not_pass(s)
    if s.phase == Phase.REPLACE:
        return replacing(s, s.to_move)
    return clause_of(asked) if s.phase == Phase.TURN else clause_of(s.phase)


@rule
def why_not(s: State, action: int) -> int:
    """Return the clause that forbids an action, or OK."""
    identity, variant = action % NUM_ACTIONS, action // NUM_ACTIONS
    refused = why_not_in_phase(s, identity)
    if refused != OK:
        return refused
    if variant != 0 and not REPORT <= identity < REPLACE:
        return TURN_ORDER
    if identity < REPORT:
        return why_not_with_walls(s, identity)
    if identity < REPLACE:
        card, verdict = divide(identity - REPORT, VERDICTS)
        return why_not_report(s, card, verdict, variant)
    if identity < GIVE:
        slot, card = divide(identity - REPLACE, KINDS)
        return why_not_replace(s, slot, card)
    if identity < DRAW:
        return why_not_give(s, identity - GIVE)
    if identity < DECLINE:
        return why_not_effect(s, identity)
    if DISCARD <= identity < REVEAL:
        return OK if can_drop(s, s.to_move, identity - DISCARD) else EFFECT
    if REVEAL <= identity < END:
        return OK if (identity >= TURN_UP) == is_turned_up(s) else REVEALING
    return OK  # declining and ending need no more than their phase


@rule
def why_not_with_walls(s: State, identity: int) -> int:
    """Tell why a wall cannot be built or upgraded."""
    if identity < UPGRADE:
        card, slot = divide(identity - BUILD, WALLS)
        return why_not_choose(s, slot, card) if s.phase == Phase.WALLS else why_not_build(s, slot, card)
    slot, rest = divide(identity - UPGRADE, KINDS * 2)
    return why_not_upgrade(s, slot, rest // 2, rest % 2)


@rule
def why_not_effect(s: State, identity: int) -> int:
    """Tell why an effect cannot be used."""
    if identity < EXCHANGE:
        return why_no_effect(s, identity - DRAW, Effect.DRAW)
    if identity < ERECT:
        place, rest = divide(identity - EXCHANGE, WALLS * KINDS)
        return why_not_effect_exchange(s, place, rest // KINDS, rest % KINDS)
    if identity < PICK:
        place, rest = divide(identity - ERECT, KINDS * WALLS)
        return why_not_erect(s, place, rest % WALLS, rest // WALLS)
    place, seat = divide(identity - PICK, SEATS)
    return why_not_pick(s, place, seat)


@rule
def divide(number: int, radix: int) -> tuple[int, int]:
    """Split an action's number into its first field and the rest."""
    return number // radix, number % radix


# --- Playing -----------------------------------------------------------------


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    identity, variant = action % NUM_ACTIONS, action // NUM_ACTIONS
    if identity == DECLINE and s.phase == Phase.REPLACE:
        leave_open(s, s.to_move)
    if REPORT <= identity < END:
        s.phase = Phase.SETTLING
    if identity < REPORT:
        change_walls(s, identity)
    elif identity < REPLACE:
        card, verdict = divide(identity - REPORT, VERDICTS)
        attack(s, card, verdict, variant)
    elif identity < GIVE:
        slot, card = divide(identity - REPLACE, KINDS)
        replace(s, slot, card)
    elif identity < DRAW:
        give(s, identity - GIVE)
    elif identity < DISCARD:
        use_effect(s, identity)
    elif identity < REVEAL:
        discard_from_hand(s, s.to_move, identity - DISCARD)
    elif identity == REVEAL:
        reveal(s)
    elif identity < END:
        turn_up(s, identity > TURN_UP)
    else:
        s.phase = Phase.PASSING
    run(s)


@rule
def run(s: State) -> None:
    """Go on to the next decision."""
    if s.phase == Phase.SETTLING:
        settle(s)
    if s.phase == Phase.PASSING:
        end_turn(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def change_walls(s: State, identity: int) -> None:
    """Build or upgrade a wall, or choose one of the first."""
    if identity < UPGRADE:
        card, slot = divide(identity - BUILD, WALLS)
        if s.phase == Phase.WALLS:
            choose_wall(s, slot, card)
            return
        build(s, s.active, slot, card)
        s.built = 1
        return
    slot, rest = divide(identity - UPGRADE, KINDS * 2)
    exchange(s, slot, rest // 2, rest % 2)
    s.upgraded = 1


@rule
def use_effect(s: State, identity: int) -> None:
    """Use the third card's effect, or decline it (CB-40)."""
    forget_scored(s)
    if identity < EXCHANGE:
        draw_two(s)
    elif identity < ERECT:
        rest = (identity - EXCHANGE) % (WALLS * KINDS)
        exchange(s, rest // KINDS, rest % KINDS, 0)
    elif identity < PICK:
        rest = (identity - ERECT) % (KINDS * WALLS)
        build(s, s.active, rest % WALLS, rest // WALLS)
    elif identity < DECLINE:
        ask_for_discard(s, (identity - PICK) % SEATS)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.GIVE or s.phase == Phase.EFFECT or s.phase == Phase.REPLACE:
        s.phase = Phase.SETTLING
    run(s)
