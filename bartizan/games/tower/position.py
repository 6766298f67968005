"""Write and read whole positions of Tower as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import JANKEN, NOTHING
from bartizan.engine.errors import BadPosition
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rule import interpreted
from bartizan.games.tower.options import Options
from bartizan.games.tower.position_cards import CardReader
from bartizan.games.tower.position_checks import check_table
from bartizan.games.tower.state import (
    AFTER_LAYING,
    DRAWN,
    MOST_DRAWS,
    PLAYS,
    SUITS,
    Known,
    Phase,
    Player,
    Standing,
    State,
    Step,
)
from bartizan.games.tower.words import LEVELS, face_text, level_text

if TYPE_CHECKING:
    from bartizan.games.tower import draw as plain_draw
else:
    from bartizan.games.tower import draw

    plain_draw = interpreted(draw)

KEYS = (
    "to_move",
    "phase",
    "plays_left",
    "players",
    "attacks",
    "deflected",
    "mended",
    "spent",
    "draws_left",
    "draws_must",
    "arriving",
    "deck",
    "discard",
    "rubble",
    "aside",
    "winner",
    "rest",
)
UNORDERED_KEYS = ("hand", "rubble", "aside")
PHASES = {
    "exchange": Phase.EXCHANGE,
    "source": Phase.SOURCE,
    "lay": Phase.LAY,
    "arrival": Phase.ARRIVAL,
    "battle": Phase.BATTLE,
    "draw": Phase.DRAW,
    "defend": Phase.DEFEND,
    "over": Phase.OVER,
}
# Where a turn goes on after the decision of a phase that a position may stand in.
STEPS = {
    Phase.ARRIVAL: Step.ARRIVE,
    Phase.BATTLE: Step.PLAY,
    Phase.DRAW: Step.DRAWING,
    Phase.DEFEND: Step.WINDOW,
    Phase.LAY: Step.END,
}
DAMAGED = "!"


def phase_name(phase: int) -> str:
    """Return the name of a phase in a position."""
    return next(name for name, number in PHASES.items() if number == phase)


# --- Writing -----------------------------------------------------------------


def write_position(view: State) -> dict[str, Any]:
    """Return the whole state as a position, hidden cards and the deck's order included."""
    position: dict[str, Any] = {
        "to_move": 0 if view.phase == Phase.OVER else view.to_move,
        "phase": phase_name(view.phase),
        "plays_left": view.plays_left,
        "players": [_player(view.players[seat]) for seat in range(view.seats)],
        "attacks": [
            {"from": attack.sender, "at": attack.target, "card": face_text(attack.face)}
            for attack in view.attacks[: view.flying]
        ],
        "deflected": view.deflected,
        "mended": bool(view.mended),
        "spent": _texts(view.spent),
        "draws_left": view.draws_left,
        "draws_must": view.draws_must,
    }
    if view.phase == Phase.DEFEND:
        position["arriving"] = view.active
    return position | {
        "deck": _texts(view.deck),
        "discard": _texts(view.discard),
        "rubble": [JANKEN.text(card) for card in sorted(view.rubble.listed() + view.buried.listed())],
        "aside": [JANKEN.text(card) for card in sorted(view.aside.listed())],
        "winner": winner_of(view),
    }


def winner_of(view: State) -> str | int:
    """Return who has won: ``none``, ``draw``, or a seat."""
    return {0: "none", DRAWN: "draw"}.get(view.winner, view.winner)


def _texts(pile: Pile) -> list[str]:
    return [JANKEN.text(card) for card in pile.listed()]


def _player(player: Player) -> dict[str, Any]:
    hand = {"hand": [JANKEN.text(card) for card in player.hand.listed()[::-1]]}
    if player.standing == Standing.BUILDING:
        return hand | {"turns": player.turns}
    tower = {LEVELS[level]: _level(player, level) for level in range(SUITS)}
    return hand | {"tower": tower, "turns": player.turns}


def _level(player: Player, level: int) -> str:
    if player.tower[level] == EMPTY:
        return NOTHING
    return level_text(player.tower[level], level) + (DAMAGED if player.damaged[level] else "")


# --- Reading -----------------------------------------------------------------


def read_position(given: Mapping[str, Any], options: Options, seats: int, seed: str) -> State:
    """Make a state from a position; cards named nowhere are dealt by the seed.

    Raises `UnknownCard` for a text that is no card, and `BadPosition` with
    every fault and its clause.
    """
    reader = PositionReader(given, KEYS)
    state = State()
    options.put_into(state.options)
    state.seats = seats
    unknown_keys = len(reader.faults)
    state.phase = PHASES[reader.word("phase", _first_phase(given), list(PHASES))]
    state.to_move = state.active = reader.integer(
        "to_move", 0 if state.phase == Phase.OVER else 1, 0 if state.phase == Phase.OVER else 1, seats
    )
    if state.phase == Phase.DEFEND:
        state.active = reader.integer("arriving", state.to_move % seats + 1, 1, seats, "TWR-31")
    state.step = STEPS.get(Phase(state.phase), Step.TURN)
    is_turn_readable = len(reader.faults) == unknown_keys
    hand_sizes = CardReader(reader, state, seed).place()
    _read_figures(reader, state)
    check_table(reader, state, hand_sizes, is_turn_readable)
    if reader.faults:
        raise BadPosition(reader.faults)
    return state


def _first_phase(given: Mapping[str, Any]) -> str:
    """Return the phase of a position that names none: battle where the seat to move has a tower."""
    players, to_move = given.get("players"), given.get("to_move", 1)
    if isinstance(players, (list, tuple)) and isinstance(to_move, int) and 0 < to_move <= len(players):
        player = players[to_move - 1]
        if isinstance(player, Mapping) and "tower" in player:
            return "battle"
    return "exchange"


def _read_figures(reader: PositionReader, state: State) -> None:
    """Read what is counted: plays, draws, deflections, turns; and who has won."""
    state.left = sum(player.standing != Standing.OUT for player in state.players[: state.seats])
    winner = reader.given.get("winner", "none")
    winners: dict[Any, int] = {"none": 0, "draw": DRAWN} | {seat: seat for seat in range(1, state.seats + 1)}
    if isinstance(winner, bool) or not isinstance(winner, (str, int)) or winner not in winners:
        reader.fault("TWR-64", f"winner is {winner!r}; it can be none, draw or a seat")
    else:
        state.winner = winners[winner]
    state.deflected = reader.integer("deflected", 0, 0, 2, "TWR-33")
    state.mended = int(reader.truth("mended"))
    plays = PLAYS if state.phase == Phase.BATTLE else 0
    state.plays_left = reader.integer("plays_left", plays, 0, PLAYS, "TWR-13")
    if state.phase == Phase.DRAW:
        _read_draws(reader, state)
    else:
        for key in ("draws_left", "draws_must"):
            reader.integer(key, 0, 0, 0, "TWR-18")
    if state.phase == Phase.LAY and state.to_move:
        state.players[state.to_move - 1].known = Known.COMPLETE


def _read_draws(reader: PositionReader, state: State) -> None:
    """Read how many cards are still to be drawn; left out, as many as the rules give (TWR-12, TWR-Q13)."""
    derived = state.copy()
    derived.plays_left = 0
    plain_draw.count_draws(derived)
    if state.plays_left:  # a tower has just been laid
        due = max(0, AFTER_LAYING - state.players[state.active - 1].hand.count)
        derived.draws_left, derived.draws_must = due, due
    state.draws_left = reader.integer("draws_left", derived.draws_left, 0, MOST_DRAWS, "TWR-53")
    most = min(state.draws_left, derived.draws_must)
    state.draws_must = reader.integer("draws_must", most, 0, state.draws_left, "TWR-19")
