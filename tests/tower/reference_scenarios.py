"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.tower.reference import canonical
from tests.tower.reference_moves import clauses_against, legal_moves
from tests.tower.reference_rules import Dice, play, run_on, start
from tests.tower.reference_table import Position, deck_of, full_options, position_faults

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "tower"
HEAD = {"game", "title", "clauses", "seats", "options", "refused", "position", "step"}
STEP = {"legal", "illegal", "play", "expect", "winner"}
UNORDERED = ("hand", "rubble", "aside")


def listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def complete_position(data: Mapping[str, Any], options: Mapping[str, Any], rng: random.Random) -> Position:
    """Put the cards named nowhere under the deck in random order, or aside."""
    given = {key: value for key, value in data.items() if key != "rest"}
    position = Position.read(given, options)
    left = sorted((Counter(deck_of(options)) - Counter(position.everything())).elements())
    rng.shuffle(left)
    (position.aside if data.get("rest") == "aside" else position.deck).extend(left)
    return position


def matches(key: str, pattern: Any, found: Any) -> bool:
    """Compare one key with what a scenario expects of it."""
    if pattern == "-" and found in ("-", None):
        return True
    if isinstance(pattern, dict):
        return isinstance(found, dict) and all(matches(k, v, found.get(k)) for k, v in pattern.items())
    if not isinstance(found, list):
        return type(pattern) is type(found) and bool(pattern == found)
    if isinstance(pattern, int):
        return len(found) == pattern
    if any(isinstance(each, dict) for each in [*pattern, *found]):
        return len(pattern) == len(found) and all(
            matches(key, want, got) for want, got in zip(pattern, found, strict=True)
        )
    return unordered(pattern, found) if key in UNORDERED else in_sequence(pattern, found)


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
    blanks = pattern.count("?")
    return over >= blanks if "..." in pattern else over == blanks


def run_scenario(path: Path, seed: int = 20) -> list[str]:
    """Run one scenario file with this seed; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = [f"unknown key {key}" for key in set(data) - HEAD]
    if data["game"] != "tower" or not data["title"].strip():
        failures.append("a scenario names its game and has a title")
    rng = random.Random(seed)
    written = data.get("position")
    seats = data["seats"]
    options = full_options(data.get("options"), seats)
    position = complete_position(written, options, rng) if written else start(options, seats, rng)
    if len(position.players) != seats:
        failures.append(f"{seats} seats, but {len(position.players)} players")
    faults = position_faults(position, options)
    broken = {clause for clause, _ in faults}
    if "refused" in data:
        if not broken & set(listed(data["refused"])):
            failures.append(f"the position should be refused by {data['refused']}, found {faults}")
        return failures
    if faults:
        return [*failures, f"the position breaks {faults}"]
    position = run_on(position, options, Dice(rng))
    for number, step in enumerate(data["step"], 1):
        found, position = run_step(step, position, options, rng)
        failures += [f"step {number}: {failure}" for failure in found]
    return failures


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any], rng: random.Random
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    failures = [f"unknown key {key}" for key in set(step) - STEP]
    for move in listed(step.get("legal", [])):
        if canonical(position, options, move) not in legal_moves(position, options):
            failures.append(f"{move} should be legal: {clauses_against(position, options, move)}")
    for move, clauses in step.get("illegal", {}).items():
        against = clauses_against(position, options, move)
        if move in legal_moves(position, options) or not set(against) & set(listed(clauses)):
            failures.append(f"{move} should break {clauses}, found {against}")
    for move in listed(step.get("play", [])):
        try:
            position = play(position, options, canonical(position, options, move), Dice(rng))
        except ValueError as error:
            return [*failures, str(error)], position
    now = position.write()
    for key, pattern in step.get("expect", {}).items():
        if not matches(key, pattern, now.get(key)):
            failures.append(f"{key}: expected {pattern}, found {now.get(key)}")
    if "winner" in step and step["winner"] != now["winner"]:
        failures.append(f"winner: expected {step['winner']}, found {now['winner']}")
    return failures, position


def scenario_files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.toml"))


def scenarios() -> Iterator[dict[str, Any]]:
    for path in scenario_files():
        yield tomllib.loads(path.read_text(encoding="utf-8"))
