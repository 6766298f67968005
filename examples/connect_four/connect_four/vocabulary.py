"""Put the words together: moves as text, choices, refusals."""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.clauses import Rulebook
from bartizan.engine.words import Vocabulary
from connect_four import phases
from connect_four.phases import PHASES
from connect_four.state import ACTIONS
from connect_four.words.verbs import Drop

VOCABULARY = Vocabulary(
    ACTIONS, Rulebook.load(Path(__file__).parent / "clauses.toml"), PHASES, phases.phase_of, drop=Drop()
)
