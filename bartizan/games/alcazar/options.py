"""Define Alcazar's options: the rulebook's own, and different readings of what it leaves open."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from bartizan.engine.options import OptionSet, option


class FirstRoundMovement(IntEnum):
    """Whether round 1 starts with an Enemy Movement."""

    RUN = 0
    SKIP = 1


class EmptyRear(IntEnum):
    """Whether an empty rear behind a front card is refilled."""

    REFILL = 0
    STAY = 1


class ActionsPerTurn(IntEnum):
    """How many actions you have each turn."""

    UNLIMITED = 0
    THREE = 1
    ONE_OF_EACH = 2
    ONE = 3
    TWO = 4
    FOUR = 5
    FIVE = 6


ACTIONS_PER_TURN = ("unlimited", 3, "one_of_each", 1, 2, 4, 5)  # as they are written


class WinTiming(IntEnum):
    """When an empty deck wins."""

    IMMEDIATE = 0
    END_OF_ROUND = 1
    FAILED_DRAW = 2


class TradeLimit(IntEnum):
    """How often a Jack in play may trade in one turn."""

    ONE = 0
    UNLIMITED = 1


class NecromancerBlocks(IntEnum):
    """What an enemy Ace prevents."""

    PLAYS = 0
    ALL_USES = 1


class ModifierScope(IntEnum):
    """Which enemies the Warlord and the Knight change."""

    EVERY_FACE_UP = 0
    ATTACKERS_ONLY = 1


class LostTowerCard(IntEnum):
    """Where a lost tower card goes."""

    DECK_BOTTOM = 0
    DISCARD = 1


class ReinforcementStay(IntEnum):
    """How long you may keep a card taken by a Jack."""

    THIS_TURN = 0
    KEEP = 1


class Overpay(IntEnum):
    """Whether you may pay more cards than needed to defend."""

    ANY = 0
    MINIMAL = 1


class TraitorTies(IntEnum):
    """How many equally strong enemies the Traitor protects."""

    ONE = 0
    ALL = 1


class SpecialRepair(IntEnum):
    """Whether specials can repair the tower."""

    NINE = 0
    NONE = 1


class ReviveRange(IntEnum):
    """How far from the top's value a repairing card may be with a Queen in play."""

    UP_TO_2 = 0
    EXACTLY_2 = 1


class BothEmpty(IntEnum):
    """How an army that has lost both cards comes back."""

    REAR = 0
    BOTH = 1


class Overflow(IntEnum):
    """Whether an attack's excess strength hits the next tower card."""

    NONE = 0
    CARRY = 1


class Options(OptionSet, frozen=True, kw_only=True):
    """The options of Alcazar. The defaults follow the rulebook as we read it."""

    havoc: Annotated[
        bool,
        option("Shuffle in two Jokers. Each one strikes you once and then leaves the game.", compare=True),
    ] = False
    endless_night: Annotated[
        bool, option("Fill your hand every turn, but go through the deck twice to win.", compare=True)
    ] = False
    total_victory: Annotated[
        bool, option("To win, no enemy may be face up once the deck has run out.", compare=True)
    ] = False
    first_round_movement: Annotated[
        FirstRoundMovement,
        option("Whether the enemies move in the first round.", "run", "skip", compare=True),
    ] = FirstRoundMovement.RUN
    empty_rear: Annotated[
        EmptyRear,
        option("Whether an empty rear behind a front card is refilled.", "refill", "stay", compare=True),
    ] = EmptyRear.REFILL
    actions_per_turn: Annotated[
        ActionsPerTurn,
        option("How many actions you may take each turn.", *ACTIONS_PER_TURN, compare=True),
    ] = ActionsPerTurn.UNLIMITED
    win_timing: Annotated[
        WinTiming,
        option(
            "When an empty deck wins: at once, at the end of the round, or at the first draw that fails.",
            "immediate",
            "end_of_round",
            "failed_draw",
            compare=True,
        ),
    ] = WinTiming.IMMEDIATE
    trade_limit: Annotated[
        TradeLimit,
        option(
            "How often a Jack in play may trade in one turn. Unlimited breaks the game.",
            1,
            "unlimited",
            compare=True,
        ),
    ] = TradeLimit.ONE
    necromancer_blocks: Annotated[
        NecromancerBlocks,
        option(
            "Whether a Necromancer prevents playing specials or any use of them.",
            "plays",
            "all_uses",
            compare=True,
        ),
    ] = NecromancerBlocks.PLAYS
    modifier_scope: Annotated[
        ModifierScope,
        option(
            "Whether Warlord and Knight change every face-up enemy or only those that attack.",
            "every_face_up",
            "attackers_only",
            compare=True,
        ),
    ] = ModifierScope.EVERY_FACE_UP
    lost_tower_card: Annotated[
        LostTowerCard,
        option("Where a lost tower card goes.", "deck_bottom", "discard", compare=True),
    ] = LostTowerCard.DECK_BOTTOM
    reinforcement: Annotated[
        ReinforcementStay,
        option(
            "Whether a card taken by a Jack goes back at the end of the turn.",
            "this_turn",
            "keep",
            compare=True,
        ),
    ] = ReinforcementStay.THIS_TURN
    overpay: Annotated[
        Overpay,
        option("Whether you may pay more cards than needed to defend.", "any", "minimal", compare=True),
    ] = Overpay.ANY
    advantage_replace: Annotated[bool, option("Whether a new Advantage may replace an old one.")] = False
    traitor_ties: Annotated[
        TraitorTies,
        option("Whether the Traitor protects one or all of several equally strong enemies.", "one", "all"),
    ] = TraitorTies.ONE
    special_repair: Annotated[
        SpecialRepair, option("Whether specials repair as nines or can't repair.", "nine", "none")
    ] = SpecialRepair.NINE
    revive_range: Annotated[
        ReviveRange,
        option(
            "With a Queen in play: whether cards one or two away repair, or only those two away.",
            "up_to_2",
            "exactly_2",
        ),
    ] = ReviveRange.UP_TO_2
    both_empty: Annotated[
        BothEmpty,
        option("Whether an army that lost both cards gets back a rear card or both.", "rear", "both"),
    ] = BothEmpty.REAR
    overflow: Annotated[
        Overflow, option("Whether an attack's excess strength hits the next tower card.", "none", "carry")
    ] = Overflow.NONE
    drain_per_face_card: Annotated[
        bool,
        option("Whether each attacking face card costs two discards, instead of two for the whole attack."),
    ] = False
    round_cap: Annotated[int, option("The round after which you lose.", low=1, high=30000)] = 200
