"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.castle_danger.reference_board import Position, full_options, position_faults
from tests.castle_danger.reference_rules import clauses_against, legal_moves, play

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "castle_danger"
HEAD = {"game", "title", "clauses", "seats", "options", "refused", "position", "step"}
STEP = {"legal", "illegal", "play", "expect", "winner"}


def listed(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def matches(pattern: Any, found: Any) -> bool:
    """Compare one key with what a scenario expects of it."""
    if isinstance(found, list):
        return len(found) == pattern if isinstance(pattern, int) else in_sequence(pattern, found)
    return type(pattern) is type(found) and bool(pattern == found)


def in_sequence(pattern: Sequence[str], found: Sequence[str]) -> bool:
    if not pattern:
        return not found
    if pattern[0] == "...":
        return any(in_sequence(pattern[1:], found[n:]) for n in range(len(found) + 1))
    return bool(found) and pattern[0] in ("?", found[0]) and in_sequence(pattern[1:], found[1:])


def run_scenario(path: Path) -> list[str]:
    """Run one scenario file; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = [f"unknown key {key}" for key in set(data) - HEAD]
    if data["game"] != "castle-danger" or not data["title"].strip():
        failures.append("a scenario names its game and has a title")
    options = full_options(data.get("options"))
    written = data.get("position", {})
    faults = position_faults(written, options)
    broken = {clause for clause, _ in faults}
    if "refused" in data:
        if not faults or (data["refused"] and not broken & set(listed(data["refused"]))):
            failures.append(f"the position should be refused by {data['refused']}, found {faults}")
        return failures
    if faults:
        return [*failures, f"the position breaks {faults}"]
    position = Position.read(written, options)
    for number, step in enumerate(data["step"], 1):
        found, position = run_step(step, position, options)
        failures += [f"step {number}: {failure}" for failure in found]
    return failures


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any]
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    failures = [f"unknown key {key}" for key in set(step) - STEP]
    legal = legal_moves(position, options)
    for move in listed(step.get("legal", [])):
        if move not in legal:
            failures.append(f"{move} should be legal: {clauses_against(position, options, move)}")
    for move, clauses in step.get("illegal", {}).items():
        against = clauses_against(position, options, move)
        if move in legal or not set(against) & set(listed(clauses)):
            failures.append(f"{move} should break {clauses}, found {against}")
    for move in listed(step.get("play", [])):
        position = play(position, options, move)
    now = position.write()
    for key, pattern in step.get("expect", {}).items():
        if not matches(pattern, now[key]):
            failures.append(f"{key}: expected {pattern}, found {now[key]}")
    if "winner" in step and step["winner"] != now["winner"]:
        failures.append(f"winner: expected {step['winner']}, found {now['winner']}")
    return failures, position


def scenario_files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.toml"))


def scenarios() -> Iterator[dict[str, Any]]:
    for path in scenario_files():
        yield tomllib.loads(path.read_text(encoding="utf-8"))
