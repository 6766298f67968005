"""Write and read whole positions of Card Barrage as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import NOTHING, TECH
from bartizan.engine.errors import BadPosition
from bartizan.engine.notation import PositionReader, squeeze
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage.faults import faults, first_asked, seats_of
from bartizan.games.card_barrage.layout import lay_cards
from bartizan.games.card_barrage.options import Options
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
MOST_SCORED = 2  # cards of one attack (CB-37)
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
    return [number + 1 for number in seats_of(bits)]


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
    if "to_move" not in given:
        state.to_move = first_asked(state)
    if not reader.faults:
        reader.faults += faults(state)
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
    if len(scored) > MOST_SCORED:
        reader.fault("CB-37", f"scored has {len(scored)} cards; one attack hits two targets at most")
    elif any(card >= TECH.plain for card in scored):
        reader.fault(
            "CB-40", f"scored is {reader.texts('scored')}; a wild card is a castle and is never scored"
        )
    else:
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


__all__ = ["phase_name", "read_position", "winner_of", "write_position"]
