"""Run a table of Card Barrage from one decision to the next."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.card_barrage.aftermath import settle
from bartizan.games.card_barrage.deal import deal
from bartizan.games.card_barrage.rules import end_turn, start_turn
from bartizan.games.card_barrage.state import REPORT, Phase, State


@rule
def setup(s: State) -> None:
    """Deal a new game into `s`, all zeros but for its stream, its options and the number of people."""
    deal(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def before_action(s: State, verb: int) -> None:
    """Settle what an attack has left, unless the action asks for more; after building the turn goes on."""
    if verb >= REPORT.number:
        s.phase = Phase.SETTLING


@rule
def after_action(s: State, verb: int) -> None:
    """Run on to the next decision."""
    run(s)


@rule
def run(s: State) -> None:
    """Go on to the next decision."""
    if s.phase == Phase.SETTLING:
        settle(s)
    if s.phase == Phase.PASSING:
        end_turn(s)
    if s.phase == Phase.BEGINNING:
        start_turn(s)


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.GIVE or s.phase == Phase.EFFECT or s.phase == Phase.REPLACE:
        s.phase = Phase.SETTLING
    run(s)
