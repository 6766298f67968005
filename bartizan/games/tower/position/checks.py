"""Find every rule that a position of Tower breaks."""

from __future__ import annotations

from bartizan.games.tower import arrivals, draw, rules, values
from bartizan.games.tower.options import DefenceWindow, ForcedLeftovers, LastTurn, LayDown
from bartizan.games.tower.position.cards import CardReader
from bartizan.games.tower.state import (
    AFTER_LAYING,
    DEAL,
    DRAWN,
    MOAT_CARDS,
    Phase,
    Standing,
    State,
)
from bartizan.games.tower.words.names import cards

BUILDING_PHASES = (Phase.EXCHANGE, Phase.SOURCE, Phase.LAY)


def check_table(reader: CardReader, state: State) -> None:
    """Note every violation by the cards and the numbers.

    Where phase and seat to move could not be read, what depends on them is left alone.
    """
    for seat, hand in enumerate(reader.hands, 1):
        _check_hand(reader, state, seat, len(hand))
    _check_attacks(reader, state)
    if state.phase == Phase.OVER:
        _check_end(reader, state)
    else:
        _check_not_over(reader, state)
        if reader.is_turn_readable:
            _check_phase(reader, state)


def _check_not_over(reader: CardReader, state: State) -> None:
    """Check that a running game isn't decided."""
    if state.winner:
        reader.fault("TWR-64", "a game that has a winner has phase 'over'")
    if state.left == 0:
        reader.fault("TWR-65", "every tower has fallen, so the game is over")
    elif rules.is_decided(state):
        reader.fault("TWR-64", f"seat {rules.survivor(state)} alone is left, so the game is over")


def _check_hand(reader: CardReader, state: State, seat: int, held: int) -> None:
    player = state.players[seat - 1]
    if player.standing == Standing.OUT and held:
        reader.fault("TWR-61", f"seat {seat} is out and still holds {cards(held)}")
    if player.standing == Standing.BUILDING:
        asked = state.phase == Phase.SOURCE and state.active == seat
        wanted = DEAL - 1 if asked else DEAL
        # Where the draw pile is empty, or was as cards lie aside, there was no replacement (TWR-Q17).
        ran_dry = state.deck.count == 0 or state.aside.count > 0
        may_lack = state.phase == Phase.OVER or not reader.is_turn_readable or ran_dry
        if held > wanted or (held < wanted and not may_lack):
            reader.fault("TWR-7", f"seat {seat} has no tower and holds {cards(held)}; it must be {wanted}")
    keep = state.options.forced_leftovers == ForcedLeftovers.KEEP
    most = max(state.options.hand + MOAT_CARDS, DEAL - 1 + AFTER_LAYING if keep else 0)
    if player.standing == Standing.DEFENDING and held > most:
        reader.fault("TWR-49", f"seat {seat} holds {cards(held)}; it may be {most}")


def _check_attacks(reader: CardReader, state: State) -> None:
    for number in range(state.flying):
        attack = state.attacks[number]
        if attack.sender == attack.target:
            reader.fault("TWR-17", f"seat {attack.sender} attacks its own tower")
        for seat in (attack.sender, attack.target):
            if state.players[seat - 1].standing == Standing.BUILDING:
                what = "attacks" if seat == attack.sender else "is attacked"
                reader.fault("TWR-17", f"seat {seat} {what} and has no tower yet")
    for seat in range(1, state.seats + 1):
        if values.count_sent(state, seat) > 2:
            reader.fault("TWR-29", f"seat {seat} has more than two attacks in flight")


def _check_end(reader: CardReader, state: State) -> None:
    """Check that a finished game has ended as the rules say (TWR-64, TWR-65, TWR-Q36)."""
    is_told = "winner" in reader.given
    if is_told and not state.winner:
        if reader.given["winner"] == "none":
            reader.fault("TWR-64", "a game that is over has a winner, or 'draw'")
        return
    if is_told and state.winner != DRAWN and state.players[state.winner - 1].standing == Standing.OUT:
        reader.fault("TWR-64", f"seat {state.winner} has won and has no tower")
        return
    end = state.copy()
    if rules.is_decided(state):
        rules.finish(end)
    elif any(_has_had_all_turns(state, seat) for seat in range(1, state.seats + 1)):
        rules.break_off(end)
    else:
        reader.fault("TWR-64", "no player is left alone and unthreatened, nor has one had all his turns")
        return
    if not is_told:
        state.winner = end.winner
    elif state.winner != end.winner:
        result = "no one has won" if end.winner == DRAWN else f"seat {end.winner} has won"
        reader.fault("TWR-64", f"as the towers stand {result}")


def _has_had_all_turns(state: State, seat: int) -> bool:
    """Return whether the turn limit stops the game when it is a seat's turn (TWR-Q36)."""
    player = state.players[seat - 1]
    return player.standing != Standing.OUT and player.turns >= state.options.turn_cap


def _check_phase(reader: CardReader, state: State) -> None:
    """Check what a phase requires of the seat to move."""
    player = state.players[state.to_move - 1]
    name = f"seat {state.to_move}"
    if state.phase in BUILDING_PHASES and player.standing != Standing.BUILDING:
        reader.fault("TWR-12", f"{name} is asked to build and has laid a tower")
    if state.phase in (Phase.BATTLE, Phase.DRAW, Phase.DEFEND) and player.standing != Standing.DEFENDING:
        reader.fault("TWR-13", f"{name} is asked to play and has no tower that stands")
    if state.phase == Phase.ARRIVAL and player.standing == Standing.BUILDING:
        reader.fault("TWR-17", f"{name} has no tower and no attack that could arrive")
    if _has_had_all_turns(state, state.active):
        reader.fault("TWR-64", f"seat {state.active} has had all its turns, so the game is over")
    _check_spent(reader, state)
    limit = values.hand_limit(state, player)
    if state.draws_left and player.hand.count + state.draws_left > limit:
        due = cards(state.draws_left)
        reader.fault("TWR-14", f"{name} holds {cards(player.hand.count)} of {limit} and cannot draw {due}")
    if not state.plays_left and state.draws_left > draw.most_draws(state, player):
        reader.fault("TWR-19", f"{name} has no undamaged Moat and cannot draw a third card")
    if state.phase == Phase.LAY and not values.is_complete(player):
        reader.fault("TWR-9", f"{name} is asked to lay a tower and lacks a suit")
    if state.plays_left and not _may_have_plays(state):
        reader.fault("TWR-13", f"plays_left is {state.plays_left}; plays belong to phase 'battle'")
    if state.phase == Phase.DEFEND:
        _check_window(reader, state)
    elif state.waiting:
        _check_last_turn(reader, state)


def _check_spent(reader: CardReader, state: State) -> None:
    """Check that only cards put down this turn are set aside (TWR-8, TWR-13, TWR-Q16)."""
    count = state.spent.count
    if state.phase == Phase.SOURCE:
        if count != 1:
            reader.fault("TWR-8", f"one card has been put down for a replacement, not {count}")
    elif state.phase in (Phase.EXCHANGE, Phase.ARRIVAL, Phase.DEFEND):
        if count:
            reader.fault("TWR-18", f"spent has {cards(count)}; nothing has been put down yet in this turn")
    elif state.plays_left > state.options.plays:
        reader.fault("TWR-13", f"plays_left is {state.plays_left}; a turn has {state.options.plays}")
    elif count > (1 if state.phase == Phase.LAY else state.options.plays - state.plays_left):
        reader.fault("TWR-13", f"spent has {cards(count)}, more than have been played in this turn")


def _may_have_plays(state: State) -> bool:
    """Return whether plays can be left now: in the battle, or after the draws of a newly laid tower."""
    laying = state.phase == Phase.DRAW and state.options.lay_down == LayDown.ANY_TIME
    return state.phase == Phase.BATTLE or laying


def _check_window(reader: CardReader, state: State) -> None:
    if state.options.defence_window != DefenceWindow.ANY_TIME:
        reader.fault("TWR-31", "phase 'defend' needs defence_window = any_time")
    elif state.to_move == state.active or not arrivals.may_defend(state, state.to_move):
        reader.fault(
            "TWR-31", f"seat {state.to_move} has nothing to deflect of seat {state.active}'s attacks"
        )


def _check_last_turn(reader: CardReader, state: State) -> None:
    """Check that an extra turn is valid: the last player's, before attacks that still have to arrive."""
    if state.options.last_turn != LastTurn.EXTRA:
        reader.fault("TWR-63", "arriving needs phase 'defend', or an extra turn (last_turn = extra)")
    elif state.left != 1:
        reader.fault("TWR-63", f"{state.left} players are left; an extra turn is for the last one")
    elif state.waiting == state.to_move:
        reader.fault("TWR-63", "arriving is the seat to move; an extra turn comes before another seat's")
    elif state.phase == Phase.BATTLE and not state.deflected:
        if not rules.arrives_first(state, state.waiting, state.to_move):
            reader.fault("TWR-63", f"no attack arrives before the next turn of seat {state.to_move}")
