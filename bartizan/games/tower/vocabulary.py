"""Put the words of Tower's verbs together: moves as text, choices, refusals."""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.clauses import Rulebook
from bartizan.engine.words import Vocabulary
from bartizan.games.tower import phases
from bartizan.games.tower.phases import PHASES
from bartizan.games.tower.state import ACTIONS
from bartizan.games.tower.words.battle import Attack, Deflect, Hit, Pass
from bartizan.games.tower.words.building import Draw, Exchange, Lay, Stop, Take
from bartizan.games.tower.words.mending import Discard, Rebuild, Repair
from bartizan.games.tower.words.tokens import Tokens

VOCABULARY = Vocabulary(
    ACTIONS,
    Rulebook.load(Path(__file__).parent / "clauses.toml"),
    PHASES,
    phases.phase_of,
    why_not_in_phase=phases.why_not_in_phase,
    look=Tokens,
    exchange=Exchange(),
    draw=Draw(),
    take=Take(),
    lay=Lay(),
    stop=Stop(),
    attack=Attack(),
    deflect=Deflect(),
    repair=Repair(),
    rebuild=Rebuild(),
    discard=Discard(),
    hit=Hit(),
    pass_=Pass(),
)
