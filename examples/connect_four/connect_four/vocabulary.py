"""Put the words together: moves as text, choices, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.clauses import Rulebook
from bartizan.engine.rule import interpreted
from bartizan.engine.words import Vocabulary
from connect_four.phases import PHASES
from connect_four.state import ACTIONS
from connect_four.words.verbs import Drop

if TYPE_CHECKING:
    from connect_four import phases as plain
else:
    from connect_four import phases

    plain = interpreted(phases)

VOCABULARY = Vocabulary(
    ACTIONS, Rulebook.load(Path(__file__).parent / "clauses.toml"), PHASES, plain.phase_of, drop=Drop()
)
