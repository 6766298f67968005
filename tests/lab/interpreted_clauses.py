"""Count clauses by watching the interpreted rules run: slow, and independent of the rules that note them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from types import CodeType, FrameType
from typing import Any

from bartizan.engine.counting import clauses_in
from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.lab.batch import GameBatch


class InterpretedCounter:
    """Play games by a game's interpreted rules and note which functions return."""

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

    def count(self, batch: GameBatch, seed: str, actions: Sequence[int]) -> dict[str, int]:
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
            self._named[code] = (
                frozenset() if asks else clauses_in(text, self._prefix, self._known, self._questions)
            )
        return self._named[code]
