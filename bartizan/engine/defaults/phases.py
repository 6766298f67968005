"""Derive what the table can wait for: the game's phases, and the end."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from bartizan.engine.clauses import Rulebook
from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.phases import PhaseRow, PhaseTable
from bartizan.engine.record import table


def make_phases(game: ShortGame) -> types.ModuleType:
    """Return a module with ``PHASES``, ``phase_of`` and ``why_not_in_phase``."""
    module = types.ModuleType("phases")
    names = game.seat_names

    def wait(observation: Any, seat: int) -> str:
        return f"{names[observation.to_move - 1]} is to move."

    rows = [
        PhaseRow(
            phase,
            asks=verbs,
            refuses=game.book.id_of(game.clause_of(verbs[0])),
            unless={
                verb: game.book.id_of(game.clause_of(verb))
                for verb in game.actions.verbs
                if verb not in verbs
            },
            prompt=f"Your turn: {_spoken(verbs)}.",
            others=wait,
            says=f"Now it is time to {_spoken(verbs)}.",
        )
        for phase, verbs in game.phases.items()
    ]
    over = PhaseRow(
        "over",
        refuses=_end(game.book),
        prompt="The game is over.",
        says="The game is over.",
    )
    clauses = [game.clause_of(verb) for verb in game.actions.verbs]
    asked = [int(verb in row.asks) for row in rows for verb in game.actions.verbs]
    count = len(game.actions.verbs)
    phase_of = game.made("phase_of(s)", [f"return s.phase if s.ended == 0 else {len(rows)}"])
    why_not = game.made(
        "why_not_in_phase(s, verb)",
        [
            "if s.ended != 0:",
            "    return s.ended",
            f"return 0 if ASKED[s.phase * {count} + verb] == 1 else CLAUSES[verb]",
        ],
        ASKED=table(asked),
        CLAUSES=table(clauses),
    )
    phases = PhaseTable(game.actions, *rows, over, where="PHASES in __init__.py")
    vars(module).update({"PHASES": phases, "phase_of": phase_of, "why_not_in_phase": why_not})
    return module


def _spoken(verbs: Sequence[str]) -> str:
    words = [verb.replace("_", " ") for verb in verbs]
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def _end(book: Rulebook) -> str:
    """Return the clause named when the game is over: the last one of the rulebook."""
    return book.all()[-1].id
