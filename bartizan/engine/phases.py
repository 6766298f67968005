"""Describe a game's phases in one place: what each asks for, and why it refuses everything else.

A game has one table of its phases, in the order of their numbers::

    PHASES = PhaseTable(
        ACTIONS,
        PhaseRow("exchange", asks=("exchange", "lay"), refuses="TWR-8", …),
        PhaseRow("over", refuses="TWR-64", prompt="The game is over."),
    )

It provides the rule that refuses other moves, the prompt that people read, and the text of a refusal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bartizan.engine.actions import ActionSpace
from bartizan.engine.clauses import OK, code
from bartizan.engine.errors import UnfinishedGame, nearest
from bartizan.engine.record import table
from bartizan.engine.rule import RuleNamespace, generated_rule

Words = str | Callable[..., str]
Explained = tuple[str, Sequence[str]]  # a sentence, and the ids of what prevents the move


@dataclass(frozen=True)
class PhaseRow:
    """One thing that a table waits for; its number is its place in the table."""

    name: str  # as positions write it
    asks: Sequence[str] = ()  # the verbs that answer it
    refuses: str = ""  # the clause that forbids all others, and any touch that makes no move
    unless: Mapping[str, str] = field(default_factory=dict)  # verb -> the clause that forbids it instead
    prompt: Words = ""  # the prompt for the seat to move: a sentence, or a function (observation, seat)
    others: Words = ""  # the prompt for everyone else, in the same form
    # why other moves are refused: a sentence, or a function (observation, verb), which may explain more
    says: Words | Callable[..., Explained] = ""


class PhaseTable(RuleNamespace):
    """The phases of a game.

    ``why_not(phase, verb)`` is a rule: it returns the number of the clause that forbids a verb in a phase, 0
    if it is allowed.
    """

    why_not: Any

    def __init__(
        self,
        actions: ActionSpace,
        *phases: PhaseRow,
        first: bool = False,
        where: str = "a row's asks in phases.py",
    ) -> None:
        """Take the phases in the order of their numbers, and where the game says what each asks for.

        Raises `UnfinishedGame` for an unknown verb, and for a verb that no phase asks for.

        With `first`, a move that the phase doesn't allow is refused for that reason, whatever else is wrong.
        """
        super().__init__("phases")
        self.phases = phases
        self.first = first
        for phase in phases:
            unknown = {*phase.asks, *phase.unless} - set(actions.verbs)
            if unknown:
                verb = min(unknown)
                raise UnfinishedGame(
                    f"PHASES: {phase.name!r} has the verb {verb!r}, which doesn't exist."
                    + nearest(verb, actions.verbs)
                )
        unasked = [verb for verb in actions.verbs if all(verb not in phase.asks for phase in phases)]
        if unasked:
            verbs = ", ".join(map(repr, unasked))
            raise UnfinishedGame(f"No phase asks for {verbs}: add it to {where}.")
        clauses = [_clause_of(phase, verb) for phase in phases for verb in actions.verbs]
        self.why_not = generated_rule(
            "why_not_in_phase",
            f"def why_not_in_phase(phase, verb):\n    return CLAUSES[phase * {len(actions.verbs)} + verb]\n",
            {"CLAUSES": table(clauses)},
            sys.modules[sys._getframe(1).f_globals["__name__"]],
        )

    def __getitem__(self, number: int) -> PhaseRow:
        """Return a phase by its number."""
        return self.phases[number]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all phases, in order."""
        return tuple(phase.name for phase in self.phases)

    def prompt(self, number: int, observation: Any, seat: int, asked: bool) -> str:
        """Return the prompt for a seat in a phase."""
        phase = self.phases[number]
        return spoken(phase.prompt if asked or not phase.others else phase.others, observation, seat)


def spoken(words: Words, *about: Any) -> str:
    """Return a sentence that is given as it is or by a function."""
    return words if isinstance(words, str) else words(*about)


def _clause_of(phase: PhaseRow, verb: str) -> int:
    """Return the number of the clause that forbids a verb in a phase."""
    if verb in phase.asks:
        return OK
    clause = phase.unless.get(verb, phase.refuses)
    return code(clause) if clause else OK
