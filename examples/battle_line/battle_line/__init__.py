"""Battle Line lite: two clans lay cards at five border stones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.bounds import larger, smaller
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.options import OptionSet, option
from bartizan.engine.piles import find, insert_sorted, pop, push, take
from bartizan.engine.record import EMPTY, Cells, Pile, chosen
from bartizan.engine.rule import rule
from bartizan.engine.table import CardDeck, Table, seats_by, tie, win, zone

game = Game(name="battle-line", package=__name__, min_seats=2, max_seats=2, seat_names=("North", "South"))

RANKS, STONES, HAND, WIDTH = 7, 5, 5, 3
CARDS = CardDeck("1234567", "cdhs", ("clubs", "diamonds", "hearts", "spades"))
NOT_IN_HAND, SIDE_FULL, BY_STONES, NO_CARDS = code("BL-3"), code("BL-4"), code("BL-8"), code("BL-9")
STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH = 100, 200, 300, 400  # above any sum


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Battle Line lite."""

    stones_to_win: Annotated[int, option("How many stones win the game.", low=2, high=5, compare=True)] = 3


GOAL = "stones_to_win"


class State(Table):
    """One table."""

    options: Options = chosen(Options)
    hand: Sequence[Pile] = zone(HAND, "hand", sees="owner", per_seat=2, sort=True)
    deck: Pile = zone(CARDS.size, "deck", sees="nobody")
    sides: Sequence[Pile] = zone(WIDTH, "stone", sees="all", per_seat=2, places=STONES)
    early: Cells = seats_by(STONES, "First complete at stone")
    owner: Cells = seats_by(STONES, "Winner of stone")


ACTIONS = ActionSpace(block("play", card=CARDS.kinds, stone=STONES))


@rule
def deal(s: State) -> None:
    """Deal five to each (BL-2)."""
    for clan in range(2):
        for _ in range(HAND):
            insert_sorted(s.hand[clan], pop(s.deck))


@rule
def why_not_play(s: State, card: int, stone: int) -> int:
    """Tell why a card cannot be laid at a stone (BL-3, BL-4)."""
    if find(s.hand[s.to_move - 1], card) == EMPTY:
        return NOT_IN_HAND
    return SIDE_FULL if s.sides[(s.to_move - 1) * STONES + stone].count == WIDTH else OK


@rule
def play(s: State, card: int, stone: int) -> None:
    """Lay a card, judge the stone, draw (BL-3, BL-5)."""
    clan = s.to_move - 1
    take(s.hand[clan], find(s.hand[clan], card))
    push(s.sides[clan * STONES + stone], card)
    if s.sides[clan * STONES + stone].count == WIDTH:
        if s.early[stone] == 0:
            s.early[stone] = s.to_move
        if s.sides[(1 - clan) * STONES + stone].count == WIDTH:
            s.owner[stone] = better(s, stone)
    if s.deck.count > 0:
        insert_sorted(s.hand[clan], pop(s.deck))
    end(s)


@rule
def better(s: State, stone: int) -> int:
    """Return the seat with the better formation at a stone, both sides complete (BL-6, BL-7)."""
    north, south = formation(s.sides[stone]), formation(s.sides[STONES + stone])
    if north == south:
        return s.early[stone]
    return 1 if north > south else 2


@rule
def formation(side: Pile) -> int:
    """Return what three cards are worth: the kind of formation, then the sum (BL-6)."""
    one, two, three = side.cards[0], side.cards[1], side.cards[2]
    a, b, c = one % RANKS + 1, two % RANKS + 1, three % RANKS + 1
    total = a + b + c
    flush = one // RANKS == two // RANKS and two // RANKS == three // RANKS
    least, most = smaller(smaller(a, b), c), larger(larger(a, b), c)
    straight = most - least == 2 and a != b and b != c and a != c
    if straight and flush:
        return STRAIGHT_FLUSH + total
    if a == b and b == c:
        return THREE + total
    if flush:
        return FLUSH + total
    return (STRAIGHT if straight else 0) + total


@rule
def points(s: State, seat: int) -> int:
    """Return how many stones a seat has."""
    total = 0
    for stone in range(STONES):
        total += 1 if s.owner[stone] == seat else 0
    return total


@rule
def end(s: State) -> None:
    """End the game when a clan has enough stones, or neither has a card left (BL-8, BL-9)."""
    north, south = points(s, 1), points(s, 2)
    if larger(north, south) >= s.options.stones_to_win:
        win(s, 1 if north > south else 2, BY_STONES)
    elif s.hand[0].count + s.hand[1].count == 0:
        if north == south:
            tie(s, NO_CARDS)
        else:
            win(s, 1 if north > south else 2, NO_CARDS)


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach: hands, stones and the end must fit the cards that were laid."""
    laid = [sum(state.sides[clan * STONES + at].count for at in range(STONES)) for clan in (0, 1)]
    if laid[0] - laid[1] not in (0, 1) or state.ply != sum(laid) or state.to_move != sum(laid) % 2 + 1:
        reader.fault("BL-2", f"after ply {state.ply} North has laid {laid[0]} cards and South {laid[1]}")
    drawn = min(sum(laid), CARDS.size - 2 * HAND)
    for clan in (0, 1):
        due = HAND + (drawn + 1 - clan) // 2 - laid[clan]
        if state.hand[clan].count != due:
            reader.fault("BL-5", f"hand {clan + 1} has {state.hand[clan].count} cards; it must have {due}")
    for stone in range(STONES):
        full = [state.sides[clan * STONES + stone].count == WIDTH for clan in (0, 1)]
        may = (1, 2) if all(full) else (full.index(True) + 1,) if any(full) else (0,)
        if state.early[stone] not in may:
            reader.fault("BL-7", f"early at stone {stone + 1} cannot be {state.early[stone]}")
        elif state.owner[stone] != (better(state, stone) if all(full) else 0):
            reader.fault("BL-6", f"owner of stone {stone + 1} is not {state.owner[stone]}")
    told, state.ended, state.winner = (state.ended, state.winner), 0, 0
    end(state)
    if told != (state.ended, state.winner) and not reader.faults:
        reader.fault("BL-8", "ended and winner are not as the table says")
