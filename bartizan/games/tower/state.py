"""Define Tower's state and number its actions.

Cards are ids in the order in which sets are written: Ar 0, Ap 1, … 2l 64, Joker 65; equal cards
of two decks, and the two Jokers, have the same id.  A *face* is a card in play: 0 to 64, or 65 to 69
for a Joker that counts as rock, paper, scissors, water or lizard.  Seats are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import I8, I16, U64, Cells, Pile, Record, cells, chosen, field, pile, records
from bartizan.games.tower.options import Options

SEATS = 6
SUITS = 5  # rock, paper, scissors, water, lizard
ROCK, PAPER, SCISSORS, WATER, LIZARD = range(SUITS)  # also a tower's levels, from the bottom (TWR-11)
PLAIN = 65  # cards of one deck; suit = card % 5
JOKER = 65
CARDS = 66  # different cards
FACES = 70
COPIES = 132  # cards of two decks with two Jokers

DEAL = 5  # TWR-4
AFTER_LAYING = 3  # TWR-12
MOAT_CARDS = 2  # more in hand with an intact Moat (TWR-47)
MOST_DRAWS = 3  # TWR-53
ATTACKS = 2 * SEATS  # TWR-29

OPEN = -1  # in `Player.since`: everyone knows this card, because it was taken from the discard pile


class Standing(IntEnum):
    """The stage a player is in."""

    BUILDING = 0
    DEFENDING = 1
    OUT = 2


class Phase(IntEnum):
    """The phases: what the table is waiting for."""

    RUNNING = 0  # no decision: `Step` says where to continue
    EXCHANGE = 1  # Part 1: a card to put down, or the tower
    SOURCE = 2  # Part 1: where the replacement comes from
    LAY = 3  # Part 1: lay the complete tower after the exchange?
    ARRIVAL = 4  # which attack hits which level
    BATTLE = 5  # the plays of Part 2
    DRAW = 6
    DEFEND = 7  # out of turn, just before an arrival (`defence_window`)
    OVER = 8


class Step(IntEnum):
    """Where the turn of the active seat continues."""

    TURN = 0  # begin it
    WINDOW = 1  # ask the next seat for a defence
    ARRIVE = 2  # remove attacks that can harm nothing, ask about the others
    PLAY = 3
    DRAW = 4  # count the draws
    DRAWING = 5
    END = 6
    NEXT = 7  # pass the turn
    LAST = 8  # give the last player an extra turn if it is due (`last_turn`)


class Known(IntEnum):
    """What everyone knows about a builder's hand: whether the player was asked to lay a tower."""

    NOTHING = 0
    COMPLETE = 1
    INCOMPLETE = 2


DRAWN = 7  # in `State.winner`: no one has won


class Player(Record):
    """One player's side."""

    standing: int = field(I8)  # a Standing
    known: int = field(I8)  # a Known
    turns: int = field(I16)  # finished turns
    hand: Pile = pile(8)  # ascending ids
    since: Cells = cells(I8, 8)  # for each hand card the shuffle since which it has been hidden, or OPEN
    tower: Cells = cells(I8, SUITS)  # by level: card or EMPTY
    damaged: Cells = cells(I8, SUITS)  # 1: the level is sideways


class Attack(Record):
    """One attack in flight."""

    sender: int = field(I8)  # seats
    target: int = field(I8)
    face: int = field(I8)


class State(Record):
    """One table of Tower."""

    rng: int = field(U64)  # the random stream
    options: Options = chosen(Options)
    seats: int = field(I8)
    phase: int = field(I8)  # a Phase
    step: int = field(I8)  # a Step
    active: int = field(I8)  # the seat whose turn it is
    to_move: int = field(I8)  # the seat that decides; another seat while it defends out of turn
    waiting: int = field(I8)  # the seat whose turn an extra one interrupts (`last_turn`), or 0
    left: int = field(I8)  # seats that are not out
    winner: int = field(I8)  # a seat, DRAWN, or 0
    plays_left: int = field(I8)
    deflected: int = field(I8)  # this turn, or in this window
    mended: int = field(I8)  # 1: repaired or rebuilt this turn
    draws_left: int = field(I8)
    draws_must: int = field(I8)
    flying: int = field(I8)  # attacks in flight
    generation: int = field(I8)  # how often the draw pile has been renewed, up to 127
    attacks: Sequence[Attack] = records(Attack, ATTACKS)  # in launch order
    players: Sequence[Player] = records(Player, SEATS)
    deck: Pile = pile(COPIES)  # face down
    since: Cells = cells(I8, COPIES)  # for each card of the deck the shuffle since which it has been hidden
    discard: Pile = pile(COPIES)  # face up
    spent: Pile = pile(8)  # this turn's own exchange, repair and discard cards
    rubble: Pile = pile(COPIES)  # face down, but seen by everyone on their way there
    buried: Pile = pile(COPIES)  # in the Rubble and unseen: from the hands of those who are out
    buried_since: Cells = cells(I8, COPIES)
    aside: Pile = pile(COPIES)  # cards that are out of a position's game
    pool: Cells = cells(I8, CARDS)  # memory for dealing cards again; otherwise zeros


ACTIONS = ActionSpace(
    block("exchange", card=CARDS),
    block("draw"),
    block("take"),
    block("lay"),
    block("stop"),
    block("attack", target=SEATS, face=FACES),  # the target is a seat less one
    block("deflect", attack=ATTACKS, card=CARDS),
    block("repair", face=FACES),  # the face's suit is the level
    block("rebuild", face=FACES),
    block("discard", card=CARDS),
    block("hit", attack=ATTACKS, level=SUITS),
    block("pass"),
)
MAX_LEGAL = 256  # the capacity of every list of legal actions

EXCHANGE, DRAW, TAKE, LAY, STOP, ATTACK, DEFLECT, REPAIR, REBUILD, DISCARD, HIT, PASS = ACTIONS.blocks
