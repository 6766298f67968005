"""Write and read whole positions of Tower as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bartizan.engine.notation.codec import Key, PositionCodec, integer, truth
from bartizan.games.tower import draw
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.options import MOST_PLAYS, Options
from bartizan.games.tower.phases import PHASES
from bartizan.games.tower.position.cards import HAND_ROOM, CardReader
from bartizan.games.tower.position.checks import check_table
from bartizan.games.tower.position.players import read_attacks, read_players, write_attacks, write_players
from bartizan.games.tower.state import (
    AFTER_LAYING,
    DRAWN,
    FACES,
    MOST_DRAWS,
    OPEN,
    SEATS,
    Known,
    Phase,
    State,
    Step,
)

# Where a turn continues after the decision of each phase that a position may be in.
STEPS = {
    Phase.ARRIVAL: Step.ARRIVE,
    Phase.BATTLE: Step.PLAY,
    Phase.DRAW: Step.DRAWING,
    Phase.DEFEND: Step.WINDOW,
    Phase.LAY: Step.END,
}


# --- Whose turn it is ---------------------------------------------------------


def _to_move(state: State) -> int:
    return 0 if state.phase == Phase.OVER else state.to_move


def _arriving(state: State) -> int | None:
    """Return whose attacks arrive, if another seat decides first or has an extra turn first."""
    return state.active if state.phase == Phase.DEFEND else state.waiting or None


def _read_turn(reader: CardReader, state: State) -> None:
    """Read the phase, the seat to move, and in a defence or an extra turn, whose attacks arrive."""
    faults = len(reader.faults)
    name = reader.word("phase", _first_phase(reader.given), PHASES.names[Phase.EXCHANGE :])
    state.phase = PHASES.names.index(name)
    least = 0 if state.phase == Phase.OVER else 1
    state.to_move = state.active = reader.integer("to_move", least, least, state.seats)
    if state.phase == Phase.DEFEND:
        after = state.to_move % state.seats + 1
        state.active = reader.integer("arriving", after, 1, state.seats, "TWR-31")
    elif state.phase in (Phase.BATTLE, Phase.DRAW) and "arriving" in reader.given:
        state.waiting = reader.integer("arriving", 0, 1, state.seats, "TWR-63")
    state.step = STEPS.get(Phase(state.phase), Step.TURN)
    reader.is_turn_readable = len(reader.faults) == faults


def _with_the_phase(reader: CardReader, state: State) -> None:
    """Read nothing: `_read_turn` has done it."""


def _first_phase(given: Mapping[str, Any]) -> str:
    """Return the default phase of a position: battle if the seat to move has a tower."""
    players, to_move = given.get("players"), given.get("to_move", 1)
    if isinstance(players, (list, tuple)) and isinstance(to_move, int) and 0 < to_move <= len(players):
        player = players[to_move - 1]
        if isinstance(player, Mapping) and "tower" in player:
            return "battle"
    return "exchange"


# --- Cards and draws ----------------------------------------------------------


def _pile(name: str) -> Key:
    """Return the key of a pile, top first."""

    def write(state: State) -> list[str]:
        return [JANKEN.text(card) for card in getattr(state, name).listed()]

    return Key(name, write, lambda reader, state: reader.pile(state, name))


def _heap(name: str, *piles: str) -> Key:
    """Return the key of piles that are one heap in no order."""

    def write(state: State) -> list[str]:
        cards = [card for each in piles for card in getattr(state, each).listed()]
        return [JANKEN.text(card) for card in sorted(cards)]

    return Key(name, write, lambda reader, state: reader.pile(state, name))


def _due(reader: CardReader, state: State) -> tuple[int, int]:
    """Return how many draws the rules allow, and how many of them are required (TWR-12, TWR-Q13)."""
    held = min(HAND_ROOM, len(reader.hands[state.active - 1]))
    if state.plays_left:  # a tower has just been laid
        due = max(0, AFTER_LAYING - held)
        return due, due
    derived = state.copy()
    derived.players[state.active - 1].hand.count = held  # its cards will be dealt later
    draw.count_draws(derived)
    return derived.draws_left, derived.draws_must


def _read_draws_left(reader: CardReader, state: State) -> None:
    if state.phase == Phase.DRAW:
        due, _ = _due(reader, state)
        state.draws_left = reader.integer("draws_left", due, 0, MOST_DRAWS, "TWR-53")
    else:
        reader.integer("draws_left", 0, 0, 0, "TWR-18")


def _read_draws_must(reader: CardReader, state: State) -> None:
    if state.phase == Phase.DRAW:
        _, due = _due(reader, state)
        most = min(state.draws_left, due)
        state.draws_must = reader.integer("draws_must", most, 0, state.draws_left, "TWR-19")
    else:
        reader.integer("draws_must", 0, 0, 0, "TWR-18")


# --- The end ------------------------------------------------------------------


def _winner(state: State) -> str | int:
    """Return who has won: ``none``, ``draw``, or a seat."""
    return {0: "none", DRAWN: "draw"}.get(state.winner, state.winner)


def _read_winner(reader: CardReader, state: State) -> None:
    winner = reader.given.get("winner", "none")
    winners: dict[Any, int] = {"none": 0, "draw": DRAWN} | {seat: seat for seat in range(1, state.seats + 1)}
    if isinstance(winner, bool) or not isinstance(winner, (str, int)) or winner not in winners:
        reader.fault("TWR-64", f"winner is {winner!r}; it can be none, draw or a seat")
    else:
        state.winner = winners[winner]


# --- Both ways ----------------------------------------------------------------


def _undealt(options: Options, seats: int, seed: str) -> State:
    """Return a table with nothing on it yet."""
    state = State()
    options.put_into(state.options)
    state.seats = seats
    return state


def _settle_rubble(state: State) -> None:
    """Put all cards of the Rubble, seen and unseen, in one order: positions don't tell them apart."""
    cards = sorted(state.rubble.listed() + state.buried.listed())
    for place, card in enumerate(cards):
        state.rubble.cards[place] = card
    state.rubble.count, state.buried.count = len(cards), 0
    for place in range(len(cards), len(state.rubble.cards)):
        state.rubble.cards[place] = 0
    for place in range(len(state.buried.cards)):
        state.buried.cards[place] = 0


POSITION = PositionCodec(
    Key("to_move", _to_move, _with_the_phase),
    Key("phase", lambda state: PHASES[state.phase].name, _read_turn),
    integer(
        "plays_left",
        low=0,
        high=MOST_PLAYS,
        default=lambda state: state.options.plays if state.phase == Phase.BATTLE else 0,
        clause="TWR-13",
    ),
    Key("players", write_players, read_players),
    Key("attacks", write_attacks, read_attacks),
    integer("deflected", low=0, high=2, clause="TWR-33"),
    truth("mended"),
    _pile("spent"),
    Key("draws_left", lambda state: state.draws_left, _read_draws_left),
    Key("draws_must", lambda state: state.draws_must, _read_draws_must),
    Key("arriving", _arriving, _with_the_phase),
    _pile("deck"),
    _pile("discard"),
    _heap("rubble", "rubble", "buried"),
    _heap("aside", "aside"),
    Key("winner", _winner, _read_winner),
    Key("rest", lambda state: None, lambda reader, state: reader.deal_all(state)),
    start=_undealt,
    checks=(check_table,),
    reader=CardReader,
    unordered=("hand", "rubble", "aside"),
    untold={
        "step": (0, max(Step)),
        "active": (1, SEATS),
        "to_move": (0, SEATS),
        "generation": (0, 127),
        "since": (0, 127),
        "buried_since": (0, 127),
        "players.since": (OPEN, 127),
        "players.known": (0, max(Known)),
        # Attacks that have landed come after those in flight.
        "attacks.sender": (0, SEATS),
        "attacks.target": (0, SEATS),
        "attacks.face": (0, FACES - 1),
    },
    settle=_settle_rubble,
)
