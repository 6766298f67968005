"""Write and read whole positions of Card Barrage as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bartizan.engine.cards import NOTHING
from bartizan.engine.notation import PositionReader, squeeze
from bartizan.engine.notation.codec import Key, PositionCodec, integer, truth
from bartizan.engine.record import EMPTY
from bartizan.games.card_barrage import deal
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.options import Options
from bartizan.games.card_barrage.phases import PHASES
from bartizan.games.card_barrage.position.cards import CardReader, Cards
from bartizan.games.card_barrage.position.checks import CHECKS, first_asked
from bartizan.games.card_barrage.position.winner import read_winner, winner_of
from bartizan.games.card_barrage.state import HIGHEST, SIDES, WALLS, Phase, State
from bartizan.games.card_barrage.table import MOST_SHUFFLES, SHOWN
from bartizan.games.card_barrage.words.names import keepers, numbers_of, spot

MOST_SCORED = 2  # cards of one attack (CB-37)


def _seated(options: Options, seats: int) -> State:
    """Return a table at which everyone sits and on which nothing lies yet."""
    state = State()
    options.put_into(state.options)
    state.seats = seats
    deal.seat_everybody(state)
    deal.clear(state)
    return state


def _undealt(options: Options, seats: int, seed: str) -> State:
    return _seated(options, seats)


def players_listed(options: Options, seats: int) -> int:
    """Return how many castles so many people have: one each in `players`."""
    return _seated(options, seats).castles


# --- Whose turn it is ---------------------------------------------------------


def _to_move(state: State) -> int:
    return 0 if state.phase == Phase.OVER else state.to_move + 1


def _read_to_move(reader: PositionReader, state: State) -> None:
    """Read the phase, then who is to move; left out, `_lay_cards` finds who is asked first."""
    name = reader.word("phase", PHASES[Phase.TURN].name, PHASES.names[Phase.WALLS :])
    state.phase = PHASES.names.index(name)
    least, most = (0, 0) if state.phase == Phase.OVER else (1, state.castles)
    state.to_move = reader.integer("to_move", least, least, most, "CB-8") - 1


def _read_active(reader: PositionReader, state: State) -> None:
    usual = max(state.to_move + 1, 1)
    state.active = reader.integer("active", usual, 1, state.castles, "CB-8") - 1
    if state.phase == Phase.OVER:
        state.to_move = state.active


def _read_first(reader: PositionReader, state: State) -> None:
    state.first = reader.integer("first", 1, 1, state.castles, "CB-14") - 1


def _with_who_is_to_move(reader: PositionReader, state: State) -> None:
    """Read nothing: `_read_to_move` has."""


def _numbers(name: str, most: str, clause: str) -> Key:
    """Return the key of a field whose bits are written as numbers from 1; `most` has how many there are."""

    def read(reader: PositionReader, state: State) -> None:
        value, last = reader.given.get(name, []), getattr(state, most)
        if isinstance(value, list) and all(type(each) is int and 1 <= each <= last for each in value):
            setattr(state, name, sum(1 << each - 1 for each in set(value)))
        else:
            reader.fault(clause, f"{name} is {value!r}; it must be a list of numbers from 1 to {last}")

    return Key(name, lambda state: numbers_of(getattr(state, name)), read)


# --- What an attack has left to settle ----------------------------------------


def _scored(state: State) -> list[str]:
    return [TECH.text(state.scored[place]) for place in range(state.newly)]


def _read_scored(reader: PositionReader, state: State) -> None:
    """Read the cards just scored."""
    scored = sorted(reader.parsed("scored", TECH.parse))
    if len(scored) > MOST_SCORED:
        reader.fault("CB-37", f"scored has {len(scored)} cards; one attack hits two targets at most")
    elif any(card >= TECH.plain for card in scored):
        given = reader.texts("scored")
        reader.fault("CB-40", f"scored is {given}; a wild card is a castle and is never scored")
    else:
        state.newly = len(scored)
        for place, card in enumerate(scored):
            state.scored[place] = card


def _open(state: State) -> dict[str, str]:
    return {
        spot(*divmod(wall, WALLS)): TECH.text(card) for wall, card in enumerate(state.open) if card != EMPTY
    }


def _read_open(reader: PositionReader, state: State) -> None:
    """Read the walls that await replacement."""
    given = reader.given.get("open", {})
    if not isinstance(given, Mapping):
        reader.fault("CB-42", f'open is {given!r}; it must be a table such as {{ "2.3" = "3t" }}')
        return
    walls = {
        spot(seat, slot): seat * WALLS + slot for seat in range(state.castles) for slot in range(state.slots)
    }
    for place, text in given.items():
        card = TECH.parse(text) if isinstance(text, str) else TECH.plain
        wall = walls.get(squeeze(str(place)).lower())
        if wall is None or card >= TECH.plain:
            names = f"open has {place} = {text!r}; it names slots such as 2.3 with the wall that fell"
            reader.fault("CB-42", names)
        else:
            state.open[wall] = card


# --- What lies before each seat -----------------------------------------------


def _players(state: State) -> list[dict[str, Any]]:
    return [_player(state, seat) for seat in range(state.castles)]


def _player(state: State, seat: int) -> dict[str, Any]:
    """Return what lies before one seat; the side's piles are with its lowest seat."""
    hand = state.hand[seat]
    walls = [state.wall[seat * WALLS + slot] for slot in range(state.slots)]
    player: dict[str, Any] = {
        "hand": [TECH.text(hand.cards[place]) for place in range(hand.count)],
        "walls": [NOTHING if card == EMPTY else TECH.text(card) for card in walls],
        "moved": _slots(state, seat, state.moved),
        "lost": _slots(state, seat, state.lost),
        "castle": TECH.text(state.castle[seat]),
    }
    if seat in keepers(state):
        score = state.score[seat]
        player["points"] = score.points
        player["pile"] = [TECH.text(card) for card in range(TECH.plain) for _ in range(score.cards[card])]
    if seat < state.sides:
        player["deck"] = [TECH.text(card) for card in state.deck[seat].listed()]
        player["discard"] = [TECH.text(card) for card in state.discard[seat].listed()]
    return player


def _slots(state: State, seat: int, walls: int) -> list[int]:
    """Return which slots of a seat are among some walls, from 1."""
    return [slot + 1 for slot in range(state.slots) if walls >> seat * WALLS + slot & 1]


def _read_players(reader: CardReader, state: State) -> None:
    reader.cards = Cards(reader, state)


def _lay_cards(reader: CardReader, state: State) -> None:
    """Lay all cards, named or not, once it is known what is named; then see who is asked first."""
    reader.cards.lay()
    if "to_move" not in reader.given:
        state.to_move = first_asked(state)


# --- Both ways ------------------------------------------------------------------


POSITION = PositionCodec(
    Key("to_move", _to_move, _read_to_move),
    Key("active", lambda state: state.active + 1, _read_active),
    Key("first", lambda state: state.first + 1, _read_first),
    integer("round", low=1, high=lambda state: state.options.turn_cap, default=1, clause="CB-24"),
    Key("phase", lambda state: PHASES[state.phase].name, _with_who_is_to_move),
    truth("built"),
    truth("upgraded"),
    truth("attacked"),
    truth("ending"),
    _numbers("stormed", "sides", "CB-22"),
    _numbers("gives", "castles", "CB-38"),
    Key("scored", _scored, _read_scored),
    Key("open", _open, _read_open),
    Key("players", _players, _read_players),
    Key("winner", winner_of, read_winner),
    Key("rest", lambda state: "aside" if state.aside.count else None, _lay_cards),
    start=_undealt,
    checks=CHECKS,
    reader=CardReader,
    unordered=("hand", "pile", "scored", "gives", "stormed"),
    untold={
        "hand.origin": (SHOWN, MOST_SHUFFLES * SIDES + SIDES - 1),
        "hand.above": (0, HIGHEST),
        "shuffles": (0, MOST_SHUFFLES),
    },
)
