"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.card_barrage.reference_board import Position, Table, fresh, full_options, read_position
from tests.card_barrage.reference_faults import position_faults
from tests.card_barrage.reference_moves import clauses_against
from tests.card_barrage.reference_positions import shuffling
from tests.card_barrage.reference_rules import Shuffle, finish, legal_moves, play, run_on, start
from tests.reference.scenarios import (
    faults,
    head_failures,
    listed,
    move_failures,
    outcome_failures,
    refusal_failures,
    run_steps,
)

GAME = "card-barrage"
UNORDERED = ("hand", "pile", "scored", "gives", "stormed", "aside")


def run_scenario(path: Path, seed: int = 20) -> list[str]:
    """Run one scenario file, hidden cards dealt by the seed; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = head_failures(data, GAME)
    table = Table(data.get("seats", 2), full_options(data.get("options")))
    rng = random.Random(seed)
    shuffle = shuffling(rng)
    if "position" not in data:
        position = start(fresh(table, rng), shuffle)
    else:
        broken = position_faults(data["position"], table)
        if "refused" in data or broken:
            return failures + refusal_failures(data, broken)
        position = run_on(read_position(data["position"], table, rng), shuffle)
        if position.phase == "over":  # the score says who has won
            finish(position)
    return failures + run_steps(data, position, lambda step, before: run_step(step, before, shuffle))


def run_step(step: Mapping[str, Any], position: Position, shuffle: Shuffle) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    legal = set(legal_moves(position))
    wanted = {move: clauses_against(position, move) for move in listed(step.get("legal", []))}
    # What a throw did may be told in more words than a list can hold.
    told = {move for move, against in wanted.items() if move.startswith("report") and not against}
    failures = [
        f"{move} is listed, and breaks {wanted[move]}" for move in wanted if move in legal and wanted[move]
    ]
    failures += move_failures(step, legal | told, partial(clauses_against, position))
    for move in listed(step.get("play", [])):
        position = play(position, move, shuffle)
    failures += outcome_failures(step, position.write(), partial(faults, unordered_keys=UNORDERED))
    return failures, position
