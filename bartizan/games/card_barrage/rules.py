"""Play Card Barrage by its rulebook, from turn to turn; read it beside ``clauses.toml``, in the same order.

The table stands in ``state.py``, the moving of cards in ``table.py``, the set-up in ``deal.py``,
attacks in ``attack.py``, what follows from a hit in ``aftermath.py``, the third card's effect in
``effects.py``.  A predicate that may forbid something
answers with the clause it finds broken, or OK.
"""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.options import TargetPer, Tiebreak, WallSetup
from bartizan.games.card_barrage.state import DOMAINS, KINDS, Phase, State
from bartizan.games.card_barrage.table import (
    count_walls,
    draw_card,
    holds,
    is_simulacrum,
    is_untold,
    most_points,
    put_back,
    side_of,
    stands,
    take_from_hand,
    top_card,
    value,
    wall_at,
)

NO_SUCH_SLOT = code("CB-11")
WALL_SETUP = code("CB-12")
IN_ORDER = code("CB-15")
BUILDING = code("CB-18")
UPGRADING = code("CB-19")
REPOSITION = code("CB-20")
NOT_REBUILT = code("CB-44")

FEW = 3  # CB-16


# --- A turn begins: draw (CB-15 to CB-17) ------------------------------------


@rule
def start_turn(s: State) -> None:
    """Begin the active seat's turn: draw a card, or two with fewer than three in hand (CB-16, CB-Q9).

    The simulacrum draws nothing; its card is revealed (CB-46).
    """
    seat = s.active
    s.to_move = seat
    s.built, s.upgraded, s.attacked = 0, 0, 0
    if is_simulacrum(s, seat):
        s.phase = Phase.REVEAL
        s.to_move = 0
        return
    s.phase = Phase.TURN
    for _ in range(2 if s.hand[seat].count < FEW else 1):
        draw_card(s, seat)


# --- The first walls, where they are chosen (CB-12, CB-Q6) -------------------


@rule
def why_not_choose(s: State, card: int, slot: int) -> int:
    """Return why a card cannot become one of the first walls; real ones are told from left to right."""
    refused = why_no_site(s, s.to_move, slot)
    if refused == OK and is_untold(s) and slot != count_walls(s, s.to_move):
        return WALL_SETUP
    return BUILDING if refused == OK and not holds(s, s.to_move, card) else refused


@rule
def choose_wall(s: State, card: int, slot: int) -> None:
    """Lay one of the first walls; then the next seat chooses, and after the last the first turn begins."""
    if s.options.wall_setup == WallSetup.CHOSEN_FROM_9 and not is_simulacrum(s, s.to_move):
        take_from_hand(s.hand[s.to_move], card)
    else:
        top_card(s, side_of(s, s.to_move))
    s.wall[wall_at(s.to_move, slot)] = card
    while s.to_move < s.castles and count_walls(s, s.to_move) == s.slots:
        s.to_move += 1
    s.active = s.to_move
    if s.to_move == s.castles:
        s.active = s.first
        s.phase = Phase.BEGINNING


# --- Build (CB-18) -----------------------------------------------------------


@rule
def why_no_building(s: State) -> int:
    """Return why nothing can be built any more this turn: once, before upgrading and attacking (CB-Q11)."""
    if s.built:
        return BUILDING
    return IN_ORDER if s.upgraded or s.attacked else OK


@rule
def why_no_site(s: State, seat: int, slot: int) -> int:
    """Return why a slot of a seat cannot take a new wall: it stands, or is lost for good (CB-18, CB-Q23)."""
    if slot >= s.slots:
        return NO_SUCH_SLOT
    if stands(s, seat, slot):
        return BUILDING
    return NOT_REBUILT if s.lost >> wall_at(seat, slot) & 1 else OK


@rule
def why_not_build(s: State, card: int, slot: int) -> int:
    """Return why a hand card cannot be built into a slot, or become one of the first walls."""
    if s.phase == Phase.WALLS:
        return why_not_choose(s, card, slot)
    refused = why_no_building(s)
    if refused == OK:
        refused = why_no_site(s, s.active, slot)
    if refused == OK and not holds(s, s.active, card):
        return BUILDING
    return refused


@rule
def build(s: State, card: int, slot: int) -> None:
    """Build a wall, or lay one of the first."""
    if s.phase == Phase.WALLS:
        choose_wall(s, card, slot)
    else:
        put_wall(s, card, slot)
        s.built = 1


@rule
def put_wall(s: State, card: int, slot: int) -> None:
    """Put a hand card into an empty slot."""
    take_from_hand(s.hand[s.active], card)
    s.wall[wall_at(s.active, slot)] = card


# --- Upgrade (CB-19, CB-20) --------------------------------------------------


@rule
def why_no_upgrade(s: State) -> int:
    """Return why nothing can be upgraded any more this turn: once, before attacking (CB-Q11)."""
    if s.upgraded:
        return UPGRADING
    return IN_ORDER if s.attacked else OK


@rule
def why_no_exchange(s: State, slot: int, card: int, refusal: int) -> int:
    """Return why an own wall and a hand card cannot change places; `refusal` is the clause for it."""
    if slot >= s.slots:
        return NO_SUCH_SLOT
    return OK if stands(s, s.active, slot) and holds(s, s.active, card) else refusal


@rule
def why_not_upgrade(s: State, slot: int, card: int, leave: int) -> int:
    """Return why a wall cannot be exchanged, or why there is nothing to leave where it lies (CB-20)."""
    refused = why_no_upgrade(s)
    if refused == OK:
        refused = why_no_exchange(s, slot, card, UPGRADING)
    return why_no_improvement(s, slot, card, leave) if refused == OK else refused


@rule
def why_no_improvement(s: State, slot: int, card: int, leave: int) -> int:
    """Return why a card that is held is no upgrade of a wall that stands."""
    place = wall_at(s.active, slot)
    if s.options.upgrade_must_be_higher and value(card) <= value(s.wall[place]):
        return UPGRADING
    return REPOSITION if leave and not s.moved >> place & 1 else OK


@rule
def upgrade(s: State, slot: int, card: int, leave: int) -> None:
    """Exchange a wall and note that it was done."""
    change_places(s, slot, card, leave)
    s.upgraded = 1


@rule
def change_places(s: State, slot: int, card: int, leave: int) -> None:
    """Exchange a wall with a hand card; everyone sees what goes to the hand (CB-52, CB-Q11)."""
    place = wall_at(s.active, slot)
    take_from_hand(s.hand[s.active], card)
    put_back(s, s.active, s.wall[place])
    s.wall[place] = card
    if not leave:
        s.moved &= ~(1 << place)


# --- The end of a turn, a round, the game (CB-22 to CB-24) -------------------


@rule
def why_not_end(s: State) -> int:
    """Return OK: a turn can always be ended (CB-15)."""
    return OK


@rule
def end(s: State) -> None:
    """End the turn when the player says so (CB-15)."""
    s.phase = Phase.PASSING


@rule
def end_turn(s: State) -> None:
    """Look for the end and pass the turn on; a round ends before the first player's turn (CB-22, CB-23)."""
    if most_points(s) >= s.options.target:
        s.ending = 1
    following = (s.active + 1) % s.castles
    if following == s.first:
        if s.ending or s.round >= s.options.turn_cap:  # CB-Q31, CB-Q33
            finish(s)
            return
        s.round += 1
    s.active = following
    s.phase = Phase.BEGINNING


@rule
def finish(s: State) -> None:
    """End the game: find the sides that have won (CB-24, CB-Q30, CB-Q32)."""
    s.phase = Phase.OVER
    contenders = (1 << s.sides) - 1
    if s.stormed != 0:
        contenders = s.stormed
    for figure in range(3 if s.options.tiebreak == Tiebreak.VALUE_DOMAINS else 1):
        contenders = best_by(s, contenders, figure)
    s.winners = contenders


@rule
def best_by(s: State, contenders: int, figure: int) -> int:
    """Return those of some sides that are best by one figure: points, values or domains."""
    best, most = 0, -1
    for side in range(s.sides):
        if contenders >> side & 1:
            worth = figure_of(s, side, figure)
            if worth > most:
                best, most = 0, worth
            if worth == most:
                best |= 1 << side
    return best


@rule
def figure_of(s: State, side: int, figure: int) -> int:
    """Return a side's points (0), the sum of its scored values (1), or how many domains it scored (2)."""
    points, values, domains = 0, 0, 0
    for each in range(s.castles):
        if each % s.sides != side or (each != side and s.options.target_per == TargetPer.SIDE):
            continue
        points += s.score[each].points
        for card in range(KINDS):
            copies = s.score[each].cards[card]
            values += copies * value(card)
            if copies > 0:
                domains |= 1 << card % DOMAINS
    if figure == 0:
        return points
    return values if figure == 1 else count_domains(domains)


@rule
def count_domains(domains: int) -> int:
    """Return how many bits of four are set."""
    number = 0
    for domain in range(DOMAINS):
        number += domains >> domain & 1
    return number
