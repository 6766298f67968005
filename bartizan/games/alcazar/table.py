"""Move cards about Alcazar's table and draw the consequences: losses, forced choices, the end."""

from __future__ import annotations

from bartizan.engine.bounds import larger
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import insert_sorted, move_all, pop, push, remove, take, top, tuck
from bartizan.engine.record import EMPTY, table
from bartizan.engine.rng import shuffle
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import ACTIONS_PER_TURN, ActionsPerTurn, LostTowerCard, WinTiming
from bartizan.games.alcazar.state import ADVANTAGES, JACK, JOKER, PLACES, Phase, State, Winner
from bartizan.games.alcazar.values import hand_limit, is_special, necromancers, tower_limit, value

# --- How many actions a turn has (ALC-17) ------------------------------------

NO_ACTION_LEFT = code("ALC-17")
# Actions in all by `ActionsPerTurn`, 0 where their number has no limit.
ACTION_LIMITS = table([most if isinstance(most, int) else 0 for most in ACTIONS_PER_TURN])


@rule
def why_no_action(s: State, used: int) -> int:
    """Return whether the turn allows one more action of a kind used so often (ALC-17, ALC-Q8)."""
    limit = ACTION_LIMITS[s.options.actions_per_turn]
    if limit > 0:
        return NO_ACTION_LEFT if s.defences + s.repairs + s.specials >= limit else OK
    if s.options.actions_per_turn == ActionsPerTurn.ONE_OF_EACH:
        return NO_ACTION_LEFT if used > 0 else OK
    return OK


# --- Moving cards ------------------------------------------------------------


@rule
def to_discard(s: State, card: int) -> None:
    """Put a card on the discard, face up."""
    push(s.discard, card)
    s.known[card] = 1
    s.changed = 1


@rule
def under_deck(s: State, card: int) -> None:
    """Put a card under the deck; who knew it still knows it (ALC-Q48)."""
    tuck(s.deck, card)
    s.changed = 1


@rule
def face_up_enemy(s: State, place: int) -> None:
    """Let the enemy at `place` lie face up from now on."""
    card = s.enemy[place]
    s.face_up[place] = 1
    s.known[card] = 1
    s.changed = 1
    if is_special(card):
        s.in_sight[value(card) - JACK] += 1


@rule
def take_enemy(s: State, place: int) -> int:
    """Take the enemy at `place` out of the ranks; its effect ends that instant (ALC-Q25)."""
    card = s.enemy[place]
    if s.face_up[place] and is_special(card):
        s.in_sight[value(card) - JACK] -= 1
    s.enemy[place], s.face_up[place] = EMPTY, 0
    s.changed = 1
    return card


@rule
def out_of_hand(s: State, card: int) -> None:
    """Take a card out of the hand."""
    remove(s.hand, card)
    remove(s.borrowed, card)


@rule
def into_hand(s: State, card: int) -> None:
    """Take a card into the hand."""
    insert_sorted(s.hand, card)
    s.known[card] = 1
    s.changed = 1


@rule
def discard_from_hand(s: State, card: int) -> None:
    """Discard a hand card."""
    out_of_hand(s, card)
    to_discard(s, card)


@rule
def shuffle_discard_into_deck(s: State) -> None:
    """Shuffle the whole discard into the deck; no one knows its order any more."""
    if s.discard.count == 0:
        return
    move_all(s.discard, s.deck)
    shuffle(s, s.deck)
    for place in range(s.deck.count):
        s.known[s.deck.cards[place]] = 0
    s.changed = 1


@rule
def draw_card(s: State) -> None:
    """Draw the deck's top card; a Joker leaves and brings the discard back (ALC-73)."""
    card = pop(s.deck)
    s.changed = 1
    if card >= JOKER:
        push(s.aside, card)
        s.known[card] = 1
        shuffle_discard_into_deck(s)
    else:
        into_hand(s, card)


# --- The tower's top (ALC-45, ALC-53, ALC-72) --------------------------------


@rule
def lose_top(s: State) -> None:
    """Send the uppermost tower card, if any, under the deck (ALC-34, ALC-Q38: `lost_tower_card`).

    A Joker that no one has seen goes under the deck in any case; where every other card
    would have gone to the discard, the player can tell what it was (ALC-Q48).
    """
    if s.tower.count == 0:
        return
    card = pop(s.tower)
    if s.options.lost_tower_card == LostTowerCard.DISCARD:
        if card < JOKER:
            to_discard(s, card)
            return
        s.known[card] = 1
    under_deck(s, card)


@rule
def turn_top_up(s: State) -> None:
    """Turn the next tower card up; a Joker takes the one after it along, unseen (ALC-72, ALC-Q46)."""
    while s.tower.count > 0 and top(s.tower) >= JOKER:
        joker = pop(s.tower)
        s.known[joker] = 1
        s.changed = 1
        push(s.aside, joker)
        lose_top(s)
    if s.tower.count > 0:
        s.known[top(s.tower)] = 1


# --- What follows from a change (ALC-53, ALC-59, ALC-64, ALC-68) -------------


@rule
def settle(s: State) -> None:
    """Let standing effects act, until nothing follows or the player has to choose."""
    if s.phase == Phase.OVER:
        return
    s.phase = Phase.RUNNING
    refill_if_owed(s)
    while s.tower.count > 0:
        if necromancers(s) > 0 and s.advantages.count > 0:  # ALC-59
            if s.advantages.count == ADVANTAGES:
                s.phase = Phase.NECROMANCER
                return
            to_discard(s, pop(s.advantages))
            refill_if_owed(s)
        elif s.tower.count > tower_limit(s):  # ALC-53
            lose_top(s)
            turn_top_up(s)
        else:
            break
    if s.tower.count == 0:
        lose(s)
        return
    if s.passes == 0:
        note_empty_deck(s)
    if s.phase != Phase.OVER and s.hand.count > hand_limit(s):  # ALC-9, ALC-64
        s.phase = Phase.THIEF


@rule
def why_not_forfeit(s: State, first: int) -> int:
    """Return OK: which Advantages leave is the player's choice."""
    return OK


@rule
def forfeit(s: State, first: int) -> None:
    """Both Advantages leave before a Necromancer, the named one first (ALC-59, ALC-Q19)."""
    to_discard(s, take(s.advantages, first))
    to_discard(s, take(s.advantages, 0))


# --- The end (ALC-67 to ALC-75) ----------------------------------------------

DECK_THROUGH = code("ALC-67")
LOST = code("ALC-68")
NIGHT_OVER = code("ALC-74")
ALL_BEATEN = code("ALC-75")


@rule
def passes_needed(s: State) -> int:
    """Return how often the deck has to run out (ALC-67, ALC-74)."""
    return 2 if s.options.endless_night else 1


@rule
def deck_is_through(s: State) -> bool:
    """Return whether the deck has run out often enough."""
    return s.passes >= passes_needed(s)


@rule
def note_empty_deck(s: State) -> None:
    """Count the deck's end after a card was taken and has acted (ALC-67, ALC-74, ALC-Q39)."""
    if s.deck.count > 0 or s.tower.count == 0 or s.phase == Phase.OVER:
        return
    if s.passes < passes_needed(s):
        s.passes += 1
    refill_if_owed(s)
    if s.options.win_timing == WinTiming.IMMEDIATE and not s.options.total_victory and deck_is_through(s):
        win(s)


@rule
def refill_if_owed(s: State) -> None:
    """Make the discard the deck when it has run out for the first time (ALC-74, ALC-Q41)."""
    if s.options.endless_night and s.passes == 1 and s.deck.count == 0:
        shuffle_discard_into_deck(s)


@rule
def fail_draw(s: State) -> None:
    """Note a draw that cannot be made: the deck has run out (ALC-Q39: `win_timing`)."""
    s.passes = larger(s.passes, 1)
    if s.options.win_timing == WinTiming.FAILED_DRAW and not s.options.total_victory and deck_is_through(s):
        win(s)


@rule
def check_total_victory(s: State) -> None:
    """Win if the deck is through and no enemy is left face up (ALC-75, ALC-Q42)."""
    if s.phase == Phase.OVER or not s.options.total_victory or not deck_is_through(s):
        return
    for place in range(PLACES):
        if s.enemy[place] != EMPTY and s.face_up[place]:
            return
    win(s)


@rule
def win(s: State) -> None:
    """End the game: the player has won."""
    s.phase = Phase.OVER
    s.winner = Winner.PLAYER
    s.ended_by = NIGHT_OVER if s.options.endless_night else DECK_THROUGH
    if s.options.total_victory:
        s.ended_by = ALL_BEATEN


@rule
def lose(s: State) -> None:
    """End the game: the player has lost."""
    s.phase = Phase.OVER
    s.winner = Winner.LOSS
    s.ended_by = LOST
