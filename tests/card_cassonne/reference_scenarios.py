"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.card_cassonne.reference_board import Position, full_options, position_faults, read_position
from tests.card_cassonne.reference_rules import clauses_against, legal_moves, play, run_on
from tests.reference.scenarios import (
    faults,
    head_failures,
    listed,
    move_failures,
    outcome_failures,
    refusal_failures,
    run_steps,
)

UNORDERED = ("hand", "aside")


def run_scenario(path: Path, seed: int = 20) -> list[str]:
    """Run one scenario file, hidden cards dealt by the seed; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = head_failures(data, "card-cassonne")
    options, seats = full_options(data.get("options")), data.get("seats", 2)
    written = data.get("position", {})
    broken = position_faults(written, options, seats)
    if "refused" in data or broken:
        return failures + refusal_failures(data, broken)
    position = run_on(read_position(written, options, seats, random.Random(seed)), options)
    return failures + run_steps(data, position, lambda step, before: run_step(step, before, options))


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any]
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    legal = legal_moves(position, options)
    failures = move_failures(step, legal, partial(clauses_against, position, options))
    for move in listed(step.get("play", [])):
        position = play(position, options, move)
    now = {"scored": {}, **position.write()}
    return failures + outcome_failures(step, now, partial(faults, unordered_keys=UNORDERED)), position
