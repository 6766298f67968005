"""Play Card-cassonne as the text tells it: preparation, a turn's steps, the end."""

from __future__ import annotations

from bartizan.engine.bounds import larger
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import insert_sorted, pop, push, take
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import shuffle
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import (
    NO_AREA,
    area_at,
    area_beside,
    area_touches,
    cell_of_card,
    is_complete,
    is_partially_complete,
    lay,
    worth_of,
)
from bartizan.games.card_cassonne.cells import (
    clear_table,
    find_open,
    fits,
    is_face_card,
    is_on_table,
    rank_of,
    suit_of,
    x_of,
    y_of,
)
from bartizan.games.card_cassonne.options import (
    CARDS,
    End,
    PartialScoring,
    RescoreGrowth,
)
from bartizan.games.card_cassonne.state import FACES, OPEN, Phase, State

NOT_IN_HAND = code("CC-11")
TOUCHES_NOTHING = code("CC-12")
OUT_OF_RANGE = code("CC-15")
NO_AREA_THERE = code("CC-16")
TOO_OPEN = code("CC-18")
AREA_TAKEN = code("CC-20")
NOT_TO_BE_SCORED = code("CC-22")
NO_TOKEN_ON_IT = code("CC-25")
TOKENS_LEFT = code("CC-7")
TOKEN_WAITS = code("CC-30")
NOT_GROWN = code("CC-31")
OFF_THE_TABLE = code("CC-34")

FACE_POINTS = 3  # CC-32


# --- Preparation (CC-4 to CC-9) --------------------------------------------------


@rule
def setup(s: State) -> None:
    """Shuffle, lay the starter, remove some cards unseen and deal (CC-4 to CC-7)."""
    clear_table(s)
    s.first = 1
    s.last = EMPTY
    s.deck.count = s.aside.count = 0
    for card in range(CARDS):
        push(s.deck, card % FACES)
    shuffle(s, s.deck)
    lay(s, pop(s.deck), 0, 0)
    for _ in range(s.options.removed):
        push(s.aside, pop(s.deck))
    for seat in range(s.seats):
        for _ in range(s.options.hand):
            insert_sorted(s.players[seat].hand, pop(s.deck))
        s.players[seat].supply = s.options.tokens
    s.phase = Phase.PLAY  # beside a lone card there is room for every hand
    s.to_move = s.first


# --- A turn (CC-10, CC-11) ---------------------------------------------------------


@rule
def begin_turn(s: State, seat: int) -> None:
    """Let a seat play a card; one that cannot is skipped, and the game ends when none can (CC-Q6)."""
    s.phase = Phase.PLAY
    s.to_move = seat
    for _ in range(s.seats):
        if can_play(s, s.to_move):
            return
        note_passing(s, s.to_move)
        s.to_move = next_seat(s, s.to_move)
        if s.to_move == s.first and is_last_round(s):
            break
    end_game(s)


@rule
def rounds(s: State) -> int:
    """Return the round that is being played or was the last, by the cards that lie on the table."""
    turns = s.laid - 1 if s.phase == Phase.PLAY else larger(s.laid - 2, 0)
    return turns // s.seats + 1


@rule
def next_seat(s: State, seat: int) -> int:
    """Return the seat whose turn comes next, clockwise (CC-10)."""
    return seat % s.seats + 1


@rule
def is_last_round(s: State) -> bool:
    """Return whether the game stops with this round, because the deck has run out (CC-Q18)."""
    return s.options.end == End.DECK_EMPTY_ROUND and s.deck.count == 0


@rule
def can_play(s: State, seat: int) -> bool:
    """Return whether a seat has a card that goes somewhere; without an edge every card does (CC-Q6)."""
    if s.options.board == 0:
        return s.players[seat - 1].hand.count > 0
    for slot in range(s.players[seat - 1].hand.count):
        if has_room(s, s.players[seat - 1].hand.cards[slot]):
            return True
    return False


@rule
def has_room(s: State, face: int) -> bool:
    """Return whether some cell takes this card."""
    place = 0
    while place < s.frontier and why_not_there(s, face, place) != OK:
        place += 1
    return place < s.frontier


@rule
def note_passing(s: State, seat: int) -> None:
    """Remember what everyone learns from a seat that is skipped: none of its cards goes anywhere."""
    barred = 0
    if s.options.board > 0:
        for face in range(FACES):
            if has_room(s, face):
                barred |= 1 << face
    for held in range(s.players[seat - 1].hand.count):
        s.players[seat - 1].barred[held] |= barred


@rule
def run_from_token(s: State) -> None:
    """Go on after a card was played: token, scoring and draw (CC-11); stop where there is a choice."""
    if s.options.token_before_score:
        if why_no_token(s) == OK:
            s.phase = Phase.TOKEN
        else:
            run_from_scoring(s)
    else:
        run_from_scoring(s)


@rule
def run_after_token(s: State) -> None:
    """Go on after the token step."""
    if s.options.token_before_score:
        run_from_scoring(s)
    else:
        end_turn(s)


@rule
def run_from_scoring(s: State) -> None:
    """Score what must be scored (CC-23), then ask for what may be."""
    score_complete_areas(s)
    run_after_score(s)


@rule
def run_after_score(s: State) -> None:
    """Ask whether another area is scored, or go on where none may be."""
    s.phase = Phase.SCORE
    if may_score(s):
        return
    done(s)


@rule
def why_not_done(s: State) -> int:
    """Return OK: no area has to be scored (CC-24)."""
    return OK


@rule
def done(s: State) -> None:
    """Go on after the scoring step."""
    if not s.options.token_before_score and why_no_token(s) == OK:
        s.phase = Phase.TOKEN
    else:
        end_turn(s)


@rule
def end_turn(s: State) -> None:
    """Draw a card while there are any, and hand the turn on (CC-10, CC-11, CC-Q18)."""
    if s.deck.count > 0:
        mover = s.players[s.to_move - 1]
        mover.barred[mover.hand.count] = 0
        insert_sorted(mover.hand, pop(s.deck))
    seat = next_seat(s, s.to_move)
    if seat == s.first and is_last_round(s):
        end_game(s)
    else:
        begin_turn(s, seat)


# --- Playing a card (CC-12 to CC-15) --------------------------------------------------


@rule
def is_second_copy(s: State, slot: int) -> bool:
    """Return whether the hand card before this one has the same face: playing either is one move."""
    hand = s.players[s.to_move - 1].hand
    return slot > 0 and hand.cards[slot] == hand.cards[slot - 1]


@rule
def why_no_card(s: State, slot: int) -> int:
    """Return why a slot of the mover's hand holds no card that can be named (CC-11)."""
    if slot >= s.players[s.to_move - 1].hand.count or is_second_copy(s, slot):
        return NOT_IN_HAND
    return OK


@rule
def why_not_play(s: State, slot: int, cell: int) -> int:
    """Return why a hand card may not go to a cell."""
    refused = why_no_card(s, slot)
    if refused != OK:
        return refused
    if not is_on_table(s, x_of(s, cell), y_of(s, cell)):
        return OFF_THE_TABLE
    if s.at[cell] != OPEN:  # taken, or beside no card
        return TOUCHES_NOTHING
    return why_not_there(s, s.players[s.to_move - 1].hand.cards[slot], find_open(s, cell))


@rule
def why_not_there(s: State, face: int, place: int) -> int:
    """Return why a card may not go to a place of the frontier (CC-13 to CC-15)."""
    if not fits(rank_of(s, face), suit_of(face), s.low[place], s.high[place], s.suit[place]):
        return OUT_OF_RANGE
    return OK


@rule
def play(s: State, slot: int, cell: int) -> None:
    """Play a hand card to a cell; whoever completes areas with it is rewarded at once (CC-24)."""
    mover = s.players[s.to_move - 1]
    face = take(mover.hand, slot)
    forget_barred(s, face)
    s.last = s.laid
    lay(s, face, cell, s.to_move)
    bonus = s.options.complete_bonus * count_completed(s, cell)
    mover.score += bonus
    mover.from_completing += bonus
    run_from_token(s)


@rule
def forget_barred(s: State, face: int) -> None:
    """Strike off, of what is known about the mover's hand, the card that this one may have been."""
    mover = s.players[s.to_move - 1]
    held = 0
    while held < mover.hand.count and mover.barred[held] >> face & 1 == 1:
        held += 1
    for later in range(held, mover.hand.count):
        mover.barred[later] = mover.barred[later + 1]


@rule
def count_completed(s: State, cell: int) -> int:
    """Count the areas that the card in a cell has completed: its own, and those beside it (CC-Q12)."""
    own = area_at(s, cell)
    completed = 1 if is_complete(s, own) else 0
    for direction in range(4):
        area = area_beside(s, cell, direction)
        if area != NO_AREA and area != own and is_complete(s, area):
            completed += 1
    return completed


# --- Placing a token (CC-19 to CC-21) ----------------------------------------------------


@rule
def why_no_token(s: State) -> int:
    """Return why the mover may not place a token on the card just played (CC-Q7, CC-Q17)."""
    if s.players[s.to_move - 1].supply == 0:
        return TOKENS_LEFT
    if s.tokens[s.area[s.last]] > 0:
        return AREA_TAKEN
    return OK


@rule
def lacks_token(s: State) -> bool:
    """Return whether no one was asked about a token on the card just played, as none could be placed."""
    return s.options.token_before_score and s.token[s.last] == 0 and why_no_token(s) != OK


@rule
def why_not_decline(s: State) -> int:
    """Return OK: no token has to be placed (CC-20)."""
    return OK


@rule
def decline(s: State) -> None:
    """Place no token (CC-20)."""
    run_after_token(s)


@rule
def why_not_token(s: State) -> int:
    """Return OK: the token is placed on the card that was played (CC-20)."""
    return OK


@rule
def token(s: State) -> None:
    """Place a token of the mover on the card just played (CC-19)."""
    s.players[s.to_move - 1].supply -= 1
    s.token[s.last] = s.to_move
    s.tokens[s.area[s.last]] += 1
    run_after_token(s)


# --- Scoring (CC-22 to CC-31) --------------------------------------------------------------


@rule
def score_area(s: State, area: int) -> None:
    """Score an area for the owners of its tokens, who take these back (CC-25 to CC-28, CC-Q15)."""
    card = area
    for _ in range(s.size[area]):
        seat = s.token[card]
        if seat > 0:
            points = worth_of(s.size[area])
            s.players[seat - 1].score += points
            s.players[seat - 1].from_areas += points
            s.players[seat - 1].supply += 1
            s.token[card] = 0
        card = s.following[card]
    s.tokens[area] = 0
    if s.options.rescore_growth == RescoreGrowth.MUST_HAVE_GROWN_BY_2:
        s.scored[area] = s.size[area]


@rule
def score(s: State, cell: int) -> None:
    """Score the area that the mover names by its corner, and ask again (CC-22)."""
    score_area(s, area_at(s, cell))
    run_after_score(s)


@rule
def is_area(s: State, number: int) -> bool:
    """Return whether a card's number is also the name of an area."""
    return s.area[number] == number


@rule
def score_complete_areas(s: State) -> None:
    """Score every complete area that holds tokens (CC-23)."""
    for number in range(s.laid):
        if is_area(s, number) and s.tokens[number] > 0 and is_complete(s, number):
            score_area(s, number)


@rule
def why_no_scoring(s: State, area: int) -> int:
    """Return why the mover may not choose to score an area (CC-22, CC-Q10, CC-Q21)."""
    if s.tokens[area] == 0:
        return NO_TOKEN_ON_IT
    if not is_partially_complete(s, area):
        return TOO_OPEN
    scope = s.options.partial_scoring
    if scope == PartialScoring.TOUCHED and not is_touched(s, area):
        return NOT_TO_BE_SCORED
    if scope == PartialScoring.OWN_TOKEN and not has_token_of(s, area, s.to_move):
        return NOT_TO_BE_SCORED
    growth = s.options.rescore_growth
    if growth == RescoreGrowth.MUST_HAVE_GROWN_BY_2 and 0 < s.scored[area] > s.size[area] - 2:
        return NOT_GROWN
    if growth == RescoreGrowth.TOKEN_WAITS_A_TURN and s.area[s.last] == area and s.token[s.last] > 0:
        return TOKEN_WAITS
    return OK


@rule
def is_touched(s: State, area: int) -> bool:
    """Return whether the card just played belongs to an area or touches it (CC-Q10)."""
    return s.area[s.last] == area or area_touches(s, area, cell_of_card(s, s.last))


@rule
def has_token_of(s: State, area: int, seat: int) -> bool:
    """Return whether a seat has a token on an area."""
    card = area
    for _ in range(s.size[area]):
        if s.token[card] == seat:
            return True
        card = s.following[card]
    return False


@rule
def why_not_score(s: State, cell: int) -> int:
    """Return why no area can be scored by naming this cell; an area is named by its corner (CC-16)."""
    area = area_at(s, cell)
    if area == NO_AREA:
        return NO_AREA_THERE
    refused = why_no_scoring(s, area)
    if refused == OK and cell_of_card(s, s.corner[area]) != cell:
        return NO_AREA_THERE
    return refused


@rule
def may_score(s: State) -> bool:
    """Return whether the mover may choose to score some area."""
    for number in range(s.laid):
        if s.tokens[number] > 0 and is_area(s, number) and why_no_scoring(s, number) == OK:
            return True
    return False


# --- The end (CC-32) --------------------------------------------------------------------------


@rule
def end_game(s: State) -> None:
    """End the game: partially complete areas if they count, then tokens on face cards (CC-32, CC-Q19)."""
    if s.options.final_partial_scoring:
        for number in range(s.laid):
            s.closing[number] = s.token[number] if is_partially_complete(s, s.area[number]) else 0
        for number in range(s.laid):
            if is_area(s, number) and s.tokens[number] > 0 and is_partially_complete(s, number):
                score_area(s, number)
    for number in range(s.laid):
        if s.token[number] > 0 and is_face_card(s.face[number]):
            s.players[s.token[number] - 1].score += FACE_POINTS
    s.phase = Phase.OVER
    s.to_move = 0
    s.last = EMPTY


@rule
def best_score(s: State) -> int:
    """Return the most points that a seat has."""
    best = s.players[0].score
    for seat in range(1, s.seats):
        best = larger(best, s.players[seat].score)
    return best


@rule
def count_winners(s: State) -> int:
    """Count the seats with the most points; they share the victory (CC-Q20)."""
    winners = 0
    for seat in range(s.seats):
        if s.players[seat].score == best_score(s):
            winners += 1
    return winners
