"""Put the words of Card Barrage's verbs together: moves as text, choices, refusals."""

from __future__ import annotations

from bartizan.engine.errors import UnknownMove
from bartizan.engine.notation.text import squeeze
from bartizan.engine.words import Vocabulary
from bartizan.games.card_barrage import game
from bartizan.games.card_barrage.phases import PHASES
from bartizan.games.card_barrage.state import ACTIONS, State
from bartizan.games.card_barrage.words.answers import Decline, End, Give, Reveal, TurnUp
from bartizan.games.card_barrage.words.effects import Discard, Draw, Erect, Exchange, Pick
from bartizan.games.card_barrage.words.look import Look
from bartizan.games.card_barrage.words.reports import Report
from bartizan.games.card_barrage.words.walls import Build, Replace, Upgrade


def _phase_of(state: State) -> int:
    return state.phase


def _explain_throw(state: State, text: str) -> None:
    """Raise `UnknownMove` for a throw: what is told is what it did."""
    if squeeze(text).lower().startswith("throw"):
        raise UnknownMove(
            f"{text.strip()!r}: cards are thrown at a real table; say what the throw did, such as "
            "'report 6v hit 2.3' or 'report 6v miss'. With the option throws = thrown it is made here.",
            text,
        )


VOCABULARY = Vocabulary(
    ACTIONS,
    game.clauses,
    PHASES,
    _phase_of,
    look=Look,
    misread=_explain_throw,
    build=Build(),
    upgrade=Upgrade(),
    report=Report(),
    replace=Replace(),
    give=Give(),
    draw=Draw(),
    exchange=Exchange(),
    erect=Erect(),
    pick=Pick(),
    decline=Decline(),
    discard=Discard(),
    reveal=Reveal(),
    turn_up=TurnUp(),
    end=End(),
)
