"""Check traces of Alcazar against a second implementation of the rules.

    python -m bartizan trace alcazar --games 100 --seed 1 --json | python tests/alcazar/reference.py -

prints every difference (game, ply, move, key, expected, found, the clauses that acted) and a last line with
the counts; the exit status is 1 where anything differs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.alcazar.reference_cards import (
    JOKER,
    Chance,
    Position,
    deck_of,
    full_options,
    plain,
    read_move,
)
from tests.alcazar.reference_moves import faults, legal_texts, position_faults
from tests.alcazar.reference_rules import Decision, Table
from tests.reference.audit import Audit, Auditor, changes, command, differing

UNORDERED = ("hand", "borrowed", "done", "aside")
TOWER_AND_DECK = ("tower", "deck")


class NoChance:
    """Refuses to shuffle: for what must not need it."""

    def pick(self, cards: Sequence[str], place: str, now: Position) -> str:
        raise AssertionError(f"nothing should be drawn from a shuffled deck for {place}")

    def order(self, cards: Sequence[str]) -> list[str]:
        return list(cards)


def legal_moves(position: Position, options: Mapping[str, Any]) -> set[str]:
    """List the canonical texts of the legal moves."""
    return legal_texts(Table(position, options, NoChance()))


def clauses_against(position: Position, options: Mapping[str, Any], move: str) -> list[str]:
    """List the clauses that forbid a move; none: it is legal."""
    return faults(Table(position, options, NoChance()), read_move(move))


def faults_of(position: Position, options: Mapping[str, Any]) -> list[str]:
    """List the clauses that a position breaks."""
    return position_faults(Table(position, options, NoChance()))


def play(
    position: Position,
    options: Mapping[str, Any],
    move: str,
    chance: Chance,
    trail: list[str] | None = None,
) -> Position:
    """Play a move and all forced steps after it on a copy; ValueError where it is illegal.

    `trail` collects the clauses that acted.
    """
    table = Table(position.copy(), options, chance)
    parsed = read_move(move)
    against = faults(table, parsed)
    if against:
        raise ValueError(f"{move} is illegal: {', '.join(against)}")
    return run(table, lambda: table.play(parsed), trail)


def run_on(position: Position, options: Mapping[str, Any], chance: Chance) -> Position:
    """Run a position in the Movement phase on to its next decision."""
    table = Table(position.copy(), options, chance)
    table.now.changed = False
    return run(table, table.begin_round, None)


def run(table: Table, forced: Callable[[], None], trail: list[str] | None) -> Position:
    with suppress(Decision):
        forced()
    if trail is not None:
        trail += table.trail
    now = table.now
    if now.fog:
        now.deck[: now.fog] = table.chance.order(now.deck[: now.fog])
        now.fog = 0
    return now


# --- auditing ---------------------------------------------------------------------------------------


@dataclass
class Guided:
    """A chance that agrees with what a trace shows next: it draws what is found in its place there.

    Only when a Joker came among hand cards is open; `script` says for each such fork which way to go.
    """

    target: Mapping[str, Any]
    script: list[int] = field(default_factory=list)
    forks: list[int] = field(default_factory=list)

    def pick(self, cards: Sequence[str], place: str, now: Position) -> str:
        if place == "hand":
            wanted = sorted(set(self.target["hand"]) & set(cards) - set(now.hand))[:1]
        else:
            army, rank = place.split(".")
            wanted = [card for card in [plain(self.target[army][rank == "rear"])] if card in cards]
        joker_left = self.target["aside"].count(JOKER) > now.aside.count(JOKER)
        if joker_left and JOKER in cards and JOKER not in wanted:
            wanted.append(JOKER)
        if not wanted:
            wanted = sorted(cards)[:1]
        index = len(self.forks)
        self.forks.append(len(wanted))
        return wanted[self.script[index] if index < len(self.script) else 0]

    def order(self, cards: Sequence[str]) -> list[str]:
        found = [plain(card) for card in self.target["deck"][: len(cards)]]
        return found if Counter(found) == Counter(cards) else list(cards)

    def next_script(self) -> list[int] | None:
        """Give the script of the next way through the forks; None when all have been tried."""
        taken = [*self.script, *[0] * (len(self.forks) - len(self.script))][: len(self.forks)]
        for index in reversed(range(len(taken))):
            if taken[index] + 1 < self.forks[index]:
                return [*taken[:index], taken[index] + 1]
        return None


def normal(key: str, value: Any) -> Any:
    """Bring a key's value to the form in which positions are compared."""
    if key in UNORDERED:
        return sorted(value)
    if key in TOWER_AND_DECK:
        return [plain(card) for card in value]
    return value


def compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """List the keys in which two positions differ; `resume` counts only where something was interrupted."""
    interrupted = expected["phase"] in ("thief", "necromancer")
    wanted, got = (
        {key: normal(key, value) for key, value in written.items() if key != "resume" or interrupted}
        for written in (expected, found)
    )
    return differing(wanted, got)


def successor(
    position: Position, options: Mapping[str, Any], move: str, found: Mapping[str, Any], most: int = 500
) -> tuple[list[tuple[str, Any, Any]], list[str]]:
    """Play the move and compare with the position found; give the differences and the clauses that acted."""
    best: list[tuple[str, Any, Any]] | None = None
    basis: list[str] = []
    script: list[int] | None = []
    while script is not None and most:
        most -= 1
        chance = Guided(found, script)
        trail: list[str] = []
        differing = compare(play(position, options, move, chance, trail).write(), found)
        if best is None or len(differing) < len(best):
            best, basis = differing, trail
        if not best:
            break
        script = chance.next_script()
    return best or [], basis


class AlcazarAuditor(Auditor[Position]):
    """Goes through a trace of Alcazar."""

    def begin(self, line: Mapping[str, Any]) -> None:
        self.options = full_options(line["options"])
        self.label = changes(self.options, full_options({}))

    def read_position(self, written: Mapping[str, Any]) -> Position:
        return Position.read(written)

    def faults(self, written: Mapping[str, Any]) -> list[tuple[str, str]]:
        broken = faults_of(self.read_position(written), self.options)
        return [(clause, "the position breaks it") for clause in broken]

    def legal_moves(self, position: Position) -> set[str]:
        return legal_moves(position, self.options)

    def clauses_against(self, position: Position, move: str) -> list[str]:
        return clauses_against(position, self.options, move)

    def check_position(self, position: Position) -> None:
        if Counter(position.everything()) != Counter(deck_of(self.options)):
            self.differ("", "cards", "the whole deck, each card once", sorted(position.everything()))

    def check_move(self, past: Position, move: str, written: Mapping[str, Any]) -> None:
        different, basis = successor(past, self.options, move, written)
        self.report.clauses.update(set(basis))
        for key, expected, got in different:
            self.differ(move, key, expected, got, basis)

    def check_result(self, result: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        if written["phase"] != "over" or not result_fits(result, written["winner"]):
            self.differ("", "result", [written["phase"], written["winner"]], result)


def audit(lines: Iterable[str]) -> Audit:
    """Check every ply of a trace: the legal moves, the position after the move, and the result."""
    return AlcazarAuditor().audit(lines)


def result_fits(result: Mapping[str, Any], winner: str) -> bool:
    """Compare a trace's result line with its last position."""
    said = result.get("winner")
    return said == winner or said in ({"player": (1, [1])}.get(winner, (0, [], None, "none")))


def main(arguments: Sequence[str]) -> int:
    return command(audit, arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
