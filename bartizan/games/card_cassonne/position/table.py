"""Lay the table that a position tells: the layout, what lies on it, hands and piles."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bartizan.engine import piles
from bartizan.engine.record import EMPTY
from bartizan.games.card_cassonne import areas, cells
from bartizan.games.card_cassonne.options import CARDS, RescoreGrowth, why_not_removed
from bartizan.games.card_cassonne.position.cards import Place, TableReader
from bartizan.games.card_cassonne.state import Phase, State

ORIGIN = (0, 0)


def lay_table(reader: TableReader, state: State) -> None:
    """Put everything in its place, and note what has none."""
    fault = why_not_removed(state.options.removed, state.seats, state.options.hand)
    if fault:
        reader.fault("CC-5", fault)
    unnamed = reader.unnamed()
    if "board" not in reader.given:
        _choose_starter(reader, unnamed)
    _lay_cards(reader, state)
    _mark_last(reader, state)
    _put_tokens(reader, state)
    _note_scored(reader, state)
    _deal(reader, state, unnamed)


# --- The layout -----------------------------------------------------------------


def _choose_starter(reader: TableReader, unnamed: list[int]) -> None:
    """Begin the layout with a card that is named nowhere (CC-4)."""
    if unnamed:
        reader.board = {ORIGIN: unnamed.pop()}
    else:
        reader.fault("CC-4", "board is left out, and no card is left for the starter")


def _lay_cards(reader: TableReader, state: State) -> None:
    """Lay the layout, card by card in the order written; nothing is laid where it cannot lie so."""
    board = reader.board
    cells.clear_table(state)
    if "board" in reader.given and ORIGIN not in board:
        reader.fault("CC-4", "board has no card at 0,0, where the starter lies")
    beyond = [(x, y) for x, y in board if not cells.is_on_table(state, x, y)]
    for x, y in beyond:
        reader.fault("CC-34", f"the card at {x},{y} lies beyond the edge of the table")
    lost = set(board) - _reached(board, ORIGIN)
    if lost:
        shown = " and ".join(f"{x},{y}" for x, y in sorted(lost)[:3])
        reader.fault("CC-12", f"no row of cards side by side leads from 0,0 to {shown}")
    if 0 < len(board) <= CARDS and not beyond and not lost:
        state.min_x, state.max_x = min(x for x, _ in board), max(x for x, _ in board)
        state.min_y, state.max_y = min(y for _, y in board), max(y for _, y in board)
        for (x, y), face in board.items():
            areas.lay(state, face, cells.cell_of(x, y), 0)


def _reached(places: Collection[Place], start: Place) -> set[Place]:
    """Return the place `start` and those to which a row of `places` side by side leads from it."""
    reached, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if place in places and place not in reached:
                reached.add(place)
                waiting.append(place)
    return reached


# --- What lies on it --------------------------------------------------------------


def _mark_last(reader: TableReader, state: State) -> None:
    """Note the card just played; left out, it is the last one of the board."""
    state.last = EMPTY
    if state.phase not in (Phase.TOKEN, Phase.SCORE):
        if reader.given.get("last") is not None:
            reader.fault("CC-11", "last is the card just played; it goes with the phases token and score")
        return
    if reader.last is not None:
        state.last = reader.number_at(state, "last", reader.last, "CC-19", "a card")
    elif "last" not in reader.given:
        state.last = state.laid - 1
    if len(reader.board) == 1:
        reader.fault("CC-19", "no card has been played yet, so there is no token to place")


def _put_tokens(reader: TableReader, state: State) -> None:
    for place, seat in reader.tokens.items():
        number = reader.number_at(state, "tokens", place, "CC-19", "a token")
        if number != EMPTY:
            state.token[number] = seat
            state.tokens[state.area[number]] += 1


def _note_scored(reader: TableReader, state: State) -> None:
    """Note how large areas were when they were last scored (CC-Q21)."""
    if state.options.rescore_growth != RescoreGrowth.MUST_HAVE_GROWN_BY_2:
        if reader.given.get("scored"):
            reader.fault("CC-31", "scored goes with the option rescore_growth = must_have_grown_by_2 only")
        return
    sizes = _area_sizes(reader.board)
    for (x, y), size in reader.sizes.items():
        number = reader.number_at(state, "scored", (x, y), "CC-31", "an area")
        largest = sizes.get((x, y), 1)
        if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= largest:
            reader.fault(
                "CC-31", f"scored has {size!r} at {x},{y}; the area there had from 1 to {largest} cards"
            )
        elif number != EMPTY:
            area = state.area[number]
            state.scored[area] = max(state.scored[area], size)


def _area_sizes(board: Mapping[Place, int]) -> dict[Place, int]:
    """Return for each place of a layout, laid or not, how many cards the area there has."""
    suits: dict[int, set[Place]] = {}
    for place, face in board.items():
        suits.setdefault(cells.suit_of(face), set()).add(place)
    sizes: dict[Place, int] = {}
    for alike in suits.values():
        for place in alike:
            if place not in sizes:
                area = _reached(alike, place)
                sizes |= dict.fromkeys(area, len(area))
    return sizes


# --- Dealing ------------------------------------------------------------------------


def _deal(reader: TableReader, state: State, unnamed: list[int]) -> None:
    """Fill hands, deck and the cards set aside; what is left out comes from the cards named nowhere."""
    full = state.options.hand
    for seat, hand in enumerate(reader.hands, start=1):
        played = state.phase in (Phase.TOKEN, Phase.SCORE) and seat == state.to_move
        if played and hand is not None and len(hand) == full:
            reader.fault("CC-11", f"players.{seat}: who has just played a card holds {full - 1} at most")
        size = 0 if state.phase == Phase.OVER else full - 1 if played else full
        cards = [unnamed.pop() for _ in range(min(size, len(unnamed)))] if hand is None else hand
        for face in cards:
            piles.insert_sorted(state.players[seat - 1].hand, face)
    _fill_piles(reader, state, unnamed)


def _fill_piles(reader: TableReader, state: State, unnamed: list[int]) -> None:
    """Put the rest under the deck, or, with rest = aside, all of it to the cards set aside."""
    all_aside = reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
    deck, aside = reader.piles["deck"], reader.piles["aside"]
    if len(unnamed) + len(deck) + len(aside) > CARDS:
        return  # some are there thrice
    usual = 0 if "aside" in reader.given else state.options.removed
    removed = len(unnamed) if all_aside else usual
    for face in unnamed[:removed] + aside[::-1]:
        piles.push(state.aside, face)
    for face in unnamed[removed:] + deck[::-1]:
        piles.push(state.deck, face)
