"""Play Alcazar by its rulebook; read it beside ``clauses.toml``, in the same order.

The table stands in ``state.py``, the value of cards and what is in force in
``values.py``, the moving of cards and what follows from it in ``table.py``,
the specials in ``specials.py``.
A predicate that may forbid something answers with the clause it finds
broken, or OK.
"""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import pop, push, remove, top, tuck
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import shuffle
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import (
    BothEmpty,
    EmptyRear,
    FirstRoundMovement,
    Overflow,
    WinTiming,
)
from bartizan.games.alcazar.state import (
    ARMIES,
    FRONT,
    HAND_SIZE,
    JOKER,
    PLACES,
    REAR,
    TOWER_SIZE,
    TRADE,
    Phase,
    State,
    Step,
)
from bartizan.games.alcazar.table import (
    check_total_victory,
    deck_is_through,
    discard_from_hand,
    draw_card,
    face_up_enemy,
    fail_draw,
    lose,
    lose_top,
    note_empty_deck,
    refill_if_owed,
    settle,
    take_enemy,
    to_discard,
    turn_top_up,
    under_deck,
    win,
)
from bartizan.games.alcazar.values import (
    bard_sings,
    enemy_value,
    hand_limit,
    is_face,
    is_red,
    necromancers,
    tower_value,
)

HAND_FULL = code("ALC-9")

# --- Set-up (ALC-2 to ALC-8) -------------------------------------------------


@rule
def setup(s: State) -> None:
    """Deal a new game into `s`, all zeros but for its stream and options (ALC-2, ALC-70)."""
    for card in range(JOKER + 2 if s.options.havoc else JOKER):
        push(s.deck, card)
    shuffle(s, s.deck)
    s.round = 1
    deal_tower(s)
    deal_armies(s)
    deal_hand(s)
    s.phase = Phase.RUNNING
    s.step = Step.SETUP
    run(s)


@rule
def deal_tower(s: State) -> None:
    """Lay five cards as the tower and turn its top up (ALC-4)."""
    for _ in range(TOWER_SIZE):
        tuck(s.tower, pop(s.deck))
    turn_top_up(s)


@rule
def deal_armies(s: State) -> None:
    """Lay two cards face down on each side (ALC-6)."""
    for place in range(PLACES):
        s.enemy[place] = pop(s.deck)
        s.face_up[place] = 0


@rule
def deal_hand(s: State) -> None:
    """Draw the starting hand (ALC-7); a Joker leaves it one short (ALC-Q47)."""
    for _ in range(HAND_SIZE):
        draw_card(s)


@rule
def open_front(s: State, army: int) -> None:
    """Turn up a front rank at set-up (ALC-8), then the next, then begin round 1."""
    if army + 1 < ARMIES:
        s.step = Step.SETUP + army + 1
    else:
        s.step = opening_step(s)
    reveal(s, 2 * army + FRONT)
    s.changed = 0  # what happens in the set-up is no change of round 1 (ALC-Q40)


@rule
def opening_step(s: State) -> int:
    """Return how a round begins: with the Movement, or in round 1 without (ALC-Q2)."""
    if s.round == 1 and s.options.first_round_movement == FirstRoundMovement.SKIP:
        return Step.DRAW
    return Step.MOVEMENT


@rule
def in_setup(s: State) -> bool:
    """Return whether a forced discard belongs to the set-up: round 1 has not begun (ALC-8)."""
    return s.step < Step.MOVEMENT or (s.round == 1 and s.step == opening_step(s))


@rule
def why_not_discard(s: State, slot: int) -> int:
    """Return why no card can be discarded from a place in the hand (ALC-9)."""
    return OK if slot < s.hand.count else HAND_FULL


@rule
def discard(s: State, slot: int) -> None:
    """Discard a hand card that must go (ALC-9, ALC-64)."""
    discard_from_hand(s, s.hand.cards[slot])
    if in_setup(s):
        s.changed = 0  # no change of round 1 either, whichever front the Thief stands in (ALC-Q40)


# --- Enemy Movement (ALC-11 to ALC-14) ---------------------------------------


@rule
def move_army(s: State, army: int) -> None:
    """Let an army take the one step that its ranks call for (ALC-Q3)."""
    front, rear = 2 * army + FRONT, 2 * army + REAR
    s.step = Step.MOVEMENT + 2 * army + 2
    if s.enemy[front] == EMPTY:
        advance(s, army)
    elif not s.face_up[front]:
        reveal(s, front)  # ALC-11
    elif s.enemy[rear] == EMPTY:
        if s.options.empty_rear == EmptyRear.REFILL:  # ALC-Q4
            place_rear(s, army)
    elif not s.face_up[rear]:
        reveal(s, rear)  # ALC-12
    else:
        to_discard(s, take_enemy(s, front))  # ALC-13
        refill_if_owed(s)
        shift_forward(s, army)
        place_rear(s, army)


@rule
def advance(s: State, army: int) -> None:
    """Bring the rear card into a vacant front; its effect comes before the new rear (ALC-14)."""
    front, rear = 2 * army + FRONT, 2 * army + REAR
    s.step = Step.MOVEMENT + 2 * army + 1
    if s.enemy[rear] != EMPTY:
        was_up = s.face_up[rear]
        shift_forward(s, army)
        if not was_up:
            reveal(s, front)
    elif s.options.both_empty == BothEmpty.BOTH and place_enemy(s, front):  # ALC-Q5
        turn_up(s, front)
        note_empty_deck(s)
        settle(s)


@rule
def shift_forward(s: State, army: int) -> None:
    """Move an army's rear card to its front as it lies."""
    front, rear = 2 * army + FRONT, 2 * army + REAR
    s.enemy[front], s.face_up[front] = s.enemy[rear], s.face_up[rear]
    s.enemy[rear], s.face_up[rear] = EMPTY, 0
    s.changed = 1


@rule
def place_rear(s: State, army: int) -> None:
    """Place a new card face down in the rear rank, if the deck has one (ALC-13, ALC-14, ALC-Q6)."""
    s.step = Step.MOVEMENT + 2 * army + 2
    if place_enemy(s, 2 * army + REAR):
        note_empty_deck(s)


@rule
def place_enemy(s: State, place: int) -> bool:
    """Lay the deck's top card face down at `place`; say whether there was one."""
    if s.deck.count == 0:
        fail_draw(s)
        return False
    s.enemy[place] = pop(s.deck)
    s.face_up[place] = 0
    s.changed = 1
    return True


@rule
def reveal(s: State, place: int) -> None:
    """Turn an enemy up and let its effect strike (ALC-Q25)."""
    turn_up(s, place)
    settle(s)


@rule
def turn_up(s: State, place: int) -> None:
    """Turn an enemy up; a Joker leaves and takes the tower's top along (ALC-71, ALC-Q44)."""
    face_up_enemy(s, place)
    if s.enemy[place] >= JOKER:
        push(s.aside, take_enemy(s, place))
        lose_top(s)
        turn_top_up(s)


# --- Player Action: the draw step (ALC-15, ALC-16) ---------------------------


@rule
def draw_step(s: State) -> None:
    """Draw one card below the hand limit, then up to three (ALC-15, ALC-16, ALC-Q9)."""
    s.step = Step.ACTION
    taken = 0
    while s.phase == Phase.RUNNING and wants_card(s, taken):
        if s.deck.count == 0:
            fail_draw(s)
            break
        draw_card(s)
        taken += 1
        note_empty_deck(s)
    if s.phase != Phase.RUNNING:
        return
    second = taken == 1 and bard_sings(s) and s.hand.count < hand_limit(s) and s.deck.count > 0
    s.phase = Phase.DRAW if second else Phase.ACTION  # ALC-57


@rule
def wants_card(s: State, taken: int) -> bool:
    """Return whether the draw step still has to take a card (ALC-16; ALC-74 fills the hand)."""
    if s.hand.count >= hand_limit(s):
        return False
    return taken == 0 or s.hand.count < 3 or s.options.endless_night == 1


@rule
def why_not_draw(s: State) -> int:
    """Return OK: the second card may be drawn (ALC-Q2)."""
    return OK


@rule
def draw(s: State) -> None:
    """Take the Bard's second card (ALC-57)."""
    s.phase = Phase.RUNNING
    draw_card(s)
    note_empty_deck(s)
    if s.phase == Phase.RUNNING:
        s.phase = Phase.ACTION


@rule
def why_not_stay(s: State) -> int:
    """Return OK: the second card may be left (ALC-Q2)."""
    return OK


@rule
def stay(s: State) -> None:
    """Leave the Bard's second card in the deck (ALC-57)."""
    s.phase = Phase.ACTION


# --- Enemy Attack (ALC-34 to ALC-41) -----------------------------------------


@rule
def attack_of(s: State, army: int) -> int:
    """Return what an army brings against the tower's top, or EMPTY if it does not attack.

    Opposite colour or a face card attacks (ALC-34, ALC-35); a face-up rear supports its
    front with its value less one (ALC-38) or attacks so by itself (ALC-40).
    """
    front, rear = 2 * army + FRONT, 2 * army + REAR
    rear_up = s.enemy[rear] != EMPTY and s.face_up[rear]
    attacker = attacker_of(s, army)
    if attacker == EMPTY:
        return EMPTY
    if is_red(attacker) == is_red(top(s.tower)) and not is_face(attacker):
        return EMPTY
    if s.enemy[front] == EMPTY:
        return enemy_value(s, rear) - 1
    return enemy_value(s, front) + (enemy_value(s, rear) - 1 if rear_up else 0)


@rule
def attacker_of(s: State, army: int) -> int:
    """Return the card that attacks for an army: its front, else a lone face-up rear, else EMPTY."""
    for place in range(2 * army, 2 * army + 2):
        if s.enemy[place] != EMPTY:
            return s.enemy[place] if s.face_up[place] else EMPTY
    return EMPTY


@rule
def attack_strength(s: State) -> int:
    """Return the sum of all attackers, or EMPTY if no one attacks (ALC-34)."""
    total = EMPTY
    for army in range(ARMIES):
        strength = attack_of(s, army)
        if strength != EMPTY:
            total = larger(total, 0) + strength
    return total


@rule
def attacking_faces(s: State) -> int:
    """Count the face cards among the attackers; supporters are none (ALC-36, ALC-Q37)."""
    count = 0
    for army in range(ARMIES):
        if attack_of(s, army) != EMPTY and is_face(attacker_of(s, army)):
            count += 1
    return count


@rule
def attack(s: State) -> None:
    """Let the enemies attack: the top falls if their sum reaches it (ALC-34, ALC-36)."""
    s.step = Step.ROUND_END
    strength = attack_strength(s)
    if strength == EMPTY or strength < tower_value(top(s.tower)):
        return
    faces = attacking_faces(s)
    strength -= tower_value(top(s.tower))
    lose_top(s)
    drained = 2 * (faces if s.options.drain_per_face_card else smaller(faces, 1))
    drain_discard(s, drained)
    turn_top_up(s)
    if s.options.overflow == Overflow.CARRY:  # ALC-Q34
        while s.tower.count > 0 and strength >= tower_value(top(s.tower)):
            strength -= tower_value(top(s.tower))
            lose_top(s)
            turn_top_up(s)
    settle(s)


@rule
def drain_discard(s: State, count: int) -> None:
    """Put up to `count` cards from the discard's top under the deck, one by one (ALC-36, ALC-62)."""
    for _ in range(smaller(count, s.discard.count)):
        under_deck(s, pop(s.discard))


# --- End of round (ALC-62, ALC-Q1, ALC-Q40) ----------------------------------


@rule
def end_round(s: State) -> None:
    """Drain for each Necromancer, look for a win or a stall, begin the next round."""
    check_total_victory(s)  # the attack is over
    if s.phase == Phase.OVER:
        return
    drain_discard(s, necromancers(s))  # ALC-62, ALC-Q28
    if s.options.win_timing == WinTiming.END_OF_ROUND and not s.options.total_victory and deck_is_through(s):
        win(s)
    check_total_victory(s)
    if s.phase == Phase.OVER:
        return
    s.still = 0 if s.changed else s.still + 1
    if s.still >= 2 or s.round >= s.options.round_cap:
        lose(s)
        return
    s.changed = 0
    s.round += 1
    s.step = Step.MOVEMENT


# --- The round ---------------------------------------------------------------


@rule
def why_not_end(s: State) -> int:
    """Return OK: a turn can always be ended (ALC-34)."""
    return OK


@rule
def end(s: State) -> None:
    """End the player's turn: unused Reinforcements go back (ALC-Q20), the enemies attack."""
    for slot in range(s.borrowed.count):
        card = s.borrowed.cards[slot]
        remove(s.hand, card)
        to_discard(s, card)
    s.borrowed.count = 0
    s.traded = 0
    s.defences = 0
    s.repairs = 0
    s.specials = 0
    refill_if_owed(s)
    check_total_victory(s)
    if s.phase != Phase.OVER:
        attack(s)


@rule
def run(s: State) -> None:
    """Carry the round on until the player is asked or the game is over (ALC-10)."""
    while s.phase == Phase.RUNNING:
        step = s.step
        if step < Step.MOVEMENT:
            open_front(s, step - Step.SETUP)
        elif step < Step.DRAW:
            army, placing = (step - Step.MOVEMENT) // 2, (step - Step.MOVEMENT) % 2
            if placing:
                place_rear(s, army)
            else:
                move_army(s, army)
        elif step == Step.DRAW:
            check_total_victory(s)  # the movement is over
            if s.phase != Phase.OVER:
                draw_step(s)
        elif step == Step.ACTION:
            check_total_victory(s)  # an action is complete
            if s.phase != Phase.OVER:
                s.phase = Phase.ACTION
        else:
            end_round(s)


# --- Around every action ---------------------------------------------------------


@rule
def before_action(s: State, verb: int) -> None:
    """Let the round run; after an action of the turn it goes on with the turn."""
    s.phase = Phase.RUNNING
    if verb <= TRADE.number:
        s.step = Step.ACTION


@rule
def after_action(s: State, verb: int) -> None:
    """Draw the consequences and run on to the next decision."""
    if s.phase == Phase.RUNNING:
        settle(s)
    run(s)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.THIEF or s.phase == Phase.NECROMANCER:
        settle(s)
    run(s)
