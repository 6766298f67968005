"""Run scenario files against a second implementation of a game's rules: what is the same for all games."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

P = TypeVar("P")  # a game's position

SCENARIOS = Path(__file__).parents[1] / "scenarios"
HEAD = {"game", "title", "clauses", "seats", "options", "refused", "position", "step"}
STEP = {"legal", "illegal", "play", "expect", "winner"}


def scenario_files(folder: str) -> list[Path]:
    """List a game's scenario files."""
    return sorted((SCENARIOS / folder).glob("*.toml"))


def scenarios(folder: str) -> Iterator[dict[str, Any]]:
    """Read a game's scenario files."""
    for path in scenario_files(folder):
        yield tomllib.loads(path.read_text(encoding="utf-8"))


# --- the parts of a scenario ----------------------------------------------------------------------------


def head_failures(data: Mapping[str, Any], game: str) -> list[str]:
    """List what is wrong with a scenario's head."""
    failures = [f"unknown key {key}" for key in set(data) - HEAD]
    if data["game"] != game or not data["title"].strip():
        failures.append("a scenario names its game and has a title")
    return failures


def refusal_failures(data: Mapping[str, Any], faults: Sequence[tuple[str, str]]) -> list[str]:
    """Compare the faults of a position with the clauses that should refuse it, or with none."""
    if "refused" not in data:
        return [f"the position breaks {faults}"] if faults else []
    wanted, broken = set(listed(data["refused"])), {clause for clause, _ in faults}
    if faults and (not wanted or broken & wanted):
        return []
    return [f"the position should be refused by {data['refused']}, found {faults}"]


def run_steps(
    data: Mapping[str, Any], position: P, run_step: Callable[[Mapping[str, Any], P], tuple[list[str], P]]
) -> list[str]:
    """Run the steps of a scenario one after the other; list what failed, a sentence each."""
    failures = []
    for number, step in enumerate(data["step"], 1):
        found, position = run_step(step, position)
        failures += [f"step {number}: {failure}" for failure in found]
    return failures


def move_failures(
    step: Mapping[str, Any],
    legal: Collection[str],
    clauses_against: Callable[[str], Sequence[str]],
    canonical: Callable[[str], str] = str,
) -> list[str]:
    """List which moves are not as legal or illegal as a step says; `canonical` is how `legal` writes one."""
    failures = [f"unknown key {key}" for key in set(step) - STEP]
    for move in listed(step.get("legal", [])):
        if canonical(move) not in legal:
            failures.append(f"{move} should be legal: {clauses_against(move)}")
    for move, clauses in step.get("illegal", {}).items():
        against = clauses_against(move)
        if move in legal or not set(against) & set(listed(clauses)):
            failures.append(f"{move} should break {clauses}, found {against}")
    return failures


def outcome_failures(
    step: Mapping[str, Any], now: Mapping[str, Any], faults: Callable[[str, Any, Any], list[str]]
) -> list[str]:
    """List where the position after a step is not as expected; `faults` compares a key's pattern with it."""
    failures = []
    for key, pattern in step.get("expect", {}).items():
        failures += faults(key, pattern, now.get(key))
    winner = now.get("winner", "none")
    if "winner" in step and listed(step["winner"]) != listed(winner):
        failures.append(f"winner: expected {step['winner']}, found {winner}")
    return failures


# --- patterns -------------------------------------------------------------------------------------------


def listed(value: Any) -> list[Any]:
    """Make a list of what may stand alone."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def fault(key: str, pattern: Any, found: Any) -> str:
    """Say what was expected."""
    return f"{key}: expected {pattern}, found {found}"


def faults_by(matches: Callable[[str, Any, Any], bool]) -> Callable[[str, Any, Any], list[str]]:
    """Make a list of faults of whether a key's value matches its pattern."""
    return lambda key, pattern, found: [] if matches(key, pattern, found) else [fault(key, pattern, found)]


def faults(key: str, pattern: Any, found: Any, unordered_keys: Collection[str]) -> list[str]:
    """List where a value is not as its pattern says; of tables and players, only the parts that differ."""
    wrong = [fault(key, pattern, found)]
    if pattern == "-":
        return wrong if found is not None else []
    if isinstance(pattern, dict):
        if not isinstance(found, dict):
            return wrong
        if not pattern and not key.startswith("player "):
            return wrong if found else []
        parts = [(part, pattern[part], found.get(part)) for part in pattern]
    elif key == "players":
        if len(pattern) != len(found):
            return wrong
        parts = [(f"player {seat}", *pair) for seat, pair in enumerate(zip(pattern, found, strict=True), 1)]
    elif isinstance(found, list):
        return [] if list_matches(pattern, found, unordered=key in unordered_keys) else wrong
    else:
        return [] if type(pattern) is type(found) and pattern == found else wrong
    return [each for part in parts for each in faults(*part, unordered_keys)]


def list_matches(pattern: Any, found: Sequence[str], *, unordered: bool = False) -> bool:
    """Compare a list with how long it should be, or with what should be in it."""
    if isinstance(pattern, int):
        return len(found) == pattern
    return (in_any_order if unordered else in_sequence)(pattern, found)


def in_sequence(pattern: Sequence[str], found: Sequence[str]) -> bool:
    """Compare a list with a pattern, in which `?` is anything and `...` any number of things."""
    if not pattern:
        return not found
    if pattern[0] == "...":
        return any(in_sequence(pattern[1:], found[n:]) for n in range(len(found) + 1))
    return bool(found) and pattern[0] in ("?", found[0]) and in_sequence(pattern[1:], found[1:])


def in_any_order(pattern: Sequence[str], found: Sequence[str]) -> bool:
    """Compare a list with a pattern like `in_sequence`, wherever in it things are."""
    left = Counter(found)
    named = Counter(each for each in pattern if each not in ("?", "..."))
    if named - left:
        return False
    over = sum((left - named).values())
    blanks = list(pattern).count("?")
    return over >= blanks if "..." in pattern else over == blanks
