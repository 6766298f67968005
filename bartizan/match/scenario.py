"""Run scenario files: small tests that anybody can write (see the notation of scenarios)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bartizan.engine import registry
from bartizan.engine.errors import BadPosition, BadScenario, BartizanError, in_words, nearest, quoted
from bartizan.match.expectation import Expectation
from bartizan.match.match import Match


class ScenarioStep(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One step: what must be possible or not, what is played, what is then found."""

    legal: list[str] | str = []
    illegal: dict[str, str | list[str]] = {}
    play: list[str] | str = []
    expect: dict[str, Any] = {}
    winner: str | int | list[str | int] | None = None


class Scenario(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One scenario as its file holds it."""

    game: str
    title: str = ""
    clauses: list[str] = []
    seats: int | None = None
    seed: str = "0"
    options: dict[str, Any] = {}
    refused: list[str] | str | None = None
    position: dict[str, Any] | None = None
    step: list[ScenarioStep] = []


class JudgeReport(msgspec.Struct, frozen=True):
    """How many scenarios a file had, and a line for each expectation that did not hold."""

    scenarios: int
    failures: list[str]


def run_file(path: Path) -> JudgeReport:
    """Run the scenario in a file.

    Raises `BadScenario` naming the file for text that is no scenario, and what
    a bad option, card or number of seats raises.
    """
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadScenario(f"{path}: cannot be read as TOML: {error}.") from error
    except RecursionError as error:
        raise BadScenario(f"{path}: brackets are nested too deeply.") from error
    try:
        return run(table)
    except BartizanError as error:
        if isinstance(error, BadScenario):
            raise BadScenario(f"{path}: {error}") from error
        raise


def run(table: Mapping[str, Any]) -> JudgeReport:
    """Run a scenario given as a table; raises `BadScenario` for one that is not in the form."""
    unknown = [key for key in table if key not in Scenario.__struct_fields__]
    if unknown:
        raise BadScenario(
            f"a scenario has no key {unknown[0]!r}.{nearest(unknown[0], Scenario.__struct_fields__)}"
        )
    steps = table.get("step", [])
    for step in steps if isinstance(steps, list) else []:
        for key in step if isinstance(step, dict) else ():
            if key not in ScenarioStep.__struct_fields__:
                known = ScenarioStep.__struct_fields__
                near = nearest(key, known) or f" It can have {', '.join(known)}."
                raise BadScenario(f"a step has no key {key!r}.{near}")
    try:
        scenario = msgspec.convert(table, Scenario)
    except msgspec.ValidationError as error:
        raise BadScenario(f"{in_words(error)}.") from error
    return JudgeReport(1, _Judge(scenario).failures())


class _Judge:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.found: list[str] = []
        self.place = "position"

    def failures(self) -> list[str]:
        scenario = self.scenario
        try:
            match = Match(scenario.game, scenario.options, scenario.seats, scenario.seed, scenario.position)
        except BadPosition as error:
            self.judge_refusal(error)
            return self.found
        if scenario.refused is not None:
            self.fail(f"to be refused by {_or(_listed(scenario.refused))}", "it is accepted")
        for number, step in enumerate(scenario.step, start=1):
            self.place = f"step {number}"
            if not self.step(match, step):
                break
        return self.found

    def fail(self, expected: str, found: str) -> None:
        self.found.append(f"{self.place}: expected {expected}; found {found}")

    def cites(self, wanted: Sequence[str], clause: str) -> bool:
        """Say whether a clause is among the wanted ones, or answers one of the questions among them."""
        rulebook = registry.get(self.scenario.game).clauses
        return not rulebook.names(clause).isdisjoint(wanted)

    def judge_refusal(self, error: BadPosition) -> None:
        wanted = _listed(self.scenario.refused)
        clauses = [clause for clause, _ in error.faults]
        if self.scenario.refused is None:
            self.fail("the position to be accepted", f"{error}")
        elif wanted and not any(self.cites(wanted, clause) for clause in clauses):
            self.fail(f"to be refused by {_or(wanted)}", f"{error}")

    def step(self, match: Match, step: ScenarioStep) -> bool:
        """Judge one step; False if what was to be played could not be."""
        for move in _listed(step.legal):
            self.legal(match, move)
        for move, clauses in step.illegal.items():
            self.illegal(match, move, _listed(clauses))
        for move in _listed(step.play):
            try:
                match.play(move)
            except BartizanError as error:
                self.fail(f"{quoted(move)} to be playable", _reason(error))
                return False
        for fault in Expectation(match.game, step.expect).faults(match.position()):
            self.fail(*fault)
        if step.winner is not None:
            wanted, actual = _listed(step.winner), _listed(match.winner())
            if sorted(map(str, wanted)) != sorted(map(str, actual)):
                self.fail(f"winner {_or(wanted)}", _or(actual))
        return True

    def legal(self, match: Match, move: str) -> None:
        try:
            refusal = match.why_not(move)
        except BartizanError as error:
            self.fail(f"{quoted(move)} to be legal", _reason(error))
            return
        if refusal is not None:
            self.fail(f"{quoted(move)} to be legal", f"{refusal.sentence} ({refusal.clause})")

    def illegal(self, match: Match, move: str, clauses: Sequence[str]) -> None:
        try:
            refusal = match.why_not(move)
        except BartizanError as error:
            self.fail(f"{quoted(move)} to be forbidden by {_or(clauses)}", _reason(error))
            return
        if refusal is None:
            self.fail(f"{quoted(move)} to be forbidden by {_or(clauses)}", "it is legal")
        elif clauses and not self.cites(clauses, refusal.clause):
            self.fail(
                f"{quoted(move)} to be forbidden by {_or(clauses)}", f"{refusal.clause}: {refusal.sentence}"
            )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _or(words: Sequence[object]) -> str:
    return " or ".join(map(str, words)) or "nothing"


def _reason(error: BartizanError) -> str:
    clause = getattr(error, "clause", "")
    return f"{error}" + (f" ({clause})" if clause else "")
