"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.card_cassonne.reference_board import Position, full_options, position_faults, read_position
from tests.card_cassonne.reference_rules import clauses_against, legal_moves, play, run_on

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "card_cassonne"
HEAD = {"game", "title", "clauses", "seats", "options", "refused", "position", "step"}
STEP = {"legal", "illegal", "play", "expect", "winner"}
UNORDERED = ("hand", "aside")


def listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def faults(key: str, pattern: Any, found: Any) -> list[str]:
    """List where a position is not as a scenario expects."""
    wrong = [f"{key}: expected {pattern}, found {found}"]
    if pattern == "-":
        return wrong if found is not None else []
    if isinstance(pattern, dict):
        if not isinstance(found, dict):
            return wrong
        if not pattern and not key.startswith("player "):
            return wrong if found else []
        return [each for part in pattern for each in faults(part, pattern[part], found.get(part))]
    if key == "players":
        if len(pattern) != len(found):
            return wrong
        pairs = enumerate(zip(pattern, found, strict=True), 1)
        return [each for seat, (want, got) in pairs for each in faults(f"player {seat}", want, got)]
    if isinstance(found, list):
        return [] if list_matches(key, pattern, found) else wrong
    return [] if type(pattern) is type(found) and pattern == found else wrong


def list_matches(key: str, pattern: Any, found: Sequence[str]) -> bool:
    if isinstance(pattern, int):
        return len(found) == pattern
    return (unordered if key in UNORDERED else in_sequence)(pattern, found)


def in_sequence(pattern: Sequence[str], found: Sequence[str]) -> bool:
    if not pattern:
        return not found
    if pattern[0] == "...":
        return any(in_sequence(pattern[1:], found[n:]) for n in range(len(found) + 1))
    return bool(found) and pattern[0] in ("?", found[0]) and in_sequence(pattern[1:], found[1:])


def unordered(pattern: Sequence[str], found: Sequence[str]) -> bool:
    left = Counter(found)
    named = Counter(card for card in pattern if card not in ("?", "..."))
    if named - left:
        return False
    over = sum((left - named).values())
    blanks = list(pattern).count("?")
    return over >= blanks if "..." in pattern else over == blanks


def run_scenario(path: Path, seed: int = 20) -> list[str]:
    """Run one scenario file, hidden cards dealt by the seed; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = [f"unknown key {key}" for key in set(data) - HEAD]
    if data["game"] != "card-cassonne" or not data["title"].strip():
        failures.append("a scenario names its game and has a title")
    options, seats = full_options(data.get("options")), data.get("seats", 2)
    written = data.get("position", {})
    broken = position_faults(written, options, seats)
    if "refused" in data:
        if not {clause for clause, _ in broken} & set(listed(data["refused"])):
            failures.append(f"the position should be refused by {data['refused']}, found {broken}")
        return failures
    if broken:
        return [*failures, f"the position breaks {broken}"]
    position = run_on(read_position(written, options, seats, random.Random(seed)), options)
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
    now.setdefault("scored", {})
    for key, pattern in step.get("expect", {}).items():
        failures += faults(key, pattern, now.get(key))
    if "winner" in step and listed(step["winner"]) != listed(now.get("winner", "none")):
        failures.append(f"winner: expected {step['winner']}, found {now.get('winner')}")
    return failures, position


def scenario_files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.toml"))


def scenarios() -> Iterator[dict[str, Any]]:
    for path in scenario_files():
        yield tomllib.loads(path.read_text(encoding="utf-8"))
