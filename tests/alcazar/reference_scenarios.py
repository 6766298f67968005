"""Run scenario files in the published notation against the second implementation."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.alcazar.reference import clauses_against, faults_of, legal_moves, play, run_on
from tests.alcazar.reference_cards import ARMIES, JOKER, Position, deck_of, full_options, plain, read_move

SCENARIOS = Path(__file__).parents[1] / "scenarios" / "alcazar"
UNORDERED = ("hand", "borrowed", "done", "aside")
HEAD = {"game", "title", "clauses", "seats", "options", "refused", "position", "step"}
STEP = {"legal", "illegal", "play", "expect", "winner"}


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
        if isinstance(pattern, int):
            return len(found) == pattern
        if key in ("tower", "deck"):
            return in_sequence([plain(c) for c in pattern], [plain(c) for c in found])
        if key in UNORDERED:
            return unordered(pattern, found)
        return in_sequence(pattern, found)
    return bool(pattern == found)


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


def run_scenario(path: Path) -> list[str]:
    """Run one scenario file; list what failed, a sentence each."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    failures = [f"unknown key {key}" for key in set(data) - HEAD]
    options = full_options(data.get("options"))
    chance = AnyOrder()
    position = complete(data["position"], options, chance)
    broken = faults_of(position, options)
    if "refused" in data:
        if not set(broken) & set(data["refused"]):
            failures.append(f"the position should be refused by {data['refused']}, found {broken}")
        return failures
    if broken:
        return [*failures, f"the position breaks {broken}"]
    if position.phase == "movement":
        position = run_on(position, options, chance)
    for number, step in enumerate(data["step"], 1):
        failures += [f"step {number}: unknown key {key}" for key in set(step) - STEP]
        legal = legal_moves(position, options)
        for move in step.get("legal", []):
            if read_move(move).text not in legal:
                failures.append(
                    f"step {number}: {move} should be legal: {clauses_against(position, options, move)}"
                )
        for move, clauses in step.get("illegal", {}).items():
            against = clauses_against(position, options, move)
            if not set(against) & set([clauses] if isinstance(clauses, str) else clauses):
                failures.append(f"step {number}: {move} should break {clauses}, found {against}")
        if "play" in step:
            position = play(position, options, step["play"], chance)
        now = position.write()
        for key, pattern in step.get("expect", {}).items():
            if not matches(key, pattern, now[key]):
                failures.append(f"step {number}: {key}: expected {pattern}, found {now[key]}")
        if "winner" in step and step["winner"] != now["winner"]:
            failures.append(f"step {number}: winner: expected {step['winner']}, found {now['winner']}")
    return failures


def scenario_files() -> list[Path]:
    return sorted(SCENARIOS.glob("*.toml"))


def cards_named_twice(path: Path) -> list[str]:
    """List cards that a scenario's position names twice (a slip of the pen, unless it is to be refused)."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    position = {k: v for k, v in data["position"].items() if k != "borrowed" and isinstance(v, list)}
    cards = Counter(plain(card) for pile in position.values() for card in pile)
    return [card for card, n in cards.items() if n > 1 and card not in ("-", "?", JOKER) and len(card) == 2]
