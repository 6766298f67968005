"""Hold everything that lies on Card Barrage's table, and number what can be done and reported.

Cards are kinds, as several decks may be mixed: 1k 0, 1s 1, 1t 2, 1v 3, 2k 4 … 13v 51, a wild card 52.
Where hands and decks are real cards they hold 53s, which no one has told; what is laid or scored is named.
A *seat* is one castle with its walls and its hand; people may be fewer than seats (CB-6).
Seats and sides count from 0 inside the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import (
    I8,
    I16,
    I32,
    U64,
    Cells,
    Pile,
    Record,
    cells,
    chosen,
    field,
    nested,
    pile_type,
    records,
)
from bartizan.games.card_barrage.options import Options

KINDS = 52  # of cards that are played; a wild card's id
WILD = 52
UNTOLD = 53  # a real card, which no one has told (the option `companion`)
THROWABLE = 54  # ids of what may be thrown or discarded
DOMAINS = 4
HIGHEST = 13
COPIES = 4  # decks at most
SEATS = 6
SIDES = 3
WALLS = 5  # slots of a seat at most (CB-11)
CASTLE = 5  # the castle's place among a seat's
PLACES = 6  # the walls and the castle
SHARE = 112  # room for the cards of one side
HAND_SIZE = 4  # CB-13
SOLO = 1  # person; seat 1 is then the simulacrum (CB-45)


class Phase(IntEnum):
    """The phases: what the table is waiting for."""

    SETTLING = 0  # nothing: an attack or a decision is being settled
    PASSING = 1  # nothing: the turn passes on
    BEGINNING = 2  # nothing: the active seat's turn begins
    WALLS = 3  # the first walls are chosen
    TURN = 4  # the active player, who has drawn
    GIVE = 5  # a card for a castle that was hit
    EFFECT = 6  # whether to use a third card's effect
    DISCARD = 7  # a hand card, for an effect
    REPLACE = 8  # a destroyed wall
    REVEAL = 9  # the simulacrum's card
    OVER = 10


class Hand(Record):
    """One seat's hand, by ascending kinds; copies of a kind lie beside each other."""

    count: int = field(I8)
    cards: Cells = cells(I8, SHARE)
    origin: Cells = cells(I16, SHARE)  # where each came from, for what others cannot know of it
    above: Cells = cells(I8, SHARE)  # the value that others know each to exceed


class Score(Record):
    """The score pile and the points of a side, or of a seat (CB-Q14)."""

    points: int = field(I16)
    count: int = field(I16)
    cards: Cells = cells(I8, KINDS)  # how many of each kind


class Stock(Pile):
    """Cards set aside unseen, up to all there are."""

    count: int = field(I16)
    cards: Cells = cells(I8, KINDS * COPIES)


class State(Record):
    """One table of Card Barrage."""

    rng: int = field(U64)  # the random stream
    options: Options = chosen(Options)
    seats: int = field(I8)  # people
    castles: int = field(I8)  # seats
    sides: int = field(I8)  # a seat's side is its number modulo this (CB-Q8)
    slots: int = field(I8)  # walls of each seat
    round: int = field(I16)  # from 1
    first: int = field(I8)  # the seat with the first-player marker
    active: int = field(I8)  # whose turn
    to_move: int = field(I8)  # whose decision; may be a defender
    phase: int = field(I8)  # a Phase
    built: int = field(I8)  # 1: this turn; the same for the next two
    upgraded: int = field(I8)
    attacked: int = field(I8)
    ending: int = field(I8)  # 1: the end has been triggered
    stormed: int = field(I8)  # a bit for each side that hit a castle without walls, where that wins (CB-Q30)
    gives: int = field(I8)  # a bit for each seat that still owes a card
    winners: int = field(I8)  # a bit for each side that has won
    newly: int = field(I8)  # how many cards of this attack lie in `scored`
    scored: Cells = cells(I8, 2)  # this attack's cards, ascending, until the offer of an effect is settled
    wall: Cells = cells(I8, SEATS * WALLS)  # card or EMPTY
    open: Cells = cells(I8, SEATS * WALLS)  # the destroyed wall that awaits replacement, or EMPTY
    moved: int = field(I32)  # a bit for each wall that does not lie where it should
    lost: int = field(I32)  # a bit for each slot that can never be built again (CB-Q23)
    castle: Cells = cells(I8, SEATS)  # the kind of each castle card
    hand: Sequence[Hand] = records(Hand, SEATS)
    score: Sequence[Score] = records(Score, SEATS)  # by side, or by seat with `target_per`
    deck: Sequence[Pile] = records(pile_type(SHARE), SIDES)
    discard: Sequence[Pile] = records(pile_type(SHARE), SIDES)
    shuffles: Cells = cells(I16, SIDES)  # how often the discard became the deck
    aside: Stock = nested(Stock)  # cards that did not divide evenly (CB-Q5), or that a position leaves out


PAIRS = 15  # unordered pairs of a seat's six places
PAIR_LOW = (0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
PAIR_HIGH = (1, 2, 3, 4, 5, 2, 3, 4, 5, 3, 4, 5, 4, 5, 5)

# What a throw did to one seat: a wall hit, a wall hit perfectly, the castle, or two of them.
PERFECT, ON_CASTLE, ON_TWO = WALLS, 2 * WALLS, 2 * WALLS + 1
PER_SEAT = ON_TWO + PAIRS
MISS = 0
VERDICTS = 1 + SEATS * PER_SEAT

# A report names the card thrown by its kind, as hands can grow large, and a verdict (see verdicts.py): MISS,
# or 1 + seat * PER_SEAT + what it did there.  An effect names the card by its place in `scored`.
#
# A report's variants: bits 0 and 1 say which card of a pair was hit perfectly, the next six hold the place of
# a second seat that was hit (0: none, else 1 + seat * PLACES + place), the others the walls that were moved.
FIRST_PERFECT, SECOND_PERFECT = 1, 2
SECOND_SHIFT, SECOND_MASK = 2, 63
MOVED_SHIFT = 8
VARIANTS = 1 << MOVED_SHIFT + SEATS * WALLS

ACTIONS = ActionSpace(
    block("build", card=KINDS, slot=WALLS),
    block("upgrade", slot=WALLS, card=KINDS, leave=2),
    block("report", variants=VARIANTS, card=THROWABLE, verdict=VERDICTS),
    block("replace", slot=WALLS, card=KINDS),
    block("give", card=KINDS),
    block("draw", scored=2),
    block("exchange", scored=2, slot=WALLS, card=KINDS),
    block("erect", scored=2, card=KINDS, slot=WALLS),
    block("pick", scored=2, seat=SEATS),
    block("decline"),
    block("discard", card=THROWABLE),
    block("reveal"),
    block("turn_up", hit=2),
    block("end"),
)
MAX_LEGAL = 4096  # room for every list of legal actions

(
    BUILD,
    UPGRADE,
    REPORT,
    REPLACE,
    GIVE,
    DRAW,
    EXCHANGE,
    ERECT,
    PICK,
    DECLINE,
    DISCARD,
    REVEAL,
    TURN_UP,
    END,
) = ACTIONS.blocks
