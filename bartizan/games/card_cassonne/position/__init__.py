"""Write and read whole positions of Card-cassonne as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bartizan.engine.cards import POKER
from bartizan.engine.notation import PositionReader
from bartizan.engine.notation.codec import Key, PositionCodec
from bartizan.engine.record import Pile
from bartizan.games.card_cassonne import rules
from bartizan.games.card_cassonne.options import CARDS, Options, RescoreGrowth
from bartizan.games.card_cassonne.phases import PHASES
from bartizan.games.card_cassonne.position.cards import TableReader
from bartizan.games.card_cassonne.position.table import lay_table
from bartizan.games.card_cassonne.state import FACES, SEATS, Phase, State
from bartizan.games.card_cassonne.words.names import area_place, card_place

PLAYER_KEYS = ("hand", "score", "supply")
MOST_POINTS = 16_000  # that a position may begin with; what a game can add still fits the state


def _start(options: Options, seats: int, seed: str) -> State:
    """Return a table on which nothing lies."""
    state = State()
    options.put_into(state.options)
    state.seats = seats
    return state


def _read_with_another(reader: TableReader, state: State) -> None:
    """Do nothing: another key's reading, or the check of the end, looks at this one too."""


def _texts(pile: Pile) -> list[str]:
    return [POKER.text(face) for face in pile.listed()]


# --- The layout, and what lies on it ----------------------------------------------


def _write_board(state: State) -> dict[str, str]:
    return {card_place(state, number): POKER.text(state.face[number]) for number in range(state.laid)}


def _read_board(reader: TableReader, state: State) -> None:
    """Keep the cards of the layout in the order in which they are written."""
    for (x, y), text in reader.table("board").items():
        if isinstance(text, str):
            reader.board[x, y] = reader.claim(f"board at {x},{y}", text)
        else:
            reader.fault("", f"board has {text!r} at {x},{y}; it must be a card such as 7h")


def _write_tokens(state: State) -> dict[str, int]:
    return {card_place(state, n): state.token[n] for n in range(state.laid) if state.token[n]}


def _read_tokens(reader: TableReader, state: State) -> None:
    for place, seat in reader.table("tokens").items():
        if isinstance(seat, bool) or not isinstance(seat, int) or not 1 <= seat <= state.seats:
            where = f"{place[0]},{place[1]}"
            reader.fault("CC-7", f"tokens has {seat!r} at {where}; it must be a seat's number")
        else:
            reader.tokens[place] = seat


def _write_last(state: State) -> str | None:
    return card_place(state, state.last) if state.phase in (Phase.TOKEN, Phase.SCORE) else None


def _read_last(reader: TableReader, state: State) -> None:
    if state.phase in (Phase.TOKEN, Phase.SCORE) and "last" in reader.given:
        reader.last = reader.place("last", reader.given["last"])


def _write_scored(state: State) -> dict[str, int] | None:
    if state.options.rescore_growth != RescoreGrowth.MUST_HAVE_GROWN_BY_2:
        return None
    scored = [area for area in range(state.laid) if rules.is_area(state, area) and state.scored[area]]
    return {area_place(state, area): state.scored[area] for area in scored}


def _read_scored(reader: TableReader, state: State) -> None:
    if state.options.rescore_growth == RescoreGrowth.MUST_HAVE_GROWN_BY_2:
        reader.sizes = reader.table("scored")


# --- Whose turn, and what each has -------------------------------------------------


def _read_turn(reader: TableReader, state: State) -> None:
    """Read the phase and the seat to move; by default, the first seat plays a card."""
    known = len(reader.faults)
    state.phase = PHASES.names.index(reader.word("phase", "play", PHASES.names))
    reader.sure = len(reader.faults) == known
    over = state.phase == Phase.OVER
    state.first = reader.integer("first", 1, 1, state.seats, "CC-10")
    state.to_move = reader.integer("to_move", 0 if over else state.first, 0, state.seats, "CC-10")
    if over != (state.to_move == 0):
        reader.fault("CC-32", "a finished game has phase 'over' and to_move 0, a running one has neither")


def _write_players(state: State) -> list[dict[str, Any]]:
    return [
        {"hand": _texts(player.hand)[::-1], "score": player.score, "supply": player.supply}
        for player in state.players[: state.seats]
    ]


def _read_players(reader: TableReader, state: State) -> None:
    """Read one table for each seat."""
    given, seats = reader.given.get("players", []), state.seats
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, Mapping) for each in given):
        reader.fault("", f"players is {given!r}; it must be a list with a table for each seat")
        given = []
    if given and len(given) != seats:
        reader.fault("CC-2", f"players has {len(given)} entries; the table has {seats} seats")
    for seat in range(1, seats + 1):
        own = PositionReader(given[seat - 1] if seat <= len(given) else {}, PLAYER_KEYS)
        _read_hand(reader, own, state.options.hand, seat)
        _read_figures(reader, own, state, seat)
        reader.faults += [(clause, f"players.{seat}: {text}") for clause, text in own.faults]


def _read_hand(reader: TableReader, own: PositionReader, most: int, seat: int) -> None:
    cards = [reader.claim(f"the hand of seat {seat}", text) for text in own.texts("hand")]
    if len(cards) > most:
        own.fault("CC-6", f"the hand has {len(cards)} cards; it may hold {most}")
    reader.hands.append(cards[:most] if "hand" in own.given else None)


def _read_figures(reader: TableReader, own: PositionReader, state: State, seat: int) -> None:
    """Read points and supply; a supply left out is what is not on the board."""
    player, tokens = state.players[seat - 1], state.options.tokens
    known = len(own.faults)
    player.score = own.integer("score", 0, 0, MOST_POINTS)
    reader.sure = reader.sure and len(own.faults) == known
    placed = list(reader.tokens.values()).count(seat)
    supply = own.integer("supply", max(tokens - placed, 0), 0, 127, "CC-7")
    if supply + placed != tokens:
        own.fault("CC-7", f"{placed} tokens on the board and {supply} in supply; {tokens} in all are right")
    else:
        player.supply = supply


# --- The end ----------------------------------------------------------------------


def _write_winner(state: State) -> str | int | list[int]:
    """Return who has won: a seat, several that share it, or ``none`` while the game runs."""
    if state.phase != Phase.OVER:
        return "none"
    best = rules.best_score(state)
    winners = [seat for seat in range(1, state.seats + 1) if state.players[seat - 1].score == best]
    return winners[0] if len(winners) == 1 else winners


def _read_winner(reader: TableReader, state: State) -> None:
    """Note a winner that is not the one by the points."""
    given, right = reader.given.get("winner"), _write_winner(state)
    if reader.sure and given is not None and _seats(given) != _seats(right):
        reader.fault("CC-32", f"winner is {given!r}; by the points it is {right!r}")


def _seats(winner: object) -> list[str]:
    return sorted(map(str, winner)) if isinstance(winner, (list, tuple)) else [str(winner)]


def _check_end(reader: TableReader, state: State) -> None:
    """Note a finished game that has not ended."""
    if state.phase != Phase.OVER or not state.laid or rules.is_last_round(state):
        return
    able = [seat for seat in range(1, state.seats + 1) if rules.can_play(state, seat)]
    if able:
        reader.fault("CC-32", f"the game is not over: seat {able[0]} can still play a card")


# --- Both ways --------------------------------------------------------------------

POSITION = PositionCodec(
    Key("board", _write_board, _read_board),
    Key("tokens", _write_tokens, _read_tokens),
    Key("to_move", lambda state: state.to_move, _read_turn),
    Key("first", lambda state: state.first, _read_with_another),
    Key("phase", lambda state: PHASES[state.phase].name, _read_with_another),
    Key("last", _write_last, _read_last),
    Key("players", _write_players, _read_players),
    Key("deck", lambda state: _texts(state.deck), lambda reader, state: reader.claim_pile("deck")),
    Key("aside", lambda state: _texts(state.aside), lambda reader, state: reader.claim_pile("aside")),
    Key("scored", _write_scored, _read_scored),
    Key("winner", _write_winner, _read_winner),
    Key("rest", lambda state: None, _read_with_another),
    start=_start,
    reader=TableReader,
    checks=(lay_table, _check_end),
    unordered=("hand", "aside"),
    untold={
        "layer": (0, SEATS),
        "last": (-1, CARDS - 1),
        "closing": (0, SEATS),  # at the end of a game
        "tokens": (0, CARDS),  # of an area that has become part of another
        "players.from_areas": (0, 32_767),
        "players.from_completing": (0, 32_767),
        "players.barred": (0, 2**FACES - 1),
    },
)
