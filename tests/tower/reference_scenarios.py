"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.reference.scenarios import (
    faults_by,
    head_failures,
    list_matches,
    listed,
    move_failures,
    outcome_failures,
    refusal_failures,
    run_steps,
)
from tests.tower.reference import canonical
from tests.tower.reference_moves import clauses_against, legal_moves
from tests.tower.reference_rules import Dice, play, run_on, start
from tests.tower.reference_table import Position, deck_of, full_options, position_faults

UNORDERED = ("hand", "rubble", "aside")


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
    if isinstance(pattern, list) and any(isinstance(each, dict) for each in [*pattern, *found]):
        return len(pattern) == len(found) and all(
            matches(key, want, got) for want, got in zip(pattern, found, strict=True)
        )
    return list_matches(pattern, found, unordered=key in UNORDERED)


def run_scenario(path: Path, seed: int = 20) -> list[str]:
    """Run one scenario file with this seed; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = head_failures(data, "tower")
    rng = random.Random(seed)
    written = data.get("position")
    seats = data["seats"]
    options = full_options(data.get("options"), seats)
    position = complete_position(written, options, rng) if written else start(options, seats, rng)
    if len(position.players) != seats:
        failures.append(f"{seats} seats, but {len(position.players)} players")
    faults = position_faults(position, options)
    if "refused" in data or faults:
        return failures + refusal_failures(data, faults)
    position = run_on(position, options, Dice(rng))
    return failures + run_steps(data, position, lambda step, before: run_step(step, before, options, rng))


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any], rng: random.Random
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    failures = move_failures(
        step,
        legal_moves(position, options),
        partial(clauses_against, position, options),
        partial(canonical, position, options),
    )
    for move in listed(step.get("play", [])):
        try:
            position = play(position, options, canonical(position, options, move), Dice(rng))
        except ValueError as error:
            return [*failures, str(error)], position
    return failures + outcome_failures(step, position.write(), faults_by(matches)), position
