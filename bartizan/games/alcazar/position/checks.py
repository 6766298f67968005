"""Find the rules that a position of Alcazar breaks."""

from __future__ import annotations

from bartizan.engine import piles
from bartizan.engine.cards import POKER
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY
from bartizan.games.alcazar import table, values
from bartizan.games.alcazar.position.cards import CardReader
from bartizan.games.alcazar.state import (
    ARMIES,
    FRONT,
    HAND_SIZE,
    HAND_SLOTS,
    JOKER,
    QUEEN,
    REAR,
    TOWER_SIZE,
    Phase,
    State,
    Step,
    Winner,
)
from bartizan.games.alcazar.words.names import ARMY_NAMES, PLACE_NAMES


def check_table(reader: CardReader, state: State) -> None:
    """Note every rule that the cards on the table break; those count that are written, room or not."""
    counts = reader.counts
    running = state.phase != Phase.OVER
    for card in state.advantages.listed():
        if not values.is_special(card):
            reader.fault("ALC-28", f"the {POKER.name(card)} lies as an Advantage and is no special")
    kinds = [values.value(card) for card in state.advantages.listed()]
    if len(set(kinds)) < len(kinds):
        reader.fault("ALC-33", "two Advantages of one kind lie in play")
    height = counts.get("tower", state.tower.count)
    if height > values.tower_limit(state):
        rule = "ALC-52" if height == TOWER_SIZE + 1 or QUEEN in kinds else "ALC-5"
        reader.fault(rule, f"the tower has {height} cards; it may hold {values.tower_limit(state)}")
    if height == 0 and running:
        reader.fault("ALC-68", "the tower has no card left, so the game is over")
    if state.tower.count and piles.top(state.tower) >= JOKER:
        reader.fault("ALC-72", "the tower's top is a Joker; it would have left the game")
    if any(card >= JOKER for card in state.discard.listed()):
        reader.fault("ALC-70", "a Joker lies in the discard; it leaves the game when it acts")
    held = counts.get("hand", state.hand.count)
    # a forced discard, or the end, may come while the hand is still that of a Bard now gone
    limit = HAND_SLOTS if state.phase in (Phase.THIEF, Phase.OVER) else values.hand_limit(state)
    if held > limit:
        rule = "ALC-64" if limit < HAND_SIZE else "ALC-9"
        reader.fault(rule, f"the hand has {held} cards; it may hold {limit}")
    if running and state.phase != Phase.NECROMANCER and kinds and values.necromancers(state) > 0:
        reader.fault("ALC-59", "Advantages lie in play before a Necromancer")


def check_phase(reader: PositionReader, state: State) -> None:
    """Note what keeps the table from waiting where the position says that it waits."""
    if state.phase != Phase.OVER and state.still > 1:
        reader.fault("ALC-68", f"still is {state.still}, so the game is over; two unchanged rounds lose it")
    if state.phase == Phase.DRAW:
        _check_second_card(reader, state)
    if state.phase in (Phase.THIEF, Phase.NECROMANCER):
        _check_resume(reader, state)


def _check_second_card(reader: PositionReader, state: State) -> None:
    """Note why no Bard offers a second card here (ALC-57)."""
    if not values.bard_sings(state):
        thief = values.tower_top_is(state, QUEEN)
        why = "a Thief suspends the Bard" if thief else "no Bard is the tower's top"
        reader.fault("ALC-57", f"phase is 'draw', but {why}")
    if state.deck.count == 0:
        reader.fault("ALC-57", "phase is 'draw', but the deck is empty")
    if state.hand.count >= values.hand_limit(state):
        reader.fault("ALC-57", "phase is 'draw', but the hand is full")
    if state.options.endless_night:
        reader.fault("ALC-74", "phase is 'draw', but in Endless Night the hand is filled without a question")
    elif state.hand.count < 3:
        reader.fault("ALC-16", "phase is 'draw', but below three in hand a card is drawn without a question")


def _check_resume(reader: PositionReader, state: State) -> None:
    """Note where an interrupted step cannot go on: fronts to open are closed, new cards have a place."""
    if state.step < Step.MOVEMENT:
        _check_set_up(reader, state)
    for army, name in enumerate(ARMY_NAMES):
        if state.step == Step.MOVEMENT + 2 * army + 1 and state.enemy[2 * army + REAR] != EMPTY:
            reader.fault("ALC-14", f"resume is 'movement {name}.rear', but a card stands there")


def _check_set_up(reader: PositionReader, state: State) -> None:
    """Note what contradicts that the fronts are being opened, one army after the other (ALC-8)."""
    first = state.step - Step.SETUP
    resume = f"resume is 'setup {ARMY_NAMES[first]}'"
    if state.round != 1:
        reader.fault("ALC-8", f"{resume}, but the round is {state.round}; the set-up comes before round 1")
    for army in range(ARMIES):
        place = 2 * army + FRONT
        closed = state.enemy[place] != EMPTY and not state.face_up[place]
        if closed and army < first:
            reader.fault("ALC-8", f"{resume}, but {PLACE_NAMES[place]} is still face down")
        elif not closed and army >= first:
            reader.fault("ALC-8", f"{resume}, but {PLACE_NAMES[place]} has no face-down card to open")


def check_end(reader: PositionReader, state: State) -> None:
    """Note a game that ends otherwise than by the rules; a winner left out is found by them (ALC-67, 68)."""
    over, is_told = state.phase == Phase.OVER, "winner" in reader.given
    if over != (state.winner != Winner.NONE) and (is_told or not over):
        reader.fault("ALC-67", "a finished game has phase 'over' and a winner, a running one has neither")
    elif over:
        _check_winner(reader, state, is_told)


def _check_winner(reader: PositionReader, state: State, is_told: bool) -> None:
    is_through = table.deck_is_through(state)
    has_stalled = state.still >= 2 or state.round >= state.options.round_cap
    if not is_told:
        if state.tower.count and not is_through and not has_stalled:
            reader.fault("ALC-67", "the tower stands and the deck has not run out, so the game is not over")
        state.winner = Winner.PLAYER if state.tower.count and is_through else Winner.LOSS
    elif state.winner == Winner.LOSS:
        if state.tower.count and not has_stalled:
            reader.fault("ALC-68", "winner is 'loss', but the tower stands and rounds are left")
    elif not state.tower.count:
        reader.fault("ALC-68", "winner is 'player', but the tower has no card left")
    elif not is_through:
        reader.fault("ALC-67", f"winner is 'player', but passes is {state.passes}: the deck has not run out")
    elif state.options.total_victory and any(
        state.enemy[place] != EMPTY and state.face_up[place] for place in range(len(PLACE_NAMES))
    ):
        reader.fault("ALC-75", "winner is 'player', but an enemy stands face up")
