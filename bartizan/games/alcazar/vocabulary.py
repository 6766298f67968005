"""Put the words of Alcazar's verbs together: moves as text, choices, refusals."""

from __future__ import annotations

import re
from pathlib import Path

from bartizan.engine.cards import POKER
from bartizan.engine.clauses import Rulebook
from bartizan.engine.notation.text import squeeze
from bartizan.engine.words import Vocabulary
from bartizan.games.alcazar import phases
from bartizan.games.alcazar.phases import PHASES
from bartizan.games.alcazar.state import ACTIONS, State
from bartizan.games.alcazar.words.actions import Defend, End, Repair
from bartizan.games.alcazar.words.answers import Discard, Draw, Forfeit, Stay
from bartizan.games.alcazar.words.look import Look
from bartizan.games.alcazar.words.specials import Advantage, Fortify, Missile, Reinforce, Swap, Trade


def _phase_of(state: State) -> int:
    return state.phase


def _name_wrong_card(state: State, text: str) -> None:
    """Raise `UnknownCard` for a move that begins like one and names a card that there is not."""
    if not squeeze(text).lower().startswith(tuple(VOCABULARY.beginnings)):
        return
    for word in re.findall(r"\b(?:10|\w)\w\b", text.partition(" ")[2]):
        if word.lower() != "at":
            POKER.parse(word)


VOCABULARY = Vocabulary(
    ACTIONS,
    Rulebook.load(Path(__file__).parent / "clauses.toml"),
    PHASES,
    _phase_of,
    why_not_in_phase=phases.why_not_in_phase,
    look=Look,
    misread=_name_wrong_card,
    defend=Defend(),
    repair=Repair(),
    missile=Missile(),
    swap=Swap(),
    fortify=Fortify(),
    reinforce=Reinforce(),
    advantage=Advantage(),
    trade=Trade(),
    discard=Discard(),
    forfeit=Forfeit(),  # its moves look like those of `discard`
    draw=Draw(),
    stay=Stay(),
    end=End(),
)
