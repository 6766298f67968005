"""Go through a trace with a second implementation of a game's rules: what is the same for all games.

A game derives an `Auditor` from its own rules. Nothing here knows any, and nothing here, or in a second
implementation, comes from the engine that is checked.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

P = TypeVar("P")  # a game's position
Written = Mapping[str, Any]  # a position as a trace has it
Faults = Sequence[tuple[str, str]]  # clauses and sentences


@dataclass(frozen=True)
class Difference:
    """One thing in which a trace and a second implementation differ."""

    game: int
    ply: int
    move: str
    key: str
    expected: Any
    found: Any
    clauses: tuple[str, ...] = ()
    options: str = ""

    def __str__(self) -> str:
        basis = f"  [{' '.join(self.clauses)}]" if self.clauses else ""
        return (
            f"game {self.game} ply {self.ply} {self.move!r}: {self.key}: expected {self.expected},"
            f" found {self.found}{basis}{'  ' + self.options if self.options else ''}"
        )


@dataclass
class Audit:
    """What an audit found; of the counts of what came up, each game keeps those that tell something."""

    games: int = 0
    plies: int = 0
    differences: list[Difference] = field(default_factory=list)
    clauses: Counter[str] = field(default_factory=Counter)  # that acted
    kinds: Counter[str] = field(default_factory=Counter)  # of moves
    phases: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)


class Auditor(ABC, Generic[P]):
    """Goes through a trace line by line and notes in `report` what differs."""

    def __init__(self) -> None:
        self.report = Audit()
        self.options: dict[str, Any] = {}
        self.seats = 0
        self.label = ""  # of a game, put behind each of its differences
        self.game = 0
        self.ply = 0
        self.before: Mapping[str, Any] | None = None  # the line before, where a move was played on it

    # --- what a game says of itself

    @abstractmethod
    def begin(self, line: Mapping[str, Any]) -> None:
        """Take a game's options and seats from its first line."""

    @abstractmethod
    def read_position(self, written: Written) -> P:
        """Make a position from one without faults, or whose faults have clauses."""

    @abstractmethod
    def faults(self, written: Written) -> Faults:
        """List what is wrong with a position; where a clause is "" it cannot even be read."""

    @abstractmethod
    def legal_moves(self, position: P) -> Collection[str]:
        """List the canonical texts of the legal moves."""

    @abstractmethod
    def clauses_against(self, position: P, move: str) -> Sequence[str]:
        """List the clauses that forbid a move; none: it is legal."""

    @abstractmethod
    def check_move(self, past: P, move: str, written: Written) -> None:
        """Play a legal move and compare with the position that was found after it."""

    @abstractmethod
    def check_result(self, result: Mapping[str, Any], written: Written) -> None:
        """Compare a game's result with its last position."""

    def is_readable(self, faults: Faults) -> bool:
        """Say whether a position with these faults can be read."""
        return all(clause for clause, _ in faults)

    def check_deal(self, written: Written) -> None:
        """Check the position that a game begins with, where it is none of its own."""

    def check_position(self, position: P) -> None:
        """Check or count more about a position than its faults."""

    def check_unlisted(self, position: P, move: str) -> None:
        """Note that a move was played that is not among those listed."""
        self.differ(move, "move", "one of those listed", move)

    def canonical(self, position: P, move: str) -> str:
        """Give the form in which this implementation writes a move."""
        del position
        return move

    # --- going through

    def audit(self, lines: Iterable[str]) -> Audit:
        """Check every ply of a trace: the legal moves, the position after the move, and the result."""
        for line in lines:
            if line.strip():
                self.read(json.loads(line))
        return self.report

    def read(self, line: Mapping[str, Any]) -> None:
        """Check one line, and the move that led to it."""
        written, before = line["position"], self.before
        self.game, self.before = line["game_no"], None
        if "options" in line:
            self.report.games += 1
            self.begin(line)
            before = None
        faults = self.faults(written)
        readable = self.is_readable(faults)
        if readable and before is not None:
            self.check_step(before, written)
        self.ply = line.get("ply", self.ply + 1)
        for clause, sentence in faults:
            self.differ("", "position", "keeps all rules", f"{sentence} ({clause})", [clause])
        if readable:
            self.check_line(line)

    def check_step(self, before: Mapping[str, Any], written: Written) -> None:
        """Check the move that led from one line to a position."""
        self.report.plies += 1
        past = self.read_position(before["position"])
        move = self.canonical(past, before["move"])
        if not self.clauses_against(past, move):  # else reported with the legal moves
            self.check_move(past, move, written)

    def check_line(self, line: Mapping[str, Any]) -> None:
        """Check what a line says of its own position."""
        position = self.read_position(line["position"])
        self.check_position(position)
        if "options" in line and "start" not in line:
            self.check_deal(line["position"])
        if "result" in line:
            self.check_result(line["result"], line["position"])
            return
        self.check_legal(position, line["legal"])
        if line["move"] not in line["legal"]:
            self.check_unlisted(position, line["move"])
        self.before = line

    def check_legal(self, position: P, listed: Sequence[str]) -> None:
        """Compare the moves that a line lists with those that are legal."""
        if list(listed) != sorted(set(listed)):
            self.differ("", "legal", "each move once, sorted", listed)
        legal = set(self.legal_moves(position))
        if not legal:
            self.differ("", "legal", "a line with a result: nobody can move", listed)
        for move in sorted(legal ^ {self.canonical(position, move) for move in listed}):
            self.differ(move, "legal", move in legal, move not in legal, self.broken_by(position, move))

    def broken_by(self, position: P, move: str) -> Sequence[str]:
        """List the clauses that forbid a move; none either for a text that has the form of no move."""
        try:
            return self.clauses_against(position, move)
        except ValueError:
            return ()

    def differ(self, move: str, key: str, expected: Any, found: Any, basis: Sequence[str] = ()) -> None:
        """Note a difference, with the clauses that it comes from."""
        clauses = tuple(dict.fromkeys(clause for clause in basis if clause))
        self.report.differences.append(
            Difference(self.game, self.ply, move, key, expected, found, clauses, self.label)
        )


def changes(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Write the options that are not at their defaults."""
    return " ".join(f"{key}={value}" for key, value in options.items() if value != defaults[key])


def differing(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """List the keys in which two written positions differ, with both values."""
    pairs = [
        (key, expected.get(key, "(no such key)"), found.get(key, "(key is missing)"))
        for key in {**expected, **found}
    ]
    return [pair for pair in pairs if pair[1] != pair[2]]


def sentences(report: Audit) -> str:
    """Tell the first differences, for an assertion."""
    return "\n".join(str(difference) for difference in report.differences[:20])


def command(audit: Callable[[Iterable[str]], Audit], arguments: Sequence[str], also: str = "") -> int:
    """Audit a file, or standard input, and print what differs; `also` is what else the command could do."""
    if len(arguments) != 1:
        print(f"usage: reference.py FILE.jsonl (or - for standard input){also}", file=sys.stderr)
        return 2
    if arguments[0] == "-":
        report = audit(sys.stdin)
    else:
        with Path(arguments[0]).open() as lines:
            report = audit(lines)
    for difference in report.differences:
        print(difference)
    print(f"{report.games} games, {report.plies} plies, {len(report.differences)} differences")
    return 1 if report.differences else 0
