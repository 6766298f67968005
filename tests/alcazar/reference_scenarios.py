"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.alcazar.reference import clauses_against, faults_of, legal_moves, play, run_on
from tests.alcazar.reference_cards import ARMIES, JOKER, Position, deck_of, full_options, plain, read_move
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

UNORDERED = ("hand", "borrowed", "done", "aside")


class AnyOrder:
    """A chance that shuffles by a fixed seed: scenarios must not depend on it."""

    def __init__(self) -> None:
        self.random = random.Random(20)

    def pick(self, cards: Sequence[str], place: str, now: Position) -> str:
        del place, now
        return self.random.choice(cards)

    def order(self, cards: Sequence[str]) -> list[str]:
        return self.random.sample(list(cards), len(cards))


def complete(data: Mapping[str, Any], options: Mapping[str, Any], chance: AnyOrder) -> Position:
    """Fill in what a scenario leaves out: `?` cards, and the unnamed cards under the deck or aside."""
    given = {key: value for key, value in data.items() if key != "rest"}
    named = [plain(c) for v in given.values() if isinstance(v, list) for c in v]
    for copy in ("borrowed",):
        for card in given.get(copy, []):
            named.remove(card)
    left = list((Counter(deck_of(options)) - Counter(named)).elements())
    left = chance.order(left)

    def fill(cards: Sequence[str]) -> list[str]:
        return ["~" + left.pop() if card == "?" else card for card in cards]

    for key in ("tower", *ARMIES):
        given[key] = fill(given[key])
    given["deck"] = list(given.get("deck", []))
    given["aside"] = list(given.get("aside", []))
    if data.get("rest") == "aside":
        given["aside"] += left
    else:
        given["deck"] += left
    return Position.read(given)


def matches(key: str, pattern: Any, found: Any) -> bool:
    """Compare one key with what a scenario expects of it."""
    if pattern == "-":
        return not found
    if isinstance(found, list):
        if key in ("tower", "deck") and isinstance(pattern, list):
            return list_matches([plain(c) for c in pattern], [plain(c) for c in found])
        return list_matches(pattern, found, unordered=key in UNORDERED)
    return bool(pattern == found)


def run_scenario(path: Path) -> list[str]:
    """Run one scenario file; list what failed, a sentence each."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    failures = head_failures(data, "alcazar")
    options = full_options(data.get("options"))
    chance = AnyOrder()
    position = complete(data["position"], options, chance)
    broken = [(clause, "as it stands") for clause in faults_of(position, options)]
    if "refused" in data or broken:
        return failures + refusal_failures(data, broken)
    if position.phase == "movement":
        position = run_on(position, options, chance)
    return failures + run_steps(data, position, lambda step, before: run_step(step, before, options, chance))


def run_step(
    step: Mapping[str, Any], position: Position, options: Mapping[str, Any], chance: AnyOrder
) -> tuple[list[str], Position]:
    """Check one step; give what failed and the position after it."""
    legal = legal_moves(position, options)
    against = partial(clauses_against, position, options)
    failures = move_failures(step, legal, against, lambda move: read_move(move).text)
    for move in listed(step.get("play", [])):
        position = play(position, options, move, chance)
    return failures + outcome_failures(step, position.write(), faults_by(matches)), position


def cards_named_twice(path: Path) -> list[str]:
    """List cards that a scenario's position names twice (a slip of the pen, unless it is to be refused)."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    position = {k: v for k, v in data["position"].items() if k != "borrowed" and isinstance(v, list)}
    cards = Counter(plain(card) for pile in position.values() for card in pile)
    return [card for card, n in cards.items() if n > 1 and card not in ("-", "?", JOKER) and len(card) == 2]
