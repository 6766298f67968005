"""Put the words of Card-cassonne's verbs together: moves as text, choices, refusals."""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.clauses import Rulebook
from bartizan.engine.words import Vocabulary
from bartizan.games.card_cassonne.phases import PHASES
from bartizan.games.card_cassonne.state import ACTIONS, State
from bartizan.games.card_cassonne.words.survey import Survey
from bartizan.games.card_cassonne.words.verbs import Decline, Done, Play, Score, Token


def _phase_of(state: State) -> int:
    return state.phase


VOCABULARY = Vocabulary(
    ACTIONS,
    Rulebook.load(Path(__file__).parent / "clauses.toml"),
    PHASES,
    _phase_of,
    look=Survey,
    play=Play(),
    token=Token(),
    decline=Decline(),
    score=Score(),
    done=Done(),
)
