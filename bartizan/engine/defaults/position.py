"""Derive how a short game's positions are written and read: a key for each field, each card exactly once."""

from __future__ import annotations

import random
import types
from collections import Counter as Tally
from collections.abc import Callable
from typing import Any

from bartizan.engine.clauses import code
from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.errors import UnknownCard, UnknownClause
from bartizan.engine.notation.codec import Key, PositionCodec, PositionReader, integer, integers
from bartizan.engine.rng import stream
from bartizan.engine.table import CardZone, Counter, Grid

MOST_PLIES = 30_000


def make_position(game: ShortGame) -> types.ModuleType:
    """Return a module with ``POSITION``."""
    module = types.ModuleType("position")
    makers: dict[type, Callable[[ShortGame, Any], Key]] = {
        CardZone: _zone_key,
        Grid: _grid_key,
        Counter: _counter_key,
    }
    keys = [makers[type(what)](game, what) for what in game.fields.values()]
    keys.append(_to_move_key(game))
    if len(game.phases) > 1:
        keys.append(integer("phase", low=0, high=len(game.phases) - 1, default=0))
    keys += [integer("ply", low=0, high=MOST_PLIES, default=0), _ended_key(game), _winner_key(game)]
    own = getattr(game.home, "check_position", None)

    def checked(reader: PositionReader, state: Any) -> None:
        if not reader.faults:
            _deal_rest(game, reader, state)
        if not reader.faults and own is not None:
            own(reader, state)

    def start(options: Any, seats: int, seed: str) -> Any:
        state: Any = game.state()
        if "options" in game.state._specs:
            options.put_into(state.options)
        state.seats, state.to_move = seats, 1
        return state

    module.POSITION = PositionCodec(*keys, start=start, checks=(checked,))  # type: ignore[attr-defined]
    return module


# --- Cards --------------------------------------------------------------------------


def _zone_key(game: ShortGame, zone: CardZone) -> Key:
    deck = game.deck
    assert deck is not None

    def write(state: Any) -> Any:
        texts = [" ".join(map(deck.text, _in_order(pile, zone))) for pile in zone.piles_of(state)]
        return texts if zone.is_array else texts[0]

    def read(reader: PositionReader, state: Any) -> None:
        if zone.name not in reader.given:
            return
        given = reader.given[zone.name]
        texts = given if isinstance(given, (list, tuple)) else [given]
        piles = zone.piles_of(state)
        if len(texts) != len(piles) or not all(isinstance(text, str) for text in texts):
            wanted = f"a list of {len(piles)} texts" if zone.is_array else "a text"
            reader.fault("", f"{zone.name} must be {wanted} such as '{deck.text(0)} {deck.text(1)}'")
            return
        for pile, text in zip(piles, texts, strict=True):
            try:
                cards = [deck.parse(word) for word in text.split()]
            except UnknownCard as error:
                reader.fault("", f"{zone.name}: {error}")
                return
            if len(cards) > zone.capacity:
                reader.fault("", f"{zone.name} has {len(cards)} cards; there is room for {zone.capacity}")
                return
            _fill(pile, sorted(cards) if zone.sort else cards[::-1] if zone.sees == "nobody" else cards)

    return Key(zone.name, write, read)


def _in_order(pile: Any, zone: CardZone) -> list[int]:
    """Return a pile's cards in the order of positions: a draw pile from the top, others as they were laid."""
    cards = [int(card) for card in list(pile.cards)[: pile.count]]
    return cards[::-1] if zone.sees == "nobody" else cards


def _fill(pile: Any, cards: list[int]) -> None:
    pile.count = len(cards)
    for place, card in enumerate(cards):
        pile.cards[place] = card


def _deal_rest(game: ShortGame, reader: PositionReader, state: Any) -> None:
    """Deal the unnamed cards to the zones that are left out: hands first, then the others."""
    deck, stock = game.deck, game.stock
    if deck is None or stock is None:
        return
    lying = Tally(card for zone in game.zones for pile in zone.piles_of(state) for card in pile.listed())
    left: list[int] = []
    for card in range(deck.kinds):
        if lying[card] > deck.copies:
            there_are = "is one" if deck.copies == 1 else f"are {deck.copies}"
            reader.fault("", f"the {deck.name(card)} lies there {lying[card]} times; there {there_are}")
        left += [card] * (deck.copies - lying[card])
    if reader.faults:
        return
    random.Random(stream(reader.seed, "position")).shuffle(left)
    for zone in game.zones:
        if zone.sees == "owner" and zone.name not in reader.given:
            for index, pile in enumerate(zone.piles_of(state)):
                if zone.owner(index) <= state.seats:
                    cards = [left.pop() for _ in range(min(zone.capacity, len(left)))]
                    _fill(pile, sorted(cards) if zone.sort else cards)
    if stock.name not in reader.given:
        _fill(getattr(state, stock.name), left)
    elif left:
        names = ", ".join(map(deck.text, left[:5])) + (" …" if len(left) > 5 else "")
        reader.fault("", f"{names} lie nowhere; leave {stock.name} out, and they go there")


# --- Boards, numbers, the end -----------------------------------------------------------


def _grid_key(game: ShortGame, grid: Grid) -> Key:
    signs = game.signs(grid)

    def write(state: Any) -> list[str]:
        squares = [signs[piece] for piece in getattr(state, grid.name)]
        rows = [squares[row * grid.columns : (row + 1) * grid.columns] for row in range(grid.rows)]
        return ["".join(row) for row in reversed(rows)]

    def read(reader: PositionReader, state: Any) -> None:
        if grid.name not in reader.given:
            return
        rows = reader.texts(grid.name)
        if len(rows) != grid.rows or any(len(row) != grid.columns for row in rows):
            size = f"{grid.rows} rows, the uppermost first, of {grid.columns} squares each"
            reader.fault("", f"{grid.name} must have {size}")
            return
        for row, text in enumerate(reversed(rows)):
            for column, sign in enumerate(text):
                square = row * grid.columns + column
                if sign not in signs:
                    at = grid.square_id(square)
                    reader.fault("", f"{grid.name}: {at} is {sign!r}; it can be {' '.join(signs)}")
                    return
                getattr(state, grid.name)[square] = signs.index(sign)

    return Key(grid.name, write, read)


def _counter_key(game: ShortGame, counter: Counter) -> Key:
    if counter.length:
        return integers(
            counter.name, field=counter.name, places=range(counter.length), low=counter.low, high=counter.high
        )
    return integer(counter.name, low=counter.low, high=counter.high, default=counter.low)


def _to_move_key(game: ShortGame) -> Key:
    names = [name.lower() for name in game.seat_names]

    def read(reader: PositionReader, state: Any) -> None:
        state.to_move = 1 + names.index(reader.word("to_move", names[0], names[: state.seats]))

    return Key("to_move", lambda state: names[state.to_move - 1], read)


def _ended_key(game: ShortGame) -> Key:
    def read(reader: PositionReader, state: Any) -> None:
        text = reader.given.get("ended", "")
        if not text:
            return
        try:
            state.ended = code(game.book.get(str(text)).id)
        except (UnknownClause, ValueError) as error:
            reader.fault("", f"ended must name the clause that ended the game: {error}")

    return Key("ended", lambda state: game.book.id_of(state.ended) if state.ended else None, read)


def _winner_key(game: ShortGame) -> Key:
    names = ("none", *(name.lower() for name in game.seat_names), "draw")

    def read(reader: PositionReader, state: Any) -> None:
        if "winner" not in reader.given:  # the game's own check may determine who has won
            return
        winner = names.index(reader.word("winner", "none", names))
        if bool(winner) != bool(state.ended):
            reader.fault("", "winner and ended go together: who has won, and by which clause")
        elif 0 < winner <= len(game.seat_names):
            state.winner = winner

    def write(state: Any) -> str:
        return names[state.winner] if state.winner else "draw" if state.ended else "none"

    return Key("winner", write, read)
