"""Count how often each clause of a rulebook takes effect, on a sample of games played interpreted.

A clause *takes effect* when a rule whose docstring names it is carried out while the table is set up or an
action is played; several such rules at one action count once.  A rule that asks something counts where it
answers yes; one that tells why not never does.  So refused attempts count nothing, nor does what is asked to
list the legal actions.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from types import CodeType, FrameType
from typing import Any

from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.lab.batch import Batch

CLAUSE_GAMES = 60  # of a cell that are played again interpreted

NOT_RULES = (
    "position",
    "words",
    "scene",
    "observation",
    "sight",
    "heuristics",
    "features",
    "playtest",
    "options",
)


def clauses_in(text: str, prefix: str, known: Sequence[str], questions: dict[str, str]) -> frozenset[str]:
    """Return the ids of the clauses that a docstring names; a question names the clause that answers it.

    ``ALC-4 to ALC-7`` names four.
    """
    found: set[str] = set()
    for low, high in re.findall(rf"{prefix}-(\d+)[a-z]? to {prefix}-(\d+)", text):
        found |= {f"{prefix}-{number}" for number in range(int(low), int(high) + 1)}
    for name in re.findall(rf"{prefix}-(?:Q?\d+[a-z]?)", text):
        found.add(questions.get(name, name))
    return frozenset(found & set(known))


class ClauseCounter:
    """Play games by a game's interpreted rules and count what takes effect; for any number of threads."""

    def __init__(self, game: Game) -> None:
        self.game = game
        book = game.clauses
        self._prefix = book.prefix
        self._known = [clause.id for clause in book.all()]
        self._questions = {question: clause.id for clause in book.all() for question in clause.questions}
        self._named: dict[CodeType, frozenset[str]] = {}

    @cached_property
    def _rules(self) -> Any:
        return interpreted(self.game.rules)

    @cached_property
    def told_apart(self) -> frozenset[str]:
        """The clauses that some rule names; of the others nobody can say when they take effect."""
        found: set[str] = set()
        for path in sorted(self.game.folder.glob("*.py")):
            if path.stem in NOT_RULES:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("why"):
                    found |= self._clauses_in(ast.get_docstring(node) or "")
        return frozenset(found)

    def _clauses_in(self, text: str) -> frozenset[str]:
        return clauses_in(text, self._prefix, self._known, self._questions)

    def count(self, batch: Batch, seed: str, actions: Sequence[int]) -> dict[str, int]:
        """Return at how many actions of a game, set-up included, each clause takes effect; only those."""
        times: Counter[str] = Counter()
        here: set[str] = set()

        def note(frame: FrameType, event: str, answer: Any) -> None:
            if event == "return":
                named = self._named_by(frame.f_code)
                if named and answer is not False:
                    here.update(named)

        rules, game = self._rules, self.game
        options = game.option_set.read(batch.options)
        table = game.blank(options, batch.seats, stream(seed, "deal")).view()
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            rules.setup(table)
            times.update(here)
            for ply, action in enumerate(actions):
                here.clear()
                table.rng = stream(seed, "ply", ply)
                rules.apply(table, action)
                times.update(here)
        finally:
            sys.setprofile(before)
        return {clause: times[clause] for clause in sorted(times)}

    def _named_by(self, code: CodeType) -> frozenset[str]:
        if code not in self._named:
            text = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else ""
            asks = code.co_name.startswith("why")
            self._named[code] = frozenset() if asks else self._clauses_in(text)
        return self._named[code]
