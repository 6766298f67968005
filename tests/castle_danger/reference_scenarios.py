"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.castle_danger.reference_board import Position, full_options, position_faults
from tests.castle_danger.reference_rules import clauses_against, legal_moves, play
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


def matches(key: str, pattern: Any, found: Any) -> bool:
    """Compare a key's value with what a scenario expects of it."""
    del key
    if isinstance(found, list):
        return list_matches(pattern, found)
    return type(pattern) is type(found) and bool(pattern == found)


def run_scenario(path: Path) -> list[str]:
    """Run one scenario file; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = head_failures(data, "castle-danger")
    options = full_options(data.get("options"))
    written = data.get("position", {})
    faults = position_faults(written, options)
    if "refused" in data or faults:
        return failures + refusal_failures(data, faults)
    position = Position.read(written, options)
    return failures + run_steps(data, position, lambda step, before: run_step(step, before, options))


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any]
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    legal = legal_moves(position, options)
    failures = move_failures(step, legal, partial(clauses_against, position, options))
    for move in listed(step.get("play", [])):
        position = play(position, options, move)
    return failures + outcome_failures(step, position.write(), faults_by(matches)), position
