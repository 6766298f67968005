"""Write and read whole positions of Card Barrage as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import NOTHING, TECH
from bartizan.engine.errors import BadPosition
from bartizan.engine.notation import PositionReader, squeeze
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage.layout import lay_cards
from bartizan.games.card_barrage.options import CastleHitEmpty, Options, PerfectSlot, WallSetup
from bartizan.games.card_barrage.state import SOLO, WALLS, Phase, State
from bartizan.games.card_barrage.words import keepers, spot

if TYPE_CHECKING:
    from bartizan.games.card_barrage import deal as plain_deal
    from bartizan.games.card_barrage import rules as plain_rules
    from bartizan.games.card_barrage import table as plain
else:
    from bartizan.games.card_barrage import deal, rules, table

    plain, plain_deal, plain_rules = interpreted(table), interpreted(deal), interpreted(rules)

KEYS = (
    "to_move",
    "active",
    "first",
    "round",
    "phase",
    "built",
    "upgraded",
    "attacked",
    "ending",
    "stormed",
    "gives",
    "scored",
    "open",
    "players",
    "winner",
    "rest",
)
UNORDERED_KEYS = ("hand", "pile", "scored", "gives", "stormed")
PHASES = {phase.name.lower(): phase for phase in Phase if phase >= Phase.WALLS}


# --- Writing -----------------------------------------------------------------


def write_position(view: State) -> dict[str, Any]:
    """Return the whole state as a position."""
    over = view.phase == Phase.OVER
    return {
        "to_move": 0 if over else view.to_move + 1,
        "active": view.active + 1,
        "first": view.first + 1,
        "round": view.round,
        "phase": phase_name(view.phase),
        "built": bool(view.built),
        "upgraded": bool(view.upgraded),
        "attacked": bool(view.attacked),
        "ending": bool(view.ending),
        "stormed": _numbers(view.stormed),
        "gives": _numbers(view.gives),
        "scored": [TECH.text(view.scored[place]) for place in range(view.newly)],
        "open": {
            spot(*divmod(wall, WALLS)): TECH.text(card)
            for wall, card in enumerate(view.open)
            if card != EMPTY
        },
        "players": [_player(view, seat) for seat in range(view.castles)],
        "winner": winner_of(view),
        **({"rest": "aside"} if view.aside.count else {}),
    }


def players_listed(options: Options, seats: int) -> int:
    """Return how many castles so many people have: one each in `players`."""
    table = State()
    options.put_into(table.options)
    table.seats = seats
    plain_deal.seat_everybody(table)
    return table.castles


def phase_name(phase: int) -> str:
    """Return the name of a phase in a position."""
    return Phase(phase).name.lower()


def winner_of(view: State) -> str | int | list[int]:
    """Return who has won: ``none``, a seat, or the seats of all such sides; alone ``player`` or ``loss``."""
    if view.phase != Phase.OVER:
        return "none"
    if view.seats == SOLO:
        return {1: "player", 2: "loss"}.get(view.winners, "draw")
    seats = [seat + 1 for seat in range(view.castles) if view.winners >> plain.side_of(view, seat) & 1]
    return seats[0] if len(seats) == 1 else seats


def _numbers(bits: int) -> list[int]:
    """Return which bits of a number are set, from 1."""
    return [number + 1 for number in range(bits.bit_length()) if bits >> number & 1]


def _slots(view: State, seat: int, bits: int) -> list[int]:
    return [slot + 1 for slot in range(view.slots) if bits >> seat * WALLS + slot & 1]


def _player(view: State, seat: int) -> dict[str, Any]:
    """Return what lies before one seat; the side's piles are with its lowest seat."""
    hand = view.hand[seat]
    walls = [view.wall[seat * WALLS + slot] for slot in range(view.slots)]
    player: dict[str, Any] = {
        "hand": [TECH.text(hand.cards[place]) for place in range(hand.count)],
        "walls": [NOTHING if card == EMPTY else TECH.text(card) for card in walls],
        "moved": _slots(view, seat, view.moved),
        "lost": _slots(view, seat, view.lost),
        "castle": TECH.text(view.castle[seat]),
    }
    if seat in keepers(view):
        score = view.score[seat]
        player["points"] = score.points
        player["pile"] = [TECH.text(card) for card in range(TECH.plain) for _ in range(score.cards[card])]
    if seat < view.sides:
        player["deck"] = [TECH.text(card) for card in view.deck[seat].listed()]
        player["discard"] = [TECH.text(card) for card in view.discard[seat].listed()]
    return player


# --- Reading -----------------------------------------------------------------


def read_position(given: Mapping[str, Any], options: Options, seats: int, seed: str) -> State:
    """Make a state from a position; cards not named are dealt by the seed, or lie aside.

    Raises `BadPosition` with every fault and its clause, and `UnknownCard`.
    """
    reader = PositionReader(given, KEYS)
    state = State()
    options.put_into(state.options)
    state.seats = seats
    plain_deal.seat_everybody(state)
    plain_deal.clear(state)
    _read_turn(reader, state)
    lay_cards(reader, state, seed)
    _read_aftermath(reader, state)
    _read_winner(reader, state)
    if not reader.faults:
        _check_turn(reader, state)
        _check_table(reader, state)
        _check_end(reader, state)
    if reader.faults:
        raise BadPosition(reader.faults)
    return state


def _read_turn(reader: PositionReader, state: State) -> None:
    """Read whose turn it is, and what has been done in it."""
    most = state.castles
    state.phase = PHASES[reader.word("phase", "turn", list(PHASES))]
    over = state.phase == Phase.OVER
    to_move = reader.integer("to_move", 0 if over else 1, 0 if over else 1, 0 if over else most, "CB-8")
    state.active = reader.integer("active", to_move or 1, 1, most, "CB-8") - 1
    state.to_move = state.active if over else to_move - 1
    state.first = reader.integer("first", 1, 1, most, "CB-14") - 1
    state.round = reader.integer("round", 1, 1, state.options.turn_cap, "CB-24")
    state.built = int(reader.truth("built"))
    state.upgraded = int(reader.truth("upgraded"))
    state.attacked = int(reader.truth("attacked"))
    state.ending = int(reader.truth("ending"))
    state.stormed = _bits(reader, "stormed", state.sides, "CB-22")
    state.gives = _bits(reader, "gives", state.castles, "CB-38")


def _bits(reader: PositionReader, key: str, most: int, clause: str) -> int:
    """Read a list of numbers from 1 as the bits of one."""
    value = reader.given.get(key, [])
    if not isinstance(value, list) or not all(type(each) is int and 1 <= each <= most for each in value):
        reader.fault(clause, f"{key} is {value!r}; it must be a list of numbers from 1 to {most}")
        return 0
    return sum(1 << each - 1 for each in set(value))


def _read_aftermath(reader: PositionReader, state: State) -> None:
    """Read what an attack has left to settle: cards just scored, walls that await replacement."""
    scored = sorted(reader.parsed("scored", TECH.parse))
    pile = state.score[plain.keeper(state, state.active)]
    if len(scored) > 2 or any(card >= TECH.plain or pile.cards[card] < scored.count(card) for card in scored):
        reader.fault(
            "CB-40", f"scored is {reader.texts('scored')}; it names up to two cards of the attacker's pile"
        )
        scored = []
    state.newly = len(scored)
    for place, card in enumerate(scored):
        state.scored[place] = card
    given = reader.given.get("open", {})
    if not isinstance(given, Mapping):
        reader.fault("CB-42", f'open is {given!r}; it must be a table such as {{ "2.3" = "3t" }}')
        return
    for place, text in given.items():
        _read_open(reader, state, str(place), text)


def _read_open(reader: PositionReader, state: State, place: str, text: Any) -> None:
    card = TECH.parse(text) if isinstance(text, str) else TECH.plain
    walls = {
        spot(seat, slot): seat * WALLS + slot for seat in range(state.castles) for slot in range(state.slots)
    }
    wall = walls.get(squeeze(place).lower())
    if wall is None or card >= TECH.plain:
        reader.fault(
            "CB-42", f"open has {place} = {text!r}; it names slots such as 2.3 with the wall that fell"
        )
    elif state.wall[wall] != EMPTY:
        reader.fault("CB-42", f"open names {place}, where the {TECH.text(state.wall[wall])} stands")
    elif plain.side_of(state, wall // WALLS) == plain.side_of(state, state.active):
        reader.fault("CB-42", f"open names {place}, which is on the attacker's own side")
    elif not state.score[plain.keeper(state, state.active)].cards[card]:
        reader.fault("CB-35", f"open names the {TECH.text(card)}, which is not on the attacker's pile")
    else:
        state.open[wall] = card


def _read_winner(reader: PositionReader, state: State) -> None:
    """Read who has won; a finished game has a winner, a running one has none."""
    given = reader.given.get("winner", "none")
    known: dict[str, int] = {"none": 0}
    if state.seats == SOLO:
        known |= {"player": 1, "loss": 2, "draw": 3}
    else:
        for sides in range(1, 1 << state.sides):
            seats = [seat + 1 for seat in range(state.castles) if sides >> plain.side_of(state, seat) & 1]
            known[str(seats[0] if len(seats) == 1 else seats)] = sides
    word = str(
        sorted(given) if isinstance(given, list) and all(type(each) is int for each in given) else given
    )
    if word not in known:
        reader.fault("CB-24", f"winner is {given!r}; it can be {', '.join(known)}")
        return
    state.winners = known[word]
    if state.phase == Phase.OVER and "winner" not in reader.given:
        return  # `_check_end` finds who has won
    if (state.phase == Phase.OVER) != bool(state.winners):
        reader.fault("CB-24", "a finished game has phase 'over' and a winner, a running one has neither")


# --- What cannot be ----------------------------------------------------------


def _check_turn(reader: PositionReader, state: State) -> None:
    """Note what the phase, the turn and its decision have against each other."""
    phase, mover, active = state.phase, state.to_move, state.active
    if state.built and state.attacked:
        reader.fault("CB-18", "built and attacked are both true; whoever builds does not attack")
    if phase == Phase.TURN and mover != active:
        reader.fault("CB-15", f"to_move is {mover + 1} in the turn of seat {active + 1}")
    dealt = state.options.wall_setup != WallSetup.CHOSEN_FROM_9 and not plain.is_untold(state)
    if phase == Phase.WALLS and dealt:
        reader.fault("CB-12", "phase is 'walls', but the walls are dealt in this game")
    if phase == Phase.REVEAL and (state.seats != SOLO or active != 1 or mover != 0):
        reader.fault("CB-46", "phase is 'reveal' only alone, in the turn of seat 2, for seat 1 to move")
    shows = plain.is_untold(state) and phase in (Phase.WALLS, Phase.GIVE, Phase.REPLACE)
    if phase not in (Phase.REVEAL, Phase.OVER) and plain.is_simulacrum(state, mover) and not shows:
        reader.fault("CB-46", "the simulacrum, seat 2, decides nothing")
    if phase == Phase.TURN and plain.is_simulacrum(state, active):
        reader.fault("CB-46", "the simulacrum's turn has phase 'reveal'")
    if phase in (Phase.DISCARD, Phase.GIVE) and not _has_card(state, mover):
        reader.fault("CB-40" if phase == Phase.DISCARD else "CB-38", f"seat {mover + 1} has no card in hand")
    for seat in _numbers(state.gives):
        if plain.side_of(state, seat - 1) == plain.side_of(state, active) or not _has_card(state, seat - 1):
            reader.fault("CB-38", f"gives names seat {seat}, which is no enemy with a card in hand")


def _has_card(state: State, seat: int) -> bool:
    """Say whether a seat can give a card: of its hand, or a real one off its deck (CB-Q19, CB-Q39)."""
    from_deck = plain.is_simulacrum(state, seat) or (
        state.options.castle_hit_empty == CastleHitEmpty.DECK_CARD and state.phase == Phase.GIVE
    )
    if plain.is_untold(state) and from_deck:
        return plain.has_card(state, plain.side_of(state, seat))
    return bool(state.hand[seat].count)


def _check_end(reader: PositionReader, state: State) -> None:
    """Check that a game that is over has ended as the rules end it; a winner left out is found by them."""
    if state.phase != Phase.OVER:
        return
    target, end = state.options.target, state.copy()
    if not state.ending and plain.most_points(state) < target and state.round < state.options.turn_cap:
        reader.fault("CB-24", f"nobody has {target} points and rounds are left, so the game is not over")
        return
    plain_rules.finish(end)
    if "winner" not in reader.given:
        state.winners = end.winners
    elif state.winners != end.winners:
        reader.fault(
            "CB-24", f"winner is {reader.given['winner']!r}; as the score stands it is {winner_of(end)!r}"
        )


def _check_table(reader: PositionReader, state: State) -> None:
    """Note what lies wrong."""
    for wall in range(state.castles * WALLS):
        seat, slot = divmod(wall, WALLS)
        stands = state.wall[wall] != EMPTY
        if state.moved >> wall & 1 and not stands:
            reader.fault("CB-32", f"moved names slot {slot + 1} of seat {seat + 1}, where no wall stands")
        if state.lost >> wall & 1 and (stands or state.options.perfect_slot != PerfectSlot.LOST):
            reader.fault("CB-44", f"lost names slot {slot + 1} of seat {seat + 1}, which is not lost")
    for seat in range(state.castles):
        if plain.is_simulacrum(state, seat) and state.hand[seat].count:
            reader.fault("CB-45", "the simulacrum, seat 2, has no hand")


__all__ = ["phase_name", "read_position", "winner_of", "write_position"]
