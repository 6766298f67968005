"""Define what the people at a table agree on before the first move: clock, chat, a series of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bartizan.engine.outcome import Outcome
from bartizan.engine.schema import Schema
from bartizan.tables.errors import BadRequest

DAY = 86_400  # seconds
MOST_DAYS = 14
LONGEST_BANK = 3 * 3600  # seconds
LONGEST_INCREMENT = 180
LONGEST_MOVE = 3600
SHORTEST = {"fischer": 10, "move": 5, "days": DAY}  # seconds
Dealing = Literal["", "secret", "shares", "open"]
LONGEST = {"fischer": LONGEST_BANK, "move": LONGEST_MOVE, "days": MOST_DAYS * DAY}


class ClockRule(Schema, frozen=True):
    """A limit on people's thinking time.

    ``fischer``: `seconds` for the whole game, and `increment` more after each turn; ``move``: `seconds` for
    each decision; ``days``: the same, in whole days, for a correspondence game.
    """

    kind: Literal["fischer", "move", "days"]
    seconds: Annotated[int, Meta(ge=1, le=MOST_DAYS * DAY)]
    increment: Annotated[int, Meta(ge=0, le=LONGEST_INCREMENT)] = 0


class Agreement(Schema, frozen=True):
    """What was agreed on, and the score of a series of games."""

    clock: ClockRule | None = None
    # Players may write and send emotes, only send emotes, or neither.
    chat: Literal["open", "emotes", "closed"] = "open"
    best_of: Literal[1, 3, 5, 7, 9] = 1  # 1: games are counted for as long as people continue
    game: int = 1  # its number in the series
    series: tuple[int, ...] = ()  # half points, by seat, from earlier games of the series; empty in the first
    # Persons' seats that are played at one screen: whoever created the table holds their keys. Empty for one
    # person, and at tables from earlier versions.
    here: tuple[int, ...] = ()
    # How the deal is made: from the server's secret alone, with shares from all people too, or from a public
    # seed. Empty in games without chance, and at tables from earlier versions.
    dealing: Dealing = ""


USUAL = Agreement()  # no agreement


def points_of(outcome: Outcome) -> tuple[int, ...]:
    """Return the half points that each seat gets from a game.

    A win counts 2, with a whole side too; a shared victory or a draw counts 1.
    """
    winners, returns = outcome.winners, outcome.returns
    if not winners:
        return (int(not any(returns)),) * len(returns)
    alone = len(winners) == 1
    return tuple((1 + (alone or one == 1)) * (seat in winners) for seat, one in enumerate(returns, 1))


def standing(agreement: Agreement, outcome: Outcome | None, seats: int) -> tuple[int, ...]:
    """Return the half points of a series by seat, including the current game once it is over."""
    before = agreement.series or (0,) * seats
    gained = points_of(outcome) if outcome else (0,) * seats
    return tuple(map(sum, zip(before, gained, strict=True)))


def is_decided(agreement: Agreement, points: tuple[int, ...], *, over: bool) -> bool:
    """Say whether a series is over: someone has more than half of the points, or all games are played."""
    most = agreement.best_of
    return most > 1 and over and (max(points) > most or agreement.game >= most)


def next_agreement(agreement: Agreement, points: tuple[int, ...], seats: Sequence[int]) -> Agreement:
    """Return the agreement of the next game; `seats` maps each seat to its player's next seat."""
    moved = tuple(sorted(seats[seat - 1] for seat in agreement.here))
    agreement = msgspec.structs.replace(agreement, here=moved)
    if is_decided(agreement, points, over=True):
        return msgspec.structs.replace(agreement, game=1, series=())
    there = list(points)
    for here, seat in enumerate(seats):
        there[seat - 1] = points[here]
    return msgspec.structs.replace(agreement, game=agreement.game + 1, series=tuple(there))


def check_clock(rule: ClockRule, seats: int) -> None:
    """Raise `BadRequest` for a clock that makes no sense."""
    if seats == 1:
        raise BadRequest("You can't use a clock when you play alone.")
    least, most = SHORTEST[rule.kind], LONGEST[rule.kind]
    if not least <= rule.seconds <= most:
        raise BadRequest(
            f"A clock of the kind {rule.kind!r} has {least} to {most} seconds, not {rule.seconds}."
        )
    if rule.kind == "days" and rule.seconds % DAY:
        raise BadRequest("A clock of the kind 'days' counts whole days: a multiple of 86400 seconds.")
    if rule.increment and rule.kind != "fischer":
        raise BadRequest(f"An increment goes with a clock of the kind 'fischer', not {rule.kind!r}.")
