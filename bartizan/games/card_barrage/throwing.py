"""Say how cards are thrown at this table (CB-25 to CB-37): from where, at what, and what is reported."""

from __future__ import annotations

import random

from bartizan.engine.errors import UnknownMove, nearest
from bartizan.engine.layout import Landing, ThrowingAids, Wish
from bartizan.engine.record import EMPTY
from bartizan.games.card_barrage import thrower, verdicts
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.layout import piece_name as name_of
from bartizan.games.card_barrage.layout import table_layout
from bartizan.games.card_barrage.options import Hand, Options, PathShown, Throws
from bartizan.games.card_barrage.skill import METHODS
from bartizan.games.card_barrage.state import ACTIONS, CASTLE, MISS, PLACES, SEATS, WALLS, State
from bartizan.games.card_barrage.thrower import SKILL
from bartizan.games.card_barrage.words.names import spot

__all__ = [
    "CLAUSE",
    "aids",
    "cards",
    "grace",
    "is_report",
    "is_thrown",
    "noise",
    "piece_name",
    "piece_text",
    "report_text",
    "table_layout",
    "thrower_seat",
    "throws",
    "wish",
]

CLAUSE = "CB-25"
HUMAN_NOISE = 1.0  # an expert's hand: the gesture itself is not steady either

SPOTS = {
    name_of(seat, place): (seat, place)
    for seat in range(SEATS)
    for place in (*range(WALLS), CASTLE)
}  # fmt: skip
NAMES = {spot(*place): name for name, place in SPOTS.items()}  # by notation: "2.3" -> "2.wall3"


def is_thrown(options: Options) -> bool:
    """Return whether cards are thrown at this table."""
    return options.throws == Throws.THROWN


def grace(options: Options) -> float:
    """Return by how many seconds a card may touch the table first."""
    return options.grace / 1000


def noise(options: Options, pulled: bool) -> float:
    """Return how far a person's hand trembles; an honest pull has trembled already."""
    is_still = options.hand == Hand.STEADY or (options.hand == Hand.HONEST and pulled)
    return 0.0 if is_still else HUMAN_NOISE


def aids(options: Options) -> ThrowingAids:
    """Return what helps the people who throw."""
    return ThrowingAids(path=options.path == PathShown.SHOWN, honest=options.hand == Hand.HONEST)


def thrower_seat(observation: State) -> int:
    """Return the seat whose turn it is, from 1."""
    return observation.active + 1


def cards(observation: State) -> tuple[str, ...]:
    """Return the faces of the active seat's hand, the lowest value first: in a throw it does not matter."""
    hand = observation.hand[observation.active]
    kinds = sorted({hand.cards[place] for place in range(hand.count)})
    return tuple(TECH.text(card) for card in kinds if 0 <= card < TECH.plain)


def throws(observation: State) -> tuple[str, ...]:
    """Return a move for each card of the active seat, each way (CB-26) and each target that may be named."""
    targets = [f" at {spot(*divmod(target, PLACES))}" for target in _targets(observation)]
    if observation.options.path == PathShown.HIDDEN:
        targets = [""]
    return tuple(
        f"throw {card} {method}{target}"
        for card in cards(observation)
        for method in METHODS
        for target in targets
    )


def piece_name(text: str) -> str:
    """Return the name of the piece that a move calls so: ``2.3`` is ``2.wall3``.

    Raises `UnknownMove` for a text that names none.
    """
    name = NAMES.get(text.lower())
    if name is None:
        hint = (
            nearest(text.lower(), NAMES) or " A target is a seat and its wall, or its castle: 2.3, 2.castle."
        )
        raise UnknownMove(f"{text!r} is no target.{hint}", text)
    return name


def piece_text(name: str) -> str:
    """Return what moves call a piece: ``2.wall3`` is ``2.3``."""
    return spot(*SPOTS[name])


def report_text(card: str, landings: tuple[Landing, ...], moved: tuple[str, ...]) -> str:
    """Return the move that reports a throw: targets by seat, then slot, the castle last (CB-37)."""
    words = ["report", card, "hit" if landings else "miss"]
    for landing in sorted(landings, key=lambda each: SPOTS[each.target]):
        words += [spot(*SPOTS[landing.target]), *(["perfect"] if landing.perfect else [])]
    if moved:
        words += ["moved", *(spot(*place) for place in sorted(SPOTS[name] for name in moved))]
    return " ".join(words)


def is_report(action: int) -> bool:
    """Return whether an action reports a throw."""
    return ACTIONS.block_of(action % ACTIONS.size).name == "report"


def wish(view: State, action: int, skill: int, dice: random.Random) -> Wish:
    """Return at what a program of this skill throws which card, and how, that chose to report `action`.

    A miss stands for any target, as in the model of skill (see `thrower.attempt`).
    """
    card, verdict = thrower.card_thrown(view, action), thrower.verdict_of(view, action)
    target = EMPTY if verdict == MISS else verdicts.first_target(verdict)
    if target == EMPTY:
        target = dice.choice(_targets(view))
    level = skill or thrower.USUAL
    return Wish(
        card=TECH.text(card),
        target=name_of(*divmod(target, PLACES)),
        method=METHODS[thrower.best_method(view, level, target)],
        noise=SKILL.noise[level - 1],
    )


def _targets(view: State) -> list[int]:
    """Return everything that the active seat may aim at."""
    return [target for target in range(view.castles * PLACES) if thrower.is_target(view, target)]
