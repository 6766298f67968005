"""Put the words of Castle Danger's verbs together: moves as text, choices, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.clauses import Rulebook
from bartizan.engine.rule import interpreted
from bartizan.engine.words import Vocabulary
from bartizan.games.castle_danger.phases import PHASES
from bartizan.games.castle_danger.state import ACTIONS
from bartizan.games.castle_danger.words.verbs import Add, End, Fire, Raze, Step, Wall

if TYPE_CHECKING:
    from bartizan.games.castle_danger import phases as plain
else:
    from bartizan.games.castle_danger import phases

    plain = interpreted(phases)

VOCABULARY = Vocabulary(
    ACTIONS,
    Rulebook.load(Path(__file__).parent / "clauses.toml"),
    PHASES,
    plain.phase_of,
    add=Add(),
    step=Step(),
    wall=Wall(),
    raze=Raze(),
    fire=Fire(),
    end=End(),
)
