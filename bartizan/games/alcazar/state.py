"""Define Alcazar's state and number its actions.

Cards are ids in the order in which sets are written: Ac 0, Ad 1, … 2s 51, Jokers 52 and 53.
"""

from __future__ import annotations

from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import I8, I16, U64, Cells, Pile, Record, cells, chosen, field, pile
from bartizan.games.alcazar.options import Options

JOKER = 52  # this id and above
TOWER_SIZE = 5  # ALC-5
HAND_SIZE = 5  # ALC-9
ADVANTAGES = 2  # ALC-32

ACE, KING, QUEEN, JACK = 14, 13, 12, 11  # ALC-66

ARMIES = 3  # right, left, top (the order of ALC-6)
PLACES = 6  # place = 2 * army + rank
FRONT, REAR = 0, 1


class Phase(IntEnum):
    """The phases: what the table is waiting for."""

    RUNNING = 0  # nothing: `Step` says where it goes on
    DRAW = 1  # the Bard's second card
    ACTION = 2
    THIEF = 3  # a forced discard from the hand
    NECROMANCER = 4  # two Advantages leave; which goes down first?
    OVER = 5


class Step(IntEnum):
    """Where the round goes on; the armies' steps stand in the order of service."""

    SETUP = 0  # + army: turn up its front
    MOVEMENT = 3  # + 2 * army: move it; + 1: place its new rear card
    DRAW = 9
    ACTION = 10
    ROUND_END = 11


class Winner(IntEnum):
    """How the game stands."""

    NONE = 0
    PLAYER = 1
    LOSS = 2


class State(Record):
    """One table of Alcazar."""

    rng: int = field(U64)  # the random stream
    options: Options = chosen(Options)
    round: int = field(I16)  # from 1
    ended_by: int = field(I16)  # the clause that ended the game
    phase: int = field(I8)  # a Phase
    step: int = field(I8)  # a Step: where to go on after a forced decision
    winner: int = field(I8)  # a Winner
    passes: int = field(I8)  # times the deck ran out, up to what a win needs
    still: int = field(I8)  # consecutive full rounds that changed nothing
    changed: int = field(I8)  # 1: something changed this round
    traded: int = field(I8)  # 1: the Jack has traded this turn
    defences: int = field(I8)  # actions of each kind this turn
    repairs: int = field(I8)
    specials: int = field(I8)
    deck: Pile = pile(54)  # face down
    discard: Pile = pile(54)  # face up
    aside: Pile = pile(54)  # out of the game
    tower: Pile = pile(8)  # only its top is face up
    hand: Pile = pile(8)  # ascending ids
    borrowed: Pile = pile(8)  # cards in hand that a Jack fetched, oldest first
    advantages: Pile = pile(8)  # in the order in which they were laid
    enemy: Cells = cells(I8, PLACES)  # card or EMPTY
    face_up: Cells = cells(I8, PLACES)  # 1: that enemy is face up
    in_sight: Cells = cells(I8, 4)  # face-up enemies by rank: jacks, queens, kings, aces
    known: Cells = cells(I8, 54)  # 1: the player knows where this card is


HAND_SLOTS = 7  # the Bard's hand
SUBSETS = 1 << HAND_SLOTS
ORDERS = 5040  # in which up to seven cards are paid
PAIRS = 15  # unordered pairs of six places
MAX_LEGAL = 2048  # room for every list of legal actions

# Hand cards are named by their slot, enemies by their place, the card fetched by its id.
ACTIONS = ActionSpace(
    block("defend", variants=ORDERS, place=PLACES, cards=SUBSETS),
    block("repair", slot=HAND_SLOTS),
    block("missile", slot=HAND_SLOTS, place=PLACES, paying=HAND_SLOTS),
    block("swap", slot=HAND_SLOTS, pair=PAIRS, paying=HAND_SLOTS),
    block("fortify", slot=HAND_SLOTS, paying=HAND_SLOTS),
    block("reinforce", slot=HAND_SLOTS, card=JOKER, paying=HAND_SLOTS),
    block("advantage", slot=HAND_SLOTS, paying=HAND_SLOTS, replacing=1 + ADVANTAGES),
    block("trade", slot=HAND_SLOTS),
    block("discard", slot=HAND_SLOTS),
    block("forfeit", advantage=ADVANTAGES),  # to a Necromancer: this one goes down first
    block("draw"),
    block("stay"),
    block("end"),
)
(
    DEFEND,
    REPAIR,
    MISSILE,
    SWAP,
    FORTIFY,
    REINFORCE,
    ADVANTAGE,
    TRADE,
    DISCARD,
    FORFEIT,
    DRAW,
    STAY,
    END,
) = ACTIONS.blocks

# The two places of each pair, in ascending order.
PAIR_LOW = (0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
PAIR_HIGH = (1, 2, 3, 4, 5, 2, 3, 4, 5, 3, 4, 5, 4, 5, 5)
